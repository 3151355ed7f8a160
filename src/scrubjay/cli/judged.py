"""What `kb eval` found, for people as a table and for programs as one object."""

from __future__ import annotations

from scrubjay.cli import words
from scrubjay.cli.output import print_columns
from scrubjay.cli.records import plain
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from scrubjay.cli.terminal import Screen
    from scrubjay.evaluate.compare import Comparison
    from scrubjay.evaluate.run import Difference, Evaluation, Leg

    Compared = tuple[Evaluation, Difference] | None


def print_evaluation(out: Screen, judged: Evaluation) -> None:
    """A row a leg, a column a measure; the best of each column is lit on a terminal."""
    out.line(out.paint("title", counted_queries(len(judged.queries))))
    best = {name: max(leg.means[name] for leg in judged.legs) for name in judged.measures}
    head = ["", *judged.measures, "p50 ms", "p95 ms"]
    rows = [
        head,
        *([leg.name, *(f"{leg.means[name]:.4f}" for name in judged.measures), *_times(leg)] for leg in judged.legs),
    ]
    wide = [max(words.width(row[column]) for row in rows) for column in range(len(head))]
    for number, row in enumerate(rows):
        leg = judged.legs[number - 1] if number else None
        cells = [
            out.paint("faint" if leg is None else "", row[0].ljust(wide[0])) if leg is None else row[0].ljust(wide[0])
        ]
        for column in range(1, len(head)):
            text = row[column].rjust(wide[column])
            name = head[column]
            lit = leg is not None and name in best and leg.means[name] == best[name]
            cells.append(out.paint("faint", text) if leg is None else out.paint("good", text) if lit else text)
        out.line("  ".join(cells).rstrip())


def _times(leg: Leg) -> list[str]:
    return ["–" if value is None else f"{value:.1f}" for value in (leg.p50_ms, leg.p95_ms)]


def counted_queries(count: int) -> str:
    return f"{count:,} {'query' if count == 1 else 'queries'}"


def print_difference(out: Screen, first: Evaluation, second: Evaluation, found: Difference, name: str) -> None:
    """Each measure from the first setting to the second, then the queries that moved most."""
    out.line(
        out.paint("title", f"Compared with {name}")
        + out.paint("faint", " (a difference is the second minus the first)")
    )
    rows = [[measure, compared.told()] for measure, compared in found.measures.items()]
    print_columns(out, rows, ("", ""))
    before, after = first.whole, second.whole
    if before.p50_ms is not None and after.p50_ms is not None:
        out.line(f"half of the queries within {before.p50_ms:.1f} → {after.p50_ms:.1f} ms")
    if found.moved:
        out.line()
        out.line(out.paint("faint", f"Moved most in {first.measures[0]}:"))
        moved = [
            [f"{one:.2f} → {two:.2f}", words.one_line(first.queries[query]), query] for query, one, two in found.moved
        ]
        print_columns(out, moved, ("", "", "faint"), path=1)


def evaluation_record(judged: Evaluation, compared: Compared, name: str) -> dict[str, Any]:
    record: dict[str, Any] = {
        "queries": len(judged.queries),
        "measures": list(judged.measures),
        "legs": {leg.name: _leg_record(leg) for leg in judged.legs},
        "notices": plain(judged.notices),
        "per_query": {
            query: {
                leg.name: {key: round(value, 6) for key, value in leg.per_query[query].items()} for leg in judged.legs
            }
            for query in judged.queries
        },
    }
    if compared is not None:
        second, found = compared
        record["comparison"] = {
            "with": name,
            "legs": {leg.name: _leg_record(leg) for leg in second.legs},
            "measures": {key: _comparison_record(value) for key, value in found.measures.items()},
            "moved": [{"query": query, "first": one, "second": two} for query, one, two in found.moved],
            "notices": plain(second.notices),
        }
    return record


def _leg_record(leg: Leg) -> dict[str, Any]:
    return {**{name: round(value, 6) for name, value in leg.means.items()}, "p50_ms": leg.p50_ms, "p95_ms": leg.p95_ms}


def _comparison_record(compared: Comparison) -> dict[str, Any]:
    record: dict[str, Any] = {**plain(compared), "significant": compared.significant}
    return record

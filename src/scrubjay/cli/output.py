"""Prints records in the formats for programs: json, jsonl, csv, md and files."""

from __future__ import annotations

from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from scrubjay.cli.call import Call
    from scrubjay.cli.terminal import Screen

    Record = dict[str, Any]


def print_json(out: Screen, value: Any) -> None:
    """One object; indented for eyes on a terminal, on one line for programs."""
    _print_value(out, value, 2 if out.is_terminal else None)


def _print_value(out: Screen, value: Any, indent: int | None) -> None:
    text = line_of(value) if indent is None else ""
    if not text or not out.can_encode(text):
        import json

        text = json.dumps(value, ensure_ascii=False, indent=indent)
        text = text if out.can_encode(text) else json.dumps(value, indent=indent)
    out.line(text)


def line_of(value: Any) -> str:
    """What `json.dumps(value, ensure_ascii=False)` gives, by the encoder behind it; "" where there is none.

    The `json` package also brings its reader along, and with it `re`: a sixth of a whole search by words.
    """
    try:
        from _json import encode_basestring, make_encoder

        encode = make_encoder(None, _no_json, encode_basestring, None, ": ", ", ", False, False, True)
        return "".join(encode(value, 0))
    except (ImportError, TypeError):  # another Python: its own package knows
        return ""


def _no_json(value: object) -> Any:
    raise TypeError(f"{type(value).__name__} is no JSON")


def print_rows(call: Call, format: str, rows: Sequence[Record], columns: Sequence[str]) -> None:
    """Records one a line. csv has the named columns; lists become "a, b" there."""
    if format == "jsonl":
        for row in rows:
            _print_value(call.out, row, None)
    elif format == "csv":
        _print_csv(call.out, rows, columns)
    elif format == "files":
        _print_files(call, rows)
    else:
        _print_markdown_table(call.out, rows, columns)


def _print_csv(out: Screen, rows: Iterable[Record], columns: Sequence[str]) -> None:
    import csv
    from io import StringIO

    page = StringIO()
    writer = csv.writer(page, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_cell(row.get(column)) for column in columns] for row in rows)
    out.write(page.getvalue())


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _print_files(call: Call, rows: Iterable[Record]) -> None:
    """`path:line` a line, each once; notes have no file and are only counted."""
    seen: dict[str, None] = {}
    without = 0
    for row in rows:
        if row["path"] is None:
            without += 1
            continue
        lines = row.get("lines")
        seen[f"{row['path']}:{lines[0]}" if lines else row["path"]] = None
    for line in seen:
        call.out.line(line)
    if without:
        from scrubjay.cli.words import counted

        call.console.hint(f"{counted(without, 'result')} left out that are in no file (notes).")


def _print_markdown_table(out: Screen, rows: Iterable[Record], columns: Sequence[str]) -> None:
    out.line("| " + " | ".join(columns) + " |")
    out.line("|" + " --- |" * len(columns))
    for row in rows:
        cells = (" ".join(_cell(row.get(column)).split()).replace("|", "\\|") for column in columns)
        out.line("| " + " | ".join(cells) + " |")


def print_columns(
    out: Screen, rows: Sequence[Sequence[str]], styles: Sequence[str], right: Sequence[int] = (), path: int = -1
) -> None:
    """Aligned columns for people. On a terminal the column `path` gives way when they are too wide,
    from its start, and then the last one from its end; nothing is ever wrapped."""
    from scrubjay.cli.words import cut, cut_start, width

    last = len(styles) - 1
    widths = [max((width(row[column]) for row in rows), default=0) for column in range(len(styles))]
    over = sum(widths) + 2 * last - out.width
    if out.is_terminal and over > 0:
        if path >= 0:
            widths[path] = max(min(widths[path], 20), widths[path] - over)
        widths[last] = max(8, min(widths[last], out.width - sum(widths[:last]) - 2 * last))
        rows = [
            [(cut_start if column == path else cut)(text, widths[column]) for column, text in enumerate(row)]
            for row in rows
        ]
    for row in rows:
        cells = []
        for column, (text, style) in enumerate(zip(row, styles, strict=True)):
            gap = " " * (widths[column] - width(text))
            painted = out.paint(style, text) if style else text
            cells.append(gap + painted if column in right else painted + ("" if column == last else gap))
        out.line("  ".join(cells).rstrip())

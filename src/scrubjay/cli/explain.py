"""`--explain` for people: the plan, then every vote and factor of a hit in the order of the stages.

It prints what the search computed and kept; nothing is computed a second time here.
"""

from __future__ import annotations

from scrubjay.cli import words
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from scrubjay.cli.terminal import Screen
    from scrubjay.types import Change, Hit, QueryPlan, SearchResult, Term, Vote

_BAR = 12
_MARGIN = 9


def plan_lines(out: Screen, result: SearchResult) -> list[str]:
    """What ran, with what settings, and how long each stage took."""
    plan = result.plan
    fusion = (
        f"{plan.fusion} (k={plan.rrf_k:g})"
        if plan.fusion not in ("weighted", "auto")
        else (f"{plan.fusion} ({plan.vector_weight:g} vector + {plan.keyword_weight:g} keyword)")
    )
    rows = [
        ("plan", f"profile {plan.profile} · {result.mode} · {fusion} · pool {plan.pool} · top {plan.top}"),
        ("words", _words(plan.words.terms, plan.words.excluded) or "none"),
        ("sources", ", ".join(plan.sources) + (f" · keyword by {result.tier}" if result.tier else "")),
        ("stages", _stages(result)),
    ]
    if plan.changes:
        rows.insert(2, ("expand", " · ".join(words.one_line(_change(each)) for each in plan.changes)))
    if plan.intent is not None:
        rows.insert(2, ("intent", _intent(plan)))
    if plan.floor or plan.threshold is not None:
        least = max(plan.floor, plan.threshold or 0.0)
        rows.append(("least", f"{least:g}: results that score less are dropped"))
    lines = []
    for name, text in rows:
        first, *rest = words.filled(text, out.width - _MARGIN) if out.is_terminal else [text]
        lines.append(out.paint("faint", name.ljust(_MARGIN)) + first)
        lines += [" " * _MARGIN + line for line in rest]
    return lines


def _words(terms: tuple[Term, ...], excluded: tuple[Term, ...]) -> str:
    shown = [_term(term) for term in terms] + [f"without {_term(term)}" for term in excluded]
    return " · ".join(words.one_line(text) for text in shown)


def _term(term: Term) -> str:
    return f'"{term.text}"' if term.phrase else term.text + ("*" if term.prefix else "")


def _change(change: Change) -> str:
    """What was typed and what became of it."""
    if change.why == "typo":
        return f"{change.typed} → {change.searched}"
    return f"{change.typed} + {change.searched} ({change.origin})"


def _intent(plan: QueryPlan) -> str:
    """What the query was taken for, why, and what that multiplies."""
    assert plan.intent is not None
    guess = plan.intent
    said = f"{guess.intent} {guess.score:g}, confidence {guess.confidence:g}"
    favoured = {**plan.source_weights, **plan.kind_boosts}
    weights = [f"{name.replace('_', ' ')} × {weight:g}" for name, weight in favoured.items() if weight != 1]
    return " · ".join([said + (f" ({', '.join(guess.words)})" if guess.words else ""), *weights])


def _stages(result: SearchResult) -> str:
    names = result.plan.stages or tuple(name for name in result.timings if name != "total")
    left_out = f", left out: {', '.join(result.plan.skipped)}" if result.plan.skipped else ""
    shown = [f"{name} {result.timings[name]:.1f} ms" if name in result.timings else name for name in names]
    return " → ".join(shown) + f"  ({result.took_ms:.1f} ms in all)" + left_out


def _formula(vote: Vote, plan: QueryPlan) -> str:
    """What the fusion did with this vote: it counts either the rank or the score."""
    if plan.fusion in ("weighted", "auto"):
        return f"{vote.weight:g} × score"
    return f"{vote.weight:g} / ({plan.rrf_k:g}+{vote.rank})"


def hit_lines(out: Screen, hit: Hit, plan: QueryPlan) -> list[str]:
    """The score as a sum of votes and a product of factors, each with its reason."""
    total = sum(vote.contribution for vote in hit.votes) or 1.0
    lines = []
    for vote in hit.votes:
        bar = "▇" * max(1, round(_BAR * vote.contribution / total)) if vote.contribution > 0 else ""
        found = " · ".join(text for text in (vote.tier, vote.note) if text)
        lines.append(
            f"{vote.source:<9}rank {vote.rank:<4} score {vote.score:<9.4g} {_formula(vote, plan):<13}"
            f"+ {vote.contribution:.6f}  {out.paint('good', bar)}{'  ' if bar and found else ''}"
            f"{out.paint('faint', words.one_line(found))}"
        )
    absent = [name for name in plan.sources if hit.ranks.get(name) is None]
    if absent:
        lines.append(out.paint("faint", f"not found by {', '.join(absent)}"))
    for factor in hit.factors:
        lines.append(f"{factor.name:<48}× {factor.value:<9.4g} {out.paint('faint', words.one_line(factor.reason))}")
    if hit.reread is not None:
        read = hit.reread
        lines.append(f"{'':<48}= {read.before:.6f}  {out.paint('faint', 'fused')}")
        product = f"reranked: {read.score:.4f} × length {read.penalty:.3f}"
        lines.append(f"{product:<48}= {hit.score:.6f}  {out.paint('faint', f'by {read.by}')}")
        return [line.rstrip() for line in lines]
    share = f"{hit.normalized:.0%} of the most this fusion can give"
    lines.append(f"{'':<48}= {hit.score:.6f}  {out.paint('faint', share)}")
    return [line.rstrip() for line in lines]

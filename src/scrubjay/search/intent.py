"""Guesses what a question is for, from its words, and what that favours.

A table, so that a guess can be read, explained and argued with: primary words count 2,
secondary words 1, and under 3 nothing is concluded. `understand` is also what remains when
nothing else is said; it favours nothing.
"""

from __future__ import annotations

import re

from scrubjay.types import Guess
from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

PRIMARY = 2.0
SECONDARY = 1.0
THRESHOLD = 3.0
_CLEAR = 5.0  # two primary words and a secondary one leave no doubt
_ENDINGS = (("ies", "y"), ("ing", ""), ("ing", "e"), ("ed", ""), ("ed", "e"), ("es", ""), ("s", ""))
_WORDS = re.compile(r"[^\W\d_]+")


class Intent(NamedTuple):
    """One row: the words that speak for it, and what it favours.

    `sources` multiply the weight of the vector, keyword and graph lists; `kinds` multiply the
    scores of documents of a kind (types.KINDS, or a kind of specification document).
    """

    name: str
    primary: frozenset[str]
    secondary: frozenset[str]
    sources: Mapping[str, float]
    kinds: Mapping[str, float]


def _row(
    name: str, primary: str, secondary: str, sources: tuple[float, float, float], kinds: Mapping[str, float]
) -> Intent:
    weights = dict(zip(("vector", "keyword", "graph"), sources, strict=True))
    return Intent(name, frozenset(primary.split()), frozenset(secondary.split()), weights, kinds)


# Errors and names are asked for in their own words, so keywords lead; reasons are told in
# others, so meaning leads; what follows from a decision or a specification is linked to it.
INTENTS: tuple[Intent, ...] = (
    _row(
        "add_feature",
        "add feature implement create build introduce extend",
        "new support functionality enable endpoint integrate integration capability allow",
        (1.1, 1.0, 1.0),
        {"spec": 1.15, "plan": 1.15, "tasks": 1.1, "code": 1.1},
    ),
    _row(
        "fix_bug",
        "fix bug crash error broken debug exception traceback regression fault",
        "fail failure failing issue problem wrong after hang freeze leak stacktrace null timeout resolve",
        (1.0, 1.2, 0.8),
        {"code": 1.15, "implementation_summary": 1.1, "handover": 1.05},
    ),
    _row(
        "refactor",
        "refactor restructure cleanup simplify rewrite deduplicate modularize modularise decouple",
        "clean improve extract rename split duplicate duplication legacy debt reorganize reorganise move tidy",
        (1.1, 1.0, 1.1),
        {"code": 1.2, "plan": 1.1, "decision_record": 1.1},
    ),
    _row(
        "security_audit",
        "security vulnerability vulnerabilities exploit audit cve injection xss csrf threat pentest",
        "secure attack auth authentication authorization password secret token permission encrypt encryption "
        "sanitize escape leak credential risk",
        (1.0, 1.15, 1.0),
        {"code": 1.15, "checklist": 1.15, "spec": 1.05},
    ),
    _row(
        "find_spec",
        "spec specification requirement requirements acceptance prd",
        "criteria define document plan scope story stories expected contract",
        (1.0, 1.1, 1.2),
        {"spec": 1.4, "plan": 1.15, "checklist": 1.1, "tasks": 1.05},
    ),
    _row(
        "find_decision",
        "decision decide decided rationale adr tradeoff choose chose chosen why",
        "reason instead alternative alternatives option versus over picked prefer motivation justify",
        (1.1, 1.0, 1.3),
        {"decision_record": 1.4, "plan": 1.1, "research": 1.1, "spec": 1.05},
    ),
    _row(
        "understand",
        "understand explain overview architecture describe",
        "how what work does mean flow where learn concept structure",
        (1.0, 1.0, 1.0),
        {},
    ),
)
_BY_NAME = {intent.name: intent for intent in INTENTS}
_POINTS = {
    word: [
        (intent.name, PRIMARY if word in intent.primary else SECONDARY)
        for intent in INTENTS
        if word in intent.primary or word in intent.secondary
    ]
    for row in INTENTS
    for word in row.primary | row.secondary
}


def guess(query: str) -> Guess:
    """What the query is for. Every word counts once, in whatever form it is written."""
    scores = dict.fromkeys(_BY_NAME, 0.0)
    spoke: dict[str, list[str]] = {}
    for word in dict.fromkeys(filter(None, map(_known, _WORDS.findall(query.lower())))):
        for name, points in _POINTS[word]:
            scores[name] += points
            spoke.setdefault(name, []).append(word)
    name = max(scores, key=lambda each: scores[each])  # of equals, the first row
    score = scores[name]
    if score < THRESHOLD:
        return Guess("understand", scores["understand"], 0.0)
    rival = max(points for other, points in scores.items() if other != name)
    return Guess(name, score, _confidence(score, rival), tuple(spoke[name]))


def intent(name: str) -> Intent:
    """The row of that name."""
    return _BY_NAME[name]


class Favours(NamedTuple):
    """What an intent multiplies: the weights of sources and the scores of kinds."""

    sources: Mapping[str, float]
    kinds: Mapping[str, float]


def favours(name: str, own: Mapping[str, float]) -> Favours:
    """The row's weights with a person's own (`fix_bug.code` → 1.3) over them."""
    row = intent(name)
    mine = {entry.partition(".")[2]: weight for entry, weight in own.items() if entry.partition(".")[0] == name}
    sources = {source: mine.get(source, weight) for source, weight in row.sources.items()}
    return Favours(sources, {**row.kinds, **{kind: weight for kind, weight in mine.items() if kind not in sources}})


def _confidence(score: float, rival: float) -> float:
    """Three quarters for how much was said, one quarter for the lead over the next intent."""
    return round(0.75 * min(1.0, score / _CLEAR) + 0.25 * (score - rival) / score, 4)


def _known(word: str) -> str | None:
    """The word of the table that this is a form of: "crashes", "crashed", "crashing" → "crash"."""
    if word in _POINTS:
        return word
    for ending, instead in _ENDINGS:
        if word.endswith(ending):
            base = word[: -len(ending)] + instead
            doubled = base[:-1] if len(base) > 3 and base[-1] == base[-2] else base  # "debugging"
            for form in (base, doubled):
                if form in _POINTS:
                    return form
    return None

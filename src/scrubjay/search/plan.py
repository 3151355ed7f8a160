"""What was asked becomes what will run: every default filled in, everything checked.

After this, no stage reads a setting or doubts a value. Zero is a value here, never "unset".
"""

from __future__ import annotations

import os

from scrubjay.errors import UsageError
from scrubjay.search.parse import parse
from scrubjay.types import KINDS, MODES, Filter, QueryPlan
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scrubjay.config import Config
    from scrubjay.types import SearchOptions
    from scrubjay.types.diverse import Diverse
    from scrubjay.types.graph import Spreading
    from scrubjay.types.memory import Weighing


FUSIONS = ("rrf", "weighted", "enhanced", "auto")


def plan(options: SearchOptions, config: Config) -> QueryPlan:
    """The plan of one search. Raises UsageError, with a suggestion, for what cannot be meant."""
    profile = one_of("profile", options.profile or str(config.get("search.profile")), config.profiles)
    mode = one_of("mode", options.mode, MODES)

    def setting(name: str) -> float:
        return float(config.get(name, profile))

    top = _count("top", options.top, int(setting("search.default_top")))
    decays = bool(config.get("search.decay", profile))
    bm25 = profile == "full" and bool(config.get("bm25.enabled", profile))
    links = spreading(config) if profile == "full" and config.get("graph.enabled", profile) else None
    core = QueryPlan(
        query=options.query,
        words=parse(options.query),
        profile=profile,
        mode=mode,
        sources=_sources(mode, bool(config.get("fusion.enabled", profile)), links is not None),
        keyword_channel="bm25" if bm25 else "fts5",
        fusion=one_of("fusion", options.fusion or str(config.get("fusion.method", profile)), FUSIONS),
        top=top,
        pool=max(int(setting("search.minimum_pool")), int(setting("search.pool_factor")) * top),
        filter=filter_of(options.tags, options.kind, options.path, options.since, options.until),
        floor=setting("search.min_score"),
        threshold=_threshold(options.threshold),
        rrf_k=setting("fusion.rrf_k"),
        vector_weight=setting("fusion.vector_weight"),
        keyword_weight=setting("fusion.keyword_weight"),
        graph_weight=setting("fusion.graph_weight"),
        convergence_bonus=setting("fusion.convergence_bonus"),
        half_life_days=setting("decay.half_life_days") if decays else None,
        bm25_k1=setting("bm25.k1"),
        bm25_b=setting("bm25.b"),
        spreading=links,
        deadline_ms=_deadline(options.deadline_ms, setting("search.deadline_ms")),
        diverse=_diverse(options.diverse, setting("search.mmr")),
        everything=bool(config.get("memory.hidden", profile) if options.everything is None else options.everything),
        superseded=setting("memory.superseded"),
        weighing=_weighing(config, profile),
    )
    return _staged(_rereading(_meaning(_widening(core, config), config), options.rerank, config))


def _widening(core: QueryPlan, config: Config) -> QueryPlan:
    """Whether typos are mended and acronyms written out, and which are the person's own."""
    if not config.get("expand.enabled", core.profile) or not core.words.terms:
        return core
    typos, acronyms = (config.get(f"expand.{name}", core.profile) for name in ("typos", "acronyms"))
    table = config.table("acronyms", core.profile) if acronyms else {}
    own = {short.upper(): tuple(filter(None, map(str.strip, long.split(";")))) for short, long in table.items()}
    return core._replace(typos=typos, acronyms=bool(acronyms), own_acronyms=own)


def _meaning(core: QueryPlan, config: Config) -> QueryPlan:
    """What the query is for, and what that favours: of the sources, and of the kinds of documents."""
    if core.profile != "full" or not config.get("intent.enabled", core.profile):
        return core
    from scrubjay.search.intent import favours, guess

    found = guess(core.query)
    weights, boosts = favours(found.intent, config.table("intents", core.profile))
    graph = core.graph_weight * weights["graph"]
    return core._replace(intent=found, source_weights=weights, kind_boosts=boosts, graph_weight=graph)


def _weighing(config: Config, profile: str) -> Weighing | None:
    """What of a memory's standing counts; None where nothing does, as in most profiles."""
    names = ("tiers", "documents", "retention", "half_lives")
    tiers, documents, retention, half_lives = (bool(config.get(f"memory.{name}", profile)) for name in names)
    if not (tiers or documents or retention or half_lives):
        return None
    from scrubjay.types.memory import Weighing

    floor, tokens = (config.get(f"memory.{name}", profile) for name in ("retention_floor", "constitutional_tokens"))
    return Weighing(tiers, documents, retention, half_lives, float(floor), int(tokens))


def _rereading(core: QueryPlan, asked: bool | None, config: Config) -> QueryPlan:
    """Whether the best are read again, how many, and how long that may take."""
    if not (config.get("rerank.enabled", core.profile) if asked is None else asked):
        return core
    count, seconds = (config.get(f"rerank.{name}", core.profile) for name in ("candidates", "seconds"))
    return core._replace(rerank=True, rerank_candidates=int(count), rerank_seconds=float(seconds))


def _staged(core: QueryPlan) -> QueryPlan:
    """The stages that will run, in their order; what is switched off is not among them."""
    expand = ("expand",) if core.acronyms or core.typos != "never" else ()
    rerank = ("rerank",) if core.rerank else ()
    return core._replace(stages=("plan", *expand, "retrieve", "fuse", "adjust", *rerank, "fetch"))


def _sources(mode: str, fused: bool, graph: bool) -> tuple[str, ...]:
    if mode != "hybrid":
        return (mode,)
    if not fused:
        return ("vector",)
    return ("keyword", "vector", "graph") if graph else ("keyword", "vector")


def spreading(config: Config) -> Spreading:
    """How far links are followed."""
    from scrubjay.types.graph import Spreading

    seeds, hops, fan = (int(config.get(f"graph.{name}", "full")) for name in ("seeds", "hops", "fan"))
    decay, most = (float(config.get(f"graph.{name}", "full")) for name in ("decay", "max_ms"))
    return Spreading(seeds, hops, decay, fan, most)


def filter_of(
    tags: Sequence[str] | str = (),
    kind: Sequence[str] | str | None = None,
    path: str | os.PathLike[str] | None = None,
    since: str | None = None,
    until: str | None = None,
) -> Filter:
    """A checked filter from what people write: "a,b", "last week", a folder."""
    kinds = tuple(one_of("type", name, KINDS) for name in _split(kind or ()))
    folder = _folder(path)
    typed = None if path is None or folder is None else os.fspath(path).replace(os.sep, "/").rstrip("/")
    return Filter(split_tags(tags), kinds, folder, _moment(since, end=False), _moment(until, end=True), typed or None)


def split_tags(tags: Sequence[str] | str) -> tuple[str, ...]:
    """Tags without their `#`, each once: "#ops, production" and ["ops", "production"] are equal."""
    cleaned = (tag.strip().lstrip("#").strip() for tag in _split(tags))
    return tuple(dict.fromkeys(tag for tag in cleaned if tag))


def _split(value: Iterable[str] | str) -> list[str]:
    parts = [value] if isinstance(value, str) else value
    return [piece.strip() for part in parts for piece in part.split(",") if piece.strip()]


def _folder(path: str | os.PathLike[str] | None) -> str | None:
    """An existing or absolute path as it is stored; anything else is a part of a path."""
    if path is None or not os.fspath(path):
        return None
    text = os.path.expanduser(os.fspath(path))
    if os.path.isabs(text) or text in (".", "..") or text.startswith(("./", "../")) or os.path.exists(text):
        return os.path.abspath(text).replace(os.sep, "/")
    return text.replace(os.sep, "/").strip("/")


def _moment(text: str | None, *, end: bool) -> str | None:
    if text is None or not str(text).strip():
        return None
    from scrubjay.search.when import moment  # brings datetime along, which costs a tenth of a start

    return moment(str(text), end=end)


def _count(name: str, asked: int | None, default: int) -> int:
    count = default if asked is None else asked
    if count < 1:
        raise UsageError(f"{name} cannot be {count}.", "At least one result has to be asked for.", f"Use --{name} 1.")
    return count


def _diverse(asked: Diverse | None, mmr: float) -> Diverse | None:
    """How alike results may be; None when nothing is asked of that, which is the rule for programs."""
    if asked is None and mmr >= 1:
        return None
    from scrubjay.types.diverse import Diverse

    wanted = asked or Diverse()
    share = mmr if wanted.mmr is None else wanted.mmr
    if not 0 <= share <= 1 or wanted.per_document < 0:
        raise UsageError(
            f"Results cannot be told apart by {share:g} and {wanted.per_document}.",
            "MMR is a share from 0 to 1; passages of a document are counted from 0, which means any number.",
            "Use --mmr 0.7 --per-document 3",
        )
    return wanted._replace(mmr=share if share < 1 else None)


def _threshold(asked: float | None) -> float | None:
    if asked is not None and asked != asked:
        raise UsageError("The threshold is not a number.", "", "Use a number such as 0.02.")
    return asked


def _deadline(asked: float | None, default: float) -> float | None:
    """Milliseconds, or None for no deadline: 0 in the settings means never, asked for it is an error."""
    if asked is not None and not asked > 0:
        raise UsageError(f"A deadline of {asked:g} ms leaves no time.", "", "Use --deadline-ms 200, or leave it out.")
    return asked or default or None


def one_of(name: str, given: str, known: Sequence[str]) -> str:
    """The value if it is one of the known ones; else an error that names them all."""
    if given in known:
        return given
    from difflib import get_close_matches

    near = get_close_matches(given.lower(), known, n=1, cutoff=0.5)
    raise UsageError(
        f"There is no {name} {given!r}.",
        f"The {name}s are {', '.join(known)}.",
        f"Did you mean {near[0]!r}?" if near else f"Use one of them, or leave the {name} out.",
    )

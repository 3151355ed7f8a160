"""The table of tools: a tool is a row here and a function in `finding` or `keeping`.

What clients list, how arguments are read and what replies look like are three readings of these
rows. Descriptions are written for models: what the tool is for, and what to do with its answer.
"""

from __future__ import annotations

from scrubjay.mcp import finding, keeping, remembering, shapes
from scrubjay.mcp.arguments import Parameter
from scrubjay.types import KINDS, MODES
from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from scrubjay.knowledge_base import KnowledgeBase
    from scrubjay.mcp.answers import Answer

    Run = Callable[[KnowledgeBase, Mapping[str, Any]], Answer]


class Tool(NamedTuple):
    """One tool. `creates` says that it may make a base that is not there; `prepare` sees raw arguments."""

    name: str
    title: str
    description: str
    parameters: tuple[Parameter, ...]
    output: Mapping[str, Any]
    run: Run
    reads_only: bool = True
    idempotent: bool = True
    creates: bool = False
    prepare: Callable[[Mapping[str, Any]], dict[str, Any]] = dict


_SINCE = Parameter(
    "start_date", "date", 'only from this day on: 2026-01-31, yesterday, "last week", "3 days ago"',
    ("since", "from", "start", "date_from", "from_date", "start_time", "after"),
)  # fmt: skip
_UNTIL = Parameter(
    "end_date", "date", "only up to this day (it is included), in the same words",
    ("until", "to", "end", "date_to", "to_date", "end_time", "before"),
)  # fmt: skip
_AS_OF = Parameter(
    "as_of", "date", "what the base knew at the end of that day: texts as they were, also what was deleted since",
    ("asof", "at_date", "known_at"),
)  # fmt: skip
_TAGS = Parameter("tags", "list", "only documents that have all these tags", ("tag", "labels", "label"), default=())
_TYPE = Parameter(
    "type", "list", "only these types of document", ("types", "kind", "kinds", "doc_type", "document_type"),
    default=(), choices=KINDS,
)  # fmt: skip
_CURSOR = Parameter(
    "cursor", "text", "to go on: the next_cursor of the same request's reply", ("next_cursor", "page_token")
)
_BUDGET_NAMES = ("token_budget", "budget", "tokens", "token_limit", "max_output_tokens")


def _budget(default: int) -> Parameter:
    told = "the reply's budget in tokens; what does not fit is had with the cursor"
    return Parameter("max_tokens", "whole", told, _BUDGET_NAMES, default=default, least=1)


_LIMIT_NAMES = ("max_results", "top", "top_k", "k", "n", "count", "num_results", "max", "size", "results")

SEARCH = Tool(
    "search_memories",
    "Search memories",
    "Search the user's notes, documents, code and PDFs, and what was remembered, by words and by meaning. "
    "Returns ids, scores and snippets, not whole texts: pick the few that matter and pass their ids to "
    'get_observations. "Words in quotes" are looked for together, -word leaves out. An empty result means that '
    "the base was searched and holds nothing; repeating the search will not change that.",
    (
        Parameter(
            "query", "text", "what to look for: words or a question",
            ("q", "text", "search", "search_query", "question", "keywords", "keyword", "term", "input", "prompt"),
            required=True,
        ),
        Parameter("limit", "whole", "how many results", _LIMIT_NAMES, default=10, least=1, most=100),
        _TAGS,
        _TYPE,
        _SINCE,
        _UNTIL,
        Parameter("path", "text", "only below this folder, or this file", ("folder", "directory", "file", "dir")),
        _AS_OF,
        Parameter("mode", "text", "hybrid unless there is a reason", ("search_mode",), choices=MODES),
        _budget(4000),
        _CURSOR,
        Parameter("profile", "text", "a named set of settings", hidden=True),
        Parameter("min_score", "real", "only scores of at least this", ("threshold", "score_threshold"), hidden=True),
    ),
    shapes.SEARCH,
    finding.search_memories,
)  # fmt: skip

TIMELINE = Tool(
    "timeline",
    "Timeline",
    "What was kept when, in order of time, as ids, titles and one-line summaries without the content. By dates "
    "(start_date, end_date), or around one memory (anchor, with before and after). Without any of them: the "
    "latest entries. Whole texts come from get_observations.",
    (
        _SINCE._replace(also=tuple(name for name in _SINCE.also if name != "after")),
        _UNTIL._replace(also=tuple(name for name in _UNTIL.also if name != "before")),
        Parameter(
            "anchor", "text", "the id of a memory: what lies around it in time",
            ("anchor_id", "around", "id", "near", "observation_id", "memory_id", "document_id"),
        ),
        Parameter("before", "whole", "with anchor: how many earlier entries (5)", ("depth_before", "earlier"), least=0),
        Parameter("after", "whole", "with anchor: how many later entries (5)", ("depth_after", "later"), least=0),
        _TAGS,
        _TYPE,
        _AS_OF,
        Parameter("limit", "whole", "at most this many, the latest ones", _LIMIT_NAMES, default=20, least=1, most=1000),
        _budget(2000),
        _CURSOR,
    ),
    shapes.TIMELINE,
    finding.timeline,
    prepare=finding.dates_for_counts,
)  # fmt: skip

GET = Tool(
    "get_observations",
    "Get whole memories",
    "The whole texts of memories, documents or passages by their ids, in the order asked; ids that nobody knows "
    "are listed as missing. Ask for the few that search_memories or timeline showed to matter. A passage's "
    "document_id gives the whole document.",
    (
        Parameter(
            "ids", "list", "ids from search_memories or timeline",
            ("id", "observation_ids", "observation_id", "memory_ids", "memory_id", "document_ids", "document_id"),
            required=True,
        ),
        Parameter("lines", "text", 'only these lines of the document: "12:40", "12:"', ("line", "range", "line_range")),
        _AS_OF,
        _budget(10000),
        _CURSOR,
    ),
    shapes.GET,
    finding.get_observations,
)  # fmt: skip

REMEMBER = Tool(
    "remember",
    "Remember",
    "Keep a text for later: a decision with its reasons, a fact, a preference, what was learned. It can be "
    "searched at once, from everywhere. Write it so that it makes sense without this conversation; search first "
    "whether it is known already.",
    (
        Parameter(
            "text", "text", "what to remember, complete in itself",
            ("content", "memory", "note", "body", "observation", "message", "value", "fact"), required=True,
        ),
        Parameter("title", "text", "a short title; else how the text begins", ("name", "heading", "subject")),
        _TAGS._replace(help="words to find it by later", also=("tag", "labels", "label", "topics", "keywords")),
        Parameter(
            "created_at", "date", "when it is from, if not from now", ("date", "timestamp", "when", "time", "created")
        ),
        Parameter(
            "importance", "text", "how much it counts; temporary ends after 7 days",
            ("importance_tier", "tier", "priority"),
            choices=("constitutional", "critical", "important", "normal", "temporary", "deprecated"),
        ),
        Parameter(
            "triggers", "list", "phrases that call it up with match_memories, 10 at most",
            ("trigger_phrases", "trigger", "phrases"), default=(),
        ),
        Parameter("project", "text", "the project or folder it belongs to", ("scope", "workspace", "folder")),
        Parameter(
            "supersedes", "list", "ids of memories that this one replaces", ("replaces", "supersede", "updates"),
            default=(),
        ),
        Parameter("session", "text", "the session it is from", ("session_id",), hidden=True),
        Parameter("source", "text", "where it is from", ("origin", "url"), hidden=True),
        Parameter("links", "list", "ids it hangs together with, or id:relation", ("related",), default=(), hidden=True),
        Parameter("id", "text", "an id of one's own choice", ("memory_id",), hidden=True),
        Parameter("type", "text", "its type", ("kind", "category", "memory_type"), hidden=True),
        Parameter("metadata", "object", "anything else worth keeping", ("meta", "extra"), hidden=True),
    ),
    shapes.REMEMBER,
    keeping.remember,
    reads_only=False,
    idempotent=False,
    creates=True,
)  # fmt: skip

LINK = Tool(
    "link_memories",
    "Link memories",
    "Say how two memories belong together, so that finding one leads to the other. Read it as a sentence: source "
    "caused target. The same source, target and relation again updates strength and evidence.",
    (
        Parameter(
            "source", "text", "the id that the sentence begins with",
            ("source_id", "from", "from_id", "src", "a", "subject"), required=True,
        ),
        Parameter(
            "target", "text", "the id that it is about",
            ("target_id", "to", "to_id", "dst", "b", "object", "destination"), required=True,
        ),
        Parameter(
            "relation", "text", "how they belong together",
            ("type", "relationship", "relation_type", "link_type", "kind", "predicate"),
            required=True, choices=("caused", "enabled", "supersedes", "contradicts", "derived_from", "supports"),
        ),
        Parameter(
            "strength", "real", "how sure it is", ("weight", "score", "confidence"), default=1.0, least=0, most=1
        ),
        Parameter("evidence", "text", "why it is so", ("reason", "why", "note", "description", "explanation")),
    ),
    shapes.LINK,
    keeping.link_memories,
    reads_only=False,
)  # fmt: skip

STATUS = Tool(
    "memory_status",
    "Memory status",
    "What the base holds: how many documents of which types, its tags, and what still waits to be indexed.",
    (),
    shapes.STATUS,
    keeping.memory_status,
)

MATCH = Tool(
    "match_memories",
    "Match memories",
    "Which memories ask to be recalled by what was just said: those whose trigger phrases occur in the text, most "
    "phrases first. Pass a user's message before answering it; get_observations gives the texts.",
    (
        Parameter(
            "text", "text", "what was said", ("prompt", "message", "query", "q", "input", "content"), required=True
        ),
        Parameter("limit", "whole", "how many", _LIMIT_NAMES, default=10, least=1, most=100),
    ),
    shapes.MATCH,
    remembering.match_memories,
)  # fmt: skip

CORRECT = Tool(
    "correct_memory",
    "Correct a memory",
    "Say what has become of a memory: superseded (it ranks behind the other), deprecated (it is not searched any "
    "more), refined or merged by another one. No text is changed or lost. kind undo takes a record back: give its "
    "id, r_…, as id.",
    (
        Parameter("id", "text", "the memory; with undo the record", ("memory_id", "source", "record"), required=True),
        Parameter(
            "kind", "text", "what became of it", ("action", "type", "correction", "status"), required=True,
            choices=("superseded", "deprecated", "refined", "merged", "undo"),
        ),
        Parameter("by", "text", "the id of the memory that came after it", ("by_id", "target", "into", "new_id")),
        Parameter("reason", "text", "why", ("evidence", "why", "note", "explanation")),
    ),
    shapes.RECORD,
    remembering.correct_memory,
    reads_only=False,
)  # fmt: skip

CONFLICTS = Tool(
    "memory_conflicts",
    "Memory conflicts",
    "Memories that contradict or repeat each other and that nobody has settled. correct_memory settles one.",
    (Parameter("limit", "whole", "how many", _LIMIT_NAMES, default=20, least=1, most=100),),
    shapes.RECORDS,
    remembering.memory_conflicts,
)

TOOLS: tuple[Tool, ...] = (SEARCH, TIMELINE, GET, REMEMBER, LINK, STATUS, MATCH, CORRECT, CONFLICTS)


def find_tool(name: str) -> Tool | None:
    return next((tool for tool in TOOLS if tool.name == name), None)

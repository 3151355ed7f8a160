"""Which ending is which language, and which of its syntax nodes define something.

One table, so that a language is added by adding rows. `holders` are definitions that have
definitions of their own inside; `wrappers` only stand around one (an export, a decorator).
"""

from __future__ import annotations

from scrubjay.types.base import NamedTuple


class Grammar(NamedTuple):
    """Where a grammar is, and its nodes by what they are; the word stands before the name in a trail."""

    module: str
    function: str
    definitions: dict[str, str]
    holders: frozenset[str]
    wrappers: frozenset[str] = frozenset()
    comments: frozenset[str] = frozenset({"comment", "line_comment", "block_comment"})


_ECMASCRIPT = {
    "function_declaration": "function",
    "generator_function_declaration": "function",
    "class_declaration": "class",
    "method_definition": "method",
    "lexical_declaration": "const",
}
_TYPESCRIPT = {
    **_ECMASCRIPT,
    "abstract_class_declaration": "class",
    "interface_declaration": "interface",
    "type_alias_declaration": "type",
    "enum_declaration": "enum",
    "internal_module": "namespace",
    "module": "module",
}
_C = {
    "function_definition": "function",
    "struct_specifier": "struct",
    "union_specifier": "union",
    "enum_specifier": "enum",
    "type_definition": "typedef",
    "preproc_function_def": "macro",
}
_JAVA = {
    "class_declaration": "class",
    "interface_declaration": "interface",
    "enum_declaration": "enum",
    "record_declaration": "record",
    "annotation_type_declaration": "annotation",
    "method_declaration": "method",
    "constructor_declaration": "constructor",
}
_EXPORTS = frozenset({"export_statement", "ambient_declaration"})
_CLASSES = frozenset({"class_declaration", "abstract_class_declaration", "internal_module", "module"})

GRAMMARS = {
    "python": Grammar(
        "tree_sitter_python",
        "language",
        {"function_definition": "def", "class_definition": "class"},
        frozenset({"class_definition"}),
        frozenset({"decorated_definition"}),
    ),
    "javascript": Grammar("tree_sitter_javascript", "language", _ECMASCRIPT, _CLASSES, _EXPORTS),
    "typescript": Grammar("tree_sitter_typescript", "language_typescript", _TYPESCRIPT, _CLASSES, _EXPORTS),
    "tsx": Grammar("tree_sitter_typescript", "language_tsx", _TYPESCRIPT, _CLASSES, _EXPORTS),
    "go": Grammar(
        "tree_sitter_go",
        "language",
        {"function_declaration": "func", "method_declaration": "func", "type_declaration": "type"},
        frozenset(),
    ),
    "rust": Grammar(
        "tree_sitter_rust",
        "language",
        {
            "function_item": "fn",
            "struct_item": "struct",
            "enum_item": "enum",
            "union_item": "union",
            "trait_item": "trait",
            "impl_item": "impl",
            "mod_item": "mod",
            "macro_definition": "macro",
            "type_item": "type",
        },
        frozenset({"trait_item", "impl_item", "mod_item"}),
        comments=frozenset({"line_comment", "block_comment", "attribute_item"}),
    ),
    "java": Grammar(
        "tree_sitter_java",
        "language",
        _JAVA,
        frozenset({"class_declaration", "interface_declaration", "enum_declaration", "record_declaration"}),
    ),
    "c": Grammar("tree_sitter_c", "language", _C, frozenset(), frozenset({"linkage_specification"})),
    "cpp": Grammar(
        "tree_sitter_cpp",
        "language",
        {**_C, "class_specifier": "class", "namespace_definition": "namespace", "concept_definition": "concept"},
        frozenset({"class_specifier", "struct_specifier", "namespace_definition"}),
        frozenset({"template_declaration", "linkage_specification"}),
    ),
    "csharp": Grammar(
        "tree_sitter_c_sharp",
        "language",
        {
            **_JAVA,
            "struct_declaration": "struct",
            "namespace_declaration": "namespace",
            "property_declaration": "property",
        },
        frozenset(
            {
                *("class_declaration", "interface_declaration", "struct_declaration"),
                *("record_declaration", "namespace_declaration"),
            }
        ),
    ),
    "ruby": Grammar(
        "tree_sitter_ruby",
        "language",
        {"method": "def", "singleton_method": "def", "class": "class", "module": "module"},
        frozenset({"class", "module"}),
    ),
    "php": Grammar(
        "tree_sitter_php",
        "language_php",
        {
            "function_definition": "function",
            "class_declaration": "class",
            "interface_declaration": "interface",
            "trait_declaration": "trait",
            "enum_declaration": "enum",
            "method_declaration": "function",
        },
        frozenset({"class_declaration", "interface_declaration", "trait_declaration", "enum_declaration"}),
    ),
    "bash": Grammar("tree_sitter_bash", "language", {"function_definition": "function"}, frozenset()),
}

LANGUAGES = {  # ending → language; those without a grammar are cut by their blank lines
    **dict.fromkeys(("py", "pyi", "pyw"), "python"),
    **dict.fromkeys(("js", "mjs", "cjs", "jsx"), "javascript"),
    **dict.fromkeys(("ts", "mts", "cts"), "typescript"),
    "tsx": "tsx",
    "go": "go",
    "rs": "rust",
    "java": "java",
    **dict.fromkeys(("c", "h"), "c"),
    **dict.fromkeys(("cc", "cpp", "cxx", "hh", "hpp", "hxx", "ino", "cu"), "cpp"),
    "cs": "csharp",
    **dict.fromkeys(("rb", "rake", "gemspec"), "ruby"),
    **dict.fromkeys(("php", "phtml"), "php"),
    **dict.fromkeys(("sh", "bash", "zsh", "ksh", "bats"), "bash"),
    **dict.fromkeys(("kt", "kts"), "kotlin"),
    "swift": "swift",
    **dict.fromkeys(("scala", "sc", "sbt"), "scala"),
    "lua": "lua",
    "sql": "sql",
    **dict.fromkeys(("pl", "pm"), "perl"),
    **dict.fromkeys(("r", "jl", "m", "mm", "f90", "f", "for", "pas", "d", "nim", "zig", "v", "sv", "vhd"), "other"),
    **dict.fromkeys(("css", "scss", "sass", "less", "vue", "svelte", "astro"), "web"),
    **dict.fromkeys(("xml", "xsd", "xsl", "xslt", "plist", "csproj", "pom"), "xml"),
    **dict.fromkeys(("ex", "exs", "erl", "hrl", "clj", "cljs", "edn", "hs", "ml", "mli", "fs", "fsx"), "functional"),
    **dict.fromkeys(("dart", "groovy", "gradle", "el", "lisp", "scm", "rkt", "tcl", "vb", "ps1", "psm1"), "other"),
    **dict.fromkeys(("awk", "cocci", "asm", "s", "y", "l", "lex", "proto", "thrift", "graphql", "gql"), "other"),
    **dict.fromkeys(("tf", "hcl", "nix", "cmake", "mk", "mak", "dockerfile", "bat", "cmd", "fish", "vim"), "other"),
}

NAMES = {  # whole file names without an ending that says what they are
    **dict.fromkeys(("makefile", "gnumakefile", "dockerfile", "containerfile", "justfile", "procfile"), "other"),
    **dict.fromkeys(("cmakelists.txt", "jenkinsfile", "vagrantfile", "brewfile"), "other"),
    **dict.fromkeys(("gemfile", "rakefile"), "ruby"),
    **dict.fromkeys(("sconstruct", "sconscript", "wscript"), "python"),
}

INTERPRETERS = {  # the first line of a script → language
    "python": "python",
    "bash": "bash",
    "sh": "bash",
    "zsh": "bash",
    "ksh": "bash",
    "dash": "bash",
    "node": "javascript",
    "deno": "typescript",
    "ruby": "ruby",
    "php": "php",
    "perl": "perl",
    "lua": "lua",
    "awk": "other",
    "Rscript": "other",
    "tclsh": "other",
}

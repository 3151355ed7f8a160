"""Prints docs/cli.md and docs/config.md from the tables of verbs and settings, so that they cannot disagree.

Run by `make docs` as `python -m scrubjay.cli.reference cli` and `… config`; tests compare the
pages with the tables.
"""

from __future__ import annotations

import sys

from scrubjay.cli import help, verbs
from scrubjay.config.settings import PROFILES, SETTINGS, Setting

_INTRODUCTION = """# The command line

<!-- Made by `make docs`; change src/scrubjay/cli/verbs/ instead. -->

`kb` and `scrubjay` are the same program. Results go to the standard output, everything else
(notices, hints, progress bars) to the standard error. The exit code is 0 also when nothing is
found, 1 on failure, 2 on wrong use and 130 after Ctrl-C. `--base` and `--json` may stand before
or after the verb, words and options in any order, and `--` ends the options.
"""

_SETTINGS = """# Settings

<!-- Made by `make docs`; change src/scrubjay/config/settings.py instead. -->

A setting is looked for in this order, and the first place that has it decides:

1. an argument: an option of the command line, or `scrubjay.open(config={"search.default_top": 5})`;
2. the environment, under the name in the table;
3. the project's file, `.kb/config.toml` beside the project's base;
4. your own file, `config.toml` in the config folder (`kb config list` shows where that is);
5. the profile, then the default.

```sh
kb config list                         # every setting, its value and where that comes from
kb config set search.default_top 5     # into your own file
kb config set search.profile full --project
```

In a file the part before the dot is a table; a profile's own values stand under `profiles`:

```toml
[search]
default_top = 5

[profiles.full.fusion]
graph_weight = 1.2
```

A bad value in a file or in the environment never stops the program: the default is used and a
notice says so. Settings marked **yours only** decide what runs on this machine or where text is
sent: a project's file may not set them, because a cloned repository is not trusted.
"""


def settings_page() -> str:
    """The whole of docs/config.md."""
    sections: dict[str, list[Setting]] = {}
    for setting in SETTINGS:
        sections.setdefault(setting.name.partition(".")[0], []).append(setting)
    parts = [_SETTINGS]
    for name, rows in sections.items():
        table = ["| setting | default | environment | what it is |", "| --- | --- | --- | --- |", *map(_row, rows)]
        parts.append(f"## {name}\n\n" + "\n".join(table) + "\n")
    profiles = "\n".join(
        f"- **{name}**: " + (", ".join(f"`{key} = {_shown(value)}`" for key, value in own.items()) or "the defaults")
        for name, own in PROFILES.items()
    )
    parts.append(f"## Profiles\n\nA profile is a named set of settings, nothing more:\n\n{profiles}\n")
    return "\n".join(parts)


def _row(setting: Setting) -> str:
    text = setting.help + (f" ({', '.join(setting.choices)})" if setting.choices else "")
    mine = " **Yours only.**" if setting.guarded else ""
    told = text.replace("|", "\\|") + mine
    return f"| `{setting.name}` | {_default(setting)} | `{setting.environment_name}` | {told} |"


def _default(setting: Setting) -> str:
    return f"`{_shown(setting.default)}`" if setting.default != "" else ""


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)


def document() -> str:
    """The whole of docs/cli.md."""
    parts = [_INTRODUCTION, f"```text\n$ kb\n{help.text(None)}```\n"]
    for verb in verbs.VERBS:
        parts.append(f"## kb {verb.name}\n\n```text\n$ kb {verb.name} --help\n{help.text(verb)}```\n")
    return "\n".join(parts)


if __name__ == "__main__":
    sys.stdout.write(settings_page() if sys.argv[1:] == ["config"] else document())

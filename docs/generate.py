"""Write the generated pages of docs/ from the code, or check that they are fresh.

python docs/generate.py            write cli, parts, profiles, gateway-fields, certificate.schema
python docs/generate.py --check    fail if one of them is stale
python docs/generate.py --picture  draw images/demo.svg anew (a fresh release, so it differs)
"""

from __future__ import annotations

import argparse
import inspect
import io
import json
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import typer

DOCS = Path(__file__).parent
NOTICE = "<!-- Written by docs/generate.py from the code: change it there. -->\n"
NOT_RUN = (
    "assets pull",
    "assets pack",
    "assets verify",
    "audit",
    "bench",
    "calibrate",
    "demo",
    "evals make-fantasy",
    "evals report",
    "evals run",
    "explain",
    "frontier",
    "policy check",
    "policy diff",
    "serve",
    "serve key revoke",
    "session rotate",
)
"""Examples that are not run with the docs: slow, in need of a network, or about keys that only
their owner has; tests run them."""
PICTURE_WIDTH = 118
MEASURED = DOCS.parent / "benchmarks" / "results" / "profiles.json"
PROFILES = """\
A profile names what must be covered, *at least*: it adds kinds that detectors look for, and takes
none away. `profiles = ["hipaa"]` in a policy, `--profile hipaa` on the command line, several
together. A policy whose detector cannot look for one of the kinds is refused when it is built, as
are thresholds and votes that could leave one out. What a profile asks for is data,
`src/privstamp/policy/profiles.toml`. It says what is looked for, not that all of it is found, and
nothing about any law.

*measured at*: marks of these kinds in the {samples} shipped samples of which no letter or digit
leaves (`python benchmarks/profiles.py`); –: the samples have none.
"""


FIELDS = """\
Every field of every request, reply and event type of the pinned `openai` and `anthropic` SDKs has
one row in `src/privstamp/gateway/fields/*.toml`: its treatment, and what it may hold. A request
with a field that is not there, or with a value that its row does not have, is refused by its path.
After an upgrade of an SDK, `python tests/gateway/skeleton.py` adds the new rows with `?`, and a
test fails until each has a treatment.

What the upstream sees all the same: model, numbers and flags, names of tools and of the fields of
their schemas, ids of calls, how many messages there are and how long they are.

## What leaves

| treatment | what happens |
|---|---|
| `privatise` | text: released by the session |
| `arguments` | JSON: opened, also in strings, 8 deep; each value released; keys and fixed values \
of the tool's own schema stay |
| `schema` | a JSON schema: words, examples and defaults released; names by pattern; enums, consts \
and patterns `check` |
| `check` | leaves as it is if it names nobody, or is declared public; else refused |
| `sealed` | signed or encrypted by the upstream: the whole object is given back as it was \
received; one that the session does not know is refused |
| `participant` | the name of who writes: a number instead |
| `id` | replaced by a keyed id; keys of metadata by pattern |
| `pass` | leaves as it is: values that the protocol names, numbers, flags, or a string of the \
pattern named; a tool's name that the request does not define is a `check` |
| `allow` | refused unless the policy allows the kind named, then as it is |
| `logprobs` | refused together with restored text |
| `refuse`, `refuse true` | refused, unless empty or false |
| `inside` | an object or a list, whose fields have rows of their own |

`store: false` is sent where chat and responses do not say it. Assistant texts and calls that the
session knows leave as they were received, byte for byte.

## What returns

| treatment | what happens |
|---|---|
| `restore` | text: values put back by the rules for hostile replies |
| `arguments` | values put back only for tools that `restore_arguments` names |
| `offset` | moved with the text; a citation that points into a surrogate is dropped and counted |
| `sealed`, `keep`, `pass` | as received |
| `echo` | the client's own field again |
| `drop` | left out: padding, and token probabilities beside restored text |
| `inside` | see its own fields |

A field of a reply that is not in the table passes if it holds no text, else it is dropped and
counted; an object or event of no known type that holds text ends the reply with an error. Text of
a structured output, and arguments that are restored, come at the end of their block.

| header of a reply | what it counts |
|---|---|
| `x-privstamp-withheld` | surrogates that stayed, by reason; `inflected`: words that look like \
one with an ending |
| `x-privstamp-tools-with-surrogates` | tools that were called with surrogates |
| `x-privstamp-dropped` | citations and fields that were left out |

In a stream comments before its last event have the same.
"""
PROTOCOLS = {
    "chat": "chat/completions",
    "responses": "responses",
    "messages": "messages and messages/count_tokens",
    "completions": "completions",
    "embeddings": "embeddings",
}


def commands() -> Iterator[tuple[str, Any]]:
    """Every command with its path, in the order of the help."""
    from privstamp.cli.app import app

    def walk(group: Any, path: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
        for name, command in group.commands.items():
            within = hasattr(command, "commands")
            if not within or command.invoke_without_command:
                yield " ".join((*path, name)), command
            if within:
                yield from walk(command, (*path, name))

    return walk(typer.main.get_command(app), ())


def cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def table(header: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [header, tuple("---" for _ in header), *rows]
    return "".join("| " + " | ".join(map(cell, line)) + " |\n" for line in lines)


def parameter(one: Any) -> tuple[str, str]:
    if one.param_type_name == "argument":
        return f"`{one.metavar or one.name.upper()}`", one.help or ""
    flag = getattr(one, "is_flag", False)
    names = ", ".join(one.opts) + ("" if flag else f" {one.metavar}")
    default = "" if flag or one.default in (None, ()) else f" Default: {one.default}."
    needed = " Required." if one.required else ""
    return f"`{names}`", (one.help or "") + default + needed


def cli_page() -> str:
    blocks = [
        "# Command line\n\n" + NOTICE,
        "Standard output carries the result alone; notes, warnings and progress go to standard "
        "error. `-h` after any command shows this page's part about it.\n",
        table(
            ("exit code", "means"),
            [
                ("0", "done"),
                ("1", "failed: a stage, a model file or the surrogate map; nothing was released"),
                ("2", "cannot be: a wrong option, policy or input"),
                ("3", "an audit that was not finished: what is missing is named"),
                ("130, 129, 143", "interrupted, or ended by a signal; nothing was released"),
            ],
        ),
        "`PRIVSTAMP_CACHE` moves the cache folder. `PRIVSTAMP_DEBUG=1` shows where an unexpected "
        "failure happened. `NO_COLOR` turns colours off.\n",
    ]
    for path, command in commands():
        blocks.append(f"## privstamp {path}\n")
        text = inspect.cleandoc(command.help or "")
        blocks.append("\n\n".join(" ".join(part.split()) for part in text.split("\n\n")) + "\n")
        rows = [parameter(one) for one in command.params if one.name != "help"]
        if rows:
            blocks.append(table(("argument or option", "meaning"), rows))
        examples = inspect.cleandoc(command.epilog.partition("Examples:")[2])
        language = "text" if path in NOT_RUN else "sh"
        blocks.append(f"```{language}\n{examples}\n```\n")
    return "\n".join(blocks)


def parts_page() -> str:
    from privstamp.cli.list_parts import about
    from privstamp.registry import TABLES

    blocks = [
        "# Parts\n\n" + NOTICE,
        "What a policy can name. Installed plug-ins appear in `privstamp list`.\n",
    ]
    for kind, names in TABLES.items():
        rows = [
            (f"`{entry.name}`", about(names, entry.name), f"`{entry.target}`")
            for entry in names.entries()
            if entry.provider == "privstamp"
        ]
        blocks += [f"## {kind}\n", table(("name", "what it is", "where"), rows)]
    return "\n".join(blocks)


def schema() -> str:
    from privstamp.release.certificate import Certificate

    return json.dumps(Certificate.json_schema(), indent=2) + "\n"


def profiles_page() -> str:
    """What each profile names, what covers it, how much of it was found, and what stays."""
    from privstamp.policy.presets import profiles

    known = json.loads(MEASURED.read_text(encoding="utf-8"))
    lines = ["# Profiles\n", NOTICE, PROFILES.format(samples=known["samples"])]
    for name, profile in profiles().items():
        figures = {row["what"]: row for row in known["profiles"].get(name, [])}
        lines.append(f"## {name}\n{profile.about[0].upper()}{profile.about[1:]}.\n")
        lines.append("| what | covered by | measured at | not covered |\n|---|---|---|---|")
        for row in profile.rows:
            kinds = ", ".join(f"`{kind}`" for kind in row.kinds) or "–"
            figure = figures.get(row.what, {"marks": 0, "covered": 0})
            told = f"{figure['covered']} of {figure['marks']}" if figure["marks"] else "–"
            lines.append(f"| {cell(row.what)} | {kinds} | {told} | {cell(row.not_covered)} |")
        lines.append("")
    return "\n".join(lines)


def fields_page() -> str:
    """Fields of requests by their treatment. A name with several is told with its types."""
    from privstamp.gateway.table import table as fields_of

    blocks = ["# Fields of the gateway\n\n" + NOTICE, FIELDS]
    for name, title in PROTOCOLS.items():
        kinds = fields_of(name, "request").by_name
        treatments: dict[str, set[str]] = {}
        for fields in kinds.values():
            for key, row in fields.items():
                treatments.setdefault(key, set()).add(row.treatment)
        told: dict[str, set[str]] = {}
        for kind, fields in kinds.items():
            for key, row in fields.items():
                shown = key if len(treatments[key]) == 1 else f"{kind}.{key}"
                told.setdefault(row.treatment, set()).add(f"`{shown}`")
        count = sum(map(len, kinds.values()))
        blocks.append(f"## Requests: {title} ({count} rows)\n")
        rows = [
            (f"`{treatment}`", ", ".join(sorted(shown)))
            for treatment, shown in sorted(told.items())
            if treatment not in ("inside", "pass")
        ]
        blocks.append(table(("treatment", "fields"), rows))
    return "\n".join(blocks)


def pages() -> dict[Path, str]:
    return {
        DOCS / "reference" / "gateway-fields.md": fields_page(),
        DOCS / "reference" / "profiles.md": profiles_page(),
        DOCS / "reference" / "cli.md": cli_page(),
        DOCS / "reference" / "parts.md": parts_page(),
        DOCS / "reference" / "certificate.schema.json": schema(),
    }


def stale() -> list[Path]:
    """Pages that are missing or differ from what would be written now."""
    return [
        path
        for path, content in pages().items()
        if not path.exists() or path.read_text(encoding="utf-8") != content
    ]


def picture() -> None:
    from rich.console import Console

    from privstamp.cli.demo import LEVELS, levels_of, show_levels

    console = Console(
        record=True,
        width=PICTURE_WIDTH,
        file=io.StringIO(),
        force_terminal=True,
        color_system="truecolor",
        markup=False,
        emoji=False,
        highlight=False,
    )
    show_levels(levels_of(LEVELS), console)
    path = DOCS / "images" / "demo.svg"
    path.parent.mkdir(exist_ok=True)
    drawn = console.export_svg(title="privstamp demo")
    drawn = re.sub(r"@font-face \{.*?\}", "", drawn, flags=re.DOTALL)  # fetches nothing
    path.write_text(drawn.replace("Fira Code", "Menlo, Consolas"), encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--check", action="store_true", help="fail if a page is stale")
    parser.add_argument("--picture", action="store_true", help="draw images/demo.svg anew")
    wanted = parser.parse_args()
    if wanted.check:
        for path in stale():
            sys.stderr.write(f"{path.name} is stale. Try: make docs\n")
        return 1 if stale() else 0
    if wanted.picture:
        picture()
        return 0
    for path, content in pages().items():
        path.write_text(content, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Writes the table of fields anew from the pinned SDKs' types: `python tests/gateway/skeleton.py`.

Treatments that are there are kept; a field without one gets "?", which no test lets pass.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from sdk import Walk, roots

FIELDS = Path(__file__).parents[2] / "src/privstamp/gateway/fields"
HEAD = "# Every field of this protocol's types, what it may hold, and its treatment.\n"
TABLES = {
    "chat": ["chat"],
    "responses": ["responses"],
    "completions": ["completions"],
    "embeddings": ["embeddings"],
    "messages": ["messages", "count_tokens"],
    "models": ["models", "models_anthropic"],
}
DIRECTIONS = {"request": ["request"], "reply": ["reply", "event"]}


def walked(name: str, direction: str) -> tuple[list[str], Walk]:
    """The names of the outermost types of a table, and all."""
    walk, outermost = Walk(), []
    for endpoint in TABLES[name]:
        for part in DIRECTIONS[direction]:
            for annotation in roots(endpoint)[part]:
                outermost += walk.shape(annotation).split(" | ")
    return list(dict.fromkeys(outermost)), walk


def written(name: str, treatments: dict[str, dict[str, dict[str, str]]]) -> str:
    lines = [HEAD]
    for direction in DIRECTIONS:
        outermost, walk = walked(name, direction)
        lines += [f"[{direction}]", f"roots = {outermost!r}", ""]
        for kind, fields in walk.shapes.items():
            lines.append(f"[{direction}.{kind}]")
            for key, shape in fields.items():
                treatment = treatments.get(direction, {}).get(kind, {}).get(key, "?")
                needed = ", 'needed'" if key in walk.required[kind] else ""
                lines.append(f"{key} = ['{treatment}', '{shape}'{needed}]")
            lines.append("")
    return "\n".join(lines)


def committed(name: str) -> dict[str, dict[str, dict[str, str]]]:
    """The treatments of a table as it is."""
    path = FIELDS / f"{name}.toml"
    if not path.exists():
        return {}
    return {
        direction: {
            kind: {key: row[0] for key, row in fields.items()}
            for kind, fields in kinds.items()
            if kind != "roots"
        }
        for direction, kinds in tomllib.loads(path.read_text()).items()
    }


if __name__ == "__main__":
    for table in TABLES:
        content = written(table, committed(table))
        (FIELDS / f"{table}.toml").write_text(content)
        print(table, content.count("\n"), "lines,", content.count("['?'"), "without a treatment")

"""Proofs lie beside the code and name what they cover; a hash of it tells when to reread them.

A line of a proof is `    FILE: NAME, NAME HASH`. The hash is of the syntax tree of these names and
of all that they refer to in their file. Docstrings, comments, layout and the file itself don't
count: a move changes no hash. `make proofs` writes hashes anew, and says which proofs to reread.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

import privstamp.mechanisms

FOLDER: Final = Path(privstamp.mechanisms.__file__).parent
LENGTH: Final = 16
COVERS: Final = re.compile(
    r"^    (?P<file>[\w./]+\.py): (?P<names>[\w, ]+) (?P<hash>[0-9a-f]{16})$", re.M
)
_NEWER: Final = frozenset({"type_params", "type_comment", "kind"})  # not in every Python's trees


class Covered(NamedTuple):
    """One line of a proof."""

    file: str
    names: tuple[str, ...]
    hash: str

    def __str__(self) -> str:
        return f"    {self.file}: {', '.join(self.names)} {self.hash}"


def proofs(folder: Path = FOLDER) -> list[Path]:
    return sorted(folder.glob("*.md"))


def covered(text: str) -> list[Covered]:
    """What a proof says that it covers."""
    return [
        Covered(match["file"], tuple(match["names"].split(", ")), match["hash"])
        for match in COVERS.finditer(text)
    ]


def hash_of(source: str, names: tuple[str, ...]) -> str | None:
    """Of what these names are in a module; nothing where one of them is missing."""
    known = definitions(source)
    pending, reached = list(names), set()
    while pending:
        name = pending.pop()
        if name not in known:
            return None
        reached.add(name)
        used = {
            node.id for tree in known[name] for node in ast.walk(tree) if isinstance(node, ast.Name)
        }
        pending += sorted((used & known.keys()) - reached)
    trees = [[name, [plain(tree) for tree in known[name]]] for name in sorted(reached)]
    return sha256(repr(trees).encode()).hexdigest()[:LENGTH]


def definitions(source: str) -> dict[str, list[ast.stmt]]:
    """What each name is bound to at the top of a module, imports left out."""
    found: dict[str, list[ast.stmt]] = {}
    for statement in ast.parse(source).body:
        for name in _bound(statement):
            found.setdefault(name, []).append(statement)
    return found


def _bound(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
        yield statement.name
    elif isinstance(statement, ast.Assign | ast.AnnAssign):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        for target in targets:
            yield from (node.id for node in ast.walk(target) if isinstance(node, ast.Name))


def plain(node: object) -> object:
    """A tree without places and docstrings, alike in every version of Python."""
    if isinstance(node, list):
        return [plain(item) for item in node if not _is_docstring(item)]
    if not isinstance(node, ast.AST):
        return repr(node)
    fields = ((name, value) for name, value in ast.iter_fields(node) if name not in _NEWER)
    return [type(node).__name__, [[name, plain(value)] for name, value in fields]]


def _is_docstring(item: object) -> bool:
    """A string that stands by itself does nothing, wherever it does."""
    return (
        isinstance(item, ast.Expr)
        and isinstance(item.value, ast.Constant)
        and isinstance(item.value.value, str)
    )


def renewed(line: Covered, folder: Path = FOLDER) -> tuple[Covered, str | None]:
    """The line as it should be, and what to tell of it."""
    here = folder / line.file
    current = hash_of(here.read_text("utf-8"), line.names) if here.exists() else None
    if current == line.hash:
        return line, None
    if current is not None:
        return line._replace(hash=current), f"REREAD: {', '.join(line.names)} in {line.file}"
    for path in sorted(folder.parent.rglob("*.py")):
        if hash_of(path.read_text("utf-8"), line.names) == line.hash:
            file = _relative(path, folder)
            return line._replace(file=file), f"moved, nothing to reread: {line.file} is {file}"
    return line, f"GONE: {', '.join(line.names)} of {line.file} are in no file as they were"


def _relative(path: Path, folder: Path) -> str:
    if path.is_relative_to(folder):
        return path.relative_to(folder).as_posix()
    return "../" + path.relative_to(folder.parent).as_posix()


def restamp() -> None:
    """Write every hash anew, and say which proofs to reread before that is true."""
    for proof in proofs():
        text = proof.read_text("utf-8")
        for line in covered(text):
            new, remark = renewed(line)
            text = text.replace(str(line), str(new))
            if remark:
                print(f"{proof.name}: {remark}")
        proof.write_text(text, "utf-8")


if __name__ == "__main__":
    restamp()

"""Given and family names of many origins: `faker`'s lists, read as text and never run."""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from privstamp.assets.store import locate

_LIST: Final = re.compile(r"(?:first_|middle_|(?:\w+_)?last_)\w*name\w*")


@dataclass(frozen=True, repr=False)
class Origin:
    """The names of one language, or of one country that uses it."""

    given: frozenset[str]
    family: frozenset[str]
    he: frozenset[str] = frozenset()  # given names of men, as far as a list tells
    she: frozenset[str] = frozenset()

    def __repr__(self) -> str:
        return f"Origin({len(self.given)} given, {len(self.family)} family names)"


def read_origins() -> Mapping[str, Origin]:
    """Locale to its names as they are written there; some locales also have Latin spellings."""
    origins = {}
    for file in sorted(locate("origins", "lists").glob("*/__init__.py")):
        lists: dict[str, set[str]] = {"given": set(), "family": set(), "he": set(), "she": set()}
        for name, strings in _lists(file.read_text(encoding="utf-8")):
            kind = "family" if "last_" in name else "given"
            lists[kind].update(strings)
            if kind == "given" and name.endswith("male"):
                lists["she" if name.endswith("female") else "he"].update(strings)
        if any(lists.values()):
            origins[file.parent.name] = Origin(**{name: frozenset(lists[name]) for name in lists})
    return origins


def _lists(source: str) -> Iterator[tuple[str, set[str]]]:
    """Every assignment to something like `first_names_male`, and the strings in it."""
    bodies: list[list[ast.stmt]] = [ast.parse(source).body]
    for body in bodies:
        for node in body:
            if isinstance(node, ast.ClassDef):
                bodies.append(node.body)
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                yield from _list(node.targets[0].id, node.value)
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                yield from _list(node.target.id, node.value)


def _list(name: str, value: ast.expr | None) -> Iterator[tuple[str, set[str]]]:
    if _LIST.fullmatch(name) and value:
        yield name, set(_strings(value))


def _strings(value: ast.expr) -> Iterator[str]:
    nodes: list[ast.AST] = [value]
    for node in nodes:
        if isinstance(node, ast.Constant):
            if isinstance(node.value, str):
                yield node.value
        elif isinstance(node, ast.Tuple | ast.List):
            nodes += node.elts  # what most of them are, ten thousand strings long
        else:
            nodes += ast.iter_child_nodes(node)


def folded(names: Iterable[str]) -> set[str]:
    """The words of names as they are looked up: in lower case, with their accents and without."""
    text = " ".join(names)
    if text.isascii():
        return set(text.lower().split())
    words = set(text.split())
    plain = unicodedata.normalize("NFKC", "\n".join(words)).casefold()  # a break never composes
    apart = unicodedata.normalize("NFD", plain)
    accents = dict.fromkeys(ord(sign) for sign in set(apart) if unicodedata.combining(sign))
    bare = unicodedata.normalize("NFC", apart.translate(accents))
    return {*plain.split("\n"), *bare.split("\n")}

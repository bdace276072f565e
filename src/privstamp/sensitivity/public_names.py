"""Given and family names of many origins: `faker`'s lists, read as text and never run."""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Iterator, Mapping
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
    found = {}
    for file in sorted(locate("origins", "lists").glob("*/__init__.py")):
        lists: dict[str, set[str]] = {"given": set(), "family": set(), "he": set(), "she": set()}
        for name, strings in _lists(file.read_text(encoding="utf-8")):
            kind = "family" if "last_" in name else "given"
            lists[kind].update(strings)
            if kind == "given" and name.endswith("male"):
                lists["she" if name.endswith("female") else "he"].update(strings)
        if any(lists.values()):
            found[file.parent.name] = Origin(**{name: frozenset(lists[name]) for name in lists})
    return found


def _lists(source: str) -> Iterator[tuple[str, set[str]]]:
    """Every assignment to something like `first_names_male`, and the strings in it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            name = node.target.id
        else:
            continue
        if _LIST.fullmatch(name) and node.value:
            yield name, set(_strings(node.value))


def _strings(node: ast.expr) -> Iterator[str]:
    for one in ast.walk(node):
        if isinstance(one, ast.Constant) and isinstance(one.value, str):
            yield one.value


def folded(name: str) -> set[str]:
    """A name as it is looked up: in lower case, with its accents and without them."""
    plain = unicodedata.normalize("NFKC", name).casefold()
    bare = "".join(
        letter
        for letter in unicodedata.normalize("NFD", plain)
        if not unicodedata.combining(letter)
    )
    return {plain, unicodedata.normalize("NFC", bare)}

"""What a variable is called: a word for what it holds, no pronoun that stands for it."""

import ast
from collections import Counter
from pathlib import Path

import privstamp

ROOT = Path(privstamp.__file__).parent
PRONOUNS = frozenset({"one", "found", "mine", "made", "own", "whole", "other", "each"})
SHARE = 0.01
"""Of all bindings that may be called so."""


def bindings(source):
    """Every name that is bound: by assignment, loop, comprehension or parameter."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg


def test_pronouns_are_rare():
    counts, pronouns = Counter(), Counter()
    for path in ROOT.rglob("*.py"):
        room = path.relative_to(ROOT).parts[0]
        for name in bindings(path.read_text()):
            counts[room] += 1
            pronouns[room] += name in PRONOUNS
    worst = {room: f"{number / counts[room]:.3f}" for room, number in pronouns.most_common(5)}
    assert pronouns.total() <= SHARE * counts.total(), worst


def test_all_ways_to_bind_are_counted():
    source = "def f(one, *made):\n    for own in made:\n        each = [mine for mine in own]\n"
    assert sorted(bindings(source)) == ["each", "made", "mine", "one", "own"]
    assert list(bindings("print(found)")) == []


SHARED = 0
"""Public class names that two rooms use."""


def test_class_names_of_two_rooms_become_fewer():
    rooms = {}
    for path in ROOT.rglob("*.py"):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                room = path.relative_to(ROOT).parts[0]
                rooms.setdefault(node.name, set()).add(room)
    shared = sorted(name for name, where in rooms.items() if len(where) > 1)
    assert len(shared) <= SHARED, shared

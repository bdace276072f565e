"""One text on its way: how many modules it visits, and how often it changes room."""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path

import privstamp
from privstamp import Privatizer

ROOT = Path(privstamp.__file__).parent
TEXT = "Miriam Castellano, 67, met Henrik Lindqvist in Leeds on 3 May; write to mara@example.com."
FACTS = {"types", "errors", "budget", "noise", "text", "assets", "crew", "protocols", "registry"}
"""Rooms that every other one looks things up in: no stations of a text."""
MODULES, CHANGES = 42, 45
"""Ceilings of today. Wanted are 40 modules and 45 changes of room; they may only fall."""


def way(privatizer: Privatizer) -> list[str]:
    """Modules in the order in which calls reach them; one that is met again counts again."""
    visited: list[str] = []
    known: dict[str, str | None] = {}

    def module(filename: str) -> str | None:
        if filename not in known:
            path = Path(filename)
            inside = path.is_relative_to(ROOT)
            known[filename] = path.relative_to(ROOT).as_posix() if inside else None
        return known[filename]

    def called(frame, event, _):
        name = module(frame.f_code.co_filename)
        if event == "call" and name is not None and (not visited or visited[-1] != name):
            visited.append(name)

    sys.setprofile(called)
    try:
        privatizer.privatize(TEXT)
    finally:
        sys.setprofile(None)
    return visited


def room(module: str) -> str:
    return module.split("/")[0].removesuffix(".py")


def test_one_text_visits_few_modules_and_rarely_changes_room():
    privatizer = Privatizer(seed=1)
    privatizer.privatize(TEXT)  # what is made once is made
    visited = [module for module in way(privatizer) if room(module) not in FACTS]
    modules = set(visited)
    changes = sum(room(one) != room(two) for one, two in pairwise(visited))
    print(f"\n{len(modules)} modules, {changes} changes of room")
    assert len(modules) <= MODULES
    assert changes <= CHANGES

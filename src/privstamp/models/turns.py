"""What models that answer have in common: a prompt in its template, and how a reply is drawn."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Final

import numpy as np

from privstamp.models.causal import Logits
from privstamp.noise import Lane, Noise
from privstamp.types import Prompt

POSITIONS: Final = 4096
SLOT: Final = "privstamp-slot-{}"
"""What stands in a template where the message of a role goes."""
_SLOTS: Final = re.compile(SLOT.format("([a-z]+)"))
PARAGRAPH: Final = "\n\n"


def has_slots(form: str, roles: Collection[str]) -> bool:
    """Whether a template has taken up the messages of all roles."""
    return set(_SLOTS.findall(form)) == set(roles)


def sections(
    prompt: Prompt,
    form: str,
    *,
    marked: Callable[[str, bool], list[int]],
    text: Callable[[str], list[int]],
) -> list[list[int]]:
    """Pieces of a prompt in a template with slots; the last paragraph begins a section.

    `marked` cuts what the template says, where markers are markers (and is told whether it comes
    first); `text` cuts what stands between, where they are text.
    """
    contents = {message["role"]: message["content"] for message in prompt.messages()}
    found: list[list[int]] = [[]]
    for at, part in enumerate(_SLOTS.split(form)):
        if at % 2 == 0:
            found[-1] += marked(part, at == 0)
            continue
        before, gap, last = contents[part].rpartition(PARAGRAPH)
        found[-1] += text(before + gap)
        if part == "user" and gap:
            found.append([])
        found[-1] += text(last)
    return found


def draws(key: bytes, count: int) -> list[float]:
    """A uniform number for each piece of a reply: a function of key and place."""
    drawn: list[float] = (
        Noise.of_document(key, np.arange(count)).uniform(1, Lane.CHOICE)[:, 0].tolist()
    )
    return drawn


def pick(scores: Logits, temperature: float, draw: float) -> int:
    """The best piece at temperature 0, else the one that a uniform number falls on."""
    if temperature == 0:
        return int(scores.argmax())
    wide = scores.astype(np.float64)
    weights = np.exp((wide - wide.max()) / temperature).cumsum()
    return int(np.searchsorted(weights, draw * weights[-1]))

"""Mask and fill: a model writes into the gaps, from what stands left of each. No guarantee at all.

It never sees what was taken out: the left context is the text as it is filled so far. One thing
gets one filling, wherever it is mentioned again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from privstamp.lab.evals.masking import MARK, filled
from privstamp.protocols import Answerer
from privstamp.types import Prompt

SYSTEM: Final = "You continue texts. You reply with one to three words and nothing else."
REQUEST: Final = "Which words come next in this text? Reply with them alone.\n\n{left}"
LEFT: Final = 300
"""Characters of left context."""
TOKENS: Final = 8
TEMPERATURE: Final = 0.2
WORDS: Final = 3
_WORD: Final = re.compile(r"[^\W_]+(?:[-'\u2019.][^\W_]+)*")


@dataclass(repr=False)
class Gapped:
    """PRIVATE. A text with gaps: what is around them, and which thing each of them is."""

    around: list[str]
    things: list[str]
    fills: dict[str, str] = field(default_factory=dict)

    def next_gap(self) -> tuple[str, str] | None:
        """The first gap whose thing has no filling yet: the thing, and what stands left of it."""
        for place, thing in enumerate(self.things):
            if thing not in self.fills:
                known = [self.fills[one] for one in self.things[:place]]
                return thing, filled(self.around[: place + 1], known)
        return None

    def text(self) -> str:
        return filled(self.around, [self.fills[one] for one in self.things])


def fill(jobs: Sequence[Gapped], model: Answerer) -> None:
    """Fill all gaps: the first of every text, then the second, so that a model gets many."""
    while True:
        asked = [(job, gap) for job in jobs if (gap := job.next_gap()) is not None]
        if not asked:
            return
        prompts = [
            Prompt(REQUEST.format(left=left[-LEFT:].rstrip()), SYSTEM) for _, (_, left) in asked
        ]
        replies = model.complete(prompts, temperature=TEMPERATURE, max_tokens=TOKENS)
        for (job, (thing, _)), reply in zip(asked, replies, strict=True):
            job.fills[thing] = words(reply.text)


def words(reply: str) -> str:
    """The first words of a reply; a bare mark where it has none."""
    return " ".join(_WORD.findall(reply)[:WORDS]) or MARK

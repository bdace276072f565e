"""What leaves this machine in a run besides the questions of its readers, counted beforehand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from privstamp.lab.evals import filling
from privstamp.lab.evals.contracts import Cell, Condition, Example
from privstamp.lab.evals.runner import Limits, bundled
from privstamp.models.reaching import checked
from privstamp.repair.model import most_tokens
from privstamp.repair.windows import windows
from privstamp.repair.wording import SYSTEM


@dataclass(frozen=True)
class Sent:
    """Prompts, their letters, and the tokens that may come back."""

    prompts: int = 0
    letters: int = 0
    tokens_out: int = 0

    def __add__(self, other: Sent) -> Sent:
        return Sent(
            self.prompts + other.prompts,
            self.letters + other.letters,
            self.tokens_out + other.tokens_out,
        )


def hosts(cells: Sequence[Cell]) -> tuple[list[str], list[str]]:
    """Who gets released texts to repair, and who gets texts with gaps to fill.

    A URL that cannot be one is refused.
    """
    conditions = [cell.condition for cell in cells]
    return _hosts([*map(_repairer, conditions)]), _hosts([*map(_filler, conditions)])


def sent(cells: Sequence[Cell], examples: dict[str, Sequence[Example]], limits: Limits) -> Sent:
    """What models elsewhere that repair or fill are sent at least.

    Each window once, though one that is refused is asked for again; one gap of each text, since how
    many there are is not known before. Releases are taken to be as long as their texts; readers
    share them. `examples` are by task.
    """
    found = Sent()
    for first, *_ in bundled(cells):
        repaired = _repairer(first.condition) is not None
        if not repaired and _filler(first.condition) is None:
            continue
        known = examples.get(first.task)
        if known is None:
            found += Sent(limits.get(first.task, 0))
            continue
        for text in dict.fromkeys((one.whole or one).text for one in known):
            found += _windows(text) if repaired else _gap(text)
    return found


def _hosts(urls: Sequence[str | None]) -> list[str]:
    return list(dict.fromkeys(checked(url)[1] for url in urls if url is not None))


def _repairer(condition: Condition) -> str | None:
    """The URL of a model that repairs, if it is elsewhere."""
    part = None if condition.policy is None else condition.policy.repair
    return part.name if part is not None and "://" in part.name else None


def _filler(condition: Condition) -> str | None:
    """The URL of a model that fills gaps, if it is elsewhere."""
    return condition.repair if condition.repair is not None and "://" in condition.repair else None


def _gap(text: str) -> Sent:
    letters = min(len(text), filling.LEFT) + len(filling.REQUEST) + len(filling.SYSTEM)
    return Sent(1, letters, filling.TOKENS)


def _windows(text: str) -> Sent:
    sizes = [end - start for start, end in windows(text, ())] or [len(text)]
    letters = sum(sizes) + len(sizes) * len(SYSTEM)
    return Sent(len(sizes), letters, len(sizes) * most_tokens(max(sizes)))

"""What leaves this machine in a run besides the questions of its readers, counted beforehand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from privstamp.evals.contracts import Cell, Condition, Example
from privstamp.evals.runner import Limits, bundled
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


def repair_hosts(cells: Sequence[Cell]) -> list[str]:
    """Who gets released texts to repair; a URL that cannot be one is refused."""
    urls = [url for cell in cells if (url := _repairer(cell.condition)) is not None]
    return list(dict.fromkeys(checked(url)[1] for url in urls))


def sent(cells: Sequence[Cell], examples: dict[str, Sequence[Example]], limits: Limits) -> Sent:
    """What repairs elsewhere are sent at least: what is refused is asked for once more.

    Releases are taken to be as long as their texts; readers share them. `examples` are by task.
    """
    found = Sent()
    for first, *_ in bundled(cells):
        if _repairer(first.condition) is None:
            continue
        known = examples.get(first.task)
        if known is None:
            found += Sent(limits.get(first.task, 0))
            continue
        once = {id(one): one for one in (example.whole or example for example in known)}
        for one in once.values():
            found += _windows(one.text)
    return found


def _repairer(condition: Condition) -> str | None:
    """The URL of a model that repairs, if it is elsewhere."""
    part = None if condition.policy is None else condition.policy.repair
    return part.name if part is not None and "://" in part.name else None


def _windows(text: str) -> Sent:
    sizes = [end - start for start, end in windows(text, ())] or [len(text)]
    letters = sum(sizes) + len(sizes) * len(SYSTEM)
    return Sent(len(sizes), letters, len(sizes) * most_tokens(max(sizes)))

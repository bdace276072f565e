"""What restoring a reply gave: the text, what was put back, and what was withheld and why."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

REASONS: Final = {
    "url": "in a link or path of one",
    "address": "inside an e-mail address or host",
    "encoded": "beside encoded characters",
    "link": "in a link's target, title, label or definition, or describing an image",
    "markup": "in a tag, an attribute or a comment",
    "script": "in a script, a form or a command",
    "style": "in a style sheet",
    "latex": "in a formula or command of LaTeX",
    "formula": "in a formula of a spreadsheet",
    "escape": "in a control sequence",
    "json": "in JSON, which needs format json",
    "key": "in JSON, but in no value",
    "secret": "a secret, which must be asked for by its kind",
    "refused": "of a kind that no tool is given",
    "schema": "where the schema has no text",
    "unclear": "could stand for two things",
}
"""Why something was withheld; the first twelve are places that `allow` may name."""


@dataclass(frozen=True, slots=True)
class PutBack:
    """Where, in the restored text, a value was put back."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class Withheld:
    """Where, in the restored text, a surrogate was left standing."""

    start: int
    end: int
    kind: str
    reason: str


@dataclass(frozen=True, repr=False)
class Restored:
    """PRIVATE: it holds what surrogates stood for."""

    text: str
    put_back: tuple[PutBack, ...] = ()
    withheld: tuple[Withheld, ...] = ()
    active: bool = False
    """The reply holds something that computes or sends, which may read what was put back beside
    it: show such a reply, run nothing of it."""

    def __repr__(self) -> str:
        return f"Restored(private, {len(self.put_back)} put back, {len(self.withheld)} withheld)"

    @property
    def reasons(self) -> dict[str, int]:
        """How many were withheld, by reason, most first."""
        return dict(Counter(each.reason for each in self.withheld).most_common())

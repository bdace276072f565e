"""What a reply may be given back, and what restoring it gave: put back, withheld and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias, TypedDict

from privstamp.errors import InputError
from privstamp.sensitivity.spans import SECRETS, is_official

# What restoring a reply gave: the text, what was put back, and what was withheld and why.


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


Format: TypeAlias = Literal["text", "json"]


class Choice(TypedDict, total=False):
    """What a reply gets back. `kinds` of secrets; `allow`: exceptions for places, "PERSON:url";
    `trusted` withholds nothing, for text of one's own."""

    trusted: bool
    kinds: Iterable[str]
    allow: Iterable[str]
    format: Format | None


@dataclass(frozen=True, slots=True)
class PutBack:
    """Where, in the restored text, a value was put back."""

    start: int
    end: int
    kind: str
    stood_for: int = field(default=0, compare=False)
    """Characters of the surrogate that stood there."""


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
        return dict(Counter(value.reason for value in self.withheld).most_common())


# What a reply may be given back: which kinds, in which places.


PLACES: Final = tuple(REASONS)[:12]


@dataclass(frozen=True)
class RestoreLimits:
    """`kinds` are secrets to put back, `allow` has KIND:place for places that are no plain text.

    For a tool also KIND alone, or KIND:/pointer to one value, lifts the refusal of that kind.
    """

    kinds: frozenset[str] = frozenset()
    allow: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls, kinds: Iterable[str] = (), allow: Iterable[str] = (), *, tool: bool = False
    ) -> RestoreLimits:
        for name, values in (("kinds", kinds), ("allow", allow)):
            if isinstance(values, str):
                raise InputError(f"{name} is a list, as in {name}=[...], not one string")
        limits = cls(frozenset(kinds), frozenset(allow))
        for rule in limits.allow:
            kind, colon, place = rule.partition(":")
            known = place in PLACES or (tool and (not colon or place.startswith("/")))
            if not kind or not known:
                raise InputError(f'allow: "KIND:PLACE", with a place of {", ".join(PLACES)}')
        return limits

    def why(self, kind: str, place: str | None) -> str | None:
        """Why something of this kind may not stand in that place of a reply."""
        if kind in SECRETS and kind not in self.kinds:
            return "secret"
        if kind == "URL" and place is None:
            place = "url"
        return None if place is None or f"{kind}:{place}" in self.allow else place

    def why_not_tool(self, kind: str, place: str | None, pointer: str) -> str | None:
        """The same for a value that a tool is called with."""
        if is_official(kind) and not self.allow & {kind, f"{kind}:{pointer}"}:
            return "refused"
        if kind == "URL" and place is None:
            place = "url"
        return None if place is None or f"{kind}:{place}" in self.allow else place

"""What a reply may be given back: which kinds, in which places."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from privstamp.errors import InputError
from privstamp.restore.outcome import REASONS
from privstamp.sensitivity.kinds import SECRETS, is_official

PLACES: Final = tuple(REASONS)[:12]


@dataclass(frozen=True)
class Limits:
    """`kinds` are secrets to put back, `allow` has KIND:place for places that are no plain text.

    For a tool also KIND alone, or KIND:/pointer to one value, lifts the refusal of that kind.
    """

    kinds: frozenset[str] = frozenset()
    allow: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls, kinds: Iterable[str] = (), allow: Iterable[str] = (), *, tool: bool = False
    ) -> Limits:
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

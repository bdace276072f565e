"""The mechanisms of a policy that release numbers and dates by their value."""

from __future__ import annotations

from collections.abc import Sequence

from privstamp.noise import Noise
from privstamp.protocols import Valued


class Values:
    """Asks each in order; the first that takes a span releases it."""

    def __init__(self, mechanisms: Sequence[Valued] = ()) -> None:
        self._mechanisms = mechanisms

    def taking(self, kind: str | None, text: str) -> Valued | None:
        """Whose a span is; None where it is replaced blindly."""
        if kind is None:
            return None
        return next((one for one in self._mechanisms if one.takes(kind, text)), None)

    def release(self, kind: str | None, text: str, noise: Noise, position: int) -> str | None:
        """A span by its value, with the noise of its place; None where it is no value."""
        mechanism = self.taking(kind, text)
        if mechanism is None:
            return None
        return mechanism.release(text, noise.at(mechanism.place(position)))

"""What a session asks of the line that its messages go through."""

from __future__ import annotations

from typing import Protocol

from privstamp.policy import Policy
from privstamp.release.document import Document
from privstamp.release.parts import Parts
from privstamp.release.pseudonyms import Pseudonyms


class Line(Protocol):
    """A Privatizer."""

    policy: Policy
    parts: Parts
    fingerprint_key: bytes
    facts: tuple[bytes, ...]

    def run(self, documents: list[Document], *, trace: bool = False) -> None:
        """Documents through all stages; one that fails has an error."""

    def pseudonyms(self) -> Pseudonyms:
        """Fresh ones, with a key of their own."""

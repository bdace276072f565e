"""What a session asks of the line that its messages go through."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Final, Protocol
from weakref import WeakKeyDictionary

from privstamp.policy import Policy
from privstamp.release.document import Document, Written
from privstamp.release.parts import Parts
from privstamp.release.replaced import Pseudonyms
from privstamp.result import Failure


class SessionLine(Protocol):
    """A Privatizer."""

    policy: Policy
    parts: Parts
    fingerprint_key: bytes
    facts: tuple[bytes, ...]

    def run(self, documents: Sequence[Document], *, trace: bool = False) -> list[Written | Failure]:
        """Documents through all stages."""

    def pseudonyms(self) -> Pseudonyms:
        """Fresh ones, with a key of their own."""


_HARMLESS: Final[WeakKeyDictionary[SessionLine, set[bytes]]] = WeakKeyDictionary()
"""Digests of texts that named nobody, by the line that read them: schemas come with every turn."""
_MOST: Final = 100_000


def naming(line: SessionLine, texts: Sequence[str]) -> list[int]:
    """Which of these texts, that would leave as they are, name somebody or something."""
    harmless = _HARMLESS.setdefault(line, set())
    digests = [blake2b(text.encode(), digest_size=16).digest() for text in texts]
    unread = [number for number, digest in enumerate(digests) if digest not in harmless]
    outcomes = line.run([Document(number, texts[number], None) for number in unread])
    telling: list[int] = []  # what was drawn is thrown away
    for number, document in zip(unread, outcomes, strict=True):
        if isinstance(document, Failure):
            raise document.error
        if document.findings:
            telling.append(number)
        elif len(harmless) < _MOST:
            harmless.add(digests[number])
    return telling

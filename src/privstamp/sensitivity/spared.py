"""What the process of a command can do without: libraries take in others because they are there."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

LARGE: Final = (
    *("torch", "tensorflow", "mxnet", "transformers", "stanza", "gliner"),
    *("langextract", "openai", "azure"),
)
"""What spaCy and Presidio import wherever it is installed, for seconds, and go without if not."""


@contextmanager
def spared(names: Sequence[str] = LARGE) -> Iterator[None]:
    """Inside, packages that are not yet imported seem not to be installed.

    Only in the process of a command: elsewhere others may want spaCy with all that it can use.
    """
    hidden = [name for name in names if name not in sys.modules]
    if "privstamp.cli" not in sys.modules:
        hidden = []
    for name in hidden:
        sys.modules[name] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        for name in hidden:
            del sys.modules[name]

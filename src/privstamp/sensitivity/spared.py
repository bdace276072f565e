"""What a line can do without: libraries take in others because they are there."""

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

    Whoever wants spaCy with all that it can use in the same process imports torch first.
    """
    hidden = [name for name in names if name not in sys.modules]
    for name in hidden:
        sys.modules[name] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        for name in hidden:
            del sys.modules[name]

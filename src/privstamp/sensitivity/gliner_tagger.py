"""`gliner:NAME[@revision]`: a GLiNER model, which finds whatever its labels name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from privstamp.assets.cache import digest
from privstamp.errors import AssetError, PolicyError, optional
from privstamp.sensitivity.rules import fingerprint
from privstamp.sensitivity.spans import merge
from privstamp.sensitivity.tagger import kind_of
from privstamp.types import Finding, Scope, Units

LABELS: Final = {
    "person": "PERSON",
    "location": "LOCATION",
    "address": "LOCATION",
    "organization": "ORGANIZATION",
    "phone number": "PHONE_NUMBER",
    "email address": "EMAIL_ADDRESS",
    "username": "HANDLE",
    "password": "CREDENTIAL",
    "identification number": "NUMERIC_ID",
}
"""What is asked for by default, and the kinds that it is found as."""
WINDOW, LEAST, SHARED = 128, 40, 30
"""Words that the model reads at once, the least of them, and those that two windows share."""
_WORD: Final = re.compile(r"\w{1,32}(?:[-_]\w{1,32}){0,3}|\S")
"""A word as the library counts them, but bounded: it drops what is beyond its limit."""


class Gliner:
    """A GLiNER model as a detector. Texts are read in full, in windows that overlap."""

    name: Final = "gliner:"
    scope: Final = Scope.context("a model reads the words around each word")

    def __init__(
        self,
        argument: str,
        *,
        labels: Mapping[str, str] | Sequence[str] | None = None,
        threshold: float = 0.5,
        window: int = WINDOW,
    ) -> None:
        if isinstance(threshold, bool) or not isinstance(threshold, int | float):
            raise PolicyError("threshold of sensitivity must lie between 0 and 1")
        if not 0 <= threshold <= 1:
            raise PolicyError("threshold of sensitivity must lie between 0 and 1")
        if isinstance(window, bool) or not isinstance(window, int) or window < LEAST:
            raise PolicyError(f"window is a number of words, {LEAST} or more")
        self._kinds = _kinds(LABELS if labels is None else labels)
        self._threshold, self._window = float(threshold), window
        self._model, facts = _load(argument)
        self.fingerprint = fingerprint(
            self.name, facts, list(self._kinds.items()), self._threshold, window
        )

    def find(self, batch: Sequence[Units]) -> list[list[Finding]]:
        """Sensitive spans of each document, without overlaps."""
        return [merge(self._document(units.text)) for units in batch]

    def _document(self, text: str) -> Iterator[Finding]:
        labels = list(self._kinds)
        for start, end in windows(text, self._window):
            entities = self._model.predict_entities(
                text[start:end], labels, flat_ner=True, threshold=self._threshold
            )
            for entity in entities:
                low, high = start + int(entity["start"]), start + int(entity["end"])
                if not start <= low < high <= end:
                    raise ValueError("a span lies outside of the text that the model was given")
                score = min(1.0, max(0.0, float(entity["score"])))
                label = str(entity["label"])
                yield Finding(low, high, self._kinds[label], score, self.name, f"label {label}")


def windows(text: str, size: int) -> Iterator[tuple[int, int]]:
    """Stretches of at most `size` words that cover all of them; neighbours share SHARED."""
    words = [match.span() for match in _WORD.finditer(text)]
    for first in range(0, max(1, len(words) - SHARED), size - SHARED):
        part = words[first : first + size]
        if part:
            yield part[0][0], part[-1][1]


def _kinds(labels: Mapping[str, str] | Sequence[str]) -> dict[str, str]:
    """Labels with their kinds; those without a kind of their own are kinds by themselves."""
    if isinstance(labels, Mapping):
        pairs = dict(labels)
    elif isinstance(labels, Sequence) and not isinstance(labels, str):
        pairs = {label: LABELS.get(label) or kind_of(str(label)) or "" for label in labels}
    else:
        pairs = {}
    texts = [*pairs.keys(), *pairs.values()]
    if not pairs or not all(isinstance(text, str) and text.strip() for text in texts):
        raise PolicyError(
            "labels of sensitivity is a list of what to look for, or a table of kinds by label"
        )
    return pairs


def _load(argument: str) -> tuple[Any, list[str]]:
    """The model, and what makes it the one it is: the hash of its files, the library's version."""
    gliner, huggingface_hub = (
        optional(module, "gliner", "a GLiNER detector") for module in ("gliner", "huggingface_hub")
    )
    where, _, revision = argument.partition("@")
    try:
        folder = Path(where).expanduser()
        if not folder.is_dir():
            folder = Path(huggingface_hub.snapshot_download(where, revision=revision or None))
        model = gliner.GLiNER.from_pretrained(str(folder), map_location="cpu")
        facts = [digest(folder), str(getattr(gliner, "__version__", ""))]
    except Exception as error:
        problem = type(error).__name__
    else:
        return model, facts
    raise AssetError(
        f'gliner: the model "{where}" cannot be loaded ({problem}). Check the name, the revision '
        "and the connection, or give a folder with gliner_config.json and the weights"
    )

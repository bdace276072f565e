"""Attribute inference: what a classifier learns from releases about a text or its author.

Naive Bayes guesses the label that the sample gives a text, having learnt from other texts: from
originals, from releases, and from nothing (the commonest label). Gendered words are an attribute
that a text carries itself.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from privstamp.lab.audit.figures import Figure, Section
from privstamp.lab.audit.subject import Subject

TITLE: Final = "Guessing an attribute of a text"
_WORD: Final = re.compile(r"[^\W_]+")
_END: Final = re.compile(r"(?<=[.!?])\s+|\n+")
_FOLDS: Final = 8
_LEAST: Final = 3  # words of a sentence that is worth a guess
SHE: Final = frozenset(
    {"she", "her", "hers", "woman", "mother", "daughter", "sister", "wife", "ms"}
)
HE: Final = frozenset({"he", "him", "his", "man", "father", "son", "brother", "husband", "mr"})


@dataclass(frozen=True, repr=False)
class Sentence:
    """What a classifier sees of a sentence or a whole text, and the text that it is from."""

    text: int
    words: tuple[str, ...]


def attributes(subject: Subject, told: Callable[[float], None]) -> Section:
    """The label column of the sample, by text and by sentence, and gendered words."""
    before, after = [one.text for one in subject.texts], [one.text for one in subject.first]
    told(0.3)
    rows: list[dict[str, Any]] = []
    labels = [one.label for one in subject.texts]
    if len({label for label in labels if label}) > 1:
        for name, cut in (("label of a text", _wholes), ("label of a sentence", _sentences)):
            rows.append(_row(name, _learnt(cut(before), labels), _learnt(cut(after), labels)))
    told(0.7)
    rows.append(_gender(_wholes(before), _wholes(after)))
    found = rows[0]
    remarks = (
        "label: the sample's own column, guessed by what all other texts taught",
        "gendered words: whether a text has more of her words or of his, read off by counting",
        "Style, topic and length are not what noise on words hides: an advantage here is expected.",
    )
    figures = {
        "attribute_original": found["original"],
        "attribute_released": found["released"],
        "attribute_floor": found["floor"],
    }
    return Section("attributes", TITLE, figures, rows, remarks)


def _wholes(texts: Sequence[str]) -> list[Sentence]:
    return [Sentence(number, _words(text)) for number, text in enumerate(texts)]


def _sentences(texts: Sequence[str]) -> list[Sentence]:
    cut = [(number, _words(one)) for number, text in enumerate(texts) for one in _END.split(text)]
    return [Sentence(number, words) for number, words in cut if len(words) >= _LEAST]


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.casefold()))


def _learnt(
    sentences: list[Sentence], labels: Sequence[str | None]
) -> tuple[list[bool], list[bool]]:
    """Right or wrong for each sentence, its text not being learnt from; and the commonest label."""
    hits, floor = [], []
    kept = [one for one in sentences if labels[one.text]]
    known = Counter(str(labels[one.text]) for one in kept)
    commonest = min(known, key=lambda label: (-known[label], label))
    fold = _folds(labels)
    for left in sorted({fold[one.text] for one in kept}):
        train = [one for one in kept if fold[one.text] != left]
        model = _Bayes(train, labels) if train else None
        for one in kept:
            if fold[one.text] == left:
                hits.append(model is not None and model.guess(one) == labels[one.text])
                floor.append(commonest == labels[one.text])
    return hits, floor


def _folds(labels: Sequence[str | None]) -> list[int]:
    """One text of every label is left out at a time: leaving out one alone would tell its label by
    what is missing."""
    seen: Counter[str | None] = Counter()
    folds = []
    for label in labels:
        folds.append(seen[label] % _FOLDS)
        seen[label] += 1
    return folds


class _Bayes:
    """Multinomial naive Bayes with one of each word added, and no label likelier than another.
    Words it has not seen say nothing."""

    def __init__(self, train: list[Sentence], labels: Sequence[str | None]) -> None:
        self._labels = sorted({str(labels[one.text]) for one in train})
        counts: dict[str, Counter[str]] = {label: Counter() for label in self._labels}
        for one in train:
            counts[str(labels[one.text])].update(one.words)
        vocabulary = set().union(*counts.values())
        self._rows = {
            word: np.log([counts[label][word] + 1.0 for label in self._labels])
            for word in vocabulary
        }
        totals = np.array([sum(counts[label].values()) for label in self._labels])
        self._totals = np.log(totals + len(vocabulary) + 1.0)

    def guess(self, one: Sentence) -> str:
        score = np.zeros(len(self._labels))
        for word in one.words:
            if word in self._rows:
                score += self._rows[word] - self._totals
        return self._labels[int(np.argmax(score))]


def _gender(originals: list[Sentence], released: list[Sentence]) -> dict[str, Any]:
    """Texts that lean to her or his words: does the release lean the same way?"""
    before, after = (list(map(_leaning, texts)) for texts in (originals, released))
    sure = [number for number, lean in enumerate(before) if lean]
    commonest = max((1, -1), key=[before[number] for number in sure].count)
    floor = [before[number] == commonest for number in sure]
    hits = [after[number] == before[number] for number in sure]
    return _row("gendered words of a text", ([True] * len(sure), floor), (hits, floor))


def _leaning(text: Sentence) -> int:
    """+1 for her words, -1 for his, 0 for neither."""
    return int(np.sign(sum((word in SHE) - (word in HE) for word in text.words)))


def _row(
    name: str,
    original: tuple[list[bool], list[bool]],
    released: tuple[list[bool], list[bool]],
) -> dict[str, Any]:
    return {
        "attribute": name,
        "count": len(released[0]),
        "original": _share(original[0]),
        "released": _share(released[0]),
        "floor": _share(released[1]),
    }


def _share(hits: list[bool]) -> Figure:
    return Figure.share(sum(hits), len(hits), "" if hits else "nothing to guess in the sample")

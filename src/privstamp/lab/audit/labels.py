"""What shows beside the words themselves: labels, how steady they are, and attributes of texts.

Label loss: how often one word, swapped for another, moves labels, its own and those of others. The
promise is given the labels: whoever sees one that another word would have changed, learns about
that word beyond the promise. Attributes: naive Bayes guesses the label that the sample gives a
text, having learnt from other texts, originals, releases, or nothing (the commonest label).
Gendered words are an attribute that a text carries itself.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from privstamp.lab.attackers import main_class
from privstamp.lab.audit.canaries import Dice
from privstamp.lab.audit.subject import SampleText, Subject, traced
from privstamp.lab.audit.verdict import Section, information
from privstamp.lab.estimate import Estimate
from privstamp.pipeline import Privatizer
from privstamp.release.groups import NO_SPAN
from privstamp.result import Trace
from privstamp.sensitivity.frequencies import zipf_frequencies
from privstamp.spaces.wordlists import FUNCTION_WORDS
from privstamp.types import UNKNOWN, Kind, Label

SWAPS: Final = 200
"""Of each kind: for a near word, where the space has them, and for one of like frequency."""
_PARTS: Final = ("sensitivity", "importance")
_COMMON: Final = 4.2  # Zipf frequency: some five thousand words
_NEAR: Final = 8
_NEIGHBOURS: Final = 40  # words on either side in the list by frequency


@dataclass(frozen=True, repr=False)
class _Labels:
    """What a receiver may see of each unit, part by part."""

    sensitivity: list[tuple[bool, str]]
    importance: list[bool]

    @classmethod
    def of(cls, trace: Trace) -> _Labels:
        groups, spans = trace.grouping.groups.tolist(), trace.grouping.spans.tolist()
        kinds = ["" if span == NO_SPAN else trace.grouping.findings[span].kind for span in spans]
        sensitive = [group <= 2 for group in groups]
        return cls(list(zip(sensitive, kinds, strict=True)), [group % 2 == 1 for group in groups])

    def moved(self, later: _Labels, place: int) -> Iterator[tuple[str, str]]:
        """Parts whose labels differ, at the swapped word and anywhere else."""
        for part in _PARTS:
            before, after = getattr(self, part), getattr(later, part)
            same = len(before) == len(after)
            if not same or before[place] != after[place]:
                yield part, "own"
            rest = before[:place] + before[place + 1 :]
            if not same or rest != after[:place] + after[place + 1 :]:
                yield part, "others"


def steadiness(
    subject: Subject, told: Callable[[float], None]
) -> tuple[dict[str, Estimate], list[dict[str, Any]]]:
    """Figures over all swaps, and a table by kind of swap and part."""
    dice = Dice(subject.key("steadiness"), 1, 20_000)
    tables, rows = {}, []
    kinds = {"like frequency": _like(), **_near(subject)}
    for number, (kind, candidates) in enumerate(kinds.items()):
        counts: Counter[tuple[str, str]] = Counter()
        done = 0
        for text, trace, place, word in _swaps(subject, candidates, dice):
            after = _swapped(subject.privatizer, text, trace, place, word)
            changes = set(_Labels.of(trace).moved(after, place))
            counts.update(changes)
            for where in {where for _, where in changes}:
                counts["any", where] += 1
            done += 1
            told((number + done / SWAPS) / len(kinds))
        tables[kind] = counts, done
        for part in _PARTS:
            shares = {
                f"{where} moved": Estimate.share(counts[part, where], done)
                for where in ("own", "others")
            }
            rows.append({"swap": kind, "part": part, "swaps": done, **shares})
    swaps = sum(done for _, done in tables.values())
    figures = {
        f"labels_moved_{where}": Estimate.share(
            sum(counts["any", where] for counts, _ in tables.values()), swaps
        )
        for where in ("own", "others")
    }
    return figures, rows


def _like() -> Callable[[str], list[str]]:
    """Content words that are written about as often."""
    frequency = zipf_frequencies("en", _COMMON)
    listed = sorted(
        (word for word in frequency if word.isalpha() and len(word) > 3),
        key=lambda word: (-frequency[word], word),
    )
    listed = [word for word in listed if word not in FUNCTION_WORDS]
    place = {word: number for number, word in enumerate(listed)}

    def candidates(word: str) -> list[str]:
        if word not in place:
            return []
        at = place[word]
        return [
            candidate
            for candidate in listed[max(0, at - _NEIGHBOURS) : at + _NEIGHBOURS]
            if candidate != word
        ]

    return candidates


def _near(subject: Subject) -> dict[str, Callable[[str], list[str]]]:
    """The nearest words of the same class, where the space has outputs."""
    space = subject.parts.space
    if not sum(map(len, space.outputs)):
        return {}
    outputs = space.outputs[main_class(space)]
    table = np.ascontiguousarray(space.unit[outputs], dtype=np.float32)

    def candidates(word: str) -> list[str]:
        row = space.split(word).rows
        if len(row) != 1 or row[0] == UNKNOWN:
            return []
        cosine = table @ np.asarray(space.unit[row[0]], dtype=np.float32)
        nearest = outputs[np.argsort(-cosine)[: _NEAR + 1]]
        return [near for near in space.words(nearest) if near != word and near.isalpha()]

    return {"near word": candidates}


def _swaps(
    subject: Subject, candidates: Callable[[str], list[str]], dice: Dice
) -> Iterator[tuple[SampleText, Trace, int, str]]:
    """Ordinary content words of the sample, and another word for each."""
    traces = [subject.privatizer.group(text.text, text.task) for text in subject.texts]
    places = [
        (number, place)
        for number, trace in enumerate(traces)
        for place in np.flatnonzero(
            (trace.grouping.groups >= 3)
            & (trace.units.kinds == Kind.WORD)
            & (trace.units.labels == Label.LOWER)
        ).tolist()
        if candidates(trace.units.surface(place))
    ]
    for _ in range(min(SWAPS, 4 * len(places))):
        number, place = places[dice.below(len(places))]
        words = candidates(traces[number].units.surface(place))
        yield subject.texts[number], traces[number], place, words[dice.below(len(words))]


def _swapped(
    privatizer: Privatizer, text: SampleText, trace: Trace, place: int, word: str
) -> _Labels:
    start, end = int(trace.units.starts[place]), int(trace.units.ends[place])
    source = trace.units.text
    return _Labels.of(privatizer.group(source[:start] + word + source[end:], text.task))


TITLE: Final = "What labels alone reveal"


def labels(subject: Subject, told: Callable[[float], None]) -> Section:
    """Bits about a word that an attacker has before looking at the released word."""
    told(0.0)
    seen: list[tuple[int, tuple[int, int, int]]] = []
    equal = spans = 0
    for result in subject.first:
        trace = traced(result)
        units, groups = trace.units, trace.grouping.groups
        for index in range(len(units)):
            if (row := int(units.rows[index])) >= 0:
                number = int(subject.parts.space.class_of[row])
                seen.append((row, (int(groups[index]), number, int(units.labels[index]))))
        counts = Counter(
            " ".join(map(units.surface, np.flatnonzero(trace.grouping.spans == number).tolist()))
            for number in range(len(trace.grouping.findings))
        )
        spans += sum(counts.values())
        equal += sum(count for count in counts.values() if count > 1)
    lengths = Counter(len(traced(result).units) for result in subject.first)
    words = [row for row, _ in seen]
    columns = ([label[which] for _, label in seen] for which in range(3))
    figures = {
        **{f"bits_of_{name}": Estimate.exact(information(words, told) / np.log(2))
           for name, told in zip(("group", "class", "case"), columns, strict=True)},
        "equal_mentions": Estimate.share(equal, spans, "" if spans else "no sensitive span"),
        "length_alone": Estimate.share(
            sum(count for count in lengths.values() if count == 1), len(subject.first)
        ),
    }  # fmt: skip
    remarks = (
        "bits: mutual information of the label and the word, in the sample (of at most the word's "
        "entropy; small samples overstate it)",
        "equal_mentions: share of sensitive spans whose repetition shows, because equal things get "
        "equal surrogates",
        "length_alone: share of texts that their number of words alone tells from the others",
        "labels_moved: one ordinary word is swapped for a near one or one of like frequency; share "
        "of swaps that change its own label, and labels of other words. The promise is given the "
        "labels: whoever sees one that another word would have changed learns about that word",
    )
    moved, rows = steadiness(subject, told)
    return Section("labels", TITLE, figures | moved, rows, remarks)


ATTRIBUTES: Final = "Guessing an attribute of a text"
_WORD: Final = re.compile(r"[^\W_]+")
_END: Final = re.compile(r"(?<=[.!?])\s+|\n+")
_FOLDS: Final = 8
_LEAST: Final = 3  # words of a sentence that is worth a guess
_NOTHING: Final = "nothing to guess in the sample"
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
    before, after = [text.text for text in subject.texts], [result.text for result in subject.first]
    told(0.3)
    rows: list[dict[str, Any]] = []
    labels = [text.label for text in subject.texts]
    if len({label for label in labels if label}) > 1:
        for name, cut in (("label of a text", _wholes), ("label of a sentence", _sentences)):
            rows.append(_row(name, _learnt(cut(before), labels), _learnt(cut(after), labels)))
    told(0.7)
    rows.append(_gender(_wholes(before), _wholes(after)))
    row = rows[0]
    remarks = (
        "label: the sample's own column, guessed by what all other texts taught",
        "gendered words: whether a text has more of her words or of his, read off by counting",
        "Style, topic and length are not what noise on words hides: an advantage here is expected.",
    )
    figures = {
        "attribute_original": row["original"],
        "attribute_released": row["released"],
        "attribute_floor": row["floor"],
    }
    return Section("attributes", ATTRIBUTES, figures, rows, remarks)


def _wholes(texts: Sequence[str]) -> list[Sentence]:
    return [Sentence(number, _words(text)) for number, text in enumerate(texts)]


def _sentences(texts: Sequence[str]) -> list[Sentence]:
    cut = [
        (number, _words(sentence))
        for number, text in enumerate(texts)
        for sentence in _END.split(text)
    ]
    return [Sentence(number, words) for number, words in cut if len(words) >= _LEAST]


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.casefold()))


def _learnt(
    sentences: list[Sentence], labels: Sequence[str | None]
) -> tuple[list[bool], list[bool]]:
    """Right or wrong for each sentence, its text not being learnt from; and the commonest label."""
    hits, floor = [], []
    kept = [sentence for sentence in sentences if labels[sentence.text]]
    known = Counter(str(labels[sentence.text]) for sentence in kept)
    commonest = min(known, key=lambda label: (-known[label], label))
    fold = _folds(labels)
    for left in sorted({fold[sentence.text] for sentence in kept}):
        train = [sentence for sentence in kept if fold[sentence.text] != left]
        model = _Bayes(train, labels) if train else None
        for left_out in kept:
            if fold[left_out.text] == left:
                hits.append(model is not None and model.guess(left_out) == labels[left_out.text])
                floor.append(commonest == labels[left_out.text])
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
        self._labels = sorted({str(labels[sentence.text]) for sentence in train})
        counts: dict[str, Counter[str]] = {label: Counter() for label in self._labels}
        for taught in train:
            counts[str(labels[taught.text])].update(taught.words)
        vocabulary = set().union(*counts.values())
        self._rows = {
            word: np.log([counts[label][word] + 1.0 for label in self._labels])
            for word in vocabulary
        }
        totals = np.array([sum(counts[label].values()) for label in self._labels])
        self._totals = np.log(totals + len(vocabulary) + 1.0)

    def guess(self, sentence: Sentence) -> str:
        score = np.zeros(len(self._labels))
        for word in sentence.words:
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
        "original": Estimate.hits(original[0], _NOTHING),
        "released": Estimate.hits(released[0], _NOTHING),
        "floor": Estimate.hits(released[1], _NOTHING),
    }

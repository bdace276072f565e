"""spaCy's greedy search for entities, with its own weights, for the words of many texts at once.

spaCy walks through each text word by word. But outside of an entity a move depends on the next
word alone, so that all words are scored in one product; and inside on three words (the next, the
one before, the entity's first), so that entities can be followed side by side.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from privstamp.types import Table

Entity = tuple[int, int, str]
"""Start, end, spaCy's label."""
Places = npt.NDArray[np.intp]

WORDS: Final = 2_000
"""Words of several texts that are read at once."""
_LONGEST: Final = 16
"""Words of an entity that is followed side by side with others; a longer one goes on alone."""
_PROBE: Final = (
    "Ada Marlowe of Thornbury Pumps flew from Lisbon to New York City on Tuesday, 4 May 2021.",
    "\n\n The  seven engineers at the University of Northern Wiltshire paid $2.5 million, or 12%. ",
    "IN JUNE",
)


def greedy(nlp: Any) -> Greedy | None:
    """The search for a pipeline, or None where its recogniser is built in another way.

    The pipeline's vocabulary forgets how to describe words in ways that the recogniser never asks.
    """
    try:
        if not _is_usual(nlp):
            return None
        made, getters = Greedy(nlp.get_pipe("ner")), nlp.vocab.lex_attr_getters
        with nlp.memory_zone():
            expected = by_spacy(nlp, _PROBE)
        nlp.vocab.lex_attr_getters = made.needed(getters)
        with nlp.memory_zone():
            same = list(made.entities([nlp.make_doc(text) for text in _PROBE])) == expected
    except (AttributeError, KeyError, IndexError, TypeError, ValueError):
        return None
    if not same:
        nlp.vocab.lex_attr_getters = getters
    return made if same else None


def by_spacy(nlp: Any, texts: Sequence[str]) -> list[list[Entity]]:
    """Entities of each text as spaCy itself finds them."""
    return [
        [(entity.start_char, entity.end_char, entity.label_) for entity in doc.ents]
        for doc in nlp.pipe(texts, batch_size=32)
    ]


def _is_usual(nlp: Any) -> bool:
    recogniser = nlp.get_pipe("ner")
    model = recogniser.model
    lower = model.get_ref("lower")
    return (
        nlp.pipe_names == ["ner"]
        and recogniser.cfg["beam_width"] == 1
        and not recogniser.postprocesses
        and model.ops.device_type == "cpu"
        and model.attrs["has_upper"]
        and not model.attrs["unseen_classes"]
        and lower.get_dim("nF") == 3
        and lower.get_dim("nP") >= 2
    )


@dataclass(frozen=True, repr=False, eq=False)
class _Read:
    """Words of some texts as the network sees them. Private."""

    vectors: Table
    own: Table  # what each word adds to a state in which it comes next
    last: npt.NDArray[np.bool_]  # of its text


class Greedy:
    """The moves of a recogniser: begin, go on in or end an entity, one of a single word, none."""

    def __init__(self, recogniser: Any) -> None:
        model, moves = recogniser.model, recogniser.moves
        lower, upper = model.get_ref("lower"), model.get_ref("upper")
        self._tok2vec, self._ops = model.get_ref("tok2vec"), model.ops
        weights = _apart(lower.get_param("W"))  # features, pieces, units, inputs
        self._pieces = weights.shape[1]
        self._features = weights.reshape(3, -1, weights.shape[-1])
        self._absent = _apart(lower.get_param("pad")[0][..., None]).reshape(3, -1)
        self._bias = _apart(lower.get_param("b")[..., None]).ravel()
        self._weights, self._biases = upper.get_param("W"), upper.get_param("b")
        names = [moves.get_class_name(number) for number in range(moves.n_moves)]
        place = {name: number for number, name in enumerate(names)}
        # "U-", without a label, is spaCy's mark for words that may be no entity.
        outside = [name for name in names if name[0] in "BUO" and name != "U-"]
        self._outside = [place[name] for name in outside]
        self._none = outside.index("O")
        self._labels = [name[2:] for name in outside]
        self._begins = np.array([name[0] == "B" for name in outside])
        inside = [
            label if name[0] == "B" else None
            for name, label in zip(outside, self._labels, strict=True)
        ]
        self._on = np.array([-1 if label is None else place[f"I-{label}"] for label in inside])
        self._end = np.array([-1 if label is None else place[f"L-{label}"] for label in inside])

    def needed(self, getters: Mapping[int, Any]) -> dict[int, Any]:
        """Of spaCy's functions that describe a word, those that the network reads."""
        from spacy.attrs import IDS

        layers = [one for one in self._tok2vec.walk() if one.name == "extract_features"]
        names = {
            "LOWER",
            "IS_SPACE",
            *(str(name) for one in layers for name in one.attrs["columns"]),
        }
        wanted = {IDS[name] for name in names}
        return {number: getter for number, getter in getters.items() if number in wanted}

    def entities(self, docs: Sequence[Any]) -> Iterator[list[Entity]]:
        """Entities of each text; `docs` come from spaCy's tokenizer."""
        for group in _grouped(docs):
            yield from self._group(group)

    def _group(self, docs: Sequence[Any]) -> list[list[Entity]]:
        found: list[list[Entity]] = [[] for _ in docs]
        lengths = np.array([len(doc) for doc in docs], dtype=np.intp)
        ends = np.cumsum(lengths)
        if not lengths.any():
            return found
        read = self._read(docs, ends[lengths > 0] - 1)
        moves = self._moves(read)
        places = np.flatnonzero(moves != self._none)
        moves = moves[places]
        numbers = np.searchsorted(ends, places, side="right")
        shifts = (ends - lengths)[numbers]
        stops = self._stops(read, places, moves)
        free = 0
        columns = (numbers, shifts, places, moves, stops)
        for number, shift, place, move, stop in zip(*(c.tolist() for c in columns), strict=True):
            doc = docs[number]
            first = doc[place - shift]
            if place < free or first.is_space:
                continue
            free = self._follow(read, place, move) if stop < 0 else stop
            last = doc[free - shift - 1]
            found[number].append((first.idx, last.idx + len(last), self._labels[move]))
        return found

    def _read(self, docs: Sequence[Any], lasts: Places) -> _Read:
        vectors = self._tok2vec.predict(docs)
        last = np.zeros(len(vectors), dtype=bool)
        last[lasts] = True
        return _Read(vectors, self._product(vectors, self._features[0]), last)

    def _product(self, values: Table, weights: Table) -> Table:
        product: Table = self._ops.gemm(values, weights, trans2=True)
        return product

    def _hidden(self, own: Table, first: Table, before: Table) -> Table:
        """The layer above a state, summed up in spaCy's order: roundings are the same."""
        total = own + first
        total += before
        total += self._bias
        return reduce(np.maximum, np.split(total, self._pieces, axis=1))

    def _moves(self, read: _Read) -> Places:
        """The best move for each word, were no entity open before it."""
        hidden = self._hidden(read.own, self._absent[1], self._absent[2])
        scores = self._product(hidden, self._weights[self._outside])
        scores += self._biases[self._outside]
        scores[np.ix_(read.last, self._begins)] = -np.inf  # nothing could follow
        best: Places = scores.argmax(axis=1)
        return best

    def _stops(self, read: _Read, places: Places, moves: Places) -> Places:
        """Behind the last word of each entity, were it to begin there; -1 where that is far."""
        stops = np.where(self._begins[moves], -1, places + 1)
        opened = np.flatnonzero(stops < 0)
        coming = places[opened] + 1
        first = self._product(read.vectors[places[opened]], self._features[1])
        for _ in range(_LONGEST):
            if not len(opened):
                break
            ended = self._ended(read, coming, first, moves[opened])
            stops[opened[ended]] = coming[ended] + 1
            opened, coming, first = opened[~ended], coming[~ended] + 1, first[~ended]
        return stops

    def _follow(self, read: _Read, place: int, move: int) -> int:
        """Behind the last word of a long entity."""
        first = self._product(read.vectors[[place]], self._features[1])
        coming, moves = np.array([place + 1]), np.array([move])
        while not self._ended(read, coming, first, moves)[0]:
            coming = coming + 1
        return int(coming[0]) + 1

    def _ended(
        self, read: _Read, coming: Places, first: Table, moves: Places
    ) -> npt.NDArray[np.bool_]:
        """Whether entities end with the word that comes next; with the text's last they must."""
        before = self._product(read.vectors[coming - 1], self._features[2])
        hidden = self._hidden(read.own[coming], first, before)
        scores = self._product(hidden, self._weights) + self._biases
        rows, on, end = np.arange(len(coming)), self._on[moves], self._end[moves]
        ahead = scores[rows, end] > scores[rows, on]
        even = (scores[rows, end] == scores[rows, on]) & (end < on)
        return np.asarray(ahead | even | read.last[coming])


def _apart(values: Table) -> Table:
    """Units of several pieces, the last axis but one, with equal pieces together."""
    return np.ascontiguousarray(np.swapaxes(values, -3, -2))


def _grouped(docs: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """Texts in lists of some number of words."""
    first = size = 0
    for index, doc in enumerate(docs):
        if size and size + len(doc) > WORDS:
            yield docs[first:index]
            first, size = index, 0
        size += len(doc)
    yield docs[first:]

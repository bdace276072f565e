"""spaCy's greedy search for entities, with its own weights, for the words of many texts at once.

spaCy walks through each text word by word. But outside of an entity a move depends on the next
word alone, so that all words are scored in one product; and inside on three words (the next, the
one before, the entity's first), so that entities can be followed side by side.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from privstamp.crew.threads import held
from privstamp.sensitivity.encoder import Encoder, Mask, TokenReader, Tokens, encoder
from privstamp.sensitivity.frequencies import common_words
from privstamp.text.languages import ENGLISH
from privstamp.text.vocabulary import Vocabulary
from privstamp.types import Table

Entity = tuple[int, int, str]
"""Start, end, spaCy's label."""
Places = npt.NDArray[np.intp]

NAMES: Final = frozenset({"PERSON", "PER", "GPE", "LOC", "FAC", "ORG"})
"""Labels of entities that have a name in them."""
WORDS: Final = 2_000
"""Words of several texts that are read at once."""
_LONGEST: Final = 16
"""Words of an entity that is followed side by side with others; a longer one goes on alone."""
_CAPITAL: Final = re.compile(r"[A-Z]")
_CAPITALS: Final = 0.015
"""Share of a text's characters; English has three in a hundred."""
_BESIDE: Final = 2
"""Words beside a possible name that may be a part of it: "the", "of the"."""
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
        getters, network = nlp.vocab.lex_attr_getters, nlp.get_pipe("ner").model.get_ref("tok2vec")
        with nlp.memory_zone():
            expected = by_spacy(nlp, _PROBE)
            read = encoder(network, [nlp.make_doc(text) for text in _PROBE])
        if read is None:
            return None
        quick = Greedy(nlp, read)
        nlp.vocab.lex_attr_getters = _needed(getters, read.attributes)
        same = quick.entities(_PROBE) == expected
    except (AttributeError, KeyError, IndexError, TypeError, ValueError):
        return None
    if not same:
        nlp.vocab.lex_attr_getters = getters
    return quick if same else None


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
    last: Mask  # of its text
    near: Mask  # words that were read: of others there are zeros
    left: set[int]  # begins of names that went on to words that were not read


class Greedy:
    """The moves of a recogniser: begin, go on in or end an entity, one of a single word, none."""

    def __init__(self, nlp: Any, network: Encoder) -> None:
        recogniser = nlp.get_pipe("ner")
        model, moves = recogniser.model, recogniser.moves
        lower, upper = model.get_ref("lower"), model.get_ref("upper")
        self._encoder = network
        self._reader = TokenReader(nlp, network, _public(nlp.lang))
        weights = _apart(lower.get_param("W"))  # features, pieces, units, inputs
        self._pieces = weights.shape[1]
        flat = weights.reshape(3, -1, weights.shape[-1])
        self._features = np.ascontiguousarray(np.swapaxes(flat, 1, 2))
        self._absent = _apart(lower.get_param("pad")[0][..., None]).reshape(3, -1)
        self._bias = _apart(lower.get_param("b")[..., None]).ravel()
        self._weights, self._biases = (
            np.ascontiguousarray(upper.get_param("W").T),
            upper.get_param("b"),
        )
        names = [moves.get_class_name(number) for number in range(moves.n_moves)]
        place = {name: number for number, name in enumerate(names)}
        # "U-", without a label, is spaCy's mark for words that may be no entity.
        outside = [name for name in names if name[0] in "BUO" and name != "U-"]
        self._outside = [place[name] for name in outside]
        self._free = np.ascontiguousarray(self._weights[:, self._outside])
        self._none = outside.index("O")
        self._labels = [name[2:] for name in outside]
        self._named = np.array([label in NAMES for label in self._labels])
        self._begins = np.array([name[0] == "B" for name in outside])
        inside = [
            label if name[0] == "B" else None
            for name, label in zip(outside, self._labels, strict=True)
        ]
        self._on = np.array([-1 if label is None else place[f"I-{label}"] for label in inside])
        self._end = np.array([-1 if label is None else place[f"L-{label}"] for label in inside])

    def entities(self, texts: Sequence[str], *, names: bool = False) -> list[list[Entity]]:
        """Entities of each text; if `names` alone are asked for, of words near possible ones."""
        entities: list[list[Entity]] = []
        with held():
            for group in _grouped(self._reader.read(texts)):
                entities += self._group(group, names=names)
        return entities

    def _group(self, texts: Sequence[Tokens], *, names: bool) -> list[list[Entity]]:
        entities: list[list[Entity]] = [[] for _ in texts]
        lengths = np.array([len(text.starts) for text in texts], dtype=np.intp)
        ends = np.cumsum(lengths)
        if not lengths.any():
            return entities
        near = np.concatenate([_near(text) if names else _all(text) for text in texts])
        read = self._read(texts, ends[lengths > 0] - 1, near)
        moves = self._moves(read)
        places = np.flatnonzero(moves != self._none)
        moves = moves[places]
        numbers = np.searchsorted(ends, places, side="right")
        shifts = (ends - lengths)[numbers]
        stops = self._stops(read, places, moves)
        free, beyond = 0, set[int]()
        columns = (numbers, shifts, places, moves, stops)
        for number, shift, place, move, stop in zip(*(c.tolist() for c in columns), strict=True):
            text = texts[number]
            start = text.starts[place - shift]
            if place < free or text.text[start].isspace():
                continue
            if place in read.left:  # it is read again, all of it
                beyond.add(number)
                continue
            free = self._follow(read, place, move) if stop < 0 else stop
            end = text.ends[free - shift - 1]
            entities[number].append((start, end, self._labels[move]))
        for number in beyond:
            entities[number] = self._group([texts[number]], names=False)[0]
        return entities

    def _read(self, texts: Sequence[Tokens], lasts: Places, near: Mask) -> _Read:
        vectors = self._encoder.places([text.types for text in texts], near)
        last = np.zeros(len(vectors), dtype=bool)
        last[lasts] = True
        own = np.zeros((len(vectors), self._features.shape[2]), dtype=np.float32)
        own[near] = vectors[near] @ self._features[0]
        return _Read(vectors, own, last, near, set())

    def _hidden(self, token: Table, first: Table, before: Table) -> Table:
        """The layer above a state, summed up in spaCy's order."""
        total = token + first
        total += before
        total += self._bias
        return reduce(np.maximum, np.split(total, self._pieces, axis=1))

    def _moves(self, read: _Read) -> Places:
        """The best move for each word, were no entity open before it."""
        hidden = self._hidden(read.own[read.near], self._absent[1], self._absent[2])
        scores = hidden @ self._free
        scores += self._biases[self._outside]
        scores[np.ix_(read.last[read.near], self._begins)] = -np.inf  # nothing could follow
        best = np.full(len(read.near), self._none, dtype=np.intp)
        best[read.near] = scores.argmax(axis=1)
        return best

    def _stops(self, read: _Read, places: Places, moves: Places) -> Places:
        """Behind the last word of each entity, were it to begin there; -1 where that is far."""
        stops = np.where(self._begins[moves], -1, places + 1)
        opened = np.flatnonzero(stops < 0)
        coming = places[opened] + 1
        first = read.vectors[places[opened]] @ self._features[1]
        for _ in range(_LONGEST):
            if not len(opened):
                break
            if not (known := read.near[coming]).all():
                gone = opened[~known]
                read.left.update(places[gone[self._named[moves[gone]]]].tolist())
                stops[gone] = coming[~known]
                opened, coming, first = opened[known], coming[known], first[known]
            ended = self._ended(read, coming, first, moves[opened])
            stops[opened[ended]] = coming[ended] + 1
            opened, coming, first = opened[~ended], coming[~ended] + 1, first[~ended]
        return stops

    def _follow(self, read: _Read, place: int, move: int) -> int:
        """Behind the last word of a long entity."""
        first = read.vectors[[place]] @ self._features[1]
        coming, moves = np.array([place + 1]), np.array([move])
        while not self._ended(read, coming, first, moves)[0]:
            coming = coming + 1
        return int(coming[0]) + 1

    def _ended(
        self, read: _Read, coming: Places, first: Table, moves: Places
    ) -> npt.NDArray[np.bool_]:
        """Whether entities end with the word that comes next; with the text's last they must."""
        before = read.vectors[coming - 1] @ self._features[2]
        hidden = self._hidden(read.own[coming], first, before)
        scores = hidden @ self._weights + self._biases
        rows, on, end = np.arange(len(coming)), self._on[moves], self._end[moves]
        ahead = scores[rows, end] > scores[rows, on]
        even = (scores[rows, end] == scores[rows, on]) & (end < on)
        return np.asarray(ahead | even | read.last[coming])


def _near(text: Tokens) -> Mask:
    """Words that may be of a name, and those beside them; all words where a small letter tells
    nothing, since there are hardly any others."""
    if len(_CAPITAL.findall(text.text)) < _CAPITALS * len(text.text):
        return _all(text)
    near = ~text.nameless
    for _ in range(_BESIDE):
        near[1:] |= near[:-1].copy()
        near[:-1] |= near[1:].copy()
    return near


def _all(text: Tokens) -> Mask:
    return np.ones(len(text.starts), dtype=np.bool_)


def _public(language: str) -> Callable[[str], bool]:
    """Whether a word in small letters is frequent, or of general English and nobody's name."""
    frequent = common_words(language)
    if language != ENGLISH:
        return frequent.__contains__
    general = Vocabulary(["general"])
    return lambda word: word in frequent or general.has(word, capital=True)


def _apart(values: Table) -> Table:
    """Units of several pieces, the last axis but one, with equal pieces together."""
    return np.ascontiguousarray(np.swapaxes(values, -3, -2))


def _needed(getters: Mapping[int, Any], attributes: Sequence[str]) -> dict[int, Any]:
    """Of spaCy's functions that describe a word, those that the network reads."""
    from spacy.attrs import IDS

    wanted = {IDS[name] for name in ("LOWER", "IS_SPACE", *attributes)}
    return {number: getter for number, getter in getters.items() if number in wanted}


def _grouped(texts: Sequence[Tokens]) -> Iterator[Sequence[Tokens]]:
    """Texts in lists of some number of words."""
    first = size = 0
    for index, text in enumerate(texts):
        if size and size + len(text.starts) > WORDS:
            yield texts[first:index]
            first, size = index, 0
        size += len(text.starts)
    yield texts[first:]

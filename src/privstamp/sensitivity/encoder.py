"""The network under spaCy's recogniser, with its own weights, by numpy's products.

spaCy's network describes a word by its type, and then reads four words either side. Types are
described once for all their places; the rest is products, which numpy does three times as fast as
spaCy's library. Sums are rounded in another order: vectors are the same up to that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from privstamp.sensitivity.frequencies import OPENING, common_words
from privstamp.text.vocabulary import default
from privstamp.types import Table

Mask = npt.NDArray[np.bool_]
Types = npt.NDArray[np.uint64]
"""A row for each type of word: what spaCy hashes of it, and last the word itself."""
_FLOOR: Final = np.float32(1e-8)
_CLOSE: Final = 1e-4
"""How far vectors of a probe may lie from spaCy's own: roundings are a hundredth of it."""


@dataclass(frozen=True, repr=False, eq=False)
class _Layer:
    """The largest of several products, set to mean 0 and variance 1, then scaled."""

    weights: Table  # inputs x outputs, those of each piece side by side
    bias: Table
    scale: Table
    shift: Table

    def __call__(self, values: Table) -> Table:
        return self.finished(values @ self.weights)

    def finished(self, products: Table) -> Table:
        """The layer from its products; they are overwritten."""
        width = len(self.scale)
        products += self.bias
        largest = products[:, :width]
        for start in range(width, products.shape[1], width):
            largest = np.maximum(largest, products[:, start : start + width])
        largest -= largest @ np.full((width, 1), 1 / width, dtype=np.float32)
        variance = np.einsum("ij,ij->i", largest, largest)[:, None] / np.float32(width)
        largest *= 1 / np.sqrt(variance + _FLOOR)
        largest *= self.scale
        largest += self.shift
        return largest


def _layer(maxout: Any, norm: Any) -> _Layer:
    weights, bias = maxout.get_param("W"), maxout.get_param("b")  # outputs x pieces (x inputs)
    by_piece = np.swapaxes(weights, 0, 1).reshape(-1, weights.shape[2])
    return _Layer(
        np.ascontiguousarray(by_piece.T),
        np.ascontiguousarray(bias.T).ravel(),
        norm.get_param("G"),
        norm.get_param("b"),
    )


class Encoder:
    """Vectors of words in their places, as the recogniser asks for them."""

    def __init__(self, network: Any, vocabulary: Any) -> None:
        layers: dict[str, list[Any]] = {}
        for layer in network.walk():
            layers.setdefault(layer.name, []).append(layer)
        (extract,), (linear,) = layers["extract_features"], layers["linear"]
        self.attributes: Final = (*extract.attrs["columns"], "ORTH")
        static = layers.get("static_vectors", [])  # small models have none
        if any(layer.attrs["key_attr"] != "ORTH" for layer in static) or (
            vocabulary.vectors.mode != "default"
        ):
            raise ValueError("words are described in another way")
        if any(layer.attrs["window_size"] != 1 for layer in layers["expand_window"]):
            raise ValueError("words are read in another way")
        self._ops, self._vectors = network.ops, vocabulary.vectors
        self._hashed = sorted(layers["hashembed"], key=lambda layer: int(layer.attrs["column"]))
        self._static = [np.ascontiguousarray(layer.get_param("W").T) for layer in static]
        first, *others = map(_layer, layers["maxout"], layers["layernorm"])
        self._described, self._read = first, others
        self._last = np.ascontiguousarray(linear.get_param("W").T), linear.get_param("b")
        self.width: Final = len(first.scale)

    def types(self, types: Types) -> Table:
        """What each type of word is to the network, wherever it stands."""
        columns = [self._hash(layer, types[:, at]) for at, layer in enumerate(self._hashed)]
        for weights in self._static:
            rows = np.asarray(self._vectors.find(keys=types[:, -1]))
            columns.append(self._vectors.data[rows] @ weights)
            columns[-1][rows < 0] = 0
        return self._described(np.concatenate(columns, axis=1))

    def _hash(self, layer: Any, values: npt.NDArray[np.uint64]) -> Table:
        table = layer.get_param("E")
        keys = self._ops.hash(np.ascontiguousarray(values), layer.attrs["seed"]) % len(table)
        table_rows: Table = self._ops.gather_add(table, keys)
        return table_rows

    def places(self, texts: Sequence[Table], wanted: Mask | None = None) -> Table:
        """Words of several texts, by what their types are; none reads beyond its own text. Of those
        that are not `wanted`, no more is read than the others need; their own rows are zeros."""
        pad, width = len(self._read), self.width
        lengths = [len(text) for text in texts]
        starts = np.cumsum([pad, *(length + pad for length in lengths)]).tolist()
        values = np.zeros((starts[-1], width), dtype=np.float32)
        for text, start in zip(texts, starts, strict=False):
            values[start : start + len(text)] = text
        spans = [range(start, end - pad) for start, end in pairwise(starts)]
        words = np.concatenate([np.arange(span.start, span.stop) for span in spans])
        rows = words if wanted is None else words[wanted]
        reach = np.zeros((pad, starts[-1]), dtype=np.bool_)  # of each layer, from the last one on
        reach[0, rows] = True
        for near, far in pairwise(reach):
            far[:] = near
            far[1:] |= near[:-1]
            far[:-1] |= near[1:]
        for layer, read in zip(self._read, reach[::-1], strict=True):
            here = np.flatnonzero(read)
            around = np.concatenate([values[here - 1], values[here], values[here + 1]], axis=1)
            values[here] += layer(around)
        weights, bias = self._last
        places = np.zeros((len(words), weights.shape[1]), dtype=np.float32)
        places[slice(None) if wanted is None else wanted] = values[rows] @ weights + bias
        return places

    def agrees(self, docs: Sequence[Any], expected: Table) -> bool:
        """Whether vectors are those of the network itself, roundings aside."""
        texts = [self.types(doc.to_array(self.attributes)) for doc in docs]
        return bool(np.abs(self.places(texts) - expected).max() < _CLOSE)


def encoder(network: Any, docs: Sequence[Any]) -> Encoder | None:
    """The same network by numpy; None where it is built in another way, as some texts show."""
    try:
        quick = Encoder(network, docs[0].vocab)
        return quick if quick.agrees(docs, network.predict(docs)) else None
    except (AttributeError, KeyError, IndexError, TypeError, ValueError):
        return None


# spaCy's tokens, with what its network makes of each: asked for once where words are public.
#
# What spaCy makes of a stretch without blanks depends on that stretch alone. Those that hold
# nothing but a frequent or public word and signs are kept from text to text; all others are
# forgotten at once.


LIMIT: Final = 16_384
"""Types of words, and stretches, that are kept at most."""
_SIGNS: Final = ".,;:!?()[]\"'\u2018\u2019\u201c\u201d-\u2013\u2014"
_MOST_SIGNS: Final = 3
_STRETCH: Final = re.compile(r"\S+|\s{2,}|[^\S ]|\A ")
"""What spaCy cuts further: words with their signs, and white space but for one blank behind."""
_SHORTENED: Final = frozenset(
    f"{start}{sign}{end}"
    for sign in "'\u2019"
    for start, end in (*(("", end) for end in ("s", "m", "d", "ve", "re", "ll")), ("n", "t"))
)
"""Ends of contractions: n't, 've."""
_NAMED: Final = frozenset({"trump"})
"""Everyday words that texts in small letters have as names, beside those of the list."""
_WIDE: Final = re.compile(r" \s")

Piece = tuple[int, int, int]
"""Type, start and end of a token within its stretch."""
Key = tuple[int, ...]
"""What spaCy tells of a type of word, in hashes."""


class Tokens(NamedTuple):
    """One text. Private."""

    text: str
    starts: list[int]
    ends: list[int]
    types: Table  # what the network makes of each, by its type
    nameless: Mask  # public words in small letters that name nobody, and signs

    def __repr__(self) -> str:
        return f"Tokens({len(self.starts)})"


class _Fresh(NamedTuple):
    """Stretches that are not kept: their tokens, and of each type its row. Private."""

    pieces: dict[str, tuple[Piece, ...]]
    rows: Table
    nameless: Mask


class TokenReader:
    """A tokenizer and the types it has met; keeps those of public words only."""

    def __init__(self, nlp: Any, encoder: Encoder, is_public: Callable[[str], bool]) -> None:
        self._nlp, self._encoder, self._is_public = nlp, encoder, is_public
        self._kept: dict[str, tuple[Piece, ...]] = {}
        self._ids: dict[Key, int] = {}
        self._rows = np.zeros((LIMIT, encoder.width), dtype=np.float32)
        self._nameless = np.zeros(LIMIT, dtype=np.bool_)

    def read(self, texts: Sequence[str]) -> list[Tokens]:
        """The tokens of each text."""
        stretches = [_stretches(text) for text in texts]
        unknown = {written for text in stretches for written, _ in text} - self._kept.keys()
        fresh = self._fresh(sorted(unknown))
        return [
            self._tokens(text, found, fresh) for text, found in zip(texts, stretches, strict=True)
        ]

    def _tokens(
        self,
        text: str,
        stretches: list[tuple[str, int]],
        fresh: _Fresh,
    ) -> Tokens:
        kept = self._kept
        tokens = [
            (at, piece)
            for written, at in stretches
            for piece in kept.get(written) or fresh.pieces[written]
        ]
        starts = [at + start for at, (_, start, _) in tokens]
        ends = [at + end for at, (_, _, end) in tokens]
        ids = np.array([type_ for _, (type_, _, _) in tokens], dtype=np.intp)
        known, new = np.minimum(ids, LIMIT - 1), ids >= LIMIT
        found, nameless = self._rows[known], self._nameless[known]
        found[new] = fresh.rows[ids[new] - LIMIT]
        nameless[new] = fresh.nameless[ids[new] - LIMIT]
        return Tokens(text, starts, ends, found, nameless)

    def _fresh(self, unknown: list[str]) -> _Fresh:
        """Stretches that are not kept, by tokens whose types count on from LIMIT.

        Those that may be are kept from here on, as long as there is room.
        """
        if not unknown:
            return _Fresh({}, self._rows[:0], self._nameless[:0])
        ids: dict[Key, int] = {}
        with self._nlp.memory_zone():
            pieces = {
                written: tuple((ids.setdefault(key, len(ids)), start, end) for key, start, end in w)
                for written, w in self._cut(unknown)
            }
        rows = self._encoder.types(np.array(list(ids), dtype=np.uint64))
        keys = list(ids)
        words = {id_: written[at:end] for written, w in pieces.items() for id_, at, end in w}
        nameless = np.array([names_nothing(words[id_]) for id_ in range(len(ids))], dtype=np.bool_)
        for written in filter(self._may_keep, unknown):
            if len(self._kept) < LIMIT and len(self._ids) + len(pieces[written]) <= LIMIT:
                self._kept[written] = tuple(
                    (self._keep(keys[id_], rows[id_], nameless[id_]), start, end)
                    for id_, start, end in pieces[written]
                )
        fresh = {
            written: tuple((LIMIT + id_, start, end) for id_, start, end in tokens)
            for written, tokens in pieces.items()
        }
        return _Fresh(fresh, rows, nameless)

    def _keep(self, key: Key, row: Table, nameless: np.bool_) -> int:
        if key not in self._ids:
            self._rows[len(self._ids)] = row
            self._nameless[len(self._ids)] = nameless
            self._ids[key] = len(self._ids)
        return self._ids[key]

    def _may_keep(self, written: str) -> bool:
        """Whether a stretch tells nothing but that some text has a public word, or signs."""
        word = written.strip(_SIGNS)
        if len(written) - len(word) > _MOST_SIGNS:
            return False
        return not word or word in ("\n", "\n\n") or self._is_public(word.lower())

    def _cut(self, unknown: list[str]) -> Iterator[tuple[str, list[tuple[Key, int, int]]]]:
        """The tokens of each stretch: key, start and end. Words are cut in one go."""
        words = [written for written in unknown if not written[0].isspace()]
        cut = _described(self._nlp.tokenizer(" ".join(words)), self._encoder.attributes)
        token = next(cut, None)
        at = 0
        for written in words:
            tokens = []
            while token is not None and token[1] < at + len(written):
                tokens.append((token[0], token[1] - at, token[2] - at))
                token = next(cut, None)
            yield written, tokens
            at += len(written) + 1
        for written in (written for written in unknown if written[0].isspace()):
            doc = self._nlp.tokenizer(written)
            yield written, list(_described(doc, self._encoder.attributes))


def names_nothing(word: str) -> bool:
    """Whether a word is no name by itself: figures, signs, and public words in small letters that
    are not better known as names. Very frequent ones may have the capital of a sentence."""
    small = word.lower()
    if not any(map(str.isalpha, word)) or small in _SHORTENED:
        return True
    named = small in _NAMED or default().is_named(small)
    known = default().has(small, capital=True) and not named
    return known and (
        word == small or (word.istitle() and common_words("en").get(small, 0.0) >= OPENING)
    )


def _described(doc: Any, attributes: Iterable[str]) -> Iterator[tuple[Key, int, int]]:
    for *values, start, length in doc.to_array((*attributes, "IDX", "LENGTH")).tolist():
        yield tuple(values), start, start + length


def _stretches(text: str) -> list[tuple[str, int]]:
    """Stretches and where they begin; of white space behind a word the first blank is left out."""
    found = [(match[0], match.start()) for match in _STRETCH.finditer(text)]
    if _WIDE.search(text) is None:
        return found
    return [(w[1:], at + 1) if w[0] == " " and at else (w, at) for w, at in found]

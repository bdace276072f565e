"""A space of whole words: what `glove` and `vectors:` share."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from privstamp.assets.cache import derived
from privstamp.errors import Incompatible, UsageError
from privstamp.protocols import Space
from privstamp.spaces.classes import SMALLEST, PublicLists, classify
from privstamp.spaces.splitter import LAYOUT, split
from privstamp.spaces.wordlists import ABBREVIATIONS, COARSE, INITIALS, MARKUP, SHORT_WORDS
from privstamp.text.vocabulary import CLITICS, WordTable, write_words
from privstamp.types import Ids, Label, Table, Units

Float64 = npt.NDArray[np.float64]

RECIPES: Final = "raw, centred, abttN (N components removed, such as abtt2)"
_ABTT: Final = re.compile(r"abtt([1-9][0-9]?)")
_BLOCK: Final = 8192
_GRID: Final = 2.0**24
"""Far coarser than what libraries disagree by, far finer than what a table means."""


def components(recipe: str) -> int | None:
    """How many components a recipe removes; None if it does not even centre."""
    if recipe == "raw":
        return None
    if recipe == "centred":
        return 0
    if match := _ABTT.fullmatch(recipe):
        return int(match[1])
    raise UsageError(f'no preprocessing "{recipe}". Known: {RECIPES}')


def preprocess(raw: Table, recipe: str) -> tuple[Table, npt.NDArray[np.float32]]:
    """Unit rows, and each row's length just before it was made unit length.

    A row without a direction (all zeros, before or after centring) gets radius 0 and stays zero.
    It cannot be a unit vector: whoever makes a space gives such a unit no row, so that it counts
    as unknown and is never an output.
    """
    count = components(recipe)
    if raw.ndim != 2 or not raw.size:
        raise UsageError(f"a table has rows and columns; got shape {raw.shape}")
    if count is not None and count >= raw.shape[1]:
        raise UsageError(
            f'"{recipe}" leaves nothing of {raw.shape[1]} dimensions. Known: {RECIPES}'
        )
    if not np.isfinite(raw).all():
        raise UsageError("the table holds numbers that are not finite")
    unit = np.empty(raw.shape, dtype=np.float32)
    radius = np.empty(len(raw), dtype=np.float32)
    mean, top = _directions(raw, count) if count is not None else (None, None)
    for start in range(0, len(raw), _BLOCK):
        here = slice(start, start + _BLOCK)
        columns = _columns(raw[here])
        if mean is not None and top is not None:
            columns, lengths = _direct(columns)
            columns = columns - mean[:, None]
            for axis in top:
                columns -= axis[:, None] * (columns * axis[:, None]).sum(axis=0)
            columns[:, lengths == 0] = 0.0
        columns, lengths = _direct(columns)
        unit[here], radius[here] = columns.T, lengths
    return unit, radius


def _columns(rows: Table) -> Float64:
    """One line per dimension: sums over dimensions are then plain additions, in order."""
    return np.ascontiguousarray(rows.T, dtype=np.float64)


def _direct(columns: Float64) -> tuple[Float64, Float64]:
    """Directions and lengths; what is shorter than rounding counts as zero."""
    lengths = np.sqrt((columns * columns).sum(axis=0))
    lengths[lengths < 1e-6] = 0.0
    scale = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    return columns * scale, lengths


def _directions(raw: Table, count: int) -> tuple[Float64, Float64]:
    """The mean of the unit rows and their `count` main directions around it."""
    width = raw.shape[1]
    total, squares, rows = np.zeros(width), np.zeros((width, width)), 0
    for start in range(0, len(raw), _BLOCK):
        columns, lengths = _direct(_columns(raw[start : start + _BLOCK]))
        total += columns.sum(axis=1)
        squares += columns @ columns.T
        rows += int(np.count_nonzero(lengths))
    rows = max(rows, 1)
    mean = total / rows
    covariance = squares / rows - np.outer(mean, mean)
    top = np.linalg.eigh(covariance)[1][:, ::-1][:, :count].T
    return _rounded(mean), _rounded(top)


def _rounded(values: Float64) -> Float64:
    return np.rint(values * _GRID) / _GRID


ZIPF_SHIFT: Final = 2.7
"""Zipf's law as corrected by Mandelbrot: the word of rank r has probability ∝ 1 / (r + 2.7)."""
_VOWELS: Final = frozenset("aeiouy")
_FIT: Final = SHORT_WORDS | ABBREVIATIONS | INITIALS
_UNFIT: Final = MARKUP | COARSE
_ENGLISH: Final = re.compile("[a-z]+(?:-[a-z]+)*|[a-z]{1,2}'[a-z]{2,}")
_UPPER, _TITLE = int(Label.UPPER), int(Label.TITLE)
_POSSESSIVE, _SPLIT = int(Label.POSSESSIVE), int(Label.SPLIT)


class WordSpace:
    """Words, their table, classes and frequencies, mapped from a folder that `write` made."""

    def __init__(self, name: str, source: str, folder: Path, preprocessing: str) -> None:
        meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
        self.name = name
        self.source = source
        self.classes: tuple[str, ...] = tuple(meta["classes"])
        self.unit: Table = np.load(folder / "unit.npy", mmap_mode="r")
        self.radius: npt.NDArray[np.float32] = np.load(folder / "radius.npy", mmap_mode="r")
        self.class_of: npt.NDArray[np.uint8] = np.load(folder / "class_of.npy", mmap_mode="r")
        self.prior: npt.NDArray[np.float64] = np.load(folder / "prior.npy", mmap_mode="r")
        allowed: Ids = np.load(folder / "outputs.npy")
        of_class = self.class_of[allowed]
        self.outputs: tuple[Ids, ...] = tuple(
            allowed[of_class == number] for number in range(len(self.classes))
        )
        self._lexicon = WordTable(folder)
        arrays = {
            "unit": self.unit,
            "radius": self.radius,
            "class_of": self.class_of,
            "prior": self.prior,
            "outputs": allowed,
        }
        self.fingerprint = fingerprint_of(
            preprocessing, self.classes, self._lexicon.joined(), arrays
        )

    def __repr__(self) -> str:
        sizes = ", ".join(
            f"{name} {len(rows)}" for name, rows in zip(self.classes, self.outputs, strict=True)
        )
        return f"{type(self).__name__}({len(self.unit)} words; outputs: {sizes})"

    def split(self, text: str) -> Units:
        """Cut a text into units; between them lie PASSING characters only."""
        return split(text, self._lexicon)

    def words(self, rows: Ids) -> list[str]:
        """The plain names of rows, for reports."""
        return [self._lexicon.word(row) for row in rows.tolist()]

    def render(self, rows: Ids, labels: npt.NDArray[np.uint8]) -> list[str]:
        """Rows as they are written under these labels."""
        return [
            self.dress(word, label)
            for word, label in zip(self.words(rows), labels.tolist(), strict=True)
        ]

    def dress(self, word: str, label: int) -> str:
        """A word as it is written under this label."""
        if label & _UPPER:
            word = word.upper()
        elif label & _TITLE:
            word = word[:1].upper() + word[1:]
        if label & _POSSESSIVE:
            word += "'S" if label & _UPPER else "'s"
        return " " + word if label & _SPLIT else word


def write(
    folder: Path,
    words: Sequence[str],
    raw: Table,
    *,
    preprocessing: str,
    outputs: int,
    lists: PublicLists,
    readable: Callable[[str], bool],
) -> None:
    """Everything public about a word space; `words` are lower case, most frequent first."""
    words, unit, radius = directed(words, raw, preprocessing)
    prior = zipf(words)
    clean = np.array([readable(word) for word in words], dtype=bool)
    classes, class_of = classify(words, unit, prior, lists, clean)
    first = [np.flatnonzero(clean & (class_of == k))[:outputs] for k in range(len(classes))]
    if min(map(len, first)) < SMALLEST:
        raise Incompatible(
            f"a class has fewer than {SMALLEST} words that may leave. Take a longer word list"
        )
    arrays: dict[str, npt.NDArray[Any]] = {
        "unit": unit,
        "radius": radius,
        "class_of": class_of,
        "prior": prior,
        "outputs": np.sort(np.concatenate(first)).astype(np.int32),
    }
    for name, values in arrays.items():
        np.save(folder / f"{name}.npy", values)
    write_words(folder, words)
    spelt = "\n".join(words).encode()
    meta = {
        "fingerprint": fingerprint_of(preprocessing, classes, spelt, arrays),
        "classes": classes,
    }
    (folder / "meta.json").write_text(json.dumps(meta), encoding="utf-8")


def directed(
    words: Sequence[str], raw: Table, preprocessing: str
) -> tuple[Sequence[str], Table, npt.NDArray[np.float32]]:
    """Words that have a direction, with their unit rows and radii; others count as unknown."""
    unit, radius = preprocess(raw, preprocessing)
    if radius.all():
        return words, unit, radius
    words = [word for word, length in zip(words, radius, strict=True) if length > 0]
    return words, unit[radius > 0], radius[radius > 0]


def fingerprint_of(
    preprocessing: str,
    classes: Sequence[str],
    words: bytes,
    arrays: Mapping[str, npt.NDArray[Any]],
) -> str:
    """SHA-256 of a space, from the arrays in use and not from what a file says of them."""
    digest = hashlib.sha256(json.dumps([LAYOUT, preprocessing, classes]).encode())
    digest.update(words)
    for name, values in arrays.items():
        digest.update(name.encode())
        digest.update(np.ascontiguousarray(values).data)
    return digest.hexdigest()


def zipf(words: Sequence[str]) -> npt.NDArray[np.float64]:
    """Public unigram probabilities by rank; 0 for what no text yields, such as punctuation."""
    weights = 1.0 / (np.arange(1, len(words) + 1, dtype=np.float64) + ZIPF_SHIFT)
    weights[[row for row, word in enumerate(words) if not word.isalnum() and _is_sign(word)]] = 0.0
    total = math.fsum(weights)  # exact, so that the fingerprint is the same everywhere
    if total == 0.0:
        raise UsageError("the word list holds no words")
    return weights / total


def _is_sign(word: str) -> bool:
    return not any(map(str.isalnum, word)) or word in CLITICS


def reads_well(word: str) -> bool:
    """Fit to leave: a plain number, a common abbreviation, or an English-looking word."""
    if word in _FIT:
        return True
    if word.isdigit() and word.isascii():
        return word == "0" or word[0] != "0"
    plain = len(word) > 2 and _ENGLISH.fullmatch(word) is not None
    return plain and not _VOWELS.isdisjoint(word) and word not in _UNFIT


# A space in fewer dimensions: the main directions of its own public table, and nothing else.
#
# Noise in d dimensions drowns a unit the sooner the larger d is; fewer dimensions need a smaller
# epsilon for the same text. The metric is then that of the projected table.

_PROJECTION: Final = "1"  # raise it when tables are projected otherwise


class Projected:
    """Another space with its table projected; units, classes, outputs and prior stay its own."""

    def __init__(self, base: Space, dimensions: int, folder: Path) -> None:
        self._base = base
        self.name = f"{base.name}+pca{dimensions}"
        self.source = f"{base.source}, projected to the {dimensions} main directions of its table"
        self.unit: Table = np.load(folder / "unit.npy", mmap_mode="r")
        self.radius: npt.NDArray[np.float32] = np.load(folder / "radius.npy", mmap_mode="r")
        fingerprint = hashlib.sha256(
            json.dumps([_PROJECTION, base.fingerprint, dimensions]).encode()
        )
        fingerprint.update(np.ascontiguousarray(self.unit).data)
        fingerprint.update(np.ascontiguousarray(self.radius).data)
        self.fingerprint = fingerprint.hexdigest()
        self.classes = base.classes
        self.class_of = base.class_of
        self.outputs = base.outputs
        self.prior = base.prior

    def __repr__(self) -> str:
        return f"Projected({self.name}, {len(self.unit)} x {self.unit.shape[1]})"

    def split(self, text: str) -> Units:
        """Cut a text into units; between them lie PASSING characters only."""
        return self._base.split(text)

    def render(self, rows: Ids, labels: npt.NDArray[np.uint8]) -> list[str]:
        """Rows as they are written under these labels."""
        return self._base.render(rows, labels)

    def words(self, rows: Ids) -> list[str]:
        """The plain names of rows, for reports."""
        return self._base.words(rows)


def project(space: Space, dimensions: int = 32) -> Projected:
    """The space with its rows centred, turned into their main directions, cut, made unit length.

    A row's radius is what was left of its unit vector. Made once per space, then memory-mapped.
    """
    width = space.unit.shape[1]
    is_whole = isinstance(dimensions, int) and not isinstance(dimensions, bool)
    if not (is_whole and 2 <= dimensions < width):
        raise UsageError(f"{space.name}: project takes a whole number from 2 to {width - 1}")

    def build(folder: Path) -> None:
        unit, radius = _main_part(space, dimensions)
        np.save(folder / "unit.npy", unit)
        np.save(folder / "radius.npy", radius)

    recipe = {"space": space.fingerprint, "dimensions": str(dimensions), "version": _PROJECTION}
    label = f"projecting {space.name} to {dimensions} dimensions"
    return Projected(space, dimensions, derived("projection", recipe, build, label=label))


def _main_part(space: Space, dimensions: int) -> tuple[Table, npt.NDArray[np.float32]]:
    mean, axes = _directions(space.unit, dimensions)
    for axis in axes:  # libraries disagree on signs
        axis *= np.sign(axis[np.abs(axis).argmax()])
    unit = np.empty((len(space.unit), dimensions), dtype=np.float32)
    radius = np.empty(len(space.unit), dtype=np.float32)
    for start in range(0, len(space.unit), _BLOCK):
        here = slice(start, start + _BLOCK)
        columns = _direct(_columns(space.unit[here]))[0] - mean[:, None]
        kept = np.stack([(columns * axis[:, None]).sum(axis=0) for axis in axes])
        directions, lengths = _direct(kept)
        if not lengths.all():
            raise Incompatible(
                f"{space.name}: a row has no direction left in {dimensions} dimensions; take more"
            )
        unit[here], radius[here] = directions.T, lengths
    return unit, radius

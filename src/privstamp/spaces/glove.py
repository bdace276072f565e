"""Word spaces of vectors: GloVe's 400,000 English words in 50 dimensions, and `vectors:PATH`."""

from __future__ import annotations

import hashlib
import json
import lzma
import zlib
from array import array
from collections.abc import Mapping, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from privstamp.assets.cache import derived, digest
from privstamp.assets.store import ASSETS, locate
from privstamp.errors import AssetError, UsageError
from privstamp.spaces.classes import list_hashes, read_lists
from privstamp.spaces.splitter import LAYOUT
from privstamp.spaces.words import WordSpace, components, reads_well, write
from privstamp.types import Table

Arrays = dict[str, npt.NDArray[np.int32] | npt.NDArray[np.int64]]


class Linked(Protocol):
    """What of a class's graph is kept: `start` and `ends` list the neighbours of each node."""

    @property
    def start(self) -> npt.NDArray[np.int64]: ...
    @property
    def ends(self) -> npt.NDArray[np.int32]: ...
    @property
    def shells(self) -> npt.NDArray[np.int32]: ...
    @property
    def islands(self) -> int: ...


def shipped(recipe: Mapping[str, str]) -> list[Arrays] | None:
    """The arrays of every class, if the graph that a recipe describes comes with privstamp."""
    place = _place(recipe)
    return unpacked(place.read_bytes()) if place.is_file() else None


def ship(recipe: Mapping[str, str], classes: Sequence[Linked]) -> Path:
    """Write a graph where `shipped` finds it."""
    place = Path(str(_place(recipe)))
    place.parent.mkdir(exist_ok=True)
    place.write_bytes(packed(classes))
    return place


def packed(classes: Sequence[Linked]) -> bytes:
    """Links as differences, low and high bytes apart: a third of the size."""
    facts, parts = [], []
    for class_ in classes:
        ends = class_.ends.astype(np.int64)
        first = np.zeros(len(ends), dtype=bool)
        first[class_.start[:-1][np.diff(class_.start) > 0]] = True
        steps = np.where(first, ends, np.diff(ends, prepend=0))
        facts.append({"islands": int(class_.islands), "width": int(class_.shells.shape[1])})
        parts += [_coded(np.diff(class_.start)), _coded(steps), _coded(class_.shells.reshape(-1))]
    head = json.dumps({"classes": facts, "sizes": [len(part) for part in parts]}).encode()
    return len(head).to_bytes(4, "little") + head + b"".join(parts)


def unpacked(data: bytes) -> list[Arrays]:
    """Undo `packed`."""
    size = int.from_bytes(data[:4], "little")
    head, at = json.loads(data[4 : 4 + size]), 4 + size
    parts = []
    for length in head["sizes"]:
        parts.append(_decoded(data[at : at + length]))
        at += length
    arrays: list[Arrays] = []
    for number, facts in enumerate(head["classes"]):
        degree, steps, shells = parts[3 * number : 3 * number + 3]
        start = np.concatenate([[0], degree.cumsum()])
        total = steps.cumsum()
        before = np.repeat(np.concatenate([[0], total])[start[:-1]], degree)
        arrays.append(
            {
                "start": start,
                "ends": (total - before).astype(np.int32),
                "shells": shells.astype(np.int32).reshape(-1, facts["width"]),
                "islands": np.array(facts["islands"], dtype=np.int64),
            }
        )
    return arrays


def _coded(values: npt.NDArray[np.int64] | npt.NDArray[np.int32]) -> bytes:
    wide = values.astype("<u4")
    return zlib.compress(np.ascontiguousarray(wide.view(np.uint8).reshape(-1, 4).T).tobytes(), 9)


def _decoded(data: bytes) -> npt.NDArray[np.int64]:
    planes = np.frombuffer(zlib.decompress(data), dtype=np.uint8).reshape(4, -1)
    return np.ascontiguousarray(planes.T).view("<u4").reshape(-1).astype(np.int64)


def _place(recipe: Mapping[str, str]) -> Traversable:
    key = hashlib.sha256(json.dumps(dict(recipe), sort_keys=True).encode()).hexdigest()
    return files("privstamp.spaces").joinpath("data", f"graph-{key[:16]}.bin")


WORDS = 400_000
PREPROCESSING: Final = "abtt2"
_WORDS: Final = "1b0dcc21718e71c7820f93d592fc1c4ebce6251c3f1a0ef44c39b37ed1f7ea41"
"""SHA-256 of the list of words that is shipped."""


class Glove(WordSpace):
    """English words, 400,000 as inputs; of each class, the first `outputs` that read well leave."""

    def __init__(self, *, outputs: int = 50_000, preprocessing: str = PREPROCESSING) -> None:
        components(preprocessing)
        check_outputs(outputs)
        recipe = {name: member.sha256 for name, member in ASSETS["glove"].members.items()}
        recipe |= list_hashes() | {"words": _WORDS}
        recipe |= {"outputs": str(outputs), "preprocessing": preprocessing, "layout": LAYOUT}

        def build(folder: Path) -> None:
            write(
                folder,
                *read_glove(),
                preprocessing=preprocessing,
                outputs=outputs,
                lists=read_lists(),
                readable=reads_well,
            )

        folder = derived("glove", recipe, build, label="preparing the word space (once)")
        source = f"GloVe 6B, {WORDS:,} words, 50 dimensions, {preprocessing}"
        super().__init__("glove", source, folder, preprocessing)


def check_outputs(outputs: object) -> None:
    """Refuse a number of output words that is not one."""
    if not isinstance(outputs, int) or isinstance(outputs, bool) or outputs < 1000:
        raise UsageError("outputs must be a whole number of words, at least 1000")


def read_glove() -> tuple[list[str], Table]:
    """Words in order of frequency, and their vectors as they are published."""
    return _words(), np.load(locate("glove", "vectors"), mmap_mode="r", allow_pickle=False)


def _words() -> list[str]:
    """In order of frequency, as the vectors are (`python benchmarks/places.py` derives them)."""
    packed = (files(__package__) / "data" / "glove-words.xz").read_bytes()
    if hashlib.sha256(packed).hexdigest() != _WORDS:
        raise AssetError("the words of GloVe are not those of this version. Install it again")
    return lzma.decompress(packed).decode().split("\n")


_HELP: Final = (
    "Expected text with one word and its numbers per line (GloVe, word2vec or fastText .vec), "
    "or a .npy table with its words, one per line, in a .txt of the same name"
)


def files_of(argument: str) -> tuple[Path, ...]:
    """The file or files that an argument means; refused with the reason where one is missing."""
    path = Path(argument).expanduser()
    paths = (path, path.with_suffix(".txt")) if path.suffix == ".npy" else (path,)
    for each in paths:
        if not argument or not each.is_file():
            what = "is a folder" if argument and each.is_dir() else "does not exist"
            raise AssetError(f'vectors: "{each}" {what}. {_HELP}')
    return paths


def read_vectors(paths: tuple[Path, ...]) -> tuple[list[str], Table]:
    """Words in the order of the file, and their raw rows."""
    try:
        words, table = _read_npy(*paths) if len(paths) == 2 else _read_text(paths[0])
    except OSError as error:
        trouble = error.strerror or type(error).__name__
    else:
        bad = np.flatnonzero(~np.isfinite(table).all(axis=1))
        if len(bad):
            raise AssetError(f'vectors: row {bad[0] + 1} of "{paths[0]}" holds a number not finite')
        return words, table
    raise AssetError(f'vectors: "{paths[0]}" cannot be read ({trouble})')


def _read_npy(table_path: Path, words_path: Path) -> tuple[list[str], Table]:
    try:
        table = np.load(table_path, allow_pickle=False)
    except (ValueError, EOFError):
        table = None
    if not isinstance(table, np.ndarray) or table.ndim != 2 or table.dtype.kind not in "fiu":
        raise AssetError(f'vectors: "{table_path}" is not a plain table of numbers. {_HELP}')
    text = words_path.read_bytes().decode("utf-8", errors="replace")
    words = [line.rstrip("\r") for line in text.removesuffix("\n").split("\n")]
    if len(words) != len(table):
        raise AssetError(
            f'vectors: "{words_path}" has {len(words)} words and the table {len(table)} rows'
        )
    return words, table.astype(np.float32)


def _read_text(path: Path) -> tuple[list[str], Table]:
    words: list[str] = []
    numbers = array("f")
    promised, width = None, 0
    with path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            fields = line.replace(b"\t", b" ").rstrip(b" \r\n").split(b" ")
            if number == 1:
                if len(fields) == 2 and fields[0].isdigit() and fields[1].isdigit():
                    promised, width = int(fields[0]), int(fields[1])
                    continue
                width = len(fields) - 1
            values = _numbers(fields[-width:]) if 1 < width < len(fields) else None
            word = b" ".join(fields[:-width]).decode("utf-8", errors="replace")
            if not values or not word:
                raise AssetError(
                    f'vectors: line {number} of "{path}" is not a word and {width} numbers. {_HELP}'
                )
            words.append(word)
            numbers.extend(values)
    if promised not in (None, len(words)):
        raise AssetError(
            f'vectors: "{path}" announces {promised} words and holds {len(words)}; is it complete?'
        )
    if not words:
        raise AssetError(f'vectors: "{path}" is empty. {_HELP}')
    return words, np.array(numbers, dtype=np.float32).reshape(len(words), width)


def _numbers(fields: list[bytes]) -> list[float] | None:
    try:
        return [float(field) for field in fields]
    except (ValueError, OverflowError):
        return None


class Vectors(WordSpace):
    """Your own word vectors (GloVe, word2vec or fastText text, or .npy), most frequent first."""

    def __init__(
        self, argument: str, *, outputs: int = 50_000, preprocessing: str = "abtt2"
    ) -> None:
        components(preprocessing)
        check_outputs(outputs)
        paths = files_of(argument)
        recipe = list_hashes() | {
            f"file {number}": digest(path) for number, path in enumerate(paths)
        }
        recipe |= {"outputs": str(outputs), "preprocessing": preprocessing, "layout": LAYOUT}

        def build(folder: Path) -> None:
            words, raw = uncased(*read_vectors(paths))
            write(
                folder,
                words,
                raw,
                preprocessing=preprocessing,
                outputs=outputs,
                lists=read_lists(),
                readable=may_leave,
            )

        folder = derived("vectors", recipe, build, label=f"preparing {paths[0].name} (once)")
        source = f"{paths[0].name}, SHA-256 {recipe['file 0'][:16]}, {preprocessing}"
        super().__init__("vectors", source, folder, preprocessing)


def uncased(words: list[str], raw: Table) -> tuple[list[str], Table]:
    """Lower-case words, each once: the most frequent spelling speaks for all."""
    first: dict[str, int] = {}
    for row, word in enumerate(words):
        first.setdefault(word.lower(), row)
    return list(first), raw if len(first) == len(raw) else raw[list(first.values())]


def may_leave(word: str) -> bool:
    """Plain words of any script; of Latin ones those that read well."""
    return reads_well(word) if word.isascii() else word.isalpha()

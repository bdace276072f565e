"""The default space: 400,000 English words in 50 dimensions (GloVe 6B)."""

from __future__ import annotations

import hashlib
import json
import lzma
import zlib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from privstamp.assets.cache import derived
from privstamp.assets.store import ASSETS, locate
from privstamp.errors import AssetError, UsageError
from privstamp.spaces.classes import list_hashes, read_lists
from privstamp.spaces.words import LAYOUT, WordSpace, components, reads_well, write

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
    found: list[Arrays] = []
    for number, facts in enumerate(head["classes"]):
        degree, steps, shells = parts[3 * number : 3 * number + 3]
        start = np.concatenate([[0], degree.cumsum()])
        total = steps.cumsum()
        before = np.repeat(np.concatenate([[0], total])[start[:-1]], degree)
        found.append(
            {
                "start": start,
                "ends": (total - before).astype(np.int32),
                "shells": shells.astype(np.int32).reshape(-1, facts["width"]),
                "islands": np.array(facts["islands"], dtype=np.int64),
            }
        )
    return found


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
_WORDS: Final = "1b0dcc21718e71c7820f93d592fc1c4ebce6251c3f1a0ef44c39b37ed1f7ea41"
"""SHA-256 of the list of words that is shipped."""


class Glove(WordSpace):
    """English words, 400,000 as inputs; of each class, the first `outputs` that read well leave."""

    def __init__(self, *, outputs: int = 50_000, preprocessing: str = "abtt2") -> None:
        components(preprocessing)
        check_outputs(outputs)
        recipe = {name: member.sha256 for name, member in ASSETS["glove"].members.items()}
        recipe |= list_hashes() | {"words": _WORDS}
        recipe |= {"outputs": str(outputs), "preprocessing": preprocessing, "layout": LAYOUT}

        def build(folder: Path) -> None:
            write(
                folder,
                _words(),
                np.load(locate("glove", "vectors"), allow_pickle=False),
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


def _words() -> list[str]:
    """In order of frequency, as the vectors are (`python benchmarks/places.py` derives them)."""
    packed = (files(__package__) / "data" / "glove-words.xz").read_bytes()
    if hashlib.sha256(packed).hexdigest() != _WORDS:
        raise AssetError("the words of GloVe are not those of this version. Install it again")
    return lzma.decompress(packed).decode().split("\n")

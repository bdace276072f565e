"""Approximate search for huge vocabularies, by faiss. Post-processing: it costs no privacy."""

from __future__ import annotations

import re
from typing import Any, ClassVar, Final, Protocol

import numpy as np
import numpy.typing as npt

from privstamp.decoding.exact import Exact, unit
from privstamp.errors import PolicyError, optional
from privstamp.noise import Vectors
from privstamp.protocols import Space
from privstamp.types import Ids

_SEED = 1234  # of the training of an index; public, like the table
_MOST: Final = 1 << 16
"""The largest number in an index string, and of rows kept in sight."""
_LINKS: Final = {"HNSW": (2, 512), "NSG": (8, 512)}
"""Links of a graph. With fewer, faiss ends the process or never ends."""


class _Index(Protocol):
    """As much of a faiss index as is used."""

    def search(
        self, queries: npt.NDArray[np.float32], count: int
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int64]]: ...


class Faiss:
    """A nearby output row, not always the nearest: `index` is any factory string of faiss.

    Where an index finds nothing, the exact search answers.
    """

    approximate = True
    _option: ClassVar[str] = "index"  # what a policy says to choose the index

    def __init__(self, space: Space, *, index: str = "IVF1024,Flat", probes: int = 32) -> None:
        self._probes = _whole("probes", probes, 1, _MOST)
        self._factory = _sound(index)
        self._faiss = optional("faiss", "faiss", "approximate decoding")
        self._space = space
        self._exact = Exact(space)
        self._built: dict[int, _Index] = {}
        self._empty(self._factory)  # refused here, never while text is inside

    def decode(self, queries: Vectors, classes: npt.NDArray[np.uint8]) -> Ids:
        """Rows of `outputs[class]` with a large cosine."""
        if not np.all(np.isfinite(queries)):
            raise ValueError("a query is not finite")
        out = np.empty(len(queries), dtype=np.int32)
        for number in np.unique(classes).tolist():
            here = np.flatnonzero(classes == number)
            directions = np.ascontiguousarray(unit(queries[here]), dtype=np.float32)
            nearest = self._index(number).search(directions, 1)[1][:, 0]
            out[here] = self._space.outputs[number][nearest]
            lost = here[nearest < 0]
            if len(lost):
                out[lost] = self._exact.decode(queries[lost], classes[lost])
        return out

    def _index(self, number: int) -> _Index:
        if number not in self._built:
            self._built[number] = self._build(number)
        return self._built[number]

    def _build(self, number: int) -> _Index:
        rows = np.ascontiguousarray(self._space.unit[self._space.outputs[number]], dtype=np.float32)
        factory = self._factory
        if len(rows) < 50_000 and not factory.startswith("HNSW"):
            factory = "Flat"  # too few to train on, and quick as they are
        index = self._empty(factory)
        if hasattr(index, "cp"):
            index.cp.seed = _SEED
        try:
            index.train(rows)
            index.add(rows)
        except RuntimeError:
            index = None
        if index is None:
            raise PolicyError(
                f"decoder: faiss cannot build the index that {self._option} asks for over the "
                f"{len(rows):,} rows of a class"
            )
        if hasattr(index, "nprobe"):
            index.nprobe = self._probes
        if hasattr(index, "hnsw"):
            index.hnsw.efSearch = self._probes
        built: _Index = index
        return built

    def _empty(self, factory: str) -> Any:
        """The index without any rows."""
        try:
            return self._faiss.index_factory(
                self._space.unit.shape[1], factory, self._faiss.METRIC_INNER_PRODUCT
            )
        except RuntimeError:
            known = False
        assert not known
        raise PolicyError(f'decoder: faiss knows no {self._option} "{factory}" for this table')


class Hnsw(Faiss):
    """A graph of near rows, walked from row to row; `effort` is how many it keeps in sight."""

    _option: ClassVar[str] = "links"

    def __init__(self, space: Space, *, links: int = 32, effort: int = 128) -> None:
        links = _whole("links", links, *_LINKS["HNSW"])
        super().__init__(space, index=f"HNSW{links}", probes=_whole("effort", effort, 1, _MOST))


def _whole(option: str, value: int, least: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise PolicyError(f"decoder: {option} is a whole number from {least} to {most}")
    return value


def _sound(index: str) -> str:
    """A factory string without numbers at which faiss ends the process, or asks for all memory."""
    if not isinstance(index, str):
        raise PolicyError("decoder: index is a factory string of faiss")
    if any(not 1 <= int(number) <= _MOST for number in re.findall(r"[0-9]{1,19}", index)):
        raise PolicyError(f"decoder: numbers in index are from 1 to {_MOST}")
    for kind, (least, most) in _LINKS.items():
        for links in re.findall(rf"{kind}([0-9]+)", index):
            if not least <= int(links) <= most:
                raise PolicyError(f"decoder: in index, {kind} has from {least} to {most} links")
    return index

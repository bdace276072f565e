"""Approximate search for huge vocabularies, by faiss. Post-processing: it costs no privacy."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from privstamp.decoding.exact import Exact, unit
from privstamp.errors import MissingExtra, PolicyError
from privstamp.noise import Vectors
from privstamp.protocols import Space
from privstamp.types import Ids

_SEED = 1234  # of the training of an index; public, like the table


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

    def __init__(self, space: Space, *, index: str = "IVF1024,Flat", probes: int = 32) -> None:
        if isinstance(probes, bool) or not isinstance(probes, int) or probes < 1:
            raise PolicyError("decoder: probes is a whole number from 1")
        self._faiss = _faiss()
        self._space = space
        self._exact = Exact(space)
        self._factory = index
        self._probes = probes
        self._built: dict[int, _Index] = {}

    def decode(self, queries: Vectors, classes: npt.NDArray[np.uint8]) -> Ids:
        """Rows of `outputs[class]` with a large cosine."""
        if not np.all(np.isfinite(queries)):
            raise ValueError("a query is not finite")
        out = np.empty(len(queries), dtype=np.int32)
        for number in np.unique(classes).tolist():
            mine = np.flatnonzero(classes == number)
            directions = np.ascontiguousarray(unit(queries[mine]), dtype=np.float32)
            found = self._index(number).search(directions, 1)[1][:, 0]
            out[mine] = self._space.outputs[number][found]
            lost = mine[found < 0]
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
        try:
            index = self._faiss.index_factory(
                rows.shape[1], factory, self._faiss.METRIC_INNER_PRODUCT
            )
        except RuntimeError:
            index = None
        if index is None:
            raise PolicyError(f'decoder: faiss knows no index "{factory}"')
        if hasattr(index, "cp"):
            index.cp.seed = _SEED
        index.train(rows)
        index.add(rows)
        if hasattr(index, "nprobe"):
            index.nprobe = self._probes
        if hasattr(index, "hnsw"):
            index.hnsw.efSearch = self._probes
        built: _Index = index
        return built


class Hnsw(Faiss):
    """A graph of near rows, walked from row to row; `effort` is how many it keeps in sight."""

    def __init__(self, space: Space, *, links: int = 32, effort: int = 128) -> None:
        super().__init__(space, index=f"HNSW{links}", probes=effort)


def _faiss() -> Any:
    try:
        import faiss
    except ImportError:
        missing = True
    else:
        return faiss
    assert missing
    raise MissingExtra("faiss", "approximate decoding")

"""A space in fewer dimensions: the main directions of its own public table, and nothing else.

Noise in d dimensions drowns a unit the sooner the larger d is; fewer dimensions need a smaller
epsilon for the same text. The metric is then that of the projected table.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from privstamp.assets.cache import derived
from privstamp.errors import Incompatible, UsageError
from privstamp.protocols import Space
from privstamp.spaces.words import _columns, _direct, _directions
from privstamp.types import Ids, Table, Units

VERSION: Final = "1"
_BLOCK: Final = 8192


class Projected:
    """Another space with its table projected; units, classes, outputs and prior stay its own."""

    def __init__(self, base: Space, dimensions: int, folder: Path) -> None:
        self._base = base
        self.name = f"{base.name}+pca{dimensions}"
        self.source = f"{base.source}, projected to the {dimensions} main directions of its table"
        self.unit: Table = np.load(folder / "unit.npy", mmap_mode="r")
        self.radius: npt.NDArray[np.float32] = np.load(folder / "radius.npy", mmap_mode="r")
        fingerprint = hashlib.sha256(json.dumps([VERSION, base.fingerprint, dimensions]).encode())
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

    recipe = {"space": space.fingerprint, "dimensions": str(dimensions), "version": VERSION}
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

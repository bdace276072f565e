"""From a raw table and a tokenizer to what a piece space holds, as files that are made once."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from privstamp.errors import AssetError
from privstamp.spaces.preprocessing import preprocess
from privstamp.spaces.tokenizer_spec import PlainTokenizer
from privstamp.types import UNKNOWN, Table

Mask = npt.NDArray[np.bool_]
Law = npt.NDArray[np.float64]

VERSION: Final = "1"
"""Raise it when the files change meaning, so that older ones are made again."""
TWIN_COSINE: Final = 0.9999
"""Rows closer than this were never told apart in training."""
ZIPF_SHIFT: Final = 2.7
ALLOWED_CONTROLS: Final = "\n\t"
FACTS: Final = ("strings", "missing", "spaced", "uncased", "preprocessing")
ARRAYS: Final = ("unit", "radius", "outputs", "row_of_id", "prior")


def write(folder: Path, raw: Table, tokenizer: PlainTokenizer, preprocessing: str) -> None:
    """Everything public about a piece space, fingerprint included."""
    if not np.isfinite(raw).all():
        raise AssetError("the embedding table holds numbers that are not finite")
    ids = min(len(raw), len(tokenizer.strings))
    unit, radius = preprocess(raw[:ids], preprocessing)
    rows = np.flatnonzero(radius > 0)
    marker = np.zeros(ids, dtype=bool)
    marker[[index for index in tokenizer.markers if index < ids]] = True
    dead = marker | undertrained(raw[:ids], marker)
    strings = [tokenizer.strings[index] for index in rows.tolist()]
    readable = np.array([fit_to_leave(string) for string in strings], dtype=bool)
    outputs = np.flatnonzero(readable & ~dead[rows]).astype(np.int32)
    if len(outputs) < 2:
        raise AssetError("the tokenizer and its table leave fewer than two pieces to choose from")
    row_of_id = np.full(len(tokenizer.strings), UNKNOWN, dtype=np.int32)
    row_of_id[rows] = np.arange(len(rows), dtype=np.int32)
    row_of_id[:ids][dead] = UNKNOWN
    arrays: dict[str, npt.NDArray[Any]] = {
        "unit": unit if len(rows) == len(unit) else unit[rows],
        "radius": radius[rows],
        "outputs": outputs,
        "row_of_id": row_of_id,
        "prior": prior(rows, row_of_id[rows] != UNKNOWN, tokenizer.scores),
    }
    facts = {
        "strings": strings,
        "missing": list(tokenizer.missing),
        "spaced": tokenizer.spaced,
        "uncased": tokenizer.uncased,
        "preprocessing": preprocessing,
    }
    for name, values in arrays.items():
        np.save(folder / f"{name}.npy", values)
    (folder / "tokenizer.json").write_text(tokenizer.json, encoding="utf-8", newline="")
    meta = json.dumps(facts | {"fingerprint": fingerprint_of(facts, tokenizer.json, arrays)})
    (folder / "meta.json").write_text(meta, encoding="utf-8")


def fingerprint_of(
    facts: Mapping[str, Any], tokenizer: str, arrays: Mapping[str, npt.NDArray[Any]]
) -> str:
    """SHA-256 of a space, from what is in use and not from what a file says of it."""
    content = json.dumps({name: facts[name] for name in FACTS})
    found = hashlib.sha256(f"{content}\n{tokenizer}\n".encode())
    for name in ARRAYS:
        found.update(name.encode())
        found.update(np.ascontiguousarray(arrays[name]).data)
    return found.hexdigest()


def fit_to_leave(string: str | None) -> bool:
    """Text on its own: not empty, no control, format, unassigned or unusual spacing character."""
    return bool(string) and not any(_is_odd(c) for c in string or "")


def _is_odd(character: str) -> bool:
    if character in ALLOWED_CONTROLS or character == " ":
        return False
    return unicodedata.category(character)[0] in "CZ" or character == "\ufffd"


def prior(rows: npt.NDArray[np.intp], usable: Mask, scores: list[float] | None) -> Law:
    """Public unigram probabilities: the tokenizer's own, else Zipf's law over its order.

    Merges are learned most frequent first and vocabularies sorted likewise, so the order of ids
    stands in for a count that nobody published.
    """
    if scores is not None:
        weights = np.exp(np.array(scores, dtype=np.float64)[rows])
    else:
        weights = 1.0 / (np.cumsum(usable) + ZIPF_SHIFT)
    weights[~usable] = 0.0
    law: Law = weights / weights.sum()
    return law


def undertrained(raw: Table, marker: Mask) -> Mask:
    """Rows that nearly equal a marker's row or one another: nothing was learned about them."""
    lengths = np.sqrt(np.einsum("ij,ij->i", raw, raw, dtype=np.float64))
    unit = raw / np.maximum(lengths, 1e-30)[:, None].astype(np.float32)
    like_marker = (unit @ unit[marker].T > TWIN_COSINE).any(axis=1)
    found: Mask = like_marker | _twins(unit) | (lengths == 0)
    return found


def _twins(unit: Table) -> Mask:
    """Rows with a near-equal row; candidates lie close together along the widest axis."""
    axis = int(np.argmax(unit.var(axis=0)))
    order = np.argsort(unit[:, axis], kind="stable")
    ordered = unit[order]
    reach = ordered[:, axis] + np.float32(1.01 * np.sqrt(2.0 - 2.0 * TWIN_COSINE))
    ends = np.searchsorted(ordered[:, axis], reach, side="right")
    twin = np.zeros(len(unit), dtype=bool)
    step = 256
    for start in range(0, len(unit), step):
        stop = min(start + step, len(unit))
        near = ordered[start:stop] @ ordered[start : ends[stop - 1]].T > TWIN_COSINE
        np.fill_diagonal(near, False)
        twin[order[start:stop]] |= near.any(axis=1)
        twin[order[start : ends[stop - 1]]] |= near.any(axis=0)
    return twin

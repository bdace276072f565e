"""From a raw table and a tokenizer to what a piece space holds, as files that are made once."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from privstamp.errors import AssetError, suggest
from privstamp.spaces.gguf import ENCODINGS, Bytes, widened
from privstamp.spaces.tokenizer_spec import PlainTokenizer
from privstamp.spaces.words import preprocess
from privstamp.types import UNKNOWN, Table

KNOWN_NAMES: Final = (
    "shared.weight",  # T5, BART: encoder and decoder share it
    "wte.weight",  # GPT-2
    "embed_tokens.weight",  # Llama, Qwen, Mistral, Gemma
    "word_embeddings.weight",  # BERT, RoBERTa, MPNet, BLOOM, Falcon
    "embed_in.weight",  # GPT-NeoX
    "tok_embeddings.weight",  # ModernBERT
    "token_embedding.weight",  # CLIP
)
"""How the input embedding is called, most telling first; models put their own prefix before it."""
SINGLE: Final = "model.safetensors"
INDEX: Final = "model.safetensors.index.json"
READABLE: Final = ("F32", "F16", "BF16")
_SHARD: Final = re.compile(r"[\w.-]+\.safetensors")
HEADER_LIMIT: Final = 100_000_000
PICKLES: Final = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl")


@dataclass(frozen=True)
class Embedding:
    """Where the table lies: file, dtype, shape and bytes, all checked against the file."""

    name: str
    path: Path
    dtype: str
    rows: int
    columns: int
    start: int

    def _bytes(self) -> Bytes:
        size = ENCODINGS[self.dtype].bytes_of(self.rows, self.columns)
        return np.memmap(self.path, np.uint8, "r", offset=self.start, shape=(size or 0,))

    def table(self) -> Table:
        return widened(self._bytes(), ENCODINGS[self.dtype], self.rows, self.columns)

    def digest(self) -> str:
        """SHA-256 over how the table is read and its bytes."""
        head = f"{self.name} {self.dtype} {self.rows} {self.columns} "
        digest = hashlib.sha256(head.encode())
        digest.update(self._bytes().data)
        return digest.hexdigest()


def find_embedding(folder: Path, vocabulary: int) -> Embedding:
    """The input embedding among all tensors of a folder; an error lists the candidates."""
    files = weight_files(folder)
    tensors = {name: (path, entry) for path in files for name, entry in _header(path).items()}
    shapes = {name: _shape(entry) for name, (_, entry) in tensors.items()}
    tables = {name: shape for name, shape in shapes.items() if len(shape) == 2}
    name = choose(tables, vocabulary, folder.name)
    path, entry = tensors[name]
    return _checked(name, path, entry)


def weight_files(folder: Path) -> list[Path]:
    """The files that make up the model: as the index says, else model.safetensors, else all."""
    present = sorted(folder.glob("*.safetensors"))
    if not present:
        raise AssetError(_why_none(folder))
    index = folder / INDEX
    if index.is_file():
        shards = set(shard_names(index).values())
        return [path for path in present if path.name in shards]
    single = folder / SINGLE
    return [single] if single in present else present


def shard_names(index: Path) -> dict[str, str]:
    """Which file holds which tensor, from an index file."""
    try:
        content = json.loads(index.read_bytes())
        names = dict(content["weight_map"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        names = {}
    if not names or not all(_SHARD.fullmatch(str(name)) for name in names.values()):
        raise AssetError(f"{index.name} is not an index of safetensors files")
    return names


def choose(tables: Mapping[str, tuple[int, ...]], vocabulary: int, where: str) -> str:
    """The name of the input embedding: a known one, else the only embedding that is long enough."""
    for known in KNOWN_NAMES:
        named = [name for name in tables if name == known or name.endswith("." + known)]
        if len(named) == 1:
            return named[0]
        if named:
            break
    else:
        named = [
            name for name, shape in tables.items() if "embed" in name and shape[0] >= vocabulary
        ]
    if len(named) == 1:
        return named[0]
    options = ", ".join(sorted(named or [n for n in tables if "embed" in n])) or "none"
    raise AssetError(
        f"{where} has {len(named)} tensors that could be the input embedding of "
        f"{vocabulary} tokens. Candidates: {options}"
    )


def _why_none(folder: Path) -> str:
    pickled = any(next(folder.glob(pattern), None) for pattern in PICKLES)
    if pickled:
        return (
            f"{folder.name} holds its weights as pickle files, which can run code and are never "
            "opened. Convert them to safetensors, or take a revision that has them"
        )
    return f"{folder.name} holds no .safetensors file"


def _fail(path: Path, trouble: str) -> AssetError:
    return AssetError(f"{path.name} cannot be read as safetensors: {trouble}")


def _header(path: Path) -> dict[str, Any]:
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            text = file.read(length) if length <= min(HEADER_LIMIT, size - 8) else b""
        header = json.loads(text)
    except (OSError, ValueError, RecursionError):
        header = None
    if not isinstance(header, dict):
        raise _fail(path, "no header")
    header.pop("__metadata__", None)
    for entry in header.values():
        if isinstance(entry, dict):
            entry["origin"] = 8 + length
    return header


def _whole(values: Any) -> bool:
    return isinstance(values, list) and all(type(n) is int and n >= 0 for n in values)


def _shape(entry: Any) -> tuple[int, ...]:
    shape = entry.get("shape") if isinstance(entry, dict) else None
    return tuple(shape) if _whole(shape) and shape else ()


def _checked(name: str, path: Path, entry: dict[str, Any]) -> Embedding:
    rows, columns = _shape(entry)
    dtype: str = str(entry.get("dtype"))
    offsets: Any = entry.get("data_offsets")
    if dtype not in READABLE:
        raise _fail(path, f"{name} is of type {dtype}.{suggest(dtype, READABLE)}")
    size = ENCODINGS[dtype].bytes_of(rows, columns)
    if not _whole(offsets) or len(offsets) != 2 or offsets[1] - offsets[0] != size or not size:
        raise _fail(path, f"the bytes of {name} do not fit its shape")
    start = entry["origin"] + offsets[0]
    if start + size > path.stat().st_size:
        raise _fail(path, f"{name} goes beyond its end")
    return Embedding(name, path, dtype, rows, columns, start)


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
    digest = hashlib.sha256(f"{content}\n{tokenizer}\n".encode())
    for name in ARRAYS:
        digest.update(name.encode())
        digest.update(np.ascontiguousarray(arrays[name]).data)
    return digest.hexdigest()


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
    mask: Mask = like_marker | _twins(unit) | (lengths == 0)
    return mask


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

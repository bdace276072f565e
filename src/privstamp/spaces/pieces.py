"""Spaces of token pieces: SmolLM2's, any GGUF file's, any Hugging Face model's."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from privstamp.assets.cache import derived
from privstamp.assets.store import ASSETS, locate
from privstamp.errors import AssetError
from privstamp.spaces import piece_table, tokenizer_spec
from privstamp.spaces.gguf import GgufFile
from privstamp.spaces.hub import TOKENIZER, model_folder
from privstamp.spaces.piece_table import find_embedding
from privstamp.spaces.piece_units import Cutter
from privstamp.spaces.words import components
from privstamp.types import Ids, Label, Table, Units

TOKENIZER_LIMIT = 1 << 28


class PieceSpace:
    """Pieces of a tokenizer, each with its row of the model's input embedding.

    A unit that carries a blank in front has Label.SPLIT, so that `dress` writes the blank before
    a replacement; `render` ignores it, because a row's own string says whether it has one.
    """

    classes = ("piece",)

    def __init__(self, name: str, source: str, folder: Path) -> None:
        self.name = name
        self.source = source
        meta: Mapping[str, Any] = json.loads((folder / "meta.json").read_bytes())
        self.unit: Table = np.load(folder / "unit.npy", mmap_mode="r")
        self.radius: npt.NDArray[np.float32] = np.load(folder / "radius.npy")
        self.class_of = np.zeros(len(self.unit), dtype=np.uint8)
        self.outputs: tuple[Ids, ...] = (np.load(folder / "outputs.npy"),)
        self.prior: npt.NDArray[np.float64] = np.load(folder / "prior.npy")
        self._strings: list[str | None] = meta["strings"]
        self._uncased: bool = meta["uncased"]
        tokenizer = (folder / TOKENIZER).read_bytes().decode()
        row_of_id = np.load(folder / "row_of_id.npy")
        arrays = {
            "unit": self.unit,
            "radius": self.radius,
            "outputs": self.outputs[0],
            "row_of_id": row_of_id,
            "prior": self.prior,
        }
        self.fingerprint = piece_table.fingerprint_of(meta, tokenizer, arrays)
        self._cutter = Cutter(
            tokenizer_spec.load(tokenizer),
            self._strings,
            row_of_id,
            missing=bytes(meta["missing"]),
            spaced=meta["spaced"],
            uncased=self._uncased,
        )

    def __repr__(self) -> str:
        rows, dimensions = self.unit.shape
        return f"{type(self).__name__}({self.name}, {rows} x {dimensions})"

    def split(self, text: str) -> Units:
        """Cut a text into pieces; what is no piece of the table is an unknown unit."""
        return self._cutter.cut(text)

    def render(self, rows: Ids, labels: npt.NDArray[np.uint8]) -> list[str]:
        """Each row's own string, in the unit's case where the vocabulary has none."""
        words = self.words(rows)
        if not self._uncased:
            return words
        return [_cased(word, label) for word, label in zip(words, labels.tolist(), strict=True)]

    def words(self, rows: Ids) -> list[str]:
        """The strings of rows, with the blank that belongs to them."""
        return [self._strings[row] or "" for row in rows.tolist()]


def _cased(word: str, label: int) -> str:
    if label & Label.UPPER:
        return word.upper()
    return word[:1].upper() + word[1:] if label & Label.TITLE else word


class SmolLM2(PieceSpace):
    """The token table of SmolLM2-135M-Instruct: 49,152 x 576, text of any script."""

    def __init__(self, *, preprocessing: str = "abtt4") -> None:
        pinned = ASSETS["smollm2"].members["model"].sha256

        def build(folder: Path) -> None:
            _write_gguf(folder, GgufFile(locate("smollm2", "model")), preprocessing)

        label = "preparing SmolLM2's token table"
        folder = _made(f"gguf file {pinned}", preprocessing, build, label)
        super().__init__("smollm2", "SmolLM2-135M-Instruct, GGUF, token table in Q8_0", folder)


class Gguf(PieceSpace):
    """The token table of a GGUF file."""

    def __init__(self, argument: str, *, preprocessing: str = "abtt4") -> None:
        path = Path(argument).expanduser()
        file = GgufFile(path)

        def build(folder: Path) -> None:
            _write_gguf(folder, file, preprocessing)

        label = f"preparing the token table of {path.name}"
        folder = _made(f"gguf table {file.digest()}", preprocessing, build, label)
        super().__init__(f"gguf:{path.name}", f"{path.name}, GGUF", folder)


class HuggingFace(PieceSpace):
    """The input embedding of a Hugging Face model: safetensors and tokenizer.json only."""

    def __init__(self, argument: str, *, preprocessing: str = "abtt4") -> None:
        home = model_folder(argument)
        content, spec = _tokenizer(home / TOKENIZER)
        embedding = find_embedding(home, len(spec["model"]["vocab"]))

        def build(folder: Path) -> None:
            plain = tokenizer_spec.plain(spec)
            piece_table.write(folder, embedding.table(), plain, preprocessing)

        source = f"safetensors {embedding.digest()} {hashlib.sha256(content).hexdigest()}"
        name = home.resolve().name if Path(argument).expanduser().is_dir() else argument
        folder = _made(source, preprocessing, build, f"preparing the token table of {name}")
        super().__init__(f"hf:{name}", f"{name}, {embedding.name} in {embedding.dtype}", folder)


def _made(source: str, preprocessing: str, build: Callable[[Path], None], label: str) -> Path:
    components(preprocessing)  # a wrong name is refused before anything is fetched
    recipe = {"source": source, "preprocessing": preprocessing, "version": piece_table.VERSION}
    return derived("pieces", recipe, build, label=label)


def _write_gguf(folder: Path, file: GgufFile, preprocessing: str) -> None:
    plain = tokenizer_spec.plain(tokenizer_spec.from_gguf(file))
    piece_table.write(folder, file.table(), plain, preprocessing)


def _tokenizer(path: Path) -> tuple[bytes, tokenizer_spec.Spec]:
    spec: Any = None
    try:
        if path.stat().st_size <= TOKENIZER_LIMIT:
            content = path.read_bytes()
            spec = json.loads(content)
            len(spec["model"]["vocab"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        spec = None
    if spec is None:
        raise AssetError(
            f"{path.parent.name} has no tokenizer.json that can be read. Older models have only "
            "vocabulary files: save the fast tokenizer once to get it"
        )
    return content, spec

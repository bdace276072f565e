"""Spaces of token pieces: SmolLM2's, any GGUF file's, any Hugging Face model's."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from privstamp.assets.cache import derived
from privstamp.assets.store import ASSETS, locate
from privstamp.errors import AssetError, optional
from privstamp.spaces import piece_table, tokenizer_spec
from privstamp.spaces.gguf import GgufFile
from privstamp.spaces.piece_table import INDEX, KNOWN_NAMES, SINGLE, find_embedding, shard_names
from privstamp.spaces.piece_units import Cutter
from privstamp.spaces.words import components
from privstamp.types import Ids, Label, Table, Units

# Models by name: a folder on this machine, or a repository of the Hugging Face hub.

TOKENIZER: Final = "tokenizer.json"
_NAME: Final = re.compile(r"(?:[\w.-]+/)?[\w.-]+")

Download = Callable[[list[str]], Path]


def model_folder(argument: str) -> Path:
    """The folder that `NAME_OR_PATH[@revision]` stands for; only names are ever fetched."""
    where = folder_or_name(argument)
    if isinstance(where, Path):
        return where
    return _cached(*where) or fetch(_downloader(*where))


def folder_or_name(argument: str) -> Path | tuple[str, str | None]:
    """A folder that is there, or else the name of a model and its revision."""
    path = Path(argument).expanduser()
    if argument and path.is_dir():
        return path
    name, _, revision = argument.partition("@")
    if path.exists() or argument.startswith((".", "/", "~")) or not _NAME.fullmatch(name):
        raise AssetError(f'"{argument}" is neither a folder nor the name of a model')
    return name, revision or None


def _cached(name: str, revision: str | None) -> Path | None:
    """What an earlier fetch left here, so that a second start needs no network."""
    try:
        return fetch(_downloader(name, revision, offline=True))
    except AssetError:
        return None


def fetch(download: Download) -> Path:
    """Tokenizer and weights, but of split weights only the file with the embedding."""
    folder = download([TOKENIZER, INDEX])
    wanted = SINGLE
    if (folder / INDEX).is_file():
        shards = shard_names(folder / INDEX)
        named = [
            file
            for known in KNOWN_NAMES
            for tensor, file in shards.items()
            if tensor == known or tensor.endswith("." + known)
        ]
        wanted = named[0] if named else "*.safetensors"
    if not any(folder.glob(wanted)) or "*" in wanted:
        folder = download([wanted])
    if not any(folder.glob(wanted)) or not (folder / TOKENIZER).is_file():
        raise AssetError(
            "the model has no safetensors weights or no tokenizer.json. Weights as pickle files "
            "(.bin) can run code and are never fetched; take a revision or a copy that has both"
        )
    return folder


def _downloader(name: str, revision: str | None, *, offline: bool = False) -> Download:
    library = optional("huggingface_hub", "hub", f'fetching "{name}" from the hub')

    def download(patterns: list[str]) -> Path:
        try:
            return Path(
                library.snapshot_download(
                    name, revision=revision, allow_patterns=patterns, local_files_only=offline
                )
            )
        except Exception as error:
            trouble = type(error).__name__
        raise AssetError(
            f'"{name}" cannot be fetched from the hub ({trouble}). Check the name, the revision '
            "and the connection, or give a folder with model.safetensors and tokenizer.json"
        )

    return download


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

"""Models by name: a folder on this machine, or a repository of the Hugging Face hub."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from privstamp.errors import AssetError, MissingExtra
from privstamp.spaces.piece_table import INDEX, KNOWN_NAMES, SINGLE, shard_names

TOKENIZER: Final = "tokenizer.json"
_NAME: Final = re.compile(r"(?:[\w.-]+/)?[\w.-]+")

Download = Callable[[list[str]], Path]


def model_folder(argument: str) -> Path:
    """The folder that `NAME_OR_PATH[@revision]` stands for; only names are ever fetched."""
    found = folder_or_name(argument)
    if isinstance(found, Path):
        return found
    return _cached(*found) or fetch(_downloader(*found))


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
    try:
        library: Any = import_module("huggingface_hub")
    except ImportError:
        library = None
    if library is None:
        raise MissingExtra("hub", f'fetching "{name}" from the hub')

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

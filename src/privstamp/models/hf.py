"""Language models by name: a folder on this machine, or a repository of the Hugging Face hub."""

from __future__ import annotations

import hashlib
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from privstamp.assets.hashing import digest
from privstamp.errors import AssetError, MissingExtra, UsageError
from privstamp.models.causal import CausalModel
from privstamp.models.contexts import RULE
from privstamp.models.transformer import TOKENIZER, Transformer
from privstamp.spaces.hub import folder_or_name

WANTED: Final = ("config.json", TOKENIZER, "*.safetensors", "*.safetensors.index.json")


class HuggingFace(CausalModel):
    """A causal language model of transformers; a folder needs no network."""

    def __init__(self, argument: str, *, threads: int = 1) -> None:
        if threads < 1:
            raise UsageError(f"threads must be 1 or more, not {threads}")
        folder = model_folder(argument)
        backend = Transformer(folder, threads=threads)
        name = folder.resolve().name if Path(argument).expanduser().is_dir() else argument
        super().__init__(f"hf:{name}", _fingerprint(folder), backend)


def model_folder(argument: str) -> Path:
    """The folder that `NAME_OR_FOLDER[@revision]` stands for; only names are ever fetched."""
    found = folder_or_name(argument)
    if isinstance(found, Path):
        return found
    name, revision = found
    try:
        hub: Any = import_module("huggingface_hub")
    except ImportError:
        hub = None
    if hub is None:
        raise MissingExtra("transformers", "a language model by hf:NAME")
    wanted = {"revision": revision, "allow_patterns": list(WANTED)}
    for offline in (True, False):  # what an earlier fetch left here needs no network
        try:
            folder = Path(hub.snapshot_download(name, local_files_only=offline, **wanted))
        except Exception as error:
            trouble = type(error).__name__
        else:
            if (folder / TOKENIZER).is_file() and any(folder.glob("*.safetensors")):
                return folder
            trouble = "no safetensors weights or no tokenizer.json"
    raise AssetError(
        f'"{name}" cannot be fetched from the hub ({trouble}). Check the name, the revision and '
        "the connection, or give a folder with config.json, safetensors and tokenizer.json"
    )


def _fingerprint(folder: Path) -> str:
    """Other files, another release of the library or another context rule give other numbers."""
    files = sorted({path for pattern in WANTED for path in folder.glob(pattern)})
    facts = [f"{path.name} {digest(path)}" for path in files]
    facts += [f"{package} {version(package)}" for package in ("torch", "transformers")]
    return hashlib.sha256("\n".join([*facts, RULE]).encode()).hexdigest()

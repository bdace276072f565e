"""Language models in GGUF files."""

from __future__ import annotations

import hashlib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from privstamp.assets.hashing import digest
from privstamp.assets.store import ASSETS, absent, locate
from privstamp.errors import MissingExtra, UsageError
from privstamp.models.causal import CausalModel
from privstamp.models.contexts import RULE
from privstamp.models.llama import Llama
from privstamp.spaces.gguf import GgufFile


class SmolLM2(CausalModel):
    """SmolLM2-135M-Instruct, 4 bits: small, English first, the default."""

    def __init__(self, *, threads: int = 1) -> None:
        sha256 = ASSETS["smollm2"].members["model"].sha256
        fingerprint = _fingerprint(sha256, "smollm2")
        super().__init__("smollm2", fingerprint, _llama(locate("smollm2", "model"), threads))


class Gguf(CausalModel):
    """The language model in a GGUF file."""

    def __init__(self, argument: str, *, threads: int = 1) -> None:
        path = Path(argument).expanduser()
        GgufFile(path)  # refuses what is none, before llama.cpp sees it
        fingerprint = _fingerprint(digest(path))
        super().__init__(f"gguf:{path.name}", fingerprint, _llama(path, threads))


def _llama(path: Path, threads: int) -> Llama:
    if threads < 1:
        raise UsageError(f"threads must be 1 or more, not {threads}")
    return Llama(path, threads=threads)


def _fingerprint(sha256: str, asset: str = "") -> str:
    """Another file, release of llama.cpp or context rule gives other numbers."""
    facts = f"gguf {sha256} xllamacpp {release(asset)} {RULE}"
    return hashlib.sha256(facts.encode()).hexdigest()


def release(asset: str = "") -> str:
    """Of the library that runs GGUF files; says how to get it, and the asset that is to run, if
    they are absent."""
    try:
        return version("xllamacpp")
    except PackageNotFoundError:
        pass
    raise MissingExtra("lm", "a language model in a GGUF file", absent(asset))

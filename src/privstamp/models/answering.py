"""One door to every model that answers prompts, on this machine or at an endpoint."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from privstamp.errors import AssetError, MissingExtra, UnknownName, UsageError, suggest
from privstamp.protocols import Answerer
from privstamp.registry import ANSWERERS

LOCAL: Final = ("qwen-0.5b", "qwen-1.5b", "smollm2")
"""Assets that can answer; the last one is there to see that everything runs."""
BEST: Final = ("qwen-1.5b", "qwen-0.5b")
"""Those of them that `local` stands for, the better one first."""
BATCHED: Final = ("qwen-0.5b", "qwen-1.5b")
"""Those of them whose tokenizer transformers reads as llama.cpp does."""
FILE: Final = "gguf:"
HUB: Final = "hf:"
BYTES: Final = "hf8:"
BATCH: Final = 32
"""Prompts that an `hf:` model answers at a time, at most."""
_NEEDED: Final = ("config.json", "tokenizer.json", "*.safetensors")
_BESIDES: Final = 4_000_000_000


@dataclass(frozen=True)
class Opening:
    """How a model is opened; each kind heeds what concerns it.

    Threads, memory and seed concern a model on this machine; concurrency, and `model`, as its
    server calls it, one at a URL. `cache` is a folder that keeps replies.
    """

    model: str | None = None
    cache: Path | None = None
    threads: int = 1
    memory: int | None = None
    timeout: float | None = None
    concurrency: int | None = None
    seed: int = 0


def open_answerer(
    name: str,
    *,
    model: str | None = None,
    cache: Path | None = None,
    threads: int = 1,
    memory: int | None = None,
    timeout: float | None = None,
    concurrency: int | None = None,
    seed: int = 0,
) -> Answerer:
    """A model by its name in the table of those that answer: `ANSWERERS`, with plug-ins.

    Nothing is fetched or started yet, but what is missing is said now.
    """
    if model is not None and "://" not in name:
        raise UsageError("the name of a model goes with a URL")
    opening = Opening(model, cache, threads, memory, timeout, concurrency, seed)
    answerer: Answerer = ANSWERERS.load(name)(name, opening)
    return answerer


def elsewhere(name: str, opening: Opening) -> Answerer:
    """A model at an OpenAI-compatible URL: its host sees every prompt."""
    from privstamp.models.endpoint import Endpoint

    if opening.model is None:
        raise UsageError("an endpoint needs the name of a model, as its server calls it")
    return Endpoint(
        name,
        opening.model,
        cache=opening.cache,
        timeout=60.0 if opening.timeout is None else opening.timeout,
        concurrency=4 if opening.concurrency is None else opening.concurrency,
    )


def best(_name: str, opening: Opening) -> Answerer:
    """The best model of those that were pulled to this machine."""
    for name in BEST:
        try:
            return llama(name, opening)
        except AssetError:
            continue
    raise AssetError(
        f"no model that can do it is on this machine. Try: privstamp assets pull {BEST[-1]} "
        f"(or the larger and better {BEST[0]}), or name a gguf:FILE or a URL"
    )


def llama(name: str, opening: Opening) -> Answerer:
    """A model on this machine by llama.cpp: an asset, or the instructed one in a GGUF file."""
    from privstamp.models.chat import RULE
    from privstamp.models.llama import release

    library = release(name)
    path, sha256 = _file(name)
    called = f"{FILE}{path.name}" if name.startswith(FILE) else name
    facts = {"gguf": sha256, "xllamacpp": library, "rule": RULE}
    return _local(called, path, facts, opening)


def transformer(name: str, opening: Opening) -> Answerer:
    """A model by transformers, from a folder or an asset: many prompts at a time in float32, which
    takes more memory and less time; by `hf8:` with weights in bytes, and slightly other replies."""
    from privstamp.models.batched import RULE

    libraries = _releases("torch", "transformers", "gguf")
    kind, _, which = name.partition(":")
    path, sha256, most = _weights(which)
    how = ("int8",) if name.startswith(BYTES) else ()
    return _local(
        f"{kind}:{path.name}" if path.is_dir() else name,
        path,
        {"weights": sha256, **libraries, "rule": " ".join([RULE, *how])},
        opening if opening.memory is not None else replace(opening, memory=most),
        command=(sys.executable, "-P", "-m", "privstamp.models.chat", "hf", *how),
        batch=BATCH,
    )


def _local(
    name: str, path: Path, facts: Mapping[str, str], opening: Opening, **served: Any
) -> Answerer:
    from privstamp.models.local import LocalModel

    return LocalModel(
        name,
        path,
        facts,
        threads=opening.threads,
        memory=opening.memory,
        timeout=600.0 if opening.timeout is None else opening.timeout,
        seed=opening.seed,
        cache=opening.cache,
        **served,
    )


def _file(name: str) -> tuple[Path, str]:
    """The GGUF file of a name and its SHA-256."""
    from privstamp.assets.store import ASSETS, locate

    if name.startswith(FILE):
        from privstamp.assets.cache import digest
        from privstamp.spaces.gguf import GgufFile

        path = Path(name.removeprefix(FILE)).expanduser()
        GgufFile(path)  # refuses what is none, before llama.cpp sees it
        return path.absolute(), digest(path)
    return locate(name, "model"), ASSETS[name].members["model"].sha256


def _weights(name: str) -> tuple[Path, str, int]:
    """The file or folder of a model for transformers, its SHA-256, and the memory it needs.

    Four bits of a file become 32, and both are held while it is read.
    """
    from privstamp.assets.cache import digest, size
    from privstamp.assets.store import ASSETS, locate

    if name in BATCHED:
        path = locate(name, "model")
        return path, ASSETS[name].members["model"].sha256, 8 * size(path) + _BESIDES
    folder = Path(name).expanduser().absolute()
    if not folder.is_dir():
        known = suggest(name, [*BATCHED, "a folder"])
        raise UnknownName(f'no model that answers "{HUB}{name}".{known}')
    for wanted in _NEEDED:
        if not any(folder.glob(wanted)):
            raise AssetError(f"{folder.name} has no {wanted}; a model that answers needs it")
    return folder, digest(folder), 4 * size(folder) + _BESIDES


def _releases(*names: str) -> dict[str, str]:
    """Of the libraries that run a model; says how to get them if one is absent."""
    try:
        return {name: version(name) for name in names}
    except PackageNotFoundError:
        pass
    raise MissingExtra("transformers", f"a model that answers by {HUB}NAME")

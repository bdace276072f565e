"""One door to every model that answers prompts, on this machine or at an endpoint."""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from privstamp.errors import AssetError, MissingExtra, UnknownName, UsageError, suggest
from privstamp.protocols import Answerer

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
    """A model by name: one of LOCAL, `gguf:PATH`, or a URL with the `model` that its server knows.

    `local` is the best one of BEST that was pulled to this machine.
    `hf:NAME` is one of BATCHED through transformers instead of llama.cpp, and `hf:FOLDER` a model
    of that library: in float32, many prompts at a time, which takes more memory and less time.
    `hf8:` is the same with its weights in bytes: less time again, and slightly other replies.
    Threads, memory and seed concern a model on this machine, concurrency one at a URL. Nothing is
    fetched or started yet, but what is missing is said now.
    """
    if "://" in name:
        from privstamp.models.endpoint import Endpoint

        if model is None:
            raise UsageError("an endpoint needs the name of a model, as its server calls it")
        return Endpoint(
            name,
            model,
            cache=cache,
            timeout=60.0 if timeout is None else timeout,
            concurrency=4 if concurrency is None else concurrency,
        )
    if model is not None:
        raise UsageError("the name of a model goes with a URL")
    if name == "local":
        for one in BEST:
            try:
                return open_answerer(
                    one, cache=cache, threads=threads, memory=memory, timeout=timeout, seed=seed
                )
            except AssetError:
                continue
        raise AssetError(
            f"no model that can do it is on this machine. Try: privstamp assets pull {BEST[-1]} "
            f"(or the larger and better {BEST[0]}), or name a gguf:FILE or a URL"
        )
    from privstamp.models.local import LocalModel

    wait = 600.0 if timeout is None else timeout
    if name.startswith((HUB, BYTES)):
        from privstamp.models.batched import RULE as BATCHES

        libraries = _releases("torch", "transformers", "gguf")
        kind, _, which = name.partition(":")
        path, sha256, most = _weights(which)
        how = ("int8",) if name.startswith(BYTES) else ()
        return LocalModel(
            f"{kind}:{path.name}" if path.is_dir() else name,
            path,
            {"weights": sha256, **libraries, "rule": " ".join([BATCHES, *how])},
            threads=threads,
            memory=most if memory is None else memory,
            timeout=wait,
            seed=seed,
            cache=cache,
            command=(sys.executable, "-P", "-m", "privstamp.models.batch_process", *how),
            batch=BATCH,
        )
    from privstamp.models.chat import RULE
    from privstamp.models.gguf_models import release

    library = release(name)
    path, sha256 = _file(name)
    return LocalModel(
        f"{FILE}{path.name}" if name.startswith(FILE) else name,
        path,
        {"gguf": sha256, "xllamacpp": library, "rule": RULE},
        threads=threads,
        memory=memory,
        timeout=wait,
        seed=seed,
        cache=cache,
    )


def _file(name: str) -> tuple[Path, str]:
    """The GGUF file of a name and its SHA-256."""
    from privstamp.assets.store import ASSETS, locate

    if name.startswith(FILE):
        from privstamp.assets.hashing import digest
        from privstamp.spaces.gguf import GgufFile

        path = Path(name.removeprefix(FILE)).expanduser()
        GgufFile(path)  # refuses what is none, before llama.cpp sees it
        return path.absolute(), digest(path)
    if name not in LOCAL:
        known = suggest(name, ["local", *LOCAL, f"{FILE}PATH", f"{HUB}FOLDER", "a URL"])
        raise UnknownName(f'no model "{name}" that answers prompts.{known}')
    return locate(name, "model"), ASSETS[name].members["model"].sha256


def _weights(name: str) -> tuple[Path, str, int]:
    """The file or folder of a model for transformers, its SHA-256, and the memory it needs.

    Four bits of a file become 32, and both are held while it is read.
    """
    from privstamp.assets.hashing import digest, size
    from privstamp.assets.store import ASSETS, locate

    if name in BATCHED:
        path = locate(name, "model")
        return path, ASSETS[name].members["model"].sha256, 8 * size(path) + _BESIDES
    folder = Path(name).expanduser().absolute()
    if not folder.is_dir():
        known = suggest(name, [*BATCHED, "a folder"])
        raise UnknownName(f'no model "{HUB}{name}" that answers prompts.{known}')
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

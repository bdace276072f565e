"""One door to every model that answers prompts, on this machine or at an endpoint."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from privstamp.errors import UnknownName, UsageError, suggest
from privstamp.protocols import Answerer

LOCAL: Final = ("qwen-0.5b", "qwen-1.5b", "smollm2")
"""Assets that can answer; the last one is there to see that everything runs."""
FILE: Final = "gguf:"


def open_answerer(
    name: str,
    *,
    model: str | None = None,
    cache: Path | None = None,
    threads: int = 1,
    memory: int | None = None,
    timeout: float | None = None,
    seed: int = 0,
) -> Answerer:
    """A model by name: one of LOCAL, `gguf:PATH`, or a URL with the `model` that its server knows.

    Threads, memory and seed concern a model on this machine. Nothing is fetched or started yet,
    but what is missing is said now.
    """
    if "://" in name:
        from privstamp.models.endpoint import Endpoint

        if model is None:
            raise UsageError("an endpoint needs the name of a model, as its server calls it")
        return Endpoint(name, model, cache=cache, timeout=60.0 if timeout is None else timeout)
    if model is not None:
        raise UsageError("the name of a model goes with a URL")
    from privstamp.models.chat import RULE
    from privstamp.models.gguf_models import release
    from privstamp.models.local import LocalModel

    library = release()
    path, sha256 = _file(name)
    return LocalModel(
        f"{FILE}{path.name}" if name.startswith(FILE) else name,
        path,
        {"gguf": sha256, "xllamacpp": library, "rule": RULE},
        threads=threads,
        memory=memory,
        timeout=600.0 if timeout is None else timeout,
        seed=seed,
        cache=cache,
    )


def _file(name: str) -> tuple[Path, str]:
    """The GGUF file of a name and its SHA-256."""
    from privstamp.assets import ASSETS, locate

    if name.startswith(FILE):
        from privstamp.hashing import digest
        from privstamp.spaces.gguf import GgufFile

        path = Path(name.removeprefix(FILE)).expanduser()
        GgufFile(path)  # refuses what is none, before llama.cpp sees it
        return path.absolute(), digest(path)
    if name not in LOCAL:
        known = suggest(name, [*LOCAL, f"{FILE}PATH", "a URL"])
        raise UnknownName(f'no model "{name}" that answers prompts.{known}')
    return locate(name, "model"), ASSETS[name].members["model"].sha256

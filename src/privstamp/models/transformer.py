"""Causal networks of the transformers library: safetensors and tokenizer.json only, no code."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import numpy as np

from privstamp.errors import AssetError, MissingExtra
from privstamp.models.causal import Logits
from privstamp.models.contexts import require_room
from privstamp.spaces import tokenizer_spec

TOKENIZER: Final = "tokenizer.json"


class Transformer:
    """A model folder as a `causal.Backend`, in float32 on the processor."""

    def __init__(self, folder: Path, *, threads: int) -> None:
        torch, transformers = library("torch"), library("transformers")
        torch.set_num_threads(threads)
        self._torch = torch
        self._empty = transformers.DynamicCache
        self._tokenizer = _tokenizer(folder)
        self._network = load_network(transformers, folder, torch.float32)
        config = self._network.config
        require_room(folder.name, getattr(config, "max_position_embeddings", None))
        markers = [config.bos_token_id, config.eos_token_id, 0]
        begin = next(marker for marker in markers if marker is not None)
        self.start = int(begin[0] if isinstance(begin, list) else begin)
        self._cache: Any = self._empty(config=config)

    def encode(self, text: str) -> list[int]:
        """Pieces of a string, as text, nothing added."""
        plain = text.encode("utf-8", "replace").decode()  # half a surrogate pair is no text
        ids: list[int] = self._tokenizer.encode(plain, add_special_tokens=False).ids
        return ids

    def trim(self, length: int) -> int:
        """Forget all but the first pieces; networks that cannot step back forget all."""
        with suppress(ValueError, NotImplementedError, AttributeError):
            if length:
                self._cache.crop(length)
                return length
        self._cache = self._empty(config=self._network.config)
        return 0

    def extend(self, ids: Sequence[int], *, every: bool = False) -> Logits:
        """Append pieces; a row of scores for what follows the last one, or each of them."""
        with self._torch.inference_mode():
            out = self._network(
                self._torch.tensor([list(ids)]),
                past_key_values=self._cache,
                use_cache=True,
                logits_to_keep=0 if every else 1,
            )
        rows: Logits = out.logits[0].numpy().astype(np.float32)
        return rows

    def close(self) -> None:
        """Let go of the weights."""
        del self._network, self._cache


def library(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        pass
    raise MissingExtra("transformers", "a language model by hf:NAME")


def load_network(transformers: Any, path: Path, dtype: Any) -> Any:
    """The causal network of a folder, or of a GGUF file with its weights made plain numbers."""
    transformers.utils.logging.disable_progress_bar()
    packed = path.is_file()
    how = {"gguf_file": path.name} if packed else {"use_safetensors": True}
    try:
        network = transformers.AutoModelForCausalLM.from_pretrained(
            str(path.parent if packed else path),
            dtype=dtype,
            local_files_only=True,
            trust_remote_code=False,
            **how,
        )
        return network.eval()
    except Exception as error:
        trouble = type(error).__name__
    raise AssetError(
        f"{path.name} cannot be loaded as a causal language model ({trouble}). It needs "
        "config.json of a known kind, safetensors weights and tokenizer.json"
    )


def _tokenizer(folder: Path) -> Any:
    try:
        spec = json.loads((folder / TOKENIZER).read_bytes())
    except (OSError, ValueError):
        spec = None
    if spec is None:
        raise AssetError(f"{folder.name} has no {TOKENIZER} that can be read")
    return tokenizer_spec.load(tokenizer_spec.plain(spec).json)

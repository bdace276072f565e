"""A network of the transformers library, opened for its gradients and attention. Extra."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import redirect_stderr
from importlib import import_module
from importlib.metadata import version
from io import StringIO
from pathlib import Path
from typing import Any, Final

import numpy as np

from privstamp.assets.hashing import digest
from privstamp.assets.store import ASSETS, locate
from privstamp.errors import AssetError, MissingExtra
from privstamp.importance.shares import Raw
from privstamp.spaces import tokenizer_spec
from privstamp.spaces.gguf import GgufFile
from privstamp.spaces.hub import TOKENIZER, model_folder
from privstamp.types import Units

LOCAL: Final = "smollm2"
WINDOW: Final = 150
"""Units that are read at a time: memory and time stay bounded on long texts."""
LONGEST: Final = 512
"""Pieces of a window that are read; what follows in it counts for nothing."""
SEAM: Final = "\n"


class Network:
    """A causal language model, or a text classifier where its configuration says so.

    Safetensors and tokenizer.json only, no code of the model's; "smollm2" is the pinned small
    model, its 4-bit weights widened.
    """

    def __init__(self, model: str) -> None:
        self.torch, transformers = _library("torch"), _library("transformers")
        transformers.utils.logging.disable_progress_bar()
        if model == LOCAL:
            path = locate("smollm2", "model")
            given: dict[str, Any] = {"gguf_file": path.name}
            folder, facts = path.parent, [ASSETS["smollm2"].members["model"].sha256]
            _library("gguf")
            # The library's own reading of this tokenizer loses the rule for digits.
            spec = tokenizer_spec.plain(tokenizer_spec.from_gguf(GgufFile(path)))
            self._tokenizer = tokenizer_spec.load(spec.json)
            self.classifies = False
        else:
            folder = model_folder(model)
            given = {"use_safetensors": True}
            self.classifies = _classifies(folder)
            files = [*sorted(folder.glob("*.safetensors")), folder / "config.json"]
            facts = [digest(file) for file in [*files, folder / TOKENIZER]]
            self._tokenizer = _library("tokenizers").Tokenizer.from_file(str(folder / TOKENIZER))
            self._tokenizer.no_padding()
            self._tokenizer.no_truncation()
        kind = "SequenceClassification" if self.classifies else "CausalLM"
        self.module = _opened(getattr(transformers, f"AutoModelFor{kind}"), folder, given)
        facts += [f"{name} {version(name)}" for name in ("torch", "transformers")]
        self.fingerprint = hashlib.sha256("\n".join(facts).encode()).hexdigest()

    def inputs(self, text: str, task: str) -> tuple[list[int], list[tuple[int, int]]]:
        """Pieces of a text, and after them those of the task; where each lies in the text.

        Pieces of the task, and those that a classifier adds, lie nowhere: (0, 0).
        """
        if self.classifies:
            found = self._tokenizer.encode(text)
            if len(found.ids) <= LONGEST:
                return found.ids, found.offsets
            ids = [*found.ids[: LONGEST - 1], found.ids[-1]]
            return ids, [*found.offsets[: LONGEST - 1], (0, 0)]
        found = self._tokenizer.encode(text, add_special_tokens=False)
        asked = self._tokenizer.encode(SEAM + task, add_special_tokens=False).ids[:LONGEST]
        ids = [*found.ids[:LONGEST], *asked]
        return ids, [*found.offsets[:LONGEST], *[(0, 0)] * len(asked)]


def windows(units: Units) -> Iterator[tuple[slice, int, str]]:
    """Stretches of units, where each begins in the text, and what it holds."""
    for first in range(0, len(units), WINDOW):
        last = min(first + WINDOW, len(units))
        start, end = int(units.starts[first]), int(units.ends[last - 1])
        yield slice(first, last), start, units.text[start:end]


def on_units(
    units: Units, where: slice, start: int, offsets: list[tuple[int, int]], values: Raw
) -> Raw:
    """The largest value of any piece that touches each unit of a window."""
    found = np.zeros(where.stop - where.start, dtype=np.float32)
    starts, ends = units.starts[where] - start, units.ends[where] - start
    for (low, high), value in zip(offsets, values.tolist(), strict=True):
        if low < high:
            first = np.searchsorted(ends, low, side="right")
            last = np.searchsorted(starts, high, side="left")
            np.maximum(found[first:last], value, out=found[first:last])
    return found


def _classifies(folder: Path) -> bool:
    try:
        config = json.loads((folder / "config.json").read_bytes())
    except (OSError, ValueError):
        config = None
    if not isinstance(config, dict):
        raise AssetError(f"{folder.name} has no config.json that can be read")
    return any("SequenceClassification" in name for name in config.get("architectures") or [])


def _opened(kind: Any, folder: Path, given: dict[str, Any]) -> Any:
    try:
        with redirect_stderr(StringIO()):  # bars that cannot be switched off
            module = kind.from_pretrained(
                str(folder),
                local_files_only=True,
                trust_remote_code=False,
                attn_implementation="eager",
                dtype="float32",
                **given,
            )
        return module.eval()
    except Exception as error:
        trouble = type(error).__name__
    raise AssetError(
        f"{folder.name} cannot be loaded by transformers ({trouble}). It needs config.json of a "
        "known kind, safetensors weights and tokenizer.json"
    )


def _library(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        pass
    raise MissingExtra("transformers", "importance by gradients or attention")

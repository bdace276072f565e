"""`hf:NAME[@revision]`: a token classification model of the Hugging Face hub, or of a folder."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from privstamp.assets.hashing import digest
from privstamp.errors import AssetError, MissingExtra
from privstamp.sensitivity.tagging import WINDOW, Tagger, labels_of


class HubModel:
    """Weights as safetensors, never pickled; code of the model's author is never run."""

    def __init__(self, name: str) -> None:
        try:
            import torch
            import transformers
        except ImportError:
            transformers = None
        if transformers is None:
            raise MissingExtra("transformers", "a detector of the Hugging Face hub")
        self._torch: Any = torch
        self.name = "hf:"
        where, _, revision = name.partition("@")
        options = {"revision": revision or "main", "trust_remote_code": False}
        try:
            tokenizer = transformers.AutoTokenizer.from_pretrained(where, **options)
            self._model: Any = transformers.AutoModelForTokenClassification.from_pretrained(
                where, use_safetensors=True, **options
            ).eval()
            self.tokenizer: Any = tokenizer.backend_tokenizer
            self.labels = labels_of({"id2label": self._model.config.id2label})
        except Exception as error:
            problem = type(error).__name__
        else:
            problem = ""
        if problem:
            raise AssetError(
                f'hf: the model "{where}" cannot be loaded ({problem}): it needs safetensors, a '
                "tokenizer.json and labels for tokens"
            )
        commit = str(getattr(self._model.config, "_commit_hash", None) or revision)
        which = digest(Path(where)) if Path(where).is_dir() else f"{where}@{commit}"
        self.facts = [which, version("transformers"), version("torch")]

    def logits(
        self, ids: npt.NDArray[np.int64], mask: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.float32]:
        torch = self._torch
        with torch.inference_mode():
            out = self._model(
                input_ids=torch.from_numpy(ids), attention_mask=torch.from_numpy(mask)
            ).logits
        scores: npt.NDArray[np.float32] = out.float().numpy()
        return scores


def hf_tagger(
    argument: str,
    *,
    entities: Sequence[str] | None = None,
    threshold: float = 0.5,
    window: int = WINDOW,
) -> Tagger:
    """A token classification model by name; its labels are the kinds it finds."""
    return Tagger(HubModel(argument), entities=entities, threshold=threshold, window=window)

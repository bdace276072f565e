"""`onnx:FOLDER`: a token classification model in ONNX form, run without torch."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from privstamp.assets.hashing import digest
from privstamp.errors import AssetError, MissingExtra
from privstamp.sensitivity.tagging import WINDOW, Tagger, labels_of

FILES = ("model.onnx", "tokenizer.json", "config.json")


class OnnxModel:
    """`model.onnx`, `tokenizer.json` and `config.json` of one folder."""

    def __init__(self, folder: Path) -> None:
        missing = [name for name in FILES if not (folder / name).is_file()]
        if missing:
            raise AssetError(f"onnx: the folder {folder} has no {', '.join(missing)}")
        try:
            import onnxruntime
        except ImportError:
            onnxruntime = None
        if onnxruntime is None:
            raise MissingExtra("encoder", "a detector in ONNX form")
        from tokenizers import Tokenizer

        self.name = "onnx:"
        self.facts = [digest(folder / name) for name in FILES]
        try:
            config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
            self.labels = labels_of(config)
            self.tokenizer: Any = Tokenizer.from_file(str(folder / "tokenizer.json"))
            options = onnxruntime.SessionOptions()
            options.log_severity_level = 4  # its messages could hold shapes of the text
            self._session = onnxruntime.InferenceSession(
                str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:
            problem = type(error).__name__
        else:
            problem = "" if self.labels else "config.json has no id2label"
        if problem:
            raise AssetError(f"onnx: the model in {folder} cannot be loaded ({problem})")
        self._inputs = [one.name for one in self._session.get_inputs()]

    def logits(
        self, ids: npt.NDArray[np.int64], mask: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.float32]:
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        out = self._session.run(None, {name: given[name] for name in self._inputs})[0]
        scores: npt.NDArray[np.float32] = np.asarray(out, dtype=np.float32)
        return scores


def onnx_tagger(
    argument: str,
    *,
    entities: Sequence[str] | None = None,
    threshold: float = 0.5,
    window: int = WINDOW,
) -> Tagger:
    """A token classification model from a folder; its labels are the kinds it finds."""
    model = OnnxModel(Path(argument).expanduser())
    return Tagger(model, entities=entities, threshold=threshold, window=window)

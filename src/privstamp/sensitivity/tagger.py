"""Models that label tokens: windows over long texts, labels as kinds, spans; `onnx:` and `hf:`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from privstamp.assets.cache import digest
from privstamp.errors import AssetError, PolicyError, optional, suggest
from privstamp.sensitivity.rules import fingerprint
from privstamp.sensitivity.spans import merge
from privstamp.types import Finding, Scope, Units

OVERLAP: Final = 64
"""Tokens that two windows share."""
WINDOW: Final = 512
KINDS: Final = {
    "PER": "PERSON",
    "LOC": "LOCATION",
    "GPE": "LOCATION",
    "FAC": "LOCATION",
    "ORG": "ORGANIZATION",
    "DATE": "DATE_TIME",
    "TIME": "DATE_TIME",
}
"""Labels of common models, as kinds; any other label is its own kind."""
_PREFIX: Final = re.compile(r"^[BILUES]-")
_TOKENS: Final = 8
"""A word of more tokens is not followed to its ends: it is no word."""


class Model(Protocol):
    """Scores of each label for each token of one window."""

    name: str
    facts: list[str]
    labels: list[str]
    tokenizer: Any

    def logits(
        self, ids: npt.NDArray[np.int64], mask: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.float32]: ...


class Tagger:
    """A model as a detector. Texts are read in full, in windows that overlap."""

    scope: Final = Scope.context("a model reads the words around each word")

    def __init__(
        self,
        model: Model,
        *,
        entities: Sequence[str] | None = None,
        threshold: float = 0.5,
        window: int = WINDOW,
    ) -> None:
        self.name = model.name
        if isinstance(threshold, bool) or not isinstance(threshold, int | float) or threshold > 1:
            raise PolicyError("threshold of sensitivity must lie between 0 and 1")
        if not isinstance(window, int) or window <= OVERLAP * 2:
            raise PolicyError(f"window is a number of tokens above {OVERLAP * 2}")
        self._model, self._threshold = model, float(threshold)
        kinds = [kind_of(label) for label in model.labels]
        known = sorted({kind for kind in kinds if kind})
        for entity in entities or ():
            if entity not in known:
                raise PolicyError(f'{self.name} finds no "{entity}".{suggest(str(entity), known)}')
        wanted = known if entities is None else list(entities)
        self._kinds = [kind if kind in wanted else None for kind in kinds]
        self._begins = [label.startswith(("B-", "U-", "S-")) for label in model.labels]
        model.tokenizer.no_padding()
        model.tokenizer.enable_truncation(max_length=window, stride=OVERLAP)
        self.fingerprint = fingerprint(
            self.name, list(model.facts), list(model.labels), wanted, self._threshold, window
        )

    def find(self, batch: Sequence[Units]) -> list[list[Finding]]:
        """Sensitive spans of each document, without overlaps."""
        return [merge(self._document(units.text)) for units in batch]

    def _document(self, text: str) -> Iterator[Finding]:
        if not text.strip():
            return
        first = self._model.tokenizer.encode(text)
        for window in (first, *first.overflowing):
            ids = np.array([window.ids], dtype=np.int64)
            mask = np.array([window.attention_mask], dtype=np.int64)
            scores = np.asarray(self._model.logits(ids, mask), dtype=np.float64)[0]
            odds = np.exp(scores - scores.max(axis=1, keepdims=True))
            odds /= odds.sum(axis=1, keepdims=True)
            yield from self._spans(text, window.offsets, odds)

    def _spans(
        self, text: str, offsets: Sequence[tuple[int, int]], odds: npt.NDArray[np.float64]
    ) -> Iterator[Finding]:
        """Runs of tokens of one kind, from the beginning of a word to the end of one."""
        best = odds.argmax(axis=1).tolist()
        open_: tuple[int, int, str, list[float]] | None = None
        for (start, end), label, row in zip(offsets, best, odds, strict=True):
            kind = self._kinds[label] if start < end else None
            if (
                open_ is not None
                and kind == open_[2]
                and self._goes_on(text, open_[1], start, label)
            ):
                open_ = (open_[0], end, open_[2], [*open_[3], float(row[label])])
                continue
            if open_ is not None:
                yield from self._closed(text, *open_)
            open_ = None if kind is None else (start, end, kind, [float(row[label])])
        if open_ is not None:
            yield from self._closed(text, *open_)

    def _goes_on(self, text: str, end: int, start: int, label: int) -> bool:
        """Whether a token continues the run before it; a new beginning does so within a word."""
        between = text[end:start]
        return not self._begins[label] if between else True

    def _closed(
        self, text: str, start: int, end: int, kind: str, scores: Sequence[float]
    ) -> Iterator[Finding]:
        score = sum(scores) / len(scores)
        while start < end and text[start].isspace():
            start += 1
        if score < self._threshold or start == end:
            return
        for _ in range(_TOKENS * 4):
            start -= start > 0 and text[start - 1].isalnum() and text[start].isalnum()
            end += end < len(text) and text[end].isalnum() and text[end - 1].isalnum()
        yield Finding(start, end, kind, min(1.0, score), self.name, f"label of {kind}")


def kind_of(label: str) -> str | None:
    """The kind that a label stands for; none for "outside"."""
    plain = _PREFIX.sub("", label).upper()
    if plain in ("O", ""):
        return None
    return KINDS.get(plain, re.sub(r"[^A-Z0-9]+", "_", plain))


def labels_of(config: Mapping[str, Any]) -> list[str]:
    """The names of a model's labels in their order, from its config.json."""
    named = config.get("id2label") or {}
    return [str(named[key]) for key in sorted(named, key=int)]


FILES = ("model.onnx", "tokenizer.json", "config.json")


class OnnxModel:
    """`model.onnx`, `tokenizer.json` and `config.json` of one folder."""

    def __init__(self, folder: Path) -> None:
        missing = [name for name in FILES if not (folder / name).is_file()]
        if missing:
            raise AssetError(f"onnx: the folder {folder} has no {', '.join(missing)}")
        onnxruntime = optional("onnxruntime", "encoder", "a detector in ONNX form")
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
        self._inputs = [field.name for field in self._session.get_inputs()]

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


class HubModel:
    """Weights as safetensors, never pickled; code of the model's author is never run."""

    def __init__(self, name: str) -> None:
        self._torch, transformers = (
            optional(module, "transformers", "a detector of the Hugging Face hub")
            for module in ("torch", "transformers")
        )
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

"""`hf:NAME[@revision]`: a text classifier of the Hugging Face hub, or of a folder, as a reader."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from privstamp.errors import AssetError, MissingExtra, UsageError
from privstamp.hashing import digest
from privstamp.lab.evals.contracts import Example, Release, Task
from privstamp.lab.evals.metrics import judged

LONGEST: Final = 512
"""Pieces of a text that are read; what follows is cut."""


class HubClassifier:
    """Weights as safetensors, never pickled; code of the model's author is never run."""

    def __init__(self, argument: str, task: Task) -> None:
        where, _, revision = argument.partition("@")
        options = {"revision": revision or "main", "trust_remote_code": False}
        library = _transformers()
        try:
            tokenizer = library.AutoTokenizer.from_pretrained(where, **options)
            model = library.AutoModelForSequenceClassification.from_pretrained(
                where, use_safetensors=True, **options
            )
            self._pipeline: Any = library.pipeline(
                "text-classification", model=model, tokenizer=tokenizer, device="cpu"
            )
            named = [
                str(model.config.id2label[place]) for place in range(len(model.config.id2label))
            ]
            problem = ""
        except Exception as error:
            problem = type(error).__name__
        if problem:
            raise AssetError(
                f'hf: the classifier "{where}" cannot be loaded ({problem}): it needs safetensors, '
                "a tokenizer and labels for texts"
            )
        self._label_of = labels_of(named, task.labels)
        commit = str(getattr(model.config, "_commit_hash", None) or revision)
        which = digest(Path(where)) if Path(where).is_dir() else f"{where}@{commit}"
        facts = [which, _version("transformers"), _version("torch"), *task.labels, *named]
        self.fingerprint = hashlib.sha256("\n".join(facts).encode()).hexdigest()
        self.name = f"hf:{Path(where).name if Path(where).is_dir() else where}"

    def read(
        self, examples: Sequence[Example], releases: Sequence[Release]
    ) -> list[dict[str, float | str]]:
        """correct, label and predicted of each."""
        texts = [release.text or " " for release in releases]
        found = self._pipeline(texts, truncation=True, max_length=LONGEST) if texts else []
        return judged(examples, [self._label_of[one["label"]] for one in found])


def labels_of(named: Sequence[str], labels: Sequence[str]) -> dict[str, str]:
    """The task's label for each of the model's: by name, by first word ("4 stars"), or by place.

    Names like LABEL_2 say nothing, so their places count: the model's order is the task's.
    """
    plain = {label.lower(): label for label in labels}
    if set(map(str.lower, named)) == set(plain):
        return {name: plain[name.lower()] for name in named}
    firsts = [name.lower().split()[0] if name.split() else "" for name in named]
    if sorted(firsts) == sorted(plain):
        return {name: plain[first] for name, first in zip(named, firsts, strict=True)}
    if list(named) == [f"LABEL_{place}" for place in range(len(labels))]:
        return dict(zip(named, labels, strict=True))
    raise UsageError(
        f"hf: the model's labels ({', '.join(named)}) are not the task's ({', '.join(labels)})"
    )


def _transformers() -> Any:
    try:
        import_module("torch")
        return import_module("transformers")
    except ImportError:
        pass
    raise MissingExtra("transformers", "a classifier of the Hugging Face hub")


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"

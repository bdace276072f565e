"""Classifiers that were trained on original texts and read releases.

Two are logistic regressions: on TF-IDF of words, or on the sentence vectors of MiniLM. What was
trained is kept in the cache as plain arrays. Words are hashed into buckets, so that no word of a
training text reaches the disk. The third, `hf:NAME[@revision]`, is a text classifier of the Hugging
Face hub, or of a folder.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from privstamp.assets.cache import derived, digest
from privstamp.errors import AssetError, UnknownName, UsageError, optional, suggest
from privstamp.lab.evals.answers import Similarity, judged, open_similarity
from privstamp.lab.evals.contracts import Example, Reader, Release, Task, fingerprint, first_hashed

NAMES: Final = ("tfidf", "minilm")
BUCKETS: Final = 2**20
FEWEST: Final = 2
"""Training texts that a word must stand in to count."""
ENCODED: Final = 4_000
"""Training texts that MiniLM reads at most: it takes 10 to 40 ms for each."""
STRENGTHS: Final = (1.0, 3.0, 10.0)
"""Inverse regularisation: the one that does best on the fifth of the texts held out."""
_RULE: Final = "labels weigh alike 2"
_FILE: Final = "weights.npz"

Arrays: TypeAlias = dict[str, npt.NDArray[Any]]
Features: TypeAlias = Any
"""A matrix of numpy or of scipy."""


class TfIdf:
    """Words by how often they stand in a text and how few training texts hold them."""

    settings: Final = f"words {BUCKETS} {FEWEST}"
    most: Final = 100_000

    def __init__(self) -> None:
        text = _sklearn("feature_extraction.text")
        self._words = text.HashingVectorizer(n_features=BUCKETS, alternate_sign=False, norm=None)

    def learn(self, texts: Sequence[str]) -> Arrays:
        """Buckets of words that occur often enough, and the weight of each."""
        counts = self._words.transform(texts).tocsc()
        holding = np.diff(counts.indptr)
        buckets = np.flatnonzero(holding >= FEWEST)
        if not len(buckets):
            raise UsageError(f"tfidf: no word stands in {FEWEST} training texts; give more of them")
        return {
            "buckets": buckets,
            "idf": np.log((1 + len(texts)) / (1 + holding[buckets])) + 1,
        }

    def features(self, texts: Sequence[str], learned: Arrays) -> Features:
        """Rows of length 1; a count weighs by its logarithm."""
        counts = self._words.transform(texts)[:, learned["buckets"]].tocsr()
        counts.data = (1 + np.log(counts.data)) * learned["idf"][counts.indices]
        return _sklearn("preprocessing").normalize(counts, copy=False)


class Encoded:
    """The vector that MiniLM gives a text."""

    most: Final = ENCODED

    def __init__(self, similarity: Similarity) -> None:
        self._similarity = similarity
        self.settings = f"minilm {similarity.fingerprint}"

    def learn(self, _: Sequence[str]) -> Arrays:
        return {}

    def features(self, texts: Sequence[str], _: Arrays) -> Features:
        return self._similarity.table(texts)


class Classifier:
    """A reader of a classification: the label whose line through the features is highest."""

    def __init__(self, name: str, task: Task, features: TfIdf | Encoded) -> None:
        every = task.training()
        taught = [every[row] for row in first_hashed(len(every), features.most)]
        if len({example.label for example in taught}) < 2:
            raise UsageError(
                f"{task.name}: {name} needs training texts with two labels or more. Name a file "
                "of them, or a share of the data, as training (texts that are evaluated do not "
                "count); or read with hf:NAME"
            )
        self.name = name
        self._features = features
        self._labels = task.labels
        recipe = {
            "training": fingerprint(taught),
            "labels": json.dumps(task.labels),
            "settings": f"{features.settings} {STRENGTHS} {_RULE}",
        }
        self.fingerprint = hashlib.sha256(json.dumps(recipe).encode()).hexdigest()
        folder = derived(
            f"classifier-{name}",
            recipe,
            lambda folder: _save(folder, _train(features, taught, task.labels)),
            label=f"training {name} on {task.name}",
        )
        with np.load(folder / _FILE, allow_pickle=False) as file:
            self._learned: Arrays = dict(file)

    def read(
        self, examples: Sequence[Example], releases: Sequence[Release]
    ) -> list[dict[str, float | str]]:
        """correct, label and predicted of each."""
        if not releases:
            return []
        rows = self._features.features([release.text for release in releases], self._learned)
        scores = rows @ self._learned["slopes"].T + self._learned["heights"]
        return judged(examples, [self._labels[best] for best in np.argmax(scores, axis=1)])


def open_classifier(name: str, task: Task) -> Reader:
    """`tfidf`, `minilm`, or `hf:NAME[@revision]`, a classifier of the hub."""
    if task.kind != "classification":
        raise UsageError(f"{task.name} asks questions: {name} only gives labels")
    if name == "tfidf":
        return Classifier(name, task, TfIdf())
    if name == "minilm":
        similarity, missing = open_similarity()
        if similarity is None:
            raise UsageError(f"the classifier minilm has no encoder: {missing}")
        _sklearn("linear_model")
        return Classifier(name, task, Encoded(similarity))
    if name.startswith("hf:"):
        return HubClassifier(name.removeprefix("hf:"), task)
    raise UnknownName(f'no classifier "{name}".{suggest(name, (*NAMES, "hf:NAME"))}')


def _train(features: TfIdf | Encoded, taught: Sequence[Example], labels: Sequence[str]) -> Arrays:
    learned = features.learn([example.text for example in taught])
    rows = features.features([example.text for example in taught], learned)
    wanted = np.array([labels.index(example.label) for example in taught])
    weight = 1 / np.maximum(np.bincount(wanted, minlength=len(labels)), 1)[wanted]
    held = np.arange(len(taught)) % 5 == 4

    def score(strength: float) -> float:
        model = _regression(strength).fit(rows[~held], wanted[~held])
        return float(model.score(rows[held], wanted[held], weight[held]))

    enough = held.any() and len(np.unique(wanted[~held])) > 1
    model = _regression(max(STRENGTHS, key=score) if enough else STRENGTHS[0]).fit(rows, wanted)
    slopes = np.zeros((len(labels), rows.shape[1]), dtype=np.float32)
    heights = np.full(len(labels), -np.inf)
    if len(model.classes_) == 2:  # one line stands for both
        slopes[model.classes_[1]] = model.coef_[0]
        heights[model.classes_] = 0.0, model.intercept_[0]
    else:
        slopes[model.classes_], heights[model.classes_] = model.coef_, model.intercept_
    return learned | {"slopes": slopes, "heights": heights}


def _regression(strength: float) -> Any:
    return _sklearn("linear_model").LogisticRegression(
        C=strength, max_iter=1000, class_weight="balanced"
    )


def _save(folder: Path, arrays: Arrays) -> None:
    folder.chmod(0o700)  # a bucket confirms the guess of a word: for its owner alone
    save: Any = np.savez_compressed  # its annotation has no room for arrays by name
    save(folder / _FILE, **arrays)


def _sklearn(module: str) -> Any:
    return optional(f"sklearn.{module}", "evals", "training a classifier")


LONGEST: Final = 512
"""Pieces of a text that are read; what follows is cut."""


class HubClassifier:
    """Weights as safetensors, never pickled; code of the model's author is never run."""

    def __init__(self, argument: str, task: Task) -> None:
        where, _, revision = argument.partition("@")
        options = {"revision": revision or "main", "trust_remote_code": False}
        for module in ("torch", "transformers"):
            library = optional(module, "transformers", "a classifier of the Hugging Face hub")
        try:
            tokenizer = library.AutoTokenizer.from_pretrained(where, **options)
            model = library.AutoModelForSequenceClassification.from_pretrained(
                where, use_safetensors=True, **options
            )
            self._pipeline: Any = library.pipeline(
                "text-classification", model=model, tokenizer=tokenizer, device="cpu"
            )
            by_place = model.config.id2label
            named = [str(by_place[place]) for place in range(len(by_place))]
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
        labels = self._pipeline(texts, truncation=True, max_length=LONGEST) if texts else []
        return judged(examples, [self._label_of[label["label"]] for label in labels])


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


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"

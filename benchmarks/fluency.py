"""What a language model does to releases at equal epsilon: meaning, loss, words changed, attack.

    python benchmarks/fluency.py run MECHANISM --seeds 2 [--judge gguf:PATH]   adds to the results
    python benchmarks/fluency.py cost                                         adds what it costs
    python benchmarks/fluency.py table                                        prints docs' tables

Texts are those of benchmarks/presets.py. Surrogates take the place of what is sensitive; all other
words get one mechanism at one epsilon. Releases are seeded so that they can be made again.

The contextual attacker knows everything but the text: mechanism, epsilon, language model. For a
released word y he weighs outputs x of its class by p_LM(x | released before) * P(y | x, released
before). For `neighbourhood`, without fluency and with fluency by law, this is Bayes' rule (by law
with the normalisers of the 24 best candidates only, and words whose pieces no draw asked for enter
by their bound). By decoding, what he could know at most is the row that was drawn, as without
fluency; here he sees the decoded word, takes it for that row, or believes it: the better of the
two. The law of `polar` has no closed form: he weighs by exp(b * cosine), with the b that serves him
best in hindsight. Words that are not outputs of the space cannot be guessed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from texts import TEXTS

from privstamp import Policy, Privatizer
from privstamp.lab.estimate import Estimate
from privstamp.mechanisms._geometry import log_normalisers
from privstamp.mechanisms.fluency import BaseMeasure, FluentDecoded, FluentScored, WithModel
from privstamp.mechanisms.neighbourhood import Neighbourhood
from privstamp.mechanisms.stated import unit_rows
from privstamp.noise import Randomness
from privstamp.protocols import LanguageModel
from privstamp.registry import MODELS
from privstamp.release.draws import Fluency
from privstamp.result import Result

RECORDS = Path("build/fluency.json")
"""Every word of every release, for whoever runs this: not kept in the repository."""
RESULTS = Path(__file__).parent / "results" / "fluency.json"
"""The tables of docs/concepts/fluency.md, with the hash of the records they were made of."""
POWERS = (0.3, 0.6, 1.0)
MECHANISMS: dict[str, tuple[dict[str, Any], float, str]] = {
    "neighbourhood": ({"name": "neighbourhood", "k": 24, "alike": 48}, 5.0, "hops"),
    "plateau": (
        {"name": "neighbourhood", "k": 24, "alike": 48, "plateau": 1, "sharp": ["function"]},
        6.0,
        "hops",
    ),
    "polar": ({"name": "polar"}, 45.0, "chordal"),
    "polar, less": ({"name": "polar"}, 33.0, "chordal"),
}
CANDIDATES = 24
SHOWN = ("0", "0.6")
"""Powers whose rows the page has."""
SHARPNESS = (0.0, 5.0, 10.0, 20.0, 40.0, 80.0, 1e6)


class Remembered(Fluency):
    """Keeps the base measures that were drawn with, for the attacker."""

    known: dict[tuple[str, int, int], BaseMeasure]

    def measure(self, released: str, number: int, label: int) -> BaseMeasure:
        key = released, number, label
        if key not in self.known:
            self.known[key] = super().measure(released, number, label)
        return self.known[key]


def policy(mechanism: str, by: str, power: float) -> Policy:
    part, epsilon, metric = MECHANISMS[mechanism]
    return Policy.of(
        {
            "extends": "stamp",
            "mechanism": {**part, "fluency": power, "fluency_by": by},
            "groups": {"1": {"name": "surrogate"}, "2": {"name": "surrogate"}},
            "budget": {"epsilon": [0, 0, epsilon, epsilon], "metric": metric},
        }
    )


def positions(result: Result) -> Iterator[tuple[int, str]]:
    """Each randomised unit of a release, and the released text before it."""
    trace, released, position = result.trace, "", 0
    units = trace.units
    drawn = (trace.epsilon > 0) & np.isfinite(trace.epsilon)
    for index, surface in enumerate(trace.surfaces):
        if surface:
            released += units.text[position : units.starts[index]]
            if drawn[index]:
                yield index, released
            released += surface
        position = int(units.ends[index])
    assert result.text.startswith(released)


def settled_best(base: BaseMeasure, weights: np.ndarray) -> int:
    """Argmax of weights + log m, exactly."""
    while True:
        place = int(np.argmax(weights + base.upper))
        if base.settled[place]:
            return place
        base.settle(place)


def guess_steps(mechanism: Neighbourhood, power: float, epsilon: float, base: BaseMeasure, y: int,
                number: int) -> int:  # fmt: skip
    """Bayes' rule with the law of `neighbourhood`, with or without a base measure."""
    outputs, graph = mechanism._space.outputs[number], mechanism.graph.classes[number]
    toward = mechanism._score(int(outputs[y]))  # steps are symmetric
    if power == 0.0:
        scale = mechanism.scale(number, epsilon)
        normalisers = log_normalisers(graph, mechanism.plateaus[number], scale)
        return settled_best(base, scale * toward - normalisers)
    settled_best(base, epsilon / 2.0 * toward)
    weights = base.upper + epsilon / 2.0 * toward
    best = np.argsort(-weights)[:CANDIDATES]
    totals = [
        np.logaddexp.reduce(mechanism.half_scores(int(outputs[x]), epsilon) + power * base.upper)
        for x in best
    ]
    return int(best[np.argmax(weights[best] - totals)])


def attacks(
    line: Privatizer, mechanism: str, result: Result, fluency: Remembered
) -> Iterator[dict]:
    """For each randomised word: class, cosine, changed or not, and which attackers find it."""
    space, trace = line.parts.space, result.trace
    own = line.parts.mechanisms[4]
    power = own.fluency if isinstance(own, WithModel) else 0.0
    plain = own.mechanism if isinstance(own, WithModel) else own
    epsilon = MECHANISMS[mechanism][1]
    for index, released in positions(result):
        x, y = int(trace.units.rows[index]), int(trace.rows[index])
        number = int(space.class_of[x])
        outputs = space.outputs[number]
        place = int(np.searchsorted(outputs, y))
        one, other = unit_rows(space, np.array([x, y]))
        facts: dict[str, Any] = {
            "class": space.classes[number],
            "cosine": float(one @ other),
            "changed": x != y,
        }
        if facts["class"] != "content":
            yield facts
            continue
        base = fluency.measure(released, number, int(trace.units.labels[index]))
        facts["prior"] = bool(outputs[settled_best(base, np.zeros(len(outputs)))] == x)
        if isinstance(plain, Neighbourhood):
            known = power if isinstance(own, FluentScored) else 0.0
            guesses = [guess_steps(plain, known, epsilon, base, place, number)]
            guesses += [place] if isinstance(own, FluentDecoded) else []
        else:
            cosines = unit_rows(space, outputs) @ other
            guesses = [settled_best(base, sharp * cosines) for sharp in SHARPNESS]
        facts["found"] = [bool(outputs[guess] == x) for guess in guesses]
        yield facts


def per_word(model: LanguageModel, text: str) -> float:
    return model.loss(text)[0] / len(text.split())


def ways(mechanism: str, powers: list[float]) -> Iterator[tuple[str, float]]:
    yield "off", 0.0
    for by in ("decoding",) if mechanism.startswith("polar") else ("decoding", "law"):
        for power in powers:
            yield by, power


def run(mechanism: str, powers: list[float], seeds: int, judge: str | None) -> None:
    model: LanguageModel = MODELS.build("smollm2", {})
    judges = {"smollm2": model}
    if judge is not None:
        judges["held out"] = MODELS.build(judge, {})
    originals = {
        name: [per_word(one, text) for _, text in TEXTS.values()] for name, one in judges.items()
    }
    content = json.loads(RECORDS.read_text("utf-8")) if RECORDS.is_file() else {"rows": {}}
    rows = content["rows"].get(mechanism, [])
    done = [(row["by"], row["power"]) for row in rows if len(row["releases"]) >= seeds * len(TEXTS)]
    for by, power in ways(mechanism, powers):
        if (by, power) in done:
            continue
        line = Privatizer(policy(mechanism, "decoding" if by == "off" else by, power), seed=0)
        fluency = Remembered(line.parts, model)
        if line._fluency is not None:
            line._fluency = fluency
        row = {"mechanism": mechanism, "epsilon": MECHANISMS[mechanism][1], "by": by}
        row |= {"power": power, "releases": []}
        for seed in range(seeds):
            line._randomness = Randomness.make(seed=seed)
            for task, text in TEXTS.values():
                fluency.known = {}
                begun = time.perf_counter()
                result = line.privatize(text, task, trace=True)
                took = time.perf_counter() - begun
                row["releases"].append(
                    {
                        "text": result.text,
                        "loss": {name: per_word(one, result.text) for name, one in judges.items()},
                        "milliseconds": 1000.0 * took / max(result.certificate.loss.draws, 1),
                        "words": list(attacks(line, mechanism, result, fluency)),
                    }
                )
        if line.parts.language_model is not None:
            line.parts.language_model.close()
        rows = [old for old in rows if (old["by"], old["power"]) != (by, power)] + [row]
        print(summary(row), flush=True)
        content = json.loads(RECORDS.read_text("utf-8")) if RECORDS.is_file() else {"rows": {}}
        content["originals"] = originals
        content["rows"][mechanism] = rows
        RECORDS.parent.mkdir(exist_ok=True)
        RECORDS.write_text(json.dumps(content) + "\n", encoding="utf-8")


def cost() -> None:
    """Calls of the model and processor time per drawn word, on the first text, when all is warm."""
    facts: dict[str, dict[str, float]] = {}
    task, text = next(iter(TEXTS.values()))
    for mechanism, by, power in (
        ("plateau", "off", 0.0),
        ("plateau", "decoding", 0.6),
        ("plateau", "law", 0.6),
        ("polar", "off", 0.0),
        ("polar", "decoding", 0.6),
    ):
        line = Privatizer(policy(mechanism, "decoding" if by == "off" else by, power), seed=0)
        calls, model = [0], line.parts.language_model
        if model is not None:
            asked = model.next_logprobs

            def counted(*given: Any, asked: Any = asked, calls: list[int] = calls) -> Any:
                calls[0] += 1
                return asked(*given)

            model.next_logprobs = counted
        line.privatize(text, task)
        calls[0], begun = 0, time.process_time()
        draws = line.privatize(text + " ", task).certificate.loss.draws
        took = time.process_time() - begun
        facts[f"{mechanism}, {by}"] = {
            "calls per word": calls[0] / draws,
            "processor milliseconds per word": 1000.0 * took / draws,
        }
        print(mechanism, by, facts[f"{mechanism}, {by}"], flush=True)
    content = json.loads(RECORDS.read_text("utf-8"))
    RECORDS.write_text(json.dumps(content | {"cost": facts}) + "\n", encoding="utf-8")


def mean(values: list[float]) -> tuple[float, float]:
    """Mean, and half of its 95 % interval."""
    sample = np.array(values)
    return float(sample.mean()), float(1.96 * sample.std(ddof=1) / np.sqrt(len(sample)))


def share(values: list[bool]) -> str:
    found = Estimate.share(sum(values), len(values))
    return f"{found.value:.2f} ({found.low:.2f}–{found.high:.2f})"


def summary(row: dict[str, Any]) -> list[str]:
    """One line of the table; about content words, but for the loss and the cost."""
    words = [one for release in row["releases"] for one in release["words"]]
    words = [one for one in words if one["class"] == "content"]
    cosine, around = mean([one["cosine"] for one in words])
    best = max(range(len(words[0]["found"])), key=lambda b: sum(one["found"][b] for one in words))
    cells = [
        row["mechanism"],
        f"{row['epsilon']:g}",
        row["by"],
        f"{row['power']:g}",
        f"{cosine:.2f} ± {around:.2f}",
    ]
    cells += [share([one["changed"] for one in words])]
    for name in row["releases"][0]["loss"]:
        loss, around = mean([release["loss"][name] for release in row["releases"]])
        cells.append(f"{loss:.2f} ± {around:.2f}")
    cells += [share([one["found"][best] for one in words]), share([one["prior"] for one in words])]
    return cells


def summarise() -> None:
    """The committed file anew, from the records of a run on this machine."""
    content = json.loads(RECORDS.read_text(encoding="utf-8"))
    rows = [row for name in MECHANISMS if name in content["rows"] for row in content["rows"][name]]
    kept = {
        "records_sha256": hashlib.sha256(RECORDS.read_bytes()).hexdigest(),
        "rows": [summary(row) for row in rows],
        "originals": {name: float(np.mean(some)) for name, some in content["originals"].items()},
        "cost": content.get("cost", {}),
    }
    RESULTS.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def table() -> str:
    """What the page quotes."""
    content = json.loads(RESULTS.read_text(encoding="utf-8"))
    judges = (f"loss per word, {name}" for name in content["originals"])
    head = ["mechanism", "ε", "by", "β", "cosine", "changed", *judges]
    head += ["contextual attacker", "context alone"]
    rows = [row for row in content["rows"] if row[3] in SHOWN]
    lines = (head, ["---"] * len(head), *rows)
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def costs() -> str:
    content = json.loads(RESULTS.read_text(encoding="utf-8"))
    lines = "| | calls of the model per word | processor time per word |\n| --- | --- | --- |\n"
    for name, cost in content["cost"].items():
        calls, took = cost["calls per word"], cost["processor milliseconds per word"]
        lines += f"| {name} | {calls:.1f} | {took:.0f} ms |\n"
    for name, loss in content["originals"].items():
        lines += f"\nOriginals, {name}: {loss:.2f} nats per word.\n"
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=["run", "cost", "table"])
    parser.add_argument("mechanism", nargs="?", choices=list(MECHANISMS), default="plateau")
    parser.add_argument("--powers", nargs="+", type=float, default=POWERS)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--judge", help="a second model that scores releases and draws none")
    given = parser.parse_args()
    if given.what == "run":
        run(given.mechanism, given.powers, given.seeds, given.judge)
    elif given.what == "cost":
        cost()
    else:
        if RECORDS.is_file():
            summarise()
        print(table(), costs(), sep="\n")


if __name__ == "__main__":
    main()

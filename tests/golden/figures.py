"""What the laboratory's commands print on the small table, and the law of each mechanism."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import numpy as np
from typer.testing import CliRunner

from golden.digest import digest
from golden.releases import lines
from privstamp.cli.app import app
from privstamp.lab.audit.run import CHECKS
from privstamp.noise import Noise
from privstamp.protocols import Discrete
from privstamp.release.parts import build_mechanisms, open_space

Stages = dict[str, str]
KEY: Final = bytes(range(32))
MACHINE: Final = frozenset(
    {"fingerprint", "fingerprints", "microseconds", "package", "parts", "seconds_per_unit"}
    | {"source", "version"}
)
"""Keys whose values belong to a machine or a version."""
SAMPLE: Final = (
    {"text": "The old garden near the river was paid by the mother of a soldier named Ina Holm.",
     "task": "Who paid?", "label": "a"},
    {"text": "The doctor said that Bert Anders should rest for two weeks.", "label": "b"},
)  # fmt: skip
TASK: Final = """kind = "classification"
data = "rows.csv"
task = "Is it about animals?"
name = "animals"
training = 0.5
"""


def figures(folder: Path) -> Iterator[tuple[str, Stages]]:
    """Laws first, then whatever is measured on them; the current folder is `folder`."""
    yield from _laws()
    policy = lines()["exponential chordal"]
    (folder / "policy.toml").write_text(policy.to_toml())
    (folder / "sample.jsonl").write_text("".join(json.dumps(row) + "\n" for row in SAMPLE))
    (folder / "rows.csv").write_text(_rows())
    (folder / "task.toml").write_text(TASK)
    found = _printed("frontier", "--quick", "--space", "vectors:words.txt")[0]
    for record in found["records"]:
        yield f"frontier | {record['setting']} {record['epsilon']:g}", {"figures": _hash(record)}
    yield "frontier | at equal recovery", {"figures": _hash(found["at_equal_recovery"])}
    for attacker in (("unigram", "weighted"), ("uniform", "max")):
        options = ["--prior", attacker[0], "--statistic", attacker[1], "--max-recovery", "0.1"]
        found = _printed("calibrate", "--policy", "policy.toml", *options)
        yield f"calibrate | {' '.join(attacker)}", {"figures": _hash(found)}
    with patch.dict(CHECKS):
        del CHECKS["line"]  # its noise is fresh, and it has tests of its own
        found = _printed("audit", "sample.jsonl", "--policy", "policy.toml", "--no-lm")
    for section in found["sections"]:
        yield f"audit | {section['name']}", {"figures": _hash(section)}
    yield "audit | summary", {"figures": _hash(found["summary"])}
    options = ["--policy", "policy.toml", "--reader", "tfidf", "--out", "results"]
    _printed("evals", "run", "task.toml", *options)
    CliRunner().invoke(app, ["evals", "report", "results", "--json", "report.json"])
    found = json.loads((folder / "report.json").read_text())
    for row in found["rows"]:
        yield f"evals | {row['condition']}", {"figures": _hash(row)}


def _laws() -> Iterator[tuple[str, Stages]]:
    """Rows of the exact channel where there is one, and draws everywhere."""
    for name, policy in lines().items():
        space = open_space(policy.space)
        ids = np.arange(0, len(space.unit), 40, dtype=np.int32)
        for group, mechanism in build_mechanisms(policy, space).items():
            if group != 3 or not hasattr(mechanism, "privatize"):
                continue
            stages = {}
            for strength in (0.5, 4.0):
                epsilon = np.full(len(ids), strength)
                noise = Noise.of_document(KEY, np.arange(len(ids)))
                drawn = mechanism.privatize(ids, epsilon, noise)
                stages[f"draws at {strength:g}"] = digest(drawn)
                if isinstance(mechanism, Discrete):
                    stages[f"law at {strength:g}"] = digest(mechanism.channel(ids, epsilon))
            stages["diameter"] = digest(mechanism.diameter)
            yield f"law | {name}", stages


def _rows() -> str:
    animals = ("horse", "dog", "cat", "bird", "cow", "sheep", "pig", "goat")
    tools = ("knife", "fork", "spoon", "plate", "cup", "glass", "key", "rope")
    rows = [f"the {word} of the {place},{label}\n"
            for label, words in (("yes", animals), ("no", tools)) for word in words
            for place in ("village", "kitchen", "farmer")]  # fmt: skip
    return "text,label\n" + "".join(rows)


def _printed(*arguments: str) -> Any:
    """The JSON of a command."""
    outcome = CliRunner().invoke(app, [*arguments, "--json"])
    try:
        return json.loads(outcome.stdout)
    except json.JSONDecodeError:
        problem = f"{outcome.stdout[-500:]}\n{outcome.stderr[-500:]}"
    raise AssertionError(f"{' '.join(arguments)} printed no JSON: {problem}")


def _hash(values: Any) -> str:
    return digest(_portable(values))


def _portable(values: Any) -> Any:
    if isinstance(values, dict):
        return {key: _portable(value) for key, value in values.items() if key not in MACHINE}
    return [_portable(value) for value in values] if isinstance(values, list) else values

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

from privstamp.budget import Budget
from privstamp.lab.audit.subject import perturbed, traced
from privstamp.lab.evals.experiments import changed
from privstamp.parts import Shelf

ROOT = Path(__file__).parents[3]
spec = importlib.util.spec_from_file_location("side_by_side", ROOT / "benchmarks/side_by_side.py")
side_by_side = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(side_by_side)
STAMP, TEXTS, UNCHANGED = side_by_side.STAMP, side_by_side.TEXTS, side_by_side.UNCHANGED
Shown, quoted, shown = side_by_side.Shown, side_by_side.quoted, side_by_side.shown


@pytest.mark.slow
def test_both_releases_have_the_same_mean_epsilon():
    shelf = Shelf()
    task, text = TEXTS["A review"]
    stamp = changed(STAMP["whole words"], sensitivity="rules")
    first = shown("STAMP", stamp, text, task, 1, None, shelf)
    uniform = changed(stamp, mechanism="laplace-l2", budget=Budget.uniform(first.epsilon))
    second = shown("uniform", uniform, text, task, 1, None, shelf)
    trace = traced(second.result)
    assert np.ptp(traced(first.result).epsilon[perturbed(traced(first.result))]) > 0
    assert np.ptp(trace.epsilon[perturbed(trace)]) == 0
    assert second.epsilon == pytest.approx(first.epsilon)
    assert first.result.text != text != second.result.text


def test_a_repaired_release_is_shown_as_it_was_drawn_too():
    class Repaired:
        text, unrepaired = "after", "before"

    plain, repaired = (
        "\n".join(Shown("name", result, 46.0, 1, 7).lines())
        for result in (type("Plain", (), {"text": "after", "unrepaired": None}), Repaired)
    )
    assert "before" not in plain
    assert "repaired:" not in plain
    assert repaired.index("before") < repaired.index("repaired:") < repaired.index("after")
    assert "mean ε 46 (chordal), 1 of 7" in plain


def test_a_repair_that_changed_nothing_is_said_and_not_shown_twice():
    same = type("Same", (), {"text": "as drawn", "unrepaired": "as drawn"})
    lines = "\n".join(Shown("name", same, 46.0, 1, 7).lines())
    assert lines.count("as drawn") == 1 and UNCHANGED in lines


def test_lines_of_a_text_are_all_quoted():
    assert quoted("one\ntwo") == "> one\n> two"

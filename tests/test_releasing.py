import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import line
from privstamp.types import Units, join_lines, join_surfaces
from toys import ToySpace


class Breaking(ToySpace):
    """Every word that is drawn brings a new line with it."""

    def render(self, rows, labels):
        return [f"{word}\n" for word in super().render(rows, labels)]


def test_lines_of_a_task_are_told_apart_whatever_the_noise_writes(monkeypatch):
    kinds = {"W10": "PERSON", "W20": "PERSON"}
    budget = {"epsilon": [1.0, 1.0, 1.0, 1.0]}
    privatizer = line.make(monkeypatch, space=Breaking(400, 12), kinds=kinds, budget=budget, seed=3)
    task = "w6 w7 W10?\nw1 w2 w3?\nw8 W20?"
    result = privatizer.privatize("W10 w4 W20 w5", task, trace=True)
    assert result.task.count("\n") > task.count("\n")
    first, second, third = result.trace.task
    assert second == "w1 w2 w3?"
    assert first.startswith("w6 w7 ") and "\n" in first and first.endswith("?")
    assert third.startswith("w8 ")
    assert "\n".join(result.trace.task) == result.task


@pytest.mark.parametrize("task", [None, ""])
def test_without_a_task_there_are_no_lines(monkeypatch, task):
    result = line.make(monkeypatch, seed=3).privatize("w1 w2", task, trace=True)
    assert result.trace.task == [] and result.task == task


def cut_at(text, cuts):
    """Every other stretch of a text is a unit."""
    edges = np.array(sorted({min(cut, len(text)) for cut in cuts}), dtype=np.int64)
    pairs = edges[: len(edges) // 2 * 2].reshape(-1, 2)
    rows = np.zeros(len(pairs), dtype=np.int32)
    nothing = np.zeros(len(pairs), dtype=np.uint8)
    return Units(text, pairs[:, 0], pairs[:, 1], rows, nothing, nothing)


@given(st.text("ab \n", max_size=30), st.lists(st.integers(0, 30), max_size=12), st.data())
def test_lines_together_are_the_text(text, cuts, data):
    units = cut_at(text, cuts)
    if not any("\n" in word[:-1] for word in units.surfaces()):
        assert join_lines(units, units.surfaces()) == text.split("\n")
    words = [data.draw(st.text("x\n", max_size=3)) for _ in range(len(units))]
    lines = join_lines(units, words)
    assert len(lines) == text.count("\n") + 1
    inside = any("\n" in word for word in units.surfaces())
    if not inside:  # where no unit holds a line's end, it is still there
        assert "\n".join(lines) == join_surfaces(units, words)

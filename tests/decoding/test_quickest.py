from __future__ import annotations

import gc
import sys
import weakref
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy

import numpy as np
import pytest

from privstamp.decoding import quickest
from privstamp.decoding.exact import Exact
from privstamp.decoding.quickest import Int8, Quickest
from privstamp.errors import Incompatible, MissingExtra
from toys import ToySpace


class Slow:
    """Stands for coded rows; answers like float32, after as long as it is told."""

    def __init__(self, directions, seconds):
        self.directions = directions
        self.seconds = seconds
        self.asked = 0

    def nearest(self, queries, scratch, count=1):
        self.asked += 1
        quickest.time.sleep(self.seconds)
        return self.directions.nearest(queries, scratch, count)


@pytest.fixture
def told(monkeypatch):
    """A decoder for which torch is there, measured from the first query on.

    Its int8 and its packed rows take as long as they are told; None: there are none.
    """
    monkeypatch.setattr(quickest, "_verdicts", {})
    monkeypatch.setattr(quickest, "WORTH_TRYING", 0.0)
    monkeypatch.setattr(quickest, "WORTH_IMPORTING", 0.0)
    monkeypatch.setattr(quickest, "find_spec", lambda name: True)

    def make(space, coded=None, packed=None):
        made = {"Certified": [], "packed": []}

        def maker(name, seconds):
            def standing_in(directions):
                if seconds is None:
                    raise Incompatible("not here")
                made[name].append(Slow(directions, seconds))
                made[name][-1].shape = directions.shape
                return made[name][-1]

            return standing_in

        monkeypatch.setattr(quickest, "Certified", maker("Certified", coded))
        monkeypatch.setattr(quickest, "packed", maker("packed", packed))
        return Quickest(space), made

    return make


def queries_of(space, count):
    return np.random.default_rng(0).standard_normal((count, space.unit.shape[1]))


def test_slower_products_are_dropped(told):
    space, classes = ToySpace(classes=("a",)), np.zeros(100, np.uint8)
    decoder, made = told(space, coded=0.05, packed=0.05)
    for _ in range(3):
        queries = queries_of(space, 100)
        expected = Exact(space).decode(queries, classes)
        assert np.array_equal(decoder.decode(queries, classes), expected)
    assert [one.asked for both in made.values() for one in both] == [quickest.REPEATS] * 2
    assert list(quickest._verdicts.values()) == ["float32"]
    assert not decoder._certified
    assert not isinstance(decoder._direction(0), Slow)


def slowed(decoder, monkeypatch):
    """Plain float32 takes long: whatever else there is wins."""
    rows = decoder._direction(0)
    plain = rows.nearest
    monkeypatch.setattr(rows, "nearest", lambda *args: (quickest.time.sleep(0.05), plain(*args))[1])
    monkeypatch.setattr(Slow, "nearest", lambda self, *args: _count(self, plain(*args)))


def test_rows_laid_out_are_taken_where_they_are_quickest(told, monkeypatch):
    space, classes = ToySpace(classes=("a",)), np.zeros(100, np.uint8)
    decoder, made = told(space, packed=0.0)
    slowed(decoder, monkeypatch)
    for count in (1, 2):
        search = decoder.decode if count == 1 else decoder.decode_two
        for _ in range(3):
            search(queries_of(space, 100), classes)
    assert isinstance(decoder._direction(0), Slow)  # the rows as they were are let go of
    assert len(made["packed"]) == 1
    assert quickest._verdicts == {(270, 8, True, 1): "packed", (270, 8, True, 2): "packed"}
    # Another decoder of such rows need not measure.
    other = Quickest(space)
    other.decode(queries_of(space, 100), classes)
    assert len(made["packed"]) == 2
    assert made["packed"][1].asked == 1


def test_rows_as_they_were_are_let_go_of_also_where_others_fall_back_on_them():
    pytest.importorskip("torch")
    space, classes = ToySpace(classes=("a",)), np.zeros(100, np.uint8)
    decoder, queries = Quickest(space), queries_of(space, 100)
    points = np.concatenate([queries, np.ones((100, 1))], axis=1)
    decoder._coded(0), decoder._point(0)
    rows = decoder._direction(0)
    before = [weakref.ref(stack) for _, stack in rows.stacks]
    decoder._lay_out(0, rows.stacked(deepcopy(rows.stacks)))
    del rows
    gc.collect()
    assert [one() for one in before] == [None] * len(before)
    expected = Exact(space).decode(queries, classes)
    assert np.array_equal(decoder._coded(0).nearest(queries, decoder._scratch)[:, 0], expected)
    expected = Exact(space).decode_points(points, classes)
    assert np.array_equal(decoder.decode_points(points, classes), expected)


def test_without_any_other_product_float32_goes_on(told):
    space, classes = ToySpace(classes=("a",)), np.zeros(100, np.uint8)
    decoder, _ = told(space)
    queries = queries_of(space, 100)
    expected = Exact(space).decode(queries, classes)
    assert np.array_equal(decoder.decode(queries, classes), expected)
    assert list(quickest._verdicts.values()) == ["float32"]


def test_the_quicker_product_is_taken(told, monkeypatch):
    space, classes = ToySpace(classes=("a",)), np.zeros(100, np.uint8)
    decoder, made = told(space, coded=0.0)
    slowed(decoder, monkeypatch)
    for _ in range(3):
        decoder.decode(queries_of(space, 100), classes)
    assert made["Certified"][0].asked == quickest.REPEATS + 3
    assert list(quickest._verdicts.values()) == ["int8"]


def _count(one, answer):
    one.asked += 1
    return answer


def test_few_and_many_queries_are_two_cases(told):
    space = ToySpace(classes=("a",))
    decoder, _ = told(space, coded=0.01)
    for count in (1, 2, quickest.MANY):
        decoder.decode(queries_of(space, count), np.zeros(count, np.uint8))
    assert sorted(many for _, _, many, _ in quickest._verdicts) == [False, True]


def test_a_measurement_leaves_what_another_case_uses(told, monkeypatch):
    space = ToySpace(classes=("a",))
    decoder, made = told(space, coded=0.0)
    slowed(decoder, monkeypatch)
    decoder.decode(queries_of(space, 100), np.zeros(100, np.uint8))
    decoder.decode_two(queries_of(space, 100), np.zeros(100, np.uint8))
    decoder.decode(queries_of(space, 100), np.zeros(100, np.uint8))
    assert quickest._verdicts == {(270, 8, True, 1): "int8", (270, 8, True, 2): "float32"}
    assert len(made["Certified"]) == 1


def test_little_work_never_imports_torch(monkeypatch):
    monkeypatch.setattr(quickest, "_verdicts", {})
    space = ToySpace(classes=("a",))
    before = "torch" in sys.modules
    Quickest(space).decode(queries_of(space, 100), np.zeros(100, np.uint8))
    assert ("torch" in sys.modules) == before
    assert not quickest._verdicts


def test_without_torch_float32_goes_on(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.setattr(quickest, "_verdicts", {})
    monkeypatch.setattr(quickest, "WORTH_TRYING", 0.0)
    monkeypatch.setattr(quickest, "WORTH_IMPORTING", 0.0)
    monkeypatch.setattr(quickest, "find_spec", lambda name: True)  # there, but broken
    space, classes = ToySpace(classes=("a",)), np.zeros(100, np.uint8)
    queries = queries_of(space, 100)
    expected = Exact(space).decode(queries, classes)
    assert np.array_equal(Quickest(space).decode(queries, classes), expected)
    with pytest.raises(MissingExtra, match=r"privstamp\[torch\]"):
        Int8(space).decode(queries, classes)


def test_threads_that_measure_at_once_agree(told):
    space, classes = ToySpace(classes=("a",)), np.zeros(64, np.uint8)
    decoder, _ = told(space, coded=0.002, packed=0.001)
    queries = queries_of(space, 64)
    expected = Exact(space).decode(queries, classes)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: decoder.decode(queries, classes), range(32)))
    assert all(np.array_equal(one, expected) for one in found)

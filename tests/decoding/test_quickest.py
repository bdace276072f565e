from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from privstamp.decoding import certified as quickest
from privstamp.decoding.certified import Int8, Quickest
from privstamp.decoding.exact import Exact
from privstamp.errors import Incompatible, MissingExtra
from toys import ToySpace


def slept(coded, queries, scratch, count=1):
    coded.asked += 1
    quickest.time.sleep(coded.seconds)
    return coded.directions.nearest(queries, scratch, count)


class Slow:
    """Stands for coded rows; answers like float32, after as long as it is told."""

    def __init__(self, directions, seconds):
        self.directions = directions
        self.seconds = seconds
        self.asked = 0

    def nearest(self, queries, scratch, count=1):
        return slept(self, queries, scratch, count)


@pytest.fixture
def told(monkeypatch):
    """A decoder for which torch is there, measured from the first query on.

    Its int8 rows take as long as they are told; None: there are none.
    """
    monkeypatch.setattr(quickest, "_verdicts", {})
    monkeypatch.setattr(quickest, "WORTH_TRYING", 0.0)
    monkeypatch.setattr(quickest, "WORTH_IMPORTING", 0.0)
    monkeypatch.setattr(quickest, "find_spec", lambda name: True)

    def make(space, coded=None):
        made = []

        def certified(directions):
            if coded is None:
                raise Incompatible("not here")
            made.append(Slow(directions, coded))
            return made[-1]

        monkeypatch.setattr(quickest, "Certified", certified)
        return Quickest(space), made

    return make


def queries_of(space, count):
    return np.random.default_rng(0).standard_normal((count, space.unit.shape[1]))


def test_slower_products_are_dropped(told):
    space, classes = ToySpace(classes=("a",)), np.zeros(100, np.uint8)
    decoder, made = told(space, coded=0.05)
    for _ in range(3):
        queries = queries_of(space, 100)
        expected = Exact(space).decode(queries, classes)
        assert np.array_equal(decoder.decode(queries, classes), expected)
    assert [coded.asked for coded in made] == [quickest.REPEATS]
    assert list(quickest._verdicts.values()) == ["float32"]
    assert not decoder._certified


def slowed(decoder, monkeypatch):
    """Plain float32 takes long: whatever else there is wins."""
    rows = decoder._direction(0)
    plain = rows.nearest
    monkeypatch.setattr(rows, "nearest", lambda *args: (quickest.time.sleep(0.05), plain(*args))[1])
    monkeypatch.setattr(Slow, "nearest", lambda self, *args: _count(self, plain(*args)))


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
    assert made[0].asked == quickest.REPEATS + 3
    assert list(quickest._verdicts.values()) == ["int8"]


def _count(one, answer):
    one.asked += 1
    return answer


def test_few_and_many_queries_are_two_cases(told):
    space = ToySpace(classes=("a",))
    decoder, _ = told(space, coded=0.01)
    for count in (1, 2, quickest.MANY):
        decoder.decode(queries_of(space, count), np.zeros(count, np.uint8))
    assert sorted(many for _, _, many in quickest._verdicts) == [False, True]


def test_a_measurement_leaves_what_another_case_uses(told, monkeypatch):
    space = ToySpace(classes=("a",))
    decoder, made = told(space, coded=0.0)
    slowed(decoder, monkeypatch)
    decoder.decode(queries_of(space, 100), np.zeros(100, np.uint8))
    made[0].seconds = 0.2
    monkeypatch.setattr(Slow, "nearest", slept)
    decoder.decode(queries_of(space, 2), np.zeros(2, np.uint8))
    assert quickest._verdicts == {(270, 8, True): "int8", (270, 8, False): "float32"}
    assert len(made) == 1 and 0 in decoder._certified


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
    decoder, _ = told(space, coded=0.002)
    queries = queries_of(space, 64)
    expected = Exact(space).decode(queries, classes)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: decoder.decode(queries, classes), range(32)))
    assert all(np.array_equal(one, expected) for one in found)

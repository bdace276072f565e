from __future__ import annotations

import sys

import numpy as np
import pytest

from privstamp.decoding.exact import Exact
from privstamp.decoding.indexed import Faiss, Hnsw
from privstamp.errors import MissingExtra, PolicyError
from toys import ToySpace


def queries_of(space, count):
    random = np.random.default_rng(0)
    rows = random.integers(0, len(space.unit), count)
    noise = 0.3 * random.standard_normal((count, space.unit.shape[1]))
    return space.unit[rows] + noise, space.class_of[rows]


@pytest.mark.parametrize("made", [Faiss, Hnsw])
def test_answers_are_outputs_of_the_class_and_mostly_the_nearest(made):
    pytest.importorskip("faiss")
    space = ToySpace(4000, 8)
    queries, classes = queries_of(space, 500)
    got = made(space).decode(queries, classes)
    assert all(row in space.outputs[number] for row, number in zip(got, classes, strict=True))
    assert (got == Exact(space).decode(queries, classes)).mean() > 0.9
    assert made.approximate


def test_what_an_index_does_not_find_is_searched_for(monkeypatch):
    pytest.importorskip("faiss")
    space = ToySpace()
    queries, classes = queries_of(space, 20)
    decoder = Faiss(space)

    class Blind:
        def search(self, queries, count):
            return None, np.full((len(queries), count), -1)

    monkeypatch.setattr(decoder, "_index", lambda number: Blind())
    expected = Exact(space).decode(queries, classes)
    assert np.array_equal(decoder.decode(queries, classes), expected)


def test_an_unknown_index_is_refused():
    pytest.importorskip("faiss")
    space = ToySpace()
    with pytest.raises(PolicyError, match='no index "HNSWx"'):
        Faiss(space, index="HNSWx").decode(np.ones((1, 8)), np.zeros(1, np.uint8))
    with pytest.raises(PolicyError, match="probes"):
        Faiss(space, probes=0)


def test_without_faiss_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "faiss", None)
    with pytest.raises(MissingExtra, match=r"privstamp\[faiss\]"):
        Hnsw(ToySpace())

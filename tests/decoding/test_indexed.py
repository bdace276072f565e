from __future__ import annotations

import sys
from types import SimpleNamespace

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


REFUSED = [
    (Hnsw, {"links": 0}, "links is a whole number from 2 to 512"),
    (Hnsw, {"links": 1}, "links is a whole number from 2 to 512"),
    (Hnsw, {"links": 1_000_000}, "links is a whole number from 2 to 512"),
    (Hnsw, {"links": "32"}, "links is a whole number from 2 to 512"),
    (Hnsw, {"links": True}, "links is a whole number from 2 to 512"),
    (Hnsw, {"effort": 0}, "effort is a whole number from 1"),
    (Hnsw, {"effort": 1 << 40}, "effort is a whole number from 1"),
    (Faiss, {"probes": 0}, "probes is a whole number from 1"),
    (Faiss, {"index": 5}, "index is a factory string"),
    (Faiss, {"index": "HNSWx"}, 'no index "HNSWx"'),
    (Faiss, {"index": ""}, 'no index ""'),
    (Faiss, {"index": "HNSW0"}, "numbers in index are from 1"),
    (Faiss, {"index": "HNSW01"}, "HNSW has from 2 to 512 links"),
    (Faiss, {"index": "IVF64_HNSW1,Flat"}, "HNSW has from 2 to 512 links"),
    (Faiss, {"index": "NSG4"}, "NSG has from 8 to 512 links"),
    (Faiss, {"index": "IVF0,Flat"}, "numbers in index are from 1"),
    (Faiss, {"index": "RR0,Flat"}, "numbers in index are from 1"),
    (Faiss, {"index": "IVF" + "9" * 5000 + ",Flat"}, "numbers in index are from 1"),
]


@pytest.mark.parametrize(("made", "options", "reason"), REFUSED)
def test_an_option_that_makes_no_index_is_refused_when_the_decoder_is_made(made, options, reason):
    pytest.importorskip("faiss")
    with pytest.raises(PolicyError, match=reason) as refused:
        made(ToySpace(), **options)
    assert refused.value.__context__ is None


@pytest.mark.parametrize("index", ["HNSW2", "HNSW512", "HNSW", "IVF64,Flat", "PCA4,Flat"])
def test_indexes_at_the_edge_are_taken(index):
    pytest.importorskip("faiss")
    space = ToySpace()
    queries, classes = queries_of(space, 5)
    assert len(Faiss(space, index=index).decode(queries, classes)) == 5


@pytest.mark.parametrize(
    ("made", "options", "option"),
    [(Faiss, {"index": "HNSW8_PQ4x12"}, "index"), (Hnsw, {"links": 8}, "links")],
)
def test_an_index_that_cannot_be_built_names_its_option(monkeypatch, made, options, option):
    pytest.importorskip("faiss")
    space = ToySpace(classes=("a",))
    decoder = made(space, **options)
    if made is Hnsw:
        broken = SimpleNamespace(train=_breaks)
        monkeypatch.setattr(decoder, "_empty", lambda _: broken)
    with pytest.raises(PolicyError, match=f"the index that {option} asks for") as refused:
        decoder.decode(*queries_of(space, 3))
    assert refused.value.__context__ is None


def _breaks(_rows):
    raise RuntimeError


def test_without_faiss_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "faiss", None)
    with pytest.raises(MissingExtra, match=r"privstamp\[faiss\]"):
        Hnsw(ToySpace())

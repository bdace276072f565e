from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import numpy as np
import pytest

from privstamp.decoding import quickest as module
from privstamp.decoding.exact import Exact
from privstamp.decoding.quickest import Int8, Packed, packed
from privstamp.errors import Incompatible, MissingExtra
from toys import ToySpace

torch = pytest.importorskip("torch")
try:
    module._mkl()
except Incompatible:
    pytest.skip("torch brings no MKL here", allow_module_level=True)


def queries_of(space, count, seed=0):
    random = np.random.default_rng(seed)
    ids = random.integers(0, len(space.unit), count)
    noisy = space.unit[ids] + 0.1 * random.standard_normal((count, space.unit.shape[1]))
    return noisy.astype(np.float32), space.class_of[ids]


@pytest.mark.parametrize("count", [1, 2, 7, 63, 180, 700])
@pytest.mark.parametrize("dimensions", [256, 301, 768])
def test_rows_laid_out_find_what_a_plain_search_finds(dimensions, count):
    space = ToySpace(3000, dimensions)
    queries, classes = queries_of(space, count)
    decoder = Packed(space)
    found = decoder.decode(queries, classes)
    assert np.array_equal(found, Exact(space).decode(queries, classes))
    two = Exact(space).decode_two(queries, classes)
    assert np.array_equal(decoder.decode_two(queries, classes), two)


def test_queries_may_lie_in_any_order_in_memory():
    space = ToySpace(3000, 256, ("a",))  # one class: nothing is gathered
    queries, classes = queries_of(space, 90)
    decoder = Packed(space)
    expected = decoder.decode(queries, classes)
    assert np.array_equal(decoder.decode(np.asfortranarray(queries), classes), expected)
    wide = np.repeat(queries, 2, axis=1)[:, ::2]
    assert np.array_equal(decoder.decode(wide.astype(np.float64), classes), expected)


@pytest.mark.parametrize("kind", [Exact, Int8, Packed])
def test_queries_of_another_width_or_number_are_refused(kind):
    space = ToySpace(600, 256, ("a",))
    queries, classes = queries_of(space, 20)
    decoder = kind(space)
    for some, of in ((queries[:, :200], classes), (queries, classes[:10]), (queries[0], classes)):
        for search in (decoder.decode, decoder.decode_two):
            with pytest.raises(ValueError, match="as many numbers as a row"):
                search(some, of)
    with pytest.raises(ValueError, match="as many numbers as a row"):
        decoder.decode_points(queries.astype(np.float64), classes)


def test_a_class_smaller_than_a_block_is_laid_out_too():
    space = ToySpace(90, 256, ("a",))
    queries, classes = queries_of(space, 50)
    expected = Exact(space).decode(queries, classes)
    assert np.array_equal(Packed(space).decode(queries, classes), expected)


def test_threads_share_rows_laid_out():
    space = ToySpace(3000, 300)
    queries, classes = queries_of(space, 300)
    decoder = Packed(space)
    expected = Exact(space).decode(queries, classes)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: decoder.decode(queries, classes), range(12)))
    assert all(np.array_equal(one, expected) for one in found)


def test_the_threads_of_mkl_are_left_as_they_were():
    space = ToySpace(600, 256)
    before = module._mkl().threads(3)
    try:
        Packed(space).decode(*queries_of(space, 20))
        assert module._mkl().threads(3) == 3
    finally:
        module._mkl().threads(before)


def test_a_wrong_product_is_refused(monkeypatch):
    """As of a library whose whole numbers are wider."""
    mkl = module._mkl()

    def off(*given):
        mkl.compute(*given)
        out = np.ctypeslib.as_array((module.ctypes.c_float * 1).from_address(given[-2]))
        out[0] += 0.01

    wrong = SimpleNamespace(room=mkl.room, pack=mkl.pack, compute=off, threads=mkl.threads)
    rows = Exact(ToySpace(600, 256, ("a",)))._direction(0)
    packed(rows)
    monkeypatch.setattr(module, "_mkl", lambda: wrong)
    with pytest.raises(Incompatible, match="multiplies otherwise"):
        packed(rows)


def test_rows_of_few_dimensions_are_not_laid_out():
    """They would ask for many times their memory."""
    space = ToySpace(600, 8, ("a",))
    with pytest.raises(Incompatible, match="8 dimensions"):
        Packed(space)
    with pytest.raises(Incompatible, match="8 dimensions"):
        packed(Exact(space)._direction(0))


def test_without_torch_or_without_mkl_there_is_an_error(monkeypatch):
    module._mkl.cache_clear()
    try:
        monkeypatch.setattr(module.ctypes, "CDLL", lambda path: SimpleNamespace())
        with pytest.raises(Incompatible, match="no MKL"):
            module._mkl()
        monkeypatch.setitem(sys.modules, "torch", None)
        with pytest.raises(MissingExtra, match=r"privstamp\[torch\]"):
            module._mkl()
    finally:
        module._mkl.cache_clear()

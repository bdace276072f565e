import numpy as np
import pytest

from privstamp.policy import Policy
from privstamp.registry import SPACES
from privstamp.spaces import graph as graph_module
from privstamp.spaces.glove import packed, shipped, unpacked
from privstamp.spaces.graph import (
    _BLOCK,
    _CANDIDATES,
    _build,
    _of_like_frequency,
    neighbour_graph,
    recipe_of,
)
from privstamp.spaces.hops import Nearest, on_grid
from toys import ToySpace


@pytest.fixture(scope="module")
def glove():
    return SPACES.build("glove", {})


NAMES = ("start", "ends", "shells", "islands")


def test_what_is_packed_comes_back():
    classes = list(_build(ToySpace(300, 4), 5, 0)) + list(_build(ToySpace(5, 4, ("a",)), 1, 0))
    for made, found in zip(classes, unpacked(packed(classes)), strict=True):
        for name in NAMES:
            assert np.array_equal(getattr(made, name), found[name]), name


def test_a_graph_that_does_not_come_along_is_none():
    assert shipped(recipe_of(ToySpace(), 7, 0)) is None


def _options():
    options = Policy.preset("readable").mechanism.options
    return options["k"], options.get("alike", 0)


def test_the_default_graph_comes_along_and_is_taken(glove, monkeypatch, tmp_path):
    monkeypatch.setenv("PRIVSTAMP_CACHE", str(tmp_path))
    monkeypatch.setattr(graph_module, "_build", lambda *_: pytest.fail("it was built"))
    k, alike = _options()
    graph = neighbour_graph(glove, k, alike)
    assert len(graph.classes) == len(glove.classes)
    assert graph.classes[0].degree.min() >= k


@pytest.mark.slow
def test_the_shipped_graph_is_the_one_that_would_be_made(glove):
    """Small classes whole; of the large ones the links of the first rows (all take a minute)."""
    k, alike = _options()
    found = shipped(recipe_of(glove, k, alike))
    for rows, arrays in zip(glove.outputs, found, strict=True):
        if len(rows) < 6_000:
            part = ToySpace(unit=glove.unit[rows], classes=("a",))
            part.outputs, part.prior = (np.arange(len(rows), dtype=np.int32),), glove.prior[rows]
            part.unit = glove.unit[rows]
            made = next(_build(part, k, alike))
            for name in NAMES:
                assert np.array_equal(getattr(made, name), arrays[name]), name
            continue
        some = np.arange(_BLOCK)
        steps = on_grid(glove.unit[rows])
        near = Nearest(steps).search(steps[some], _CANDIDATES, without=some)
        near = _of_like_frequency(near, glove.prior[rows], k, alike)
        start, ends = arrays["start"], arrays["ends"]
        for node in some.tolist():
            assert np.isin(near[node], ends[start[node] : start[node + 1]]).all()

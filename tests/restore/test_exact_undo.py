"""The release itself comes back byte for byte."""

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from line import Budget, make
from privstamp import Privatizer, SurrogateMap
from privstamp.errors import MapError
from privstamp.lab.evals import samples
from privstamp.restore.entry import Undo, changes
from privstamp.types import join_surfaces

ODD = ["\u200b", "\u00a0", "\r\n", "\t", "\u202e", "\u2028", "\x07", "  ", "\ufeff", "\u00ad"]


@pytest.fixture(scope="module")
def privatizer():
    return Privatizer()


def documents(count):
    """Texts of ten kinds; beyond the shipped ones shuffled by sentence, with odd characters."""
    shipped = [sample.text for sample in samples.load()]
    draw = random.Random(5)
    for number in range(count):
        text = shipped[number % len(shipped)]
        if number >= len(shipped):
            parts = text.split(". ")
            draw.shuffle(parts)
            text = ". ".join(parts[:3])[:600]
            for _ in range(draw.randint(0, 4)):
                at = draw.randint(0, len(text))
                text = text[:at] + draw.choice(ODD) + text[at:]
        yield text


def assert_exact(result, original):
    assert result.restore(result.text, trusted=True) == original
    loaded = SurrogateMap.from_json(result.map.to_json())
    assert loaded.restore(result.text, trusted=True).encode() == original.encode()


def test_documents_of_ten_kinds_come_back_byte_for_byte(privatizer):
    texts = list(documents(70))
    assert len({sample.kind for sample in samples.load()}) >= 10
    changed = 0
    for text, result in zip(texts, privatizer.privatize_many(texts), strict=True):
        assert_exact(result, text)
        changed += result.text != text
    assert changed > 60


@pytest.mark.slow
def test_a_thousand_documents_come_back_byte_for_byte(privatizer):
    texts = list(documents(1000))
    for text, result in zip(texts, privatizer.privatize_many(texts), strict=True):
        assert_exact(result, text)


def test_the_task_comes_back_too(privatizer):
    task = "Where does Miriam\u200b Castellano live?"
    result = privatizer.privatize("Miriam Castellano lives in Lisbon.", task=task)
    assert "Castellano" not in result.task
    assert result.restore(result.task, trusted=True) == task


@settings(max_examples=60)
@given(st.lists(st.sampled_from(["W1", "w2", "Zworg", "quux", "123", ",", "\u200b", *ODD])))
def test_any_text_comes_back(words):
    text = " ".join(words)
    with pytest.MonkeyPatch.context() as patch:
        result = make(patch, seed=1, budget=Budget.uniform(0.01)).privatize(text)
    assert result.restore(result.text, trusted=True) == text


def test_edits_are_those_of_the_joined_text(privatizer):
    trace = privatizer.group("Miriam Castellano, of Lisbon.")
    surfaces = ["Xy", *trace.units.surfaces()[1:-2], "", "Q"]
    joined = join_surfaces(trace.units, surfaces)
    exact = Undo.of(joined, changes(trace.units, surfaces))
    assert exact.undo(joined) == trace.units.text
    assert exact.undo(joined + " ") is None


def test_a_repaired_release_comes_back():
    exact = Undo.of("a Q", ((2, 3, "Ann"),)).above("a Q", "the Q")
    assert exact.undo("the Q") == "a Ann"
    assert exact.undo("a Q") is None
    assert "Ann" not in repr(exact)


@pytest.mark.parametrize(
    "releases",
    [
        None,
        {},
        [1],
        [{"digest": "x"}],
        [{"digest": 1, "layers": []}],
        [{"digest": "x", "layers": [[[0, 1]]]}],
        [{"digest": "x", "layers": [[[2, 1, "a"]]]}],
        [{"digest": "x", "layers": [[[0, 2, "a"], [1, 3, "b"]]]}],
        [{"digest": "x", "layers": [[[True, 2, "a"]]]}],
    ],
)
def test_damaged_releases_are_refused(releases):
    content = json.loads(SurrogateMap().to_json()) | {"releases": releases}
    with pytest.raises(MapError, match="damaged"):
        SurrogateMap.from_json(json.dumps(content))

"""The default space, as it is shipped."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privstamp.errors import UsageError
from privstamp.registry import SPACES
from privstamp.spaces.classes import SMALLEST
from privstamp.spaces.glove import Glove
from privstamp.testing import check_space
from privstamp.types import PASSING, UNKNOWN, Label, join_surfaces

FINGERPRINT = "5c1449ccc4dd192b89ca5fb28630dac74827555b2a6f4d76b88c694157dc5590"
"""Of the default space: machines must agree, or their certificates do not compare."""


@pytest.fixture(scope="module")
def glove() -> Glove:
    return Glove()


def class_of(glove: Glove, word: str) -> str:
    [row] = glove.split(word).rows
    return glove.classes[glove.class_of[row]]


def test_conformance(glove: Glove) -> None:
    check_space(glove)


def test_it_is_the_registered_default() -> None:
    assert isinstance(SPACES.build("glove", {"preprocessing": "abtt2"}), Glove)


def test_the_fingerprint_is_the_same_on_every_machine(glove: Glove) -> None:
    assert glove.fingerprint == FINGERPRINT


def test_all_words_are_inputs_and_plain_ones_outputs(glove: Glove) -> None:
    assert glove.unit.shape == (400_000, 50)
    sizes = dict(zip(glove.classes, map(len, glove.outputs), strict=True))
    assert set(sizes) == {"content", "function", "number", "name", "place"}
    assert sizes["content"] == 50_000
    assert min(sizes.values()) >= SMALLEST
    assert np.bincount(glove.class_of).min() >= SMALLEST
    for name, rows in zip(glove.classes, glove.outputs, strict=True):
        pattern = r"0|[1-9][0-9]*" if name == "number" else r"[a-z][a-z.'-]*"
        assert all(re.fullmatch(pattern, word) for word in glove.words(rows))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("function", "the of she may will not because"),
        ("name", "john mary smith garcia brown wang"),
        ("place", "paris lisbon sheffield portugal ohio boston"),
        ("content", "hospital reading april mobile nice invoice said december"),
        ("number", "42 1990s 10:30 3rd x86"),
    ],
)
def test_classes(glove: Glove, name: str, words: str) -> None:
    assert {word: class_of(glove, word) for word in words.split()} == dict.fromkeys(
        words.split(), name
    )


def test_frequent_words_weigh_more(glove: Glove) -> None:
    the, hospital, metformin = glove.prior[glove.split("the hospital metformin").rows]
    assert the > hospital > metformin > 0


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Dr. O'Brien's X-ray", "Dr. O'brien's X-ray"),
        ("I don't; they can’t, WON'T", "I do not; they can not, WILL NOT"),
        ("mother-in-law", "mother-in-law"),
    ],
)
def test_kept_words_read_as_they_did(glove: Glove, text: str, written: str) -> None:
    units = glove.split(text)
    assert UNKNOWN not in units.rows
    assert join_surfaces(units, glove.render(units.rows, units.labels)) == written


def test_the_second_half_of_a_contraction_is_marked(glove: Glove) -> None:
    units = glove.split("don't")
    assert units.labels.tolist() == [Label.LOWER, Label.SPLIT]
    assert glove.words(units.rows) == ["do", "not"]


@settings(max_examples=300, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_comes_back(glove: Glove, text: str) -> None:
    units = glove.split(text)
    assert join_surfaces(units, units.surfaces()) == text
    assert set(join_surfaces(units, [""] * len(units))) <= PASSING


@pytest.mark.parametrize("outputs", [0, 999, -1, 1e6, "many", True])
def test_bad_outputs_are_refused(outputs: object) -> None:
    with pytest.raises(UsageError, match="at least 1000"):
        Glove(outputs=outputs)  # type: ignore[arg-type]


def test_bad_preprocessing_is_refused() -> None:
    with pytest.raises(UsageError, match='no preprocessing "whitened"'):
        Glove(preprocessing="whitened")

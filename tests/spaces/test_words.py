"""Word spaces: what is written is read back, the fingerprint covers it, rendering is by label."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privstamp.errors import Incompatible, UsageError
from privstamp.protocols import Space
from privstamp.spaces.classes import PublicLists
from privstamp.spaces.words import WordSpace, reads_well, write, zipf
from privstamp.testing import check_space
from privstamp.types import UNKNOWN, Label, Table

WORDS = [f"{a}{b}{c}" for a in "bcdf" for b in "aeiou" for c in "lmnrst"]
WORDS = ["the", ",", "n't", "not", *WORDS, *(f"{word}ing" for word in WORDS), "null"]


def table() -> Table:
    raw = np.random.default_rng(1).standard_normal((len(WORDS), 6)).astype(np.float32)
    raw[-1] = 0.0
    return raw


def made(folder: Path, words: list[str] = WORDS, **changed: object) -> WordSpace:
    folder.mkdir()
    options = {
        "preprocessing": "abtt2",
        "outputs": 5000,
        "lists": PublicLists({}, frozenset()),
        "readable": reads_well,
    }
    write(folder, words, changed.pop("raw", table()), **(options | changed))  # type: ignore[arg-type]
    return WordSpace("test", "made here", folder, "abtt2")


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> WordSpace:
    return made(tmp_path_factory.mktemp("words") / "space")


def test_conformance(space: WordSpace) -> None:
    assert isinstance(space, Space)
    check_space(space)


def test_rows_are_words(space: WordSpace) -> None:
    units = space.split("The baling, didn't bal's zzz.")
    assert space.words(units.rows[units.rows != UNKNOWN]) == ["the", "baling", "not", "bal"]
    assert space.classes == ("word",)
    assert "244 words" in repr(space)


def test_a_word_without_direction_is_unknown(space: WordSpace) -> None:
    assert "null" in WORDS
    assert space.split("null").rows.tolist() == [UNKNOWN]
    assert len(space.unit) == len(WORDS) - 1


def test_outputs_read_well_and_are_the_first(space: WordSpace, tmp_path: Path) -> None:
    words = space.words(space.outputs[0])
    assert "," not in words
    assert "n't" not in words
    fewer = made(tmp_path / "few", outputs=110)
    assert fewer.words(fewer.outputs[0]) == words[:110]


def test_prior_is_zipf_without_what_no_text_yields(space: WordSpace) -> None:
    assert space.prior.sum() == pytest.approx(1)
    assert space.prior[[1, 2]].tolist() == [0, 0]
    assert space.prior[0] / space.prior[3] == pytest.approx((4 + 2.7) / (1 + 2.7))


@given(st.sampled_from(range(len(WORDS) - 1)), st.sampled_from(range(16)))
def test_rendering_is_dressing_the_word(space: WordSpace, row: int, label: int) -> None:
    rows, labels = np.array([row], dtype=np.int32), np.array([label], dtype=np.uint8)
    assert space.render(rows, labels) == [space.dress(WORDS[row], label)]


@pytest.mark.parametrize(
    ("label", "written"),
    [
        (Label.LOWER, "word"),
        (Label.TITLE, "Word"),
        (Label.UPPER, "WORD"),
        (Label.POSSESSIVE, "word's"),
        (Label.TITLE | Label.POSSESSIVE, "Word's"),
        (Label.UPPER | Label.POSSESSIVE, "WORD'S"),
        (Label.SPLIT, " word"),
        (Label.UPPER | Label.SPLIT, " WORD"),
    ],
)
def test_dressing(space: WordSpace, label: Label, written: str) -> None:
    assert space.dress("word", label) == written


def test_dressing_leaves_the_rest_of_a_name_alone(space: WordSpace) -> None:
    assert space.dress("", Label.TITLE) == ""
    assert space.dress("o'brien", Label.TITLE) == "O'brien"


def test_the_fingerprint_covers_everything(space: WordSpace, tmp_path: Path) -> None:
    other = table()
    other[5, 0] += 0.01
    variants = [
        made(tmp_path / "table", raw=other),
        made(tmp_path / "words", words=["thee", *WORDS[1:]]),
        made(tmp_path / "recipe", preprocessing="abtt1"),
        made(tmp_path / "outputs", outputs=110),
    ]
    prints = [space.fingerprint, *(variant.fingerprint for variant in variants)]
    assert len(set(prints)) == len(prints)
    assert made(tmp_path / "again").fingerprint == space.fingerprint


def test_too_few_words_are_refused(tmp_path: Path) -> None:
    with pytest.raises(Incompatible, match="needs at least 100"):
        made(tmp_path / "few", words=WORDS[:50], raw=table()[:50])
    with pytest.raises(Incompatible, match="fewer than 100 words that may leave"):
        made(tmp_path / "none", readable=lambda word: word == "the")
    with pytest.raises(UsageError, match="holds no words"):
        zipf([",", "."])


@pytest.mark.parametrize(
    "word",
    ["a", "i", "word", "sky", "ok", "u.s.", "dr.", "well-known", "o'brien", "42", "0", "1990"],
)
def test_what_reads_well(word: str) -> None:
    assert reads_well(word)


@pytest.mark.parametrize(
    "word",
    [
        "b",
        "n't",
        "'s",
        "gmt",
        "fc",
        "007",
        "a1",
        "-",
        "a-",
        "-a",
        "café",
        "",
        "nbsp",
        "x.y.",
        "bc-df",
    ],
)
def test_what_does_not(word: str) -> None:
    assert not reads_well(word)

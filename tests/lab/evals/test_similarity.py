"""Likeness of meaning, with a stand-in for the encoder and with the encoder itself."""

import numpy as np
import pytest

from privstamp.assets.store import pull
from privstamp.errors import AssetError
from privstamp.lab.evals import answers
from privstamp.lab.evals.answers import Similarity, open_similarity


class Letters:
    """A text's vector is which of the letters a, b and c stand in it."""

    fingerprint = "letters"

    def __init__(self):
        self.asked = []

    def sentence(self, text):
        self.asked.append(text)
        vector = np.array([float(letter in text) for letter in "abc"], dtype=np.float32)
        return vector / max(float(np.linalg.norm(vector)), 1e-9)


def test_cosines_go_pair_by_pair_and_an_empty_text_is_like_nothing():
    found = Similarity(Letters()).cosines(["a", "ab", "a", ""], ["a", "b", "c", "a"])
    assert found == pytest.approx([1, 0.5**0.5, 0, 0])


def test_the_best_gold_answer_counts_and_texts_are_read_once():
    letters = Letters()
    known = Similarity(letters)
    assert known.best("a", ["c", "ab", "b"]) == pytest.approx(0.5**0.5)
    assert known.best("a", ["ab"]) == pytest.approx(0.5**0.5) and known.best("a", []) == 0
    assert sorted(letters.asked) == ["a", "ab", "b", "c"]


def test_a_table_has_a_row_for_each_text():
    assert Similarity(Letters()).table(["a", "b"]).tolist() == [[1, 0, 0], [0, 1, 0]]


def test_without_the_encoder_it_is_left_out_and_said(monkeypatch):
    def missing():
        raise AssetError("pull minilm")

    monkeypatch.setattr(answers, "MiniLM", missing)
    assert open_similarity() == (None, "pull minilm")


@pytest.mark.download
def test_the_encoder_knows_what_is_alike():
    pull("minilm")
    known, missing = open_similarity()
    assert known is not None and missing == ""
    same, alike, other = known.cosines(
        ["A physician saw her."] * 3,
        ["A physician saw her.", "She went to a doctor.", "The train was late."],
    )
    assert same == pytest.approx(1, abs=1e-5) and 0.95 > alike > other + 0.2

import numpy as np
import pytest

from privstamp.mechanisms import fluency
from privstamp.mechanisms._discrete import OBJECT_BYTES
from privstamp.mechanisms.fluency import COMMON, Spelling, Spellings
from privstamp.types import Label
from toy_lm import ToyLM
from toys import ToySpace

SPACE = ToySpace(rows=12, dimensions=4, classes=("a", "b"))


def test_common_spellings_are_kept_on_disk_before_any_text_is_seen(monkeypatch, tmp_path):
    monkeypatch.setenv("PRIVSTAMP_CACHE", str(tmp_path))
    monkeypatch.setattr(fluency, "_SMALL", 3)
    prepared = Spellings(SPACE, ToyLM())
    files = sorted(path.name for path in tmp_path.rglob("*.npy"))
    assert len(files) == len(COMMON) * len(SPACE.classes)

    class Unasked(ToyLM):
        def pieces(self, text):
            raise AssertionError("it is on disk")

    again = Spellings(SPACE, Unasked())
    monkeypatch.setattr(fluency, "_SMALL", 5000)
    for number in (0, 1):
        for label, lead in COMMON:
            fresh = Spellings(SPACE, ToyLM()).of(number, label, lead)
            for kept in (prepared.of(number, label, lead), again.of(number, label, lead)):
                assert (kept.pieces == fresh.pieces).all()
                assert (kept.lengths == fresh.lengths).all()
    prepared.of(0, Label.UPPER, " ")
    assert sorted(path.name for path in tmp_path.rglob("*.npy")) == files, "texts leave no files"


def test_pieces_are_those_of_the_words_as_written():
    model = ToyLM()
    made = Spellings(SPACE, model).of(1, Label.TITLE, " ")
    for line, length, row in zip(made.pieces, made.lengths, SPACE.outputs[1], strict=True):
        assert line[:length].tolist() == model.pieces(f" W{row}")
        assert (line[length:] == -1).all()


def test_spellings_are_made_once_and_forgotten_when_there_is_no_room():
    spellings = Spellings(SPACE, ToyLM())
    one = spellings.of(0, Label.LOWER, " ")
    assert spellings.of(0, Label.LOWER, " ") is one
    assert spellings.of(0, Label.LOWER, "") is not one
    small = Spellings(SPACE, ToyLM(), most=one.nbytes + OBJECT_BYTES)
    one = small.of(0, Label.LOWER, " ")
    assert small.of(0, Label.LOWER, " ") is one
    small.of(0, Label.LOWER, "")
    assert small.of(0, Label.LOWER, " ") is not one


def test_a_word_without_pieces_is_refused():
    with pytest.raises(ValueError, match="no pieces"):
        Spelling.of(["w1", ""], ToyLM())
    assert Spelling.of(["w1"], ToyLM()).pieces.dtype == np.int32

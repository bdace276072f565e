from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from privstamp.errors import InputError
from privstamp.release.document import Document, Searched, check_gaps, cut, grown, joined
from privstamp.types import Units, join_surfaces
from toys import ToySpace

SPACE = ToySpace()


def test_two_texts_joined_and_cut_are_as_before():
    one, two = SPACE.split("w1, w2!"), SPACE.split("(w3)")
    both = joined(one, two)
    front, back = cut(both, 2, len(one.text))
    for before, after in ((one, front), (two, back)):
        assert before.text == after.text
        assert join_surfaces(after, after.surfaces()) == before.text
        assert (before.rows == after.rows).all() and (before.starts == after.starts).all()


def test_a_unit_across_the_seam_is_refused():
    both = joined(SPACE.split("w1"), SPACE.split("w2"))
    both.ends[0] = both.ends[1]
    with pytest.raises(ValueError, match="seam"):
        cut(both, 1, 2)


@pytest.mark.parametrize("bad", [None, 3, b"bytes", ["w1"]])
def test_only_strings_are_text(bad):
    with pytest.raises(InputError, match=type(bad).__name__):
        Document(0, bad, None).checked()


def test_a_lone_surrogate_is_named_by_its_place():
    with pytest.raises(InputError, match="task has a lone surrogate at character 3") as caught:
        Document(0, "fine", "abc\udc80").checked()
    assert caught.value.__context__ is None


def test_gaps_hold_spacing_and_punctuation_only():
    check_gaps(SPACE.split("w1, (w2)"))
    nothing = np.zeros(0, dtype=np.int64)
    uncovered = Units("abc", nothing, nothing, nothing, nothing, nothing)
    with pytest.raises(ValueError, match="outside"):
        check_gaps(uncovered)


def test_records_only_grow():
    """What a stage has said, no later one takes back in place."""
    checked = Document(0, "w1\u200b w2", None).checked()
    split = checked.split([SPACE.split(checked.text)])
    assert (split.source, split.text) == ("w1\u200b w2", "w1 w2")
    assert vars(split).items() >= vars(checked).items()
    with pytest.raises(FrozenInstanceError):
        split.text = "w3"
    with pytest.raises(TypeError):
        grown(Searched, split)  # without what it is to say

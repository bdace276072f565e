"""The space without a table: every visible unit may be released or replaced, none moved."""

import numpy as np
import pytest

from privstamp.budget import Budget
from privstamp.errors import Incompatible
from privstamp.policy import Part, Policy
from privstamp.release.parts import assemble
from privstamp.spaces.splitter import Plain
from privstamp.types import UNKNOWN, Kind

SPACE = Plain()


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("Halvorsen/Pemberton", ["Halvorsen", "Pemberton"]),
        ("mother-in-law", ["mother", "in", "law"]),
        ("don't", ["do", "n't"]),
        ("KL-20931", ["KL", "20931"]),
        ("B4-C12", ["B4-C12"]),
        ("500 mg", ["500", "mg"]),
        ("a = b + 1", ["a", "=", "b", "+", "1"]),
    ],
)
def test_text_is_cut_finely(text, units):
    assert SPACE.split(text).surfaces() == units


def test_every_visible_unit_has_a_row_and_function_words_their_own():
    units = SPACE.split("The Qwxyz paid 5 € to 小林 😀 mara@example.com")
    assert (units.rows != UNKNOWN).all()
    assert SPACE.words(units.rows)[:2] == ["function", "other"]


def test_what_nobody_sees_has_none():
    units = SPACE.split("a\x01b\u00a0c")
    unknown = units.kinds[units.rows == UNKNOWN].tolist()
    assert unknown == [Kind.CONTROL, Kind.SPACE]


def test_a_group_with_a_strength_is_refused_with_the_way_out():
    policy = Policy(
        space=Part(name="plain"),
        sensitivity=Part(name="rules"),
        importance=Part(name="none"),
        budget=Budget.of([0, 0, 15, np.inf]),
    )
    with pytest.raises(Incompatible, match=r'group 3 has an epsilon.*space = "glove"'):
        assemble(policy)

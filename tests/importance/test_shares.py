import numpy as np
import pytest

from privstamp.errors import PolicyError
from privstamp.importance.shares import Common, RunningWords, check_tau, text_shares
from toys import ToySpace

SPACE = ToySpace(rows=500)


def test_a_public_share_is_the_weight_of_the_words_below():
    words = RunningWords(SPACE)
    raw = np.random.default_rng(0).random(len(SPACE.unit)).astype(np.float32)
    shares = words.scale(raw[words.rows])(raw)
    exact = np.array([SPACE.prior[raw < value].sum() for value in raw])
    assert np.abs(shares - exact).max() < 0.01
    assert np.abs(shares - (raw > 0.5)).max() > 0.1  # and would notice another law


def test_nothing_is_above_nothing_and_something_is():
    words = RunningWords(SPACE)
    scale = words.scale(np.ones(len(words.rows), dtype=np.float32))
    low, tiny, high = scale(np.array([0, 0.1, 2], dtype=np.float32)).tolist()
    assert low == 0 < tiny < 0.01 and high == pytest.approx(1)


def test_in_a_text_tau_is_the_share_of_words_left_out():
    raw = np.random.default_rng(1).random(1000) + 0.1
    shares = text_shares(raw)
    assert (shares >= 0.7).sum() == 300
    assert (np.argsort(shares) == np.argsort(raw)).all()


def test_equal_words_share_their_places():
    assert text_shares(np.array([1.0, 2.0, 2.0, 0.0])).tolist() == [0.375, 0.75, 0.75, 0.0]
    assert len(text_shares(np.zeros(0))) == 0


def test_the_most_frequent_words_say_nothing_where_a_space_has_no_list():
    information = Common(SPACE).information(np.arange(500, dtype=np.int32))
    assert (information[:5] == 0).all() and (information[5:] > 0).all()
    assert information[499] == pytest.approx(1) and (np.diff(information[5:]) > 0).all()


def test_small_words_are_those_of_the_spaces_class():
    space = ToySpace(rows=500, classes=("content", "function"))
    information = Common(space).information(np.arange(500, dtype=np.int32))
    assert (information[1::2] == 0).all() and (information[::2] > 0).all()


@pytest.mark.parametrize("tau", [0, 1, -0.5, "auto", True, None])
def test_a_threshold_lies_between_none_and_all(tau):
    with pytest.raises(PolicyError, match="tau"):
        check_tau(tau)

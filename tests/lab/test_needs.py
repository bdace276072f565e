"""All that is missing is said at once, before anything is measured."""

import pytest

from privstamp.errors import MissingExtra, PrivstampError
from privstamp.lab.progress import NotReady, missing, require


def lacking(error):
    def need():
        raise error

    return need


SCIPY, PLOTS = MissingExtra("lab", "measuring"), MissingExtra("plots", "drawing")


def test_everything_at_hand_passes():
    require(lambda: None, lambda: 3)
    require()


def test_all_that_is_missing_is_named_once():
    with pytest.raises(NotReady) as caught:
        require(lacking(SCIPY), lambda: None, lacking(PLOTS), lacking(SCIPY))
    said = str(caught.value)
    assert (
        "2 things" in said and said.count("privstamp[lab]") == said.count("privstamp[plots]") == 1
    )
    assert missing(lacking(SCIPY), lacking(PLOTS)) == [str(SCIPY), str(PLOTS)]


def test_a_single_reason_keeps_its_kind():
    with pytest.raises(MissingExtra):
        require(lambda: None, lacking(SCIPY))


def test_what_is_broken_is_no_need_that_is_not_met():
    with pytest.raises(ZeroDivisionError):
        require(lacking(PrivstampError("x")), lambda: 1 / 0)

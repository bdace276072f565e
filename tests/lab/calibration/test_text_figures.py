"""What one release leaves of a text, on the toy space."""

import math

import pytest

from privstamp import Privatizer, registry
from privstamp.budget import Budget
from privstamp.lab.calibration.groups import text_figures
from privstamp.policy import Policy

TEXT = "w1 w2 w3 w4 w5 w6 w7 w8"


@pytest.fixture(autouse=True)
def toy(monkeypatch):
    known = {**registry.SPACES._builtin, "toy": "toys:ToySpace"}
    monkeypatch.setattr(registry.SPACES, "_builtin", known)


def figures(epsilon, **more):
    policy = Policy.of(
        {"extends": "stamp", "space": "toy", "sensitivity": "rules", "mechanism": "exponential",
         "budget": Budget.of(epsilon), **more}
    )  # fmt: skip
    line = Privatizer(policy, seed=1)
    return text_figures(line, line.privatize(TEXT, trace=True), draws=200)


def test_untouched_words_are_kept_and_named():
    found = figures([math.inf] * 4)
    assert (found.kept, found.named_others) == (1.0, 1.0)
    assert found.named_sensitive is None  # there is nothing sensitive in it


def test_replaced_words_are_drawn_blind():
    found = figures([0, 0, math.inf, math.inf], deny=["w2", "w3"])
    assert found.named_sensitive == 0.0 and found.replaced_blind
    assert found.kept == 1.0


def test_noise_lies_in_between_and_grows_with_epsilon():
    weak, strong = (figures([e, e, e, e], deny=["w2"]) for e in (3.0, 12.0))
    assert 0 < weak.kept < strong.kept < 1
    assert weak.named_sensitive < strong.named_sensitive < 1
    assert weak.named_others < strong.named_others
    assert not weak.replaced_blind


def test_figures_are_expectations_not_luck():
    policy = {"deny": ["w2", "w5"]}
    assert figures([4, 4, 8, 8], **policy) == figures([4, 4, 8, 8], **policy)

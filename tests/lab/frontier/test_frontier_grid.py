"""What is measured: every mechanism that randomises, once per setting worth comparing."""

import pytest

from privstamp.decoding.exact import Exact
from privstamp.errors import UnknownName, UsageError
from privstamp.lab.frontier.grid import SETTINGS, cliff, settings
from privstamp.registry import MECHANISMS
from toys import ToySpace


def test_every_mechanism_that_randomises_is_measured():
    random = {e.name for e in MECHANISMS.entries() if not hasattr(MECHANISMS.load(e.name), "draw")}
    assert {one.mechanism for one in settings()} == random
    assert {one.mechanism for one in settings(quick=True)} == random
    assert len({one.label for one in SETTINGS}) == len(SETTINGS), "labels tell settings apart"


def test_quick_takes_three_epsilons():
    assert all(len(one.budgets) == 3 and one.project is None for one in settings(quick=True))


def test_names_choose():
    assert {one.mechanism for one in settings(["tem", "polar"])} == {"tem", "polar"}
    with pytest.raises(UnknownName, match="neighbourhood"):
        settings(["neighborhood"])
    with pytest.raises(UsageError, match="epsilon 0"):
        settings(["surrogate"])


def test_a_plugin_gets_a_grid_that_fits_it(monkeypatch):
    builtin = {**MECHANISMS._builtin, "swap": "privstamp.mechanisms.exponential:Tem"}
    monkeypatch.setattr(MECHANISMS, "_builtin", builtin)
    (one,) = settings(["swap"])
    space = ToySpace()
    mechanism = MECHANISMS.build("swap", {"gamma": 0.5}, space=space, metric="truncated")
    epsilons = one.epsilons(mechanism, space)
    assert epsilons == sorted(epsilons) and len(set(epsilons)) == len(one.budgets)
    wider = MECHANISMS.build("swap", {"gamma": 1.0}, space=space, metric="truncated")
    assert one.epsilons(wider, space)[-1] < epsilons[-1], "it needs less for a longer distance"


def test_noise_grids_follow_the_table():
    narrow, wide = ToySpace(dimensions=4), ToySpace(dimensions=16)
    assert cliff(wide) == pytest.approx(2 * cliff(narrow))
    for name in ("polar", "laplace-coordinate"):
        setting = settings([name])[0]
        low, high = (
            setting.epsilons(
                MECHANISMS.build(
                    name, {}, space=space, metric=setting.metric, decoder=Exact(space)
                ),
                space,
            )
            for space in (narrow, wide)
        )
        assert all(one < other for one, other in zip(low, high, strict=True))


def test_labels_say_what_is_special():
    labels = [one.label for one in SETTINGS]
    assert "polar" in labels and "polar (32 dimensions)" in labels
    assert "laplace-l2 (euclidean)" in labels and "neighbourhood (plateau 1)" in labels

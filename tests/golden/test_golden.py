"""Releases, laws and figures are those that were written down; a break names its stage."""

from __future__ import annotations

import pytest

from golden.digest import digest
from golden.net import FILE, broken, cast, read, written
from golden.releases import stages
from golden.texts import OWN
from privstamp import Privatizer


@pytest.mark.slow
def test_nothing_changed_unnoticed():
    """`make golden` renews the file, when something was meant to change."""
    assert FILE.read_text() == written(read()), "two people renewed it: make golden"
    changes = broken(read(), cast())
    assert not changes, "first stages that differ:\n" + "\n".join(changes[:60])


def test_a_break_names_its_first_stage():
    old = {
        "polar | note | 1 units": "a",
        "polar | note | 6 draws": "b",
        "polar | note | 7 text": "c",
    }
    new = {**old, "polar | note | 6 draws": "x", "polar | note | 7 text": "y"}
    assert broken(old, new) == ["1 of polar: 6 draws", "  polar | note: 6 draws, 7 text"]
    assert not broken(old, dict(old))


def test_a_case_that_is_gone_shows():
    assert broken({"polar | note | 1 units": "a"}, {}) == [
        "1 of polar: 1 units",
        "  polar | note: 1 units",
    ]


def test_stages_before_the_noise_are_the_same_under_another_seed():
    """So a changed draw is told from a changed label."""
    first, second = (
        stages(Privatizer(seed=seed).privatize(OWN[0].text, trace=True)) for seed in (1, 2)
    )
    differs = [stage for stage in first if first[stage] != second[stage]]
    assert differs == ["7 text", "9 map"]


def test_a_hash_forgets_last_digits_and_nothing_else():
    assert digest([1.0 / 3.0, 0.0]) == digest((1.0 / 3.0 + 1e-12, -0.0))
    assert digest(0.333) != digest(0.334)
    assert digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1})
    assert digest([1, 2]) != digest([2, 1])

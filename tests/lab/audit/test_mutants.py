"""The audit of the whole line: every mutant is refuted, the sound lines pass, tests have power."""

import numpy as np
import pytest

from lab.audit.stand import quiet, stand
from privstamp.lab.audit.canaries import FRAME, LINES, letters
from privstamp.lab.audit.line import line
from privstamp.lab.audit.selftest import MUTANTS, refuted, sound
from privstamp.lab.audit.verdict import (
    ALPHA,
    always,
    at_most,
    distinct,
    even,
    exactly,
    no_likelier,
    unrelated,
)
from privstamp.mechanisms.neighbourhood import Neighbourhood
from privstamp.pipeline import Privatizer

DICE = np.random.default_rng(7)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_broken_line_is_refuted(mutant):
    assert refuted(mutant) is not None


def test_sound_lines_pass_and_mutants_leave_nothing_behind():
    kept = Privatizer._group, Neighbourhood.privatize
    with MUTANTS[0].at_work():
        assert Neighbourhood.privatize is not kept[1]
    assert (Privatizer._group, Neighbourhood.privatize) == kept
    assert sound() == []


def test_mutants_are_of_all_stages():
    assert len(MUTANTS) >= 25 and len({mutant.name for mutant in MUTANTS}) == len(MUTANTS)
    stages = {mutant.stage for mutant in MUTANTS}
    assert stages >= {"mechanism", "noise", "line", "sensitivity", "surrogates", "release"}


def test_the_line_of_a_policy_is_audited_as_it_is(monkeypatch):
    section = line(stand(monkeypatch), quiet)
    assert section.sound and section.figures["promises_broken"].value == 0
    assert section.figures["promises_tested"].value > 10
    assert all(row["kept"] == "yes" for row in section.rows)


def test_letters_are_read_off_a_release():
    letter = letters(4)[0]
    assert letter.read(letter.text.upper())["person"] == letter.things["person"].upper()
    assert letter.read(letter.text + "\n") is None
    assert list(letter.things) == list(LINES) and "letter" in FRAME
    assert len({one.things["person"] for one in letters(60)}) == 60


def test_a_promise_says_by_how_much_it_is_broken():
    broken = at_most("no name leaves", 30, 60, 0.002)
    assert not broken.kept and broken.broken == "no name leaves: 0.5 where at most 0.002 (of 60)"
    assert not always("x", 59, 60).kept and always("x", 60, 60).kept
    assert at_most("x", 1, 60, 0.002).kept and not at_most("x", 1, 60, 0.0).kept


def test_shares_are_held_to_the_law_with_power():
    assert exactly("x", 300, 10_000, 0.03).kept and ALPHA <= 1e-6
    assert not exactly("x", 430, 10_000, 0.03).kept  # 1.3 % more are kept
    assert not exactly("x", 190, 10_000, 0.03).kept


def test_an_uneven_spread_is_noticed():
    assert even("x", DICE.uniform(size=20_000)).kept
    assert not even("x", DICE.uniform(size=20_000) ** 1.1).kept


def test_likeness_beyond_chance_is_noticed():
    assert no_likelier("x", 40, 480, 30, 480).kept
    assert not no_likelier("x", 150, 480, 30, 480).kept
    assert no_likelier("x", 0, 480, 0, 480).kept


def test_information_is_noticed_and_its_absence_too():
    one = DICE.integers(0, 4, 400).tolist()
    other = DICE.integers(0, 4, 400).tolist()
    mixed = [a if DICE.uniform() < 0.5 else b for a, b in zip(one, other, strict=True)]
    assert unrelated("x", one, other, bytes(32)).kept
    assert not unrelated("x", one, mixed, bytes(32)).kept


def test_a_short_list_is_noticed():
    assert distinct("x", DICE.integers(0, 500, 120).tolist(), 400).kept
    assert not distinct("x", DICE.integers(0, 20, 120).tolist(), 400).kept

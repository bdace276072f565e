"""Attacks on sessions: sound ones pass, and each that is broken on purpose is refuted."""

from dataclasses import replace

import pytest

from lab.audit.stand import quiet, stand
from line import Named
from privstamp.budget import Budget
from privstamp.lab.audit.repeats import listed, reuse
from privstamp.lab.audit.subject import SampleText
from privstamp.pipeline import Privatizer
from privstamp.policy import Policy
from privstamp.release.parts import assemble
from privstamp.sessions.replies import Replies
from privstamp.sessions.stretches import Stretches
from privstamp.sessions.versions import Versions
from toys import ToySpace

LONG = [SampleText(" ".join(f"w{n}" for n in range(start, start + 60))) for start in (0, 100)]
SPACE = ToySpace(rows=400, dimensions=12)


def check(monkeypatch, epsilon=3.0):
    return reuse(stand(monkeypatch, LONG, space=SPACE, budget=Budget.uniform(epsilon)), quiet)


def test_a_sound_session_passes(monkeypatch):
    section = check(monkeypatch)
    figures = {name: figure.value for name, figure in section.figures.items()}
    assert section.sound and figures["session_same_address"] == 1.0
    assert figures["session_other_origin"] < 0.9


def test_noise_shared_by_origins_is_caught(monkeypatch):
    sound = Stretches.stretches
    monkeypatch.setattr(Stretches, "stretches", lambda self, doc, _: sound(self, doc, "anybody"))
    section = check(monkeypatch)
    assert not section.sound and section.figures["session_other_origin"].value == 1.0


def test_resends_that_draw_again_are_caught(monkeypatch):
    """Neither aligned nor held: every edit gives its neighbours new noise."""
    monkeypatch.setattr("privstamp.lab.audit.repeats.RESENDS", 40)
    monkeypatch.setattr(Versions, "nearest", lambda *_: None)
    monkeypatch.setattr("privstamp.sessions.stretches.REACH", 60)
    monkeypatch.setattr(Stretches, "drawn", lambda self, account, address, *_: address)
    section = check(monkeypatch, epsilon=8.0)
    assert not section.sound
    assert section.figures["session_resent"].value > section.figures["session_fresh"].value + 0.2


NAMES = [f"Quux{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(60)]


@pytest.fixture(scope="module")
def line():
    parts = assemble(Policy.of({"sensitivity": {"name": "rules"}}))
    named = Named(dict.fromkeys(NAMES, "PERSON"))
    return Privatizer(Policy(), parts=replace(parts, sensitivity=named))


def test_a_reply_that_lists_names_finds_none(line):
    listing = listed(line, NAMES, (3, 40), each=60, edits=False)
    assert listing == (0, 2, 0, 0)
    assert listed(line, NAMES, (3, 40), each=60, edits=True)[:2] == (0, 2)  # beyond the limit


def test_edited_replies_find_it_within_the_guesses_that_are_counted(line):
    listing = listed(line, NAMES, (3, 40), each=30, edits=True)
    assert listing.found == 2 and listing.guesses == 60


def test_a_session_that_privatises_replies_again_is_caught(line, monkeypatch):
    monkeypatch.setattr(Replies, "received", lambda *_: None)
    listing = listed(line, NAMES, (3,), each=30, edits=False)
    assert listing.found == 1 and listing.changed

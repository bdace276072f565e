"""The default: what is sensitive is replaced, everything else leaves as it was written."""

import math

import pytest

from privstamp import Privatizer
from privstamp.assets import cache, pins
from privstamp.mechanisms._pools import pools
from privstamp.policy import DEFAULT, Policy

NOTE = (
    "Dr. Henrik Lindqvist saw Miriam Castellano in Lisbon. She takes 500 mg twice daily; the "
    "total is 1,250.50 €, i.e. 20 % less. She isn't allergic! Write to mara@example.com. 😀"
)


@pytest.fixture(scope="module")
def line():
    return Privatizer()


def test_the_default_preset_replaces_groups_one_and_two_alone():
    policy = Policy.preset(DEFAULT)
    assert policy.budget.epsilon == (0, 0, math.inf, math.inf)


def test_only_what_was_found_changes(line):
    result = line.privatize(NOTE, trace=True)
    trace = result.trace
    spans = trace.grouping.spans
    pairs = list(zip(trace.units.surfaces(), trace.surfaces, spans.tolist(), strict=True))
    assert all(before == after for before, after, span in pairs if span < 0)
    for name in ("Henrik", "Lindqvist", "Miriam", "Castellano", "Lisbon", "mara@"):
        assert name not in result.text
    kept_words = ("saw", "500 mg twice daily", "1,250.50 €", "20 % less", "She isn't allergic!")
    for kept in (*kept_words, "%", "€", "i.e.", "😀"):
        assert kept in result.text


def test_what_leaves_as_written_is_counted(line):
    counts = line.privatize(NOTE).certificate.counts
    assert counts.unprotected > 20 and counts.replaced >= 5 and counts.perturbed == 0
    assert counts.units == counts.unprotected + counts.replaced + counts.replaced_by_rule


def test_invisible_characters_never_leave_and_are_counted(line):
    result = line.privatize("It is\u200b a fine\u202e day\u00a0for a walk.")
    assert result.text == "It is a fine day for a walk."
    assert result.certificate.counts.characters_removed == 3


def test_no_mechanism_is_built_and_no_table_read(line):
    assert line.parts.mechanisms == {} and line.parts.space.name == "plain"


def test_the_default_s_tables_are_those_that_the_package_pins(monkeypatch):
    monkeypatch.setattr(cache, "_opened", {})
    pools.cache_clear()
    Privatizer()
    assert len(cache.opened()) >= 2
    for name, folder in cache.opened().items():
        assert pins.pinned(name) == pins.content(folder), "run `make pins`, commit pins.json"

"""The default: what is sensitive is replaced, everything else leaves as it was written."""

import math
import re

import pytest

from privstamp import Privatizer
from privstamp.assets import cache
from privstamp.assets import cache as pins
from privstamp.mechanisms.wordlists import pools
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
    result = line.with_noise(seed=1).privatize(NOTE, trace=True)  # a blind draw may hit the name
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


def test_a_house_number_and_a_digit_of_its_postcode_are_drawn_apart(line):
    pairs = [
        re.fullmatch(r"(\d+) .*, .* \w\w\d+ (\d+)\w\w", one.text)
        for one in line.privatize_many(["7 Mill Road, Leeds LS7 7QX"] * 12)
    ]
    assert all(pairs)
    assert len({(pair[1] == pair[2]) for pair in pairs if pair} - {True}) == 1


@pytest.mark.parametrize(
    "text",
    [
        "Open C:\\temp\\notes.txt and read it.",
        "The file is on drive D: again.",
        "Schedule 2, Part B applies.",
        "Form 10-K and Form W-2 were filed.",
        "We saw T 36.8 and K 4.2 today.",
        "Q: What is the size? A: large",
    ],
)
def test_a_letter_that_names_nobody_stays(line, text):
    assert line.privatize(text).text == text


def test_initials_still_go(line):
    release = line.privatize("We met J. Whitlock and K Osei there.").text
    assert "Whitlock" not in release and "Osei" not in release


def test_a_link_keeps_its_last_slash_before_a_field(line):
    program = 'import x\n\nr = x.get(f"https://api.acme-tools.io/v2/{name}")\n'
    assert re.search(r'f"https://example\.com/\w+/\{name\}"', line.privatize(program).text)

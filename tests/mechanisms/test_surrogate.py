from __future__ import annotations

import inspect
import itertools
import math
import random
import re
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from privstamp.mechanisms import form as forms
from privstamp.mechanisms import invented, kept
from privstamp.mechanisms import wordlists as own
from privstamp.mechanisms.form import form_of
from privstamp.mechanisms.surrogate import Surrogate
from privstamp.mechanisms.wordlists import pools
from privstamp.noise import below
from privstamp.text import closed
from privstamp.types import PASSING, Kind, Label
from statistical import ALPHA, DRAWS, fresh, has_counts

SURROGATE = Surrogate()
LISTS = pools()
ADDRESSES = fresh(DRAWS)
TYPES = [
    "PERSON", "PERSON_GIVEN", "PERSON_FAMILY", "PERSON_INITIAL", "LOCATION", "ORGANIZATION",
    "EMAIL_ADDRESS", "PHONE_NUMBER", "URL", "DATE_TIME", "CREDIT_CARD", "IBAN_CODE", "US_SSN",
    "IP_ADDRESS", "NUMERIC_ID", "NRP", "DENIED", "SOMETHING_NEW", *(kind.name for kind in Kind),
    "DATE_NUMBER", "DATE_ORDINAL", *closed.POOLS,
]  # fmt: skip


def at(index):
    return ADDRESSES.take(slice(index, index + 1))


def draw(kind, form="Aa", index=0, attempt=0, entity=1):
    return SURROGATE.draw(kind, entity, form, at(index), attempt)


def uniform_p(values, pool):
    """P-value of the values being uniform over the pool; anything outside fails outright."""
    place = {value: number for number, value in enumerate(pool)}
    counts = np.bincount([place[value] for value in values], minlength=len(pool))
    return has_counts(counts, np.full(len(pool), 1.0 / len(pool)))


# Uniform, and nothing but noise in it --------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "form", "pool"),
    [
        ("PERSON", "Aa", LISTS.either),
        ("PERSON_GIVEN", "Aa", LISTS.given),
        ("PERSON_FAMILY", "Aa", LISTS.family),
        ("LOCATION", "", LISTS.city),
        ("ORGANIZATION", "Aa", own.INSTITUTIONS),
        ("PERSON_GIVEN_HE", "Aa", LISTS.he),
        ("PERSON_GIVEN_SHE", "Aa", LISTS.she),
        ("COUNTRY", "Aa", kept.PLACES["COUNTRY"]),
        ("STATE_CODE", "AA", kept.PLACES["STATE_CODE"]),
        ("ORG_BANK", "Aa", kept.ORGANISATIONS["ORG_BANK"]),
        ("HOUSE_NUMBER", "00", [str(n) for n in range(1, 300)]),
        ("AGE_NUMBER", "00", [str(n) for n in range(18, 98)]),
        ("AGE_WORDS", "a", [closed.in_words(n) for n in range(18, 98)]),
        ("STREET_1", "Aa", [f"{name}straße" for name in LISTS.family]),
        ("CURRENCY", forms.CURRENCY, own.CURRENCIES),
        ("CONNECTING", "a", own.CONNECTING),
        ("STREET", "Aa", LISTS.family),
        ("NUMBER", "0", list("123456789")),
        ("NUMBER", "00", [str(n) for n in range(10, 100)]),
        ("NUMBER", "0.0", [f"{n / 10}" for n in range(100)]),
        ("NUMBER", "0000", [str(n) for n in range(1200, 2100)]),
        ("CODE", "0000a", [f"{n}0s" for n in range(120, 210)]),
        ("NUMBER", "0000a", [f"{n}0s" for n in range(120, 210)]),
        ("CODE", "00", [f"{n:02}" for n in range(100)]),
        ("MONTH", "Aa", closed.POOLS["MONTH"]),
        ("DATE_TIME", "Aa", closed.POOLS["MONTH"]),
        ("CARDINAL", "a", closed.POOLS["CARDINAL"]),
        ("AND", "a", closed.POOLS["AND"]),
        ("DATE_NUMBER", "0", list("123456789")),
        ("DATE_NUMBER", "00", [str(n) for n in range(10, 32)]),
        ("DATE_ORDINAL", "00aa", [f"{n}{closed.ordinal_ending(str(n))}" for n in range(10, 32)]),
        ("DATE_NUMBER", "0000", [str(n) for n in range(1200, 2100)]),
        ("DATE_NUMBER", "0:00", [f"{h}:{m:02}" for h in range(1, 10) for m in range(60)]),
        ("NUMBER", "00:00", [f"{h:02}:{m:02}" for h in range(24) for m in range(60)]),
        ("DATE_NUMBER", "00:00", [f"{h:02}:{m:02}" for h in range(24) for m in range(60)]),
        ("CODE", "A", list("ABCDEFGHIJKLMNOPQRSTUVWXYZ")),
    ],
)
def test_draws_are_uniform(kind, form, pool):
    values = [draw(kind, form, index) for index in range(DRAWS)]
    assert uniform_p(values, pool) > ALPHA
    assert SURROGATE.pool(kind, form) == len(pool)
    values[: DRAWS // 10] = [pool[0]] * (DRAWS // 10)  # one in ten kept a fixed value
    assert uniform_p(values, pool) < ALPHA


@pytest.mark.parametrize(
    ("form", "pattern"),
    [
        ("0000-00-00", r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|1[0-2])"),
        ("00/00/0000", r"(0[1-9]|1[0-2])/(0[1-9]|1[0-2])/\d{4}"),
        ("0/0/00", r"[1-9]/[1-9]/\d\d"),
        ("00:00:00", r"([01]\d|2[0-3]):[0-5]\d:[0-5]\d"),
        ("00,000", r"[1-9]\d,\d{3}"),
    ],
)
@pytest.mark.parametrize("kind", ["DATE_NUMBER", "NUMBER"])
def test_a_date_or_time_is_one(kind, form, pattern):
    drawn = {draw(kind, form, index) for index in range(200)}
    assert all(re.fullmatch(pattern, one) for one in drawn)
    assert len(drawn) > 60
    assert any(re.fullmatch(pattern, draw("CODE", form, n)) is None for n in range(200))


@pytest.mark.parametrize("kind", ["ORGANIZATION_NAME", "RARE"])
def test_letters_for_letters(kind):
    values = [draw(kind, "AA", index) for index in range(DRAWS)]
    spelt = map("".join, itertools.product(own.LETTERS, repeat=3))
    pool = [letters for letters in spelt if not invented.is_listed(letters)]
    assert SURROGATE.pool(kind, "AA") == len(pool) < len(own.LETTERS) ** 3
    for place in range(3):
        column = [value[place] for value in values]
        expected = Counter(letters[place] for letters in pool)
        counts = np.array([column.count(letter) for letter in own.LETTERS])
        share = np.array([expected[letter] / len(pool) for letter in own.LETTERS])
        assert has_counts(counts, share) > ALPHA
    assert set(values) <= set(pool)


def test_all_digits_of_a_number_are_uniform_and_unrelated():
    values = [draw("NUMBER", "000,000", index) for index in range(DRAWS // 2)]
    first_and_last = [value[0] + value[-1] for value in values]
    assert uniform_p(first_and_last, [f"{n:02}" for n in range(10, 100)]) > ALPHA


def test_the_uniformity_test_notices_a_byte_modulo_the_pool():
    """256 % 100 leaves the first 56 values half as likely again: the classic mistake."""
    values = [f"{n % 100:02}" for n in np.random.default_rng().integers(0, 256, DRAWS)]
    assert uniform_p(values, [f"{n:02}" for n in range(100)]) < ALPHA


@given(st.integers(0, 2**64 - 1), st.integers(1, 2**32))
def test_below_is_exact(word, limit):
    assert below(word, limit) == math.floor(Fraction(word * limit, 2**64))


@given(
    st.text(max_size=20), st.text(max_size=20), st.sampled_from(TYPES), st.sampled_from([0, 1, 2])
)
def test_two_words_with_the_same_label_get_the_same_draw(one, other, kind, label):
    first, second = (form_of(text, Kind.WORD, label) for text in (one, other))
    assert draw(kind, first) == draw(kind, second)


def test_the_input_is_no_argument():
    expected = ["self", "kind", "entity", "form", "noise", "attempt"]
    assert list(inspect.signature(Surrogate.draw).parameters) == expected


def test_another_address_or_attempt_is_another_draw():
    assert draw("EMAIL_ADDRESS", index=5) == draw("EMAIL_ADDRESS", index=5, entity=9)
    assert len({draw("EMAIL_ADDRESS", index=index) for index in range(200)}) > 190
    assert len({draw("EMAIL_ADDRESS", attempt=attempt) for attempt in range(200)}) > 190


# Type and form -------------------------------------------------------------------------------


@given(st.text(max_size=30), st.sampled_from(Kind), st.integers(0, 15), st.sampled_from(TYPES))
def test_every_unit_of_every_type_gets_a_string_that_holds_none_of_it(surface, kind, label, name):
    """Characters come from our lists, the alphabets and PASSING; never from the surface."""
    drawn = draw(name, form_of(surface, kind, label))
    assert set(drawn) <= set(own.EMOJI) | forms.SIGNS | {chr(c) for c in range(32, 127)} | PASSING


@given(st.text("0123456789abcXYZ-.,/ ()é٣", min_size=1, max_size=30), st.integers(0, 99))
@example("a.b", 0)
def test_codes_keep_their_shape(surface, index):
    form = form_of(surface, Kind.CODE, 0)
    drawn = draw("CODE", form, index)
    if form == forms.HOST:  # it is drawn as one
        assert drawn.endswith(".example.com")
        return
    assert len(drawn) == len(form)
    if not set(form) & set("xXz"):  # a long mixture may come out as letters alone
        assert form_of(drawn, Kind.CODE, 0) == form


@pytest.mark.parametrize(
    ("kind", "form", "pattern"),
    [
        ("EMAIL_ADDRESS", forms.EMAIL, r"[a-z]+\.[a-z]+@example\.com"),
        ("EMAIL", forms.EMAIL, r"[a-z]+\.[a-z]+@example\.com"),
        ("DENIED", forms.EMAIL, r"[a-z]+\.[a-z]+@example\.com"),
        ("URL", forms.URL, r"https://example\.com/[a-z]+"),
        ("ORGANIZATION", "Aa", r"[A-Z][a-z]+"),
        ("PHONE_NUMBER", "(000) 000-0000", r"\(\d{3}\) \d{3}-\d{4}"),
        ("IP_ADDRESS", "v4:443", r"(192\.0\.2|198\.51\.100|203\.0\.113)\.\d{1,3}:443"),
        ("IP_ADDRESS", "v6", r"2001:db8(:[0-9a-f]{1,4}){3}::[0-9a-f]{1,4}"),
        ("MAC_ADDRESS", "AA-AA-AA-AA-AA-AA", r"02(-[0-9A-F]{2}){5}"),
        (
            "UUID",
            "00000000-0000-0000-0000-000000000000",
            r"[0-9a-f]{8}-.{4}-4.{3}-[89ab].{3}-.+",
        ),
        ("CREDENTIAL", "", r"[A-Za-z2-9]{20}"),
        ("HANDLE", "@a", r"@[a-z]{5,}"),
        ("HANDLE", "a", r"[a-z]{5,}"),
        ("URL", forms.HOST, r"[a-z]+\.example\.com"),
        ("SYMBOL", "+", r"\+"),
        ("CODE", "+00 (0)00", r"\+[1-9]\d \(\d\)\d\d"),
        ("IBAN_CODE", "AA00", r"[A-Z]{2}\d\d"),
        ("PERSON", "00", r"\d\d"),  # a number that a detector took for a name stays a number
        ("PERSON_INITIAL", "AA", r"[B-Z]"),
        ("DATE_TIME", "Aa", r"[A-Z][a-z]+"),
        ("DATE_TIME", "a", r"[a-z]+"),
        ("SPACE", forms.SPACE, " "),
        ("CONTROL", forms.CONTROL, ""),
        ("PERSON", forms.CONTROL, ""),
    ],
)
def test_types(kind, form, pattern):
    for index in range(50):
        assert re.fullmatch(pattern, draw(kind, form, index))


@pytest.mark.parametrize("kind", ["ORDINAL", "DATE_TIME"])
def test_ordinals_end_as_their_digits_ask(kind):
    for index in range(300):
        lower, upper = draw(kind, "00aa", index), draw(kind, "00AA", index)
        assert lower[2:] == closed.ordinal_ending(lower[:2])
        assert upper == lower.upper()
    assert SURROGATE.pool(kind, "00aa") == (90 if kind == "ORDINAL" else 100)


def test_ordinal_endings():
    wanted = {"1": "st", "2": "nd", "3": "rd", "4": "th", "0": "th", "11": "th", "12": "th"}
    wanted |= {"13": "th", "21": "st", "102": "nd", "111": "th", "1,013": "th", "93": "rd"}
    assert {digits: closed.ordinal_ending(digits) for digits in wanted} == wanted


def test_a_code_that_looks_like_an_ordinal_stays_a_code():
    assert any(draw("CODE", "00aa", i)[2:] not in ("st", "nd", "rd", "th") for i in range(50))


def test_pools_of_forms():
    assert SURROGATE.pool("NUMBER", "0,000") == 9_000
    assert SURROGATE.pool("NUMBER", "0000") == 900
    assert SURROGATE.pool("NUMERIC_ID", "0000") == 10_000
    assert SURROGATE.pool("CODE", "Aa0") == 26 * 26 * 10
    assert SURROGATE.pool("CODE", "+00 0") == 900
    assert SURROGATE.pool("NUMBER", "0" * 1_000_000) == math.inf
    assert SURROGATE.pool("SPACE", forms.SPACE) == 1
    assert SURROGATE.pool("EMAIL_ADDRESS", forms.EMAIL) == len(LISTS.given) * len(LISTS.family)


def test_more_things_than_the_list_is_long_still_get_strings_of_their_own():
    """Compounds from the 25th attempt on: 2,000 distinct names out of a list of some 480."""
    taken, most = set(), 0
    for index in range(2000):
        attempt = 0
        while (word := draw("PERSON", "Aa", index, attempt)) in taken:
            attempt += 1
        taken.add(word)
        most = max(most, attempt)
    assert len(LISTS.either) < 500
    assert most <= forms.PLAIN + 4
    assert not any("-" in draw("PERSON", "Aa", index, forms.PLAIN - 1) for index in range(200))


# Invented words ------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["RARE", "WORD", "ORGANIZATION_NAME", "SOMETHING_NEW"])
def test_an_invented_word_is_uniform_in_every_place(kind):
    pattern = re.compile("".join(f"({'|'.join(part)})" for part in invented.PARTS))
    values = [pattern.fullmatch(draw(kind, "Aa", n).lower()).groups() for n in range(DRAWS)]
    for place, part in enumerate(invented.PARTS):
        column = [value[place] for value in values]
        assert uniform_p(column, part) > ALPHA / 10
        column[: DRAWS // 10] = [part[0]] * (DRAWS // 10)
        assert uniform_p(column, part) < ALPHA
    ends = [f"{first}-{last}" for first in invented.PARTS[0] for last in invented.PARTS[4]]
    assert uniform_p([f"{value[0]}-{value[4]}" for value in values], ends) > ALPHA


def test_an_invented_word_is_no_listed_one(monkeypatch):
    """Seen with a list of what the noise would give first."""
    first = [draw("RARE", "a", n).lower() for n in range(300)]
    assert not any(map(invented.is_listed, first))
    assert invented.is_listed("Barn") and invented.first_unlisted(["barn", "Tolvan"]) == "Tolvan"
    monkeypatch.setattr(invented, "is_listed", set(first).__contains__)
    assert not {draw("RARE", "a", n).lower() for n in range(300)} & set(first)


@pytest.mark.parametrize("parts", [invented.PARTS, invented.ACRONYM])
def test_how_many_words_can_be_invented(parts):
    """The count of listed ones, by hand over a part of all spellings."""
    share = [parts[0][:2], *parts[1:]]
    spelt = ["".join(choice) for choice in itertools.product(*share)]
    listed = sum(map(invented.is_listed, spelt))
    assert listed > 0 and len(set(spelt)) == len(spelt)
    assert invented.unlisted(share) == len(spelt) - listed


def test_two_choices_never_spell_the_same_word():
    chosen = {tuple(random.randrange(len(part)) for part in invented.PARTS) for _ in range(20_000)}
    assert len({invented.spell(invented.PARTS, choice) for choice in chosen}) == len(chosen)


@pytest.mark.parametrize("form", ["0000 0000 0000 0000", "0000-000000-00000"])
def test_no_card_number_is_a_right_one(form):
    from privstamp.sensitivity.checksums import luhn

    drawn = [draw("CREDIT_CARD", form, n) for n in range(500)]
    assert not any(luhn("".join(filter(str.isdigit, card))) for card in drawn)
    assert uniform_p([card[0] for card in drawn], list("0123456789")) > ALPHA
    assert len({card[-1] for card in drawn}) == 10


def test_gender_is_an_option():
    from privstamp.errors import PolicyError

    assert Surrogate(gender="none").fingerprint != SURROGATE.fingerprint
    with pytest.raises(PolicyError):
        Surrogate(gender="guess")


def test_whole_spans():
    assert all(map(SURROGATE.whole, ["EMAIL_ADDRESS", "EMAIL", "URL"]))
    assert not any(map(SURROGATE.whole, ["PERSON", "LOCATION", "ORGANIZATION", "WORD"]))


def test_case_is_canonical():
    """The pipeline dresses a surrogate with the label; it must not come in two cases."""
    upper, title = (form_of("x", Kind.WORD, label) for label in (Label.UPPER, Label.TITLE))
    assert draw("PERSON", upper) == draw("PERSON", title) == draw("PERSON", "a")

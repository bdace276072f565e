from __future__ import annotations

import pytest

from privstamp.errors import AssetError, PolicyError
from privstamp.mechanisms import kept, wordlists
from privstamp.mechanisms.surrogate import Surrogate
from privstamp.mechanisms.wordlists import (
    EMOJI,
    FEWEST,
    INSTITUTIONS,
    LETTERS,
    ORDINARY,
    SYMBOLS,
    TIMES,
    pools,
)

LISTS = pools()


@pytest.mark.parametrize(
    ("name", "least"),
    [("given", 900), ("family", 1500), ("either", 400), ("city", 1000), ("he", 200), ("she", 500)],
)
def test_lists_are_long_sorted_plain_and_free_of_repeats(name, least):
    words = getattr(LISTS, name)
    assert len(words) >= least
    assert list(words) == sorted(set(words))
    assert all(word.isascii() and word.isalpha() for word in words)
    assert all(word == word.capitalize() and len(word) >= 4 for word in words)
    assert not {word.lower() for word in words} & ORDINARY


def test_names_of_men_and_women_are_given_names_and_apart():
    assert set(LISTS.he) | set(LISTS.she) < set(LISTS.given)
    assert not set(LISTS.he) & set(LISTS.she)
    assert {"Gordon", "Phillip"} <= set(LISTS.he) and {"Norma", "Christy"} <= set(LISTS.she)


@pytest.mark.parametrize("lists", [kept.PLACES, kept.ORGANISATIONS])
def test_classes_have_no_repeats_and_each_name_is_of_its_class(lists):
    for kind, listed in lists.items():
        assert len(set(listed)) == len(listed)
        if kind.startswith("ORG_"):
            assert len(listed) >= 50
            assert {kept.kind_of(name) for name in listed} == {kind}
        if kind in ("COUNTRY", "COUNTRY_WITH_THE", "STATE", "REGION", "CONTINENT"):
            assert {kept.place_class(name) for name in listed} == {kind}


def test_no_city_is_a_person_too():
    assert not set(LISTS.city) & {*LISTS.given, *LISTS.family}


def test_a_reply_can_use_no_name_for_something_else():
    """Names that are everyday words were left out; surely-common ones stand for the rule."""
    everyday = {"young", "brown", "long", "case", "grace", "reading", "mobile", "nice", "best"}
    assert not everyday & {w.lower() for w in (*LISTS.given, *LISTS.family, *LISTS.city)}
    assert {"Smith", "King"}.isdisjoint(LISTS.family)
    assert "Nguyen" in LISTS.family
    assert "Priscilla" in LISTS.given
    assert "Sheffield" in LISTS.city


def test_own_lists_have_no_repeats():
    for words in (INSTITUTIONS, TIMES, kept.PLACES["NRP"], LETTERS, EMOJI, SYMBOLS):
        assert len(set(words)) == len(words)
    assert all(len(each) == 1 for each in EMOJI)


def test_nothing_that_passes_untouched_is_a_symbol():
    from privstamp.types import PASSING

    assert not PASSING & set(SYMBOLS)


def test_the_fingerprint_follows_the_lists():
    from dataclasses import replace

    assert replace(LISTS).fingerprint == LISTS.fingerprint
    assert replace(LISTS, he=LISTS.he[1:]).fingerprint != LISTS.fingerprint
    assert "given" in repr(LISTS)
    assert LISTS.given[0] not in repr(LISTS)


def test_derived_once_then_read_from_the_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("PRIVSTAMP_CACHE", str(tmp_path))
    built = []
    build = wordlists._build
    monkeypatch.setattr(wordlists, "_build", lambda folder: (built.append(1), build(folder)))
    fresh = pools.__wrapped__
    assert fresh() == fresh() == LISTS
    assert built == [1]


def test_a_missing_source_is_refused_when_made(tmp_path, monkeypatch):
    def refuse(asset, member):
        raise AssetError("not there")

    monkeypatch.setenv("PRIVSTAMP_CACHE", str(tmp_path))
    monkeypatch.setattr(wordlists, "locate", refuse)
    with pytest.raises(AssetError):
        pools.__wrapped__()


@pytest.mark.slow
@pytest.mark.parametrize("language", ["de", "es", "fr", "it", "nl", "pt"])
def test_other_languages_have_names_and_towns_of_their_own(language):
    lists = pools(language)
    for name, pool in vars(lists).items():
        assert len(pool) >= FEWEST, name
        assert list(pool) == sorted(set(pool)) and all(map(str.isascii, pool))
    assert len(set(lists.family) - set(LISTS.family)) > len(lists.family) / 3
    assert not set(lists.city) & {*lists.given, *lists.family}
    assert Surrogate(language=language).fingerprint != Surrogate().fingerprint


def test_a_language_without_lists_is_refused():
    with pytest.raises(PolicyError, match='no lists of names for language "xx"'):
        pools("xx")

"""What is decided about words: by measurement, and the same for everybody."""

from functools import cache

import pytest

from privstamp.sensitivity.lexicon_table import CALENDAR, table


@cache
def lists(language: str = "en", rare: float = 3.0) -> tuple[frozenset[str], frozenset[str]]:
    folder = table(language, rare)
    ordinary, capital = (
        frozenset((folder / f"{name}.txt").read_text(encoding="utf-8").split())
        for name in ("ordinary", "capital")
    )
    return ordinary, capital


def test_words_fall_into_three_groups():
    ordinary, capital = lists()
    assert not ordinary & capital
    assert {"the", "patient", "will", "may", "reading", "nice", "same", "love"} <= ordinary
    assert {"bill", "young", "king", "hill", "white"} <= capital
    for name in ("smith", "maria", "henrik", "kumar", "nguyen", "london", "germany", "chicago"):
        assert name not in ordinary | capital


def test_things_and_forms_of_frequent_words_count_with_a_capital_only():
    ordinary, capital = lists()
    assert {"mango", "burger", "canal", "hacker"} <= capital
    forms = frozenset((table("en", 3.0) / "forms.txt").read_text(encoding="utf-8").split())
    assert {"shortness", "softness", "pianos"} <= forms
    assert not forms & (ordinary | capital) and "ramipril" not in forms


def test_rare_words_that_only_english_has_count_with_a_capital_only():
    """Names and medicines go by the same name elsewhere."""
    forms = frozenset((table("en", 3.0) / "forms.txt").read_text(encoding="utf-8").split())
    assert {"photosynthetic", "solubility", "promulgated", "bacteriologist"} <= forms
    assert not forms & {"raghunathan", "okafor", "grzegorz", "siobhan", "metformin", "warfarin"}


def test_months_and_days_are_ordinary_and_letters_are_initials():
    ordinary, capital = lists()
    assert ordinary >= CALENDAR
    assert {"a", "i"} <= ordinary and {"b", "k", "q"} <= capital


@pytest.mark.slow
def test_a_higher_limit_leaves_fewer_ordinary_words():
    assert lists("en", 3.5)[0] < lists()[0]


@pytest.mark.slow
def test_another_language_has_other_ordinary_words():
    ordinary, _ = lists("de")
    assert {"krankenhaus", "schmerzen", "der"} <= ordinary
    assert not {"krankenhaus", "schmerzen"} & lists()[0]
    assert "müller" not in ordinary


def test_most_of_running_text_is_ordinary():
    from privstamp.sensitivity.frequencies import zipf_frequencies

    frequency = zipf_frequencies("en", 3.0)
    mass = {word: 10 ** (zipf - 9) for word, zipf in frequency.items()}
    ordinary, capital = lists()
    assert sum(mass[word] for word in ordinary if word.isalpha()) > 0.85
    assert 0.005 < sum(mass[word] for word in capital) < 0.05

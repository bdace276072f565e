"""Classes partition the rows, are decided by list and neighbours, and are never small."""

from __future__ import annotations

import numpy as np
import pytest

from privstamp.errors import Incompatible
from privstamp.spaces.classes import SMALLEST, PublicLists, classify, largest, require_classes
from privstamp.spaces.wordlists import FUNCTION_WORDS
from privstamp.types import Table

FUNCTION = sorted(FUNCTION_WORDS)[:150]
NAMES = [f"name{chr(97 + i // 26)}{chr(97 + i % 26)}" for i in range(200)]
NUMBERS = [str(number) for number in range(300)]
PLAIN = [f"plain{chr(97 + i // 26)}{chr(97 + i % 26)}" for i in range(400)]
WORDS = [*FUNCTION, *NAMES, *PLAIN, "stray", *NUMBERS]
CENSUS = dict.fromkeys([*NAMES, "stray", FUNCTION[0]], 0.5) | {PLAIN[0]: 1e-9}
LISTS = PublicLists(CENSUS, frozenset())
NONE = PublicLists({}, frozenset())
PRIOR = np.full(len(WORDS), 1 / len(WORDS))
CLEAN = np.ones(len(WORDS), dtype=bool)


@pytest.fixture(scope="module")
def unit() -> Table:
    """Names around one direction, all else around the opposite one."""
    random = np.random.default_rng(0)
    table = random.standard_normal((len(WORDS), 10)) * 0.3
    table[:, 0] += [1 if word in NAMES else -1 for word in WORDS]
    return (table / np.linalg.norm(table, axis=1, keepdims=True)).astype(np.float32)


def classes_of(unit: Table, lists: PublicLists = LISTS) -> dict[str, str]:
    names, class_of = classify(WORDS, unit, PRIOR, lists, CLEAN)
    return {word: names[number] for word, number in zip(WORDS, class_of, strict=True)}


def test_every_word_has_the_class_it_should(unit: Table) -> None:
    found = classes_of(unit)
    assert {found[word] for word in FUNCTION} == {"function"}, "even where the census lists it"
    assert {found[word] for word in NAMES} == {"name"}
    assert {found[word] for word in NUMBERS} == {"number"}
    assert {found[word] for word in PLAIN} == {"content"}, "listed, but used far more often"
    assert found["stray"] == "content", "listed, but not among names"


def test_without_a_census_there_are_no_names(unit: Table) -> None:
    assert set(classes_of(unit, NONE).values()) == {"function", "number", "content"}


def test_a_class_too_small_is_left_out(unit: Table) -> None:
    keep = [row for row, word in enumerate(WORDS) if word not in NUMBERS[SMALLEST - 1 :]]
    words = [WORDS[row] for row in keep]
    names, class_of = classify(words, unit[keep], PRIOR[keep], LISTS, CLEAN[keep])
    assert names == ("content", "function", "name")
    assert names[class_of[words.index("7")]] == "content"


def test_a_class_with_too_few_words_that_may_leave_is_left_out(unit: Table) -> None:
    clean = np.array([not word.isdigit() for word in WORDS])
    assert "number" not in classify(WORDS, unit, PRIOR, LISTS, clean)[0]


def test_one_class_is_called_word(unit: Table) -> None:
    rows = [WORDS.index(word) for word in PLAIN]
    names, class_of = classify(PLAIN, unit[rows], PRIOR[rows], NONE, CLEAN[rows])
    assert names == ("word",)
    assert not class_of.any()


@pytest.mark.parametrize("size", [0, 1, SMALLEST - 1])
def test_small_classes_are_refused(size: int) -> None:
    class_of = np.zeros(1000, dtype=np.uint8)
    class_of[:size] = 1
    with pytest.raises(Incompatible, match=f'class "rare" has {size} words'):
        require_classes(("common", "rare"), class_of)


def test_classes_of_the_smallest_size_are_fine() -> None:
    class_of = np.zeros(1000, dtype=np.uint8)
    class_of[:SMALLEST] = 1
    require_classes(("common", "rare"), class_of)


def test_listed_places_among_places_are_places(unit: Table) -> None:
    lists = PublicLists({"stray": 0.5}, frozenset([*NAMES, PLAIN[0]]))
    found = classes_of(unit, lists)
    assert {found[word] for word in NAMES} == {"place"}
    assert found[PLAIN[0]] == "content", "listed, but not among places"


def test_a_word_on_both_lists_goes_where_its_neighbours_are(unit: Table) -> None:
    half = NAMES[:40]
    lists = PublicLists(dict.fromkeys(NAMES, 0.5), frozenset(half))
    found = classes_of(unit, lists)
    assert {found[word] for word in NAMES} == {"name"}


@pytest.mark.parametrize("columns", [10, 159, 321, 5000])
def test_the_tenth_largest_is_that_of_a_sorted_row(columns):
    random = np.random.default_rng(columns)
    values = random.integers(-50, 50, (40, columns)).astype(np.float32)  # many are even
    values[::3, :7] = -np.inf
    assert (largest(values, 10)[:, 0] == np.sort(values, axis=1)[:, -10]).all()
    rare = random.standard_normal((40, columns)).astype(np.float32)
    assert (largest(rare, 10)[:, 0] == np.sort(rare, axis=1)[:, -10]).all()

import numpy as np
import pytest

from privstamp.importance.passages import (
    TASK_WORDS,
    PassageReader,
    best_matches,
    bm25,
    match,
    nearness,
)
from privstamp.importance.task_match import stemmer
from toys import ToySpace

SPACE = ToySpace(rows=500, dimensions=32)
READER = PassageReader(SPACE, stemmer("en"))


def read(text):
    return READER.read(SPACE.split(text))


def found(text, task):
    words = read(text)
    return words, match(words, read(task))


def test_bm25_is_the_textbook_formula():
    words, matched = found("zebra w50 w51. Zebras zebra lion w52 w53. W54 w55 w56.", "zebra lion")
    lengths, mean = np.array([3, 5, 3]), 11 / 3
    rarity = {"zebra": np.log(1 + 1.5 / 2.5), "lion": np.log(1 + 2.5 / 1.5)}
    times = {"zebra": np.array([1, 2, 0]), "lion": np.array([0, 1, 0])}
    expected = sum(
        rarity[word] * times[word] * 2.2 / (times[word] + 1.2 * (0.25 + 0.75 * lengths / mean))
        for word in times
    )
    np.testing.assert_allclose(bm25(words, matched), expected)


def test_small_words_of_a_task_are_not_looked_for():
    _, matched = found("w0 w1 w200", "w0 w200")
    assert matched.equal.shape == (3, 1) and matched.matched.tolist() == [False, False, True]


def test_coverage_counts_each_word_of_the_task_once_by_its_best_match():
    words, matched = found("zebra zebra zebra. Zebra lion", "zebra lion")
    assert best_matches(words, matched).tolist() == pytest.approx([0.5, 1.0])


def test_likeness_below_the_limit_is_none():
    _, matched = found(" ".join(f"w{row}" for row in range(20, 500)), "w300")
    cosine = SPACE.unit[20:] @ SPACE.unit[300]
    expected = np.where(cosine >= 0.3, cosine, 0)
    np.testing.assert_allclose(matched.cosine[:, 0], expected, atol=1e-6)


def test_nearness_falls_with_distance_and_ends_with_the_sentence():
    words, matched = found("zebra w50 w51 w52. W53", "zebra")
    near = nearness(words, matched)
    assert (np.diff(near[:4]) < 0).all() and near[4] == 0


def test_capitals_count_inside_sentences_and_across_small_words():
    words = read("Mara went to Bank w0 Porto. Then w0 Lisbon")
    assert words.capital.tolist() == [0, 0, 0, 1, 1, 1, 0, 0, 1]


def test_numbers_are_digits_and_words():
    assert read("paid 12 on the third of May").number.tolist() == [0, 1, 0, 0, 1, 0, 1]


def test_one_long_token_costs_no_more_than_itself():
    words = read("w1 " * 2_000 + "x" * 100_000)
    assert words.stems.nbytes == 8 * 2_001
    assert words.stems[0] == words.stems[1] != words.stems[-1]


def test_of_a_long_task_the_most_telling_words_are_looked_for():
    _, matched = found("w1 w499", " ".join(f"w{row}" for row in range(500)))
    assert matched.equal.shape == (2, TASK_WORDS)
    assert matched.matched.tolist() == [False, True]  # the rarest word of the task is among them


def test_words_outside_the_space_are_not_kept():
    read("quixworth quixworth w7")
    assert READER._of_row.cache_info().currsize > 0
    assert not any("quixworth" in repr(value) for value in vars(READER).values())

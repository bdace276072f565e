import pytest

from privstamp.importance.passages import MOST_UNITS, sentence_numbers
from toys import ToySpace

SPACE = ToySpace()


def numbers(text):
    return sentence_numbers(SPACE.split(text)).tolist()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("One two. Three four!", [0, 0, 1, 1]),
        ("Dr. Mara came. She left.", [0, 0, 0, 1, 1]),
        ('"Really?" asked Mara. Yes.', [0, 0, 0, 1]),
        ("J. Quill paid", [0, 0, 0]),
        ("first line\nsecond line", [0, 0, 1, 1]),
        ("\n\n... x", [0]),
        ("at 3.5 per cent", [0, 0, 0, 0, 0]),
    ],
)
def test_where_sentences_begin(text, expected):
    assert numbers(text) == expected


def test_endless_stretches_are_cut_and_numbers_have_no_gaps():
    found = numbers("word " * (2 * MOST_UNITS + 5) + ". Then this")
    assert found[0] == 0 and found[MOST_UNITS] == 1 and found[2 * MOST_UNITS] == 2
    assert found[-1] == 3 and sorted(set(found)) == [0, 1, 2, 3]

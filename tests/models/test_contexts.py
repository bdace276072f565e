import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privstamp.errors import Incompatible
from privstamp.models.causal import (
    STRIDE,
    WINDOW,
    Chunks,
    common_length,
    context_start,
    require_room,
)


def test_a_context_is_whole_until_the_window_is_full_and_then_cut_in_strides():
    assert {context_start(pieces) for pieces in range(WINDOW + 1)} == {0}
    before = 0
    for pieces in range(WINDOW + 1, 4 * WINDOW):
        start = context_start(pieces)
        assert start % STRIDE == 0 and start - before in (0, STRIDE)
        assert WINDOW - STRIDE < pieces - start <= WINDOW
        before = start


def test_common_length():
    assert common_length([1, 2, 3], [1, 2, 4, 5]) == 2
    assert common_length([], [1]) == 0
    assert common_length([1, 2], [1, 2, 3]) == common_length([1, 2, 3], [1, 2]) == 2


def test_models_for_shorter_texts_are_refused():
    require_room("long", WINDOW + 1)
    require_room("endless", None)
    with pytest.raises(Incompatible, match="short reads 512 pieces"):
        require_room("short", WINDOW)


def letters(text: str) -> list[int]:
    return [ord(letter) for letter in text]


def marked(text: str) -> list[int]:
    """An encoder that shows where it was called."""
    return [0, *letters(text)] if text else []


@given(st.lists(st.text(alphabet=" \nab.", max_size=6), max_size=12))
def test_pieces_depend_on_the_text_alone(parts):
    grown, text = Chunks(marked), ""
    for part in parts:
        text += part
        assert grown.pieces(text) == Chunks(marked).pieces(text)
    assert [piece for piece in grown.pieces(text) if piece] == letters(text)


@given(st.text(alphabet=" ab", max_size=12), st.text(alphabet=" ab", max_size=12))
def test_another_text_in_between_changes_nothing(first, second):
    chunks = Chunks(marked)
    expected = chunks.pieces(first)
    chunks.pieces(second)
    assert chunks.pieces(first) == expected


def test_cuts_are_made_before_single_blanks_only():
    seen: list[str] = []
    Chunks(lambda text: [*letters(text)] if seen.append(text) is None else []).pieces("a b  c\n d.")
    assert seen == ["a", " b  c\n d."]


def test_growing_a_text_encodes_only_its_end():
    encoded = 0

    def count(text: str) -> list[int]:
        nonlocal encoded
        encoded += len(text)
        return letters(text)

    chunks, words = Chunks(count), ["word"] * 300
    random.Random(1).shuffle(words)
    for at in range(1, 301):
        chunks.pieces(" ".join(words[:at]))
    assert encoded < 3 * 5 * 300

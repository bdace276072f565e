"""Whatever a text holds and a model says: windows lie apart, and what is outside of them stays."""

from __future__ import annotations

import random
import re

from hypothesis import given, settings
from hypothesis import strategies as st

from privstamp.repair.checks import (
    FEWEST,
    LONGEST,
    MOST,
    Checks,
    folded,
    pattern_of,
    tidied,
    windows,
)
from privstamp.repair.rewriter import ModelRepair, Page, mend, most_tokens
from privstamp.sensitivity.rules import Rules
from toys import ToySpace

CHECKS = Checks(ToySpace(), Rules())
words = st.sampled_from(
    ["w1", "the", "She", "went", "to", "Leeds", "Dr.", "3", "[PERSON_1]", "not", "w200", "it's"]
)
gaps = st.sampled_from([" ", ". ", "\n", "\r\n", "\t", "   ", "! ", "\n- ", "\u2028", " | "])
PAGES = st.lists(st.tuples(words, gaps), max_size=150).map(
    lambda pairs: "".join(word + gap for word, gap in pairs)
)


class Says:
    """A model that says what a function makes of a window."""

    name, fingerprint, place, repeatable = "says", "0", "this machine", True

    def __init__(self, said):
        self.said, self.shown = said, []

    def rewrite(self, texts, *, again=False):
        self.shown += texts
        return [self.said(text) for text in texts]


@given(PAGES, st.integers(0, 5))
def test_windows_lie_apart_in_order_and_never_cut_what_stays(text, seed):
    pairs = [match.span() for match in re.finditer(r"\b[A-Za-z]\w* \w+", text)]
    kept = sorted(random.Random(seed).sample(pairs, min(4, len(pairs))))
    before = 0
    for start, end in windows(text, kept):
        window = text[start:end]
        assert before <= start < end <= len(text)
        assert window == window.strip() and len(window.split()) >= FEWEST
        assert len(window.splitlines()) == 1 and "\t" not in window and "|" not in window
        assert not any(first < cut < last for cut in (start, end) for first, last in kept)
        before = end


@given(st.lists(words, min_size=FEWEST, max_size=400).map(" ".join))
def test_a_window_is_bounded_where_it_can_be_cut(text):
    for start, end in windows(text, []):
        assert end - start <= max(MOST, LONGEST)


@given(PAGES)
@settings(deadline=None)
def test_what_a_model_leaves_as_it_is_stays(text):
    model = Says(lambda window: window)
    [done] = mend([Page(text)], model, CHECKS)
    assert done.text == text and done.trouble is None
    assert set(done.outcomes) <= {"unchanged"}
    assert sorted(set(model.shown)) == sorted({text[a:b] for a, b in windows(text, [])})


@given(PAGES, st.sampled_from(["", "\n", "Sure! Here is the text.", "w1 " * 999, "\x00", "I am"]))
@settings(deadline=None, max_examples=50)
def test_nonsense_changes_nothing(text, nonsense):
    [done] = mend([Page(text)], Says(lambda _: nonsense), CHECKS)
    assert done.text == text and set(done.outcomes) <= {"refused"}


@given(PAGES, st.integers(0, 99))
@settings(deadline=None, max_examples=60)
def test_no_proposal_moves_what_lies_outside_or_must_stay(text, seed):
    kept = frozenset({"[PERSON_1]", "Leeds"})

    def shuffled(window):
        parts = window.split()
        random.Random(seed).shuffle(parts)
        return " ".join(parts)

    [done] = mend([Page(text, kept)], Says(shuffled), CHECKS)
    pattern = pattern_of(kept)
    assert pattern.findall(done.text) == pattern.findall(text)
    outside, position = [], 0
    spans = [match.span() for match in pattern.finditer(text)]
    for start, end in windows(text, spans):
        outside.append(text[position:start])
        position = end
    place = 0
    for piece in (*outside, text[position:]):
        place = done.text.index(piece, place) + len(piece)


@given(st.text(max_size=60), st.text(min_size=1, max_size=60))
def test_tidying_only_takes_off(proposal, window):
    done = tidied(proposal, window)
    assert done in proposal and len(proposal.strip()) - len(done) <= 64
    assert done == done.strip() or done.endswith(tuple(" \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0"))


@given(st.lists(st.text(min_size=1, max_size=8), max_size=6), st.text(max_size=80))
def test_a_pattern_finds_whole_strings_alone(kept, text):
    pattern = pattern_of(kept)
    assert (pattern is None) == (not any(string.strip() for string in kept))
    for match in pattern.finditer(text) if pattern else ():
        assert match[0] in kept


@given(st.text(max_size=20))
def test_a_folded_word_is_folded(word):
    assert folded(f"{word}'s") == folded(word) or word.endswith(("'s", "\u2019s"))
    assert folded(word) == folded(word).replace("\u2019", "'")


def test_a_reply_has_room_for_a_window_half_as_long_again():
    assert most_tokens(0) == 32 and most_tokens(LONGEST) >= LONGEST // 4 * 1.5


def test_the_prompt_of_a_window_is_the_window_and_an_instruction_that_is_the_same():
    asked = []

    class Answerer:
        name, fingerprint, place, usage = "m", "f", "this machine", None

        def complete(self, prompts, *, temperature, max_tokens):
            asked.extend((prompt.text, prompt.system, temperature) for prompt in prompts)
            return [type("R", (), {"text": prompt.text})() for prompt in prompts]

        def close(self):
            asked.append("closed")

    repair = ModelRepair(Answerer())
    assert repair.rewrite(["One two.", "Three."]) == ["One two.", "Three."]
    assert repair.rewrite(["One two."], again=True) == ["One two."]
    assert repair.repeatable and "m" in repr(repair)
    assert len({system for _, system, _ in asked[:2]}) == 1 and asked[0][1] != asked[2][1]
    assert all(temperature == 0 for *_, temperature in asked)
    repair.close()
    assert asked[-1] == "closed"

"""Our own lists hold what their docstrings say."""

from __future__ import annotations

import re

from privstamp.spaces import wordlists
from privstamp.spaces.words import reads_well


def test_lists_are_plain_lower_case_words() -> None:
    for words in (wordlists.FUNCTION_WORDS, wordlists.SHORT_WORDS, wordlists.MARKUP):
        assert all(re.fullmatch("[a-z]+", word) for word in words)
    assert len(wordlists.FUNCTION_WORDS) >= 100
    assert all(len(word) <= 2 for word in wordlists.SHORT_WORDS)
    assert all(re.fullmatch(r"[a-z]{2,}\.", word) for word in wordlists.ABBREVIATIONS)
    assert all(re.fullmatch(r"(?:[a-z]{1,2}\.){2,}", word) for word in wordlists.INITIALS)


def test_coarse_words_may_come_in_and_never_leave() -> None:
    assert not any(map(reads_well, wordlists.COARSE))
    assert reads_well("arsenal") and reads_well("cockpit")  # whole words, not parts of them

"""Our own lists hold what their docstrings say."""

from __future__ import annotations

import re

from privstamp.spaces import wordlists


def test_lists_are_plain_lower_case_words() -> None:
    for words in (wordlists.FUNCTION_WORDS, wordlists.SHORT_WORDS, wordlists.MARKUP):
        assert all(re.fullmatch("[a-z]+", word) for word in words)
    assert len(wordlists.FUNCTION_WORDS) >= 100
    assert all(len(word) <= 2 for word in wordlists.SHORT_WORDS)
    assert all(re.fullmatch(r"[a-z]{2,}\.", word) for word in wordlists.ABBREVIATIONS)
    assert all(re.fullmatch(r"(?:[a-z]{1,2}\.){2,}", word) for word in wordlists.INITIALS)

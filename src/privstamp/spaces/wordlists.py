"""Short public lists of our own that word spaces are cut and sorted by."""

from __future__ import annotations

from typing import Final

from privstamp.text.terms import read_lists

_LISTS: Final = read_lists("privstamp.spaces", "wordlists.toml")
FUNCTION_WORDS: Final = _LISTS["function_words"]
"""The small words of English."""
ABBREVIATIONS: Final = _LISTS["abbreviations"]
"""Words whose full stop belongs to them, where the word list has them that way."""
INITIALS: Final = _LISTS["initials"]
"""Abbreviations with inner full stops that may leave."""
SHORT_WORDS: Final = _LISTS["short_words"]
"""Words of one or two letters that may leave."""
MARKUP: Final = _LISTS["markup"]
"""What the lists caught from web pages; never leaves."""
COARSE: Final = _LISTS["coarse"]
"""What nobody wants to find in a text of theirs; never leaves, and may come in."""
COUNTRIES: Final = _LISTS["countries"]
"""Countries, and states of the United States, that are one word."""

"""What figures and checks mean, for people who run no audits: one or two plain sentences each."""

from __future__ import annotations

from typing import Final

FIGURES: Final = {
    "promises_broken": "promises of the whole line that were refuted (must be 0)",
    "recovery_uniform": "an attacker who knows the mechanism and nothing else guesses a word",
    "recovery_unigram": "the same, knowing how often each word is used",
    "recovery_contextual": "the same, with a language model reading the released text",
    "keep_max": "the word that survives most often, in the worst group and class",
    "sensitive_verbatim": "sensitive spans that left as they were",
    "empirical_epsilon_over_claim": "loss proved by samples, as a share of the claim (must be ≤ 1)",
    "averaging_gain": "what twenty releases tell beyond one",
}
CHECKS: Final = {
    "line": "Invented letters and public words go through the line as it is deployed, and releases "
    "are read as a receiver reads them. Each line of the table is a promise; one that is broken "
    "fails the audit.",
    "cells": "How often a word comes out as itself, and how often the best possible attacker names "
    "it. Groups 1 and 2 are the sensitive ones: their figures should be near the floor. Read the "
    "worst figure, not the mean.",
    "recovery": "The same attackers, let loose on this sample. A figure near its floor means "
    "that the release told them nothing; far above it, that it told them the word.",
    "claims": "The mechanisms promise that no output says more than a stated amount about a word. "
    "Here this is put to the test. A ratio above 1 means that the promise is broken, and the audit "
    "fails.",
    "leakage": "What anyone can see without an attack. Sensitive spans that leave as they were "
    "should be close to none; texts whose releases can be matched are linkable.",
    "misses": "No detector finds everything, and what it misses gets the protection of an ordinary "
    "word. The figure to watch is missed_and_kept.",
    "averaging": "Releasing the same text again and again with new noise lets an attacker take the "
    "majority. A steep curve means: do not repeat, or set a secret so that a repeat is the same "
    "release.",
    "reuse": "An edited text must meet noise of its own. More likeness than chance would mean that "
    "the difference between the two versions shows, and the audit fails.",
    "attributes": "Whether a program that has learnt from releases can tell what kind of text this "
    "is. Far above the floor means that the kind, not the words, can still be read off.",
    "labels": "What the visible frame tells: which words are protected, how long the text is, "
    "which surrogates are equal. Noise on words does not hide it.",
    "context": "The strongest attacker here: a language model reads what was released and fills "
    "each place with what fits best, knowing the mechanism. Above the floor is what the release "
    "gave away; the floor is what the rest of the text gives away by itself.",
    "reconstruction": "A large model at an endpoint of your choice reads a release and writes down "
    "what the original may have been. Above the floor is what it found out; the floor is what "
    "stands in the release already. It knows nothing of the mechanism.",
}
OF: Final = {
    "line": "Whole line: canaries of the audit, not the sample.",
    "cells": "By group and class, of the words that a mechanism moves; what is replaced, or leaves "
    "as it is, is not in these figures.",
    "recovery": "By group, and for whole things that are named; of words that a mechanism moves.",
    "claims": "By mechanism and class.",
    "leakage": "Of sensitive spans, and of whole texts (linkable, singled_out).",
    "misses": "Of the whole text: ordinary_kept counts every word that no detector flagged, small "
    "words too, so it is larger than the figures of a group.",
    "averaging": "Of words that a mechanism moves, all groups together.",
    "reuse": "Of words that a mechanism moves, all groups together.",
    "attributes": "Of whole texts.",
    "labels": "Of the whole text: every word, whatever its group.",
    "context": "By group, of words that a mechanism moves.",
    "reconstruction": "Of sensitive spans, and of words that a mechanism moves.",
}
"""What the figures of a check are figures of."""

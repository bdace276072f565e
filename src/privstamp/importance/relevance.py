"""Importance in context: the sentences that answer the task, and the words within them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

import numpy as np

from privstamp.errors import PolicyError
from privstamp.importance.answer_types import Wanted, wanted
from privstamp.importance.encoder import MiniLM
from privstamp.importance.passages import (
    Flags,
    Match,
    Reader,
    Values,
    Words,
    best_matches,
    bm25,
    match,
    nearness,
)
from privstamp.importance.shares import NO_TASK, TAU, check_tau, fingerprint, nothing, text_shares
from privstamp.importance.stems import stemmer
from privstamp.protocols import Space
from privstamp.types import Scope, Scores, Table, Units

VERSION: Final = "1"
# Log odds, fitted on one half of the articles of a public set of questions; the other half is
# what benchmarks/importance.py reports on.
SENTENCE: Final = {
    "none": {"bm25": 0.7, "covered": 4.0, "typed": 1.5, "before": 0.5, "after": 0.7, "encoded": 0},
    "minilm": {
        "bm25": 0.6,
        "covered": 0.9,
        "typed": 1.5,
        "before": 0.6,
        "after": 0.7,
        "encoded": 6.7,
    },
}
SENTENCES_FIRST: Final = 2.0
"""Words of a likelier sentence come first; above 1 more so than the odds of single words say."""
SMALL, INFORMATION, MATCHED, NEAR = 0.3, 1.8, -0.7, 0.35
NUMBER, CAPITAL, UNKNOWN_WORD = 0.2, -0.2, 0.4
ANSWERS: Final[dict[Wanted, tuple[float, float, float]]] = {
    "time": (1.9, -0.5, -0.8),
    "amount": (1.2, -2.0, -0.5),
    "person": (-2.0, 1.1, 0.9),
    "place": (-0.6, 0.9, 0.9),
    "other": (0.0, 0.6, 0.0),  # half of what was fitted: names only where somebody asks for them
}
"""By what is asked for: a number, a capitalised word, a listed name or place."""
BLUR: Final = 0.15
"""Share that each neighbour lends a word: answers are spans."""


class Relevance:
    """A word is important if its sentence seems to answer the task and it could be the answer.

    Sentences by stemmed BM25, by best matches of word vectors, by whether they hold the kind of
    word that is asked for, and with `encoder = "minilm"` by contextual vectors. The score is the
    share of the text's own words that matter less, so `tau` fixes how many are important.
    """

    name = "relevance"
    scope = Scope.context("which sentences answer the task, and the words around the unit")

    def __init__(
        self,
        space: Space,
        *,
        tau: float = TAU,
        language: str = "en",
        encoder: Literal["none", "minilm"] = "none",
    ) -> None:
        self._tau = check_tau(tau)
        self._space = space
        if encoder not in SENTENCE:
            raise PolicyError('importance: encoder is "none" or "minilm"')
        self._reader = Reader(space, stemmer(language))
        self._cues = language == "en"
        self._weights = SENTENCE[encoder]
        self._encoder = MiniLM() if encoder == "minilm" else None
        self.fingerprint = fingerprint(
            self.name,
            version=VERSION,
            tau=self._tau,
            language=language,
            encoder=self._encoder.fingerprint if self._encoder else "none",
        )

    def score(self, batch: Sequence[Units], tasks: Sequence[str | None]) -> list[Scores]:
        read: dict[str, tuple[Words, Table | None]] = {}
        scores = []
        for units, task in zip(batch, tasks, strict=True):
            if not task or not task.strip():
                scores.append(nothing(len(units), NO_TASK))
                continue
            if task not in read:
                states = self._encoder.pieces(task)[0] if self._encoder else None
                read[task] = self._reader.read(self._space.split(task)), states
            asked = wanted(task) if self._cues else "other"
            odds = self._odds(units, asked, *read[task])
            scores.append(Scores(text_shares(odds), self._tau))
        return scores

    def _odds(self, units: Units, asked: Wanted, task: Words, states: Table | None) -> Values:
        """How likely each unit is needed, on a scale of its own, above 0."""
        if not len(units):
            return np.zeros(0)
        text = self._reader.read(units)
        found = match(text, task)
        sentences = self._sentences(units, text, found, asked, states)
        odds = SENTENCES_FIRST * sentences[text.sentence] + _words(text, found, asked)
        odds = _blurred(odds)
        raised: Values = odds - odds.min() + 1
        return raised

    def _sentences(
        self, units: Units, text: Words, found: Match, asked: Wanted, states: Table | None
    ) -> Values:
        weights, covered = self._weights, best_matches(text, found)
        typed = np.zeros(len(covered))
        typed[text.sentence[_could_answer(text, asked) & ~found.matched]] = 1
        total = weights["bm25"] * bm25(text, found) + weights["covered"] * covered
        total += weights["typed"] * typed
        total[1:] += weights["before"] * covered[:-1]
        total[:-1] += weights["after"] * covered[1:]
        if self._encoder is not None and states is not None:
            total += weights["encoded"] * self._encoder.meets(states, units, text.sentence)
        return total


def _could_answer(text: Words, asked: Wanted) -> Flags:
    """Words of the kind that is asked for; none where the question does not say."""
    content = text.information > 0
    if asked in ("time", "amount"):
        return text.number
    if asked == "person":
        return text.capital & content
    if asked == "place":
        return (text.capital | text.listed) & content
    return np.zeros(len(text), dtype=bool)


def _words(text: Words, found: Match, asked: Wanted) -> Values:
    number, capital, listed = ANSWERS[asked]
    odds: Values = (
        SMALL * (text.information == 0)
        + INFORMATION * text.information
        + MATCHED * found.matched
        + NEAR * nearness(text, found)
        + (NUMBER + number) * text.number
        + (CAPITAL + capital) * text.capital
        + listed * text.listed
        + UNKNOWN_WORD * text.unknown
    )
    return odds


def _blurred(odds: Values) -> Values:
    before = np.concatenate([odds[:1], odds[:-1]])
    after = np.concatenate([odds[1:], odds[-1:]])
    blurred: Values = (1 - 2 * BLUR) * odds + BLUR * (before + after)
    return blurred

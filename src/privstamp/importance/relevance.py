"""Importance in context: the sentences that answer the task, and the words within them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from privstamp.assets.store import ASSETS, absent, locate
from privstamp.errors import PolicyError, optional
from privstamp.importance.passages import (
    Flags,
    PassageReader,
    PassageWords,
    TaskWords,
    Values,
    best_matches,
    bm25,
    match,
    nearness,
)
from privstamp.importance.shares import NO_TASK, TAU, check_tau, fingerprint, nothing, text_shares
from privstamp.importance.task_match import Wanted, stemmer, wanted
from privstamp.protocols import Space
from privstamp.types import Scope, Scores, Table, Units

LONGEST: Final = 256
"""Pieces of a window that are read; what follows is left out."""
WINDOW: Final = 90
"""Units that are read at once, in whole sentences: one run costs little more than a short one."""


class MiniLM:
    """Made once; reads one window at a time, so that no text changes the vectors of another."""

    def __init__(self) -> None:
        needed_for = 'encoder = "minilm"'
        onnxruntime = optional("onnxruntime", "encoder", needed_for, absent("minilm"))
        model, tokenizer = locate("minilm", "model"), locate("minilm", "tokenizer")
        from tokenizers import Tokenizer

        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.log_severity_level = 4
        self._session: Any = onnxruntime.InferenceSession(
            str(model), options, providers=["CPUExecutionProvider"]
        )
        self.fingerprint = " ".join(member.sha256 for member in ASSETS["minilm"].members.values())

    def pieces(self, text: str) -> tuple[Table, npt.NDArray[np.intp]]:
        """One unit-length vector for each piece of a text, and where each piece begins."""
        states, begins = self._states(text)
        inner = states[1:-1]  # between the marks for start and end
        return inner / np.maximum(np.linalg.norm(inner, axis=1, keepdims=True), 1e-9), begins

    def sentence(self, text: str) -> npt.NDArray[np.float32]:
        """One unit-length vector for a whole text: the mean over its pieces, marks included."""
        pooled = self._states(text)[0].mean(axis=0)
        vector: npt.NDArray[np.float32] = pooled / np.maximum(np.linalg.norm(pooled), 1e-9)
        return vector

    def _states(self, text: str) -> tuple[Table, npt.NDArray[np.intp]]:
        encoded = self._tokenizer.encode(text)
        ids = encoded.ids
        if len(ids) > LONGEST:
            ids = [*ids[: LONGEST - 1], ids[-1]]
        row = np.array([ids], dtype=np.int64)
        inputs = {
            "input_ids": row,
            "attention_mask": np.ones_like(row),
            "token_type_ids": np.zeros_like(row),
        }
        [states] = self._session.run(None, inputs)
        begins = [begin for begin, _ in encoded.offsets[1 : len(ids) - 1]]
        return states[0], np.array(begins, dtype=np.intp)

    def meets(self, task: Table, units: Units, sentence: npt.NDArray[np.intp]) -> Values:
        """How well each sentence meets a task: each of the task's pieces finds its best match."""
        best = np.zeros((int(sentence[-1]) + 1, len(task)))
        for first, last in _windows(sentence):
            start = int(units.starts[first])
            vectors, begins = self.pieces(units.text[start : units.ends[last - 1]])
            place = np.searchsorted(units.starts[first:last], begins + start, side="right") - 1
            np.maximum.at(best, sentence[first + place], vectors @ task.T)
        return best.mean(axis=1) if len(task) else np.zeros(len(best))


def _windows(sentence: npt.NDArray[np.intp]) -> Iterator[tuple[int, int]]:
    """First and last unit of each window: as many whole sentences as fit."""
    ends = [*np.flatnonzero(np.diff(sentence)) + 1, len(sentence)]
    first, last = 0, 0
    for end in ends:
        if end - first > WINDOW and last > first:
            yield first, last
            first = last
        last = int(end)
    yield first, last


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
        self._reader = PassageReader(space, stemmer(language))
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
        read: dict[str, tuple[PassageWords, Table | None]] = {}
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

    def _odds(
        self, units: Units, asked: Wanted, task: PassageWords, states: Table | None
    ) -> Values:
        """How likely each unit is needed, on a scale of its own, above 0."""
        if not len(units):
            return np.zeros(0)
        text = self._reader.read(units)
        matched = match(text, task)
        sentences = self._sentences(units, text, matched, asked, states)
        odds = SENTENCES_FIRST * sentences[text.sentence] + _words(text, matched, asked)
        odds = _blurred(odds)
        raised: Values = odds - odds.min() + 1
        return raised

    def _sentences(
        self,
        units: Units,
        text: PassageWords,
        match: TaskWords,
        asked: Wanted,
        states: Table | None,
    ) -> Values:
        weights, covered = self._weights, best_matches(text, match)
        typed = np.zeros(len(covered))
        typed[text.sentence[_could_answer(text, asked) & ~match.matched]] = 1
        total = weights["bm25"] * bm25(text, match) + weights["covered"] * covered
        total += weights["typed"] * typed
        total[1:] += weights["before"] * covered[:-1]
        total[:-1] += weights["after"] * covered[1:]
        if self._encoder is not None and states is not None:
            total += weights["encoded"] * self._encoder.meets(states, units, text.sentence)
        return total


def _could_answer(text: PassageWords, asked: Wanted) -> Flags:
    """Words of the kind that is asked for; none where the question does not say."""
    content = text.information > 0
    if asked in ("time", "amount"):
        return text.number
    if asked == "person":
        return text.capital & content
    if asked == "place":
        return (text.capital | text.listed) & content
    return np.zeros(len(text), dtype=bool)


def _words(text: PassageWords, match: TaskWords, asked: Wanted) -> Values:
    number, capital, listed = ANSWERS[asked]
    odds: Values = (
        SMALL * (text.information == 0)
        + INFORMATION * text.information
        + MATCHED * match.matched
        + NEAR * nearness(text, match)
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

"""A model that answers as a reader: it is asked about each release, and its answers are scored."""

from __future__ import annotations

import hashlib
import json
import re
import string
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from privstamp.errors import AssetError, MissingExtra
from privstamp.importance.relevance import MiniLM
from privstamp.lab.evals.contracts import Example, Release
from privstamp.protocols import Answerer
from privstamp.types import Prompt, Table

_PUNCTUATION: Final = str.maketrans("", "", string.punctuation)
_ARTICLES: Final = re.compile(r"\b(?:a|an|the)\b")


def normalise(answer: str) -> str:
    """Lower case, without punctuation, articles and blanks to spare."""
    bare = answer.lower().translate(_PUNCTUATION)
    return " ".join(_ARTICLES.sub(" ", bare).split())


def exact_match(answer: str, gold: Sequence[str]) -> float:
    """1 if the answer is one of the gold ones."""
    return float(normalise(answer) in {normalise(right) for right in gold})


def token_f1(answer: str, gold: Sequence[str]) -> float:
    """Harmonic mean of precision and recall of words, with the gold answer where it is best."""
    return max(
        (_f1(normalise(answer).split(), normalise(right).split()) for right in gold), default=0
    )


def _f1(answer: list[str], gold: list[str]) -> float:
    if not answer or not gold:
        return float(answer == gold)
    shared = (Counter(answer) & Counter(gold)).total()
    return 2 * shared / (len(answer) + len(gold))


def macro_f1(
    labels: Sequence[str], predicted: Sequence[str], weights: Sequence[float] | None = None
) -> float:
    """Mean of the F1 of every label that occurs, rare ones counting as much; nan of none."""
    right: dict[str, float] = defaultdict(float)
    named: dict[str, float] = defaultdict(float)
    for label, guess, weight in zip(labels, predicted, weights or [1.0] * len(labels), strict=True):
        named[label] += weight
        named[guess] += weight
        right[label] += weight * (label == guess)
    scores = [2 * right[name] / named[name] for name in named]
    return sum(scores) / len(scores) if scores else float("nan")


def judged(examples: Sequence[Example], predicted: Sequence[str]) -> list[dict[str, float | str]]:
    """Scores of predicted labels."""
    return [
        {"correct": float(example.label == guess), "label": example.label, "predicted": guess}
        for example, guess in zip(examples, predicted, strict=True)
    ]


TEMPERATURE: Final = 0.2
PHRASE_TOKENS: Final = 16
"""For answers that are names of several words, or dates; the paper had 5, for one word."""
ANSWER: Final = (
    "Answer the question about the text. Reply with one word, or with the shortest phrase of the "
    "text that answers it, and nothing else."
)
UNAIDED: Final = (
    "Answer the question from what you know. Reply with one word, or with the shortest phrase "
    "that answers it, and nothing else."
)


def question(text: str, asked: str) -> Prompt:
    """A question about a text."""
    return Prompt(f"Text: {text.strip()}\n\nQuestion: {asked.strip()}\nAnswer:", ANSWER)


def unaided(asked: str) -> Prompt:
    """A question without a text: what a model knows, or guesses."""
    return Prompt(f"Question: {asked.strip()}\nAnswer:", UNAIDED)


class Similarity:
    """Keeps vectors of texts it has met, for originals and gold answers come again and again."""

    def __init__(self, encoder: MiniLM) -> None:
        self._encoder = encoder
        self.fingerprint = encoder.fingerprint
        self.vectors = lru_cache(maxsize=4096)(encoder.sentence)

    def cosines(self, first: Sequence[str], second: Sequence[str]) -> list[float]:
        """One cosine for each pair; of a text without words, 0."""
        return [
            float(self.vectors(answer) @ self.vectors(right))
            if answer.strip() and right.strip()
            else 0.0
            for answer, right in zip(first, second, strict=True)
        ]

    def table(self, texts: Sequence[str]) -> Table:
        """Unit vectors of texts, one row each; these are not kept."""
        return np.stack([self._encoder.sentence(text) for text in texts])

    def best(self, answer: str, gold: Sequence[str]) -> float:
        """The cosine with the gold answer that is nearest."""
        return max(self.cosines([answer] * len(gold), gold), default=0.0)


def open_similarity() -> tuple[Similarity | None, str]:
    """The encoder, or none and why."""
    try:
        return Similarity(MiniLM()), ""
    except (AssetError, MissingExtra) as error:
        return None, str(error)


_RULE: Final = "first line that is not empty, restored, stripped 1"


class Answers:
    """Scores em and f1, and cosine where an encoder is given. No answer is kept."""

    def __init__(
        self,
        model: Answerer,
        similarity: Similarity | None = None,
        *,
        temperature: float = TEMPERATURE,
        max_tokens: int = PHRASE_TOKENS,
    ) -> None:
        self.name = model.name
        self._model, self._similarity = model, similarity
        self._temperature, self._max_tokens = temperature, max_tokens
        asked = [ANSWER, question("text", "asked").text, UNAIDED, unaided("asked").text, _RULE]
        facts = [model.fingerprint, temperature, max_tokens, similarity is not None, *asked]
        self.fingerprint = hashlib.sha256(json.dumps(facts).encode()).hexdigest()

    def read(
        self, examples: Sequence[Example], releases: Sequence[Release]
    ) -> list[dict[str, float | str]]:
        """Asks all at once, so that questions on one text stand together."""
        replies = self._model.complete(
            [_prompt(release) for release in releases],
            temperature=self._temperature,
            max_tokens=self._max_tokens,
        )
        return [
            self._scores(example, _answer(reply.text, release))
            for example, release, reply in zip(examples, releases, replies, strict=True)
        ]

    def _scores(self, example: Example, answer: str) -> dict[str, float | str]:
        gold = example.answers
        scores: dict[str, float | str] = {
            "em": exact_match(answer, gold),
            "f1": token_f1(answer, gold),
        }
        if self._similarity is not None:
            scores["cosine"] = self._similarity.best(answer, gold)
        return scores


def _prompt(release: Release) -> Prompt:
    return question(release.text, release.task) if release.text.strip() else unaided(release.task)


def _answer(reply: str, release: Release) -> str:
    lines = [line for line in reply.splitlines() if line.strip()]
    said = lines[0].strip() if lines else ""
    return said if release.restore is None else release.restore(said).strip()

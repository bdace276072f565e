"""A model that answers as a reader: it is asked about each release, and its answers are scored."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Final

from privstamp.lab.evals.contracts import Example, Release
from privstamp.lab.evals.metrics import exact_match, token_f1
from privstamp.lab.evals.prompts import (
    ANSWER,
    PHRASE_TOKENS,
    TEMPERATURE,
    UNAIDED,
    question,
    unaided,
)
from privstamp.lab.evals.similarity import Similarity
from privstamp.protocols import Answerer
from privstamp.types import Prompt

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

"""How right an answer or a label is. Answers are compared as SQuAD's own scorer does."""

from __future__ import annotations

import re
import string
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Final

from privstamp.lab.evals.contracts import Example

_PUNCTUATION: Final = str.maketrans("", "", string.punctuation)
_ARTICLES: Final = re.compile(r"\b(?:a|an|the)\b")


def normalise(answer: str) -> str:
    """Lower case, without punctuation, articles and blanks to spare."""
    bare = answer.lower().translate(_PUNCTUATION)
    return " ".join(_ARTICLES.sub(" ", bare).split())


def exact_match(answer: str, gold: Sequence[str]) -> float:
    """1 if the answer is one of the gold ones."""
    return float(normalise(answer) in {normalise(one) for one in gold})


def token_f1(answer: str, gold: Sequence[str]) -> float:
    """Harmonic mean of precision and recall of words, with the gold answer where it is best."""
    return max((_f1(normalise(answer).split(), normalise(one).split()) for one in gold), default=0)


def _f1(answer: list[str], gold: list[str]) -> float:
    if not answer or not gold:
        return float(answer == gold)
    shared = (Counter(answer) & Counter(gold)).total()
    return 2 * shared / (len(answer) + len(gold))


def accuracy(labels: Sequence[str], predicted: Sequence[str]) -> float:
    """Share of right labels; nan of none."""
    right = [label == guess for label, guess in zip(labels, predicted, strict=True)]
    return sum(right) / len(right) if right else float("nan")


def macro_f1(
    labels: Sequence[str], predicted: Sequence[str], weights: Sequence[float] | None = None
) -> float:
    """Mean of the F1 of every label that occurs, rare ones counting as much; nan of none."""
    right: dict[str, float] = defaultdict(float)
    named: dict[str, float] = defaultdict(float)
    for one, guess, weight in zip(labels, predicted, weights or [1.0] * len(labels), strict=True):
        named[one] += weight
        named[guess] += weight
        right[one] += weight * (one == guess)
    each = [2 * right[one] / named[one] for one in named]
    return sum(each) / len(each) if each else float("nan")


def judged(examples: Sequence[Example], predicted: Sequence[str]) -> list[dict[str, float | str]]:
    """Scores of predicted labels."""
    return [
        {"correct": float(one.label == guess), "label": one.label, "predicted": guess}
        for one, guess in zip(examples, predicted, strict=True)
    ]

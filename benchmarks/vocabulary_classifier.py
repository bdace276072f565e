"""Tells rare ordinary words from rare names: public word vectors and spelling, nothing else.

Trained on half of a dictionary against half of the lists of names; the other halves measure it.
"""

from __future__ import annotations

import re

import numpy as np
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier

from privstamp.sensitivity.frequencies import LARGE, zipf_frequencies
from privstamp.spaces.glove import Glove

MARKED = 0.98
"""Share of rare names, of those not trained on, that must stay sensitive."""
RARE = 3.0
WORD = re.compile(r"[a-z]{3,}")


class Classifier:
    """The sum of two log odds: of a small network on the vector, and of letters in a row."""

    def __init__(self, words: list[str], names: list[str], space: Glove, rows: dict[str, int]):
        self._unit, self._rows = space.unit, rows
        self._letters = HashingVectorizer(
            analyzer="char_wb", ngram_range=(2, 4), n_features=2**15, alternate_sign=False
        )
        truth = np.r_[np.zeros(len(words)), np.ones(len(names))]
        self._meaning = MLPClassifier((64,), max_iter=20, tol=0, random_state=0)
        self._meaning.fit(self._vectors(words + names), truth)
        self._spelling = LogisticRegression(C=10, max_iter=300)
        self._spelling.fit(self._letters.transform(words + names), truth)

    def _vectors(self, words: list[str]) -> np.ndarray:
        return self._unit[[self._rows[word] for word in words]]

    def namelike(self, words: list[str]) -> np.ndarray:
        """Log odds of being a name."""
        sure = np.clip(self._meaning.predict_proba(self._vectors(words))[:, 1], 1e-9, 1 - 1e-9)
        spelt = self._spelling.decision_function(self._letters.transform(words))
        return np.log(sure / (1 - sure)) + spelt


def ordinary_words(dictionary: set[str], names: set[str]) -> tuple[set[str], str]:
    """Words of the space that are no names, and what the held-out halves say."""
    space = Glove()
    listed = space.words(np.arange(len(space.unit), dtype=np.int32))
    rows = {word: row for row, word in enumerate(listed) if WORD.fullmatch(word)}
    order = np.random.default_rng(0)
    words = order.permutation(sorted(dictionary & rows.keys())).tolist()
    named = order.permutation(sorted(names & rows.keys() - dictionary)).tolist()
    classifier = Classifier(words[::2], named[::2], space, rows)
    frequency = zipf_frequencies("en", LARGE)
    rare_words = [word for word in words[1::2] if frequency.get(word, 0) < RARE]
    rare_names = [word for word in named[1::2] if frequency.get(word, 0) < RARE]
    marks = classifier.namelike(rare_names)
    limit = float(np.quantile(marks, 1 - MARKED))
    report = (
        f"held out: {(marks >= limit).mean():.3f} of {len(rare_names):,} rare names marked, "
        f"{(classifier.namelike(rare_words) >= limit).mean():.3f} of {len(rare_words):,} rare words"
    )
    asked = sorted(rows.keys() - names)
    scores = classifier.namelike(asked)
    return {word for word, score in zip(asked, scores, strict=True) if score < limit}, report

"""What labels give away: how well an adversary tells names from other words by them alone.

    PRIVSTAMP_DATA=FOLDER python benchmarks/labels.py [--write]

The adversary sees no word. It sees what every release shows of each word (case, kind, public
class), then its group, then also the type of a surrogate; of the word itself and of its two
neighbours. A naive Bayes classifier, which also learns how much neighbours count, is trained on
four fifths of the texts and tried on the rest, in turn. AUC: how often a name ranks above another
word (.5 is guessing). F1: at the best threshold. Sets as in benchmarks/coverage.py.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from pathlib import Path

import numpy as np
from coverage import emerging, generated

from privstamp import Policy, Privatizer
from privstamp.release.groups import NO_SPAN
from privstamp.types import UNKNOWN, Kind, Label

RESULTS = Path(__file__).parent / "results" / "labels.json"
FOLDS = 5
PERSON = ("PERSON", "person")
POLICIES = {
    "public: lexicon": {"sensitivity": {"name": "lexicon"}, "grouping": "public"},
    "contextual: presidio": {"sensitivity": {"name": "presidio"}},
    "contextual: union": {"sensitivity": {"name": "union"}},
}
SEEN = ("form alone", "and group", "and type")
PLACES = (0, -1, 1)
STEPS = (0, 0.1, 0.2, 0.4, 0.7, 1)
WEIGHTS = np.array([[1, w, v] for w in STEPS for v in STEPS])
"""Of a word, of the one before it and of the one after it."""
CASE = int(Label.TITLE | Label.UPPER)


def rows(line: Privatizer, texts) -> list[tuple[list[list[tuple]], list[bool], list[bool]]]:
    """Per text: for each way of looking the features of its units, which are names, which words."""
    space, found = line.parts.space, []
    for text, spans in texts:
        trace = line.group(text)
        units, grouping = trace.units, trace.grouping
        persons = [(start, end) for start, end, kind in spans if kind in PERSON]
        plain, grouped, typed = [], [], []
        for index in range(len(units)):
            row, span = units.rows[index], grouping.spans[index]
            named = "unknown" if row == UNKNOWN else space.classes[space.class_of[row]]
            form = (int(units.kinds[index]), int(units.labels[index]) & CASE, named)
            group = int(grouping.groups[index])
            kind = "" if span == NO_SPAN else grouping.findings[span].kind
            plain.append(form)
            grouped.append((*form, group))
            typed.append((*form, group, kind if group <= 2 else ""))
        names = [
            any(start < units.ends[i] and units.starts[i] < end for start, end in persons)
            for i in range(len(units))
        ]
        words = [kind in (Kind.WORD, Kind.FOREIGN) for kind in units.kinds.tolist()]
        found.append(([plain, grouped, typed], names, words))
    return found


class Bayes:
    """Counts of a feature among names and among others, for a word and its two neighbours."""

    def __init__(self, way: int, texts) -> None:
        self._way = way
        self._counts = [(Counter(), Counter()) for _ in PLACES]
        for features, names, words in texts:
            for index in np.flatnonzero(words).tolist():
                for place, counts in zip(PLACES, self._counts, strict=True):
                    counts[names[index]][_at(features[way], index + place)] += 1
        parts, truth = self._parts(texts)
        self._weights = max(WEIGHTS, key=lambda weights: best_f1(parts @ weights, truth))

    def score(self, texts) -> tuple[np.ndarray, np.ndarray]:
        """How much each word looks like a name, and whether it is one."""
        parts, truth = self._parts(texts)
        return parts @ self._weights, truth

    def _parts(self, texts) -> tuple[np.ndarray, np.ndarray]:
        rows, truth = [], []
        for features, names, words in texts:
            for index in np.flatnonzero(words).tolist():
                keys = [_at(features[self._way], index + place) for place in PLACES]
                rows.append([_ratio(*c, key) for c, key in zip(self._counts, keys, strict=True)])
                truth.append(names[index])
        return np.array(rows), np.array(truth)


def _ratio(others: Counter, names: Counter, key) -> float:
    kinds = len(others.keys() | names.keys()) + 1
    yes = (names[key] + 0.5) / (names.total() + 0.5 * kinds)
    no = (others[key] + 0.5) / (others.total() + 0.5 * kinds)
    return float(np.log(yes / no))


def _at(features, index: int):
    return features[index] if 0 <= index < len(features) else None


def attack(texts, way: int) -> dict[str, float]:
    """AUC and best F1 over all words, each scored by a classifier that never saw its text."""
    scored = []
    for fold in range(FOLDS):
        rest = [text for number, text in enumerate(texts) if number % FOLDS != fold]
        scored.append(Bayes(way, rest).score(texts[fold::FOLDS]))
    scores, truth = (np.concatenate(column) for column in zip(*scored, strict=True))
    return {"auc": round(auc(scores, truth), 3), "f1": round(best_f1(scores, truth), 3)}


def auc(values: np.ndarray, truth: np.ndarray) -> float:
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]  # ties share their mean rank
    yes = int(truth.sum())
    return float((ranks[truth].sum() - yes * (yes + 1) / 2) / (yes * (len(truth) - yes)))


def best_f1(values: np.ndarray, truth: np.ndarray) -> float:
    order = np.argsort(-values, kind="stable")
    hits = np.cumsum(truth[order])
    last = np.append(np.diff(values[order]) != 0, True)
    marked = np.arange(1, len(hits) + 1)
    return float((2 * hits / (marked + truth.sum()))[last].max())


def main() -> None:
    folder = Path(os.environ["PRIVSTAMP_DATA"])
    sets = {"generated": generated(folder), "emerging": emerging(folder)}
    results: dict[str, dict[str, dict[str, dict[str, float]]]] = {title: {} for title in sets}
    for name, policy in POLICIES.items():
        line = Privatizer(Policy.of({"extends": "stamp", "importance": "task-match", **policy}))
        for title, texts in sets.items():
            seen = rows(line, texts)
            results[title][name] = {way: attack(seen, i) for i, way in enumerate(SEEN)}
    if "--write" in sys.argv:
        RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    print("\n".join(table(results)))


def table(results: dict[str, dict[str, dict[str, dict[str, float]]]]) -> list[str]:
    """Lines of Markdown: AUC, F1."""
    lines = ["| set | groups | " + " | ".join(SEEN) + " |", "|---|---|---|---|---|"]
    for title, by_policy in results.items():
        for name, ways in by_policy.items():
            cells = [f"{one['auc']:.2f}, {one['f1']:.2f}" for one in ways.values()]
            lines.append(f"| {title} | {name} | " + " | ".join(cells) + " |")
    return lines


if __name__ == "__main__":
    main()

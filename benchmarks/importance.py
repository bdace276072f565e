"""How well importance finds what a task needs, and what it costs.

    PRIVSTAMP_DATA=FOLDER python benchmarks/importance.py [--part squad|topics|speed]

Questions: SQuAD; `relevance` has weights that were fitted on every second article, so only the
others are reported on. Topics and stars: a classifier trained on full texts sees only the most
important words. Writes benchmarks/results/importance.json; scores that are equal keep reading
order, and everything random has a seed.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from privstamp.cli.demo import NOTE
from privstamp.errors import AssetError, MissingExtra
from privstamp.importance.passages import PassageReader, bm25, match, sentence_numbers
from privstamp.importance.task_match import stemmer
from privstamp.lab.evals.datasets import content, csv_rows
from privstamp.protocols import Space
from privstamp.registry import IMPORTANCE, SENSITIVITY, SPACES
from privstamp.types import UNKNOWN, Label, Units

RESULTS = Path(__file__).parent / "results" / "importance.json"
KEPT = 0.3
TAU = 0.7
DRAWS = 2000
METHODS: dict[str, tuple[str, dict[str, Any]]] = {
    "task-cosine": ("task-cosine", {}),
    "task-match": ("task-match", {}),
    "relevance": ("relevance", {}),
    "relevance, minilm": ("relevance", {"encoder": "minilm"}),
}
SLOW = {"saliency": ("saliency", {}), "attention": ("attention", {})}
SLOW_QUESTIONS = 30
Score = Callable[[Units, str], np.ndarray]


def data(name: str) -> Path:
    return Path(os.environ["PRIVSTAMP_DATA"]) / name


def build(space: Space, methods: dict[str, tuple[str, dict[str, Any]]]) -> dict[str, Score]:
    """Score functions by name; what is not installed here is left out, and said."""
    found: dict[str, Score] = {}
    for label, (name, options) in methods.items():
        try:
            part = IMPORTANCE.build(name, options, space=space)
        except (MissingExtra, AssetError) as error:
            print(f"left out: {label}: {error}")
            continue
        found[label] = lambda units, task, part=part: part.score([units], [task])[0].values
    return found


# Questions


def questions(space: Space) -> list[tuple[int, int, Units, str, np.ndarray]]:
    """Article, paragraph, its units, the question, and which units are the first answer."""
    rows, number = [], 0
    articles = json.loads(content(data("squad-dev-a.json.gz")))["data"]
    for index, article in enumerate(articles):
        for paragraph in article["paragraphs"]:
            units, number = space.split(paragraph["context"]), number + 1
            for asked in paragraph["qas"]:
                low = asked["answers"][0]["answer_start"]
                high = low + len(asked["answers"][0]["text"])
                answer = (units.ends > low) & (units.starts < high)
                if index % 2 and answer.any():
                    rows.append((index, number, units, asked["question"], answer))
    return rows


def auc(scores: np.ndarray, wanted: np.ndarray) -> float:
    """Chance that a wanted unit scores above another one; nan where there is nothing to tell."""
    others = np.sort(scores[~wanted])
    if not len(others) or not wanted.any():
        return float("nan")
    below = np.searchsorted(others, scores[wanted], side="left")
    upto = np.searchsorted(others, scores[wanted], side="right")
    return float((below + upto).mean() / (2 * len(others)))


def top(scores: np.ndarray, share: float) -> np.ndarray:
    mask = np.zeros(len(scores), dtype=bool)
    count = max(1, round(share * len(scores)))
    mask[np.argsort(-np.nan_to_num(scores, nan=-1), kind="stable")[:count]] = True
    return mask


def interval(differences: np.ndarray, clusters: np.ndarray) -> list[float]:
    """95 % bootstrap interval of a mean of pairs, whole paragraphs drawn together."""
    random = np.random.default_rng(0)
    fine = ~np.isnan(differences)
    _, which = np.unique(clusters[fine], return_inverse=True)
    sums = np.bincount(which, weights=differences[fine])
    sizes = np.bincount(which)
    drawn = random.integers(0, len(sizes), (DRAWS, len(sizes)))
    means = sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
    return [round(float(x), 4) for x in np.quantile(means, [0.025, 0.975])]


def squad(space: Space, limit: int) -> dict[str, Any]:
    rows = questions(space)
    rows = rows[:: max(1, len(rows) // limit)] if limit else rows
    reader, random = PassageReader(space, stemmer("en")), np.random.default_rng(0)

    def baseline(units: Units, task: str) -> np.ndarray:
        text = reader.read(units)
        return bm25(text, match(text, reader.read(space.split(task))))[text.sentence]

    methods: dict[str, Score] = {
        "random words": lambda units, _: random.random(len(units)),
        "BM25, stemmed": baseline,
        **build(space, METHODS),
    }
    few = rows[:: max(1, len(rows) // SLOW_QUESTIONS)]
    table = _measured(methods, rows)
    slow = build(space, SLOW)
    if slow:
        table["on a part"] = _measured({"BM25, stemmed": baseline, **slow}, few)
    table["spans"] = {name: spans(methods[name], rows) for name in ("task-match", "relevance")}
    return table


def _measured(methods: dict[str, Score], rows: list[Any]) -> dict[str, Any]:
    clusters = np.array([row[1] for row in rows])
    figures: dict[str, np.ndarray] = {}
    for name, score in methods.items():
        lines = []
        for _, _, units, task, answer in rows:
            values = np.nan_to_num(score(units, task), nan=-1)
            sentence = sentence_numbers(units)
            holds = np.isin(sentence, sentence[answer])
            lines.append([auc(values, holds), auc(values, answer), top(values, KEPT)[answer].all()])
        figures[name] = np.array(lines, dtype=float)
        print(f"{name:20}", np.nanmean(figures[name], axis=0).round(3), flush=True)
    base = figures["BM25, stemmed"]
    keys = ("answer sentence, AUC", "answer, AUC", "answers in the top 30 %")
    return {
        "questions": len(rows),
        "methods": {
            name: {
                key: {
                    "mean": round(float(np.nanmean(lines[:, column])), 4),
                    "less BM25, 95 %": interval(lines[:, column] - base[:, column], clusters),
                }
                for column, key in enumerate(keys)
            }
            for name, lines in figures.items()
        },
    }


def spans(score: Score, rows: list[Any]) -> dict[str, dict[str, float]]:
    """Capitalised runs as sensitive spans: which rule makes answers important at what cost."""
    counts = {rule: np.zeros(4) for rule in ("any", "mean")}
    for _, _, units, task, answer in rows[::4]:
        values = np.nan_to_num(score(units, task), nan=0)
        capital = units.labels & (Label.TITLE | Label.UPPER) != 0
        edges = np.flatnonzero(np.diff(np.concatenate([[0], capital, [0]])))
        for low, high in edges.reshape(-1, 2).tolist():
            if high - low < 2:
                continue
            wanted = bool(answer[low:high].all())
            for rule, value in (("any", values[low:high].max()), ("mean", values[low:high].mean())):
                place = 0 if wanted else 2
                counts[rule][place : place + 2] += (value >= TAU, 1)
    return {
        rule: {
            "answers important": round(found[0] / found[1], 3),
            "other spans important": round(found[2] / found[3], 3),
        }
        for rule, found in counts.items()
    }


# Topics and stars


def rows_of(name: str) -> list[tuple[str, str]]:
    rows = csv_rows(data(name), content(data(name)))[1:]
    return [(row[0], " ".join(row[1:]).replace("\\n", "\n")) for _, row in rows]


SETS = {
    "AG News": ("ag_news_train_12k.csv.gz", "ag_news_test_a.csv.gz", "topic-news",
                "Which topic is this news article about?", 10.0),
    "Yelp": ("yelp_train_15k.csv.gz", "yelp_balanced_a.csv.gz", "sentiment",
             "How many stars does this review give?", 1.0),
}  # fmt: skip


def topics(space: Space) -> dict[str, Any]:
    return {name: _classified(space, *rest) for name, rest in SETS.items()}


def _classified(
    space: Space, train: str, test: str, preset: str, task: str, strength: float
) -> dict[str, Any]:
    taught, asked = rows_of(train), rows_of(test)
    reads = TfidfVectorizer(sublinear_tf=True, min_df=2)
    model = LogisticRegression(C=strength, max_iter=1000)
    model.fit(reads.fit_transform([text for _, text in taught]), [label for label, _ in taught])
    labels = [label for label, _ in asked]
    full = model.score(reads.transform([text for _, text in asked]), labels)
    pages = [space.split(text) for _, text in asked]
    print(f"{train}: full text {full:.3f} on {len(asked)}", flush=True)
    random = np.random.default_rng(0)
    small = space.class_of == space.classes.index("function")

    def content(units: Units, _: str) -> np.ndarray:
        is_small = (units.rows != UNKNOWN) & small[units.rows]
        return random.random(len(units)) * ~is_small

    methods: dict[str, Score] = {
        "random words": lambda units, _: random.random(len(units)),
        "random words, no small ones": content,
        **build(
            space, {name: METHODS[name] for name in ("task-cosine", "task-match", "relevance")}
        ),
        **build(space, {f"task-match, {preset}": ("task-match", {"preset": preset})}),
    }
    for count in (50, 100, 200):
        for seed in (0, 1, 2):
            methods |= _learned(space, taught, count, seed)
    out: dict[str, list[list[float]]] = {}
    for name, score in methods.items():
        values = [score(units, task) for units in pages]
        found = [
            float(model.score(reads.transform(_left(pages, values, share)), labels))
            for share in (0.3, 0.1)
        ]
        out.setdefault(name.partition("#")[0], []).append(found)
        print(f"{name:32} 30 % {found[0]:.3f}  10 % {found[1]:.3f}", flush=True)
    return {
        "full text": round(full, 4),
        "test texts": len(asked),
        "kept": {
            name: dict(zip(("30 %", "10 %"), np.mean(v, axis=0).round(4).tolist(), strict=True))
            for name, v in out.items()
        },
    }


def _learned(
    space: Space, taught: list[tuple[str, str]], count: int, seed: int
) -> dict[str, Score]:
    """A method that learned from a few training texts; three draws are averaged."""
    chosen = np.random.default_rng(seed).choice(len(taught), count, replace=False)
    with NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as file:
        for index in chosen.tolist():
            label, text = taught[index]
            file.write(json.dumps({"text": text, "label": label}) + "\n")
        file.flush()
        options = {"examples": file.name}
        return build(space, {f"task-match, {count} examples#{seed}": ("task-match", options)})


def _left(pages: list[Units], values: list[np.ndarray], share: float) -> list[str]:
    kept = []
    for units, scores in zip(pages, values, strict=True):
        surfaces = units.surfaces()
        kept.append(" ".join(surfaces[i] for i in np.flatnonzero(top(scores, share)).tolist()))
    return kept


# Speed

LINES: dict[str, tuple[dict[str, Any], str]] = {
    "`lexicon` + `rules`, `task-match`": (
        {"parts": ["rules", "lexicon"], "consistency": False},
        "task-match",
    ),
    "the same and the recogniser (`presidio`), `task-match`": (
        {"parts": ["presidio", "lexicon"]},
        "task-match",
    ),
    "`lexicon` + `rules`, `relevance` with `minilm`": (
        {"parts": ["rules", "lexicon"]},
        "relevance, minilm",
    ),
}
"""Both oracles of a policy: what finds, and what scores."""
TASK = "What was prescribed, and by whom?"


def speed(space: Space) -> dict[str, Any]:
    """Medians of processor time, one thread, on the note of the demo made 180 words long."""
    words = NOTE.split()
    text = " ".join((words * (180 // len(words) + 1))[:180])
    units = space.split(text)
    methods = build(space, {**METHODS, **SLOW})
    lines: dict[str, Score] = {}
    for name, (options, method) in LINES.items():
        part = SENSITIVITY.build("union", options)

        def line(units: Units, task: str, part=part, method=method) -> np.ndarray:
            part.find([units])
            return methods[method](units, task)

        if method in methods:
            lines[name] = line
    found = {
        kind: {name: timed(score, units) for name, score in many.items()}
        for kind, many in (("ms", methods), ("lines", lines))
    }
    for name, ms in (found["ms"] | found["lines"]).items():
        print(f"{name:60} {ms:8.2f} ms per {len(text.split())} words")
    return {"words": len(text.split()), **found}


def timed(score: Score, units: Units) -> float:
    times = []
    for _ in range(16):
        started = time.process_time()
        score(units, TASK)
        times.append(1000 * (time.process_time() - started))
    return round(statistics.median(times[1:]), 2)


# The tables of docs/guides/importance.md

PLAIN = ("random words", "BM25, stemmed")
"""Rows without a difference to BM25."""


def short(value: float, sign: str = "") -> str:
    return f"{value:{sign}.3f}".replace("0.", ".", 1)


def squad_table(part: dict[str, Any]) -> list[str]:
    lines = [
        "| method | answer's sentence, AUC | answer, AUC | answers in the upper 30 % |",
        "|---|---|---|---|",
    ]
    for name, measures in part["methods"].items():
        cells = []
        for one in measures.values():
            low, high = (short(x, "+") for x in one["less BM25, 95 %"])
            cells.append(short(one["mean"]) + ("" if name in PLAIN else f" ({low} to {high})"))
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return lines


def topics_table(results: dict[str, Any]) -> list[str]:
    news, stars = results["AG News"], results["Yelp"]
    sizes = f"{news['test texts']:,} and {stars['test texts']:,} texts"
    full = f"{short(news['full text'])} | | {short(stars['full text'])} | |"
    lines = ["| kept words | AG News, 30 % | 10 % | Yelp, 30 % | 10 % |", "|---|---|---|---|---|"]
    lines.append(f"| full text ({sizes}) | {full}")
    pairs = zip(news["kept"].items(), stars["kept"].items(), strict=True)
    for (name, first), (other, second) in pairs:
        if name != other:
            presets = (one.removeprefix("task-match, ") for one in (name, other))
            name = "`task-match`, preset " + " / ".join(f"`{one}`" for one in presets)
        cells = [short(x) for x in (*first.values(), *second.values())]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return lines


def spans_table(results: dict[str, Any]) -> list[str]:
    lines = ["| method | rule | spans inside the answer | other spans |", "|---|---|---|---|"]
    for name, rules in results.items():
        for rule, one in rules.items():
            lines.append(f"| `{name}` | {rule} | " + " | ".join(map(short, one.values())) + " |")
    return lines


def speed_table(results: dict[str, Any]) -> list[str]:
    lines = [f"| sensitivity, importance | ms per {results['words']} words |", "|---|---|"]
    return lines + [f"| {name} | {ms:.1f} |" for name, ms in results["lines"].items()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--part", choices=("squad", "topics", "speed"))
    parser.add_argument("--questions", type=int, default=0, help="about how many; 0: all")
    chosen = parser.parse_args()
    space = SPACES.build("glove", {})
    measured: dict[str, Any] = {}
    if chosen.part in (None, "squad"):
        measured["squad"] = squad(space, chosen.questions)
    if chosen.part in (None, "topics"):
        measured["topics"] = topics(space)
    if chosen.part in (None, "speed"):
        measured["speed"] = speed(space)
    results = json.loads(RESULTS.read_text()) if RESULTS.is_file() else {}
    results |= measured
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

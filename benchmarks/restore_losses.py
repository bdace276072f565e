"""What surrogates and restoring cost a reader who makes no mistakes, and why.

    PRIVSTAMP_DATA=FOLDER python benchmarks/restore_losses.py [--paragraphs 100] [--write NAME]

Only what is sensitive is changed, by surrogates, in SQuAD's development set (the folder holds
`squad-dev-a.json.gz`) and in our own invented passages, with the default detector. Where the answer
stands in the text is known, so what a perfect reader would copy from the release is known too: it
is restored and scored against the true answers. That is the most that any reader can reach. What
is lost is counted by cause, and so are questions that lost touch with the text: a word that both
share is something else in one of them. `unchanged` is the share of replaced units that came out as
they were: by chance, since a draw is blind. Every second article and passage chose the rules; the
others are reported as `unseen`. Prints numbers only. `--write NAME` stores them under a name in
benchmarks/results/restore_losses.json.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import os
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from privstamp import Budget, Policy, Privatizer
from privstamp.lab.evals import fantasy
from privstamp.lab.evals.answers import token_f1
from privstamp.policy import Part
from privstamp.release.document import Document, Written
from privstamp.release.groups import NO_SPAN
from privstamp.result import Failure
from privstamp.spaces.wordlists import FUNCTION_WORDS
from privstamp.types import Kind, Label

RESULTS = Path(__file__).parent / "results" / "restore_losses.json"
QUESTIONS = 5
BATCH = 200
NUMBERS = (Kind.NUMBER, Kind.ORDINAL, Kind.CODE)
POLICY = Policy(
    extends="stamp",
    groups={"1": Part(name="surrogate"), "2": Part(name="surrogate")},
    budget=Budget.of([0, 0, math.inf, math.inf]),
)


@dataclass(frozen=True)
class Item:
    """A question, and where in the text its answers stand."""

    text: str
    question: str
    answers: tuple[str, ...]
    places: tuple[tuple[int, int], ...]


def squad(paragraphs: int, rest: int) -> list[Item]:
    """Questions of some paragraphs, spread over every second article."""
    with gzip.open(Path(os.environ["PRIVSTAMP_DATA"]) / "squad-dev-a.json.gz", "rt") as file:
        articles = json.load(file)["data"][rest::2]
    found = [paragraph for article in articles for paragraph in article["paragraphs"]]
    return [
        Item(
            one["context"],
            asked["question"],
            tuple(answer["text"] for answer in asked["answers"]),
            tuple(
                (answer["answer_start"], answer["answer_start"] + len(answer["text"]))
                for answer in asked["answers"]
            ),
        )
        for one in found[:: max(1, len(found) // paragraphs)][:paragraphs]
        for asked in one["qas"][:QUESTIONS]
    ]


def invented(paragraphs: int, rest: int) -> list[Item]:
    """Questions of every second passage of our own."""
    return [
        Item(
            passage.text,
            asked.question,
            asked.answers,
            tuple(p for answer in asked.answers for p in fantasy.find(passage.text, answer)),
        )
        for passage in fantasy.load()[rest::2][:paragraphs]
        for asked in passage.questions
    ]


class Read:
    """One released document as a perfect reader sees it."""

    def __init__(self, document: Written) -> None:
        self.document, self.trace = document, document.result.trace
        units, surfaces = self.trace.units, self.trace.surfaces
        self.at: list[tuple[int, int]] = []  # where each unit of the text stands in the release
        length = done = index = 0
        while index < len(units):
            last = index
            while last + 1 < len(units) and not surfaces[last + 1]:
                last += 1
            length += int(units.starts[index]) - done
            self.at += [(length, length + len(surfaces[index]))] * (last + 1 - index)
            length += len(surfaces[index])
            done, index = int(units.ends[last]), last + 1
        self.known: dict[str, str] = {}
        for entry in document.result.map.entries:
            if " " not in entry.original:
                self.known.setdefault(entry.original.casefold(), entry.surrogate.casefold())

        hidden = [i for i in range(len(units)) if document.epsilon[i] == 0 and self.same(i)]
        self.stay = {units.surface(i).casefold().removesuffix("'s") for i in hidden}

    def copied(self, start: int, end: int) -> str:
        """What stands in the release for a stretch of the text."""
        units, text = self.trace.units, self.document.result.text
        touched = self.touched(start, end)
        if not touched:
            return self.document.text[start:end]
        first, last = touched[0], touched[-1]
        left, right = self.at[first][0], self.at[last][1]
        before, after = start - int(units.starts[first]), int(units.ends[last]) - end
        if before > 0 and self.same(first):
            left += before
        possessive = units.labels[last] & Label.POSSESSIVE and after == 2
        if after > 0 and (self.same(last) or possessive):
            right -= after
        return text[left:right]

    def touched(self, start: int, end: int) -> list[int]:
        units = self.trace.units
        return [i for i in range(len(units)) if units.starts[i] < end and units.ends[i] > start]

    def same(self, index: int) -> bool:
        return self.trace.surfaces[index] == self.trace.units.surface(index)

    def lost(self, start: int, end: int) -> str:
        """Why an answer does not come back."""
        touched, units = self.touched(start, end), self.trace.units
        spans = self.trace.grouping.spans
        for edge, beyond in ((touched[0], -1), (touched[-1], 1)):
            other = edge + beyond
            joined = 0 <= other < len(units) and spans[other] == spans[edge] != NO_SPAN
            if joined and self.at[other] == self.at[edge]:
                return "part of a span"
        edges = units.starts[touched[0]] < start, units.ends[touched[-1]] > end
        if any(edges) and not (self.same(touched[0]) and self.same(touched[-1])):
            return "part of a unit"
        back = [self.document.result.restore(self.trace.surfaces[i]) for i in touched]
        pairs = zip(touched, back, strict=True)
        wrong = {int(units.kinds[i]) for i, word in pairs if word != units.surface(i)}
        if wrong & set(NUMBERS):
            return "number"
        return "initial" if int(Kind.WORD) in wrong else "symbol"

    def touch(self) -> set[str]:
        """How the question lost touch with the text, by the words that both hold."""
        units, split = self.document.units, len(self.trace.units)
        words = [units.surface(i).casefold().removesuffix("'s") for i in range(len(units))]
        places: dict[str, list[int]] = {}
        for index, word in enumerate(words[:split]):
            places.setdefault(word, []).append(index)
        found = set()
        for index in range(split, len(units)):
            word = words[index]
            if word in FUNCTION_WORDS or not word[0].isalnum() or word not in places:
                continue
            mine, theirs = self.became(index, word), {self.became(i, word) for i in places[word]}
            if mine not in theirs:
                kept = mine == word, theirs == {word}
                found.add({(True, False): "kept", (False, True): "replaced"}.get(kept, "two ways"))
        return found

    def became(self, index: int, word: str) -> str:
        """A unit in the release: every word has one string in a document, or stays in a name."""
        if self.document.epsilon[index] > 0:
            return word
        if index < len(self.trace.units):
            return word if self.same(index) else self.known.get(word, "?")
        return self.known.get(word, word if word in self.stay else "?")

    def rare(self) -> bool:
        """Whether an ordinary word of the question, in lower case, became another one."""
        document = self.document
        for index in range(len(self.trace.units), len(document.units)):
            span = document.grouping.spans[index]
            lower = span != NO_SPAN and document.units.surface(index).islower()
            if lower and document.grouping.findings[int(span)].source == "lexicon":
                return bool(document.epsilon[index] == 0)
        return False


def measure(made: Privatizer, items: list[Item]) -> dict[str, object]:
    """The most that a reader can reach, what is lost by cause, and touch that is lost."""
    total = whole = 0.0
    lost: Counter[str] = Counter()
    points: Counter[str] = Counter()
    touch: Counter[str] = Counter()
    replaced = unchanged = 0
    for start in range(0, len(items), BATCH):
        batch = items[start : start + BATCH]
        documents = [Document(i, one.text, one.question) for i, one in enumerate(batch)]
        for item, document in zip(batch, made.run(documents, trace=True), strict=True):
            if isinstance(document, Failure):
                raise document.error
            read = Read(document)
            scored = []
            for place in dict.fromkeys(item.places):
                back = document.result.restore(read.copied(*place))
                scored.append((token_f1(back, item.answers), place))
            score, place = max(scored)
            total, whole = total + score, whole + (score == 1)
            if score < 1:
                why = read.lost(*place)
                lost[why] += 1
                points[why] += 1 - score
            hidden = [i for i in range(len(read.trace.units)) if read.trace.epsilon[i] == 0]
            replaced, unchanged = replaced + len(hidden), unchanged + sum(map(read.same, hidden))
            touch.update(read.touch())
            touch["any"] += bool(read.touch())
            touch["rare word"] += read.rare()
    size = len(items)
    return {
        "questions": size,
        "f1": round(total / size, 4),
        "exact": round(whole / size, 4),
        "lost": dict(sorted(lost.items())),
        "points": {why: round(value / size, 4) for why, value in sorted(points.items())},
        "touch": dict(sorted(touch.items())),
        "unchanged": round(unchanged / replaced, 4),
    }


CAUSES = ("number", "initial", "part of a span", "part of a unit", "symbol")


def table(stored: dict[str, dict[str, dict]]) -> list[str]:
    """Lines of Markdown: one per set of questions and stored run."""
    lines = [
        f"| questions | | F1 | {' | '.join(CAUSES)} | lost touch | rare word | unchanged |",
        "|---|---|---|" + "---|" * (len(CAUSES) + 3),
    ]
    for name in stored["after"]:
        for run in ("before", "after"):
            one = stored[run][name]
            lost = " | ".join(str(one["lost"].get(why, 0)) for why in CAUSES)
            touch = f"{one['touch']['any']} | {one['touch']['rare word']}"
            head = f"| {one['questions']} of {name} | {run} | {one['f1']:.3f}"
            lines.append(f"{head} | {lost} | {touch} | {one['unchanged']:.3f} |")
    return lines


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--paragraphs", type=int, default=100)
    asked.add_argument("--write")
    given = asked.parse_args()
    made = Privatizer(POLICY, seed=1)
    found = {
        f"{name}, {part}": measure(made, read(given.paragraphs, rest))
        for name, read in (("squad", squad), ("fantasy", invented))
        for rest, part in ((0, "chosen on"), (1, "unseen"))
    }
    if given.write:
        stored = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
        stored[given.write] = found
        RESULTS.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")
        if {"before", "after"} <= stored.keys():
            print("\n".join(table(stored)))
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()

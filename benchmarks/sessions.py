"""What a perfect reader gets back in conversations of ten turns over the shipped passages.

    python benchmarks/sessions.py [--chats 12] [--seed 1]

Every turn sends a passage and its questions under the default preset, with the whole history. Where
an answer stands in the text is known, and so is what stands there in the release: a reader that
makes no mistakes copies it. After the tenth turn the session restores all of them, and they are
scored against the true answers. Prints F1, surrogates that cannot be put back, and time; then how
well two sessions about one person are linked by their surrogates alone.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from difflib import SequenceMatcher
from statistics import fmean, median

from privstamp import Privatizer
from privstamp.lab.evals import fantasy
from privstamp.lab.evals.answers import token_f1
from privstamp.mechanisms._pools import pools
from privstamp.restore.exact import Exact
from privstamp.sessions import Session

TURNS, PEOPLE = 10, 1000


def copied(release: str, exact: Exact, start: int, end: int) -> str:
    """What stands in the release for a stretch of the text."""
    edits = exact.layers[0] if exact.layers else ()
    shift = 0  # from places of the release to those of the text
    left, right = None, None
    for first, last, was in edits:
        before, after = first + shift, first + shift + len(was)
        if left is None and start < after:
            left = first if start >= before else start - shift
        if right is None and end <= after:
            right = last if end > before else end - shift
        shift += len(was) - (last - first)
    left = start - shift if left is None else left
    right = end - shift if right is None else right
    return release[left:right]


def ask(chat: Session, passages: Sequence[fantasy.Passage]) -> tuple[list[float], list[float]]:
    """F1 of every question once all was sent, and the seconds of every turn."""
    history: list[dict[str, str]] = []
    seconds: list[float] = []
    sent: list[tuple[fantasy.Passage, str, Exact]] = []
    for passage in passages:
        asked = " ".join(question.question for question in passage.questions)
        history.append({"role": "user", "content": f"{passage.text}\n\n{asked}"})
        began = time.process_time()
        release = chat.privatize(history).text
        seconds.append(time.process_time() - began)
        *_, exact = chat.map.releases
        assert isinstance(exact, Exact)
        sent.append((passage, release, exact))
        history.append({"role": "assistant", "content": chat.reply(release[:200])})
    scores = []
    for passage, release, exact in sent:
        for question in passage.questions:
            places = [p for answer in question.answers for p in fantasy.find(passage.text, answer)]
            answers = (chat.restore(copied(release, exact, *place)) for place in places)
            scores.append(max(token_f1(answer, question.answers) for answer in answers))
    return scores, seconds


def linked(people: int) -> float:
    """How well two sessions are linked by their surrogates: of the surrogates of one person and of
    two people, how often the former are more alike; .5 is chance."""
    given, family = pools().given, pools().family
    line = Privatizer()  # fresh keys, as deployed
    pairs = []
    for number in range(people):
        name = f"{given[number * 7 % len(given)]} {family[number * 11 % len(family)]}"
        text = f"My name is {name}."
        pairs.append([line.session().privatize(text).text[11:-1] for _ in range(2)])
    same = [_alike(first, second) for first, second in pairs]
    other = [_alike(pairs[n - 1][0], second) for n, (_, second) in enumerate(pairs)]
    wins = sum((a > b) + (a == b) / 2 for a in same for b in other)
    return wins / (len(same) * len(other))


def _alike(first: str, second: str) -> float:
    return SequenceMatcher(None, first.lower(), second.lower()).ratio()


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--chats", type=int, default=12)
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args()
    passages = fantasy.load()
    line = Privatizer(seed=given.seed)
    scores: list[float] = []
    seconds: list[list[float]] = []
    surrogates = left_out = 0
    for number in range(min(given.chats, len(passages) // TURNS)):
        chat = line.session()
        answers, times = ask(chat, passages[number * TURNS : (number + 1) * TURNS])
        scores += answers
        seconds.append(times)
        surrogates, left_out = surrogates + len(chat.map), left_out + chat.map.left_out
    figures = {
        "conversations": len(seconds),
        "questions": len(scores),
        "f1": round(fmean(scores), 4),
        "surrogates": surrogates,
        "left out": left_out,
        "time of turn 10 / turn 2": round(
            median(times[-1] for times in seconds) / median(times[1] for times in seconds), 2
        ),
        "linked by surrogates, AUC": round(linked(PEOPLE), 3),
    }
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()

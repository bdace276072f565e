"""Everything that docs/concepts/sessions.md says was measured, row by row.

    python benchmarks/sessions.py [--only chats resent ...] [--write]

    chats     ten-turn chats over the shipped passages, default preset, a reader that makes no
              mistakes: what it copies is restored after the last turn and scored; every reply in
              two pieces, at every split
    linked    two sessions about one person, by their surrogates alone
    resent    a 50-turn chat in a store, sent again 1,000 times; beside it fresh noise
    edited    1,000 resends, each with one random word changed, guessed by Bayes' rule from all
              draws; beside it as many fresh releases as redraws
    listed    replies that list 1,000 names every turn: sent back unchanged, and edited
    speed     turns 48 to 52 against turns 2 to 6 of as long texts, in memory and in a store
    long      a history of 10,000 messages in memory: what is read again, and what it takes
    spent     four processes, 500 spends each, limit 1,500; 200 SIGKILLs while spending and 50
              inside of whole sessions; on each store
    planted   200 strings looked for in all files of a store; after forgetting, its wrapped keys

`--write` keeps the figures in benchmarks/results/sessions.json, those of the rows that ran. The
rows on PostgreSQL start a server of their own (tests/sessions/postgres_server.py).
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from difflib import SequenceMatcher
from pathlib import Path
from statistics import fmean, median
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "sessions"))
from postgres_server import Server
from spender import MASTER, WHO, spend

from privstamp import Privatizer
from privstamp.lab.audit.recovery import Guesser
from privstamp.lab.audit.repeats import DrawnWord, fresh, listed, recovered, resent
from privstamp.lab.estimate import Estimate
from privstamp.lab.evals import fantasy
from privstamp.lab.evals.answers import token_f1
from privstamp.mechanisms.wordlists import pools
from privstamp.policy import Policy
from privstamp.restore.entry import Undo
from privstamp.sessions import Session
from privstamp.sessions.ledger import Ledger, millionths
from privstamp.sessions.store import open_store
from privstamp.sessions.stretches import REDRAWS
from privstamp.sessions.vault import Vault

RESULTS = Path(__file__).parent / "results" / "sessions.json"
TURNS, PEOPLE, CHATS = 10, 1000, 12
CHANCE = random.Random(1)  # noqa: S311  (which word is edited, when a process is ended)
FORK = multiprocessing.get_context("fork")


def user(text: str) -> dict[str, str]:
    return {"role": "user", "content": text}


def share(hits: Sequence[bool]) -> dict[str, Any]:
    estimate = Estimate.share(sum(hits), len(hits))
    return {"share": round(fmean(hits), 4), "low": round(estimate.low, 4),
            "high": round(estimate.high, 4), "of": len(hits)}  # fmt: skip


def copied(release: str, exact: Undo, start: int, end: int) -> str:
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
    sent: list[tuple[fantasy.Passage, str, Undo]] = []
    for passage in passages:
        asked = " ".join(question.question for question in passage.questions)
        history.append({"role": "user", "content": f"{passage.text}\n\n{asked}"})
        began = time.process_time()
        release = chat.privatize(history).text
        seconds.append(time.process_time() - began)
        *_, exact = chat.map.releases
        assert isinstance(exact, Undo)
        sent.append((passage, release, exact))
        history.append({"role": "assistant", "content": chat.restore(release[:200])})
    scores = []
    for passage, release, exact in sent:
        for question in passage.questions:
            places = [p for answer in question.answers for p in fantasy.find(passage.text, answer)]
            answers = (chat.restore(copied(release, exact, *place)) for place in places)
            scores.append(max(token_f1(answer, question.answers) for answer in answers))
    return scores, seconds


def splits(chat: Session, reply: str) -> int:
    """Splits in two at which the stream gives another text than the whole."""
    whole = chat.map.restore(reply)
    wrong = 0
    for at in range(len(reply) + 1):
        stream = chat.map.stream()
        pieces = stream.feed(reply[:at]) + stream.feed(reply[at:]) + stream.finish()
        wrong += pieces != whole
    return wrong


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


def chats() -> dict[str, Any]:
    passages, line = fantasy.load(), Privatizer(seed=1)
    scores: list[float] = []
    surrogates = left_out = tried = wrong = 0
    for number in range(CHATS):
        chat = line.session()
        answers, _ = ask(chat, passages[number * TURNS : (number + 1) * TURNS])
        scores += answers
        surrogates, left_out = surrogates + len(chat.map), left_out + chat.map.left_out
        reply = chat.privatize(passages[number * TURNS].text).text[:600]
        tried, wrong = tried + len(reply) + 1, wrong + splits(chat, reply)
    return {"conversations": CHATS, "questions": len(scores), "f1": round(fmean(scores), 4),
            "surrogates": surrogates, "left out": left_out, "splits": tried,
            "splits that differ": wrong}  # fmt: skip


def sentences() -> Iterator[str]:
    """Of the shipped passages, one after the other."""
    for passage in fantasy.load():
        yield from (part.strip() + "." for part in passage.text.split(". ") if len(part) > 40)


def conversation(chat: Session, turns: int) -> tuple[list[dict[str, str]], list[float]]:
    """A chat of many turns: what the client holds, and the seconds of every turn."""
    history, seconds = [], []
    texts = [text for _, text in zip(range(46), sentences(), strict=False)]  # then again: as long
    for turn in range(turns):
        history.append(user(f"Point {turn + 10}. {texts[turn % len(texts)]}"))
        began = time.process_time()
        sent = chat.privatize(history)
        answer = chat.restore(sent.text[:150])
        seconds.append(time.process_time() - began)
        history.append({"role": "assistant", "content": answer})
    return history, seconds


def released(line: Privatizer, text: str, times: int) -> dict[int, list[DrawnWord]]:
    return fresh([line.privatize(text, trace=True) for _ in range(times)], line.parts)


def resends() -> dict[str, Any]:
    line = Privatizer(Policy.preset("readable"))
    with tempfile.TemporaryDirectory() as folder:
        store = f"{folder}/sessions.db"
        with line.open_session("a", store=store, principal="p", key=MASTER) as chat:
            history, _ = conversation(chat, 50)
            history = history[:-1]
            first = chat.privatize(history).messages
            again = [chat.privatize(history) for _ in range(1000)]
            same = sum(sent.messages == first for sent in again)
            charged = sum(sum(sent.charges.values()) for sent in again)
    texts = [message["content"] for message in history if message["role"] == "user"]
    guesser = Guesser(line.parts)
    curve = {}
    for times in (1, 2, 5, 10, 20):
        hits = [
            hit for text in texts[:10] for hit in recovered(guesser, released(line, text, times))
        ]
        curve[times] = share(hits)
    return {"messages": len(history), "resends": len(again), "byte-identical": same,
            "charged after the first": charged, "recovered from fresh releases": curve}  # fmt: skip


def edits() -> dict[str, Any]:
    line = Privatizer(Policy.preset("readable"))
    guesser = Guesser(line.parts)
    texts = [passage.text[:600].rpartition(" ")[0] for passage in fantasy.load()[:2]]
    draws: list[int] = []
    hits: list[bool] = []
    base: list[bool] = []
    for text in texts:
        words = resent(line, text, 1000, CHANCE)
        draws += [len(seen) for seen in words.values()]
        hits += recovered(guesser, words)
        for _ in range(20):
            base += recovered(guesser, released(line, text, REDRAWS))
    return {"resends": 1000, "texts": len(texts), "draws of a word": round(fmean(draws), 2),
            "most draws of a word": max(draws), "recovered": share(hits),
            f"recovered from {REDRAWS} fresh releases": share(base)}  # fmt: skip


def people(count: int) -> list[str]:
    given, family = pools().given, pools().family
    return [f"{given[n * 7 % len(given)]} {family[n * 11 % len(family)]}" for n in range(count)]


def lists() -> dict[str, Any]:
    line, names = Privatizer(), people(PEOPLE)
    unchanged = listed(line, names, range(0, PEOPLE, 10), each=PEOPLE, edits=False)
    edited = listed(line, names, range(0, PEOPLE, 50), each=50, edits=True)
    whole = listed(line, names, range(0, PEOPLE, 50), each=PEOPLE, edits=True)
    return {name: listing._asdict() | {"share": listing.found / listing.of, "names": PEOPLE}
            for name, listing in (("unchanged", unchanged), ("edited, 50 a turn", edited),
                                  ("edited, all in one", whole))}  # fmt: skip


class Counting:
    """A detector that counts the characters it is shown."""

    def __init__(self, part: Any) -> None:
        self._part, self.shown = part, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._part, name)

    def find(self, batch: Any) -> Any:
        self.shown += sum(len(page.text) for page in batch)
        return self._part.find(batch)


def speed() -> dict[str, Any]:
    figures: dict[str, Any] = {}
    for preset in ("selective", "readable"):
        line = Privatizer(Policy.preset(preset))
        conversation(line.session(), 3)  # warm
        with tempfile.TemporaryDirectory() as folder:
            late: dict[str, list[tuple[float, float]]] = {"memory": [], "store": []}
            for number in range(3):
                lasting = line.open_session(
                    str(number), store=f"{folder}/s.db", principal="p", key=MASTER
                )
                for place, chat in (("memory", line.session()), ("store", lasting)):
                    _, seconds = conversation(chat, 52)
                    late[place].append((fmean(seconds[1:6]), fmean(seconds[47:52])))
                lasting.close()
        for place, pairs in late.items():
            ratio = median(after / before for before, after in pairs)
            figures[f"turn 50 / turn 2, {preset}, {place}"] = round(ratio, 2)
    return figures


def long(count: int = 10_000) -> dict[str, Any]:
    """A long history in one session: what is read of it, what it holds, and how long a turn is."""
    built = Privatizer()
    detector = Counting(built.parts.sensitivity)
    line = Privatizer(Policy(), parts=replace(built.parts, sensitivity=detector))
    texts = list(sentences())
    history = [user(f"Note {n}. {texts[n % len(texts)][:80]}") for n in range(count)]
    chat, memory, seconds = line.session(), [_memory()], []
    for end in range(1000, count + 1, 1000):
        chat.privatize(history[:end])
        memory.append(_memory())
    before = detector.shown
    for number in range(5):
        history.append(user(f"Last note {number}."))
        began = time.process_time()
        chat.privatize(history)
        seconds.append(time.process_time() - began)
    half = count // 2000
    return {
        "messages": count,
        "characters of five more, and of them read": [5 * len("Last note 0."),
                                                      detector.shown - before],
        "MB of the first half, and of the second": [round(memory[half] - memory[0]),
                                                    round(memory[-1] - memory[half])],
        "seconds of a turn with all of them": round(median(seconds), 3),
    }  # fmt: skip


def _memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


@contextmanager
def stores() -> Iterator[dict[str, Callable[[], str]]]:
    """Makes the places of new stores, of each kind."""
    with tempfile.TemporaryDirectory() as folder:
        server, numbers = Server.start(), iter(range(1000))
        try:
            yield {"SQLite": lambda: f"{folder}/{next(numbers)}.db", "PostgreSQL": server.fresh}
        finally:
            server.stop()


def spends() -> dict[str, Any]:
    with stores() as places:
        return {kind: _granted(place()) | _killed(place()) | _killed_inside(place())
                for kind, place in places.items()}  # fmt: skip


def _limited(place: str, most: int) -> tuple[Vault, Ledger]:
    vault = Vault(open_store(place), MASTER)
    ledger = Ledger(vault)
    with vault.store.writing() as entries:
        ledger.limit(entries, WHO, "nats", millionths(most))
    return vault, ledger


def _granted(place: str) -> dict[str, int]:
    _limited(place, 1500)
    with tempfile.TemporaryDirectory() as folder:
        logs = [Path(folder, str(n)) for n in range(4)]
        processes = [FORK.Process(target=spend, args=(place, 500 * n, 500 * n + 500, log))
                     for n, log in enumerate(logs)]  # fmt: skip
        for process in processes:
            process.start()
        for process in processes:
            process.join()
        granted = sum(len(log.read_text().split()) for log in logs)
    return {"asked": 2000, "limit": 1500, "granted": granted}


def _killed(place: str, kills: int = 200) -> dict[str, int]:
    asked = 60 * kills  # more than they get to, however fast the machine is
    vault, ledger = _limited(place, asked - 10)
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "log")
        log.touch()

        def released() -> set[int]:
            return {int(row) for row in log.read_text().splitlines()}

        hit = 0
        for _ in range(kills):
            last = max(released(), default=-1)
            process = FORK.Process(target=spend, args=(place, max(0, last - 2), asked, log))
            process.start()
            while process.is_alive() and max(released(), default=-1) == last:
                time.sleep(0.001)
            time.sleep(CHANCE.uniform(0, 0.01))
            process.kill()
            process.join()
            hit += process.exitcode == -9
        with vault.store.reading() as entries:
            charges = {int.from_bytes(key[16:], "big") for key, _ in entries.items("charge")}
            spent = ledger.spent(entries, WHO)["nats"]
        uncharged = len(released() - charges)
        again = FORK.Process(target=spend, args=(place, 0, asked, log))
        again.start()
        again.join()
        with vault.store.reading() as entries:
            after = ledger.spent(entries, WHO)["nats"]
    return {"kills": hit, "released without a charge": uncharged,
            "charged twice": spent // 10**6 - len(charges),
            "over the limit": max(0, after // 10**6 - (asked - 10))}  # fmt: skip


def _killed_inside(place: str, kills: int = 50) -> dict[str, int]:
    """Whole sessions under `readable`, ended at random while turns are made and written."""
    line = Privatizer(Policy.preset("readable"))
    texts = [text for _, text in zip(range(600), sentences(), strict=False)]
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "log")
        log.touch()

        def opened() -> Any:
            return line.open_session("a", store=place, principal="p", key=MASTER)

        def talk(start: int) -> None:
            chat = opened()
            with log.open("a") as releases:
                for number in range(start, len(texts)):
                    text = chat.privatize(texts[number]).text
                    releases.write(json.dumps([number, text]) + "\n")
                    releases.flush()
                    os.fsync(releases.fileno())

        def released() -> list[Any]:
            rows = log.read_text().split("\n")[:-1]
            return [json.loads(row) for row in rows]

        hit = 0
        for _ in range(kills):
            last = max((number for number, _ in released()), default=-1)
            process = FORK.Process(target=talk, args=(max(0, last - 1),))  # two are retries
            process.start()
            while process.is_alive() and max((n for n, _ in released()), default=-1) == last:
                time.sleep(0.002)
            time.sleep(CHANCE.uniform(0, 0.03))
            process.kill()
            process.join()
            hit += process.exitcode == -9
        chat = opened()
        rows, other, paid = released(), 0, 0
        for number, text in rows:
            sent = chat.privatize(texts[number])
            other += sent.text != text
            paid += sum(sent.charges.values())
        chat.close()
    return {"sessions killed": hit, "releases in them": len(rows), "other bytes on a retry": other,
            "charged on a retry": paid}  # fmt: skip


def planted() -> dict[str, Any]:
    """Names of people as text, id, principal and reply; files of the store and temporary ones."""
    words = [f"Zq{os.urandom(5).hex()}" for _ in range(200)]
    built = Privatizer()
    line = Privatizer(Policy.of({"deny": words}), parts=built.parts)
    figures: dict[str, Any] = {}
    server = Server.start()
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as temporary:
        os.environ["SQLITE_TMPDIR"] = temporary
        for kind, place, data in (
            ("SQLite", f"{folder}/s.db", [Path(folder), Path(temporary)]),
            ("PostgreSQL", server.fresh(), [server.data.parent]),
        ):
            chat = line.open_session(words[0], store=place, principal=words[1], key=MASTER)
            history = []
            for start in range(0, 200, 20):
                history += [user(f"We met {name}.") for name in words[start : start + 20]]
                sent = chat.privatize(history)
                history.append({"role": "assistant", "content": chat.restore(f"{sent.text} Yes.")})
            with open_store(place).reading() as entries:
                keys = [value for _, value in entries.items("keys")]
            strings = [
                form
                for word in words
                for form in (word.encode(), word.lower().encode(), word.encode("utf-16-le"))
            ]
            there = _traces(data, strings), _traces(data, keys)
            chat.forget()
            figures[kind] = {
                "strings": there[0] + _traces(data, strings),
                "wrapped keys before": there[1],
                "wrapped keys after forgetting": _traces(data, keys, leave="pg_wal"),
                "wrapped keys in the server's log": _traces(
                    [d / "data/pg_wal" for d in data], keys
                ),
            }
    server.stop()
    return figures


def _traces(folders: Sequence[Path], strings: Sequence[bytes], leave: str = "-") -> int:
    files = [file for folder in folders for file in folder.rglob("*") if file.is_file()]
    contents = [file.read_bytes() for file in files if leave not in file.parts]
    return sum(any(text in content for content in contents) for text in strings)


ROWS: dict[str, Callable[[], dict[str, Any]]] = {
    "chats": chats,
    "linked": lambda: {"people": PEOPLE, "auc": round(linked(PEOPLE), 3)},
    "resent": resends,
    "edited": edits,
    "listed": lists,
    "speed": speed,
    "long": long,
    "spent": spends,
    "planted": planted,
}


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--only", nargs="+", choices=ROWS, default=list(ROWS))
    asked.add_argument("--write", action="store_true")
    given = asked.parse_args()
    figures = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    for name in given.only:
        figures[name] = ROWS[name]()
        print(json.dumps({name: figures[name]}, indent=1), flush=True)
        if given.write:
            figures["command"] = "python benchmarks/sessions.py --write"
            RESULTS.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

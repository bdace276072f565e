"""What repeated releases tell: of one text, and of a text that was edited.

Averaging: the attacker sees m releases and takes for every word the likeliest one by Bayes' rule,
with the public frequency as prior. With noise derived from a secret and the content, a repeat is
the same release and must gain nothing: there the output seen most often is his guess.
Reuse: an edited text is a second release, even under the same secret. Its words come out like those
of the first more often than by chance only if they met the same noise. What chance does is seen in
releases under two different secrets. In a session what has left meets the same noise again, only
that; there he also sends a text again, a word changed, and lists candidates for a name in a reply.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final, NamedTuple

import numpy as np

from privstamp.lab.audit.claims import ERROR
from privstamp.lab.audit.recovery import Guesser, Target, spread, targets
from privstamp.lab.audit.subject import Cell, Subject, perturbed, traced
from privstamp.lab.audit.verdict import Section
from privstamp.lab.estimate import Estimate, clopper_pearson
from privstamp.mechanisms.wordlists import pools
from privstamp.noise import Float64
from privstamp.pipeline import Privatizer
from privstamp.release.document import Document, Written
from privstamp.release.parts import Parts
from privstamp.release.replaced import Pseudonyms
from privstamp.result import Failure, Result, Trace
from privstamp.sessions.session import Session
from privstamp.sessions.stretches import REDRAWS
from privstamp.types import UNKNOWN

AVERAGED: Final = "Averaging over repeated releases"
REPEATS: Final = (1, 2, 5, 10, 20)
_MOST: Final = 200


def averaging(subject: Subject, told: Callable[[float], None]) -> Section:
    """Share of perturbed words that the attacker gets right, by the number of releases."""
    releases = []
    for number in range(REPEATS[-1]):
        told(0.5 * number / REPEATS[-1])
        releases.append(subject.releases(number))
    chosen, guesser = spread(targets(subject), _MOST), Guesser(subject.parts)
    hits = []
    for done, target in enumerate(chosen):
        told(0.5 + 0.5 * done / len(chosen))
        hits.append(_right(guesser, target, releases))
    table: Float64 = np.array(hits, dtype=np.float64).reshape(-1, len(REPEATS))
    rows = [
        {"releases": count, "recovered": Estimate.share(int(column.sum()), len(column))}
        for count, column in zip(REPEATS, table.T, strict=True)
    ]
    same = [subject.privatizer.with_noise(secret=subject.key("memo")) for _ in range(2)]
    repeated = [[line.privatize(text.text, text.task, trace=True) for text in subject.texts]
                for line in same]  # fmt: skip
    memo = _gain(repeated)
    remarks = (
        f"{len(chosen)} words of the sample, guessed by Bayes' rule from all releases together",
        "Releasing a text again with fresh noise spends its budget again: budgets add up.",
        "With a secret, a repeat is the same release: nothing is gained.",
    )
    figures = {
        "averaging_gain": Estimate.mean(table[:, -1] - table[:, 0]),
        "averaging_gain_with_secret": memo,
    }
    return Section("averaging", AVERAGED, figures, rows, remarks, sound=memo.value in (0.0, None))


def _right(guesser: Guesser, target: Target, releases: list[list[Result]]) -> list[bool]:
    """Whether a word is guessed from the first one, two, five, ... of its releases."""
    words = guesser.words(target.cell.number)
    place, total = words.place(target.row), words.log_unigram
    right = []
    for count, release in enumerate(releases, 1):
        seen = int(traced(release[target.text]).rows[target.index])
        total = guesser.told(total, [(target.cell, seen)])
        if count in REPEATS:
            right.append(place == int(total.argmax()))
    return right


def _gain(releases: list[list[Result]]) -> Estimate:
    """How much more is recovered from all releases than from one, word by word."""
    return Estimate.mean(_hits(releases) - _hits(releases[:1]))


def _hits(releases: list[list[Result]]) -> Float64:
    """For every word that met a mechanism: is the output seen most often the word itself?"""
    hits = []
    for versions in zip(*releases, strict=True):
        traces = [traced(version) for version in versions]
        rows = traces[0].units.rows
        for index in np.flatnonzero(perturbed(traces[0])).tolist():
            seen = Counter(int(trace.rows[index]) for trace in traces)
            hits.append(float(seen.most_common(1)[0][0] == rows[index]))
    return np.array(hits, dtype=np.float64)


EDITED: Final = "Noise of an edited text"
EDIT: Final = "\n\n."
"""Two line ends and a full stop: no word changes."""
RESENDS: Final = 12
_RESENT: Final = 2
"""Texts that are sent again and again."""
_LISTED: Final = 60
"""Names in a reply: more than a foreign message may share surrogates for."""
TOOL: Final = "crm"
_BEFORE: Final = "My name is "


def reuse(subject: Subject, told: Callable[[float], None]) -> Section:
    """The sample and an edited copy of it, under one secret and under two; then in a session."""
    first, second = (
        subject.privatizer.with_noise(secret=subject.key(f"reuse {number}")) for number in (1, 2)
    )
    base = _release(subject, first, "")
    told(0.1)
    edited = _alike(base, _release(subject, first, EDIT))
    told(0.2)
    chance = _alike(base, _release(subject, second, EDIT))
    figures = {
        "alike_edited": Estimate.hits(edited),
        "alike_by_chance": Estimate.hits(chance),
    }
    remarks = (
        "alike: share of words that became the same in both releases; an edited text must be no "
        "more alike than two releases that have nothing in common",
    )
    sound = not reused(sum(edited), len(edited), sum(chance), len(chance))
    if subject.parts.language_model is not None:
        more = "conversations are not attacked here: laws with fluency have addresses of their own"
        return Section("reuse", EDITED, figures, remarks=(*remarks, more), sound=sound)
    told(0.3)
    in_sessions, holds = _in_sessions(subject, told)
    more = (
        "in a session, words at equal addresses are all alike, and the same text of another origin "
        f"by chance; {RESENDS} resends, each with a word changed, tell no more than {REDRAWS} "
        f"fresh releases; and of {_LISTED} names that a reply lists, none is told to be the user's"
    )
    figures |= in_sessions
    return Section("reuse", EDITED, figures, remarks=(*remarks, more), sound=sound and holds)


def _in_sessions(
    subject: Subject, told: Callable[[float], None]
) -> tuple[dict[str, Estimate], bool]:
    """The session's rule and the attacks on it; whether it holds."""
    first, second = (
        subject.privatizer.with_noise(seed=int.from_bytes(subject.key(f"session {n}")[:6], "big"))
        for n in (1, 2)
    )
    texts = [text.text for text in subject.texts[: 5 * _RESENT]]
    alike = likeness(first, second, texts, EDIT)
    told(0.5)
    guesser, choices = Guesser(subject.parts), Random(subject.seed)  # noqa: S311  (which word)
    resends = [resent(first, text, RESENDS, choices) for text in texts[:_RESENT]]
    told(0.8)
    hits = [hit for words in resends for hit in recovered(guesser, words)]
    base = []
    for number in range(len(resends)):
        releases = [subject.releases(again)[number] for again in range(REDRAWS)]
        base += recovered(guesser, fresh(releases, subject.parts))
    names = [f"{given} {family}" for given, family in zip(pools().given, pools().family,
                                                          strict=False)][:_LISTED]  # fmt: skip
    lists = [listed(first, names, (3, 40), each=_LISTED, edits=edits) for edits in (False, True)]
    shares = [*alike.values(), Likeness(sum(hits), len(hits)), Likeness(sum(base), len(base)),
              *(Likeness(likeness.found, likeness.of) for likeness in lists)]  # fmt: skip
    labels = ("same_address", "other_origin", "two_sessions", "resent", "fresh", "listed",
              "listed_edited")  # fmt: skip
    figures = {
        f"session_{label}": Estimate.share(share.alike, share.of)
        for label, share in zip(labels, shares, strict=True)
    }
    same, origin, chance = (alike[name] for name in ("same", "origin", "chance"))
    holds = (
        same.alike == same.of
        and not reused(origin.alike, origin.of, chance.alike, chance.of)
        and not reused(sum(hits), len(hits), sum(base), len(base))
        and not any(likeness.found for likeness in lists)
        and not lists[0].changed
    )
    return figures, holds


def reused(edited: int, of_edited: int, chance: int, of_chance: int) -> bool:
    """Whether edited texts are more alike than chance allows; wrong with chance ERROR at most."""
    if not of_edited or not of_chance:
        return False
    low, _ = clopper_pearson(edited, of_edited, ERROR)
    _, high = clopper_pearson(chance, of_chance, ERROR)
    return bool(low > high)


def _release(subject: Subject, line: Privatizer, edit: str) -> list[Trace]:
    return [
        traced(line.privatize(text.text + edit, text.task, trace=True)) for text in subject.texts
    ]


def _alike(before: list[Trace], after: list[Trace]) -> list[bool]:
    """For each distinct word of a text that met a mechanism twice: did it become the same?"""
    alike: list[bool] = []
    for trace, two in zip(before, after, strict=True):
        if len(trace.units) > len(two.units):
            continue
        there = slice(0, len(trace.units))
        met = perturbed(trace) & perturbed(two)[there] & (trace.epsilon == two.epsilon[there])
        seen: dict[tuple[int, float], bool] = {}
        for index in np.flatnonzero(met).tolist():
            word = int(trace.units.rows[index]), float(trace.epsilon[index])
            seen.setdefault(word, bool(trace.rows[index] == two.rows[index]))
        alike += seen.values()
    return alike


class Observed:
    """A line that remembers what went through it, for a session of the audit's own."""

    def __init__(self, line: Privatizer) -> None:
        self._line = line
        self.policy, self.parts, self.facts = line.policy, line.parts, line.facts
        self.fingerprint_key = line.fingerprint_key
        self.seen: list[Written] = []

    def run(self, documents: Sequence[Document], *, trace: bool = False) -> list[Written | Failure]:
        outcomes = self._line.run(documents, trace=trace)
        self.seen += [document for document in outcomes if isinstance(document, Written)]
        return outcomes

    def pseudonyms(self) -> Pseudonyms:
        return self._line.pseudonyms()


class DrawnWord(NamedTuple):
    """A word that met a mechanism: where, what it was, its law, what left, and from which noise."""

    unit: int
    row: int
    cell: Cell
    seen: int
    address: int


def drawn(document: Written, parts: Parts) -> Iterator[DrawnWord]:
    """Words of a released text that met a mechanism."""
    where = np.flatnonzero(document.perturbed)
    addresses = document.positions[document.drawn][document.shared]
    for unit, seen, address in zip(where.tolist(), document.outputs, addresses, strict=True):
        row = int(document.units.rows[unit])
        if row != UNKNOWN:
            cell = Cell.of(document, unit, parts.space)
            yield DrawnWord(unit, row, cell, int(seen), int(address))


@dataclass
class Likeness:
    """Words that were drawn twice, and how many of them became the same."""

    alike: int = 0
    of: int = 0

    def add(self, before: DrawnWord, after: DrawnWord) -> None:
        self.alike += before.seen == after.seen
        self.of += 1


def likeness(
    line: Privatizer, another: Privatizer, texts: Sequence[str], edit: str
) -> dict[str, Likeness]:
    """Of a text and its edited copy at equal addresses (`same`), of the text from another origin
    (`origin`), and of two sessions, the second on another line (`chance`)."""
    likenesses = {name: Likeness() for name in ("same", "origin", "chance")}
    for text in texts:
        watched, elsewhere = Observed(line), Observed(another)
        chat = Session(watched)
        chat.privatize(text)
        chat.privatize([{"role": "tool", "name": TOOL, "content": text}])
        chat.privatize(text + edit)
        Session(elsewhere).privatize(text)
        first, foreign, edited, other = (
            {word.unit: word for word in drawn(document, line.parts)}
            for document in (*watched.seen[:3], elsewhere.seen[0])
        )
        for unit, word in first.items():
            again = edited.get(unit)
            if again is not None and again.address == word.address:
                likenesses["same"].add(word, again)
            for name, words in (("origin", foreign), ("chance", other)):
                if unit in words and words[unit].cell == word.cell:
                    likenesses[name].add(word, words[unit])
    return likenesses


def resent(line: Privatizer, text: str, times: int, random: Random) -> dict[int, list[DrawnWord]]:
    """What an attacker has of each word of a text that is sent again and again, each time with one
    of its words changed: its draws from distinct noise."""
    watched = Observed(line)
    chat = Session(watched)
    chat.privatize(text)
    [base] = watched.seen
    words = {word.unit: [word] for word in drawn(base, line.parts)}
    rows = {unit: seen[0].row for unit, seen in words.items()}
    for _ in range(times if words else 0):
        changed = random.choice(sorted(words))
        watched.seen.clear()
        chat.privatize(_edited(base, changed, line.parts, random))
        for document in watched.seen:
            for word in drawn(document, line.parts):
                known = words.get(word.unit, [])
                if word.unit == changed or rows.get(word.unit) != word.row:
                    continue  # another word
                if all(word.address != earlier.address for earlier in known):
                    known.append(word)
    return words


def _edited(base: Written, unit: int, parts: Parts, random: Random) -> str:
    """The text with another word of the same class there."""
    row, label = int(base.units.rows[unit]), base.units.labels[unit : unit + 1]
    others = parts.space.outputs[int(parts.space.class_of[row])]
    other = others[random.randrange(len(others))]
    word = parts.space.render(np.array([other], dtype=np.int32), label)[0]
    start, end = int(base.units.starts[unit]), int(base.units.ends[unit])
    return base.text[:start] + word + base.text[end:]


def fresh(releases: Sequence[Result], parts: Parts) -> dict[int, list[DrawnWord]]:
    """The same of a text that was released so often with fresh noise."""
    words: dict[int, list[DrawnWord]] = {}
    for number, release in enumerate(releases):
        trace = traced(release)
        for unit in np.flatnonzero(perturbed(trace)).tolist():
            row, drawn_as = int(trace.units.rows[unit]), int(trace.rows[unit])
            cell = Cell.of(trace, unit, parts.space)
            words.setdefault(unit, []).append(DrawnWord(unit, row, cell, drawn_as, number))
    return words


def recovered(guesser: Guesser, words: dict[int, list[DrawnWord]]) -> list[bool]:
    """Whether each word is guessed by Bayes' rule from all of its draws."""
    hits = []
    for seen in words.values():
        words_of_class = guesser.words(seen[0].cell.number)
        draws = ((word.cell, word.seen) for word in seen)
        guess = int(guesser.told(words_of_class.log_unigram, draws).argmax())
        hits.append(words_of_class.place(seen[0].row) == guess)
    return hits


class Listing(NamedTuple):
    """How an attacker fared who lists names in replies."""

    found: int
    of: int
    changed: int  # replies that did not go back as they came
    guesses: int  # that the certificates say were possible, at most


def listed(
    line: Privatizer, names: Sequence[str], chosen: Sequence[int], *, each: int, edits: bool
) -> Listing:
    """Users with the chosen names, and replies that list all names, `each` at a time. In the next
    turn's history the attacker looks for the user's surrogate, and takes the name that stood there.
    `edits`: the client changes replies before it sends them back."""
    hits = trials = changed = guesses = 0
    for number in chosen:
        chat = line.session()
        history: list[dict[str, Any]] = [{"role": "user", "content": f"{_BEFORE}{names[number]}."}]
        sent = chat.privatize(history)
        surrogate = sent.text.removeprefix(_BEFORE).removesuffix(".")
        if surrogate == names[number] or not sent.text.startswith(_BEFORE):
            continue  # not hidden: nothing to find out
        guess = None
        for start in range(0, len(names), each):
            reply = "\n".join(f"Is it {name}?" for name in names[start : start + each])
            answer = chat.restore(reply) + ("\n." if edits else "")
            history += [
                {"role": "assistant", "content": answer},
                {"role": "user", "content": "Go on."},
            ]
            sent = chat.privatize(history)
            seen = sent.messages[-2]["content"]
            changed += seen != reply
            places = [n for n, row in enumerate(seen.split("\n")) if surrogate in row]
            known = [n for n, row in enumerate(reply.split("\n")) if surrogate in row]
            if guess is None and places and places != known:
                guess = start + next(n for n in places if n not in known)
        assert sent.certificate.session is not None
        guesses = max(guesses, sent.certificate.session.foreign_names)
        trials += 1
        hits += guess == number
    return Listing(hits, trials, changed, guesses)

"""What is replaced owes nothing to what stood there, is fresh, and shows equality as promised."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Final

from privstamp.lab.audit.canaries import HIDDEN, SHARED, SentLetters, kinds_of
from privstamp.lab.audit.verdict import MISSED, Promise, at_most, distinct, no_likelier, unrelated

NEVER: Final = 1e-4
"""An invented thing is drawn for itself less often: no list has it, and of dates there are many."""
LUCK: Final = 0.002
"""Two draws from a list are equal no more often than this."""
_NAMES: Final = 400
"""First names that a list has at least."""
_SPELT: Final = ("person", "other", "mail", "rare")
_FIGURES: Final = ("number", "phone", "code", "date")
_RUN: Final = 3
Things = list[dict[str, str]]


def surrogates(sent: SentLetters, *, shaped: bool, key: bytes) -> Iterator[Promise]:
    """Every promise about replaced things; placeholders, not `shaped`, are the same everywhere."""
    yield at_most("lines and commas stay where they were", sent.torn, 2 * len(sent.letters), 0.0)
    if not sent.letters:
        return
    yield from _leaks(sent)
    if shaped and sent.new:
        yield from _freshness(sent)
        yield from _likeness(sent, key)
    yield from _equality(sent)


def _leaks(sent: SentLetters) -> Iterator[Promise]:
    """No part of a secret stands anywhere in a release, whatever the line says it did."""
    left = tested = 0
    for name in sent.new:
        passed = trials = 0
        for results in sent.results:
            for letter, result in zip(sent.letters, results, strict=True):
                for secret in secrets_of(name, letter.things[name]):
                    trials += 1
                    passed += secret in f"{result.text}\n{result.task}".casefold()
        yield at_most(f"no {name} leaves as it was", passed, trials, NEVER)
        left, tested = left + passed, tested + trials
    yield at_most("nothing that is replaced leaves as it was", left, tested, NEVER)
    seen = sum(
        any(unicodedata.category(sign) == "Cf" for sign in result.text) or HIDDEN in result.text
        for results in sent.results
        for result in results
    )
    yield at_most("no invisible character leaves", seen, 2 * len(sent.letters), 0.0)


def secrets_of(name: str, thing: str) -> list[str]:
    """The parts of a thing that must not be seen again, as they are searched for."""
    folded = thing.casefold()
    if name == "mail":
        return folded.partition("@")[0].split(".")
    return folded.split() if name in _SPELT else [folded]


def _freshness(sent: SentLetters) -> Iterator[Promise]:
    """A thing has another surrogate in every release, of the same text and of others."""
    for name in sent.new:
        equal = sum(a[name] == b[name] for a, b in zip(sent.first, sent.second, strict=True))
        text = f"a second release gives the {name} another surrogate"
        yield at_most(text, equal, len(sent.first), _chance(name))
        equal = sum(became == after for _, became, after in sent.pairs((name,)))
        text = f"another text gives its {name} another surrogate"
        yield at_most(text, equal, 2 * len(sent.alike[name]), _chance(name))
    if not {"shared", "number", "person", "phone"} <= sent.hidden:
        return
    both = sent.first + sent.second
    first = [things["person"].split()[0] for things in both if things["person"]]
    yield distinct("first names are of the whole list", first, _NAMES)
    figures = [[_digits(things[name]) for name in ("number", "phone")] for things in both]
    within, cross = (
        sum(a == b for n, (number, _) in enumerate(figures)
            for a, b in zip(number, figures[n - apart][1][1:], strict=False))
        for apart in (0, 1)
    )  # fmt: skip
    count = sum(min(len(number), len(two) - 1) for number, two in figures)
    yield no_likelier("an account number is not the telephone's", within, count, cross, count)
    equal = trials = 0
    for became in (sent.first, sent.second):
        for variant in range(SHARED):
            names = [
                things["shared"]
                for letter, things in zip(sent.letters, became, strict=True)
                if letter.variant == variant
            ]
            equal += sum(a == b for a, b in zip(names[::2], names[1::2], strict=False))
            trials += len(names) // 2
    yield at_most("one person has another surrogate in every text", equal, trials, LUCK)
    drawn = [things["number"] for things in sent.first + sent.second]
    repeats, pairs = len(drawn) - len(set(drawn)), len(drawn) * (len(drawn) - 1) // 2
    yield at_most("no account number is drawn twice", repeats, pairs, 1e-8)


def _digits(thing: str) -> str:
    return "".join(filter(str.isdigit, thing))


def _chance(name: str) -> float:
    return 0.01 if name in ("phone", "code", "rare") else LUCK


def _equality(sent: SentLetters) -> Iterator[Promise]:
    """Equal things become equal, in the task too; different ones do not."""
    if not {"person", "again", "other"} <= sent.hidden:
        return
    both = sent.first + sent.second
    trials = len(both)
    unlike = sum(things["person"] != things["again"] for things in both)
    yield at_most("one person has two surrogates in a text", unlike, trials, MISSED)
    same = sum(things["person"] == things["other"] for things in both)
    yield at_most("two people have one surrogate", same, trials, LUCK)
    with_tail = len(kinds_of(sent.letters[0], sent.results[0][0])["owner"]) == 1  # with its 's
    if "owner" in sent.hidden and with_tail:
        unlike = sum(things["owner"] != things["person"].split()[-1] + "'s" for things in both)
        yield at_most("a possessive is that of another surrogate", unlike, trials, MISSED)
    results = [result for release in sent.results for result in release]
    unlike = sum(
        things["person"] not in (result.task or "")
        for things, result in zip(both, results, strict=True)
    )
    yield at_most("the task names a person otherwise than the text", unlike, trials, MISSED)


def _likeness(sent: SentLetters, key: bytes) -> Iterator[Promise]:
    """Letters and figures are shared no more often than by things of other letters."""
    names = tuple(name for name in _SPELT if name in sent.hidden)
    spelt = [(_local(a), _local(b), _local(c)) for a, b, c in sent.pairs(names)]
    within, cross = (sum(bool(_runs(p[0]) & _runs(p[n])) for p in spelt) for n in (1, 2))
    count = len(spelt)
    yield no_likelier(f"no {_RUN} letters of a name come back", within, count, cross, count)
    for where, place in (("first", 0), ("last", -1)):
        within, cross = (sum(p[0][place] == p[n][place : place + 1 or None] for p in spelt)
                      for n in (1, 2))  # fmt: skip
        yield no_likelier(f"no {where} letter comes back", within, count, cross, count)
    within, cross = (sum(len(p[0]) == len(p[n]) for p in spelt) for n in (1, 2))
    yield no_likelier("the length of a name does not show", within, count, cross, count)
    for name in (name for name in _FIGURES if name in sent.hidden):
        places = [
            (a == b, a == c)
            for old, new, crossed in sent.pairs((name,))
            for a, b, c in zip(old.split(), new.split(), crossed.split(), strict=False)
        ] if name == "date" else [
            (a == b, a == c)
            for old, new, crossed in sent.pairs((name,))
            for a, b, c in zip(old, new, crossed, strict=False)
            if a.isalnum()
        ]  # fmt: skip
        within, cross = (sum(place[n] for place in places) for n in (0, 1))
        yield no_likelier(
            f"no figure of a {name} comes back", within, len(places), cross, len(places)
        )
    yield from _information(sent, spelt, key)


def _information(
    sent: SentLetters, spelt: list[tuple[str, str, str]], key: bytes
) -> Iterator[Promise]:
    """Nothing about a name can be learnt from its surrogate, by any rule tried here."""
    halves = [(_half(old[0]), _half(new[:1] or "a")) for old, new, _ in spelt]
    yield unrelated("first letters tell nothing of each other", *_columns(halves), key)
    sums = [(sum(map(ord, old)) % 3, sum(map(ord, new)) % 3) for old, new, _ in spelt]
    yield unrelated("spellings tell nothing of each other", *_columns(sums), key)
    if "shared" not in sent.hidden:
        return
    shared = [
        (sent.letters[number].variant, became[number]["shared"])
        for became in (sent.first, sent.second)
        for number in sent.alike["shared"]
    ]
    ranked = {name: n for n, name in enumerate(sorted({name for _, name in shared}))}
    quarters = [(who, 4 * ranked[name] // len(ranked)) for who, name in shared]
    yield unrelated("of several people each has any surrogate", *_columns(quarters), key)


def _columns(pairs: list[tuple[int, int]]) -> tuple[list[int], list[int]]:
    return [left for left, _ in pairs], [two for _, two in pairs]


def _half(letter: str) -> int:
    return int(letter > "m")


def _local(name: str) -> str:
    """As it is compared; of an address, the part before the host."""
    return name.casefold().partition("@")[0]


def _runs(name: str) -> set[str]:
    return {name[at : at + _RUN] for at in range(len(name) - _RUN + 1)}

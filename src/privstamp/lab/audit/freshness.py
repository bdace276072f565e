"""No two releases share noise: not those of threads, forked processes or workers of a batch.

Under a secret the same text is the same release, and any other text is another one.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from typing import Any, Final

from privstamp.errors import UsageError
from privstamp.lab.audit.canaries import Letter
from privstamp.lab.audit.promise import Promise, always, at_most
from privstamp.lab.audit.surrogates import NEVER, secrets_of
from privstamp.pipeline import Privatizer

_EACH: Final = 3
_PATIENCE: Final = 120.0
_LUCK: Final = 0.01


def freshness(
    line: Privatizer, letters: tuple[Letter, ...], things: tuple[str, ...]
) -> Iterator[Promise]:
    """The same letters from several hands at once, and whether their surrogates agree."""
    few = letters[:_EACH]
    for where, texts in (
        ("threads", _in_threads(line, few)),
        ("forked processes", _in_forks(line, few)),
        ("workers of a batch", _in_workers(line, few)),
    ):
        if texts:
            yield _silent(f"nothing leaves from {where}", few, texts, things)
            yield _apart(f"{where} draw noise of their own", few, texts, things)


def secrecy(
    line: Privatizer, letters: tuple[Letter, ...], things: tuple[str, ...], key: bytes
) -> Iterator[Promise]:
    """What a secret changes: a repeat is the same, an edit or another secret is not."""
    few = letters[:_EACH]
    one, other = (line.with_noise(secret=key + bytes([number])) for number in (1, 2))
    first, again = _released(one, few), _released(one, few)
    same = sum(a == b for a, b in zip(first, again, strict=True))
    yield always("under a secret a repeat is the same release", same, len(few))
    edited = [one.privatize(letter.text.replace("teacher", "friend", 1)).text for letter in few]
    yield _apart("under a secret an edited text meets noise of its own", few, [first, edited],
                 things)  # fmt: skip
    yield _apart("another secret is other noise", few, [first, _released(other, few)], things)


def _silent(
    name: str, letters: tuple[Letter, ...], hands: list[list[str]], things: tuple[str, ...]
) -> Promise:
    """No secret stands in what these hands released."""
    passed = trials = 0
    for texts in hands:
        for letter, text in zip(letters, texts, strict=True):
            for thing in things:
                for secret in secrets_of(thing, letter.things[thing]):
                    trials += 1
                    passed += secret in text.casefold()
    return at_most(name, passed, trials, NEVER)


def _apart(
    name: str, letters: tuple[Letter, ...], hands: list[list[str]], things: tuple[str, ...]
) -> Promise:
    equal = trials = 0
    for one, two in combinations(hands, 2):
        for letter, first, second in zip(letters, one, two, strict=True):
            was, now = letter.read(first), letter.read(second)
            for thing in things if was and now else ():
                trials += 1
                equal += was is not None and now is not None and was[thing] == now[thing]
    return at_most(name, equal, trials, _LUCK)


def _released(line: Privatizer, letters: tuple[Letter, ...]) -> list[str]:
    return [line.privatize(letter.text).text for letter in letters]


def _in_threads(line: Privatizer, letters: tuple[Letter, ...]) -> list[list[str]]:
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(lambda _: _released(line, letters), range(2)))


def _in_forks(line: Privatizer, letters: tuple[Letter, ...]) -> list[list[str]]:
    """Two children of one moment, and this process after it."""
    if not hasattr(os, "fork"):
        return []
    forks = multiprocessing.get_context("fork")
    children = [_child(forks, lambda: _released(line, letters)) for _ in range(2)]
    texts = [_released(line, letters)]
    for process, pipe in children:
        if pipe.poll(_PATIENCE):
            texts.append(pipe.recv())
        process.join(1.0)
        if process.is_alive():
            process.kill()
    return texts


def _child(forks: Any, work: Callable[[], list[str]]) -> tuple[Any, Any]:
    ours, theirs = forks.Pipe(duplex=False)
    process = forks.Process(target=lambda: theirs.send(work()), daemon=True)
    process.start()
    return process, ours


def _in_workers(line: Privatizer, letters: tuple[Letter, ...]) -> list[list[str]]:
    """Of a line that can go to other processes."""
    try:
        twice = [letter.text for letter in letters] * 2
        found = [result for result in line.privatize_many(twice, jobs=2) if result.ok]
    except UsageError:
        return []
    texts = [result.text for result in found if hasattr(result, "text")]
    whole = len(texts) == len(twice)
    return [texts[: len(letters)], texts[len(letters) :]] if whole else []

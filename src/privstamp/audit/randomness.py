"""Forked workers, threads and new objects must never produce the same noise."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from privstamp.audit.figures import Figure, Section
from privstamp.audit.subject import Subject
from privstamp.noise import Randomness

TITLE: Final = "Randomness of workers, threads and restarts"
_EACH: Final = 4


def randomness(_: Subject, told: Callable[[float], None]) -> Section:
    """Keys of fresh releases made in every way that peers are known to have got wrong."""
    told(0.0)
    keys = drawn_keys(Randomness.make())
    repeats = len(keys) - len(set(keys))
    remarks = (f"{len(keys)} keys from forks, threads and this process",)
    figures = {"repeated_keys": Figure.exact(float(repeats))}
    return Section("randomness", TITLE, figures, remarks=remarks, sound=repeats == 0)


def drawn_keys(source: Randomness) -> list[bytes]:
    """One document, released again and again: here, in threads, and in forked processes."""
    keys = [source.key(b"text") for _ in range(_EACH)]
    with ThreadPoolExecutor(_EACH) as pool:
        keys += pool.map(lambda _: source.key(b"text"), range(_EACH))
    if hasattr(os, "fork"):
        forks = multiprocessing.get_context("fork")
        with forks.Pool(_EACH) as workers:
            keys += workers.map(source.key, [b"text"] * _EACH)
    return keys

"""A table of three hundred words at random places, as a file for the space `vectors:`."""

from __future__ import annotations

import atexit
from functools import cache
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Final

import numpy as np

WORDS: Final = """
the of and to in a is was for on that with as by at from it an be are were not which has have had
this he she his her they their but or when who what how where about after before into over under
garden river monday tuesday neighbour neighbours said price fair apple tree trees small house old
near doctor rest home week weeks take white pill pills every morning happy long patient paid pay
should two two three four five six seven eight nine ten new good great large little young high low
man woman child people friend family mother father brother sister son daughter city town village
street road bridge station school church market shop office factory hospital hotel museum theatre
water fire earth wind rain snow sun moon star sky cloud storm summer winter spring autumn day night
bread butter milk cheese meat fish soup salt sugar coffee tea wine beer fruit orange lemon potato
red blue green yellow black brown grey bright dark soft hard warm cold hot cool quick slow strong
walk run sit stand talk speak write read sing dance play work sleep eat drink buy sell give bring
table chair door window wall roof floor kitchen room bed lamp clock mirror picture book letter page
horse dog cat bird cow sheep pig goat duck hen mouse wolf bear fox lion tiger snake frog bee
car train ship boat plane bicycle engine wheel key lock rope knife fork spoon plate cup glass
king queen prince soldier teacher farmer judge lawyer nurse driver pilot painter writer singer
iron gold silver copper stone wood paper cloth wool leather oil coal gas sand clay brick
"""
DIMENSIONS: Final = 8


@cache
def folder() -> Path:
    """Where words.txt lies: the same bytes every time, so that what is derived is found again."""
    words = list(dict.fromkeys(WORDS.split()))
    vectors = np.random.default_rng(20).standard_normal((len(words), DIMENSIONS))
    lines = [
        " ".join([word, *(f"{value:.3f}" for value in row)])
        for word, row in zip(words, vectors.tolist(), strict=True)
    ]
    place = Path(mkdtemp(prefix="privstamp-golden-"))
    atexit.register(rmtree, place, ignore_errors=True)
    (place / "words.txt").write_text("\n".join(lines) + "\n")
    return place

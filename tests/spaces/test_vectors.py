"""Somebody's own vectors become a space."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from privstamp.errors import AssetError, Incompatible, UsageError
from privstamp.registry import SPACES
from privstamp.spaces.glove import Vectors, may_leave, uncased
from privstamp.spaces.wordlists import FUNCTION_WORDS
from privstamp.testing import check_space
from privstamp.types import UNKNOWN, Kind

PLAIN = [f"{a}{b}{c}en" for a in "bdgklmnprst" for b in "aeiou" for c in "lmnrst"]
RUSSIAN = [f"{a}{b}{c}а" for a in "бвгдклмн" for b in "аоуие" for c in "лмнрст"]


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRIVSTAMP_CACHE", str(tmp_path / "cache"))


def stored(path: Path, words: list[str], width: int = 8) -> str:
    table = np.random.default_rng(2).standard_normal((len(words), width))
    lines = [
        f"{w} {' '.join(f'{x:.4f}' for x in row)}" for w, row in zip(words, table, strict=True)
    ]
    path.write_text("\n".join([f"{len(words)} {width}", *lines]) + "\n", encoding="utf-8")
    return str(path)


def test_an_english_list(tmp_path: Path) -> None:
    words = [*sorted(FUNCTION_WORDS), *PLAIN, "New_York", "don't"]
    space = SPACES.build("vectors:" + stored(tmp_path / "mine.vec", words), {})
    assert isinstance(space, Vectors)
    check_space(space)
    assert space.classes == ("content", "function")
    assert space.source.startswith("mine.vec, SHA-256 ")
    units = space.split("Don't balen's Zzz")
    assert [space.words(row[None])[0] for row in units.rows[:2]] == ["don't", "balen"]
    assert units.rows[2] == UNKNOWN


def test_another_language_has_one_class(tmp_path: Path) -> None:
    space = Vectors(stored(tmp_path / "ru.vec", RUSSIAN))
    check_space(space)
    assert space.classes == ("word",)
    units = space.split("Бала, бвг!")
    assert units.kinds.tolist() == [Kind.FOREIGN, Kind.FOREIGN]
    assert units.rows.tolist() == [0, UNKNOWN]
    assert space.render(units.rows[:1], units.labels[:1]) == ["Бала"]


def test_npy(tmp_path: Path) -> None:
    np.save(tmp_path / "mine.npy", np.random.default_rng(0).standard_normal((len(PLAIN), 6)))
    (tmp_path / "mine.txt").write_text("\n".join(PLAIN))
    check_space(Vectors(str(tmp_path / "mine.npy"), preprocessing="raw"))


def test_changed_files_are_noticed(tmp_path: Path) -> None:
    first = Vectors(stored(tmp_path / "mine.vec", PLAIN))
    same = Vectors(stored(tmp_path / "copy.vec", PLAIN))
    other = Vectors(stored(tmp_path / "mine.vec", PLAIN[::-1]))
    assert same.fingerprint == first.fingerprint != other.fingerprint


def test_the_first_spelling_speaks_for_all() -> None:
    raw = np.arange(8, dtype=np.float32).reshape(4, 2)
    words, table = uncased(["The", "of", "the", "THE"], raw)
    assert words == ["the", "of"]
    assert table.tolist() == [[0, 1], [2, 3]]


@pytest.mark.parametrize(
    ("word", "fits"), [("бала", True), ("bal", True), ("fc", False), ("…", False)]
)
def test_what_may_leave(word: str, fits: bool) -> None:
    assert may_leave(word) is fits


def test_refusals(tmp_path: Path) -> None:
    path = stored(tmp_path / "mine.vec", PLAIN)
    with pytest.raises(UsageError, match="no preprocessing"):
        Vectors(path, preprocessing="best")
    with pytest.raises(UsageError, match="at least 1000"):
        Vectors(path, outputs=5)
    with pytest.raises(AssetError, match="does not exist"):
        Vectors(str(tmp_path / "absent"))
    with pytest.raises(Incompatible, match="has 50 words"):
        Vectors(stored(tmp_path / "short.vec", PLAIN[:50]))
    (tmp_path / "bad.vec").write_text("a 1 2\nb 1\n")
    with pytest.raises(AssetError, match="line 2"):
        Vectors(str(tmp_path / "bad.vec"))

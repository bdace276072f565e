"""The word list on disk answers like a dict."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from privstamp.text import vocabulary as word_table
from privstamp.text.vocabulary import WordTable, write_words


@pytest.fixture(autouse=True)
def _same_patience_after(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_table, "PATIENCE", word_table.PATIENCE)


WORD = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


@pytest.mark.parametrize("patience", [0, 3, 10_000])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(words=st.lists(WORD, unique=True, min_size=1), others=st.lists(WORD))
def test_same_answers_as_a_dict(
    tmp_path: Path, patience: int, words: list[str], others: list[str]
) -> None:
    word_table.PATIENCE = patience
    words = [word for word in words if word not in word_table.CLITICS] or ["x"]
    write_words(tmp_path, words)
    stored, plain = WordTable(tmp_path), {word: row for row, word in enumerate(words)}
    assert len(stored) == len(words)
    assert [stored.word(row) for row in range(len(words))] == words
    for word in [*words, *others, *words]:
        assert stored.get(word, -1) == plain.get(word, -1)
    assert [stored.word(row) for row in range(len(words))] == words


def test_equal_hashes_are_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_table, "_hash", lambda spelling: bytes([len(spelling)] * 8))
    words = ["one", "two", "six", "four"]
    write_words(tmp_path, words)
    stored = WordTable(tmp_path)
    assert [stored.get(word, -1) for word in [*words, "ten", "five", "seven"]] == [
        *(0, 1, 2, 3),
        *(-1, -1, -1),
    ]


def test_clitics_keep_their_rows_and_are_not_found(tmp_path: Path) -> None:
    write_words(tmp_path, ["do", "n't", "not"])
    stored = WordTable(tmp_path)
    assert stored.word(1) == "n't"
    assert stored.get("n't", -1) == -1
    assert stored.get("not", -1) == 2


@pytest.mark.parametrize("row", [-1, 3])
def test_rows_outside_are_refused(
    tmp_path: Path, row: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(word_table, "PATIENCE", 0)
    write_words(tmp_path, ["a", "b", "c"])
    stored = WordTable(tmp_path)
    for _ in range(2):
        with pytest.raises(IndexError):
            stored.word(row)
        assert stored.get("b", -1) == 1

"""Vector files are read in each format, and refused by line where they are broken."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from privstamp.errors import AssetError
from privstamp.spaces.glove import files_of, read_vectors


def read(path: Path, content: bytes) -> tuple[list[str], list[list[float]]]:
    path.write_bytes(content)
    words, table = read_vectors(files_of(str(path)))
    assert table.dtype == np.float32
    return words, table.tolist()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"the 0.5 -1\nof 2 3e-1\n", ["the", "of"]),
        (b"2 2\nthe 0.5 -1\nof 2 3e-1\n", ["the", "of"]),
        (b"2 2\nthe 0.5 -1 \nof 2 3e-1 ", ["the", "of"]),
        (b"the\t0.5\t-1\r\nof\t2\t3e-1\r\n", ["the", "of"]),
        ("naïve 0.5 -1\n. . . 2 3e-1\n".encode(), ["naïve", ". . ."]),
        (b"1 0.5 -1\n2 2 3e-1\n", ["1", "2"]),
        ("a\u2028b 0.5 -1\n\xa0 2 3e-1\n".encode(), ["a\u2028b", "\xa0"]),
        (b"\xff 0.5 -1\nof 2 3e-1\n", ["\ufffd", "of"]),
    ],
)
def test_text_formats(tmp_path: Path, content: bytes, words: list[str]) -> None:
    found, table = read(tmp_path / "vectors.txt", content)
    assert found == words
    np.testing.assert_allclose(table, [[0.5, -1], [2, 0.3]], rtol=1e-6)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"the 1 2\nof 1\n", "line 2 .* a word and 2 numbers"),
        (b"the 1 2\nof 1 x\n", "line 2"),
        (b"the 1 2\n\nof 1 2\n", "line 2"),
        (b"the 1 2\n 1 2\n", "line 2"),
        (b"only words here\n", "line 1"),
        (b"word\n", "line 1"),
        (b"3 2\nthe 1 2\nof 1 2\n", "announces 3 words and holds 2"),
        (b"2 2\nthe \x00\x01\x02\x03", "line 2"),
        (b"the 1 nan\nof 1 2\n", "row 1 .* not finite"),
        (b"the 1 2\nof 1 inf\n", "row 2 .* not finite"),
        (b"\x1f\x8b\x08\x00\x00", "line 1"),
    ],
)
def test_broken_text_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    with pytest.raises(AssetError, match=message) as caught:
        read(tmp_path / "vectors.vec", content)
    assert caught.value.__context__ is None


def test_npy_with_words(tmp_path: Path) -> None:
    np.save(tmp_path / "mine.npy", np.arange(6, dtype=np.float64).reshape(3, 2))
    (tmp_path / "mine.txt").write_text("the\nof\ncafé\n", encoding="utf-8")
    words, table = read_vectors(files_of(str(tmp_path / "mine.npy")))
    assert words == ["the", "of", "café"]
    assert table.dtype == np.float32
    assert table.tolist() == [[0, 1], [2, 3], [4, 5]]


@pytest.mark.parametrize(
    "table",
    [np.zeros(3), np.zeros((3, 2), dtype=complex), np.array([["a", "b"]] * 3)],
)
def test_npy_of_something_else_is_refused(tmp_path: Path, table: np.ndarray) -> None:
    np.save(tmp_path / "mine.npy", table)
    (tmp_path / "mine.txt").write_text("a\nb\nc")
    with pytest.raises(AssetError, match="not a plain table of numbers"):
        read_vectors(files_of(str(tmp_path / "mine.npy")))


class Bomb:
    """Unpickling this would make a file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, tuple[Path]]:
        return Path.touch, (self.path,)


def test_pickles_are_never_opened(tmp_path: Path) -> None:
    np.save(tmp_path / "mine.npy", np.array([[Bomb(tmp_path / "ran")]], dtype=object))
    (tmp_path / "mine.txt").write_text("a")
    with pytest.raises(AssetError, match="not a plain table of numbers") as caught:
        read_vectors(files_of(str(tmp_path / "mine.npy")))
    assert caught.value.__context__ is None
    assert not (tmp_path / "ran").exists()


def test_words_and_rows_must_agree(tmp_path: Path) -> None:
    np.save(tmp_path / "mine.npy", np.zeros((3, 2)))
    (tmp_path / "mine.txt").write_text("a\nb")
    with pytest.raises(AssetError, match="has 2 words and the table 3 rows"):
        read_vectors(files_of(str(tmp_path / "mine.npy")))


def test_missing_files_are_named(tmp_path: Path) -> None:
    np.save(tmp_path / "mine.npy", np.zeros((3, 2)))
    for argument, message in [
        ("", "does not exist"),
        (str(tmp_path / "absent.txt"), "absent.txt. does not exist"),
        (str(tmp_path), "is a folder"),
        (str(tmp_path / "mine.npy"), "mine.txt. does not exist"),
    ]:
        with pytest.raises(AssetError, match=message):
            files_of(argument)

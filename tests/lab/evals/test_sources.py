"""A folder first, else the hub; the hub is played by a function."""

import gzip
import sys
from types import SimpleNamespace

import pytest

from privstamp.errors import AssetError, InputError
from privstamp.lab.evals.datasets import DatasetSource, columns, content, csv_rows

SOURCE = DatasetSource(("toy-a", "toy-b"), ".csv", "some/toy", "data/x.parquet", "f" * 40)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("PRIVSTAMP_DATA", str(tmp_path))
    return tmp_path


def play_hub(monkeypatch, answer):
    asked = []

    def hf_hub_download(name, file, *, repo_type, revision):
        asked.append((name, file, repo_type, revision))
        return answer()

    monkeypatch.setitem(
        sys.modules, "huggingface_hub", SimpleNamespace(hf_hub_download=hf_hub_download)
    )
    return asked


def test_a_file_in_the_folder_needs_no_hub(folder, monkeypatch):
    asked = play_hub(monkeypatch, lambda: pytest.fail("asked the hub"))
    (folder / "toy-b_half.csv.gz").write_bytes(b"")
    assert SOURCE.find() == folder / "toy-b_half.csv.gz" and not asked


def test_two_files_that_fit_are_not_guessed_between(folder):
    for name in ("toy-a1.csv", "toy-b.csv.gz"):
        (folder / name).touch()
    with pytest.raises(AssetError, match=r"toy-a1\.csv, toy-b\.csv\.gz"):
        SOURCE.find()


def test_a_folder_that_is_not_there_is_said_before_any_hub_is_asked(tmp_path, monkeypatch):
    asked = play_hub(monkeypatch, lambda: "/somewhere/x.parquet")
    monkeypatch.setenv("PRIVSTAMP_DATA", str(tmp_path / "gone"))
    with pytest.raises(AssetError, match="PRIVSTAMP_DATA names no folder"):
        SOURCE.find()
    assert not asked


def test_the_hub_is_asked_for_a_fixed_revision_or_the_one_given(folder, monkeypatch):
    asked = play_hub(monkeypatch, lambda: "/somewhere/x.parquet")
    assert SOURCE.find().name == "x.parquet"
    (folder / "toy-a.csv").touch()
    assert SOURCE.find("v2").name == "x.parquet"  # the folder cannot answer for a revision
    assert asked == [
        ("some/toy", "data/x.parquet", "dataset", "f" * 40),
        ("some/toy", "data/x.parquet", "dataset", "v2"),
    ]


def broken():
    raise ConnectionError("secret address")


@pytest.mark.parametrize(
    ("answer", "trouble"), [(broken, r"ConnectionError"), (None, r"privstamp\[hub\]")]
)
def test_the_error_names_both_ways(folder, monkeypatch, answer, trouble):
    if answer:
        play_hub(monkeypatch, answer)
    else:
        monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(AssetError, match=trouble) as caught:
        SOURCE.find()
    said = str(caught.value)
    assert "toy-a*.csv[.gz] or toy-b*.csv[.gz]" in said and "PRIVSTAMP_DATA" in said
    assert "some/toy@ffffffffffff" in said and "secret" not in said
    assert caught.value.__context__ is None


def test_content_is_unpacked_and_loses_a_byte_order_mark(tmp_path):
    path = tmp_path / "a.csv.gz"
    path.write_bytes(gzip.compress("\ufeffé".encode()))
    assert content(path) == "é"


@pytest.mark.parametrize(
    ("name", "data", "fault"),
    [
        ("a.txt", b"\xff\xfe secret", "not UTF-8"),
        ("a.gz", b"secret", "cannot be read"),
        ("a.gz", gzip.compress(b"secret", mtime=0)[:-4], "cannot be read"),
    ],
)
def test_what_cannot_be_read_is_named_and_not_quoted(tmp_path, name, data, fault):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError, match=fault) as caught:
        content(tmp_path / name)
    assert "secret" not in str(caught.value) and caught.value.__context__ is None


def test_csv_rows_know_their_lines_and_may_be_long():
    assert csv_rows('a,b\n\n"x\ny",2\n') == [(1, ["a", "b"]), (4, ["x\ny", "2"])]
    assert csv_rows("x" * 200_000) == [(1, ["x" * 200_000])]


def test_columns_of_what_is_no_parquet(tmp_path):
    (tmp_path / "a.parquet").write_bytes(b"nonsense")
    with pytest.raises(InputError, match=r"a\.parquet is no parquet file with the columns text"):
        columns(tmp_path / "a.parquet", ["text"])

"""Bad input is a usage error that names the file and never quotes it."""

import pytest
from toy_desk import MARKER

from privstamp.cli.source import read_source
from privstamp.errors import InputError


def refused(run, *arguments, **settings):
    done = run("privatize", *arguments, "--policy", "toy.toml", **settings)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert MARKER not in done.stderr
    return done.stderr


def test_missing_file_mentions_the_dash(run):
    message = refused(run, "nowhere.txt")
    assert "nowhere.txt" in message
    assert "- for standard input" in message


def test_a_text_in_the_place_of_a_file_is_not_repeated(run):
    refused(run, f"{MARKER} has a cough")
    refused(run, MARKER * 100)


def test_folder(run, desk):
    (desk / "folder").mkdir()
    assert "folder is a folder" in refused(run, "folder")


def test_a_name_that_cannot_be(run):
    refused(run, "no\0name")


def test_bytes_that_are_not_utf8(run, desk):
    (desk / "bad.txt").write_bytes(f"{MARKER} ".encode() + b"\xff\xfe")
    assert "bad.txt is not UTF-8 text (byte 10)" in refused(run, "bad.txt")
    assert "standard input is not UTF-8" in refused(run, "-", input=b"\xff")


def test_a_program_is_not_text(run, desk):
    (desk / "program").write_bytes(b"\x7fELF\x02\x01\x01\0" + bytes(range(128, 256)))
    refused(run, "program")


def test_a_locked_file(run, desk, monkeypatch):
    def locked(_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.read_bytes", locked)
    assert "Permission denied" in refused(run, "note.txt")


def test_the_error_carries_no_context(tmp_path):
    path = tmp_path / "bad.txt"
    path.write_bytes(MARKER.encode() + b"\xff")
    with pytest.raises(InputError) as caught:
        read_source(str(path))
    assert caught.value.__context__ is None
    assert caught.value.__cause__ is None


def test_characters_arrive_as_they_are(tmp_path):
    text = "\ufeffa\r\nb\rc\0\u2028d"
    (tmp_path / "odd.txt").write_bytes(text.encode())
    assert read_source(str(tmp_path / "odd.txt")) == text

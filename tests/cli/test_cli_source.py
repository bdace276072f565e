"""Bad input is a usage error that names the file and never quotes it."""

import os
import subprocess
import threading
import time
from pathlib import Path

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
    def locked(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("privstamp.cli.source._opened", locked)
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


def test_what_is_too_large_is_refused_and_may_be_allowed(run, desk):
    (desk / "large.txt").write_text(f"{MARKER} w1 " * 100)
    message = refused(run, "large.txt", "--max-size", "1k")
    assert "larger than 1k" in message and "--max-size" in message
    assert "larger than 1k" in refused(run, "-", "--max-size", "1k", input=b"w1 " * 400)
    assert run("privatize", "large.txt", "--policy", "toy.toml", "--max-size", "2kB").exit_code == 0


@pytest.mark.parametrize("size", ["", "many", "-1", "0", "1.5MB", "MB"])
def test_a_size_that_is_none(run, size):
    assert "say 200MB" in refused(run, "note.txt", "--max-size", size)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="devices of Unix")
def test_devices_are_no_texts(run):
    assert "neither a file nor a pipe" in refused(run, "/dev/zero")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes of Unix")
def test_a_pipe_that_nobody_writes_to_is_not_waited_for(run, desk, monkeypatch):
    os.mkfifo(desk / "pipe")
    monkeypatch.setattr("privstamp.cli.source._WAIT", 0.1)
    assert "nobody writes" in refused(run, "pipe")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes of Unix")
@pytest.mark.parametrize("pause", [0.0, 0.3])
def test_a_named_pipe_is_read_to_its_end(desk, pause):
    os.mkfifo(desk / "pipe")

    def write():
        with (desk / "pipe").open("wb") as pipe:
            time.sleep(pause)
            pipe.write(b"w1 w2\n" * 50_000)

    writer = threading.Thread(target=write)
    writer.start()
    assert read_source(str(desk / "pipe")) == "w1 w2\n" * 50_000
    writer.join()


def test_an_endless_pipe_is_read_no_further_than_its_limit(spawn):
    endless = subprocess.Popen(["yes", MARKER], stdout=subprocess.PIPE)
    try:
        command = ("privatize", "-", "--policy", "toy.toml", "--max-size", "1MB")
        done = spawn(*command, stdin=endless.stdout)
    finally:
        endless.kill()
        endless.wait()
        endless.stdout.close()
    assert done.returncode == 2 and b"larger than 1MB" in done.stderr

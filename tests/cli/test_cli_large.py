"""privatize --large as a command: any source, all of it or nothing."""

import json
import os
import signal
import subprocess
import threading
import time
from pathlib import Path

import pytest
from toy_desk import COMMAND, MARKER

from privstamp.batch import cuts

TOY = ("--policy", "toy.toml")
TEXT = f"w1 w2, {MARKER} w4 and bob@example.org.\r\nw5 12-34 w200.\n\n"
unix = pytest.mark.skipif(os.name == "nt", reason="signals and pipes of Unix")


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(cuts, "SIZE", 300)


def test_one_release_with_its_map_and_certificate(run, desk, small):
    (desk / "large.txt").write_bytes(TEXT.encode() * 50)
    command = ("privatize", "large.txt", "--large", *TOY, "-o", "out.txt")
    done = run(*command, "--map", "out.map", "--certificate", "out.json")
    assert (done.exit_code, done.stdout) == (0, ""), done.stderr
    released = (desk / "out.txt").read_bytes()
    assert MARKER.encode() not in released and b"bob@" not in released
    assert released.count(b"@example.com") == 50 and len(set(released.split(b"\n\n")[:-1])) > 1
    back = run("restore", "out.txt", "--map", "out.map", "--trusted")
    assert back.stdout_bytes == TEXT.encode() * 50
    assert (desk / "out.map").stat().st_mode & 0o077 == 0
    counts = json.loads((desk / "out.json").read_text())["counts"]
    whole = run("privatize", "large.txt", *TOY, "--json", "--format", "plain")
    assert counts == json.loads(whole.stdout)["certificate"]["counts"]
    assert sorted(path.name for path in desk.iterdir() if path.name.startswith("out")) == [
        "out.json",
        "out.map",
        "out.txt",
    ]


@pytest.mark.parametrize(
    "options",
    [["--json"], ["--task", "w1"], ["--repair", "local"], ["--task-file", "note.txt"]],
)
def test_what_does_not_go_with_it(run, desk, options):
    done = run("privatize", "note.txt", "--large", *TOY, "-o", "out.txt", *options)
    assert done.exit_code == 2 and "--large goes without" in done.stderr
    assert not (desk / "out.txt").exists()


def test_it_writes_an_ordinary_file(run):
    assert "-o OUT" in run("privatize", "note.txt", "--large", *TOY).stderr
    done = run("privatize", "note.txt", "--large", *TOY, "-o", "/dev/null")
    assert done.exit_code == 2 and "ordinary file" in done.stderr
    done = run("privatize", "note.txt", "--large", *TOY, "-o", "note.txt")
    assert done.exit_code == 2 and "already named" in done.stderr


def test_what_is_too_large_names_the_way(run, desk):
    done = run("privatize", "note.txt", *TOY, "--max-size", "10")
    assert done.exit_code == 2 and "--large -o OUT" in done.stderr
    done = run("restore", "note.txt", "--map", "x", "--max-size", "10")
    assert done.exit_code == 2 and "--max-size" in done.stderr


def test_output_goes_to_a_file_also_at_once(run, desk):
    done = run("privatize", "note.txt", *TOY, "-o", "out.txt")
    assert (done.exit_code, done.stdout) == (0, "")
    assert (desk / "out.txt").read_bytes().count(b"\r\n") == 1


@pytest.mark.parametrize("content", [b"w1 \xff w2", b"w1\n\n" * 400 + b"\xe2\x82"])
def test_what_is_no_text_leaves_nothing(run, desk, small, content):
    (desk / "bad.txt").write_bytes(content)
    done = run("privatize", "bad.txt", "--large", *TOY, "-o", "out.txt", "--map", "out.map")
    assert done.exit_code == 2 and "not UTF-8" in done.stderr
    assert not [path for path in desk.iterdir() if "out." in path.name]


@unix
def test_a_device_a_silent_pipe_and_an_endless_line(run, spawn, desk, monkeypatch):
    monkeypatch.setattr("privstamp.cli.source._WAIT", 0.1)
    target = ("--large", *TOY, "-o", "out.txt")
    assert "neither a file nor a pipe" in run("privatize", "/dev/zero", *target).stderr
    os.mkfifo(desk / "pipe")
    assert "nobody writes" in run("privatize", "pipe", *target).stderr
    with Path("/dev/zero").open("rb") as zeros:
        done = spawn("privatize", "-", *target, stdin=zeros)
    assert done.returncode == 2 and b"without a place to cut at" in done.stderr
    assert not [path for path in desk.iterdir() if "out." in path.name]


@unix
def test_a_named_pipe_goes_in_parts(run, desk, small):
    os.mkfifo(desk / "pipe")

    def write():
        with (desk / "pipe").open("wb") as pipe:
            for _ in range(30):
                pipe.write(TEXT.encode())

    writer = threading.Thread(target=write)
    writer.start()
    done = run("privatize", "pipe", "--large", *TOY, "-o", "out.txt", "--map", "out.map")
    writer.join()
    assert done.exit_code == 0, done.stderr
    back = run("restore", "out.txt", "--map", "out.map", "--trusted")
    assert back.stdout_bytes == TEXT.encode() * 30


@unix
@pytest.mark.parametrize("ended", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_what_ends_it_leaves_nothing(desk, ended):
    """Interrupted while more is to come: it has read, drawn and written a part by then."""
    line = subprocess.Popen(
        [*COMMAND, "privatize", "-", "--large", *TOY, "-o", "out.txt", "--map", "out.map"],
        cwd=desk,
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(ended, signal.SIG_DFL),  # nohup would keep it ignored
    )
    line.stdin.write(TEXT.encode() * 2500)  # more than a part; then it waits for the rest
    line.stdin.flush()
    while not any(path.stat().st_size for path in desk.glob(".out.txt.*")):
        assert line.poll() is None, line.stderr.read()
        time.sleep(0.05)
    line.send_signal(ended)
    line.stdin.close()
    assert line.wait() == 128 + ended
    assert line.stderr.read() == b"privstamp: error: interrupted; nothing was released\n"
    line.stderr.close()
    assert not [path for path in desk.iterdir() if "out." in path.name]


@unix
def test_a_full_disk_leaves_nothing(run, desk, small, monkeypatch):
    (desk / "large.txt").write_bytes(TEXT.encode() * 50)
    synced = []

    def full(_):
        synced.append(1)
        if len(synced) == 2:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    done = run("privatize", "large.txt", "--large", *TOY, "-o", "out.txt", "--map", "out.map")
    assert done.exit_code == 1 and "full" in done.stderr, done.stderr
    assert not [path for path in desk.iterdir() if "out." in path.name]

"""The command as a process: exit codes, pipes, signals, encodings, start-up."""

import os
import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from toy_desk import COMMAND, MARKER

TOY = ("--policy", "toy.toml")
INTERRUPTED = b"privstamp: error: interrupted; nothing was released\n"
unix = pytest.mark.skipif(os.name == "nt", reason="signals and pipes of Unix")


def test_privatize_as_a_process(spawn):
    done = spawn("privatize", "note.txt", *TOY)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b"\r\n") == 1


def test_output_is_utf8_whatever_the_locale(spawn, desk):
    (desk / "e.txt").write_text("w1 … w2", encoding="utf-8")
    odd = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0"}
    done = spawn("privatize", "e.txt", *TOY, env=odd)
    assert done.returncode == 0
    assert "…" in done.stdout.decode("utf-8")


def test_usage_errors_are_2(spawn):
    for wrong in (["privatize"], ["privatise", "x"], ["restore", "x"], ["explain", "--limit", "x"]):
        done = spawn(*wrong)
        assert (done.returncode, done.stdout) == (2, b"")
        assert b"Traceback" not in done.stderr
    assert b"Did you mean 'privatize'?" in spawn("privatise", "x").stderr


@unix
def test_a_closed_pipe_is_quiet(desk):
    line = subprocess.Popen(
        [*COMMAND, "privatize", "note.txt", *TOY],
        cwd=desk,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    line.stdout.close()  # before it writes: it has to start first
    assert line.wait(60) == 1
    assert line.stderr.read() == b""
    line.stderr.close()


@unix
def test_standard_output_that_is_closed_or_full(spawn):
    closed = spawn(
        "privatize",
        "note.txt",
        *TOY,
        preexec_fn=lambda: os.close(1),
        stdout=None,
        capture_output=False,
        stderr=subprocess.PIPE,
    )
    assert closed.returncode == 1
    assert b"standard output is closed" in closed.stderr
    with Path("/dev/full").open("wb") as full:
        done = spawn(
            "privatize", "note.txt", *TOY, capture_output=False, stdout=full, stderr=subprocess.PIPE
        )
    assert done.returncode == 1
    assert b"the disk is full" in done.stderr
    assert b"Traceback" not in done.stderr
    assert MARKER.encode() not in done.stderr


@unix
def test_standard_input_that_is_closed(spawn):
    done = spawn("privatize", "-", *TOY, preexec_fn=lambda: os.close(0))
    assert done.returncode == 2
    assert b"standard input is closed" in done.stderr


@unix
def test_ctrl_c_is_130_and_releases_nothing(desk):
    (desk / "long.txt").write_text(f"w1 w2 {MARKER} w3\n" * 200_000)
    line = subprocess.Popen(
        [*COMMAND, "privatize", "long.txt", "--map", "m.json", *TOY],
        cwd=desk,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    time.sleep(2.0)
    line.send_signal(signal.SIGINT)
    out, err = line.communicate(timeout=60)
    assert (line.returncode, out) == (130, b"")
    assert b"nothing was released" in err
    assert b"Traceback" not in err
    assert MARKER.encode() not in err
    assert not (desk / "m.json").exists()


@unix
def test_an_interrupt_that_python_drops_still_stops_the_release(desk):
    """One that arrives inside a finaliser is printed and forgotten by the interpreter."""
    script = (
        "import os, signal, sys; from privstamp import pipeline; from privstamp.cli import main\n"
        "class Late:\n"
        "    def __del__(self): os.kill(os.getpid(), signal.SIGINT); sum(range(10000))\n"
        "whole = pipeline.Privatizer.privatize\n"
        "def late(*a, **k):\n"
        "    Late()\n"
        "    return whole(*a, **k)\n"
        "pipeline.Privatizer.privatize = late\n"
        "sys.argv = ['privstamp', 'privatize', 'note.txt', '--policy', 'toy.toml']\n"
        f"sys.path.insert(0, {str(COMMAND[1].rpartition(os.sep)[0])!r}); import toy_command\n"
        "main()"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=desk, capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", INTERRUPTED)


READY = (
    "import os, sys; from privstamp.cli import main\n"
    f"sys.path.insert(0, {str(COMMAND[1].rpartition(os.sep)[0])!r}); import toy_command\n"
    "sys.argv[0] = 'privstamp'; os.write(1, b'!'); main()"
)


@unix
def test_ctrl_c_at_any_time_is_one_line(desk):
    """From the first import on, over reading, splitting, finding, drawing and writing."""
    (desk / "long.txt").write_text(f"w1 w2, {MARKER} met bob@example.org w3\n" * 60_000)
    for number in range(10):
        line = subprocess.Popen(
            [sys.executable, "-c", READY, "privatize", "long.txt", "--map", "m.json", *TOY],
            cwd=desk,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,  # as in a terminal, all processes of the group are told
        )
        assert line.stdout.read(1) == b"!"
        time.sleep(0.02 + 0.4 * number * random.random())
        os.killpg(line.pid, signal.SIGINT)
        out, err = line.communicate(timeout=60)
        assert (line.returncode, err) == (130, INTERRUPTED)
        assert out == b""
        assert sorted(path.name for path in desk.iterdir()) == ["long.txt", "note.txt", "toy.toml"]


@unix
@pytest.mark.parametrize("as_error", ["RuntimeError('x') from None", "KeyboardInterrupt"])
def test_an_interrupt_that_a_part_turns_into_another_error_is_130(desk, as_error):
    script = (
        "import os, signal, sys; from privstamp import pipeline; from privstamp.cli import main\n"
        "def stopped(*a, **k):\n"
        "    try: os.kill(os.getpid(), signal.SIGINT); sum(range(10000))\n"
        f"    except KeyboardInterrupt: raise {as_error}\n"
        "pipeline.Privatizer.privatize = stopped\n"
        "sys.argv = ['privstamp', 'privatize', 'note.txt', '--policy', 'toy.toml']\n"
        f"sys.path.insert(0, {str(COMMAND[1].rpartition(os.sep)[0])!r}); import toy_command\n"
        "main()"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=desk, capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", INTERRUPTED)


@unix
def test_a_thread_that_breaks_prints_nothing_of_what_it_read(desk):
    script = (
        "import sys, threading; from privstamp import pipeline; from privstamp.cli import main\n"
        f"def broken(): raise KeyError('{MARKER}')\n"
        "whole = pipeline.Privatizer.privatize\n"
        "def late(*a, **k):\n"
        "    thread = threading.Thread(target=broken); thread.start(); thread.join()\n"
        "    return whole(*a, **k)\n"
        "pipeline.Privatizer.privatize = late\n"
        "sys.argv = ['privstamp', 'privatize', 'note.txt', '--policy', 'toy.toml']\n"
        f"sys.path.insert(0, {str(COMMAND[1].rpartition(os.sep)[0])!r}); import toy_command\n"
        "main()"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=desk, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")


@unix
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_redirected_release_that_did_not_fit_leaves_nothing(desk, unbuffered):
    """What was in the file before stays; a limit on its size stands for the end of the disk."""
    (desk / "long.txt").write_text("w1 w2 w3\n" * 20_000)
    (desk / "out.txt").write_text("before\n")
    script = (
        "import resource, sys; from privstamp import pipeline; from privstamp.cli import main\n"
        "whole = pipeline.Privatizer.privatize\n"
        "def last(*a, **k):\n"
        "    result = whole(*a, **k)\n"
        "    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))\n"
        "    return result\n"
        "pipeline.Privatizer.privatize = last\n"
        "sys.argv = ['privstamp', 'privatize', 'long.txt', '--policy', 'toy.toml']\n"
        f"sys.path.insert(0, {str(COMMAND[1].rpartition(os.sep)[0])!r}); import toy_command\n"
        "main()"
    )
    with (desk / "out.txt").open("ab") as target:
        done = subprocess.run(
            [sys.executable, "-c", script],
            cwd=desk,
            stdout=target,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        )
    assert done.returncode == 1
    assert b"nothing was released" in done.stderr
    assert (desk / "out.txt").read_text() == "before\n"


@pytest.mark.parametrize("debug", ["", "1"])
def test_an_unexpected_error_is_one_line_without_its_message(spawn, desk, debug):
    script = (
        "import sys; from privstamp import pipeline; from privstamp.cli import main\n"
        f"def broken(*a, **k): raise KeyError('{MARKER}')\n"
        "pipeline.Privatizer.privatize = broken\n"
        f"sys.argv = ['privstamp', 'privatize', 'note.txt', '--policy', 'toy.toml']\n"
        f"sys.path.insert(0, {str(COMMAND[1].rpartition(os.sep)[0])!r}); import toy_command\n"
        "main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=desk,
        capture_output=True,
        env={**os.environ, "PRIVSTAMP_DEBUG": debug},
    )
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"unexpected failure (KeyError); nothing was released" in done.stderr
    assert MARKER.encode() not in done.stderr
    assert (b"in broken" in done.stderr) == bool(debug)


def test_help_is_quick(spawn):
    """Beside what numpy alone takes to be imported, in processor time: the machine may be busy."""

    def spent(run) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert run().returncode == 0
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    numpy = [sys.executable, "-c", "import numpy, pydantic"]
    turns = [
        (spent(lambda: spawn("--help")), spent(lambda: subprocess.run(numpy))) for _ in range(3)
    ]
    assert min(ours for ours, _ in turns) < 2 * min(theirs for _, theirs in turns)


def test_help_imports_nothing_heavy():
    script = (
        "import sys; from privstamp.cli.app import app\n"
        "print(sorted({'numpy', 'pydantic_core', 'spacy', 'rich', 'pyarrow'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert "numpy" not in done.stdout
    assert "spacy" not in done.stdout
    assert "pyarrow" not in done.stdout


def test_the_installed_command_is_this_one():
    from importlib.metadata import entry_points

    [point] = [p for p in entry_points(group="console_scripts") if p.name == "privstamp"]
    assert point.value == "privstamp.cli:main"


@unix
def test_a_command_writes_no_core():
    child = (
        "import resource, privstamp.cli, privstamp.cli.app as module\n"
        "most = resource.getrlimit(resource.RLIMIT_CORE)[1]\n"
        "resource.setrlimit(resource.RLIMIT_CORE, (most, most))\n"
        "module.app = lambda **_: print(*resource.getrlimit(resource.RLIMIT_CORE))\n"
        "privstamp.cli.main()\n"
    )
    done = subprocess.run([sys.executable, "-c", child], capture_output=True, check=True)
    assert done.stdout == b"0 0\n"


def test_what_is_made_once_is_told_without_a_terminal(monkeypatch, capsys, tmp_path):
    from privstamp.assets.cache import announce, derived
    from privstamp.cli.screen import building

    monkeypatch.setenv("PRIVSTAMP_CACHE", str(tmp_path))
    announce(building)
    try:
        for _ in range(2):
            derived("toy", {"a": "1"}, lambda folder: (folder / "x").touch(), label="making a toy")
    finally:
        announce()
    assert capsys.readouterr().err.count("making a toy: this may take") == 1

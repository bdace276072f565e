import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from privstamp.models import chat
from privstamp.models.local import PARENT

FAKE = Path(__file__).with_name("fake_chat.py")
START = {"path": "toy.gguf", "threads": 1, "memory": 4_000_000_000, "seed": 0}


@pytest.fixture
def process():
    command = [sys.executable, str(FAKE)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as started:
        yield started
        started.kill()


def say(process, message) -> None:
    process.stdin.write(json.dumps(message).encode() + b"\n")
    process.stdin.flush()


def ask(process, message) -> dict:
    say(process, message)
    return json.loads(process.stdout.readline())


def question(text: str) -> dict:
    return {"prompts": [[text, None]], "temperature": 0.0, "max_tokens": 9}


def test_lines_are_answered_until_the_input_ends(process):
    assert ask(process, START) == {"positions": 1000}
    assert ask(process, question("x\n\nabc")) == {"replies": [["cba", len("None:x\n\nabc") + 1, 3]]}
    os.kill(process.pid, signal.SIGINT)  # Ctrl-C reaches every process of a terminal
    assert ask(process, question("x\n\n" + "y" * 990)) == {"too_long": 998 + 1}
    assert ask(process, question("x\n\nraise")) == {"failed": "ValueError"}  # and not its text
    process.stdin.close()
    assert process.wait(20) == 0


def test_it_ends_in_the_middle_of_a_reply(process):
    ask(process, START)
    say(process, question("x\n\nsleep"))
    process.stdin.close()
    assert process.wait(20) == 0


def test_it_ends_with_its_parent_though_a_fork_holds_its_input():
    # Standard error stays open for as long as the process lives, and no longer.
    parent = (
        "import os, subprocess, sys, time\n"
        f"env = {{**os.environ, {PARENT!r}: str(os.getpid())}}\n"
        f"subprocess.Popen([sys.executable, {str(FAKE)!r}], stdin=-1, stdout=-1, env=env)\n"
        "if not os.fork():\n    os.close(1)\n    os.close(2)\n    time.sleep(120)\n"
        "os._exit(0)"  # before the process has begun to look
    )
    command = [sys.executable, "-c", parent]
    done = subprocess.run(command, stderr=subprocess.PIPE, timeout=100, check=True)
    assert done.stderr == b""


def test_limits_are_set_and_no_core_is_written(monkeypatch):
    set_to = {}
    monkeypatch.setattr(resource, "getrlimit", lambda _: (1, 5_000))
    monkeypatch.setattr(resource, "setrlimit", set_to.__setitem__)
    chat._limit(10_000)
    assert set_to == {resource.RLIMIT_AS: (5_000, 5_000), resource.RLIMIT_CORE: (0, 0)}
    monkeypatch.setattr(resource, "getrlimit", lambda _: (1, resource.RLIM_INFINITY))
    chat._limit(10_000)
    assert set_to[resource.RLIMIT_AS] == (10_000, 10_000)


@pytest.mark.parametrize("error", [ValueError, OSError])
def test_a_system_without_such_limits_is_no_trouble(monkeypatch, error):
    def refuse(*_):
        raise error

    monkeypatch.setattr(resource, "setrlimit", refuse)
    chat._limit(10_000)
    monkeypatch.setitem(sys.modules, "resource", None)
    chat._limit(10_000)

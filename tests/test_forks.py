"""A process that is forked while another thread privatises goes on, whatever that thread held."""

from __future__ import annotations

import os
import signal
import threading
import time

import pytest

from privstamp import Privatizer
from privstamp.crew.threads import Lock
from privstamp.mechanisms._discrete import Recent
from privstamp.policy import PRESETS

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this platform")
TEXT = "Miriam Castellano of 12 Rose Lane wrote to mara@example.com about the annual report. " * 3
PATIENCE = 600


def in_child(work) -> int:
    """Exit code of a forked child that works; a child that hangs is ended by a signal."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            signal.alarm(PATIENCE)
            work()
            code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def held_elsewhere(lock):
    """Another thread holds the lock until told to let go."""
    taken, let_go = threading.Event(), threading.Event()

    def hold():
        with lock:
            taken.set()
            let_go.wait()

    thread = threading.Thread(target=hold)
    thread.start()
    taken.wait()
    return lambda: (let_go.set(), thread.join())


@pytest.fixture
def hasty(monkeypatch):
    """A fork that does not wait for whoever is inside."""
    monkeypatch.setattr("privstamp.crew.threads._PATIENCE", 0.0)


def test_a_fork_waits_for_whoever_is_inside(monkeypatch):
    monkeypatch.setattr("privstamp.crew.threads._PATIENCE", float(PATIENCE))
    mended = []
    lock = Lock(lambda: mended.append(True))
    let_go = held_elsewhere(lock)
    threading.Timer(0.2, let_go).start()

    def work():
        with lock:
            assert not mended

    assert in_child(work) == 0
    with lock:  # open in the parent too
        pass


def test_a_fork_from_inside_stays_inside():
    lock = Lock()

    def work():
        with lock:
            assert in_child(lambda: None) == 0

    with lock:
        assert in_child(lambda: None) == 0
    assert in_child(work) == 0


def test_a_child_finds_a_lock_open_and_what_it_guards_mended(hasty):
    mended = []
    lock = Lock(lambda: mended.append(True))
    let_go = held_elsewhere(lock)

    def work():
        with lock:
            assert mended == [True]

    try:
        assert in_child(work) == 0
        assert not mended
    finally:
        let_go()


def test_a_cache_that_was_being_changed_is_empty_in_the_child(hasty):
    cache = Recent()
    cache.nbytes = 17
    let_go = held_elsewhere(cache._lock)

    def work():
        assert cache.nbytes == 0

    try:
        assert in_child(work) == 0
    finally:
        let_go()


@pytest.fixture(scope="module", params=["selective", "readable"])
def line(request):
    made = Privatizer(PRESETS[request.param])
    made.privatize(TEXT)
    return made


@pytest.mark.parametrize(
    "stage", ["splitting", "sensitivity", "importance", "grouping", "mechanism", "release"]
)
def test_forked_in_the_middle_of_a_stage(line, stage):
    """The thread is caught while it is inside the stage, several times at different moments."""
    inside, stop = threading.Event(), threading.Event()
    busy = line.with_noise()

    def watch(name, _done):
        inside.set() if name == stage else inside.clear()

    def work():
        while not stop.is_set():
            busy.privatize(TEXT)

    busy.watch(watch)
    thread = threading.Thread(target=work)
    thread.start()
    try:
        for moment in (0.0, 0.003):
            assert inside.wait(PATIENCE)
            time.sleep(moment)
            assert in_child(lambda: line.privatize(TEXT)) == 0
    finally:
        stop.set()
        thread.join()


def test_forked_while_every_lock_of_the_line_is_held(line, hasty):
    """The worst moment, on purpose: names are found in a child all the same."""
    import gc

    locks = [thing for thing in gc.get_objects() if isinstance(thing, Lock)]
    release = [held_elsewhere(lock) for lock in locks]

    def work():
        assert "Castellano" not in line.privatize(TEXT).text

    try:
        assert len(locks) >= 2
        assert in_child(work) == 0
    finally:
        for let_go in release:
            let_go()

from __future__ import annotations

import os
import threading
from itertools import chain

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from privstamp.crew import threads
from privstamp.crew.threads import shared

WAIT = 300
"""Seconds that nobody needs, so that a test that hangs ends."""


@pytest.fixture
def three(monkeypatch):
    monkeypatch.setattr(threads._blas, "threads", lambda: 3)


def blas():
    """Threads of NumPy's BLAS; scipy and faiss may bring others, which no product here uses."""
    known = [one for one in threadpool_info() if one["user_api"] == "blas"]
    return [one["num_threads"] for one in known if "numpy" in one["filepath"]]


def test_numpy_has_a_blas_that_can_be_seen():
    assert blas()


def test_every_job_is_done_once(three):
    found = shared(range(1000), list, 1e12)
    assert sorted(chain(*found)) == list(range(1000))
    assert 1 <= len(found) <= 3


def test_jobs_run_side_by_side(three):
    meeting = threading.Barrier(3, timeout=WAIT)

    def work(jobs):
        return [meeting.wait() for _ in jobs]

    assert sorted(chain(*shared(range(3), work, 1e12))) == [0, 1, 2]


@pytest.mark.parametrize(("operations", "given"), [(1e3, 3), (1e12, 1)])
def test_little_work_and_one_thread_stay_here(operations, given, monkeypatch):
    monkeypatch.setattr(threads._blas, "threads", lambda: given)
    here = threading.get_ident()
    assert shared(range(5), lambda jobs: [threading.get_ident() for _ in jobs], operations) == [
        [here] * 5
    ]


@pytest.mark.parametrize("operations", [1e3, 1e12])
def test_blas_has_one_thread_inside_and_what_it_had_outside(operations, three):
    with threadpool_limits(2, user_api="blas"):
        before = blas()
        inside = shared(range(3), lambda jobs: [blas() for _ in jobs], operations)
        assert blas() == before
    assert all(one == 1 for found in inside for job in found for one in job)


@pytest.mark.parametrize("given", [1, 2])
def test_whoever_holds_blas_is_told_what_it_is_given(given):
    with threadpool_limits(given, user_api="blas"):
        before = blas()
        with threads.held() as told, threads.held() as again:
            assert told == again == min(before)
            assert set(blas()) == {1}
        assert blas() == before


def test_blas_gets_back_what_it_had_from_whoever_leaves_last():
    first_in, second_in, first_out, end = (threading.Event() for _ in range(4))

    def first():
        with threads.held():
            first_in.set()
            second_in.wait(WAIT)
        first_out.set()
        end.wait(WAIT)  # a thread that lives on keeps the say

    with threadpool_limits(2, user_api="blas"):
        threads._let_go()  # as if it had been so from the start
        before = blas()
        other = threading.Thread(target=first)
        other.start()
        first_in.wait(WAIT)
        with threads.held():
            second_in.set()
            first_out.wait(WAIT)
            assert set(blas()) == {1}
        after = blas()
        end.set()
        other.join()
    assert after == before == [2] * len(before)


@pytest.mark.parametrize("given", [1, 2])
def test_no_more_threads_than_the_user_gives(given):
    np.ones((2, 2)) @ np.ones((2, 2))
    with threadpool_limits(given, user_api="blas"):
        assert threads._blas.threads() == min(blas(), default=1)
        assert len(shared(range(50), list, 1e12)) <= given


def test_who_comes_second_gets_what_is_left(three):
    inside, end = threading.Event(), threading.Event()

    def work(jobs):
        for _ in jobs:
            inside.set()
            end.wait(WAIT)

    first = threading.Thread(target=shared, args=(range(3), work, 1e12))
    first.start()
    inside.wait(WAIT)
    with threads.held():  # a third one
        found = shared(range(50), lambda jobs: [threading.get_ident() for _ in jobs], 1e12)
    end.set()
    first.join()
    assert found == [[threading.get_ident()] * 50]


@pytest.mark.parametrize("bad", [0, 7, 19])
def test_an_error_of_any_thread_arrives(bad, three):
    def work(jobs):
        for job in jobs:
            if job == bad:
                raise ValueError("broken")

    before = blas()
    with pytest.raises(ValueError, match="broken"):
        shared(range(20), work, 1e12)
    assert blas() == before


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this platform")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own(three):
    shared(range(9), list, 1e12)
    child = os.fork()
    if child == 0:
        threads._blas.threads = lambda: 3
        done = sum(map(len, shared(range(9), list, 1e12)))
        os._exit(done)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this platform")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_process_forked_in_the_middle_of_work_gets_its_blas_back():
    with threadpool_limits(2, user_api="blas"):
        threads._let_go()
        before = blas()
        with threads.held():
            child = os.fork()
            if child == 0:
                os._exit(0 if blas() == before else 1)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
            assert set(blas()) == {1}


def test_torch_stays_on_one_thread_and_only_inside():
    torch = pytest.importorskip("torch")
    before = torch.get_num_threads()
    with threads.alone(torch):
        assert torch.get_num_threads() == 1
        elsewhere = threading.Thread(target=lambda: seen.append(torch.get_num_threads()))
        seen: list[int] = []
        elsewhere.start()
        elsewhere.join()
    assert seen == [before]
    assert torch.get_num_threads() == before

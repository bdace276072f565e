"""Texts spread over processes: in order, nothing lost, nothing shared, nothing left behind."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import pytest

from privstamp import Privatizer
from privstamp.crew.processes import spread
from privstamp.errors import InputError, MissingExtra, StageFailed, UsageError
from privstamp.policy import Policy

TEXTS = [f"Miriam Castellano saw patient {number} in Lisbon." for number in range(40)]


def processes(batch):
    return os.getpid(), batch


def serve():
    return processes


def broken():
    return _break


def _break(batch):
    if batch == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    if batch == 5:
        raise ValueError("Miriam Castellano")
    return batch


WAYS = pytest.mark.parametrize("forked", [False, True])


@WAYS
def test_answers_come_in_order_from_several_processes(forked):
    found = list(spread(serve, range(30), 2, forked=forked))
    assert [batch for batch, _ in found] == [answer[1] for _, answer in found] == list(range(30))
    assert os.getpid() not in {answer[0] for _, answer in found}


@WAYS
def test_a_process_that_is_ended_loses_its_batch_alone(forked):
    found = dict(spread(broken, range(9), 2, forked=forked))
    assert isinstance(found[3], StageFailed) and "ended" in str(found[3])
    assert isinstance(found[5], StageFailed) and "Castellano" not in str(found[5])
    assert all(found[batch] == batch for batch in range(9) if batch not in (3, 5))


def test_no_more_is_read_ahead_than_is_under_way():
    read = []

    def batches():
        for number in range(100):
            read.append(number)
            yield number

    answers = spread(serve, batches(), 2)
    next(answers)
    assert len(read) <= 4
    answers.close()


@WAYS
def test_whoever_stops_leaves_no_process_behind(forked):
    answers = spread(serve, range(100), 2, forked=forked)
    pids = {next(answers)[1][0] for _ in range(6)}
    answers.close()
    ends = time.monotonic() + 300
    while (left := [pid for pid in pids if runs(pid)]) and time.monotonic() < ends:
        time.sleep(0.05)
    assert not left


def runs(pid):
    """Whether it does; one that has ended may still wait for whoever asks how."""
    status = Path(f"/proc/{pid}/stat")
    if not Path("/proc/self/stat").exists():
        return subprocess.run(["kill", "-0", str(pid)], capture_output=True).returncode == 0
    with suppress(OSError):
        return status.read_text().rpartition(")")[2].split()[0] not in "ZX"
    return False


@pytest.fixture(scope="module")
def line():
    return Privatizer()


def test_many_texts_by_two_processes(line):
    results = list(line.privatize_many(TEXTS, jobs=2))
    assert len(results) == len(TEXTS)
    for text, result in zip(TEXTS, results, strict=True):
        assert "Castellano" not in result.text
        assert result.restore(result.text, trusted=True) == text
    assert len({result.text for result in results}) > len(TEXTS) // 2  # noise of its own for each


def test_a_secret_gives_the_same_releases_by_any_number_of_processes(line):
    keyed = line.with_noise(secret=b"s" * 16)
    alone = [result.text for result in keyed.privatize_many(TEXTS[:20])]
    assert [result.text for result in keyed.privatize_many(TEXTS[:20], jobs=2)] == alone


def test_a_bad_text_is_a_failure_in_its_place(line):
    results = list(line.privatize_many([TEXTS[0], 7, TEXTS[1]], jobs=2))
    assert [result.ok for result in results] == [True, False, True]
    assert isinstance(results[1].error, InputError) and results[1].index == 1


@pytest.mark.parametrize("jobs", [0, -1, 1.5, True])
def test_jobs_is_a_number_of_processes(line, jobs):
    with pytest.raises(UsageError, match="jobs"):
        list(line.privatize_many(TEXTS, jobs=jobs))


def test_a_pickled_privatizer_is_its_policy(line):
    content = pickle.dumps(line.with_noise(seed=5))
    assert len(content) < 20_000
    assert (
        pickle.loads(content).privatize(TEXTS[0]).text
        == line.with_noise(seed=5).privatize(TEXTS[0]).text
    )


def test_a_secret_is_never_pickled(line):
    with pytest.raises(UsageError, match="with_noise"):
        pickle.dumps(line.with_noise(secret=b"s" * 16))


def test_given_parts_are_never_pickled(line):
    with pytest.raises(UsageError, match="given its parts"):
        pickle.dumps(Privatizer(Policy.preset("selective"), parts=line.parts))


def test_errors_can_go_through_a_pipe():
    error = MissingExtra("lm", "a model")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)

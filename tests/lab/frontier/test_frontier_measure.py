"""A setting measured on a toy table: complete records that agree with each other."""

import json

import numpy as np
import pytest

from privstamp.lab.frontier.figures import Bench, Effort, plain
from privstamp.lab.frontier.grid import Setting
from toys import ToySpace

SMALL = Effort(40, 1500, 300, 20, 10_000, 50, sweep=True)


@pytest.fixture(scope="module")
def bench():
    return Bench(ToySpace(rows=300, dimensions=6, classes=("content", "name")), SMALL)


def test_records_are_flat_and_say_everything(bench):
    setting = Setting("neighbourhood", "hops", (2.0, 5.0), {"plateau": 1})
    low, high = bench.measure(setting)
    assert low["epsilon"] == 2.0 and low["setting"] == "neighbourhood (plateau 1)"
    assert low["class"] == "content" and low["recovery_how"] == "exact"
    assert low["recovery_unigram"] < high["recovery_unigram"]
    assert low["recovery_unigram"] >= low["floor_unigram"]
    assert low["loss_near"] <= low["loss_random"] <= low["loss_worst"]
    assert 0 < low["keep_mean_name"] < 1 and 0 < low["keep_weighted_name"] < 1
    assert low["entropy_bits"] > high["entropy_bits"]
    for record in (low, high):
        json.dumps(record, allow_nan=False)
        assert all(value is None or isinstance(value, str | float) for value in record.values())


def test_a_noisy_mechanism_is_attacked(bench):
    low, high = bench.measure(Setting("polar", "chordal", (6.0, 20.0)))
    for record in (low, high):
        assert record["recovery_how"] == "attack"
        assert record["recovery_unigram_low"] < record["recovery_unigram"]
        assert record["recovery_unigram_low"] < record["recovery_unigram_ceiling"]
        assert record["keep_max"] >= record["keep_mean"]
    assert low["keep_mean"] < high["keep_mean"] and low["n50"] < high["n50"]


def test_the_same_measurement_twice_is_the_same(bench):
    setting = Setting("polar", "chordal", (10.0,))
    one, other = (next(iter(bench.measure(setting))) for _ in range(2))
    one.pop("microseconds"), other.pop("microseconds")
    assert one == other


def test_no_promise_is_no_number(bench):
    (record,) = bench.measure(Setting("custext", "ldp", (3.0,), {"size": 5}))
    assert record["loss_random"] is None and record["loss_worst"] is None


def test_a_projected_table_is_judged_in_the_whole_one(bench, tmp_path, monkeypatch):
    monkeypatch.setenv("PRIVSTAMP_CACHE", str(tmp_path))
    whole, half = (
        next(iter(bench.measure(Setting("polar-vocabulary", "chordal", (60.0,), project=size))))
        for size in (None, 2)
    )
    assert half["setting"] == "polar-vocabulary (2 dimensions)"
    # In two dimensions the nearest are not the nearest of the six that words live in.
    assert half["cosine"] < whole["cosine"] and half["n50"] < whole["n50"]


def test_plain():
    assert plain({"a": np.inf, "b": float("nan"), "c": 0.123456789, "d": "x"}) == {
        "a": None,
        "b": None,
        "c": 0.12346,
        "d": "x",
    }

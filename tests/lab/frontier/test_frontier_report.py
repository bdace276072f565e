"""Settings at equal recovery, JSON and pictures."""

import json

import pytest

from privstamp.lab import frontier as run
from privstamp.lab.frontier import LEVELS, Outcome, as_json, at_recovery, comparison, details


def record(setting, epsilon, recovery, n50, loss):
    return {
        "space": "toy", "mechanism": setting, "setting": setting, "metric": "chordal",
        "epsilon": epsilon, "recovery_unigram": recovery, "recovery_uniform": recovery,
        "floor_unigram": 0.01, "recovery_how": "exact", "n50": n50, "n50_unigram": n50,
        "cosine": n50, "keep_mean": 0.1, "keep_weighted": 0.1, "keep_max": 0.2, "loss_near": 1.0,
        "loss_random": loss, "loss_worst": loss, "entropy_bits": 3.0, "microseconds": 9.0,
    }  # fmt: skip


OUTCOME = Outcome(
    "toy",
    {"class": "a", "floor_unigram": 0.01},
    [
        record("polar", 10.0, 0.02, 0.1, 20.0),
        record("polar", 30.0, 0.42, 0.3, 60.0),
        record("custext", 1.0, 0.3, 0.5, None),
        record("clusters", 2.0, 0.0, 0.0, 2.0),
        record("clusters", 6.0, 0.12, 0.6, 6.0),
    ],
)


def test_between_two_epsilons():
    row = at_recovery(OUTCOME.records[:2], 0.11)  # a quarter of the way from .02 to .42
    assert row["epsilon"] == pytest.approx(15.0) and row["n50"] == pytest.approx(0.15)
    assert row["loss_random"] == pytest.approx(30.0) and row["above_floor"] == 0.11


def test_order_of_records_does_not_matter():
    assert at_recovery(OUTCOME.records[1::-1], 0.11) == at_recovery(OUTCOME.records[:2], 0.11)


def test_what_is_never_or_always_exceeded_is_left_out():
    assert at_recovery(OUTCOME.records[:2], 0.5) is None
    assert at_recovery(OUTCOME.records[2:3], 0.05) is None
    rows = OUTCOME.compared()
    assert {row["setting"] for row in rows} == {"polar", "clusters"}
    assert [row["above_floor"] for row in rows if row["setting"] == "polar"] == list(LEVELS)


def test_beside_polar():
    row = next(row for row in OUTCOME.compared() if row["setting"] == "clusters")
    base = next(row for row in OUTCOME.compared() if row["setting"] == "polar")
    assert row["n50_times"] == pytest.approx(row["n50"] / base["n50"], rel=0.01)
    assert row["loss_random_part"] == pytest.approx(row["loss_random"] / base["loss_random"], 0.01)


def test_json_has_everything():
    (content,) = json.loads(as_json([OUTCOME]))
    assert content["records"] == OUTCOME.records
    assert content["at_equal_recovery"] == OUTCOME.compared()


def test_tables_have_a_line_per_record():
    assert len(details(OUTCOME).lines) == 5
    assert len(comparison(OUTCOME).lines) == len(OUTCOME.compared())


def test_pictures(tmp_path):
    pytest.importorskip("matplotlib")
    written = run.draw_all(OUTCOME, tmp_path)
    assert {path.name for path in written} == {
        "frontier-toy.svg",
        "frontier-toy.png",
        "frontier-toy-epsilon.svg",
        "frontier-toy-epsilon.png",
    }
    before = (tmp_path / "frontier-toy.svg").read_bytes()
    run.draw_all(OUTCOME, tmp_path)
    assert (tmp_path / "frontier-toy.svg").read_bytes() == before, "the same picture, the same file"

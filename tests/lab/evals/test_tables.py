"""Rows hold what records say, and never mix what must not be mixed."""

from dataclasses import replace

import pytest

import tiny_workshop as tiny
from privstamp.lab.evals.results import by, read, rows_of
from privstamp.lab.evals.runner import run

LIMITS = {"numbers": 20}


@pytest.fixture
def rows(tmp_path):
    run(tiny.cells("original", "stamp", seeds=3), tmp_path, tiny.opener(), limits=LIMITS)
    return rows_of(read(tmp_path))[0]


def row(rows, condition):
    return next(one for one in rows if one.condition == condition)


def test_a_row_for_each_setting_over_all_seeds(rows):
    assert [one.condition for one in rows] == ["original", "stamp"]
    assert row(rows, "stamp").seeds == [0, 1, 2]
    assert row(rows, "stamp").examples == 20 and len(row(rows, "stamp").records) == 60


def test_scores_are_means_over_examples_and_seeds(rows):
    # "text 7!" has an odd number of letters, "text 10!" an even one; seeds add one letter each
    lengths = [len(f"text {i}" + "!" * seed) for i in range(20) for seed in range(3)]
    assert row(rows, "stamp").value.value == pytest.approx(sum(n % 2 for n in lengths) / 60)
    assert row(rows, "stamp").score == "correct"
    assert row(rows, "stamp").others["macro_f1"] == pytest.approx(1 / 3)  # all are taken for odd


def test_what_is_left_of_the_original_is_paired_with_it(rows):
    stamp, original = row(rows, "stamp"), row(rows, "original")
    assert original.of_original is None
    assert stamp.original is original
    assert stamp.of_original.value == pytest.approx(stamp.value.value / original.value.value)
    assert stamp.less_original.value == pytest.approx(stamp.value.value - original.value.value)


def test_shares_are_sums_over_sums(rows):
    stamp = row(rows, "stamp")
    found = {name: share.value for name, share in stamp.shares.items()}
    assert found["kept"] == 0.25 and found["recovered_unigram"] == 0.5
    assert found["floor_unigram"] == pytest.approx(0.05) and found["spans_kept"] == 0
    assert stamp.epsilons == {"chordal": pytest.approx(5.0)}
    assert stamp.groups == pytest.approx([1.0, 3.0, 2.0, 4.0])
    assert stamp.seconds == {"noise": pytest.approx(0.01)}


def test_an_original_of_another_reader_or_data_is_none(tmp_path):
    run(tiny.cells("original", readers=("a",)), tmp_path, tiny.opener(), limits=LIMITS)
    run(tiny.cells("stamp", readers=("b",)), tmp_path, tiny.opener(), limits=LIMITS)
    assert row(rows_of(read(tmp_path))[0], "stamp").original is None


def test_other_fingerprints_are_never_mixed_and_the_last_run_is_shown(tmp_path):
    for version in ("1", "2"):
        run(tiny.cells("stamp"), tmp_path, tiny.opener(version=version), limits=LIMITS)
    rows, older = rows_of(read(tmp_path))
    assert older == 1 and len(rows) == 1
    assert rows[0].fingerprints["privstamp"] == "2" and len(rows[0].records) == 20


def test_another_policy_of_the_same_name_is_another_row(tmp_path):
    run(tiny.cells("stamp"), tmp_path, tiny.opener(), limits=LIMITS)
    (cell,) = tiny.cells("readable")
    renamed = replace(
        cell, condition=replace(cell.condition, name="stamp"), labels={"preset": "stamp"}
    )
    run([renamed], tmp_path, tiny.opener(), limits=LIMITS)
    rows, older = rows_of(read(tmp_path))
    assert (len(rows), older, len(rows[0].records)) == (1, 1, 20)


def test_what_was_run_again_is_shown_though_nothing_was_measured(tmp_path):
    for version in ("1", "2", "1"):
        done = run(
            tiny.cells("stamp", seeds=2 if version == "1" else 1),
            tmp_path, tiny.opener(version=version), limits=LIMITS,
        )  # fmt: skip
    assert done.measured == 0
    rows, older = rows_of(read(tmp_path))
    assert (len(rows), older) == (1, 1)
    assert rows[0].fingerprints["privstamp"] == "1" and rows[0].seeds == [0, 1]


def test_seeds_of_earlier_runs_belong_to_the_row_that_is_shown(tmp_path):
    first, second, third = tiny.cells("stamp", seeds=3)
    for version, cells in (("1", [first, second]), ("2", [first]), ("1", [third])):
        run(cells, tmp_path, tiny.opener(version=version), limits=LIMITS)
    rows, older = rows_of(read(tmp_path))
    assert (len(rows), older, rows[0].seeds) == (1, 1, [0, 1, 2])


def test_an_example_counts_once_however_many_seeds_it_has(tmp_path):
    run(tiny.cells("stamp"), tmp_path, tiny.opener(), limits=LIMITS)
    (whole,) = rows_of(read(tmp_path))[0]
    assert whole.number == "20 × 1"
    run(tiny.cells("stamp", seeds=3), tmp_path, tiny.opener(), limits={"numbers": 4})
    (ragged,) = rows_of(read(tmp_path))[0]
    assert ragged.number == "20 (28 in all)"
    assert ragged.others["macro_f1"] == pytest.approx(whole.others["macro_f1"])
    assert ragged.groups == pytest.approx(whole.groups)
    assert ragged.total("units") == pytest.approx(200)


def test_a_cell_without_records_is_no_row(tmp_path):
    run(tiny.cells("stamp", readers=("bad",)), tmp_path, tiny.opener(hurt="bad"), limits=LIMITS)
    assert rows_of(read(tmp_path)) == ([], 0)


def test_rows_by_label_or_field(rows):
    assert list(by(rows, "preset")) == ["original", "stamp"]
    assert list(by(rows, "task")) == ["numbers"]

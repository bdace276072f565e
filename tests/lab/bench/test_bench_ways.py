"""Every way of searching answers the same question, and times are put together as they say."""

from dataclasses import asdict, replace

import numpy as np
import pytest

from privstamp.lab.bench import report, searches
from privstamp.lab.bench.report import BULK, MAIN, RATIOS, Times, growth, ratios
from privstamp.lab.bench.searches import (
    Absent,
    Case,
    Differs,
    Measured,
    Size,
    Synthetic,
    published_decode,
    some_noise,
    some_rows,
)

SIZE = Size(40, 300, 128)


@pytest.fixture(scope="module")
def case():
    return Case(SIZE)


def nearest(case):
    """By plain arithmetic of twice the precision."""
    scores = case.noisy.astype(np.float64) @ case.space.unit.astype(np.float64).T
    return scores.argmax(axis=1)


@pytest.mark.parametrize("way", ["float32", "one-shot", "int8", "faiss flat"])
def test_a_way_finds_the_nearest_rows(case, way):
    try:
        step = searches.WAYS[way](case)
    except Absent as reason:
        pytest.skip(str(reason))
    assert np.array_equal(step(), nearest(case))


def test_the_published_way_decodes_by_the_whole_difference(case):
    for noisy, row in zip(case.noisy[:10], nearest(case), strict=False):
        assert published_decode(noisy.astype(np.float64), case.space.unit) == row
        assert published_decode(7.0 * noisy.astype(np.float64), case.space.unit) == row


def test_noisy_vectors_are_unit_length_and_near_the_cliff(case):
    assert np.linalg.norm(case.noisy, axis=1) == pytest.approx(1.0, rel=1e-4)
    own = (case.noisy * case.space.unit[case.ids]).sum(axis=1)
    assert 0.2 < own.mean() < 0.99  # neither lost nor left as they were


def test_blocks_of_noise_do_not_depend_on_how_they_are_cut(monkeypatch, case):
    monkeypatch.setattr(searches, "BLOCK", 7)
    again = np.concatenate([drawn.copy() for _, drawn in case.blocks()])
    assert again == pytest.approx(case.noisy, abs=1e-6)


def test_tables_are_the_same_each_time_and_differ_by_seed():
    first, again = Synthetic(50, 6), Synthetic(50, 6)
    assert (first.unit == again.unit).all() and first.fingerprint == again.fingerprint
    assert (Synthetic(50, 6, seed=1).unit != first.unit).any()
    assert np.linalg.norm(first.unit, axis=1) == pytest.approx(1.0, rel=1e-5)
    assert first.words(np.array([3], dtype=np.int32)) == ["row 3"]
    for step in (lambda: first.split("secret words"), lambda: first.render(first.outputs[0], [])):
        with pytest.raises(NotImplementedError) as caught:
            step()
        assert "secret" not in str(caught.value)


def test_the_cliff_is_where_the_noise_of_all_dimensions_stands():
    assert Synthetic(1000, 50).cliff() == pytest.approx(np.sqrt(100 * np.log(1000)))
    assert some_rows(Synthetic(30, 4), 9).tolist() == some_rows(Synthetic(30, 4), 9).tolist()
    assert (some_noise(3).uniform(2, 0) == some_noise(3).uniform(2, 0)).all()


def test_a_size_says_what_a_search_takes():
    assert SIZE.operations == 2 * 40 * 300 * 128
    assert Size(10_000, 50_257, 768).label == "n = 10,000, V = 50,257, d = 768"


def timed(size=MAIN, **seconds):
    known = {"published": 36.0, "one-shot": 0.09, "float32": 0.06, "noise": 0.01, **seconds}
    return Measured(size, known, peak=1e12)


def test_a_way_with_other_rows_has_no_time():
    measured = timed(int8=0.02)
    assert measured.float32 == 0.06 and measured.of("int8") == 0.02
    measured.differ = ["float32"]
    with pytest.raises(Differs, match="float32 gives other rows than float32 at n = 180"):
        _ = measured.float32
    with pytest.raises(KeyError):
        measured.of("faiss flat")


def test_times_are_found_by_their_size():
    times = Times([timed(), timed(BULK, float32=2.0)], [], {}, [], {})
    assert times.main.float32 == 0.06 and times.at(BULK).float32 == 2.0
    with pytest.raises(KeyError):
        times.at(SIZE)


def test_noise_counts_on_both_sides_of_the_published_ratio():
    times = Times([timed()], [], {}, [], {})
    assert times.published_over(0.06) == pytest.approx(36.0 / 0.07)
    assert report.sampler_share(times.main) == pytest.approx(1 / 6)
    assert report.of_peak(times.main) == pytest.approx(MAIN.operations / 0.06 / 1e12)


def test_growth_is_one_where_time_follows_the_size():
    along = [
        timed(size, float32=1e-9 * size.operations)
        for size in (MAIN, replace(MAIN, rows=10_000), replace(MAIN, dimensions=50), BULK)
    ]
    assert growth(along) == {"units": 1.0, "rows": 1.0, "dimensions": 1.0}
    squared = [
        timed(replace(MAIN, rows=rows), float32=1e-9 * rows**2) for rows in (1_000, 50_257, 90_000)
    ]
    assert growth(squared) == {"units": None, "rows": 2.0, "dimensions": None}
    one = timed(replace(MAIN, units=1), float32=9.0)  # waits for memory: no point of the line
    assert growth([timed(), one])["units"] is None


def test_nothing_measured_is_no_ratio_and_every_gap_has_a_reason():
    numbers, reasons = ratios(Times([], [], {}, [], {}))
    assert numbers == dict.fromkeys(RATIOS) and set(reasons) == set(RATIOS)
    absent = timed()
    absent.absent = {"int8": "torch is not installed"}
    _, reasons = ratios(Times([absent], [], {}, [], {}))
    assert reasons["fp32_over_certified"] == "torch is not installed"
    assert reasons["memory_growth"] == "not measured"


def test_a_record_says_which_searches_disagree():
    wrong = timed()
    wrong.differ = ["int8"]
    record = {"searches": [asdict(timed(BULK)), asdict(wrong)]}
    assert report.differing(record) == [f"int8 at {MAIN.label}"]
    assert report.differing({"searches": [asdict(timed())]}) == []


def test_a_picture_is_drawn_of_what_there_is(tmp_path):
    pytest.importorskip("matplotlib")
    record = {"searches": [asdict(timed()), asdict(timed(replace(MAIN, rows=10_000)))]}
    for name in ("first.svg", "again.svg"):
        report.draw(record, tmp_path / name)
    text = (tmp_path / "first.svg").read_text()
    assert text == (tmp_path / "again.svg").read_text()
    assert "published approach" in text and "certified int8" not in text


def test_medians_are_of_what_was_timed(monkeypatch):
    clock = iter(np.cumsum([0.0, *[0.0, 1.0, 0.0, 5.0] * 3, *[0.0] * 9]))
    monkeypatch.setattr(searches.time, "perf_counter", lambda: float(next(clock)))
    monkeypatch.setattr(searches.time, "sleep", lambda _: pytest.fail("nobody is to rest"))
    steps = {"short": lambda: None, "long": lambda: None}
    taken = searches.interleaved(steps, repeats=3, limit=1e9, warm=True)
    assert taken == {"short": pytest.approx(1.0), "long": pytest.approx(5.0)}

"""The benchmark runs on a small size, and both exact paths agree. Nothing here is timed."""

from __future__ import annotations

import json
from dataclasses import asdict
from importlib.util import find_spec

import pytest

from privstamp.lab import bench
from privstamp.lab.bench import Effort, report, searches
from privstamp.lab.bench.report import RATIOS
from privstamp.lab.bench.searches import Size

TINY = Effort(
    sizes=(Size(180, 500, 16), Size(1, 500, 16)),
    repeats=2,
    limit=0.5,
    main=(1, 0.5),
    memory=(16, 32),
    units=(20,),
    mechanisms=("polar",),
    texts=2,
    lines=("polar, rules",),
    starts=0,
)
NEEDED = (
    "published_over_fp32", "published_over_certified", "fp32_over_sgemm_peak", "faiss_over_best",
    "sampler_share", "line_over_ner",
)  # fmt: skip


@pytest.fixture(scope="module")
def record():
    told: list[float] = []
    made = bench.run(TINY, lambda _label, done: told.append(done))
    assert told == list(range(bench.steps(TINY)))
    return made


@pytest.mark.slow
def test_every_way_is_timed_and_both_paths_agree(record):
    for one in record["searches"]:
        assert {"published", "one-shot", "float32", "noise"} <= set(one["seconds"])
        assert all(seconds > 0 for seconds in one["seconds"].values())
        assert one["differ"] == []
        assert ("int8" in one["seconds"]) == (find_spec("torch") is not None)
        assert ("faiss flat" in one["seconds"]) == (find_spec("faiss") is not None)


@pytest.mark.slow
def test_the_record_is_json_and_every_missing_ratio_has_a_reason(record):
    again = json.loads(report.as_json(record))
    assert set(NEEDED) <= set(again["ratios"])
    for name, value in again["ratios"].items():
        assert (value is None) == (name in again["reasons"])
        assert name in RATIOS


@pytest.mark.slow
def test_what_would_take_too_long_is_left_out_and_said(monkeypatch):
    monkeypatch.setattr(searches, "SLOW", 499 * 16)
    found = searches.measure(Size(20, 500, 16), repeats=1, limit=0.1)
    assert "published" not in found.seconds
    assert "more than a second" in found.absent["published"]
    record = {"reasons": {}, "ratios": {}, "mechanisms": [], "lines": [], "words_per_second": {},
              "command_seconds": {}, "searches": [asdict(found)]}  # fmt: skip
    *_, last = report.sections(record)
    assert last.title == "Left out"
    assert any("published" in line for line in last.lines)


@pytest.mark.slow
def test_an_exact_way_with_other_rows_is_named(monkeypatch):
    pytest.importorskip("torch")
    right = searches.Int8.decode

    def wrong(self, queries, classes):
        rows = right(self, queries, classes)
        rows[0] = (rows[0] + 1) % 500
        return rows

    monkeypatch.setattr(searches.Int8, "decode", wrong)
    found = searches.measure(Size(20, 500, 16), repeats=1, limit=0.1)
    assert found.differ == ["int8"]
    record = {"searches": [asdict(found)]}
    assert report.differing(record) == ["int8 at n = 20, V = 500, d = 16"]
    shown = report._search_line(record["searches"][0])
    marked = [place for place, cell in enumerate(shown) if "other rows" in cell]
    assert marked == [3 + list(report.WAYS).index("int8")]


@pytest.mark.slow
def test_stages_of_the_line_are_named(record):
    (line,) = record["lines"]
    assert {"splitting", "sensitivity", "importance", "mechanism", "release"} <= set(line["stages"])
    assert line["words_per_second"] > 0
    assert line["first_words_per_second"] > 0


@pytest.mark.slow
def test_first_times_are_shown(record):
    shown = {sheet.title: (sheet.headings, sheet.lines) for sheet in report.sections(record)}
    (cost,), (line,) = record["mechanisms"], record["lines"]
    headings, ((*cells,),) = shown["Mechanisms on the default space: microseconds per unit"]
    first = cells[headings.index("first time, µs a unit")]
    assert float(first.replace(",", "")) == pytest.approx(5e4 * cost["first_seconds"], rel=0.01)
    headings, ((*cells,), *_) = shown["The whole line"]
    assert cells[headings.index("the first time")] == f"{line['first_words_per_second']:,.0f}"


@pytest.mark.slow
def test_tables_and_picture_can_be_made(record, tmp_path):
    for sheet in report.sections(record):
        assert sheet.title and sheet.lines
        assert all(len(line) == len(sheet.headings) for line in sheet.lines)
    for name in ("bench.png", "bench.svg"):
        report.draw(record, tmp_path / name)
        assert (tmp_path / name).stat().st_size > 1000

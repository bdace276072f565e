"""Charts stand where their numbers say: read off the SVG, against the scale that it draws."""

import re
from itertools import pairwise

import pytest

from privstamp.lab.estimate import Estimate
from privstamp.lab.report import (
    PagePart,
    Sheet,
    blocks,
    cell,
    markdown,
    page,
)

B = blocks()
LEFT, WIDE = 170, 460
"""Where 0 is, and how far 1 is from it."""


def drawn(*blocks):
    return page("T", [PagePart("", blocks)])


def numbers(pattern, text):
    return [tuple(map(float, groups)) for groups in re.findall(pattern, text)]


def rects(text):
    """x, y and width of each bar; those of the legend are squares of 11."""
    found = numbers(r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="11"', text)
    return [bar for bar in found if bar[2] != 11]


@pytest.mark.parametrize("value", [0.0, 0.1, 0.5, 0.875, 1.0])
def test_a_bar_is_as_long_as_its_share(value):
    ((x, _, width),) = rects(drawn(B.bars([("a", [Estimate.exact(value)])], ["s"])))
    assert x == LEFT and width == pytest.approx(max(value * WIDE, 1.0), abs=0.06)


@pytest.mark.parametrize(("value", "share"), [(1.7, 1.0), (-0.3, 0.0)])
def test_a_value_that_is_no_share_stays_on_the_chart_at_its_end(value, share):
    text = drawn(B.bars([("a", [Estimate.exact(value)])], ["s"]))
    ((_, _, width),) = rects(text)
    assert width == pytest.approx(max(share * WIDE, 1.0))
    assert f">{share:.2f}</text>" in text


def test_whiskers_reach_from_end_to_end():
    text = drawn(B.bars([("a", [Estimate(0.5, 0.25, 0.75)])], ["s"]))
    ((low, _, high),) = numbers(r'M([\d.]+) ([\d.]+)H([\d.]+)"', text)
    assert (low, high) == pytest.approx((LEFT + 0.25 * WIDE, LEFT + 0.75 * WIDE))
    exact = drawn(B.bars([("a", [Estimate.exact(0.5)])], ["s"]))
    assert not numbers(r'M([\d.]+) ([\d.]+)H([\d.]+)"', exact)


def test_lines_and_series_stand_below_each_other_without_touching():
    series = ["first", "second", "floor"]
    lines = [(name, [Estimate.exact(0.4)] * 3) for name in "abcd"]
    found = rects(drawn(B.bars(lines, series)))
    tops = [y for _, y, _ in found]
    assert len(found) == 12 and tops == sorted(tops) and len(set(tops)) == 12
    steps = [after - before for before, after in pairwise(tops)]
    assert min(steps) >= 13 and set(steps) == {13, 25}  # a gap between lines


def test_colours_go_by_place_and_floors_are_grey():
    text = drawn(B.bars([("a", [Estimate.exact(0.4)] * 3)], ["x", "floor", "z"]))
    colours = re.findall(r'fill="(#\w+)"', text)
    assert colours[:3] == colours[3:] == ["#2f6690", "#9aa5b1", "#3f7d8a"]  # legend, then bars


def test_a_gap_among_bars_leaves_its_place_empty():
    lines = [("a", [Estimate.exact(0.4), Estimate.missing(), Estimate.exact(0.2)])]
    found = rects(drawn(B.bars(lines, ["x", "y", "z"])))
    assert [y for _, y, _ in found] == [26, 26 + 2 * 13]
    unknown = [("a", [Estimate.missing()]), ("b", [Estimate.exact(0.1)])]
    assert len(rects(drawn(B.bars(unknown, ["x"])))) == 1  # a line of gaps alone is not shown


def test_a_curve_goes_through_its_points():
    points = [(1, Estimate.exact(0.1)), (5, Estimate(0.5, 0.4, 0.6)), (20, Estimate.exact(0.9))]
    text = drawn(B.curve(points, "releases"))
    (line,) = re.findall(r'points="([^"]+)"', text)
    found = [tuple(map(float, pair.split(","))) for pair in line.split()]
    wanted = [(LEFT + x / 20 * WIDE, 10 + (1 - y.number) * 150) for x, y in points]
    assert [xy for pair in found for xy in pair] == pytest.approx(
        [xy for pair in wanted for xy in pair], abs=0.06
    )
    circles = numbers(r'<circle cx="([\d.]+)" cy="([\d.]+)"', text)
    assert circles == found
    ticks = re.findall(r'text-anchor="middle">([\d.]+)</text>', text)
    assert ticks == ["1", "5", "20"]


def test_a_point_without_a_number_is_left_out_of_the_curve():
    points = [(1, Estimate.exact(0.1)), (2, Estimate.missing()), (3, Estimate.exact(0.2))]
    text = drawn(B.curve(points, "releases"))
    assert text.count("<circle") == 2


def test_blocks_keep_their_order_and_parts_their_headings():
    parts = [
        PagePart("First", [B.text("alpha"), B.pairs([("beta", "gamma")])]),
        PagePart("", [B.listing(["delta"], "epsilon")]),
        PagePart("Last", [B.picture("<svg id='own'></svg>")], fresh=True),
    ]
    text = page("Title", parts, wide=True)
    order = ["Title", "First", "alpha", "beta", "gamma", "epsilon", "delta", "Last", "id='own'"]
    assert [text.index(word) for word in order] == sorted(text.index(word) for word in order)
    assert text.count("<h2") == 2 and 'class="fresh"' in text and 'class="broad"' in text


def test_tiles_show_value_interval_and_why_there_is_none():
    text = drawn(B.tiles([("keep", Estimate.share(1, 4), "often"),
                        ("claim", Estimate.missing("no <mechanism>"), "loss")]))  # fmt: skip
    assert "<b>0.250</b>" in text and "<b>–</b>" in text
    assert "no &lt;mechanism&gt;" in text and "often" in text


@pytest.mark.parametrize(
    ("value", "written"),
    [(None, ""), ("a", "a"), (3, "3"), (0.0001234, "0.000123"), (1234.5, "1.23e+03"),
     (True, "True"), (Estimate.exact(0.5), "0.500"), (Estimate.missing("x"), "")],
)  # fmt: skip
def test_a_cell_is_written_the_same_way_everywhere(value, written):
    assert cell(value) == written
    table = markdown(Sheet("t", ("h",), [(value,)]))
    assert table.splitlines()[-1] == f"| {written} |"


def test_a_line_end_does_not_end_a_row_of_markdown():
    table = markdown(Sheet("t", ("h", "i"), [("one\ntwo", "a|b")]))
    assert table.count("\n") == 3 and "one two" in table and "a\\|b" in table


def test_columns_choose_and_form_what_is_shown_of_records():
    records = [{"a": 1.23456, "b": "x", "c": 9}, {"a": None, "b": None, "c": 8}]
    sheet = Sheet.of("t", records, {"b": ("name", ""), "a": ("share", ".1f")})
    assert sheet.headings == ["name", "share"] and sheet.numbers == {"share"}
    assert sheet.lines == [["x", "1.2"], ["–", "–"]]
    with pytest.raises(KeyError):
        Sheet.of("t", records, {"missing": ("m", "")})

"""One table on three ways out; a page that stands alone and escapes what it shows; pictures."""

import io
import sys
from html.parser import HTMLParser

import pytest
from rich.console import Console

from privstamp.errors import MissingExtra
from privstamp.lab import report
from privstamp.lab.estimate import Estimate
from privstamp.lab.report import (
    PagePart,
    Sheet,
    blocks,
    markdown,
    on_screen,
    page,
)

B = blocks()
NASTY = "<script>alert('x')</script> & \"quoted\""
SHARE = Estimate(0.25, 0.2, 0.3, 40)
SHEET = Sheet("Title", ("name", "share"), [("a|b", SHARE), ("c", None), ("d", 0.12345)])


class Tags(HTMLParser):
    """What a page holds, fetches or runs."""

    def __init__(self, text):
        super().__init__()
        self.names, self.fetched, self.open, self.said = [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.names.append(tag)
        self.fetched += [value for name, value in attrs if name in ("src", "href")]
        if tag not in ("meta", "path", "rect", "circle", "polyline", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.names.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.said.append(data)


def everything(text):
    return [
        PagePart("", [
            B.text(text), B.text("how *much* it is", "note"), B.text(text, "fail"),
        ]),
        PagePart(text, [
            B.table(Sheet(text, (text, "share"), [(text, SHARE), (text, None)])),
            B.pairs([(text, text), ("share", SHARE)]),
            B.tiles([(text, SHARE, text), ("none", Estimate.missing(text), ""),
                   ("exact", Estimate.exact(0.5), "")]),
            B.listing([text, text], title=text, style="private"),
            B.bars([(text, [SHARE, Estimate.missing()]), ("y", [SHARE, SHARE])], [text, "floor"]),
            B.curve([(1, SHARE), (2, Estimate.exact(0.5))], text),
            B.picture("<svg></svg>"),
        ], fresh=True),
    ]  # fmt: skip


def test_the_page_stands_alone_and_every_tag_is_closed():
    text = page("Title", everything("plain"))
    tags = Tags(text)
    assert not tags.open and not tags.fetched
    assert not {"script", "link", "img", "iframe"} & set(tags.names)
    assert "@import" not in text and "url(" not in text
    assert "prefers-color-scheme:dark" in text and "@media print" in text
    assert text.startswith("<!doctype html>")


def test_whatever_is_shown_is_escaped_wherever_it_stands():
    tags = Tags(page(NASTY, everything(NASTY)))
    assert "script" not in tags.names and "".join(tags.said).count("alert") >= 15


def test_intervals_stand_behind_their_value():
    text = page("Title", [PagePart("", [B.table(SHEET)])])
    assert "<td>0.250 <small>[0.200, 0.300]</small></td>" in text
    assert "<td></td>" in text and "<td>0.123</td>" in text


def test_stress_is_the_only_markup_of_text():
    text = page("Title", [PagePart("", [B.text("is *much* <b>too</b> 2 * 3 * 4")])])
    assert "is <b>much</b> &lt;b&gt;too&lt;/b&gt; 2 * 3 * 4" in text


def test_charts_are_drawn_only_of_what_is_known():
    nothing = [B.bars([("a", [Estimate.missing()])], ["x"]), B.curve([(1, SHARE)], "x")]
    assert "<svg" not in page("Title", [PagePart("", nothing)])
    bars = page(
        "T", [PagePart("", [B.bars([("a", [Estimate.exact(0.5), SHARE])], ["x", "floor"])])]
    )
    assert bars.count("<rect") == 4  # two of the legend, two bars
    assert 'width="230.0"' in bars and "#9aa5b1" in bars
    equal = page("T", [PagePart("", [B.bars([("a", [SHARE, SHARE])], ["x", "y"])])])
    assert equal.count("#81a4cd") == 2  # the second bar has the second colour, equal or not


def test_an_empty_listing_leaves_no_trace():
    assert "<ul" not in page("Title", [PagePart("", [B.listing([], title="Remarks")])])


def test_a_table_in_markdown():
    assert markdown(SHEET) == (
        "| name | share |\n| --- | --- |\n"
        "| a\\|b | 0.250 [0.200, 0.300] |\n| c |  |\n| d | 0.123 |\n"
    )


def test_a_table_on_a_screen():
    out = io.StringIO()
    sheet = Sheet.of("Title", [{"x": "[red]a", "y": 0.5}, {"x": "b", "y": None}],
                     {"x": ("name", ""), "y": ("share", ".2f")})  # fmt: skip
    Console(file=out, width=60).print(on_screen(sheet, sections=True))
    lines = out.getvalue().splitlines()
    assert lines[0].strip() == "Title" and lines[1].split() == ["name", "share"]
    assert lines[2].split() == ["[red]a", "0.50"] and lines[-1].split() == ["b", "–"]


def test_pictures_are_the_same_each_time_and_have_letters_as_letters(tmp_path):
    pytest.importorskip("matplotlib")
    drawn = []
    for name in ("one.svg", "two.svg", "three.png"):
        with report.canvas(1, 2, size=(6, 3)) as (figure, axes):
            report.curves(axes[0, 0], {"polar": [(1.0, SHARE), (2.0, Estimate.exact(0.5))]})
            report.whiskers(axes[0, 1], [0.0], [SHARE], ("#000000", "o"), "kept")
            report.save(figure, tmp_path / name)
            drawn.append(report.inline(figure))
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()
    assert (tmp_path / "three.png").stat().st_size > 1000
    assert drawn[0].startswith("<svg") and "<metadata>" not in drawn[0]


def test_no_two_lines_look_alike():
    looks = {str(report.look(number)) for number in range(40)}
    forms = {str(report.look(3, form)) for form in range(8)}
    assert len(looks) == 40 and len(forms) == 8


def test_without_matplotlib_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match=r"privstamp\[plots\]"):
        report.pyplot()


def test_numbers_stand_right_and_missing_ones_are_marked():
    sheet = Sheet.of("T", [{"a": "x", "b": 0.5}, {"a": "y", "b": None}],
                     {"b": ("share", ".1%"), "a": ("name", "")}, missing="none")  # fmt: skip
    assert sheet.headings == ["share", "name"] and sheet.numbers == {"share"}
    assert sheet.lines == [["50.0%", "x"], ["none", "y"]]


def test_a_wide_page_gives_tables_room_and_a_fresh_part_a_sheet_of_paper():
    text = page("T", [PagePart("First", []), PagePart("Last", [], fresh=True)], wide=True)
    assert '<body class="broad">' in text
    assert '<h2 class="fresh">Last</h2>' in text and "<h2>First</h2>" in text
    assert '<body class="broad">' not in page("T", [])


def test_tiles_show_a_number_its_interval_or_why_there_is_none():
    tiles = [("a", SHARE, "what it means"), ("b", Estimate.missing("not asked for"), ""),
             ("c", Estimate.exact(0.5), "")]  # fmt: skip
    text = " ".join(page("T", [PagePart("", [B.tiles(tiles)])]).split())
    assert "<b>0.250</b> <small>[0.200, 0.300]</small> <small>what it means</small>" in text
    assert "<b>–</b> <small>not asked for</small>" in text
    assert "<b>0.500</b> <small></small>" in text


def test_bars_stay_inside_of_the_scale():
    over, under = Estimate(1.4, 0.9, 1.9, 10), Estimate(-0.2, -0.4, 0.1, 5)
    text = page("T", [PagePart("", [B.bars([("a", [over]), ("b", [under])], ["x"])])])
    assert 'width="460.0"' in text and 'width="1.0"' in text  # all of the scale, and a sliver
    assert "M584.0" in text and "H630.0" in text  # whiskers end where shares do
    assert "M170.0" in text and "H216.0" in text


def test_a_curve_goes_through_its_points():
    points = [(1, Estimate.exact(0.0)), (2, Estimate.exact(1.0)), (4, SHARE)]
    text = page("T", [PagePart("", [B.curve(points, "releases")])])
    assert " 285.0,160.0 400.0,10.0 630.0,122.5" in text and ">releases<" in text

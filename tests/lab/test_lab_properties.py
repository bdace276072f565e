"""What holds of every measurement, whatever was measured: intervals, journals, tables, shares."""

from __future__ import annotations

import json
import math
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from privstamp.errors import PrivstampError
from privstamp.lab import estimate
from privstamp.lab.estimate import Estimate, clopper_pearson, plain, read_off
from privstamp.lab.journal import Journal
from privstamp.lab.progress import StageTimes, within
from privstamp.lab.report import PagePart, Sheet, blocks, cell, markdown, page

COUNTS = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
NUMBERS = st.floats(-1e6, 1e6)
CLUSTERED = st.lists(
    st.tuples(st.integers(0, 7), NUMBERS, NUMBERS), min_size=3, max_size=24
).filter(lambda rows: len({cluster for cluster, _, _ in rows}) > 1)
FEW = settings(max_examples=40, deadline=None)


# Intervals.


@given(COUNTS)
def test_a_share_and_its_opposite_have_mirrored_ends(counts):
    hits, trials = counts
    share, rest = Estimate.share(hits, trials), Estimate.share(trials - hits, trials)
    assert 0.0 <= share.low <= share.value <= share.high <= 1.0
    assert share.low == pytest.approx(1.0 - rest.high)
    assert share.high == pytest.approx(1.0 - rest.low)
    assert (share.high < 1.0) == (hits < trials)


@given(COUNTS)
def test_more_trials_of_the_same_share_narrow_the_interval(counts):
    hits, trials = counts
    few, many = Estimate.share(hits, trials), Estimate.share(4 * hits, 4 * trials)
    assert many.value == pytest.approx(few.value)
    assert many.high - many.low < few.high - few.low


@given(COUNTS, st.floats(1e-9, 0.4))
def test_exact_ends_hold_the_share_and_grow_with_the_hits_and_the_care(counts, error):
    hits, trials = counts
    low, high = clopper_pearson(np.arange(trials + 1), trials, error)
    assert low[hits] <= hits / trials <= high[hits]
    assert (np.diff(low) > 0).all() and (np.diff(high) > 0).all()
    careful_low, careful_high = clopper_pearson([hits], trials, error / 10)
    assert careful_low[0] <= low[hits] and high[hits] <= careful_high[0]


@given(st.lists(st.booleans(), min_size=2, max_size=80))
def test_a_ratio_over_wholes_of_one_is_the_share(flags):
    parts = np.array(flags, dtype=float)
    ratio = Estimate.ratio(parts, np.ones(len(parts)))
    assert ratio.value == pytest.approx(Estimate.hits(flags).value)
    assert ratio.low <= ratio.value <= ratio.high


@FEW
@given(CLUSTERED, NUMBERS)
def test_means_over_clusters_move_with_what_is_added_and_do_not_care_for_order(rows, more):
    data = [(str(n), str(cluster), value) for n, (cluster, value, _) in enumerate(rows)]
    known = estimate.mean(data)
    moved = estimate.mean([(example, cluster, value + more) for example, cluster, value in data])
    scale = {"abs": 1e-3}
    for before, after in ((known.value, moved.value), (known.low, moved.low),
                          (known.high, moved.high)):  # fmt: skip
        assert after == pytest.approx(before + more, **scale)
    assert known.low <= known.high and known.clusters == len({cluster for _, cluster, _ in data})
    turned = estimate.mean(data[::-1])
    assert turned.value == pytest.approx(known.value, **scale)


@FEW
@given(CLUSTERED)
def test_a_difference_turned_round_has_the_other_sign_and_ends_that_change_places(rows):
    first, second = (
        [(str(n), str(row[0]), row[which]) for n, row in enumerate(rows)] for which in (1, 2)
    )
    ahead, behind = estimate.difference(first, second), estimate.difference(second, first)
    assert ahead.value == pytest.approx(-behind.value, abs=1e-6)
    assert ahead.low == pytest.approx(-behind.high, abs=1e-6)
    assert estimate.difference(first, first).interval == pytest.approx((0.0, 0.0), abs=1e-6)


POINTS = st.lists(
    st.tuples(st.integers(0, 40).map(float), NUMBERS), min_size=1, max_size=12,
    unique_by=lambda point: point[0],
)  # fmt: skip


@given(POINTS, st.floats(-5, 45))
def test_between_points_a_line_is_numpys_and_beyond_them_nothing(points, level):
    across, up = np.array(points, dtype=float).T
    read = float(read_off(across, up, np.array(level)))
    if not across.min() <= level <= across.max():
        assert math.isnan(read)
        return
    order = np.argsort(across)
    assert read == pytest.approx(np.interp(level, across[order], up[order]), abs=1e-6)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=5)
    | st.floats() | st.builds(Estimate.share, st.integers(0, 5), st.integers(5, 9)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner,
                                                                 max_size=3),
    max_leaves=8,
)  # fmt: skip


@given(VALUES)
def test_plain_data_is_strict_json_and_stays_as_it_is(value):
    once = plain(value)
    assert json.loads(json.dumps(once, allow_nan=False)) == once
    assert plain(once) == once


# Journals.

STEPS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from("ab"), st.sampled_from("xyz"), st.integers(0, 99)),
        st.just("again"),
    ),
    max_size=20,
)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(STEPS)
def test_a_journal_is_a_dictionary_that_remembers_over_runs(tmp_path, steps):
    path = tmp_path / "journal.sqlite"
    path.unlink(missing_ok=True)
    known: dict[tuple[str, str], int] = {}
    latest = None
    journal = Journal(path).__enter__()
    try:
        for step in steps:
            if step == "again":
                journal.__exit__()
                journal = Journal(path).__enter__()
                continue
            journal.put(*step)
            known[step[:2]], latest = step[2], step[:2]
        for kind in "ab":
            entries = list(journal.entries(kind))
            assert [(kind, e.key, e.value) for e in entries] == [
                (*name, value) for name, value in known.items() if name[0] == kind
            ]
            assert journal.keys(kind) == {key for of, key in known if of == kind}
            turns = {(kind, e.key): e.turn for e in entries}
            assert all(turn < journal.turn or name == latest for name, turn in turns.items())
        with pytest.raises(PrivstampError, match="another run"), Journal(path):
            pytest.fail("two runs write at once")
    finally:
        journal.__exit__()


# Tables and pages.

TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=12)


def tables(columns):
    lines = st.lists(TEXTS | st.floats() | st.none(), min_size=columns, max_size=columns)
    headings = st.lists(TEXTS, min_size=columns, max_size=columns)
    return st.tuples(headings, st.lists(lines, max_size=4))


TABLES = st.integers(1, 4).flatmap(tables)


class Cells(HTMLParser):
    """The text of each cell, and every tag there is."""

    def __init__(self, source):
        super().__init__()
        self.cells, self.tags, self._open = [], set(), False
        self.feed(source)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        assert not any(name.startswith("on") or name in ("src", "href") for name, _ in attrs)
        if tag in ("td", "th"):
            self.cells.append("")
            self._open = True

    def handle_endtag(self, tag):
        self._open = self._open and tag not in ("td", "th")

    def handle_data(self, data):
        if self._open:
            self.cells[-1] += data


@FEW
@given(TABLES)
def test_a_table_on_a_page_says_what_its_cells_say_and_nothing_else(table):
    headings, lines = table
    sheet = Sheet("T", headings, lines)
    parts = [PagePart("<img src=x>", [blocks().text("<b>"), blocks().table(sheet)])]
    shown = Cells(page("<script>", parts))
    said = [" ".join(text.split()) for text in shown.cells]
    wanted = [" ".join(cell(value).split()) for line in (headings, *lines) for value in line]
    assert said == wanted
    assert not shown.tags & {"script", "img", "iframe", "link", "object"}


@FEW
@given(TABLES)
def test_every_row_of_markdown_has_as_many_bars(table):
    headings, lines = table
    rows = markdown(Sheet("T", headings, lines)).split("\n")
    assert rows.pop() == "" and len(rows) == 2 + len(lines)
    assert {row.replace("\\|", "").count("|") for row in rows} == {len(headings) + 1}


# Progress.


@given(st.lists(st.floats(0, 1), min_size=1, max_size=9), st.floats(0, 1), st.floats(0, 1))
def test_a_step_inside_a_step_stays_inside_and_keeps_the_order(shares, start, end):
    start, end = sorted((start, end))
    told: list[float] = []
    inner = within(within(lambda _, done: told.append(done), start, end), 0.25, 0.75)
    for share in sorted(shares):
        inner("", share)
    assert told == sorted(told)
    assert all(start - 1e-9 <= done <= end + 1e-9 for done in told)


def test_the_seconds_of_a_stage_are_those_until_the_next_is_named(monkeypatch):
    clock = iter([0.0, 1.0, 1.5, 4.0])
    monkeypatch.setattr("privstamp.lab.progress.time.perf_counter", lambda: next(clock))
    times = StageTimes()
    for stage, done in (("split", 0.0), ("label", 0.1), ("label", 0.5), ("split", 0.9)):
        times(stage, done)
    assert times.end() == {"split": 1.0 + 2.5, "label": 0.5}

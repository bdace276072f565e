"""Tables of every experiment, from stand-in numbers."""

import json
from dataclasses import replace

from privstamp.lab.evals.grids import EXPERIMENTS, VECTORS
from privstamp.lab.evals.report import markdown, sheets, summary


def test_a_sheet_for_each_experiment_and_task(report):
    found = {name: sheet for name, sheet in sheets(report.rows).items() if "," not in name[0]}
    assert list(found) == [(name, "ag_news") for name in EXPERIMENTS]
    for sheet in found.values():
        assert all(len(line) == len(sheet.headings) for line in sheet.lines)
        assert {"condition", "accuracy", "kept", "recovered, frequency", "ε"} <= set(sheet.headings)


def test_the_papers_figures_stand_beside_the_rows_they_belong_to(report):
    sheet = sheets(report.rows)["table1", "ag_news"]
    beside = {line[0]: line[sheet.headings.index("paper")] for line in sheet.lines}
    assert beside["original"] == "0.92"
    assert beside["polar angular on pieces, vector 1"] == "0.54"
    assert beside["laplace-coordinate l1 on words, vector 5"] == "0.52"
    assert beside["polar chordal on pieces, vector 1"] == ""
    others = [sheet for name, sheet in sheets(report.rows).items() if name[0] != "table1"]
    assert not any("paper" in one.headings for one in others)


def test_markdown_has_a_table_per_sheet_and_says_what_failed(report):
    text = markdown(report)
    assert text.count("\n## ") == len(sheets(report.rows))
    assert "1 cells failed: unexpected failure (ValueError" in text
    rows = [line for line in text.splitlines() if line.startswith("| polar angular on pieces")]
    assert len(rows) == len(VECTORS)


def test_summary_is_plain_json(report):
    data = json.loads(json.dumps(summary(report), allow_nan=False))
    assert len(data["rows"]) == len(report.rows)
    one = next(row for row in data["rows"] if row["paper"] == 0.54)
    assert one["shares"]["kept"]["value"] == 0.25
    assert one["of_original"]["examples"] == 6
    assert one["labels"]["mechanism"] == "polar"


def test_remarks_say_what_the_tables_do_not(report):
    assert len(report.remarks()) == 1  # the failed cell
    other = replace(report, older=2, codes=2, stopped=1, failures={})
    said = " ".join(other.remarks())
    assert "2 settings" in said and "2 states" in said
    assert "not come to its end" in said
    assert replace(other, older=0, codes=1, stopped=0).remarks() == []

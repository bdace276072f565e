"""What the audit's page says in words: for people, for reviewers, and check by check."""

import math

import pytest

from lab.audit.stand import TEXTS, quiet, stand
from privstamp.budget import GROUP_NAMES, Budget
from privstamp.lab.audit import report
from privstamp.lab.audit import run as run_module
from privstamp.lab.audit.cells import cells
from privstamp.lab.audit.labels import attributes
from privstamp.lab.audit.recovery import recovery
from privstamp.lab.audit.repeats import averaging
from privstamp.lab.audit.run import CHECKS, audit
from privstamp.lab.audit.verdict import SUMMARY, Audit, Section
from privstamp.lab.estimate import Estimate

FACTS = {
    "policy": "0123456789abcdef", "preset": "stamp", "date": "2026-01-02", "privstamp": "9.9",
    "space": "fedcba9876543210", "texts": 3, "units": 25, "seed": 7,
}  # fmt: skip


def section(name, sound=True, broken=(), **figures):
    found = {key: Estimate.exact(value) for key, value in figures.items()}
    return Section(name, f"Title of {name}", found, sound=sound, broken=broken)


def audited(*sections, skipped=()):
    return Audit(sections, tuple(skipped), FACTS)


LINE = section("line", promises_tested=70.0, promise_trials=12_345.0)


def test_a_line_of_facts_has_short_fingerprints():
    said = report.facts(FACTS)
    assert "0123456789ab," in said and "0123456789abc" not in said
    assert "fedcba987654," in said and "seed 7" in said and "3 texts with 25 units" in said


def test_an_opening_says_what_was_done_what_came_and_what_it_does_not_say():
    done, came, limits = report.opening(audited(LINE, section("misses", recall=0.9)))
    assert "70 of its promises" in done and "12345 trials" in done
    assert came == "None of them was broken, and no other check refuted anything."
    assert "found here: 0.900 of the words marked" in limits


def test_an_opening_of_a_refuted_line_gives_the_first_reason():
    wrong = section("line", sound=False, broken=("a name leaves: 1 where 0", "and more"),
                    promises_tested=1.0, promise_trials=1.0)  # fmt: skip
    _, came, limits = report.opening(audited(wrong))
    assert came == "Do not rely on it: a name leaves: 1 where 0." and "not measured" in limits


def test_an_opening_of_half_an_audit_promises_nothing():
    done, came, _ = report.opening(audited(section("cells"), skipped=["line"]))
    assert done == "The whole line was not put to the test."
    assert came.startswith("Nothing was refuted so far")


def test_every_check_is_explained_and_says_what_it_counts():
    assert set(report.CHECKS) == set(report.OF) == set(CHECKS)
    assert set(report.FIGURES) == set(SUMMARY)
    assert set(SUMMARY.values()) <= set(CHECKS)


@pytest.mark.parametrize("check", [cells, recovery, attributes])
def test_charts_name_columns_that_their_check_has(monkeypatch, check):
    found = check(stand(monkeypatch), quiet)
    bars = report.charts(found)
    assert len(bars) == len(report.BARS[found.name])
    for lines, series in bars:
        assert len(lines) == len(found.rows)
        assert all(len(values) == len(series) for _, values in lines)
        assert len({name for name, _ in lines}) == len(lines)  # lines are told apart
    assert "".join(report._part(found, False).blocks).count("<svg") == len(bars)


def test_averaging_is_drawn_as_a_curve(monkeypatch):
    found = averaging(stand(monkeypatch), quiet)
    assert [across for across, _ in report._curve(found)] == [1, 2, 5, 10, 20]
    drawn = "".join(report._part(found, False).blocks)
    assert not report.charts(found) and "<polyline" in drawn and drawn.count("<circle") == 5


@pytest.mark.parametrize(
    ("epsilon", "said"),
    [
        (0.0, "replaced, whatever it was"),
        (math.inf, "released unprotected"),
        (2.5, "2.5 per chordal unit"),
    ],
)
def test_a_budget_is_said_in_words(epsilon, said):
    assert report._epsilon(epsilon, "chordal") == said


def test_what_becomes_of_sensitive_words_is_said_once_where_both_groups_agree():
    assert report._treated(Budget.of([0, 0, 9, 9])) == "replaced, whatever it was"
    apart = report._treated(Budget.of([0, 2, 9, 9]))
    assert apart == "replaced, whatever it was or 2 per chordal unit"


def test_reviewers_questions_are_answered_from_policy_and_figures(monkeypatch):
    subject = stand(monkeypatch, budget=Budget.of([0, 0, 3, math.inf]))
    found = audited(
        section("leakage", singled_out=0.25, linkable=0.5),
        section("cells", recovery_uniform=0.1, recovery_unigram=0.2),
        section("attributes", attribute_original=0.9, attribute_released=0.6, attribute_floor=0.5),
        section("misses", recall=0.8),
    )
    said = dict(report.questions(subject, found))
    for group, name in GROUP_NAMES.items():
        assert f"group {group} ({name})" in said["Epsilon, with its metric"]
    assert said["Epsilon, with its metric"].count("replaced") == 2
    assert said["Metrics in use"] == "chordal"
    assert said["Labels depend on"] == subject.parts.sensitivity.scope.reason
    assert said["Singling out"] == "0.250 of the sample's texts"
    assert said["Linkability"] == "0.500 of the sample's texts"
    assert (
        "uniform prior: 0.100; unigram prior: 0.200; contextual prior: not measured"
        in (said["Inference of words"])
    )
    assert said["Inference of attributes"] == "0.900 (original), 0.600 (released), 0.500 (floor)"
    assert said["Detector's recall"] == "0.800 of the marked words"


def test_what_was_not_measured_is_said_to_be_so(monkeypatch):
    said = dict(report.questions(stand(monkeypatch, budget=Budget.uniform(0.0)), audited()))
    assert said["Metrics in use"] == "none: everything is replaced"
    for question in ("Singling out", "Linkability", "Inference of attributes", "Detector's recall"):
        assert said[question] == "not measured"


class Lister:
    """A detector that says what it looks for."""

    name = "lister"

    def __init__(self, *kinds):
        self.entities = kinds


def test_identifiers_are_looked_for_by_any_of_their_names(monkeypatch):
    subject = stand(monkeypatch, budget=Budget.of([0, 0, 1, 1]))
    subject.privatizer.parts.sensitivity.entities = ("PERSON", "US_SSN")
    said = dict(report.identifiers(subject))
    assert said["names"] == "looked for as PERSON; then replaced, whatever it was"
    assert said["social security numbers"].startswith("looked for as US_SSN; then")
    assert said["web addresses"] == "not looked for"
    assert "not text" in said["full-face photographs"]
    assert "digits are replaced wherever they stand" in said["telephone numbers"]
    subject.policy = subject.policy.model_copy(update={"numbers": "perturb"})
    assert "digits" not in dict(report.identifiers(subject))["telephone numbers"]


def test_detectors_inside_of_others_are_asked():
    union = Lister()
    del union.entities
    union._parts = (Lister("PERSON"), Lister("URL", "AGE"))
    assert report.looked_for(union) == {"PERSON", "URL", "AGE"}
    union._parts = (Lister("PERSON"), object.__new__(Lister))  # one that does not say
    assert report.looked_for(union) is None


def test_figures_stand_in_full_and_a_table_without_intervals(monkeypatch):
    share = Estimate.share(3, 10)
    found = Section("claims", "T", {"a": share, "b": Estimate.missing("because")},
                    [{"words": "group 1", "x": share, "y": 2.0, "z": None}])  # fmt: skip
    html = " ".join(report._part(found, False).blocks)
    number, _, interval = share.written().partition(" ")
    assert f"<th>a</th><td>{number} <small>{interval}</small></td>" in html.replace("\n", " ")
    assert "<th>b</th><td>because</td>" in html
    table = report._table(found.rows)
    assert table.headings == ["words", "x", "y", "z"]
    assert table.lines == [["group 1", "0.300", 2.0, None]]


def test_rows_of_several_columns_share_one_table():
    table = report._table([{"a": 1, "b_c": 2}, {"d": 3}])
    assert table.headings == ["a", "b c", "d"]
    assert table.lines == [[1, 2, None], [None, None, 3]]


def test_a_refuted_check_says_so_in_its_heading():
    assert report._part(section("claims"), False).title == "Title of claims"
    assert report._part(section("claims", sound=False), False).title.endswith("— refuted")


HOSTILE = '<img src=x onerror="alert(1)">'


def test_nothing_that_a_part_calls_itself_is_markup(monkeypatch):
    """Names of classes, mechanisms, detectors and metrics may be anybody's."""
    subject = stand(monkeypatch, TEXTS)
    subject.privatizer.parts.sensitivity.name = HOSTILE
    subject.parts.space.fingerprint, before = HOSTILE, subject.parts.space.fingerprint
    row = {"groups": "1", "mechanism": HOSTILE, "class": HOSTILE, HOSTILE: 1.0}
    found = Section("claims", HOSTILE, {HOSTILE: Estimate.missing(HOSTILE)}, [row],
                    (HOSTILE,), False, (HOSTILE,), (HOSTILE,))  # fmt: skip
    facts = {**FACTS, "space": HOSTILE, "preset": HOSTILE}
    try:
        html = report.page(subject, Audit((found,), (), facts), show_text=True)
    finally:
        subject.parts.space.fingerprint = before
    assert "<img" not in html and html.count("&lt;img") >= 8


SLOW = ("line", "reuse")  # they have tests of their own


def test_a_real_audit_fills_every_part_of_the_page(monkeypatch):
    quick = {name: check for name, check in CHECKS.items() if name not in SLOW}
    monkeypatch.setattr(run_module, "CHECKS", quick)
    subject = stand(monkeypatch)
    found = audit(subject, language_model=False)
    html = report.page(subject, found)
    assert found.passed and found.verdict.word == "sound"
    for name in CHECKS:
        assert (report.CHECKS[name].split(".")[0] in html) == (name in quick and name != "context")
    for figure in SUMMARY:
        assert figure.replace("_", " ") in html
    assert html.count("<table") >= 5 and "w41" not in html

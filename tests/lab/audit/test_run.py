import json

import pytest

from lab.audit.stand import stand
from privstamp.errors import InputError, PrivstampError
from privstamp.lab.audit import run as run_module
from privstamp.lab.audit.report import HIPAA, LEXICON, identifiers, looked_for, page
from privstamp.lab.audit.run import audit
from privstamp.lab.audit.subject import MOST, SampleText, bounded, bundled, read
from privstamp.lab.audit.verdict import SUMMARY, Audit, Section
from privstamp.lab.estimate import Estimate
from privstamp.sensitivity import presidio
from privstamp.sensitivity.numbers import KINDS
from privstamp.sensitivity.rules import Rules
from privstamp.types import Finding


def fine(_subject, told):
    told(0.5)
    recovered = dict.fromkeys(("recovery_uniform", "recovery_unigram"), Estimate.share(1, 4))
    return Section("cells", "T", {"keep_max": Estimate.exact(0.5)} | recovered)


def wrong(_subject, _told):
    figures = {"empirical_epsilon_over_claim": Estimate(1.7, 1.7)}
    return Section(
        "claims", "<Claims>", figures, [{"a": 1.0, "b": Estimate.share(1, 2)}], ("so",), False,
        broken=("the claim: 1.7 where at most 1",),
    )  # fmt: skip


@pytest.fixture
def subject(monkeypatch):
    monkeypatch.setattr(run_module, "CHECKS", {"cells": fine, "claims": wrong})
    return stand(monkeypatch)


def test_a_refuted_promise_fails_the_audit(subject):
    found = audit(subject)
    assert not found.passed
    assert (
        found.verdict.text == "REFUTED: the claim: 1.7 where at most 1" and found.verdict.code == 1
    )
    assert found.as_json()["verdict"]["word"] == "REFUTED"
    assert found.as_json()["summary"]["passed"] is False
    assert found.summary["keep_max"].value == 0.5
    assert found.summary["averaging_gain"].value is None and found.summary["averaging_gain"].note
    assert set(found.as_json()["summary"]) == {*SUMMARY, "passed"}


def test_checks_left_out_for_time_do_not_pass(subject):
    found = audit(subject, seconds=0.0)
    assert found.skipped == ("cells", "claims") and not found.passed and not found.sections
    assert found.verdict.text == "not finished: cells is missing; claims is missing"
    assert found.verdict.code == 3


def test_progress_is_told(subject):
    told = []
    audit(subject, progress=lambda name, share: told.append((name, share)))
    assert told == [("cells", 0.0), ("cells", 0.5), ("claims", 0.0)]


def test_an_audit_goes_on_where_it_was_stopped(subject, tmp_path, monkeypatch):
    state = tmp_path / "state.json"
    first = audit(subject, state=state)
    monkeypatch.setattr(run_module, "CHECKS", dict.fromkeys(("cells", "claims"), None))
    again = audit(subject, state=state)
    assert again.as_json() == first.as_json()
    assert b"w41" not in state.read_bytes()


def test_a_state_of_another_audit_is_refused(subject, tmp_path):
    state = tmp_path / "state"
    audit(subject, state=state)
    subject.recall = 0.5
    with pytest.raises(InputError, match="another measurement"):
        audit(subject, state=state)
    state.write_bytes(b"[]" * 500)
    with pytest.raises(PrivstampError, match="no journal"):
        audit(subject, state=state)


def test_a_state_is_for_its_owner_alone(subject, tmp_path):
    audit(subject, state=tmp_path / "state")
    assert (tmp_path / "state").stat().st_mode & 0o077 == 0


def test_a_check_that_breaks_keeps_what_was_finished(subject, tmp_path, monkeypatch):
    def broken(_subject, _told):
        raise ValueError

    state = tmp_path / "state"
    monkeypatch.setattr(run_module, "CHECKS", {"cells": fine, "claims": broken})
    with pytest.raises(ValueError):
        audit(subject, state=state)
    monkeypatch.setattr(run_module, "CHECKS", {"cells": None, "claims": wrong})
    assert [section.name for section in audit(subject, state=state).sections] == ["cells", "claims"]


def test_the_page_shows_figures_and_no_text(subject):
    html = page(subject, audit(subject))
    assert "REFUTED: the claim: 1.7" in html and "&lt;Claims&gt; — refuted" in html
    assert html.index("preset stamp, changed") < html.index("Do not rely on it")
    assert html.index("Do not rely on it") < html.index("biometric") < html.index("In figures")
    assert "<script" not in html and "http" not in html
    assert "Zworg" not in html and "w41" not in html
    assert "0.250 <small>[" in html and "biometric" in html
    assert "the audit fails" in html  # what a check means, in plain words


CHARTED = [
    Section("cells", "C", {}, [{
        "group": 2, "class": "name", "floor_unigram": 0.1,
        **dict.fromkeys(("keep_mean", "keep_weighted", "keep_max"), Estimate.exact(0.2)),
        **dict.fromkeys(("recovery_uniform", "recovery_unigram"), Estimate.share(3, 10)),
    }]),
    Section("recovery", "R", {}, [{"words": "group 1", **dict.fromkeys(
        ("recovered_unigram", "recovered_unigram_top5", "floor_unigram"), Estimate.share(1, 9))}]),
    Section("averaging", "A", {}, [
        {"releases": n, "recovered": Estimate.share(n, 30)} for n in (1, 5, 20)]),
    Section("attributes", "B", {}, [{
        "attribute": "label <x>", "original": Estimate.share(3, 4),
        "released": Estimate.share(1, 4), "floor": Estimate.missing("none")}]),
    Section("leakage", "L", {}, private=('"Zworg" left as it was',)),
]  # fmt: skip


def test_charts_are_drawn_where_there_is_something_to_see(subject):
    found = Audit(tuple(CHARTED), (), audit(subject).facts)
    html = page(subject, found)
    assert html.count("<svg") == 5 and html.count("<polyline") == 1
    assert "label &lt;x&gt;" in html and "Zworg" not in html
    again = Audit(tuple(Section.of_json(one.as_json()) for one in CHARTED), (), found.facts)
    assert page(subject, again) == html


def test_words_are_shown_only_when_asked_for_and_marked_private(subject):
    found = Audit(tuple(CHARTED), (), audit(subject).facts)
    html = page(subject, found, show_text=True)
    assert "Zworg" in html and "Do not pass it on" in html
    assert "Zworg" not in json.dumps(found.as_json())


def test_checks_with_a_language_model_can_be_left_out(subject, monkeypatch):
    monkeypatch.setattr(run_module, "CHECKS", {"context": fine})
    found = audit(subject, language_model=False)
    assert found.sections == () and found.skipped == () and found.passed
    assert found.summary["recovery_contextual"].note == "not asked for"


class Silent:
    name = "silent"


class Both:
    name = "both"

    def __init__(self, *parts):
        self._parts = parts


def test_a_detector_that_lists_no_kinds_is_not_one_that_looks_for_none(subject):
    assert looked_for(Silent()) is None and looked_for(Both(Rules(), Silent())) is None
    assert "PERSON" in looked_for(Both(Rules(), Both(Rules()))) and looked_for(Rules())
    lines = dict(identifiers(subject))  # its detector is a list that says nothing of kinds
    assert "does not list its kinds" in lines["names"]
    assert len(lines) == 18


def test_dates_and_addresses_are_looked_for_by_their_role():
    by_role = Both(Rules(), Rules())
    assert not looked_for(by_role) & {"DATE", "ADDRESS"}
    by_role._numbers = object()
    assert looked_for(by_role) >= {"DATE", "AGE", "ADDRESS"}


def test_names_of_identifiers_are_those_of_the_detectors():
    known = presidio.ENTITIES | LEXICON | KINDS
    assert all(name in known for names in HIPAA.values() for name in names)


def test_the_bundled_texts_have_their_marks():
    texts = bundled()
    assert len(texts) >= 16 and len({text.label for text in texts}) == 4
    for text in texts:
        assert "[[" not in text.text and "|" not in text.text and text.task
        assert text.marked
        for mark in text.marked:
            assert text.text[mark.start : mark.end].strip()
    assert any(text.text[m.start : m.end] == "Gothenburg" for text in texts for m in text.marked)


def test_a_large_sample_is_cut_at_blanks():
    small = [SampleText("w1 w2")] * 3
    assert bounded(small) is small
    (long,) = bounded([SampleText("w1 w23 " * 20_000, label="l")])
    assert MOST - 8 < len(long.text) <= MOST and long.text.endswith(("w1", "w23"))
    assert long.label == "l"
    marks = tuple(Finding(at, at + 2, "P", 1.0, "s", "m") for at in (0, MOST + 5))
    (solid,) = bounded([SampleText("x" * (MOST + 9), marked=marks)])
    assert solid.marked == marks[:1]
    assert len(solid.text) == MOST
    many = bounded([SampleText(f"w{n} " * 50) for n in range(1000)])
    assert len(many) <= 60 and sum(len(one.text) for one in many) <= MOST
    assert many[0].text.startswith("w0") and many[-1].text[:2] == "w9"


def test_own_texts_are_read_and_wrong_lines_named():
    assert [text.text for text in read("one", "a.txt", "t")] == ["one"]
    found = read('{"text": "x", "label": "l"}\n\n{"text": "y", "task": "q"}\n', "a.jsonl", "t")
    assert [(one.text, one.task, one.label) for one in found] == [("x", "t", "l"), ("y", "q", None)]
    (spans,) = read('{"text": "w1 w2", "spans": [[3, 5, "PERSON"]]}', "a.jsonl", None)
    assert [(one.start, one.end, one.kind) for one in spans.marked] == [(3, 5, "PERSON")]
    wrong = ('[[3, 9, "P"]]', '[[3, "5", "P"]]', "[3]", '"P"', "[[true, 2, 3]]")
    lines = ["{", "[]", '{"text": 3}', '{"text": "secret", "task": 3}']
    for line in lines + [f'{{"text": "secret", "spans": {one}}}' for one in wrong]:
        with pytest.raises(InputError, match="line 1") as caught:
            read(line, "a.jsonl", None)
        assert "secret" not in str(caught.value) and caught.value.__context__ is None

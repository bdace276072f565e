import json

import pytest

from audit.stand import stand
from privstamp.audit import run as run_module
from privstamp.audit.figures import Figure, Section
from privstamp.audit.page import page
from privstamp.audit.run import SUMMARY, audit
from privstamp.audit.sample import bundled, read
from privstamp.errors import InputError


def fine(_subject, told):
    told(0.5)
    return Section("cells", "T", {"keep_max": Figure.exact(0.5)} | {
        name: Figure.share(1, 4) for name in ("recovery_uniform", "recovery_unigram")})  # fmt: skip


def wrong(_subject, _told):
    figures = {"empirical_epsilon_over_claim": Figure(1.7, 1.7)}
    return Section(
        "claims", "<Claims>", figures, [{"a": 1.0, "b": Figure.share(1, 2)}], ("so",), False
    )


@pytest.fixture
def subject(monkeypatch):
    monkeypatch.setattr(run_module, "CHECKS", {"cells": fine, "claims": wrong})
    return stand(monkeypatch)


def test_a_refuted_promise_fails_the_audit(subject):
    found = audit(subject)
    assert not found.passed
    assert found.as_json()["summary"]["passed"] is False
    assert found.summary["keep_max"].value == 0.5
    assert found.summary["averaging_gain"].value is None and found.summary["averaging_gain"].note
    assert set(found.as_json()["summary"]) == {*SUMMARY, "passed"}


def test_checks_left_out_for_time_do_not_pass(subject):
    found = audit(subject, seconds=0.0)
    assert found.skipped == ("cells", "claims") and not found.passed and not found.sections


def test_progress_is_told(subject):
    told = []
    audit(subject, watch=lambda name, share: told.append((name, share)))
    assert told == [("cells", 0.0), ("cells", 0.5), ("claims", 0.0)]


def test_an_audit_goes_on_where_it_was_stopped(subject, tmp_path, monkeypatch):
    state = tmp_path / "state.json"
    first = audit(subject, state=state)
    monkeypatch.setattr(run_module, "CHECKS", dict.fromkeys(("cells", "claims"), None))
    again = audit(subject, state=state)
    assert again.as_json() == first.as_json()
    assert "w41" not in state.read_text()


def test_a_state_of_another_audit_is_refused(subject, tmp_path):
    state = tmp_path / "state.json"
    audit(subject, state=state)
    data = json.loads(state.read_text())
    for broken in ({**data, "mark": {}}, {"sections": 3}, []):
        state.write_text(json.dumps(broken))
        with pytest.raises(InputError, match="state"):
            audit(subject, state=state)


def test_the_page_shows_figures_and_no_text(subject):
    html = page(subject, audit(subject))
    assert "Refuted: &lt;Claims&gt;" in html and "<script" not in html and "http" not in html
    assert "Zork" not in html and "w41" not in html
    assert "0.250 [" in html and html.count("<svg") >= 4
    assert "biometric" in html


def test_the_bundled_texts_have_their_marks():
    texts = bundled()
    assert len(texts) >= 16 and len({text.label for text in texts}) == 4
    for text in texts:
        assert "[[" not in text.text and "|" not in text.text and text.task
        assert text.marked
        for mark in text.marked:
            assert text.text[mark.start : mark.end].strip()
    assert any(text.text[m.start : m.end] == "Gothenburg" for text in texts for m in text.marked)


def test_own_texts_are_read_and_wrong_lines_named():
    assert [text.text for text in read("one", "a.txt", "t")] == ["one"]
    found = read('{"text": "x", "label": "l"}\n\n{"text": "y", "task": "q"}\n', "a.jsonl", "t")
    assert [(one.text, one.task, one.label) for one in found] == [("x", "t", "l"), ("y", "q", None)]
    for line in ("{", "[]", '{"text": 3}', '{"text": "secret", "task": 3}'):
        with pytest.raises(InputError, match="line 1") as caught:
            read(line, "a.jsonl", None)
        assert "secret" not in str(caught.value) and caught.value.__context__ is None

import pytest

from lab.audit.stand import TEXTS, quiet, stand
from models.chat_server import failed, said, serving
from privstamp.budget import Budget
from privstamp.errors import InputError
from privstamp.lab.audit import run as run_module
from privstamp.lab.audit.context import SYSTEM, reconstruction
from privstamp.lab.audit.report import page
from privstamp.lab.audit.run import audit
from privstamp.lab.audit.subject import SampleText
from privstamp.models import endpoint
from privstamp.models.endpoint import Endpoint
from privstamp.types import Finding

NAMES = ("reconstructed_sensitive", "reconstructed_sensitive_floor", "reconstructed_words",
         "reconstructed_words_floor")  # fmt: skip
NEW = ("reconstructed_sensitive_new", "reconstructed_words_new")


def echo(_number, body):
    """An attacker who takes the release for the original."""
    return said(body["messages"][-1]["content"])


def attacked(monkeypatch, answer, **settings):
    """The section of one check, its subject, and what the server saw."""
    monkeypatch.setattr(endpoint, "_FIRST_PAUSE", 0.01)
    subject = stand(monkeypatch, **settings)
    with serving(answer) as served:
        subject.endpoint = Endpoint(served.url, "some-model", concurrency=1, retries=1)
        return reconstruction(subject, quiet), subject, served


def values(section):
    return [section.figures[name].value for name in NAMES]


def test_an_attacker_who_knows_the_originals_gets_everything(monkeypatch):
    numbered = " ".join(f"w{n}" for n in range(30))
    original = f"Zworg Quux {numbered}"  # the first two are in no list: they never come back
    texts = [SampleText(original, marked=(Finding(0, 9, "PERSON", 1.0, "s", "m"),))]
    section, _, _ = attacked(
        monkeypatch,
        lambda *_: said(f"Here it is: {original.upper()}!"),
        texts=texts,
        budget=Budget.uniform(0.5),
    )
    spans, spans_floor, words, words_floor = values(section)
    assert (spans, spans_floor, words) == (1.0, 0.0, 1.0) and words_floor < 0.5
    assert {section.figures[name].value for name in NEW} == {1.0}
    assert section.private == ('"Zworg Quux" was reconstructed',)
    assert section.sound and {row["what"] for row in section.rows} > {"sensitive spans"}


def test_an_attacker_who_repeats_the_release_gets_the_floor(monkeypatch):
    section, _, _ = attacked(monkeypatch, echo)
    spans, spans_floor, words, words_floor = values(section)
    assert spans == spans_floor and words == words_floor and not section.private
    assert section.figures[NEW[1]].value == 0.0


def test_an_attacker_who_declines_gets_nothing(monkeypatch):
    section, _, _ = attacked(monkeypatch, lambda *_: said(None))
    assert values(section)[0] == 0.0 and values(section)[2] == 0.0


def test_part_of_a_word_is_not_the_word(monkeypatch):
    section, _, _ = attacked(monkeypatch, lambda *_: said("w22 w411 xw2 aw41a"))
    assert values(section)[0] == 0.0


def test_only_released_text_is_sent(monkeypatch):
    section, _, served = attacked(monkeypatch, echo)
    assert len(served.bodies) == len(TEXTS)
    assert b"Zworg" not in served.raw and b"w3?" not in served.raw  # a text's word, and a task
    for body, text in zip(served.bodies, TEXTS, strict=True):
        assert set(body) == {"model", "temperature", "max_tokens", "messages"}
        assert [one["role"] for one in body["messages"]] == ["system", "user"]
        assert body["messages"][0]["content"] == SYSTEM
        assert body["messages"][1]["content"] != text.text
    assert "sent to 127.0.0.1, model some-model" in section.remarks[0]


def test_what_is_sent_has_noise_that_no_seed_tells(monkeypatch):
    """The audit's own releases could be undone by whoever knows its seed."""
    _, subject, first = attacked(monkeypatch, echo, budget=Budget.uniform(0.5))
    _, _, second = attacked(monkeypatch, echo, budget=Budget.uniform(0.5))
    sent = [[body["messages"][1]["content"] for body in one.bodies] for one in (first, second)]
    seeded = [result.text for result in subject.first]
    assert sent[0] != sent[1] and sent[0] != seeded and sent[1] != seeded
    assert seeded == [result.text for result in subject.releases(0)]


def test_without_an_endpoint_the_figures_are_null_and_say_so(monkeypatch):
    section = reconstruction(stand(monkeypatch), quiet)
    assert set(section.figures) == {*NAMES, *NEW} and values(section) == [None] * 4
    assert "--endpoint" in section.figures[NAMES[0]].note and section.sound


def test_an_endpoint_that_fails_leaves_the_rest_of_the_audit_standing(monkeypatch):
    section, _, _ = attacked(monkeypatch, lambda *_: failed(500))
    assert values(section) == [None] * 4 and section.sound
    assert "HTTP 500" in section.figures[NAMES[0]].note and "127.0.0.1" in section.remarks[0]


def test_the_report_names_the_host_and_a_state_belongs_to_its_endpoint(monkeypatch, tmp_path):
    monkeypatch.setattr(run_module, "CHECKS", {"reconstruction": reconstruction})
    state = tmp_path / "state.json"
    subject = stand(monkeypatch)
    with serving(echo) as served:
        subject.endpoint = Endpoint(served.url, "some-model")
        found = audit(subject, state=state)
        assert audit(subject, state=state).as_json() == found.as_json()
        assert len(served.bodies) == len(TEXTS)  # what is finished is not sent again
    html = page(subject, found)
    assert "sent to 127.0.0.1" in html and served.url not in html
    assert "Zworg" not in html + state.read_bytes().decode("latin-1")
    subject.endpoint = None
    with pytest.raises(InputError, match="another measurement"):
        audit(subject, state=state)

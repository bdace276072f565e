"""privstamp audit: figures, exit codes, bad input, and no word of the sample anywhere."""

import json

import pytest
from toy_desk import MARKER, toy_policy

from models.chat_server import said, serving
from privstamp.lab.audit import claims as claims_module
from privstamp.lab.audit import run as run_module
from privstamp.lab.audit import selftest as mutants_module
from privstamp.lab.audit.context import reconstruction
from privstamp.lab.audit.verdict import Section
from privstamp.lab.estimate import Estimate

QUICK = ("--policy", "toy.toml", "--no-lm")
KEYS = {
    "recovery_uniform", "recovery_unigram", "recovery_contextual", "keep_max",
    "sensitive_verbatim", "empirical_epsilon_over_claim", "averaging_gain", "passed",
    "promises_broken",
}  # fmt: skip


@pytest.fixture(autouse=True)
def few_draws(monkeypatch):
    monkeypatch.setattr(claims_module, "_DRAWS", 400)
    monkeypatch.setattr(claims_module, "_CANARIES", 400)


def only(monkeypatch, section):
    monkeypatch.setattr(run_module, "CHECKS", {section.name: lambda *_: section})


SOUND = Section("leakage", "L", {"sensitive_verbatim": Estimate.share(1, 4)},
                private=(f'"{MARKER}" left as it was',))  # fmt: skip


def test_json_has_the_summary_with_intervals(run, desk):
    done = run("audit", "note.txt", *QUICK, "--json", "--html", "r.html", "--state", "s.json")
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)
    assert set(found["summary"]) == KEYS and found["summary"]["passed"] is True
    for name in KEYS - {"passed"}:
        assert {"value", "low", "high"} <= set(found["summary"][name])
    assert found["summary"]["recovery_contextual"]["value"] is None
    assert found["summary"]["recovery_contextual"]["note"]
    assert len(found["sections"]) == len(run_module.CHECKS) - 1
    written = (desk / "r.html").read_text() + (desk / "s.json").read_bytes().decode("latin-1")
    assert MARKER not in done.stdout + done.stderr + written
    again = run("audit", "note.txt", *QUICK, "--json", "--state", "s.json")
    assert json.loads(again.stdout) == found


def test_a_refuted_promise_exits_with_one(run, monkeypatch):
    only(monkeypatch, Section("claims", "Claims", {}, sound=False))
    done = run("audit", "note.txt", *QUICK)
    assert done.exit_code == 1 and "REFUTED: Claims" in done.stdout


def test_checks_left_out_for_time_exit_with_three(run):
    done = run("audit", "note.txt", *QUICK, "--budget-seconds", "0")
    assert done.exit_code == 3 and "not finished: line is missing" in done.stdout
    assert "not made for want of time: cells" in done.stdout


def test_a_self_test_counts_what_it_refuted(run, monkeypatch):
    first = mutants_module.MUTANTS[-1]
    harmless = mutants_module.Mutant("nothing is wrong", "line", {})
    monkeypatch.setattr(mutants_module, "MUTANTS", (first,))
    done = run("audit", "--self-test")
    assert done.exit_code == 0 and "1 of 1 broken lines were refuted" in done.stdout
    assert "1 of 1 audits of the sound lines passed" in done.stdout
    monkeypatch.setattr(mutants_module, "MUTANTS", (harmless,))
    done = run("audit", "--self-test")
    assert done.exit_code == 1 and "nothing is wrong: NOT REFUTED" in done.stdout


def test_words_are_shown_only_when_asked_for(run, desk, monkeypatch):
    only(monkeypatch, SOUND)
    shy = run("audit", "note.txt", *QUICK, "--html", "a.html")
    assert MARKER not in shy.stdout + shy.stderr + (desk / "a.html").read_text()
    open_ = run("audit", "note.txt", *QUICK, "--html", "b.html", "--show-text")
    assert MARKER in open_.stdout and MARKER in (desk / "b.html").read_text()
    assert "private" in open_.stderr
    machine = run("audit", "note.txt", *QUICK, "--json", "--show-text")
    assert MARKER not in machine.stdout


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("empty.txt", b"", "at least one text"),
        ("blank.jsonl", b"\n\n", "at least one text"),
        ("binary.txt", b"\xff\x00\x9d" + MARKER.encode(), "not UTF-8"),
        ("wrong.jsonl", b'{"txt": "' + MARKER.encode() + b'"}', "line 1"),
        ("label.jsonl", b'{"text": "w1", "label": 3}', "line 1"),
    ],
)
def test_bad_samples_are_refused_without_a_word_of_them(run, desk, name, content, words):
    (desk / name).write_bytes(content)
    done = run("audit", name, *QUICK)
    assert done.exit_code == 2 and words in done.stderr
    assert MARKER not in done.stdout + done.stderr


def test_a_huge_sample_is_cut_and_said_so(run, desk, monkeypatch):
    only(monkeypatch, SOUND)
    (desk / "huge.txt").write_text(f"w1 w2 {MARKER} " * 200_000)
    done = run("audit", "huge.txt", *QUICK)
    assert done.exit_code == 0 and "the sample is large" in done.stderr
    assert MARKER not in done.stdout + done.stderr


def test_bad_arguments_are_refused(run):
    for arguments, words in [
        (("missing.txt",), "no such file"),
        (("note.txt", "--recall", "1.5"), "recall"),
        (("note.txt", "--html", "note.txt"), "--html"),
        (("note.txt", "--state", "note.txt"), "--state"),
        (("note.txt", "--html", "nowhere/r.html"), "folder"),
        (("note.txt", "--endpoint", "https://example.com"), "belong together"),
        (("note.txt", "--endpoint-model", "m"), "belong together"),
        (("note.txt", "--endpoint", "http://example.com", "--endpoint-model", "m"), "https://"),
    ]:
        done = run("audit", *arguments, *QUICK)
        assert done.exit_code == 2 and words in done.stderr, arguments


def test_an_endpoint_gets_released_text_alone(run, desk, monkeypatch):
    monkeypatch.setattr(run_module, "CHECKS", {"reconstruction": reconstruction})
    monkeypatch.setenv("PRIVSTAMP_API_KEY", "sk-quixote")
    with serving(lambda *_: said(f"It was {MARKER}")) as served:
        found = ("--endpoint", served.url, "--endpoint-model", "big")
        done = run("audit", "note.txt", *QUICK, *found, "--json", "--state", "s.json")
    assert done.exit_code == 0, done.stderr
    assert len(served.bodies) == 1 and MARKER.encode() not in served.raw
    assert b"bob@" not in served.raw
    assert "will be sent to 127.0.0.1" in done.stderr
    (section,) = json.loads(done.stdout)["sections"]
    assert "sent to 127.0.0.1, model big" in section["remarks"][0]
    assert section["figures"]["reconstructed_words"]["value"] is not None
    shown = done.stdout + done.stderr + (desk / "s.json").read_bytes().decode("latin-1")
    assert MARKER not in shown and "sk-quixote" not in shown


def test_a_text_without_a_known_word_is_audited(run, desk, monkeypatch):
    monkeypatch.delitem(run_module.CHECKS, "line")
    (desk / "odd.txt").write_text(MARKER)
    (desk / "toy.toml").write_text(toy_policy().to_toml())
    done = run("audit", "odd.txt", *QUICK, "--json")
    assert done.exit_code == 0, done.stderr
    summary = json.loads(done.stdout)["summary"]
    assert summary["keep_max"]["value"] is None and summary["keep_max"]["note"]

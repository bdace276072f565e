"""privstamp evals: from a task of one's own to a report, and what can go wrong on the way."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

import tiny_workshop as tiny
from lab.evals.test_making import good
from models.chat_server import said, serving
from privstamp.lab.evals import plan, workshop
from privstamp.lab.evals.grids import EXPERIMENTS
from privstamp.lab.evals.results import FILE, finished
from privstamp.lab.evals.runner import BATCH
from privstamp.lab.evals.runner import run as run_cells
from privstamp.lab.journal import Journal
from privstamp.policy import Policy
from privstamp.types import HERE, Usage

DOCS = Path(__file__).parents[2] / "docs" / "lab" / "evals.md"


@pytest.fixture(autouse=True)
def whatever_was_pulled(monkeypatch):
    """Plans are the same on every machine."""
    monkeypatch.setattr(plan, "missing", lambda *_: [])
    monkeypatch.setattr(plan, "require", lambda *_: None)


def test_what_cannot_be_run_is_said_once_before_the_first_cell(run, desk, stand_in, monkeypatch):
    stand_in()
    monkeypatch.setattr(plan, "missing", lambda *needs: ["no model"] if needs else [])
    done = run("evals", "run", "repair", "--tasks", "ag_news", "--reader", "tfidf", "--limit", "2")
    assert done.exit_code == 0, done.stderr
    assert done.stderr.count("3 cells are left out: no model") == 1
    assert "measured 8," in done.stdout  # original and three that are not repaired


@pytest.fixture
def documented(desk):
    """The files of the docs' example, as they stand there."""
    for name, body in re.findall(r"```text\n# ([\w.-]+)\n(.*?)```", DOCS.read_text(), re.DOTALL):
        (desk / name).write_text(body)
    assert (desk / "my-task.toml").exists() and (desk / "training.csv").exists()
    return desk


@pytest.fixture
def results(desk):
    cells = tiny.cells("original", "stamp", seeds=2)
    run_cells(cells, desk / "results", tiny.opener(), limits={"numbers": 8})
    return desk / "results"


def test_list_names_what_there_is_and_what_is_at_hand(run, monkeypatch):
    monkeypatch.delenv("PRIVSTAMP_DATA", raising=False)
    data = json.loads(run("evals", "list", "--json").stdout)
    assert [one["name"] for one in data["experiments"]] == list(EXPERIMENTS)
    here = {one["name"]: one["here"] for one in data["tasks"]}
    assert here["fantasy"] and not here["squad"]
    assert all(one["here"] or one["how"] for one in [*data["tasks"], *data["readers"]])
    shown = run("evals", "list").stdout
    assert "table1" in shown and "qwen-0.5b" in shown


def test_data_in_the_folder_is_at_hand(run, desk, monkeypatch):
    (desk / "ag_news_test.csv").write_text("1,a,b\n")
    monkeypatch.setenv("PRIVSTAMP_DATA", str(desk))
    data = json.loads(run("evals", "list", "--json").stdout)
    assert {one["name"]: one["here"] for one in data["tasks"]}["ag_news"]


@pytest.mark.slow
def test_the_documented_task_runs_goes_on_and_is_reported(run, documented):
    command = ["evals", "run", "my-task.toml", "--preset", "readable", "--reader", "tfidf"]
    done = run(*command, "--limit", "2", "--json")
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["measured"] == 4 * 2
    done = run(*command, "--json")
    assert done.exit_code == 0, done.stderr
    facts = json.loads(done.stdout)
    assert (facts["measured"], facts["known"], facts["failed"]) == (8, 8, [])
    content = (documented / "results" / FILE).read_bytes()
    assert b"Quillfeather" not in content and b"Ashgrove" not in content
    table = run("evals", "report", "results").stdout
    assert "| readable |" in table and "| original |" in table and "my-task" in table


def test_a_dry_run_counts_and_measures_nothing(run, desk):
    done = run("evals", "run", "restore", "--tasks", "fantasy", "--limit", "10", "--dry-run",
               "--price", "1,2", "--json")  # fmt: skip
    facts = json.loads(done.stdout)
    assert facts["items"] == facts["prompts"] == facts["cells"] * 10
    assert facts["tokens_in"] > 100 * facts["prompts"]
    assert facts["cost"] == pytest.approx((facts["tokens_in"] + 2 * facts["tokens_out"]) / 1e6)
    assert not (desk / "results").exists()
    assert "prompts" in run("evals", "run", "restore", "--tasks", "fantasy", "--dry-run").stdout


def test_a_dry_run_without_the_data_says_so(run, desk, monkeypatch):
    monkeypatch.setenv("PRIVSTAMP_DATA", str(desk))
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    done = run("evals", "run", "table1", "--tasks", "ag_news", "--limit", "5", "--dry-run")
    assert done.exit_code == 0
    assert "counted without its data" in done.stderr and "210" not in done.stderr


AWAY = ["--repair", "https://example.com/v1", "--repair-model", "m"]
ASKED = ["restore", "--tasks", "fantasy", "--endpoint", "https://example.com/v1", "--model", "m"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["tabel1"], "table1"),
        (["table1", "--tasks", "squid"], "squad"),
        (["table1", "--policy", "toy.toml"], "task of your own"),
        (["table1", "--endpoint", "https://example.com/v1"], "--model"),
        (["table1", "--price", "cheap", "--dry-run"], "--price"),
        (["repair", "--repair", "https://example.com/v1"], "--repair-model"),
        (["repair", "--repair", "local", "--repair-model", "m"], "--repair-model"),
        (["table1", "--repair", "local"], "nothing in this run is repaired"),
        (["repair", "--repair", "http://example.com/v1", "--repair-model", "m"], "https://"),
        (["none.toml"], "none.toml"),
        (["table1", "--concurrency", "2"], "for an endpoint"),
        (["repair", *AWAY, "--timeout", "9"], "for an endpoint"),
        ([*ASKED, "--timeout", "0"], "--timeout"),
        ([*ASKED, "--concurrency", "0"], "--concurrency"),
        (["table1", "--tasks", ""], "no task"),
        (["table1", "--tasks", "ag_news", "--reader", "nobody"], "nobody"),
        (["table1", "--endpoint", "http://example.com/v1", "--model", "m"], "https://"),
    ],
)
def test_what_cannot_be_is_refused_before_any_work(run, desk, given, said):
    done = run("evals", "run", *given)
    assert done.exit_code == 2
    assert said in done.stderr
    assert not (desk / "results").exists()


@pytest.fixture
def stand_in(monkeypatch):
    """Runs open this workshop instead of the real one."""

    def use(**settings):
        monkeypatch.setattr(workshop, "Workshop", lambda *_: tiny.TinyWorkshop(**settings))

    return use


def test_a_failed_cell_is_told_and_the_exit_code_says_so(run, desk, stand_in):
    stand_in(hurt="qwen-0.5b")
    command = ["evals", "run", "overhead", "--tasks", "fantasy", "--limit", "3", "--json"]
    done = run(*command)
    assert done.exit_code == 1
    assert "cells failed: unexpected failure (ValueError" in done.stderr
    assert "text 0" not in done.stderr + done.stdout
    stand_in()
    done = run(*command)
    assert done.exit_code == 0 and json.loads(done.stdout)["failed"] == []


OVERHEAD = ["evals", "run", "overhead", "--tasks", "fantasy", "--limit", "3", "--only", "stamp"]


def test_tokens_and_cost_are_told_at_the_end(run, desk, stand_in):
    stand_in()
    done = run(*OVERHEAD, "--price", "100000,500000", "--json")
    assert "3 prompts were sent to host: 30 tokens in, 6 out" in done.stderr
    assert "; cost 6.00" in done.stderr
    facts = json.loads(done.stdout)
    assert facts["usage"]["host"]["tokens_in"] == 30 and facts["cost"] == 6.0
    done = run(*OVERHEAD, "--out", "other", "--json")
    assert "3 prompts were sent" in done.stderr and "cost" not in done.stderr
    assert json.loads(done.stdout)["cost"] is None
    again = run(*OVERHEAD, "--out", "other", "--price", "1,1")
    assert "prompts" not in again.stderr


def test_what_runs_here_costs_nothing(run, desk, stand_in, monkeypatch):
    stand_in()
    monkeypatch.setattr(tiny.TinyWorkshop, "usage", lambda one: {HERE: Usage(len(one.released))})
    done = run(*OVERHEAD, "--price", "1,1", "--json")
    assert "3 prompts were asked on this machine" in done.stderr and "cost" not in done.stderr
    assert json.loads(done.stdout)["cost"] == 0


@pytest.fixture
def repaired(documented):
    """A policy that lets a host repair what it releases."""
    repair = '[repair]\nname = "https://example.com/v1"\nmodel = "m"\n'
    (documented / "privstamp.toml").write_text(Policy.preset("stamp").to_toml() + repair)
    return ["evals", "run", "my-task.toml", "--reader", "tfidf", "--policy", "privstamp.toml"]


def test_who_gets_released_texts_is_told_before_the_run(run, repaired, stand_in):
    stand_in()
    done = run(*repaired)
    assert done.exit_code == 0, done.stderr
    assert done.stderr.index("released texts are sent to example.com") < done.stderr.index(
        "prompts"
    )
    assert "sent to" not in run(*repaired[:-2], "--preset", "stamp", "--out", "b").stderr.replace(
        "prompts were sent to host", ""
    )


def test_a_dry_run_counts_what_a_repair_sends(run, repaired):
    facts = json.loads(run(*repaired, "--dry-run", "--price", "1,1", "--json").stdout)
    assert (facts["prompts"], facts["repairs"]) == (0, 4)  # a window for each of four messages
    assert facts["tokens_in"] > 400 and facts["cost"] > 0
    shown = run(*repaired, "--dry-run", "--price", "1,1").stdout
    assert "4 prompts at least" in shown and shown.rstrip().endswith("or more")
    plain = run(*repaired, "--preset", "stamp", "--dry-run", "--price", "1,1").stdout
    assert "repairs" not in plain and "or more" not in plain


def test_own_tasks_run_without_the_readers_that_are_not_here(
    run, documented, stand_in, monkeypatch
):
    monkeypatch.setattr(
        workshop, "_asset", lambda name, *_: (False, f"privstamp assets pull {name}")
    )
    stand_in(hurt="minilm")
    task = ["evals", "run", "my-task.toml", "--preset", "stamp"]
    done = run(*task)
    assert done.exit_code == 0
    assert "minilm is left out" in done.stderr and "privstamp assets pull minilm" in done.stderr
    done = run(*task, "--reader", "minilm")
    assert done.exit_code == 1 and "left out" not in done.stderr


FILL = ["evals", "run", "baselines", "--tasks", "fantasy", "--only", "mask and fill"]


def test_who_fills_gaps_elsewhere_is_warned_of(run, desk, stand_in):
    stand_in()
    done = run(*FILL, *AWAY, "--limit", "3")
    assert done.exit_code == 0, done.stderr
    assert "warning: texts are sent to example.com to fill gaps" in done.stderr
    dry = json.loads(run(*FILL, *AWAY, "--limit", "10", "--dry-run", "--json").stdout)
    assert (dry["prompts"], dry["repairs"]) == (10, 2)  # five questions about each of two texts
    assert "example.com" not in run(*FILL, "--repair", "local", "--limit", "3").stderr


def test_how_an_endpoint_is_asked_reaches_the_run(run, desk, monkeypatch):
    seen = []

    def opened(*settings):
        seen.append(settings)
        return tiny.TinyWorkshop()

    monkeypatch.setattr(workshop, "Workshop", opened)
    settings = ["--timeout", "7", "--concurrency", "2", "--replies", "replies", "--limit", "1"]
    done = run("evals", "run", *ASKED, "--only", "original", *settings)
    assert done.exit_code == 0, done.stderr
    url = "https://example.com/v1"
    assert seen == [(url, Path("replies"), 7.0, 2)]


@pytest.mark.slow
def test_several_processes_are_counted_together(run, desk, monkeypatch):
    monkeypatch.setattr(workshop, "Workshop", tiny.opened)
    done = run("evals", "run", "overhead", "--tasks", "fantasy", "--limit", "3", "--jobs", "2")
    assert done.exit_code == 0, done.stderr
    assert "30 prompts were sent to host: 300 tokens in" in done.stderr


def test_a_folder_in_use_is_refused(run, desk, stand_in):
    stand_in()
    with Journal(desk / "results" / FILE):
        done = run("evals", "run", "overhead", "--tasks", "fantasy", "--limit", "3")
    assert done.exit_code == 1 and "another run" in done.stderr


def test_reports_in_every_form(run, desk, results):
    done = run("evals", "report", "results", "--html", "r.html", "--markdown", "r.md",
               "--json", "r.json", "--figures", "figures")  # fmt: skip
    assert done.exit_code == 0, done.stderr
    assert (desk / "r.html").read_text().startswith("<!doctype html>")
    assert "| stamp |" in (desk / "r.md").read_text()
    assert len(json.loads((desk / "r.json").read_text())["rows"]) == 2
    assert {path.suffix for path in (desk / "figures").iterdir()} == {".png", ".svg"}
    assert done.stdout == ""


def test_reports_refuse_what_cannot_be(run, desk, results):
    (desk / "empty").mkdir()
    assert "no results" in run("evals", "report", "empty").stderr
    done = run("evals", "report", "results", "--html", "r.html", "--markdown", "r.html")
    assert done.exit_code == 2
    assert run("evals", "report", "results", "--figures", "note.txt").exit_code == 2


def test_a_damaged_file_is_said(run, desk, results):
    (results / "results-2.sqlite").write_text("{}" * 100)
    done = run("evals", "report", "results")
    assert done.exit_code == 1 and "results-2.sqlite is no journal" in done.stderr


def test_make_fantasy_needs_a_model(run):
    done = run("evals", "make-fantasy", "--out", "more.jsonl")
    assert done.exit_code == 2 and "--model" in done.stderr


def test_make_fantasy_says_what_is_sent_and_what_it_cost(run, desk):
    shown = " ".join(run("evals", "make-fantasy", "--help").stdout.split())
    assert "originals" not in shown and "no text of yours" in shown
    counts = {"prompt_tokens": 500, "completion_tokens": 300}
    with serving(lambda n, _: said(json.dumps(good(n + 1)), counts), delay=0.1) as at:
        made = run("evals", "make-fantasy", "--endpoint", at.url, "--model", "m", "--count", "2",
                   "--concurrency", "1", "--timeout", "9",
                   "--out", "more.jsonl", "--price", "1000,2000", "--json")  # fmt: skip
    assert made.exit_code == 0, made.stderr
    assert "2 prompts were sent to 127.0.0.1: 1000 tokens in, 600 out" in made.stderr
    assert "; cost 2.20" in made.stderr
    facts = json.loads(made.stdout)
    assert facts["cost"] == 2.2 and facts["usage"]["127.0.0.1"]["requests"] == 2
    assert at.open_most == 1
    for wrong in (["--price", "cheap"], ["--timeout", "9"]):
        assert run("evals", "make-fantasy", "--model", "m", *wrong).exit_code == 2


INTERRUPTED = """
import sys
sys.path[:0] = sys.argv[1:]
import tiny_workshop as tiny
from privstamp.lab.evals import workshop
workshop.Workshop = lambda *_: tiny.TinyWorkshop(pause=0.2)
sys.argv = ["privstamp", "evals", "run", "overhead", "--tasks", "fantasy", "--limit", "40"]
from privstamp.cli import main
main()
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_ctrl_c_ends_in_words_and_the_next_run_goes_on(desk):
    start = partial(
        subprocess.Popen, [sys.executable, "-c", INTERRUPTED, *sys.path], cwd=desk, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    child = start()
    file = desk / "results" / FILE
    ends = time.monotonic() + 60
    while time.monotonic() < ends and not (
        file.exists() and sum(map(len, finished(desk / "results").values())) > BATCH
    ):
        time.sleep(0.01)
    child.send_signal(signal.SIGINT)
    _, said = child.communicate(timeout=60)
    assert child.returncode == 130
    assert "run the same command again to go on" in said and "Traceback" not in said
    assert "at least" in said and "prompts were sent to host" in said
    child = start()
    shown, said = child.communicate(timeout=120)
    assert child.returncode == 0, said
    assert "known before" in shown and "known before 0," not in shown

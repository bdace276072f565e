"""privstamp batch, as a user types it."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from typer.testing import CliRunner

from privstamp.batch import job as module
from privstamp.batch import tables
from privstamp.cli.app import app

BODY = "Please write to m{}@example.com or call +44 20 7946 09{:02d}."
PLAN = """
table = "tickets"
id = "id"
secret = "file:{key}"
policy = "policy.toml"
[columns]
id = "release"
body = "text"
"""


def inline(work, batches, _jobs, *, forked):
    answer = work()
    for batch in batches:
        yield batch, answer(batch)


@pytest.fixture
def desk(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(module, "spread", inline)
    monkeypatch.setattr(tables, "PIECE", 4)
    (tmp_path / "in").mkdir()
    rows = [{"id": number, "body": BODY.format(number, number)} for number in range(10)]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (tmp_path / "in/a.jsonl").write_text(lines)
    (tmp_path / "job.key").touch(mode=0o600)
    (tmp_path / "job.key").write_text("ab" * 16)
    (tmp_path / "columns.toml").write_text(PLAN.format(key=tmp_path / "job.key"))
    (tmp_path / "policy.toml").write_text('extends = "selective"\n[sensitivity]\nname = "rules"\n')
    return tmp_path


def called(*arguments, code=0, text=None):
    outcome = CliRunner().invoke(app, ["batch", *arguments], input=text)
    assert outcome.exit_code == code, outcome.output
    return outcome


RUN = ("in", "--out", "out", "--columns", "columns.toml")


def test_from_a_folder_to_a_certificate(desk):
    told = json.loads(called(*RUN, "--json").stdout)
    assert (told["rows"], told["released"], told["pieces"]) == (10, 10, 3)
    assert json.loads(called("status", "out", "--json").stdout)["finished"] is True
    assert json.loads(called("verify", "out", "--against", "in", "--json").stdout) == {"faults": []}
    assert "rows done\t10\n" in called("status", "out").stdout
    assert "10 of 10 rows released" in called(*RUN).stderr  # once more: nothing is left to do


def test_what_verify_finds_is_an_error(desk):
    called(*RUN)
    part = next((desk / "out/parts").iterdir())
    part.write_text(part.read_text().replace("7", "8"))
    (desk / "out/notes.txt").write_text("x")
    (desk / "in/a.jsonl").write_text("{}\n")
    told = called("verify", "out", "--against", "in", code=1).stderr
    for fault in ("not as it was recorded", "did not make", "input has changed"):
        assert fault in told


def test_a_dry_run_releases_nothing(desk):
    told = json.loads(called(*RUN, "--dry-run", "--json").stdout)
    assert told["rows"] == 10 and told["seconds"] > 0
    assert told["released as they are, UNPROTECTED"] == ["id"]
    assert 0 < told["share of units in texts that leave as they are"] < 1
    assert not (desk / "out").exists()
    assert "UNPROTECTED\tid\n" in called(*RUN, "--dry-run").stdout


def test_a_pipe_gives_what_files_give(desk):
    called(*RUN)
    parts = sorted((desk / "out/parts").iterdir())
    text = (desk / "in/a.jsonl").read_text() + '{"id": 11\n\n{"id": 12, "body": "x", "z": 1}\n'
    pipe = ("-", "--columns", "columns.toml")
    outcome = called(*pipe, "--max-rejected", "0.2", text=text)
    assert outcome.stdout == "".join(part.read_text() for part in parts)
    assert "line 11 was rejected: not JSON" in outcome.stderr
    assert "line 13 was rejected: columns that the plan does not list: 1" in outcome.stderr
    assert "2 of 12 lines were rejected, more than" in called(*pipe, code=1, text=text).stderr


@pytest.mark.parametrize(
    "option",
    ["--dry-run", "--out=out", "--audit=5", "--principal=dana", "--json", "--jobs=2", "in"],
)
def test_a_pipe_takes_no_option_that_needs_files(desk, option):
    """A dry run of a pipe would have released it."""
    outcome = called("-", option, "--columns", "columns.toml", code=2, text='{"id": 1}\n')
    assert outcome.stdout == "" and "needs files" in outcome.stderr


def test_a_pipe_shows_no_frequencies(desk):
    plan = (desk / "columns.toml").read_text().replace('id = "id"', 'noise = "content"', 1)
    (desk / "columns.toml").write_text(plan)
    assert "cannot be seen in a pipe" in called("-", "--columns", "columns.toml", code=2).stderr


def test_a_draft_proposes_nothing_for_release(desk):
    draft = called("init", "in").stdout
    assert 'id = "id"' in draft and 'body = "text"' in draft
    assert '= "release"' not in draft.replace('or "release"', "")
    from privstamp.batch.plan import Plan

    (desk / "draft.toml").write_text(draft)
    assert Plan.load(desk / "draft.toml").by_row


def test_mistakes_name_the_fix(desk):
    assert "--out" in called("in", "--columns", "columns.toml", code=2).stderr
    told = called("in", "--out", "out", "--columns", "none.toml", code=2).stderr
    assert "privstamp batch init" in told
    assert "holds no job" in called("status", "in", code=2).stderr
    (desk / "job.key").chmod(0o644)
    assert "chmod 600" in called(*RUN, code=1).stderr


def test_a_damaged_file_ends_with_one(desk):
    (desk / "in/b.parquet").write_bytes(b"PAR1")
    assert "b.parquet: cannot be read: damaged" in called(*RUN, code=1).stderr
    told = (desk / "out/certificate.json").read_text()
    assert (json.loads(told)["released"], json.loads(told)["damaged_files"]) == (10, 1)
    assert "b.parquet" not in told  # files may be named after people


def test_an_audit_lies_beside_the_rest(desk):
    assert json.loads(called(*RUN, "--audit", "4", "--json").stdout)["rows"] == 10
    told = json.loads((desk / "out/audit.json").read_text())
    assert list(told) == ["policy.toml"]
    assert "example.com" not in json.dumps(told)
    called("verify", "out")


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_with_130_and_it_goes_on(desk, number):
    rows = [{"id": place, "body": BODY.format(place, place % 100)} for place in range(30_000)]
    (desk / "in/a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    program = "from privstamp.cli import main; main()"
    command = [sys.executable, "-c", program, "batch", *RUN, "--jobs", "2"]
    env = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with subprocess.Popen(command, env=env, stderr=subprocess.PIPE, text=True) as process:
        while process.poll() is None and not list((desk / "out/parts").glob("*.jsonl")):
            time.sleep(0.05)
        process.send_signal(number)
        _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "goes on" in told and "Traceback" not in told
    kept = [path.name for path in (desk / "out").rglob(".privstamp-*")]
    assert kept == []


def test_a_ledger_is_charged_once_and_its_limit_stops_the_job(desk):
    from privstamp.sessions.ledger import Ledger, Payer
    from privstamp.sessions.sqlite import SqliteStore
    from privstamp.sessions.vault import Vault

    (desk / "master.key").touch(mode=0o600)
    (desk / "master.key").write_text("cd" * 32)
    vault = Vault(SqliteStore(desk / "sessions.db"), bytes.fromhex("cd" * 32))
    ledger, payer = Ledger(vault), Payer("principal", "dana")
    charged = ("--principal", "dana", "--store", "sessions.db", "--key-file", "master.key")

    def spent():
        with vault.store.reading() as entries:
            return ledger.spent(entries, payer)["unprotected"]

    called(*RUN, *charged)
    first = spent()
    assert first > 0
    (next((desk / "out/parts").iterdir())).unlink()  # as if it was ended between charge and name
    called(*RUN, *charged)
    assert spent() == first
    with vault.store.writing() as entries:
        ledger.limit(entries, payer, "unprotected", first + 5)
    again = ("in", "--out", "second", "--columns", "columns.toml")
    plan = (desk / "columns.toml").read_text().replace("tickets", "other")
    (desk / "columns.toml").write_text(plan)
    assert "limit of unprotected" in called(*again, *charged, code=1).stderr
    assert not list((desk / "second/parts").iterdir())

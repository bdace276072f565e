"""privstamp serve as a command: what it refuses, its keys, dry runs and canaries."""

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request

import pytest
from typer.testing import CliRunner

from privstamp.cli.app import app

KEY = "00" * 32
ENVIRONMENT = {"PRIVSTAMP_MASTER_KEY": KEY}


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("PRIVSTAMP_MASTER_KEY", "PRIVSTAMP_UPSTREAM_KEY"):
        monkeypatch.delenv(name, raising=False)
    runner = CliRunner(env=ENVIRONMENT)

    def invoke(*arguments):
        return runner.invoke(app, ["serve", *arguments])

    return invoke


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "--upstream"),
        (["--upstream", "http://api.example.com"], "--plain-upstream"),
        (["--upstream", "nowhere"], "https://"),
        (["--upstream", "https://api.example.com", "--listen", "x"], "--listen"),
        (["--upstream", "https://api.example.com", "--listen", "0.0.0.0:0"], "key add"),
        (["--upstream", "https://api.example.com", "--policy", "none.toml"], "no such file"),
    ],
)
def test_what_it_refuses(run, tmp_path, arguments, told):
    result = run(*arguments, "--store", str(tmp_path / "s.db")) if arguments else run()
    assert result.exit_code == 2 and told in result.stderr


def test_a_found_policy_may_not_name_an_upstream(run, tmp_path):
    (tmp_path / "privstamp.toml").write_text(
        'extends = "selective"\n[gateway]\nupstream = "https://evil.example.com"\n'
    )
    result = run()
    assert result.exit_code == 2 and "evil.example.com" in result.stderr
    assert "nobody named it" in result.stderr


def test_keys_are_made_listed_and_revoked(run, tmp_path):
    store = ("--store", str(tmp_path / "s.db"))
    key = run("key", "add", "dana", *store).stdout.strip()
    assert key.startswith("privstamp-")
    (listed,) = json.loads(run("key", "list", "--json", *store).stdout)
    assert listed["principal"] == "dana" and key not in json.dumps(listed)
    assert "dana" in run("key", "list", *store).stdout
    assert run("key", "revoke", listed["number"], *store).exit_code == 0
    again = run("key", "revoke", listed["number"], *store)
    assert again.exit_code == 2 and "key list" in again.stderr
    assert json.loads(run("key", "list", "--json", *store).stdout) == []


def test_a_key_file_open_to_others_is_refused(run, tmp_path):
    file = tmp_path / "key"
    file.write_text("sk")
    file.chmod(0o644)
    upstream = ("--upstream", "https://api.example.com", "--upstream-key", str(file))
    result = run(*upstream, "--store", str(tmp_path / "s.db"))
    assert result.exit_code == 1 and "chmod 600" in result.stderr


def test_a_port_that_is_taken(run, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        listen = ("--listen", f"127.0.0.1:{taken.getsockname()[1]}")
        upstream = ("--upstream", "https://api.example.com", "--store", str(tmp_path / "s.db"))
        result = run(*upstream, *listen)
    assert result.exit_code == 2 and "--listen" in result.stderr


def cheap(tmp_path, **more):
    lines = [
        'extends = "selective"',
        *(f"{key} = {json.dumps(value)}" for key, value in more.items()),
    ]
    file = tmp_path / "cheap.toml"
    file.write_text("\n".join([*lines, "[sensitivity]", 'name = "rules"']) + "\n")
    return str(file)


def test_canaries_are_told_when_they_get_through(run, tmp_path):
    """Rules alone find no names: the check must say so."""
    result = run("check", "--policy", cheap(tmp_path, other_languages="accept"))
    assert result.exit_code == 1 and "do not serve" in result.stderr
    assert "name" in result.stdout and "mail" not in result.stdout.split("reached", 1)[1]
    denied = ["Miriam Castellano", "Castellano", "Miriam"]
    file = cheap(tmp_path, other_languages="accept", deny=denied)
    result = run("check", "--policy", file, "--json")
    outcomes = json.loads(result.stdout)
    assert result.exit_code == 0 and not any(each["reached"] for each in outcomes)
    statuses = {each["request"]: each["status"] for each in outcomes}
    assert statuses["chat"] == statuses["messages, streamed"] == 200
    assert statuses["chat, an unknown key"] == 400 and statuses["no endpoint"] == 404


def test_a_dry_run_shows_and_sends_nothing(tmp_path):
    """Nothing listens at the upstream: whoever asked it would be told so."""
    policy = cheap(tmp_path, other_languages="accept", deny=["Ann Quux"])
    command = [
        sys.executable, "-c", "from privstamp.cli import main; main()", "serve", "--dry-run",
        "--policy", policy, "--upstream", "http://127.0.0.1:9/v1", "--listen", "0",
        "--workers", "1",
    ]  # fmt: skip
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path,
        env={name: value for name, value in os.environ.items() if "PRIVSTAMP" not in name},
    )  # fmt: skip
    try:
        port = json.loads(process.stderr.readline())["port"]
        assert "ready" in process.stderr.readline()
        body = {"model": "m", "messages": [{"role": "user", "content": "I am Ann Quux."}]}
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}/v1/chat/completions",
            json.dumps(body).encode(),
            {"content-type": "application/json"},
        )
        with pytest.raises(urllib.error.HTTPError) as raised:
            urllib.request.urlopen(request)
        with raised.value as answer:
            assert json.load(answer)["error"]["code"] == "dry_run"
        shown = json.loads(process.stdout.readline())
        assert shown["url"] == "http://127.0.0.1:9/v1/chat/completions"
        text = shown["body"]["messages"][0]["content"]
        assert text.startswith("I am ") and "Quux" not in text
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
        assert "Quux" not in process.stderr.read()
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()

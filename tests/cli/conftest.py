"""A desk with a toy policy on it, and two ways to give a command there."""

from __future__ import annotations

import subprocess

import pytest
from toy_desk import COMMAND, NOTE, toy_policy
from typer.testing import CliRunner

from privstamp import registry
from privstamp.cli.app import app
from privstamp.mechanisms.wordlists import pools


@pytest.fixture(scope="session", autouse=True)
def lists_made():
    """What is made once on a new machine is told on standard error: made before anybody looks."""
    pools()


@pytest.fixture
def desk(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))  # whom this desk trusts
    monkeypatch.setattr(
        registry.SPACES, "_builtin", {**registry.SPACES._builtin, "toy": "toys:ToySpace"}
    )
    (tmp_path / "toy.toml").write_text(toy_policy().to_toml())
    (tmp_path / "note.txt").write_bytes(NOTE.encode())
    return tmp_path


@pytest.fixture
def run(desk):
    """Give a command inside this process; the result has exit_code, stdout, stderr."""

    def give(*arguments, **settings):
        return CliRunner().invoke(app, [str(a) for a in arguments], **settings)

    return give


@pytest.fixture
def spawn(desk):
    """Give a command in a process of its own; streams are bytes."""

    def give(*arguments, **settings):
        settings = {"capture_output": True, "timeout": 60, "cwd": desk, **settings}
        return subprocess.run([*COMMAND, *arguments], **settings)

    return give

"""README and docs are executed: every python block, every privstamp command, every policy."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from privstamp import Certificate
from privstamp.policy import Policy

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)")
NOTE = (
    "Mara Quillfeather, 58, called on 3 May about chest pain that started on Sunday. "
    "She takes metformin and lives in Leeds. Her number is 555-0147, mara@example.com.\n"
)
PLAN = """
table = "tickets"
id = "id"
secret = "file:job.key"
[columns]
id = "release"
body = "text"
"""


def blocks(page: Path, *languages: str) -> list[str]:
    return [body for language, body in BLOCK.findall(page.read_text()) if language in languages]


def with_code(*languages: str) -> list[Path]:
    return [page for page in PAGES if blocks(page, *languages)]


def named(page: Path) -> str:
    return page.name


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A folder as the docs assume it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "note.txt").write_text(NOTE)
    (tmp_path / "reply.txt").write_text("The patient is fine.\n")
    (tmp_path / "answer.txt").write_text("The patient is fine.\n")
    (tmp_path / "history.jsonl").write_text(json.dumps({"role": "user", "content": NOTE}) + "\n")
    (tmp_path / "tickets").mkdir()
    (tmp_path / "tickets" / "may.jsonl").write_text(json.dumps({"id": 1, "body": NOTE}) + "\n")
    (tmp_path / "job.key").touch(mode=0o600)
    (tmp_path / "job.key").write_text("0f1e2d3c4b5a6978" * 2)
    (tmp_path / "columns.toml").write_text(PLAN)
    monkeypatch.setenv("PRIVSTAMP_MASTER_KEY", "5a" * 32)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("page", with_code("python"), ids=named)
def test_python_examples_run(page, desk, capsys):
    namespace = {"__name__": "docs", "text": NOTE, "reply": "Fine."}
    for body in blocks(page, "python"):
        exec(compile(body, page.name, "exec"), namespace)
    shown = capsys.readouterr().out
    assert "Quillfeather, 58, called on 3 May about chest pain" not in shown


@pytest.mark.slow
@pytest.mark.parametrize("page", with_code("sh"), ids=named)
def test_commands_run(page, desk):
    script = Path(sys.executable).parent
    for body in blocks(page, "sh"):
        for line in body.replace("\\\n", " ").splitlines():
            command = line.partition(" #")[0].strip()
            if not command.startswith("privstamp "):
                continue
            done = subprocess.run(
                ["bash", "-c", f"export PATH={shlex.quote(str(script))}:$PATH; {command}"],
                capture_output=True,
                text=True,
                timeout=120,
            )
            assert done.returncode == 0, f"{command}\n{done.stderr}"


@pytest.mark.parametrize("page", with_code("toml"), ids=named)
def test_policies_in_the_docs_are_policies(page):
    for body in blocks(page, "toml"):
        if "entry-points" not in body:
            Policy.from_toml(body)


def test_the_commented_policy_of_the_docs_is_the_preset_it_names():
    body = next(
        b for b in blocks(ROOT / "docs" / "reference" / "policy.md", "toml") if "version = 1" in b
    )
    assert Policy.from_toml(body) == Policy.preset("readable")


def test_the_certificate_page_has_every_field():
    page = (ROOT / "docs" / "reference" / "certificate.md").read_text("utf-8")
    shown = set(re.findall(r"`(\w+)`", page))
    assert set(Certificate.json_schema()["properties"]) <= shown


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "SECURITY.md"])
def test_links_lead_somewhere(name):
    """Those of docs/ are checked in the built site, which has pages that are written there."""
    for target in LINK.findall((ROOT / name).read_text()):
        assert (ROOT / target).exists(), target


def test_there_are_pages_to_test():
    assert len(with_code("python")) >= 4 and len(PAGES) >= 12

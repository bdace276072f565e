"""The generated pages of docs/ are fresh, and the check can tell."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "docs" / "generate.py"


@pytest.fixture
def generate():
    spec = importlib.util.spec_from_file_location("docs_generate", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_generated_pages_are_fresh():
    done = subprocess.run([sys.executable, SCRIPT, "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_check_notices_a_stale_page(generate, tmp_path, monkeypatch):
    monkeypatch.setattr(generate, "DOCS", tmp_path)
    assert {path.name for path in generate.stale()} == {
        "cli.md",
        "gateway-fields.md",
        "parts.md",
        "profiles.md",
        "certificate.schema.json",
    }
    for path, content in generate.pages().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(content)
    assert generate.stale() == []
    page = tmp_path / "reference" / "cli.md"
    page.write_text(page.read_text() + " ")
    assert generate.stale() == [page]


def test_every_option_is_on_the_page(generate):
    page = generate.cli_page()
    for path, command in generate.commands():
        assert f"## privstamp {path}\n" in page
        assert all(one.help for one in command.params if one.name != "help"), path


def test_the_picture_fetches_nothing():
    picture = SCRIPT.parent / "images" / "demo.svg"
    assert "url(" not in picture.read_text().replace("url(#", "")

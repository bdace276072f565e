"""The pages of the clients are run: each block as it stands, against a gateway."""

import re
import subprocess
from pathlib import Path

import pytest

PAGES = Path(__file__).parents[2] / "docs" / "clients"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ADDRESS = "http://127.0.0.1:8686"


def blocks(page, language):
    text = (PAGES / f"{page}.md").read_text()
    return [body for name, body in BLOCK.findall(text) if name == language]


def assert_private(upstream, count):
    bodies = upstream.bodies()
    assert len(bodies) == count and "Quillfeather" not in "".join(bodies)


@pytest.mark.parametrize(("page", "count"), [("openai", 3), ("anthropic", 3), ("langchain", 3)])
def test_python_of_a_page_runs(page, count, gateway, upstream, capsys):
    namespace = {"__name__": page}
    for body in blocks(page, "py"):
        assert ADDRESS in body or "client" in namespace or "gateway" in namespace
        exec(body.replace(ADDRESS, gateway.url), namespace)
    assert "Mara Quillfeather" in capsys.readouterr().out
    assert_private(upstream, count)


def test_curl_of_its_page_runs(gateway, upstream):
    shown = ""
    for body in blocks("curl", "sh"):
        command = ["bash", "-ec", body.replace(ADDRESS, gateway.url)]
        shown += subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "Mara Quillfeather" in shown and "privstamp_requests_total" in shown
    assert shown.count('{"ok": true}') == 2
    assert_private(upstream, 2)

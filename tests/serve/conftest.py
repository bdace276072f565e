"""A fake upstream and a gateway, each in a process of its own, started once for a module."""

import pytest
from running import gateway_at, started


@pytest.fixture(scope="module")
def upstream(tmp_path_factory):
    running = started("fake_upstream.py", [], tmp_path_factory.mktemp("upstream") / "log")
    yield running
    running.end()


@pytest.fixture(scope="module")
def gateway(upstream, tmp_path_factory):
    running = gateway_at(upstream.url, tmp_path_factory.mktemp("gateway"))
    yield running
    running.end()


@pytest.fixture(autouse=True)
def fresh(request):
    """What the upstream saw before is forgotten."""
    if "upstream" in request.fixturenames or "gateway" in request.fixturenames:
        request.getfixturevalue("upstream").forget()

"""Both stores for the tests that every store must pass."""

import pytest
from postgres_server import Server, Unavailable

from privstamp.sessions.store import open_store

STORES = ["sqlite", "postgres"]


@pytest.fixture(scope="session")
def postgres():
    """A server of the tests' own, which ends with them."""
    try:
        server = Server.start()
    except Unavailable as trouble:
        pytest.skip(f"NO POSTGRESQL, so its store is not tested: {trouble}")
    yield server
    server.stop()


@pytest.fixture
def place(request, tmp_path):
    """Where a store may be: a file, or an address."""
    if getattr(request, "param", "sqlite") == "sqlite":
        return str(tmp_path / "sessions.db")
    return request.getfixturevalue("postgres").fresh()


@pytest.fixture
def opened(place):
    """Opens the same store, each time anew."""
    stores = []

    def another():
        stores.append(open_store(place))
        return stores[-1]

    yield another
    for store in stores:
        store.close()


def pytest_generate_tests(metafunc):
    """A test that is marked so runs on each store."""
    if metafunc.definition.get_closest_marker("each_store"):
        metafunc.parametrize("place", STORES, indirect=True)


def pytest_configure(config):
    config.addinivalue_line("markers", "each_store: runs on SQLite and on PostgreSQL")

"""Every store must pass these; and what SQLite's has to say when something is wrong."""

import multiprocessing
import os
import sqlite3
import stat
import threading

import pytest

from privstamp.errors import StoreError, UsageError
from privstamp.sessions.sqlite import SqliteStore
from privstamp.sessions.store import FORMAT


@pytest.fixture(params=["sqlite"])
def opened(request, tmp_path):
    """Opens the same store, each time anew."""
    return {"sqlite": lambda: SqliteStore(tmp_path / "sessions.db")}[request.param]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "sessions.db"


class TestConformance:
    def test_entries_come_back_by_space_and_key(self, opened):
        with opened().writing() as entries:
            entries.put("a", b"\x00k", b"\xff\x00")
            entries.put("b", b"\x00k", b"")
            entries.put("a", b"\x00k", b"later")
        with opened().reading() as entries:
            assert entries.get("a", b"\x00k") == b"later" and entries.get("b", b"\x00k") == b""
            assert entries.get("a", b"k") is None and entries.get("c", b"\x00k") is None

    @pytest.mark.parametrize("prefix", [b"", b"a", b"a\xff", b"\xff", b"\xff\xff"])
    def test_prefixes_list_and_delete_what_begins_so(self, opened, prefix):
        keys = [b"a", b"a\xff", b"a\xff\x01", b"b", b"\xff", b"\xff\xff", b"\xff\xff\x00"]
        store = opened()
        with store.writing() as entries:
            for key in reversed(keys):
                entries.put("s", key, b"v" + key)
                entries.put("t", key, b"")
        with store.reading() as entries:
            expected = [(key, b"v" + key) for key in sorted(keys) if key.startswith(prefix)]
            assert entries.items("s", prefix) == expected
        with store.writing() as entries:
            assert entries.delete("s", prefix) == len(expected)
            assert len(entries.items("s")) == len(keys) - len(expected)
            assert len(entries.items("t")) == len(keys)

    def test_a_transaction_that_fails_leaves_nothing(self, opened):
        store = opened()
        with store.writing() as entries:
            entries.put("s", b"k", b"before")

        def fail():
            with store.writing() as entries:
                entries.put("s", b"k", b"after")
                entries.put("s", b"other", b"")
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            fail()
        with opened().reading() as entries:
            assert entries.items("s") == [(b"k", b"before")]

    def test_what_is_read_while_writing_stays_so(self, opened):
        """Many count up at once; no count is lost."""

        def count():
            store = opened()
            for _ in range(25):
                with store.writing() as entries:
                    number = int(entries.get("s", b"n") or b"0")
                    entries.put("s", b"n", str(number + 1).encode())

        threads = [threading.Thread(target=count) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        with opened().reading() as entries:
            assert entries.get("s", b"n") == b"100"

    def test_a_reader_sees_one_moment(self, opened):
        reader, writer = opened(), opened()
        with reader.reading() as entries:
            assert entries.get("s", b"k") is None
            with writer.writing() as others:
                others.put("s", b"k", b"v")
            assert entries.get("s", b"k") is None
        with reader.reading() as entries:
            assert entries.get("s", b"k") == b"v"

    def test_a_closed_store_opens_again(self, opened):
        store = opened()
        with store.writing() as entries:
            entries.put("s", b"k", b"v")
        store.close()
        store.close()
        with store.reading() as entries:
            assert entries.get("s", b"k") == b"v"


def test_a_fork_leaves_both_a_store_of_their_own(path):
    store = SqliteStore(path)

    def put(key):
        with store.writing() as entries:
            entries.put("s", key, b"")

    put(b"before")
    child = multiprocessing.get_context("fork").Process(target=put, args=(b"child",))
    child.start()
    put(b"parent")
    child.join()
    put(b"after")
    assert child.exitcode == 0
    with store.reading() as entries:
        assert [key for key, _ in entries.items("s")] == [b"after", b"before", b"child", b"parent"]
    with store.reading(), pytest.raises(UsageError, match="open already"):
        put(b"inside")


def test_only_the_owner_may_read_it(path):
    with SqliteStore(path).writing() as entries:
        entries.put("s", b"k", b"v")
        files = list(path.parent.iterdir())
        assert len(files) > 1
        assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    path.chmod(0o640)
    with pytest.raises(StoreError, match="chmod 600"):
        SqliteStore(path)


def test_what_a_commit_says_is_on_the_disk(path):
    rows = SqliteStore(path)._open()
    asked = ("journal_mode", "synchronous", "secure_delete", "temp_store")
    assert [rows.execute(f"pragma {name}").fetchone()[0] for name in asked] == ["wal", 2, 1, 2]


def test_deleted_values_are_in_no_file(path):
    store, value = SqliteStore(path, patience=0.01), os.urandom(5000)
    with store.writing() as entries:
        entries.put("s", b"k", value)
        entries.put("s", b"l", b"stays")

    def traces():
        content = b"".join(file.read_bytes() for file in path.parent.iterdir())
        return sum(value[n : n + 16] in content for n in range(0, 4900, 100))

    assert traces() > 40
    with store.writing() as entries:
        entries.delete("s", b"k")
    assert traces() > 40  # the log still has it
    with SqliteStore(path).reading() as entries:
        entries.items("s")
        with pytest.raises(StoreError, match="its log is being read"):
            store.scrub()
    store.scrub()
    assert traces() == 0


class TestTrouble:
    def refused(self, path, words, **settings):
        with pytest.raises(StoreError, match=words) as caught:
            SqliteStore(path, **settings)
        return str(caught.value)

    def test_a_newer_format(self, path):
        SqliteStore(path).close()
        rows = sqlite3.connect(path)
        rows.execute(f"pragma user_version = {FORMAT + 1}")
        rows.close()
        self.refused(path, f"has format {FORMAT + 1}")

    def test_another_database(self, path):
        rows = sqlite3.connect(path)
        rows.execute("create table notes (text)")
        rows.close()
        path.chmod(0o600)
        self.refused(path, "no store of sessions")

    def test_no_database_at_all(self, path):
        path.write_bytes(b"some notes\n" * 1000)
        path.chmod(0o600)
        assert "notes\n" not in self.refused(path, "no store of sessions")

    def test_a_folder_that_is_not_there_or_is_one(self, path):
        self.refused(path / "deeper" / "sessions.db", "No such file|Not a directory")
        self.refused(path.parent, "no ordinary file")

    def test_damage(self, path):
        store = SqliteStore(path)
        with store.writing() as entries:
            for number in range(200):
                entries.put("s", bytes([number]), os.urandom(500))
        store.close()
        content = bytearray(path.read_bytes())
        content[4096:] = os.urandom(len(content) - 4096)
        path.write_bytes(content)
        with pytest.raises(StoreError, match="damaged"), SqliteStore(path).reading() as entries:
            entries.items("s")

    def test_locked(self, path):
        first, second = SqliteStore(path), SqliteStore(path, patience=0.01)
        with (
            first.writing(),
            pytest.raises(StoreError, match=r"another process.*nothing was released"),
            second.writing(),
        ):
            pass
        with second.writing() as entries:
            entries.put("s", b"k", b"")

    def test_full(self, path):
        store = SqliteStore(path)
        pages = store._open().execute("pragma page_count").fetchone()[0]
        store._open().execute(f"pragma max_page_count = {pages + 2}")
        with pytest.raises(StoreError, match="disk is full"), store.writing() as entries:
            entries.put("s", b"k", bytes(100_000))
        with store.reading() as entries:
            assert entries.items("s") == []

    def test_read_only(self, path):
        store = SqliteStore(path)
        store._open().execute("pragma query_only = on")
        with pytest.raises(StoreError, match="read-only"), store.writing() as entries:
            entries.put("s", b"k", b"")

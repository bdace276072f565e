"""Every store must pass these; and what SQLite's has to say when something is wrong."""

import multiprocessing
import os
import sqlite3
import stat
import subprocess
import sys
import threading

import pytest

from privstamp.errors import MissingExtra, StoreError, UsageError
from privstamp.sessions import sqlite
from privstamp.sessions.postgres import PostgresStore
from privstamp.sessions.sqlite import SqliteStore
from privstamp.sessions.store import FORMAT


@pytest.fixture
def path(tmp_path):
    return tmp_path / "sessions.db"


@pytest.mark.each_store
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

    def test_a_fork_leaves_both_a_store_of_their_own(self, opened):
        store = opened()

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
            keys = [key for key, _ in entries.items("s")]
        assert keys == [b"after", b"before", b"child", b"parent"]
        with store.reading(), pytest.raises(UsageError, match="open already"):
            put(b"inside")

    def test_a_fork_in_the_middle_of_a_transaction_leaves_it_to_the_parent(
        self, opened, monkeypatch
    ):
        monkeypatch.setattr("privstamp.crew.threads._PATIENCE", 0.05)
        store, inside, let_go = opened(), threading.Event(), threading.Event()

        def hold():
            with store.writing() as entries:
                entries.put("s", b"parent", b"")
                inside.set()
                let_go.wait()

        def refused():
            with pytest.raises(StoreError, match="forked while another thread"), store.reading():
                pass
            store.close()

        thread = threading.Thread(target=hold)
        thread.start()
        inside.wait()
        child = multiprocessing.get_context("fork").Process(target=refused)
        child.start()
        child.join()
        let_go.set()
        thread.join()
        assert child.exitcode == 0
        with opened().reading() as entries:
            assert entries.get("s", b"parent") == b""

    def test_who_waits_too_long_is_told_and_no_error_of_the_database_is_kept(self, opened):
        first, second = opened(), opened()
        second.let_go()
        second._patience = 0.01
        with (
            first.writing(),
            pytest.raises(StoreError, match=r"another process.*nothing was released") as caught,
            second.writing(),
        ):
            pass
        assert caught.value.__context__ is None and caught.value.__cause__ is None
        with second.writing() as entries:
            entries.put("s", b"k", b"")

    def test_a_statement_that_fails_keeps_no_error_of_the_database(self, opened):
        store = opened()
        with pytest.raises(StoreError, match="nothing was released") as caught:
            put(store, "no such thing")
        assert caught.value.__context__ is None and "no such thing" not in str(caught.value)
        with store.reading() as entries:
            assert entries.items("s") == []

    def test_a_newer_format_is_refused(self, opened):
        store = opened()
        if isinstance(store, SqliteStore):
            store.run(f"pragma user_version = {FORMAT + 1}")
        else:
            with store.writing() as entries:
                entries.put("format", b"", b"%d" % (FORMAT + 1))
        store.close()
        with pytest.raises(StoreError, match="format") as caught:
            opened()
        assert caught.value.__context__ is None

    def test_deleted_values_are_not_in_the_table(self, opened):
        store = opened()
        with store.writing() as entries:
            entries.put("s", b"k", b"v")
            entries.put("s", b"l", b"stays")
        with store.writing() as entries:
            entries.delete("s", b"k")
        store.scrub()
        with store.reading() as entries:
            assert entries.items("s") == [(b"l", b"stays")]


def put(store, value):
    with store.writing() as entries:
        entries.put("s", b"k", b"first")
        entries.get(object(), b"k")  # no value of a database
        entries.put("s", b"l", value)


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
    rows = SqliteStore(path).open()
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
        assert caught.value.__context__ is None
        return str(caught.value)

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

    def test_damage_that_is_met_after_the_first_row(self, path):
        """SQLite reads a row when it is asked for it: its own error came out, and kept a query."""
        store = SqliteStore(path)
        with store.writing() as entries:
            for number in range(200):
                entries.put("s", bytes([number]), os.urandom(500))
        store.close()
        content = bytearray(path.read_bytes())
        half = len(content) // 2 // 4096 * 4096
        content[half:] = os.urandom(len(content) - half)
        path.write_bytes(content)
        damaged = SqliteStore(path)
        with damaged.reading() as entries:
            assert entries.get("s", bytes([0]))
        with pytest.raises(StoreError, match="damaged") as caught, damaged.reading() as entries:
            entries.items("s")
        assert caught.value.__context__ is None and caught.value.__cause__ is None

    def test_another_machine(self, path, monkeypatch):
        """The first is told as soon as a second one has opened it; whoever opens it last has it."""
        here = SqliteStore(path)
        put_one(here)
        monkeypatch.setattr(sqlite, "host", lambda: b"another")
        there = SqliteStore(path)
        put_one(there)
        monkeypatch.undo()
        with pytest.raises(StoreError, match="another machine"):
            put_one(here)
        put_one(here)  # opened again
        monkeypatch.setattr(sqlite, "host", lambda: b"another")
        with pytest.raises(StoreError, match="another machine"):
            put_one(there)

    def test_full(self, path):
        store = SqliteStore(path)
        pages = store.open().execute("pragma page_count").fetchone()[0]
        store.open().execute(f"pragma max_page_count = {pages + 2}")
        with pytest.raises(StoreError, match="disk is full"), store.writing() as entries:
            entries.put("s", b"k", bytes(100_000))
        with store.reading() as entries:
            assert entries.items("s") == []

    @pytest.mark.skipif(os.name != "posix", reason="limits of POSIX")
    def test_a_log_that_the_disk_takes_no_more_of(self, path):
        child = (
            "import resource, signal, sys\n"
            "from privstamp.errors import StoreError\n"
            "from privstamp.sessions.sqlite import SqliteStore\n"
            "store = SqliteStore(sys.argv[1])\n"
            "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
            "resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))\n"
            "try:\n"
            "    with store.writing() as entries:\n"
            "        entries.put('s', b'k', bytes(100_000))\n"
            "except StoreError as error:\n"
            "    print(error)\n"
        )
        done = subprocess.run([sys.executable, "-c", child, path], capture_output=True, check=True)
        assert b"disk is full" in done.stdout
        with SqliteStore(path).reading() as entries:
            assert entries.items("s") == []

    def test_read_only(self, path):
        store = SqliteStore(path)
        store.open().execute("pragma query_only = on")
        with pytest.raises(StoreError, match="read-only"), store.writing() as entries:
            entries.put("s", b"k", b"")


def put_one(store):
    with store.writing() as entries:
        entries.put("s", b"k", b"v")


class TestPostgres:
    def test_its_address_is_shown_nowhere(self, postgres):
        store = PostgresStore(postgres.fresh())
        assert repr(store) == "PostgresStore('in PostgreSQL')"
        store.close()
        wrong = "postgresql://dana:hunter2@/postgres?host=/tmp/nowhere-at-all"
        with pytest.raises(StoreError, match="does not answer") as caught:
            PostgresStore(wrong)
        assert "hunter2" not in str(caught.value) and caught.value.__context__ is None

    def test_a_commit_waits_for_the_disk(self, postgres):
        store = PostgresStore(postgres.fresh())
        shown = [
            store.run(f"show {name}").fetchone()[0] for name in ("synchronous_commit", "fsync")
        ]
        assert shown == ["on", "on"]
        store.close()

    def test_a_connection_that_was_cut_is_made_anew(self, postgres):
        address = postgres.fresh()
        store, other = PostgresStore(address), PostgresStore(address)
        process = store.run("select pg_backend_pid()").fetchone()[0]
        other.run(f"select pg_terminate_backend({process}, 5000)")
        with pytest.raises(StoreError, match="try again"):
            put_one(store)
        put_one(store)
        store.close()
        other.close()

    def test_read_only(self, postgres):
        store = PostgresStore(postgres.fresh())
        store.run("set default_transaction_read_only = on")
        with pytest.raises(StoreError, match="read-only") as caught:
            put_one(store)
        assert caught.value.__context__ is None
        store.close()

    def test_without_psycopg_the_extra_is_named(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "psycopg", None)
        with pytest.raises(MissingExtra, match=r"privstamp\[postgres\]"):
            PostgresStore("postgresql:///postgres")

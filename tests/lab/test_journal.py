"""A journal survives kills, full disks and second runs, and never takes up another's work."""

import os
import signal
import sqlite3
import subprocess
import sys
import textwrap

import pytest

from privstamp.errors import InputError, PrivstampError
from privstamp.lab.journal import Journal


@pytest.fixture
def path(tmp_path):
    return tmp_path / "folder" / "journal.sqlite"


def test_what_was_put_is_there_the_next_time(path):
    with Journal(path) as journal:
        journal.put("cell", "a", {"share": 0.5, "far": float("inf")})
        journal.add([("cell", "b", [1, None]), ("run", "a", "other kind")])
    with Journal(path) as journal:
        assert journal.keys("cell") == {"a", "b"} and journal.keys("nothing") == set()
        assert journal.get("cell", "a") == {"share": 0.5, "far": float("inf")}
        assert journal.get("cell", "c") is None


def test_a_key_written_again_keeps_its_place_and_says_that_it_was_later(path):
    with Journal(path) as journal:
        journal.add([("cell", key, 1) for key in "abc"])
        journal.put("cell", "a", 2)
        entries = list(journal.entries("cell"))
    assert [one.key for one in entries] == ["a", "b", "c"] and entries[0].value == 2
    assert max(entries, key=lambda one: one.turn).key == "a"
    assert entries[1].turn < entries[2].turn


def test_entries_come_together_or_not_at_all(path):
    with Journal(path) as journal:
        with pytest.raises(TypeError):
            journal.add([("cell", "a", 1), ("cell", "b", object())])
        assert journal.keys("cell") == set()


def test_another_mark_is_refused_and_nothing_is_lost(path):
    with Journal(path, {"seed": "1", "sample": "x"}) as journal:
        journal.put("section", "cells", 1)
    with pytest.raises(InputError, match="another measurement"), Journal(path, {"seed": "2"}):
        pass
    with Journal(path, {"sample": "x", "seed": "1"}) as journal:
        assert journal.get("section", "cells") == 1


def test_two_runs_do_not_write_at_once_but_a_report_reads_meanwhile(path):
    with Journal(path) as journal:
        journal.put("cell", "a", 1)
        with pytest.raises(PrivstampError, match="another run is writing"), Journal(path):
            pass
        with Journal.reading(path) as seen:
            assert seen.keys("cell") == {"a"}
            with pytest.raises(PrivstampError):
                seen.put("cell", "b", 2)
        journal.put("cell", "b", 2)
    with Journal(path) as journal:
        assert journal.keys("cell") == {"a", "b"}


def test_there_is_nothing_to_read_where_there_is_no_journal(path):
    with pytest.raises(InputError, match="no journal"), Journal.reading(path):
        pass
    assert not path.exists()


def test_what_is_no_journal_is_left_as_it_is(path):
    path.parent.mkdir()
    path.write_text("a private note about somebody\n" * 50)
    with (
        pytest.raises(PrivstampError, match="is no journal") as caught,
        Journal(path),
    ):
        pass
    assert "private note" not in str(caught.value) and caught.value.__context__ is None
    assert path.read_text().startswith("a private note")


def test_it_is_readable_by_its_owner_alone(path):
    with Journal(path) as journal:
        journal.put("cell", "a", 1)
    assert [one.stat().st_mode & 0o077 for one in path.parent.iterdir()].count(0) == len(
        list(path.parent.iterdir())
    )


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(PrivstampError, match="cannot write"), Journal(tmp_path / "file" / "x"):
        pass


def test_a_full_disk_loses_only_what_was_being_written(path, monkeypatch):
    with Journal(path) as journal:
        journal.put("cell", "a", 1)
        pages = journal._rows.execute("pragma page_count").fetchone()[0]
        journal._rows.execute(f"pragma max_page_count = {pages}")
        with pytest.raises(PrivstampError, match=r"full.*kept"):
            journal.add([("cell", str(number), "x" * 1000) for number in range(50)])
        assert journal.keys("cell") == {"a"}


@pytest.mark.skipif(os.name == "nt", reason="kills by signal")
def test_a_killed_run_leaves_what_it_finished(path):
    program = textwrap.dedent(f"""
        import os, signal
        from pathlib import Path
        from privstamp.lab.journal import Journal
        journal = Journal(Path({str(path)!r})).__enter__()
        for number in range(20):
            journal.put("cell", str(number), number)
        journal._rows.execute("insert into entry values ('cell', 'x', '1', 99, 99)")
        os.kill(os.getpid(), signal.SIGKILL)
    """)
    ended = subprocess.run([sys.executable, "-c", program], check=False)
    assert ended.returncode == -signal.SIGKILL
    with Journal(path) as journal:
        assert journal.keys("cell") == {str(number) for number in range(20)}
    assert sqlite3.connect(path).execute("pragma integrity_check").fetchone() == ("ok",)


def test_a_journal_that_is_just_being_created_is_empty(tmp_path):
    path = tmp_path / "j"
    path.touch()
    with Journal.reading(path) as journal:
        assert journal.keys("x") == set() and journal.turn == 0
    with Journal(path) as journal:
        journal.put("x", "a", 1)
        journal.put("x", "b", 2)
        assert journal.turn == 2


def test_who_reads_cannot_write(tmp_path):
    path = tmp_path / "j"
    with Journal(path) as journal:
        journal.put("x", "a", 1)
    with Journal.reading(path) as journal, pytest.raises(PrivstampError, match="cannot write"):
        journal.put("x", "b", 2)

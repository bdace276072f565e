"""A job on one machine: parts that are whole, resumed, recorded, and refused where it must be."""

import errno
import gzip
import json
import os
import signal
import threading
import time
import tomllib
from contextlib import suppress
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest
import small_job as jobs

from privstamp.batch import check, folder, tables
from privstamp.batch import job as module
from privstamp.batch.draft import draft
from privstamp.batch.rows import DOUBLED
from privstamp.errors import PrivstampError, StoreError, UsageError, VaultError

COLUMNS = {"id": "release", "who": "drop", "body": "drop", "status": "release"}


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(tables, "PIECE", 4)


@pytest.fixture
def here(monkeypatch, tmp_path):
    """Without processes."""
    monkeypatch.setattr(module, "spread", jobs.inline)
    jobs.write(tmp_path / "in/a.jsonl", jobs.rows())
    return tmp_path


def test_rows_leave_with_a_record(here):
    outcome = jobs.job(here).run()
    assert (outcome.rows, outcome.released, outcome.rejected, outcome.pieces) == (10, 10, 0, 3)
    out = jobs.released(here / "out")
    assert [row["id"] for row in out] == list(range(10))
    assert [row["status"] for row in out] == [row["status"] for row in jobs.rows()]
    assert not any("who" in row or f"m{row['id']}@" in row["body"] for row in out)
    record = json.loads((here / "out/certificate.json").read_text())
    assert record["rows"] == record["columns"]["body"]["texts"] == 10
    assert record["persons"]["persons"] == 3 and record["persons"]["rows"]["largest"] == 4
    assert "UNPROTECTED: id, status" in " ".join(record["promises"])
    assert len((here / "out/certificate.json").read_bytes()) < 20_000
    assert check.faults(here / "out", [str(here / "in")]) == []
    assert check.progress(here / "out")["rows done"] == 10


def test_what_confirms_guesses_is_read_by_its_owner_alone(here):
    umask = os.umask(0o022)
    try:
        jobs.job(here).run()
    finally:
        os.umask(umask)
    out = here / "out"
    stays = [out / "manifest.json", out / "facts", out / "records", *out.glob("records/*")]
    assert len(stays) > 3 and not any(path.stat().st_mode & 0o077 for path in stays)
    shared = [out / "certificate.json", *out.glob("parts/*")]
    assert len(shared) > 1 and all(path.stat().st_mode & 0o044 for path in shared)


def test_the_certificate_is_the_sum_of_single_ones(here):
    jobs.job(here).run()
    record = json.loads((here / "out/certificate.json").read_text())
    facts = pa.concat_tables(
        parquet.read_table(path) for path in sorted((here / "out/facts").glob("*"))
    )
    [group] = record["certificates"]
    counts = group["common"]["counts"]
    for name, total in counts.items():
        assert total == sum(facts.column(name).to_pylist())
    assert record["columns"]["body"]["per_row"]["draws"]["sum"] == group["common"]["loss"]["draws"]
    people = {}
    for who, rows in zip(*[facts.column(name).to_pylist() for name in ("person", "unprotected")],
                         strict=True):  # fmt: skip
        people[who] = people.get(who, 0) + rows
    assert record["persons"]["unprotected"]["largest"] == max(people.values())
    assert record["persons"]["unprotected"]["sum"] == sum(people.values())


@pytest.mark.parametrize("kind", ["csv", "csv.gz", "jsonl.zst", "parquet", "arrow", "tsv"])
def test_every_format_leaves_the_same_texts(here, kind):
    jobs.job(here, "first").run()
    bodies = [row["body"] for row in jobs.released(here / "first")]
    table = pa.Table.from_pylist([row | {"status": "s"} for row in jobs.rows()])
    (here / "in/a.jsonl").unlink()
    path = here / "in" / f"a.{kind}"
    if kind == "parquet":
        parquet.write_table(table, path, row_group_size=3)
    elif kind == "arrow":
        with pa.ipc.new_stream(path, table.schema) as stream:
            stream.write_table(table)
    else:
        known = tables.Source(path, path.name, kind.split(".")[0])
        lines = bytearray()
        if known.format == "jsonl":
            lines += "".join(json.dumps(row) + "\n" for row in table.to_pylist()).encode()
        else:
            sign = "\t" if known.format == "tsv" else ","
            text = [sign.join(table.column_names)]
            text += [sign.join(f'"{cell}"' for cell in row.values()) for row in table.to_pylist()]
            lines += "\n".join(text).encode()
        if kind.endswith("gz"):
            path.write_bytes(gzip.compress(lines))
        elif kind.endswith("zst"):
            path.write_bytes(pa.Codec("zstd").compress(bytes(lines), asbytes=True))
        else:
            path.write_bytes(lines)
    jobs.job(here).run()
    again = []
    for part in sorted((here / "out/parts").iterdir()):
        source = tables.Source(part, part.name, part.suffix[1:])
        if part.suffix == ".jsonl":
            again += [row["body"] for row in map(json.loads, part.read_text().splitlines())]
        elif part.suffix in (".parquet", ".arrow"):
            again += [row["body"] for one in tables._batches(source) for row in one.to_pylist()]
        else:
            header, *rest = tables._rows(source)
            again += [dict(zip(header, row, strict=True))["body"] for row in rest]
    assert again == bodies


def test_a_dataset_folder_of_hugging_face_is_a_table(here):
    datasets = pytest.importorskip("datasets")
    datasets.disable_progress_bars()
    rows = [row | {"status": "s"} for row in jobs.rows()]
    (here / "in/a.jsonl").unlink()
    datasets.Dataset.from_list(rows).save_to_disk(here / "in/train")
    outcome = jobs.job(here).run()
    assert outcome.released == 10
    parts = sorted((here / "out/parts").glob("*.arrow"))
    out = datasets.concatenate_datasets([datasets.Dataset.from_file(str(part)) for part in parts])
    assert out["id"][:] == list(range(10)) and "m3@example.com" not in str(out["body"][:])


def test_a_job_goes_on_where_it_was_ended(here, monkeypatch):
    jobs.job(here, "whole").run()

    def ended(work, batches, _jobs, *, forked):
        for number, pair in enumerate(jobs.inline(work, batches, 1, forked=forked)):
            if number == 2:
                raise KeyboardInterrupt
            yield pair

    with monkeypatch.context() as patch:
        patch.setattr(module, "spread", ended)
        with pytest.raises(KeyboardInterrupt):
            jobs.job(here).run()
    stray = here / "out/parts/.privstamp-7-x.jsonl"
    stray.write_text("half")
    assert check.progress(here / "out")["parts"] == 2
    assert check.faults(here / "out", [])
    jobs.job(here).run()
    assert jobs.released(here / "out") == jobs.released(here / "whole")
    assert check.faults(here / "out", [str(here / "in")]) == []
    assert not stray.exists()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"plan": {"table": "other"}}, r"table\."),
        ({"plan": {"policy": "selective"}}, r"policy, policy policy\.toml, policy selective\."),
        (
            {"plan": {"columns": jobs.PLAN["columns"] | {"status": "drop"}}},
            'column "status"',
        ),
        ({"plan": {"columns": dict(reversed(jobs.PLAN["columns"].items()))}}, "order of columns"),
        ({"secret": "cd" * 16}, "secret"),
        ({"input": True}, "input a.jsonl"),
        ({"package": True}, "pyarrow"),
    ],
)
def test_a_resume_names_what_differs(here, monkeypatch, change, told):
    jobs.job(here).run()
    before = {path: path.read_bytes() for path in (here / "out").rglob("*") if path.is_file()}
    if "input" in change:
        jobs.write(here / "in/a.jsonl", jobs.rows(9))
    if "package" in change:
        monkeypatch.setattr(module, "_version", lambda name: "0.0")
    again = jobs.job(here, plan=change.get("plan", {}))
    if "secret" in change:
        jobs.key(here, change["secret"])
    with pytest.raises(UsageError, match=f"other .*{told}"):
        again.run()
    assert before == {path: path.read_bytes() for path in before}


def test_numbers_that_are_lost_are_made_again(here):
    jobs.job(here).run()
    path = next((here / "out/facts").iterdir())
    content = path.read_bytes()
    path.unlink()
    assert check.progress(here / "out")["parts"] == 2
    jobs.job(here).run()
    assert path.read_bytes() == content
    path.write_bytes(content[:-9])
    with pytest.raises(StoreError, match=r"not as it was recorded: remove it and run"):
        jobs.job(here).run()


def test_a_differing_twin_is_reported(here):
    target = folder.Folder(here / "twin")
    with target.held():
        target.put("parts/a", b"one")
        target.put("parts/a", b"one")
        with pytest.raises(StoreError, match="differs"):
            target.put("parts/a", b"two")
    assert (here / "twin/parts/a").read_bytes() == b"one"
    assert [path.name for path in (here / "twin").rglob("*") if path.is_file()] == ["a"]


def test_two_drivers_do_not_share_a_folder(here):
    first, second = folder.Folder(here / "x"), folder.Folder(here / "x")
    with first.held(), pytest.raises(UsageError, match="another process"), second.held():
        pass


def test_a_full_disk_leaves_nothing_half(here, monkeypatch):
    def full(_handle):
        raise OSError(errno.ENOSPC, "no space")

    jobs.job(here, "whole").run()
    with monkeypatch.context() as patch:
        patch.setattr(folder.os, "fsync", full)
        with pytest.raises(PrivstampError, match=r"disk is full.*goes on"):
            jobs.job(here).run()
    assert not any(path.is_file() for path in (here / "out").rglob("*"))
    jobs.job(here).run()
    assert jobs.released(here / "out") == jobs.released(here / "whole")


def bad(folder, **files):
    for name, content in files.items():
        (folder / "in" / name.replace("_", ".")).write_bytes(content)


def test_everything_that_does_not_fit_is_said_at_once(here):
    bad(here, b_csv=b"id,who,body,extra\n1,2,3,4\n", c_csv=b"id,body\n")
    with pytest.raises(UsageError) as caught:
        jobs.job(here).run()
    for told in ('b.csv: the plan does not list the column "extra"',
                 'b.csv: there is no column "sta', 'c.csv: there is no column "who"'):  # fmt: skip
        assert told in str(caught.value)
    assert not (here / "out").exists()


def test_what_is_no_table_is_refused(here):
    bad(here, notes_docx=b"x")
    with pytest.raises(UsageError, match=r"notes\.docx"):
        jobs.job(here).run()


@pytest.mark.parametrize("out", ["in", "in/out", "."])
def test_input_and_output_stay_apart(here, out):
    with pytest.raises(UsageError, match="choose another"):
        jobs.job(here, out).run()


def test_an_empty_folder_is_refused(here):
    (here / "in/a.jsonl").unlink()
    with pytest.raises(UsageError, match="no table"):
        jobs.job(here).run()


def test_rows_that_cannot_be_read_are_rejected_alone(here):
    good = [json.dumps(row).encode() for row in jobs.rows(6)]
    lines = [good[0], b"{oops", good[1], b'{"body": "\xff"}', b"[1]", *good[2:],
             json.dumps(jobs.rows(1)[0] | {"id": 99, "body": "x" * 1_100_000}).encode(),
             json.dumps(jobs.rows(1)[0] | {"id": None}).encode(),
             json.dumps(jobs.rows(1)[0] | {"id": 98, "body": ["no"]}).encode(),
             json.dumps(jobs.rows(1)[0] | {"id": 97, "body": "a\ud800"}).encode()]  # fmt: skip
    (here / "in/a.jsonl").write_bytes(b"\n".join(lines))
    outcome = jobs.job(here, max_rejected=1).run()
    told = [json.loads(line) for line in (here / "out/rejected.jsonl").read_text().splitlines()]
    assert [(row["row"], row["reason"]) for row in told] == [
        (1, "not JSON"),
        (3, "not UTF-8"),
        (4, "not a JSON object"),
        (9, "longer than 1,000,000 bytes"),
        (10, "it is missing"),
        (11, "body is no text"),
        (12, "not valid Unicode"),
    ]
    assert outcome.released == 6 and told[3]["id"] == "99"
    assert check.faults(here / "out", []) == []


def test_ragged_rows_of_csv_are_rejected_alone(here):
    (here / "in/a.jsonl").unlink()
    bad(here, a_csv=b'id,who,body,status\n1,a,"two\nlines",s\n2,b,c\n3,a,x\xff,s\n4,a,,s\n')
    outcome = jobs.job(here, max_rejected=1).run()
    assert (outcome.released, outcome.rejected) == (2, 2)
    [part] = (here / "out/parts").iterdir()
    assert part.read_text() == 'id,body,status\n1,"two\nlines",s\n4,,s\n'


def test_too_many_rejected_rows_stop_the_job(here):
    content = ["{", "{", *map(json.dumps, jobs.rows(8))]
    (here / "in/a.jsonl").write_text("\n".join(content))
    for _ in range(4):  # again, it neither goes on nor ends well
        with pytest.raises(PrivstampError, match="2 of 10 rows"):
            jobs.job(here).run()
    assert len(list((here / "out/parts").iterdir())) == 1
    assert len((here / "out/rejected.jsonl").read_text().splitlines()) == 2
    assert not (here / "out/certificate.json").exists()


def test_an_id_again_needs_the_same_content(here):
    first, second = jobs.rows(2)
    jobs.write(here / "in/a.jsonl", [first, second, first, second | {"body": "Other words."}])
    outcome = jobs.job(here, max_rejected=1).run()
    assert (outcome.released, outcome.rejected) == (3, 1)
    out = jobs.released(here / "out")
    assert out[0] == out[2]
    [told] = map(json.loads, (here / "out/rejected.jsonl").read_text().splitlines())
    assert told == {"source": "a.jsonl", "row": 3, "id": "1", "stage": "id", "reason": DOUBLED}


def test_a_file_without_a_byte_has_no_rows(here):
    for name in ("b.csv", "c.jsonl"):
        (here / "in" / name).touch()
    outcome = jobs.job(here).run()
    assert (outcome.rows, outcome.damaged) == (10, {})


def test_parts_of_nobody_are_refused_before_the_first_row(here):
    (here / "out/parts").mkdir(parents=True)
    (here / "out/parts/x.csv").write_text("x")
    with pytest.raises(UsageError, match="no manifest that they belong to"):
        jobs.job(here).run()
    assert [path.name for path in (here / "out").iterdir()] == ["parts"]


@pytest.mark.parametrize("cut", [40, -60])
def test_a_damaged_file_is_left_out_and_told(here, cut):
    parquet.write_table(
        pa.Table.from_pylist([row | {"status": "s"} for row in jobs.rows(50)]),
        here / "in/b.parquet",
    )
    content = (here / "in/b.parquet").read_bytes()
    (here / "in/b.parquet").write_bytes(content[:cut] + b"x" * 20)
    (here / "in/c.csv.gz").write_bytes(gzip.compress(b"id,who,body,status\n1,2,3,4\n" * 99)[:-9])
    outcome = jobs.job(here).run()
    assert sorted(outcome.damaged) == ["b.parquet", "c.csv.gz"]
    assert outcome.released == 10 and check.faults(here / "out", [str(here / "in")]) == []


def test_values_that_show_by_their_frequency_are_refused(here):
    columns = jobs.PLAN["columns"] | {"who": "pseudonym"}
    with pytest.raises(UsageError, match="who: one value fills 4 of 10 rows"):
        jobs.job(here, plan={"columns": columns}).run()
    jobs.write(here / "in/a.jsonl", [row | {"body": "Fever."} for row in jobs.rows()])
    with pytest.raises(UsageError, match="body: 9 of 10 texts repeat"):
        jobs.job(here, plan={"noise": "content"}).run()
    jobs.job(here, plan={"noise": "content", "frequencies": "accept"}).run()
    assert "frequencies show" in (here / "out/certificate.json").read_text()


@pytest.mark.parametrize(
    ("content", "mode", "told"),
    [("short", 0o600, "16 bytes"), ("ab" * 16, 0o644, "open to others")],
)
def test_a_secret_that_is_none_is_refused(here, content, mode, told):
    work = jobs.job(here)
    jobs.key(here, content)
    (here / "job.key").chmod(mode)
    with pytest.raises(VaultError, match=told):
        work.run()


def test_a_secret_is_named_by_its_place(here, monkeypatch):
    monkeypatch.setenv("JOB_SECRET", "ab" * 16)
    for place in ("env:JOB_SECRET", f"file:{here / 'job.key'}"):
        work = jobs.job(here, place[:3])
        work.secret = place
        work.run()
    assert jobs.released(here / "env") == jobs.released(here / "fil")
    work.secret = "ab" * 16
    with pytest.raises(VaultError, match="never written out") as caught:
        work.run()
    assert "abab" not in str(caught.value)


def test_the_charge_comes_before_the_part(here):
    charged = {}

    def charge(mark, amounts):
        assert len(list((here / "out/parts").iterdir())) == len(charged)
        charged[mark] = amounts
        if len(charged) == 3:
            raise PrivstampError("the limit is reached")

    with pytest.raises(PrivstampError, match="limit"):
        jobs.job(here, charge=charge).run()
    assert len(jobs.released(here / "out")) == 8
    assert sum(amounts["unprotected"] for amounts in charged.values()) > 10


def test_nothing_private_is_in_records(here):
    jobs.job(here).run()
    for path in (here / "out").rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            assert b"ab" * 16 not in content and b"example.com or call +44 20" not in content


@pytest.mark.slow
def test_killed_workers_and_drivers_change_nothing(tmp_path):
    jobs.write(tmp_path / "in/a.jsonl", jobs.rows(60))
    jobs.job(tmp_path, "whole", jobs=2).run()
    work = jobs.job(tmp_path, jobs=2)
    killed, others = [], {*_descendants(os.getpid())}  # that other tests have left

    def watch(_source, _rows):
        ours = sorted({*_descendants(os.getpid())} - others) if hasattr(work, "survey") else []
        if len(killed) < 4 and ours:
            victim = ours[len(killed) % len(ours)]
            killed.append(victim)
            os.kill(victim, signal.SIGKILL)

    work.watch = watch
    work.run()
    assert killed
    assert jobs.released(tmp_path / "out") == jobs.released(tmp_path / "whole")
    assert check.faults(tmp_path / "out", [str(tmp_path / "in")]) == []
    ends = time.monotonic() + 300
    while (left := {*_descendants(os.getpid())} - others) and time.monotonic() < ends:
        threading.Event().wait(0.1)
    assert not left


def _descendants(parent):
    children = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = entry.read_text().rpartition(")")[2].split()
            if fields[0] != "Z":
                children.setdefault(int(fields[1]), []).append(int(entry.parent.name))
    found, left = [], [parent]
    while left:
        more = children.get(left.pop(), [])
        found += more
        left += more
    return found


def csv_job(folder, content, **plan):
    (folder / "in/a.jsonl").unlink()
    (folder / "in/a.csv").write_text(content)
    return jobs.job(folder, plan=plan)


def test_a_quote_that_is_never_closed_swallows_no_rows(here):
    rows = [f"{n},p{n},body {n},open" for n in range(6)]
    rows[2] = '2,p2,"never closed,open'
    job = csv_job(here, "id,who,body,status\n" + "\n".join(rows) + "\n")
    with pytest.raises(PrivstampError, match=r"a\.csv: not CSV from row"):
        job.run()
    assert not (here / "out").exists()


def test_a_name_of_two_columns_is_damage(here):
    with pytest.raises(PrivstampError, match="two columns have the same name"):
        csv_job(here, "id,who,body,status,status\n1,a,b,c,d\n").run()


def test_a_table_without_rows_is_refused(here):
    with pytest.raises(UsageError, match="no row in it"):
        csv_job(here, "id,who,body,status\n").run()
    assert not (here / "out").exists()


def test_a_file_without_a_header_is_not_quoted(here):
    with pytest.raises(PrivstampError, match="first row with their names") as error:
        csv_job(here, "7,Miriam Castellano,ill,open\n").run()
    assert jobs.NAME not in str(error.value)


def test_an_empty_cell_is_nobody(here):
    rows = [f"{n},,Miriam Castellano wrote to m{n}@example.com,open" for n in range(8)]
    csv_job(here, "id,who,body,status\n" + "\n".join(rows) + "\n", same="who").run()
    record = json.loads((here / "out/certificate.json").read_text())
    assert record["persons"] is None
    parts = "".join(path.read_text() for path in sorted((here / "out/parts").glob("*")))
    addresses = {
        line.split("wrote to ")[1] for line in parts.splitlines()[1:] if "wrote to " in line
    }
    assert len(addresses) == 8


@pytest.mark.parametrize(
    ("kind", "plan", "words"),
    [
        ("code", {}, "the shape that its code keeps"),
        ("person", {"noise": "content"}, "under noise by content that shows"),
    ],
)
def test_values_that_are_read_by_how_often_they_come(here, kind, plan, words):
    rows = [row | {"who": ["HIV positive", "flu"][row["id"] % 2]} for row in jobs.rows()]
    jobs.write(here / "in/a.jsonl", rows)
    columns = COLUMNS | {"who": {"as": "surrogate", "kind": kind}}
    with pytest.raises(UsageError, match=words):
        jobs.job(here, plan=plan | {"columns": columns}).run()


def test_codes_that_tell_rows_apart_may_leave(here):
    rows = [row | {"who": f"MRN-{row['id']:04d}"} for row in jobs.rows()]
    jobs.write(here / "in/a.jsonl", rows)
    columns = COLUMNS | {"who": {"as": "surrogate", "kind": "code"}}
    assert jobs.job(here, plan={"columns": columns}).run().released == 10


def test_names_that_hold_need_a_person(here):
    """One value for whom nobody knows would put the names of all of them under one key."""
    many = [row | {"id": n, "who": "unknown" if n % 2 else f"p{n}"}
            for n, row in enumerate(jobs.rows(1) * 210)]  # fmt: skip
    jobs.write(here / "in/a.jsonl", many)
    with pytest.raises(UsageError, match=r"who: one value fills 105 of 210 .* under one key"):
        jobs.job(here, plan={"same": "who"}).run()
    for row in many:
        row["who"] = row["who"].replace("unknown", "")
    jobs.write(here / "in/a.jsonl", many)
    assert jobs.job(here, plan={"same": "who"}).prepared()


def test_an_empty_cell_has_no_pseudonym(here):
    rows = [f"{n},{n or ''},body {n},open" for n in range(8)] + ["8,,body 8,open"]
    columns = COLUMNS | {"who": "pseudonym", "status": "drop"}
    csv_job(here, "id,who,body,status\n" + "\n".join(rows) + "\n", columns=columns).run()
    lines = "".join(path.read_text() for path in sorted((here / "out/parts").glob("*")))
    assert "\n0,\n" in lines and "\n8,\n" in lines and "\n1,\n" not in lines


def test_a_column_that_cannot_be_read_is_named(here):
    (here / "in/a.jsonl").unlink()
    table = pa.Table.from_pylist([row | {"who": 1.5, "status": "s"} for row in jobs.rows()])
    parquet.write_table(table, here / "in/a.parquet")
    with pytest.raises(UsageError, match=r"a\.parquet: who: a column of type double"):
        jobs.job(here).run()


@pytest.mark.parametrize("given", [["in", "more"], ["*/a.jsonl"], ["in/a.jsonl", "more/a.jsonl"]])
def test_files_of_one_name_in_two_folders_are_two(here, monkeypatch, given):
    monkeypatch.chdir(here)
    jobs.write(here / "more/a.jsonl", [row | {"id": 50 + row["id"]} for row in jobs.rows(6)])
    work = jobs.job(here)
    work.inputs = given
    assert work.run().released == 16
    assert {row["id"] for row in jobs.released(here / "out")} == {*range(10), *range(50, 56)}
    assert check.faults(here / "out", given) == []


def test_a_file_that_ends_too_early_is_no_job(here):
    """Its first rows can be read; none of them leaves."""
    content = gzip.compress((here / "in/a.jsonl").read_bytes() + os.urandom(200_000).hex().encode())
    (here / "in/a.jsonl").unlink()
    (here / "in/a.jsonl.gz").write_bytes(content[:-50_000])
    with pytest.raises(PrivstampError, match=r"a\.jsonl\.gz: cannot be read: damaged"):
        jobs.job(here, max_rejected=1).run()
    jobs.write(here / "in/b.jsonl", jobs.rows())
    outcome = jobs.job(here, max_rejected=1).run()
    assert (outcome.rows, outcome.released, list(outcome.damaged)) == (10, 10, ["a.jsonl.gz"])


def test_a_draft_of_nested_rows_reads_the_others(here):
    """One column that is no text hid all others: every row was rejected."""
    rows = [row | {"status": [1, {"a": row["id"]}], "who": 1.5} for row in jobs.rows()]
    jobs.write(here / "in/a.jsonl", rows)
    plan = tomllib.loads(draft(tables.sources([str(here / "in")]), "in"))
    assert plan["columns"]["body"] == "text" and plan["id"] == "id"
    assert plan["columns"]["status"] == plan["columns"]["who"] == "drop"


def test_a_draft_of_nothing_is_refused(here):
    (here / "in/a.jsonl").unlink()
    (here / "in/a.csv").touch()
    with pytest.raises(UsageError, match=r"a\.csv: there is no row"):
        draft(tables.sources([str(here / "in")]), "in")


@pytest.mark.parametrize("content", [b"\x1f\x8b\x08\0\0\0\0\0\0\x03garbage", b"\x1f\x8b", b"none"])
def test_a_gzip_file_that_is_none_is_damaged(here, content):
    (here / "in/b.jsonl.gz").write_bytes(content)
    outcome = jobs.job(here).run()
    assert outcome.released == 10 and list(outcome.damaged) == ["b.jsonl.gz"]


@pytest.mark.parametrize(
    ("name", "change", "told"),
    [
        ("manifest.json", lambda content: {}, "no manifest"),
        ("manifest.json", lambda content: content | {"version": 2}, "no manifest"),
        ("manifest.json", lambda content: content | {"inputs": {"a": 7}}, "cannot be read"),
        ("records/*", lambda content: {}, "cannot be read"),
        ("records/*", lambda content: content | {"rejected": 7}, "cannot be read"),
        ("records/*", lambda content: content | {"rejected": [["x"]]}, "cannot be read"),
        ("records/*", lambda content: content | {"columns": {"body": {}}}, "cannot be read"),
        ("records/*", lambda content: [content], "cannot be read"),
    ],
)
def test_whatever_lies_in_the_output_is_read_or_refused(here, name, change, told):
    jobs.job(here).run()
    path = next((here / "out").glob(name))
    path.write_text(json.dumps(change(json.loads(path.read_text()))))
    for step in (jobs.job(here).run, lambda: check.progress(here / "out"),
                 lambda: check.faults(here / "out", [])):  # fmt: skip
        with pytest.raises(PrivstampError, match=told) as error:
            step()
        assert error.value.__context__ is None


def test_a_part_that_a_record_places_elsewhere_is_none(here):
    jobs.job(here).run()
    path = next((here / "out/records").glob("*"))
    path.write_text(path.read_text().replace('"part": "', '"part": "../../in/'))
    assert any(fault.startswith("a.jsonl: ") for fault in check.faults(here / "out", []))
    with pytest.raises(StoreError, match="differs"):
        jobs.job(here).run()


def test_a_link_in_the_output_is_replaced_never_followed(here):
    jobs.job(here).run()
    kept = here / "kept.txt"
    kept.write_text("mine")
    (here / "out/rejected.jsonl").unlink()
    (here / "out/rejected.jsonl").symlink_to(kept)
    jobs.job(here).run()
    assert kept.read_text() == "mine" and not (here / "out/rejected.jsonl").is_symlink()

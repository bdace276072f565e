"""The same rows from every engine, and no secret in what an engine keeps."""

import base64
import json
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

import engine_run
import pyarrow as pa
import pytest
import small_job

from privstamp.batch.engine import EngineTask, statement, task
from privstamp.batch.plan import wanted
from privstamp.batch.secret import read, refuse_configured
from privstamp.errors import MissingExtra, UsageError, VaultError

SECRET = "0f1e2d3c4b5a6978" * 2


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("engines")


@pytest.fixture(scope="module")
def work(place):
    return task(small_job.plan(place), small_job.key(place, SECRET))


@pytest.fixture(scope="module")
def expected(work):
    out = work.table(pa.Table.from_pylist(engine_run.table()))
    return engine_run.digest(out.to_pylist())


@pytest.mark.parametrize("rows", [1, 5, 24])
def test_batches_of_any_size_give_the_same(work, expected, rows):
    batches = pa.Table.from_pylist(engine_run.table()).to_batches(max_chunksize=rows)
    out = pa.Table.from_batches(work(batches))
    assert engine_run.digest(out.to_pylist()) == expected
    assert out.schema.equals(work.schema(batches[0].schema))


def test_pandas_gives_the_same(work, expected):
    pandas = pytest.importorskip("pandas")
    from privstamp.batch import pandas as engine

    frame = pandas.DataFrame(engine_run.table(), index=range(100, 124))
    out = engine.privatize(frame, work.plan, secret=work.secret)
    assert engine_run.digest(out.to_dict("records")) == expected
    assert list(out.index) == list(frame.index)


def test_polars_gives_the_same(work, expected):
    polars = pytest.importorskip("polars")
    from privstamp.batch import polars as engine

    out = engine.privatize(polars.LazyFrame(engine_run.table()), work.plan, secret=work.secret)
    assert engine_run.digest(out.to_dicts()) == expected


def test_datasets_give_the_same_and_are_found_in_the_cache(work, expected, tmp_path):
    datasets = pytest.importorskip("datasets")
    from privstamp.batch import datasets as engine

    datasets.disable_progress_bars()
    datasets.Dataset.from_list(engine_run.table()).save_to_disk(tmp_path / "data")
    given = datasets.load_from_disk(tmp_path / "data")
    out = engine.privatize(given, work.plan, secret=work.secret)
    assert engine_run.digest(out.to_list()) == expected
    again = engine.privatize(given, work.plan, secret=work.secret)
    assert again.cache_files == out.cache_files != []
    splits = engine.privatize(datasets.DatasetDict(a=given, b=given), work.plan, secret=work.secret)
    assert engine_run.digest(splits["b"].to_list()) == expected and list(splits) == ["a", "b"]
    other = work.plan.model_copy(update={"table": "other"})
    assert engine.privatize(given, other, secret=work.secret).cache_files != out.cache_files


def test_frequencies_of_a_dataset_are_those_of_its_rows(work):
    """What was selected away stays in the table underneath."""
    datasets = pytest.importorskip("datasets")
    from privstamp.batch import datasets as engine

    rows = [row | {"who": f"p{row['id']}"} for row in engine_run.table()]
    alike = [row | {"id": 100 + row["id"], "who": "p0"} for row in rows[:2]]
    given = datasets.Dataset.from_list(rows + alike)
    who = work.plan.columns["who"].model_copy(update={"role": "pseudonym"})
    shown = work.plan.model_copy(update={"columns": work.plan.columns | {"who": who}})
    with pytest.raises(UsageError, match="who: one value fills 2 of 2 rows"):
        engine.privatize(given.select([24, 25]), shown, secret=work.secret)
    assert len(engine.privatize(given.select(range(3)), shown, secret=work.secret)) == 3


def test_a_rejected_row_keeps_its_id_alone(work):
    rows = [
        row | {"body": "x" * 1_100_000} if row["id"] == 1 else row for row in engine_run.table()
    ]
    out = work.table(pa.Table.from_pylist(rows)).to_pylist()
    assert out[1]["id"] == 1 and out[1]["body"] is None and out[1]["status"] is None
    assert out[1]["privstamp"]["rejected"] == "body: longer than 1,000,000 bytes"
    assert len(out) == 24


def test_a_statement_is_what_the_rows_add_up_to(work):
    out = work.table(pa.Table.from_pylist(engine_run.table()))
    told = statement(out.column("privstamp"), work.plan)
    units = [row["privstamp"]["units"] for row in out.to_pylist()]
    assert told["rows"] == 24 and told["per_row"]["units"]["sum"] == sum(units)
    assert told["persons"]["persons"] == 3 and told["persons"]["rows"]["largest"] == 8


def test_frequencies_are_refused_in_engines_too(work):
    pandas = pytest.importorskip("pandas")
    from privstamp.batch import pandas as engine

    frame = pandas.DataFrame([row | {"body": "Fever."} for row in engine_run.table()])
    columns = work.plan.columns
    shown = work.plan.model_copy(update={"columns": columns | {"who": columns["who"].model_copy(
        update={"role": "pseudonym"})}})  # fmt: skip
    with pytest.raises(UsageError, match="who: one value fills 8 of 24"):
        engine.privatize(frame, shown, secret=work.secret)
    by_content = work.plan.model_copy(update={"noise": "content"})
    with pytest.raises(UsageError, match="body: 23 of 24 texts repeat"):
        engine.privatize(frame, by_content, secret=work.secret)
    code = columns["who"].model_copy(update={"role": "surrogate", "kind": "code"})
    shaped = work.plan.model_copy(update={"columns": columns | {"who": code}})
    with pytest.raises(UsageError, match=r"who: one value fills 8 of 24 .* its code keeps"):
        engine.privatize(frame, shaped, secret=work.secret)


def test_another_secret_at_the_same_place_is_another_release(work, expected, tmp_path):
    place = small_job.key(tmp_path, SECRET)
    same = EngineTask(work.plan, place)
    rows = pa.Table.from_pylist(engine_run.table())
    assert engine_run.digest(same.table(rows).to_pylist()) == expected
    small_job.key(tmp_path, SECRET[::-1])
    assert engine_run.digest(same.table(rows).to_pylist()) != expected


def test_what_is_sent_to_an_engine_holds_no_secret(work):
    sent = pickle.dumps(work)
    assert not [form for form in forms() if form in sent]
    assert SECRET not in repr(work)


@pytest.mark.parametrize("place", [None, "", SECRET])
def test_a_secret_is_named_never_given(place):
    plan = {"table": "t", "id": "a", "columns": {"a": "text"}}
    with pytest.raises(VaultError) as caught:
        task(plan, place)
    assert SECRET not in str(caught.value)


def test_a_variable_of_the_engine_is_refused():
    refuse_configured("file:x", ["JOB"], "Spark")
    refuse_configured("env:OTHER", ["JOB"], "Spark")
    with pytest.raises(VaultError, match="Spark sets JOB"):
        refuse_configured("env:JOB", ["JOB"], "Spark")


def test_a_missing_secret_says_where(tmp_path):
    for name in (f"file:{tmp_path}/none", "env:PRIVSTAMP_NO_SUCH"):
        with pytest.raises(VaultError, match="where the work runs"):
            read(name)


def test_a_missing_package_names_the_line_that_installs_it():
    with pytest.raises(MissingExtra, match=r"privstamp\[ray\]"):
        wanted("privstamp_no_such_package", "ray")


def test_other_columns_are_refused(work):
    table = pa.Table.from_pylist(engine_run.table()).append_column("extra", pa.array([1] * 24))
    with pytest.raises(UsageError, match="extra"):
        EngineTask(work.plan, work.secret).table(table)


def forms():
    """The secret as it might lie about."""
    raw = SECRET.encode()
    return [raw, raw.hex().encode(), base64.b64encode(raw), bytes.fromhex(SECRET)]


def engine(name, place):
    env = os.environ | {"PYTHONPATH": os.pathsep.join([*sys.path, str(Path(__file__).parent)])}
    run = subprocess.run(
        [sys.executable, engine_run.__file__, name, str(place)],
        env=env, capture_output=True, text=True, timeout=3600,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr[-3000:]
    return json.loads(run.stdout.splitlines()[-1])


def refused(told):
    """A secret that the engine shows, a pseudonym that is read by its frequency, a column that is
    not there."""
    secret, frequency, column = told
    return (
        "secret" in secret
        and frequency.startswith("who: one value fills 8 of 24 rows")
        and 'there is no column "more"' in column
    )


def searched(place):
    """Files that an engine left behind with the secret in them, or a text."""
    found = []
    for path in place.rglob("*"):
        if path.is_file() and path.name not in ("job.key",):
            content = path.read_bytes()
            if any(form in content for form in [*forms(), b"Please write to m7@example.com"]):
                found.append(path.name)
    return found


no_spark = pytest.mark.skipif(
    find_spec("pyspark") is None or shutil.which("java") is None,
    reason="Spark or Java is missing: make engines installs Spark",
)
no_ray = pytest.mark.skipif(find_spec("ray") is None, reason="Ray is missing: make engines")


@no_spark
@pytest.mark.slow
@pytest.mark.parametrize("name", ["spark", "connect"])
def test_spark_gives_the_same_and_keeps_no_secret(name, expected, tmp_path):
    told = engine(name, tmp_path)
    assert told["digests"] == [expected] and refused(told["told"])
    assert name == "connect" or any((tmp_path / "events").iterdir())
    assert searched(tmp_path) == []


@no_ray
@pytest.mark.slow
def test_ray_gives_the_same_and_keeps_no_secret(expected):
    with tempfile.TemporaryDirectory(prefix="r") as folder:  # names of sockets must be short
        place = Path(folder)
        told = engine("ray", place)
        assert told["digests"] == [expected] and refused(told["told"])
        assert any((place / "events").rglob("*.log"))
        assert searched(place) == []

"""Run by tests in a process of its own: one engine, one small table, several partitionings.

python engine_run.py spark|connect|ray FOLDER    prints one line of JSON
"""

import json
import os
import sys
from hashlib import sha256
from pathlib import Path

import small_job


def digest(rows):
    """Over ids and everything that left."""
    content = sorted((row["id"], json.dumps(row, sort_keys=True)) for row in rows)
    return sha256(repr(content).encode()).hexdigest()


def table():
    return [row | {"status": "open"} for row in small_job.rows(24)]


def refusals(engine, data, folder, secret):
    """What is said of a secret that the engine shows, of a column that its frequencies tell, and of
    one that is not there; before the first row."""
    from privstamp.errors import UsageError, VaultError

    plan, told = small_job.plan(folder), []
    who = plan.columns["who"].model_copy(update={"role": "pseudonym"})
    shown = plan.model_copy(update={"columns": plan.columns | {"who": who}})
    more = plan.model_copy(update={"columns": plan.columns | {"more": plan.columns["body"]}})
    for given, place in ((plan, "env:JOB_SECRET"), (shown, secret), (more, secret)):
        try:
            engine.privatize(data, given, secret=place)
        except (UsageError, VaultError) as error:
            told.append(str(error))
    return told


def spark(folder, *, connect=False):
    os.environ["PYSPARK_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession

    from privstamp.batch import spark as engine

    builder = SparkSession.builder
    builder = builder.remote("local[2]") if connect else builder.master("local[2,4]")
    logs = {"spark.ui.enabled": "false", "spark.executorEnv.JOB_SECRET": "ab" * 16,
            "spark.local.dir": str(folder / "spill")}  # fmt: skip
    if not connect:
        logs |= {"spark.eventLog.enabled": "true", "spark.eventLog.dir": str(folder / "events")}
    (folder / "events").mkdir()
    for name, value in logs.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    plan, secret = small_job.plan(folder), small_job.key(folder, "0f1e2d3c4b5a6978" * 2)
    frame = session.createDataFrame(table())
    digests = set()
    for parts in (1,) if connect else (2, 5):
        out = engine.privatize(frame.repartition(parts), plan, secret=secret)
        for _ in range(2 if parts == 2 else 1):  # a lazy frame, acted on twice
            digests.add(digest(row.asDict(recursive=True) for row in out.collect()))
    told = refusals(engine, frame, folder, secret)
    session.stop()
    return {"digests": sorted(digests), "told": told}


def started(start, stop, tries=8):
    """Ray gives its node 30 seconds, whatever it is told, and its servers less: too few where
    others keep it waiting."""
    for left in reversed(range(tries)):
        try:
            start()
            return
        except Exception:
            stop()
            if not left:
                raise


def ray(folder):
    os.environ["RAY_raylet_start_wait_time_s"] = "300"  # noqa: SIM112
    import ray as cluster

    from privstamp.batch import ray as engine

    variables = {"env_vars": {"JOB_SECRET": "ab" * 16, "PYTHONPATH": os.environ["PYTHONPATH"]}}
    started(lambda: cluster.init(
        num_cpus=2, include_dashboard=False, log_to_driver=False, runtime_env=variables,
        logging_level="error", _temp_dir=str(folder / "events")), cluster.shutdown)  # fmt: skip
    plan, secret = small_job.plan(folder), small_job.key(folder, "0f1e2d3c4b5a6978" * 2)
    data = cluster.data.from_items(table()).repartition(3)
    out = engine.privatize(data, plan, secret=secret, actors=1).take_all()
    told = refusals(engine, data, folder, secret)
    cluster.shutdown()
    return {"digests": [digest(out)], "told": told}


if __name__ == "__main__":
    place = Path(sys.argv[2])
    runs = {"spark": spark, "ray": ray, "connect": lambda where: spark(where, connect=True)}
    print(json.dumps(runs[sys.argv[1]](place)))

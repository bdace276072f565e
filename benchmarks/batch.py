"""Tables: one digest whatever runs them, kills, rates, memory, sizes and what frequencies tell.

    python benchmarks/batch.py [--rows 10000] [--kills 20] [--engines local,spark,ray] [SECTION ...]
    python benchmarks/batch.py --write < LINES    # what it printed goes to results/batch.json

Sections: digest, kills, leaks, engines, rate, workers, memory, sizes, forecast, frequency, persons,
record.
Reads reviews and news of PRIVSTAMP_DATA, cut to 160 words. Prints one line of JSON for each figure;
docs/guides/batch.md quotes them. `one ENGINE INPUT OUT PARTS` is what it starts and kills itself.
"""

from __future__ import annotations

import argparse
import base64
import csv
import gc
import gzip
import json
import os
import pickle
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
from scipy.optimize import linear_sum_assignment

from privstamp.batch import tables
from privstamp.batch.check import faults
from privstamp.batch.engine import task
from privstamp.batch.job import Job
from privstamp.batch.plan import Plan
from privstamp.batch.rows import Rows
from privstamp.policy import Part, Policy

WORDS = 160
FILES = ("yelp_train_15k.csv.gz", "ag_news_train_12k.csv.gz", "yelp_balanced_a.csv.gz")
PLAN = {
    "table": "documents",
    "id": "id",
    "person": "person",
    "columns": {"id": "release", "person": "drop", "text": "text"},
}
PUBLIC = {
    "extends": "readable",
    "grouping": "public",
    "sensitivity": "lexicon",
    "importance": "none",
}
SECRET = b"a secret of a benchmark"
RANDOM = random.Random(1)  # noqa: S311 - when to kill, not noise
GIVEN_ROWS = ("ray::MapWorker", "pyspark.daemon", "privstamp.crew.processes")
"""In the titles of Python processes that are given rows; Ray has others, for its own needs."""
RESULTS = Path(__file__).parent / "results" / "batch.json"


def say(section: str, **figures: Any) -> None:
    print(json.dumps({"section": section, **figures}), flush=True)


def written(lines: str) -> None:
    """The figures of some sections in the place of earlier ones."""
    figures = [json.loads(line) for line in lines.splitlines()]
    sections = {figure["section"] for figure in figures}
    before = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else []
    kept = [figure for figure in before if figure["section"] not in sections]
    together = sorted(kept + figures, key=lambda figure: figure["section"])
    content = ",\n".join(f" {json.dumps(figure)}" for figure in together)
    RESULTS.write_text(f"[\n{content}\n]\n", "utf-8")


def documents(count: int) -> list[str]:
    """Reviews and news in turn, 160 words each; short ones are joined."""
    folder = Path(os.environ.get("PRIVSTAMP_DATA", "data"))
    streams = [_words(folder / name) for name in FILES if (folder / name).exists()]
    if not streams:
        sys.exit("PRIVSTAMP_DATA names a folder with " + ", ".join(FILES))
    texts: list[str] = []
    while len(texts) < count:
        for stream in streams:
            words: list[str] = []
            while len(words) < WORDS:
                words += next(stream)
            texts.append(" ".join(words[:WORDS]))
    return texts[:count]


def _words(path: Path) -> Iterator[list[str]]:
    while True:
        with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                yield row["text"].split()


def prepared(folder: Path, count: int, *, policy: str = "selective") -> Path:
    """Input, plan and secret in a folder."""
    rows = [
        {"id": number, "person": f"p{number % max(1, count // 5)}", "text": text}
        for number, text in enumerate(documents(count))
    ]
    (folder / "in").mkdir(parents=True)
    parquet.write_table(pa.Table.from_pylist(rows), folder / "in/documents.parquet")
    (folder / "plan.json").write_text(json.dumps(PLAN | {"policy": policy}))
    (folder / "key").touch(mode=0o600)
    (folder / "key").write_bytes(SECRET)
    return folder


def digest(rows: Any) -> str:
    """Over ids and texts of rows that left, in the order of ids."""
    content = sorted((row["id"], row["text"]) for row in rows if row["text"] is not None)
    return sha256(repr(content).encode()).hexdigest()[:16]


def of_parts(out: Path) -> str:
    return digest(
        row
        for path in (out / "parts").glob("*.parquet")
        for row in parquet.read_table(path).to_pylist()
    )


def ids_of(out: Path) -> list[int]:
    """Of all rows that left."""
    files = (out / "parts").glob("*.parquet")
    return [row for path in files for row in parquet.read_table(path)["id"].to_pylist()]


def one(engine: str, folder: Path, out: Path, parts: int, jobs: int) -> None:
    """A job by one engine; what it gave is digested into a file."""
    plan = Plan.load(json.loads((folder / "plan.json").read_text()))
    place = f"file:{folder / 'key'}"
    began = time.perf_counter()
    if engine == "forecast":
        from privstamp.batch.forecast import forecast

        job = Job([str(folder / "in")], out, plan, place, jobs=jobs)
        out.with_suffix(".json").write_text(json.dumps(forecast(job)))
        return
    if engine == "local":
        tables.PIECE = parts  # type: ignore[misc]
        Job([str(folder / "in")], out, plan, place, jobs=jobs).run()
        told = of_parts(out)
    elif engine == "spark":
        os.environ["PYSPARK_PYTHON"] = sys.executable
        from pyspark.sql import SparkSession

        from privstamp.batch import spark

        session = (
            SparkSession.builder.master(f"local[{jobs},4]")
            .config("spark.ui.enabled", "false")
            .getOrCreate()
        )
        frame = session.read.parquet(str(folder / "in")).repartition(parts)
        released = spark.privatize(frame, plan, secret=place).select("id", "text")
        released.write.mode("overwrite").parquet(str(out / "parts"))
        told = of_parts(out)
        session.stop()
    else:
        os.environ["RAY_raylet_start_wait_time_s"] = "300"  # noqa: SIM112
        import ray as cluster

        from privstamp.batch import ray

        for _ in range(5):  # on a busy machine it does not always come up in its time
            with suppress(Exception):
                cluster.init(num_cpus=jobs + 1, include_dashboard=False, log_to_driver=False,
                             logging_level="error")  # fmt: skip
                break
            cluster.shutdown()
        data = cluster.data.read_parquet(str(folder / "in")).repartition(parts)
        shutil.rmtree(out / "parts", ignore_errors=True)  # of a driver that was ended
        released = ray.privatize(data, plan, secret=place, actors=jobs).select_columns(
            ["id", "text"]
        )
        released.write_parquet(str(out / "parts"))
        told = of_parts(out)
    seconds = time.perf_counter() - began
    out.with_suffix(".json").write_text(json.dumps({"digest": told, "seconds": round(seconds, 1)}))


def started(
    engine: str, folder: Path, out: Path, parts: int, jobs: int = 2
) -> subprocess.Popen[bytes]:
    command = [sys.executable, __file__, "one", engine, *map(str, (folder, out, parts, jobs))]
    quiet = subprocess.DEVNULL
    return subprocess.Popen(  # noqa: S603 - this program
        command, stdout=quiet, stderr=quiet, start_new_session=True
    )


class Watched:
    """CPU seconds and the most memory of a job's processes, wherever they hang, up to half a second
    before each ends. `workers` are the Python processes that are given rows; Ray keeps others that
    never see one, and each engine has servers of its own: `whole` is all of them, and the driver.
    """

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._cpu: dict[int, float] = {}
        self._workers: set[int] = set()
        self.driver, self.peak_mb = 0.0, 0
        while process.poll() is None:
            for pid in descendants(process.pid):
                with suppress(OSError, StopIteration):
                    self._cpu[pid] = _cpu(pid)
                    if any(mark in _title(pid) for mark in GIVEN_ROWS):
                        self._workers.add(pid)
                        self.peak_mb = max(self.peak_mb, _memory("VmHWM", pid))
            with suppress(OSError):
                self.driver = _cpu(process.pid)
            time.sleep(0.5)

    @property
    def workers(self) -> float:
        return sum(self._cpu[pid] for pid in self._workers)

    @property
    def whole(self) -> float:
        return self.driver + sum(self._cpu.values())

    @property
    def alone(self) -> float:
        """Seconds that workers of files need where each has a processor of its own: what loads
        everything was started first, and then its busiest fork."""
        first, *forks = sorted(self._workers)
        return self._cpu[first] + max(self._cpu[pid] for pid in forks)


def _cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def digests(folder: Path, engines: list[str], rows: int) -> None:
    """Three partitionings of each engine."""
    prepared(folder, rows)
    ways = {"local": (1000, 500, 173), "spark": (3, 4, 5), "ray": (2, 3, 5)}
    seen: Counter[str] = Counter()
    for engine in engines:
        for parts in ways[engine]:
            out = folder / f"{engine}-{parts}"
            seconds = Watched(started(engine, folder, out, parts)).workers
            told = json.loads(out.with_suffix(".json").read_text())
            seen[told["digest"]] += 1
            say(
                "digest",
                engine=engine,
                parts=parts,
                rows=rows,
                cpu_seconds=round(seconds, 1),
                **told,
            )
    say("digest", rows=rows, runs=sum(seen.values()), distinct=len(seen))


def leaks(folder: Path, engines: list[str], rows: int) -> None:
    """Files and pages of each engine in which the secret, in three forms, or a text is found."""
    prepared(folder, rows)
    texts = [row["text"] for row in parquet.read_table(folder / "in").to_pylist()]
    words = [" ".join(text.split()[:12]).encode() for text in texts]
    forms = [SECRET, SECRET.hex().encode(), base64.b64encode(SECRET)]
    for engine in engines:
        place = Path(tempfile.mkdtemp(prefix="b"))  # sockets have short names
        command = [sys.executable, __file__, "watched", engine, str(folder), str(place)]
        with (place / "driver.log").open("wb") as log:
            subprocess.run(command, stdout=log, stderr=log, check=True)  # noqa: S603
        looked = [path for path in place.rglob("*") if path.is_file() and "parts" not in path.parts]
        content = [path.read_bytes() for path in looked]
        say("leaks", engine=engine, rows=rows, files=len(looked),
            pages=sum(path.parent.name == "pages" for path in looked),
            bytes=sum(map(len, content)),
            with_secret=sum(any(form in known for form in forms) for known in content),
            with_text=sum(any(text in known for text in words) for known in content))  # fmt: skip
        shutil.rmtree(place)


def watched(engine: str, folder: Path, place: Path) -> None:
    """A job whose engine logs, spills and shows whatever it can, to one folder; what is pickled for
    its workers lies there too."""
    plan = Plan.load(json.loads((folder / "plan.json").read_text()))
    secret = f"file:{folder / 'key'}"
    (place / "pages").mkdir()
    (place / "task.pickle").write_bytes(pickle.dumps(task(plan, secret)))
    if engine == "local":
        Job([str(folder / "in")], place / "job", plan, secret, jobs=2).run()
    elif engine == "spark":
        os.environ["PYSPARK_PYTHON"] = sys.executable
        from pyspark.sql import SparkSession

        from privstamp.batch import spark

        (place / "events").mkdir()
        builder = SparkSession.builder.master("local[2,4]")
        for name, value in {
            "spark.eventLog.enabled": "true", "spark.eventLog.dir": str(place / "events"),
            "spark.eventLog.compress": "false", "spark.local.dir": str(place / "spill"),
            "spark.ui.port": "0", "spark.driver.host": "127.0.0.1",
        }.items():  # fmt: skip
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        session.sparkContext.setLogLevel("INFO")
        frame = session.read.parquet(str(folder / "in"))
        released = spark.privatize(frame, plan, secret=secret)
        released.write.parquet(str(place / "parts"))
        shown = session.sparkContext.uiWebUrl
        for page in ("jobs", "stages", "stages/stage/?id=0&attempt=0", "storage", "environment",
                     "executors", "SQL", "SQL/execution/?id=1", "api/v1/applications"):  # fmt: skip
            with suppress(OSError), urllib.request.urlopen(f"{shown}/{page}") as answer:  # noqa: S310
                (place / "pages" / page.replace("/", "-")).write_bytes(answer.read())
        shutil.copytree(place / "spill", place / "spilled")
        session.stop()
    else:
        os.environ["RAY_raylet_start_wait_time_s"] = "300"  # noqa: SIM112
        import ray as cluster

        from privstamp.batch import ray

        cluster.init(num_cpus=3, include_dashboard=False, _temp_dir=str(place))
        data = cluster.data.read_parquet(str(folder / "in"))
        ray.privatize(data, plan, secret=secret, actors=1).write_parquet(str(place / "parts"))
        cluster.shutdown()


def descendants(parent: int) -> list[int]:
    children: dict[int, list[int]] = {}
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


def kills(folder: Path, engines: list[str], rows: int, count: int) -> None:
    """Random processes of a job ended at random times; begun again where it was the driver."""
    prepared(folder, rows)
    for engine in engines:
        parts = 50 if engine == "local" else 4
        calm, wild = folder / f"{engine}-calm", folder / f"{engine}-wild"
        Watched(started(engine, folder, calm, parts))
        expected = json.loads(calm.with_suffix(".json").read_text())
        wait = max(2.0, expected["seconds"] / 4)
        drivers = workers = 0
        process = started(engine, folder, wild, parts)
        while drivers + workers < count and not wild.with_suffix(".json").exists():
            time.sleep(RANDOM.uniform(0.3, 1.0) * wait)
            if process.poll() is not None:
                process = started(engine, folder, wild, parts)
                continue
            roles = {pid: _role(pid) for pid in descendants(process.pid)} | {process.pid: "driver"}
            role = "driver" if drivers < workers else "worker"  # as many of each, in the end
            if role not in roles.values():
                wait = 1.0  # its workers have not begun, or are done
                continue
            wait = max(2.0, expected["seconds"] / 4)
            victim = RANDOM.choice([pid for pid, known in roles.items() if known == role])
            with suppress(ProcessLookupError):
                os.kill(victim, signal.SIGKILL)
                drivers, workers = drivers + (role == "driver"), workers + (role == "worker")
            if role == "driver":
                with suppress(ProcessLookupError):
                    process.kill()
                process.wait()
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)  # a cluster without its driver
                process = started(engine, folder, wild, parts)
            if wild.with_suffix(".json").exists() and drivers + workers < count:
                wild.with_suffix(".json").unlink()
                shutil.rmtree(wild, ignore_errors=True)
        tries = 0
        while not wild.with_suffix(".json").exists() and tries < 5:
            process.wait()
            if not wild.with_suffix(".json").exists():
                tries, process = tries + 1, started(engine, folder, wild, parts)
        told = json.loads(wild.with_suffix(".json").read_text())
        wrong = faults(wild, [str(folder / "in")]) if engine == "local" else []
        ids, due = ids_of(wild), ids_of(calm)
        stray = [path for path in (wild / "parts").iterdir() if not _expected(path.name)]
        say("kills", engine=engine, rows=rows, drivers=drivers, workers=workers,
            same_digest=told["digest"] == expected["digest"], faults=len(wrong),
            lost=len(set(due) - set(ids)), doubled=len(ids) - len(set(ids)),
            stray_files=len(stray))  # fmt: skip


def _title(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")


def _role(pid: int) -> str:
    """What a process of a job is; those that only look after a cluster are nothing."""
    with suppress(OSError):
        told = _title(pid)
        if any(mark in told for mark in ("ray::", "pyspark.daemon", "privstamp.crew.processes")):
            return "worker"
        if "org.apache.spark.deploy" in told:
            return "driver"
    return ""


def _expected(name: str) -> bool:
    return name.endswith((".parquet", ".crc")) or name == "_SUCCESS"


def timed(step: Callable[[], Any]) -> float:
    began = time.process_time()
    step()
    return time.process_time() - began


def rate(count: int) -> None:
    """Documents per CPU second beside Presidio's batch engine, turn by turn in one process."""
    from presidio_analyzer import BatchAnalyzerEngine

    from privstamp.lab.bench.line import presidio_engine

    texts = documents(count)
    batch = pa.RecordBatch.from_pylist(
        [{"id": number, "person": "p", "text": text} for number, text in enumerate(texts)]
    )
    policies = {name: Policy.preset(name) for name in ("selective", "readable")}
    policies["selective, public map"] = Policy(sensitivity=Part(name="lexicon"))
    policies["readable, public map"] = Policy.of(PUBLIC)
    plan = Plan.load(PLAN)
    lines = {
        name: Rows(plan.model_copy(update={"policies": {plan.policy: policy}}), SECRET)
        for name, policy in policies.items()
    }
    peer = BatchAnalyzerEngine(analyzer_engine=presidio_engine())
    steps: dict[str, Callable[[], Any]] = {
        name: lambda line=line: line(batch) for name, line in lines.items()
    }
    steps["presidio batch"] = lambda: list(peer.analyze_iterator(texts, "en", batch_size=64))
    taken: dict[str, list[float]] = {name: [] for name in steps}
    for _ in range(6):  # the first turn is for words that none has met
        gc.freeze()  # as workers do with what is loaded
        for name, step in steps.items():
            taken[name].append(timed(step))
    rates = {name: round(count / median(seconds[1:]), 1) for name, seconds in taken.items()}
    ratio = {name: round(value / rates["presidio batch"], 2) for name, value in rates.items()}
    say("rate", documents=count, words=WORDS, per_cpu_second=rates, times_presidio=ratio)


def workers(folder: Path, rows: int) -> None:
    """CPU seconds and documents per second of one and of two processes.

    How much faster two are is seen only on a machine that has nothing else to do: on another one
    it is reckoned from the CPU seconds of the busiest.
    """
    prepared(folder, rows)
    cpu, alone, seconds = {}, {}, {}
    for jobs in (1, 2):
        out = folder / f"out{jobs}"
        seen = Watched(started("local", folder, out, 250, jobs))
        cpu[jobs], alone[jobs] = round(seen.workers, 1), round(seen.alone, 1)
        seconds[jobs] = json.loads(out.with_suffix(".json").read_text())["seconds"]
    say("workers", rows=rows, cpu_seconds=cpu, seconds=seconds, cpu_ratio=round(cpu[2] / cpu[1], 2),
        speed_ratio=round(seconds[1] / seconds[2], 2), load=os.getloadavg()[0],
        reckoned_seconds=alone, reckoned_speed_ratio=round(alone[1] / alone[2], 2))  # fmt: skip


def compared(folder: Path, engines: list[str], rows: int) -> None:
    """CPU seconds of the two Python workers of each engine that are given rows, and of the whole
    engine: its driver, its servers and whatever processes it keeps."""
    prepared(folder, rows)
    workers, whole = {}, {}
    for engine in engines:
        parts = 1000 if engine == "local" else max(4, rows // 1000)
        seen = Watched(started(engine, folder, folder / engine, parts))
        told = json.loads((folder / engine).with_suffix(".json").read_text())
        workers[engine], whole[engine] = round(seen.workers, 1), round(seen.whole, 1)
        say("engine", engine=engine, rows=rows, python_workers=workers[engine],
            whole_engine=whole[engine], **told, load=os.getloadavg()[0])  # fmt: skip
    say("engines", rows=rows, python_workers=workers, times_local=_ratios(workers),
        whole_engine=whole, whole_times_local=_ratios(whole))  # fmt: skip


def _ratios(seconds: dict[str, float]) -> dict[str, float]:
    return {engine: round(value / seconds["local"], 2) for engine, value in seconds.items()}


def memory(count: int) -> None:
    """Of a process after some rows, and after ten times as many; and what a fork adds."""
    texts = documents(count)
    rows = Rows(Plan.load(PLAN), SECRET).warmed()
    loaded = _memory("VmRSS")

    def run(block: list[str]) -> None:
        for start in range(0, len(block), 250):
            part = [{"id": start + n, "person": "p", "text": text}
                    for n, text in enumerate(block[start : start + 250])]  # fmt: skip
            rows(pa.RecordBatch.from_pylist(part))

    run(texts[: count // 10])
    before = _memory("VmRSS")
    child = os.fork()
    if child == 0:
        run(texts[: count // 10])
        say("memory", forked_private_mb=_private())
        os._exit(0)
    os.waitpid(child, 0)
    run(texts)
    say(
        "memory",
        loaded_mb=loaded,
        after=count // 10,
        mb=before,
        after_ten_times_mb=_memory("VmRSS"),
    )


def alone(section: str, count: int) -> None:
    """In a process that has loaded nothing else."""
    subprocess.run([sys.executable, __file__, section, str(count)], check=True)  # noqa: S603


def _memory(name: str, pid: int | str = "self") -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return (
        int(next(line.split()[1] for line in status.splitlines() if line.startswith(name))) // 1024
    )


def _private() -> int:
    lines = Path("/proc/self/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_")) // 1024


def sizes(folder: Path, rows: int) -> None:
    """Bytes of facts a row, and of the certificate."""
    prepared(folder, rows)
    plan = Plan.load(json.loads((folder / "plan.json").read_text()))
    Job([str(folder / "in")], folder / "out", plan, f"file:{folder / 'key'}", jobs=2).run()
    facts = sum(path.stat().st_size for path in (folder / "out/facts").iterdir())
    say("sizes", rows=rows, facts_bytes_a_row=round(facts / rows, 1),
        certificate_bytes=(folder / "out/certificate.json").stat().st_size)  # fmt: skip


def predicted(folder: Path, rows: int) -> None:
    """What --dry-run says of CPU seconds and time, beside what the job took. Of the time it can
    know only how busy the machine was meanwhile."""
    prepared(folder, rows)
    started("forecast", folder, folder / "told", 1000).wait()
    told = json.loads((folder / "told.json").read_text())
    seen = Watched(started("local", folder, folder / "out", 1000))
    took = json.loads((folder / "out.json").read_text())["seconds"]
    cpu = seen.driver + seen.workers
    say("forecast", rows=rows, predicted_cpu_seconds=round(told["CPU seconds"], 1),
        cpu_seconds=round(cpu, 1), ratio=round(told["CPU seconds"] / cpu, 2),
        predicted_seconds=round(told["seconds"], 1), seconds=took,
        load=os.getloadavg()[0])  # fmt: skip


def record(folder: Path, rows: int) -> None:
    """A large job from its start to its certificate."""
    prepared(folder, rows)
    out = folder / "out"
    seen = Watched(started("local", folder, out, 1000))
    told = json.loads(out.with_suffix(".json").read_text())
    facts = sum(path.stat().st_size for path in (out / "facts").iterdir())
    say("record", rows=rows, cpu_seconds=round(seen.workers + seen.driver, 1),
        driver_cpu_seconds=round(seen.driver, 1), peak_mb=seen.peak_mb,
        faults=len(faults(out, [str(folder / "in")])), facts_bytes_a_row=round(facts / rows, 1),
        certificate_bytes=(out / "certificate.json").stat().st_size, **told,
        load=os.getloadavg()[0])  # fmt: skip


COMPLAINTS = [
    *("fever", "cough", "headache", "rash", "nausea", "vertigo", "fatigue", "insomnia"),
    *("backache", "asthma", "anaemia", "migraine", "eczema", "gout", "sinusitis", "bronchitis"),
    *("tonsillitis", "arthritis", "diarrhoea", "palpitations"),
]
SEEN = 400
"""Releases of each text by the attacker's own hand, from which the channel is known."""
COLUMNS = 6
"""Columns that are attacked, each under a secret of its own."""


def frequency() -> None:
    """A column of 20 short texts whose frequencies an attacker knows exactly, under readable.

    By row, each row is guessed from its own last word, by Bayes; then all rows at once, as the most
    likely way to give every text to as many rows as have it. The second is what a column tells
    beyond its rows. By content the most common output is taken for the most common text.
    """
    texts = [f"Patient reports {name}." for name in COMPLAINTS]
    rows = [place for place in range(20) for _ in range(120 // (place + 1))]
    RANDOM.shuffle(rows)
    prior = np.bincount(rows) / len(rows)
    words = [_last_words(texts[place] for _ in range(SEEN)) for place in range(20)]
    one_row = whole = 0.0
    for number in range(COLUMNS):
        out = _last_words((texts[place] for place in rows), secret=SECRET + bytes([number]))
        scores = np.log(_likelihood(words, out))
        one_row += float(np.mean((scores + np.log(prior)).argmax(axis=1) == rows))
        slots = np.repeat(np.arange(20), np.bincount(rows))
        _, given = linear_sum_assignment(scores[:, slots], maximize=True)
        whole += float(np.mean(slots[given] == rows))
    say("frequency", noise="row", rows=len(rows), texts=20, columns=COLUMNS,
        most_common=round(float(prior.max()), 3), one_row=round(one_row / COLUMNS, 3),
        whole_column=round(whole / COLUMNS, 3))  # fmt: skip
    left = _left((texts[place] for place in rows), SECRET, noise="content", frequencies="accept")
    ranks = [texts.index(text) for text, _ in Counter(texts[place] for place in rows).most_common()]
    taken = {text: ranks[rank] for rank, (text, _) in enumerate(Counter(left).most_common())}
    right = np.mean([taken[text] == place for text, place in zip(left, rows, strict=True)])
    say("frequency", noise="content", rows=len(rows), texts=20, outputs=len(set(left)),
        attack=round(float(right), 3))  # fmt: skip


def _left(texts: Iterable[str], secret: bytes, **plan: str) -> list[str]:
    """What leaves of a column, under readable."""
    line = Rows(Plan.load(PLAN | {"policy": "readable"} | plan), secret)
    content = [{"id": n, "person": "p", "text": text} for n, text in enumerate(texts)]
    return [row["text"] for row in line(pa.RecordBatch.from_pylist(content)).batch.to_pylist()]


def _last_words(texts: Iterable[str], secret: bytes = b"the attacker's own secret") -> list[str]:
    return [text.split()[-1] for text in _left(texts, secret)]


def _likelihood(seen: list[list[str]], out: list[str]) -> Any:
    """Of each word under each text, from counts; what was not seen has its share overall."""
    counts = [Counter(words) for words in seen]
    overall = Counter(word for words in seen for word in words)
    total = sum(overall.values()) + len(out)
    return np.array([
        [count[word] + (overall[word] + 1) / total for count in counts] for word in out
    ])  # fmt: skip


def linked(people: int = 400) -> None:
    """Two rows of one person, and of two, told apart by their surrogates alone: without `same`."""
    plan = Plan.load(
        {
            "table": "t",
            "id": "id",
            "columns": {"id": "release", "name": {"as": "surrogate", "kind": "person"}},
        }
    )
    line = Rows(plan, SECRET)
    rows = [
        {"id": number, "name": f"Dana Whitfield{chr(97 + number // 2 % 26)}"}
        for number in range(2 * people)
    ]
    out = [row["name"] for row in line(pa.RecordBatch.from_pylist(rows)).batch.to_pylist()]

    def alike(first: str, second: str) -> float:
        return len(set(first.split()) & set(second.split()))

    same = [alike(out[2 * n], out[2 * n + 1]) for n in range(people)]
    other = [alike(out[2 * n], out[(2 * n + 3) % len(out)]) for n in range(people)]
    auc = sum((a > b) + (a == b) / 2 for a in same for b in other) / people**2
    say("persons", people=people, linkage_auc=round(auc, 3))


def main() -> None:
    if sys.argv[1:2] == ["memory-of-one"]:
        memory(int(sys.argv[2]))
        return
    if sys.argv[1:2] == ["watched"]:
        watched(sys.argv[2], *map(Path, sys.argv[3:]))
        return
    if sys.argv[1:2] == ["one"]:
        engine, folder, out, parts, jobs = sys.argv[2:]
        one(engine, Path(folder), Path(out), int(parts), int(jobs))
        return
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sections", nargs="*")
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--engines", default="local,spark,ray")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    if given.write:
        written(sys.stdin.read())
        return
    engines = given.engines.split(",")
    steps: dict[str, Callable[[Path], None]] = {
        "rate": lambda _: rate(max(50, given.rows // 50)),
        "memory": lambda _: alone("memory-of-one", max(500, given.rows // 5)),
        "frequency": lambda _: frequency(),
        "persons": lambda _: linked(),
        "sizes": lambda folder: sizes(folder, max(1000, given.rows // 10)),
        "forecast": lambda folder: predicted(folder, max(500, given.rows // 5)),
        "record": lambda folder: record(folder, given.rows),
        "workers": lambda folder: workers(folder, max(500, given.rows // 5)),
        "leaks": lambda folder: leaks(folder, engines, max(200, given.rows // 20)),
        "engines": lambda folder: compared(folder, engines, given.rows),
        "digest": lambda folder: digests(folder, engines, given.rows),
        "kills": lambda folder: kills(folder, engines, max(200, given.rows // 10), given.kills),
    }
    for name in given.sections or steps:
        with tempfile.TemporaryDirectory() as folder:
            steps[name](Path(folder))


if __name__ == "__main__":
    main()

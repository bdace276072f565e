"""A small job for tests: ten invented rows in a file, a plan, a secret."""

from __future__ import annotations

import json
from pathlib import Path

from privstamp.batch.job import Job
from privstamp.batch.plan import Plan

POLICY = {"sensitivity": {"name": "rules"}}
PLAN = {
    "table": "tickets",
    "id": "id",
    "person": "who",
    "columns": {"id": "release", "who": "drop", "body": "text", "status": "release"},
}
NAME = "Miriam Castellano"


def rows(count=10):
    return [
        {"id": number, "who": f"p{number % 3}", "status": ["open", {"a": 1}][number % 2],
         "body": f"Please write to m{number}@example.com or call +44 20 7946 09{number:02d}."}
        for number in range(count)
    ]  # fmt: skip


def write(path: Path, content) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in content), "utf-8")


def key(folder: Path, content: str = "ab" * 16) -> str:
    path = folder / "job.key"
    path.touch(mode=0o600)
    path.write_text(content)
    return f"file:{path}"


def plan(folder: Path, **more) -> Plan:
    (folder / "policy.toml").write_text('extends = "selective"\n[sensitivity]\nname = "rules"\n')
    return Plan.of(PLAN | {"policy": "policy.toml"} | more, folder)


def job(folder: Path, out="out", **more) -> Job:
    """The job of a folder, with its file in the folder `in`."""
    changed = more.pop("plan", {})
    return Job([str(folder / "in")], folder / out, plan(folder, **changed), key(folder), **more)


def inline(work, batches, _jobs, *, forked):
    """In the place of `spread`: no process."""
    answer = work()
    for batch in batches:
        yield batch, answer(batch)


def released(out: Path) -> list[dict]:
    parts = sorted((out / "parts").glob("*.jsonl"))
    return [json.loads(line) for part in parts for line in part.read_text("utf-8").splitlines()]

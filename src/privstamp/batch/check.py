"""How far a job is, and whether what lies there is what was recorded. Needs no secret."""

from __future__ import annotations

from hashlib import file_digest
from pathlib import Path
from typing import Any

from privstamp.batch import folder as files
from privstamp.batch.folder import Folder
from privstamp.batch.tables import sources
from privstamp.errors import UsageError


def _begun(out: Path) -> files.Manifest:
    manifest = Folder(out).manifest
    if manifest is None:
        raise UsageError(f"{out} holds no job: there is no {files.MANIFEST}")
    return manifest


def progress(out: Path) -> dict[str, Any]:
    """Rows and pieces, done and left."""
    manifest, done = _begun(out), Folder(out).done()
    return {
        "table": manifest.table,
        "begun": manifest.time,
        "finished": (out / files.CERTIFICATE).exists(),
        "rows": sum(source.rows for source in manifest.inputs.values()),
        "rows done": sum(record.rows for record in done.values()),
        "rows rejected": sum(len(record.rejected) for record in done.values()),
        "parts": len(done),
        "damaged files": sorted(manifest.damaged),
    }


def faults(out: Path, against: list[str]) -> list[str]:
    """What is not as it was recorded."""
    manifest, folder = _begun(out), Folder(out)
    done = folder.done()
    told: list[str] = []
    known = {files.MANIFEST, files.CERTIFICATE, files.REJECTED, files.AUDIT}
    reached: dict[str, list[tuple[int, int]]] = {}
    for name, record in done.items():
        reached.setdefault(record.source, []).append((record.first, record.rows))
        if record.released + len(record.rejected) != record.rows:
            told.append(f"{name}: rows released and rejected are not all of its rows")
        for place, digest in (
            (f"{files.PARTS}/{record.part}", record.digest),
            (f"{files.NUMBERS}/{name}.parquet", record.facts_digest),
        ):
            known |= {place, f"{files.RECORDS}/{name}.json"}
            if _digest(out / place) != digest:
                told.append(f"{place}: missing, or not as it was recorded")
    for source, facts in manifest.inputs.items():
        end = 0
        for first, rows in sorted(reached.get(source, [])):
            if first != end:
                told.append(
                    f"{source}: rows {min(end, first)} to {max(end, first)} lost or doubled"
                )
            end = first + rows
        if end != facts.rows and source not in manifest.damaged:
            told.append(f"{source}: {end} of {facts.rows} rows are done")
    told += [
        f"{path.relative_to(out)}: a file that the job did not make"
        for path in sorted(out.rglob("*"))
        if path.is_file() and path.relative_to(out).as_posix() not in known
    ]
    return told + (_changed(manifest, against) if against else [])


def _changed(manifest: files.Manifest, against: list[str]) -> list[str]:
    there = {source.name: source.digest() for source in sources(against)}
    known = {name: source.sha256 for name, source in manifest.inputs.items()}
    names = sorted({*there, *known})
    return [
        f"{name}: the input has changed, or is another one"
        for name in names
        if there.get(name) != known.get(name)
    ]


def _digest(path: Path) -> str:
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()

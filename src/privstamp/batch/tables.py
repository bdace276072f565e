"""PRIVATE. Files of rows: JSON lines, CSV, Parquet, Arrow; plain, gzip or zstd; read in pieces."""

from __future__ import annotations

import csv
import glob
import gzip
import io
import json
import os
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from hashlib import blake2b, file_digest
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeAlias, cast

import pyarrow as pa

from privstamp.batch.plan import Plan
from privstamp.errors import InputError, UsageError

PIECE: Final = 1_000
"""Rows of a piece, which makes one part."""
FORMATS: Final = {".jsonl": "jsonl", ".ndjson": "jsonl", ".csv": "csv", ".tsv": "tsv",
                  ".parquet": "parquet", ".arrow": "arrow"}  # fmt: skip
PACKED: Final = {".gz": "gzip", ".zst": "zstd"}
BESIDE: Final = frozenset({"dataset_info.json", "state.json", "dataset_dict.json"})
"""Files of a Hugging Face dataset folder that hold no rows."""
_LONGEST: Final = 64 << 20  # bytes of a line or of a CSV field


Cell: TypeAlias = str | int | None


@dataclass(frozen=True)
class Source:
    """A file of rows; `name` is what it is called in records: its path inside the folder."""

    path: Path
    name: str
    format: str
    packed: str = ""

    def part(self, first: int) -> str:
        """The name of a part depends on its piece alone."""
        digest = blake2b(self.name.encode(), digest_size=5).hexdigest()
        stem = re.sub(r"[^A-Za-z0-9-]+", "-", self.name.split("/")[-1].split(".")[0])[:40]
        return f"{stem}-{digest}-{first:010d}"

    def digest(self) -> str:
        with self.path.open("rb") as file:
            return file_digest(file, "sha256").hexdigest()


def sources(given: Iterable[str]) -> list[Source]:
    """Files, folders and patterns, in one order, each under a name of its own; what is no table is
    told."""
    found: dict[Path, Source] = {}
    odd: list[str] = []
    given = list(given)
    for name in given:
        matching = sorted(glob.glob(name, recursive=True))  # noqa: PTH207
        paths = [Path(name)] if Path(name).exists() else [Path(path) for path in matching]
        if not paths:
            odd.append(f"{name}: there is no such file or folder")
        for path in paths:
            inside = sorted(path.rglob("*")) if path.is_dir() else [path]
            root = path if path.is_dir() else path.parent
            for file in inside:
                hidden = any(part.startswith((".", "_")) for part in file.relative_to(root).parts)
                if not file.is_file() or hidden or file.name in BESIDE:
                    continue
                if (source := _source(file, root)) is None:
                    odd.append(f"{file}: none of {', '.join(FORMATS)}, plain, .gz or .zst")
                else:
                    found.setdefault(file.resolve(), source)
    if not found and not odd:
        odd.append(f"{', '.join(given)}: no table in it: none of {', '.join(FORMATS)}")
    if odd:
        raise UsageError("; ".join(odd))
    if len({source.name for source in found.values()}) < len(found):  # of several folders
        base = Path(os.path.commonpath([file.parent for file in found]))
        found = {
            file: replace(source, name=file.relative_to(base).as_posix())
            for file, source in found.items()
        }
    return sorted(found.values(), key=lambda source: source.name)


def _source(path: Path, root: Path) -> Source | None:
    packed = PACKED.get(path.suffix, "")
    kind = FORMATS.get(path.with_suffix("").suffix if packed else path.suffix)
    if kind is None or (packed and kind in ("parquet", "arrow")):
        return None
    return Source(path, path.relative_to(root).as_posix(), kind, packed)


@dataclass(repr=False)
class Piece:
    """PRIVATE. Rows of a source from `first` on. `good` are the numbers of the rows of `batch`,
    `bad` those that could not be read, with the reason."""

    source: Source
    first: int
    rows: int
    batch: pa.RecordBatch
    good: list[int]
    bad: dict[int, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"Piece(private, {self.rows} rows)"

    @property
    def name(self) -> str:
        return self.source.part(self.first)


class Damaged(InputError):
    """A file that cannot be read on."""


def columns(source: Source, plan: Plan) -> list[str]:
    """Names of a file's columns; of JSON lines, of all of them."""
    if source.format == "jsonl":
        names: dict[str, None] = {}
        for value in _objects(source):
            if isinstance(value, dict):
                names |= dict.fromkeys(value)
        missing = [name for name in plan.columns if name not in names]
        return [*names] if names else missing
    if source.format in ("csv", "tsv"):
        return next(_rows(source), [*plan.columns])  # a file without a byte has no rows
    return list(_guarded(source, lambda: _schema(source)).names)


def carried(source: Source, rows: int) -> set[str]:
    """Columns of JSON lines that cannot be read as text, by the first rows: lists, say."""
    objects = islice(_objects(source), rows) if source.format == "jsonl" else ()
    return {
        name
        for value in objects
        if isinstance(value, dict)
        for name, cell in value.items()
        if cell is not None and type(cell) not in (str, int)
    }


def pieces(source: Source, plan: Plan) -> Iterator[Piece]:
    """All rows, a piece at a time."""
    if source.format in ("parquet", "arrow"):
        first = 0
        for batch in _rebatched(_batches(source)):
            yield Piece(source, first, batch.num_rows, batch, list(range(batch.num_rows)))
            first += batch.num_rows
        return
    reader = _lines(source, plan) if source.format == "jsonl" else _cells(source, plan)
    first, good, bad = 0, list[dict[str, Cell]](), dict[int, str]()
    kept: list[int] = []
    for number, row in enumerate(reader):
        if isinstance(row, str):
            bad[number - first] = row
        else:
            kept.append(number - first)
            good.append(row)
        if number - first + 1 == PIECE:
            yield Piece(source, first, PIECE, table(good, plan), kept, bad)
            first, good, bad, kept = number + 1, [], {}, []
    if good or bad:
        yield Piece(source, first, len(good) + len(bad), table(good, plan), kept, bad)


def table(rows: list[dict[str, Cell]], plan: Plan) -> pa.RecordBatch:
    columns = [[row[name] for row in rows] for name in plan.columns]
    return pa.RecordBatch.from_arrays(list(map(_array, columns)), names=list(plan.columns))


def _array(cells: list[Cell]) -> pa.Array:
    """Numbers where all of them are some that fit, strings otherwise."""
    numbers = [cell for cell in cells if type(cell) is int]
    whole = len(numbers) == sum(cell is not None for cell in cells)
    if numbers and whole and max(map(abs, numbers)) < 1 << 63:
        return pa.array(cells, pa.int64())
    return pa.array([cell if cell is None else str(cell) for cell in cells], pa.string())


def _lines(source: Source, plan: Plan) -> Iterator[dict[str, Cell] | str]:
    """Rows of JSON lines; values that only pass are carried as JSON."""
    read = set(plan.read)
    for value in _objects(source):
        yield value if isinstance(value, str) else line(value, plan, read)


def line(value: dict[str, Any], plan: Plan, read: set[str]) -> dict[str, Cell] | str:
    """An object as a row, or what is wrong with it."""
    row: dict[str, Cell] = {}
    for name in plan.columns:
        cell = value.get(name)
        if name not in read:
            row[name] = json.dumps(cell, ensure_ascii=False)
        elif cell is None or (isinstance(cell, str) and _valid(cell)) or type(cell) is int:
            row[name] = cell
        else:
            return f"{name} is no text" if not isinstance(cell, str) else "not valid Unicode"
    return row


def _valid(text: str) -> bool:
    return text.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in text)


def parse(raw: bytes) -> dict[str, Any] | str:
    """A line of JSON, or what is wrong with it."""
    try:
        value = json.loads(raw.decode())
    except UnicodeDecodeError:
        return "not UTF-8"
    except (ValueError, RecursionError):
        return "not JSON"
    return value if isinstance(value, dict) else "not a JSON object"


def _objects(source: Source) -> Iterator[dict[str, Any] | str]:
    for raw in _raw_lines(source):
        if raw.strip():
            yield parse(raw)


def _cells(source: Source, plan: Plan) -> Iterator[dict[str, Cell] | str]:
    rows = _rows(source)
    header = next(rows, [])
    if len(set(header)) != len(header):
        raise Damaged(f"{source.name}: two columns have the same name")
    for row in rows:
        if len(row) != len(header):
            yield f"it has {len(row)} cells, and the header {len(header)}"
        elif not all(map(_valid, row)):
            yield "not UTF-8"
        else:
            cells: dict[str, Cell] = dict(zip(header, row, strict=True))
            yield {name: cells.get(name) for name in plan.columns}


def _rows(source: Source) -> Iterator[list[str]]:
    csv.field_size_limit(_LONGEST)
    text = (raw.decode("utf-8-sig" if not number else "utf-8", "surrogateescape")
            for number, raw in enumerate(_raw_lines(source)))  # fmt: skip
    # strict: a quote that is never closed would make one text of all rows behind it
    reader = csv.reader(text, delimiter="\t" if source.format == "tsv" else ",", strict=True)
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error:
            row = None
        if row is None:
            raise Damaged(f"{source.name}: not CSV from row {reader.line_num} on")
        if row:
            yield row


def _raw_lines(source: Source) -> Iterator[bytes]:
    with _opened(source) as file:
        while True:
            raw = _guarded(source, lambda: file.readline(_LONGEST))
            if not raw:
                return
            yield raw


def _opened(source: Source) -> AbstractContextManager[BinaryIO]:
    if source.packed == "gzip":
        return cast("AbstractContextManager[BinaryIO]", gzip.open(source.path, "rb"))
    if source.packed == "zstd":
        stream = pa.CompressedInputStream(pa.OSFile(str(source.path)), "zstd")
        return io.BufferedReader(stream)
    return source.path.open("rb")


def _schema(source: Source) -> pa.Schema:
    if source.format == "parquet":
        import pyarrow.parquet as parquet

        return parquet.read_schema(source.path)
    with _arrow(source) as reader:
        return reader.schema


def _arrow(source: Source) -> Any:
    """A stream, as datasets are kept, or a file."""
    try:
        return pa.ipc.open_stream(pa.memory_map(str(source.path)))
    except pa.ArrowInvalid:
        return pa.ipc.open_file(pa.memory_map(str(source.path)))


def _batches(source: Source) -> Iterator[pa.RecordBatch]:
    if source.format == "parquet":
        import pyarrow.parquet as parquet

        file = _guarded(source, lambda: parquet.ParquetFile(source.path))
        stream = iter(file.iter_batches(batch_size=PIECE))
    else:
        reader = _guarded(source, lambda: _arrow(source))
        count = getattr(reader, "num_record_batches", None)
        stream = iter(reader) if count is None else map(reader.get_batch, range(count))
    end = object()
    while (batch := _guarded(source, lambda: next(stream, end))) is not end:
        yield batch


def _rebatched(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The same rows, PIECE of them at a time."""
    held: list[pa.RecordBatch] = []
    count = 0
    for batch in batches:
        while batch.num_rows:
            taken = batch.slice(0, PIECE - count)
            held.append(taken)
            count += taken.num_rows
            batch = batch.slice(taken.num_rows)
            if count == PIECE:
                yield pa.concat_batches(held)
                held, count = [], 0
    if count:
        yield pa.concat_batches(held)


def _guarded(source: Source, step: Callable[[], Any]) -> Any:
    """Whatever a damaged file raises may quote it."""
    try:
        return step()
    except OSError as error:
        kind = error.strerror or "damaged"
    except (EOFError, ValueError, KeyError, zlib.error, pa.ArrowException) as error:
        kind = type(error).__name__
    raise Damaged(f"{source.name}: cannot be read: damaged, or not what its name says ({kind})")


def write(batch: pa.RecordBatch, plan: Plan, kind: str, file: BinaryIO) -> None:
    """The rows of a part, in the format that they came in."""
    if kind == "parquet":
        import pyarrow.parquet as parquet

        parquet.write_table(pa.Table.from_batches([batch]), file)
    elif kind == "arrow":
        with pa.ipc.new_stream(file, batch.schema) as stream:
            stream.write_batch(batch)
    elif kind == "jsonl":
        for row in json_rows(batch, plan):
            file.write(row)
    else:
        text = io.TextIOWrapper(file, "utf-8", newline="", write_through=True)
        writer = csv.writer(text, delimiter="\t" if kind == "tsv" else ",", lineterminator="\n")
        writer.writerow(batch.schema.names)
        columns = [column.to_pylist() for column in batch.columns]
        writer.writerows(zip(*columns, strict=True))
        text.detach()


def json_rows(batch: pa.RecordBatch, plan: Plan) -> Iterator[bytes]:
    """Rows as lines of JSON."""
    read = set(plan.read)
    columns = {name: batch.column(name).to_pylist() for name in batch.schema.names}
    for number in range(batch.num_rows):
        cells = (
            f"{json.dumps(name, ensure_ascii=False)}: "
            + (json.dumps(column[number], ensure_ascii=False) if name in read else column[number])
            for name, column in columns.items()
        )
        yield ("{" + ", ".join(cells) + "}\n").encode()

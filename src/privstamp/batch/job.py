"""Files in, parts out, on one machine: goes on where it was ended, and ends with a certificate."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from secrets import randbelow
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as parquet

from privstamp.batch import folder as files
from privstamp.batch import secret as secrets
from privstamp.batch.folder import Folder, Input, Manifest, PieceRecord
from privstamp.batch.plan import Plan
from privstamp.batch.record import JobRecord, rejected_lines
from privstamp.batch.survey import JobSurvey, surveyed
from privstamp.batch.tables import Piece, Source, pieces, sources, write
from privstamp.crew.processes import ENDED, spread
from privstamp.errors import PrivstampError, StageFailed, UsageError

PACKAGES: Final = ("privstamp", "numpy", "pyarrow", "spacy", "presidio-analyzer")
TRIES: Final = 3
"""How often pieces whose process was ended are begun again without any getting done."""
Watch = Callable[[str, int], None]
Charge = Callable[[bytes, Mapping[str, float]], None]


def silent(_label: str, _rows: int) -> None:
    """Nobody is waiting."""


@dataclass(frozen=True, repr=False)
class Share:
    """PRIVATE. A piece on its way to a process."""

    piece: str
    source: str
    format: str
    first: int
    rows: int
    content: bytes
    good: list[int]
    bad: dict[int, str]
    doubled: list[int]  # rows of the batch whose id stands in an earlier row with other content

    @classmethod
    def of(cls, piece: Piece, doubled: set[int]) -> Share:
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, piece.batch.schema) as stream:
            stream.write_batch(piece.batch)
        source, good = piece.source, piece.good
        return cls(
            piece.name,
            source.name,
            source.format,
            piece.first,
            piece.rows,
            sink.getvalue().to_pybytes(),
            good,
            piece.bad,
            [place for place, row in enumerate(good) if piece.first + row in doubled],
        )


@dataclass(frozen=True, repr=False)
class Work:
    """PRIVATE. What a process of the crew is told; goes through its pipe."""

    plan: Plan
    secret: bytes
    time: str

    def __call__(self) -> Callable[[Share], PieceAnswer]:
        from privstamp.batch.rows import Rows

        pa.set_cpu_count(1)
        rows = Rows(self.plan, self.secret).warmed()
        prints = blake2b(repr(sorted(rows.fingerprints().items())).encode(), digest_size=16)
        return partial(_answered, rows, prints.hexdigest(), self.time)


@dataclass(frozen=True, repr=False)
class PieceAnswer:
    part: bytes
    facts: bytes
    record: PieceRecord


def _answered(rows: Any, prints: str, time: str, share: Share) -> PieceAnswer:
    outcome = rows(pa.ipc.open_stream(share.content).read_next_batch(), share.doubled)
    part, facts = io.BytesIO(), io.BytesIO()
    write(outcome.batch, rows.plan, share.format, part)
    parquet.write_table(outcome.facts.table(), facts, compression="zstd")
    rejected = [(row, "", "input", reason) for row, reason in share.bad.items()]
    rejected += [(share.good[place], *told) for place, *told in outcome.rejected]
    record = PieceRecord(
        part=f"{share.piece}.{share.format}",
        source=share.source,
        first=share.first,
        rows=share.rows,
        released=len(outcome.kept),
        rejected=sorted(rejected),
        nulls=dict(outcome.facts.nulls),
        empty=dict(outcome.facts.empty),
        digest=files.digest(part.getvalue()),
        facts_digest=files.digest(facts.getvalue()),
        fingerprints=prints,
        columns={name: total.kept(time) for name, total in outcome.facts.sums().items()},
    )
    return PieceAnswer(part.getvalue(), facts.getvalue(), record)


@dataclass(frozen=True)
class JobOutcome:
    """How a job ended."""

    rows: int
    released: int
    rejected: int
    damaged: dict[str, str]
    pieces: int


@dataclass(repr=False)
class Job:
    """A job on one machine."""

    inputs: list[str]
    out: Path
    plan: Plan
    secret: str | None = None
    jobs: int = 1
    max_rejected: float = 0.01
    charge: Charge | None = None
    watch: Watch = silent
    survey: JobSurvey = field(init=False)

    def __post_init__(self) -> None:
        if self.jobs < 1:
            raise UsageError("jobs is a number of processes: 1, 2, ...")

    def prepared(self, *, sample: int = 0) -> list[Source]:
        """Refuse, before the first row, whatever can be seen by then."""
        given = sources(self.inputs)
        place = self.out.resolve()
        for source in given:
            if place == source.path.resolve().parent or place in source.path.resolve().parents:
                raise UsageError(f"{self.out} holds the input {source.name}: choose another --out")
        for name in self.inputs:
            if Path(name).is_dir() and Path(name).resolve() in (place, *place.parents):
                raise UsageError(f"{self.out} lies inside the input {name}: choose another --out")
        self.survey = surveyed(given, self.plan, self.watch, sample=sample)
        if not any(self.survey.rows.values()):
            damaged = "; ".join(self.survey.damaged.values())
            kind = PrivstampError if damaged else UsageError
            raise kind(damaged or "there is no row in it: nothing to release")
        return given

    def run(self) -> JobOutcome:
        secret = secrets.read(self.secret or self.plan.secret)
        target = Folder(self.out)
        begun = target.manifest
        given = self.prepared()
        manifest = self._manifest(given, secret)
        if begun is not None:
            _check_same(begun, manifest)
        with target.held():
            done = target.done()
            self._work(given, target, begun or manifest, secret, done)
            return self._finish(target, done, begun or manifest)

    def _manifest(self, given: list[Source], secret: bytes) -> Manifest:
        """All of it but what the processes tell."""
        inputs = {
            source.name: Input(sha256=source.digest(), rows=self.survey.rows.get(source.name, 0))
            for source in given
        }
        return Manifest(
            time=datetime.now(UTC).replace(microsecond=0).isoformat(),
            table=self.plan.table,
            plan=self.plan.fingerprints(),
            secret=secrets.check_value(secret),
            packages={name: _version(name) for name in PACKAGES},
            inputs=inputs,
            damaged=self.survey.damaged,
        )

    def _work(
        self,
        given: list[Source],
        target: Folder,
        manifest: Manifest,
        secret: bytes,
        done: dict[str, PieceRecord],
    ) -> None:
        work = Work(self.plan, secret, manifest.time)
        rejected = sum(len(record.rejected) for record in done.values())
        self._check_rejected(rejected, target, done)  # of an earlier run
        vain = 0
        while vain < TRIES:
            before = len(done)
            left = (share for share in self._shares(given) if share.piece not in done)
            lost: PrivstampError | None = None
            with closing(spread(work, left, self.jobs, forked=True)) as answers:
                for share, answer in answers:
                    if isinstance(answer, PrivstampError):
                        lost = answer
                        if str(answer) != ENDED:
                            raise answer
                        continue
                    if not manifest.fingerprints:
                        prints = answer.record.fingerprints
                        manifest = manifest.model_copy(update={"fingerprints": prints})
                        target.begin(manifest)
                    if manifest.fingerprints != answer.record.fingerprints:
                        raise UsageError(DIFFERS.format(names="models or word lists"))
                    self._commit(target, share, answer)
                    done[share.piece] = answer.record
                    self.watch(share.source, share.rows)
                    rejected += len(answer.record.rejected)
                    self._check_rejected(rejected, target, done)
            if lost is None:
                return
            vain = vain + 1 if len(done) == before else 0
        raise StageFailed(f"pieces were lost {TRIES} times: {lost}. Run it again: it goes on")

    def sampled(self, count: int) -> dict[str, list[str]]:
        """PRIVATE. Texts of random rows, each as likely, by the policy that they are under."""
        chosen: dict[str, list[str]] = {}
        seen: Counter[str] = Counter()
        for source in sources(self.inputs):
            if source.name in self.survey.damaged:
                continue
            for piece in pieces(source, self.plan):
                for name in self.plan.texts:
                    policy = self.plan.policy_of(name)
                    texts = chosen.setdefault(policy, [])
                    for text in filter(None, piece.batch.column(name).to_pylist()):
                        seen[policy] += 1
                        place = randbelow(seen[policy])
                        if len(texts) < count:
                            texts.append(text)
                        elif place < count:
                            texts[place] = text
        return chosen

    def _shares(self, given: list[Source]) -> Iterator[Share]:
        for source in given:
            if source.name in self.survey.damaged:
                continue
            doubled = set(self.survey.doubled.get(source.name, ()))
            for piece in pieces(source, self.plan):
                yield Share.of(piece, doubled)

    def _commit(self, target: Folder, share: Share, answer: PieceAnswer) -> None:
        """Numbers and record first, then the charge, and the part last: it is what has left."""
        target.put(f"{files.NUMBERS}/{share.piece}.parquet", answer.facts)
        record = files.as_json(answer.record.model_dump())
        target.put(f"{files.RECORDS}/{share.piece}.json", record)
        if self.charge is not None:
            table = parquet.read_table(io.BytesIO(answer.facts))
            amounts = {name: sum(table.column(name).to_pylist()) for name in CHARGED}
            self.charge(blake2b(record, digest_size=16).digest(), amounts)
        target.put(f"{files.PARTS}/{answer.record.part}", answer.part)

    def _reject(self, target: Folder, done: Mapping[str, PieceRecord]) -> None:
        lines = rejected_lines(done[name] for name in sorted(done))
        content = b"".join(files.as_json(line, indent=None) for line in lines)
        target.put(files.REJECTED, content, new=False)

    def _check_rejected(
        self, rejected: int, target: Folder, done: Mapping[str, PieceRecord]
    ) -> None:
        total = sum(self.survey.rows.values())
        if rejected > self.max_rejected * total:
            self._reject(target, done)
            raise PrivstampError(
                f"{rejected} of {total} rows were rejected, more than --max-rejected "
                f"{self.max_rejected:g}: stopped. Reasons: {self.out / files.REJECTED}"
            )

    def _finish(
        self, target: Folder, done: dict[str, PieceRecord], manifest: Manifest
    ) -> JobOutcome:
        total = JobRecord(self.plan)
        for name in sorted(done):
            total.add(done[name], target.numbers(name, done[name]))
        self._reject(target, done)
        rows = sum(self.survey.rows.values())
        if (known := sum(record.rows for record in done.values())) != rows:
            raise StageFailed(f"{known} of {rows} rows are done. Try: privstamp batch verify")
        # a name of a file may be somebody's: the certificate, which may be shown, counts them
        extra = {"packages": manifest.packages, "damaged_files": len(manifest.damaged)}
        target.put_json(files.CERTIFICATE, total.to_dict(manifest.time, extra))
        return JobOutcome(
            rows=rows,
            released=sum(record.released for record in done.values()),
            rejected=sum(len(record.rejected) for record in done.values()),
            damaged=self.survey.damaged,
            pieces=len(done),
        )


CHARGED: Final = ("draws", "unprotected", "nats")
DIFFERS: Final = (
    "this job was begun with other {names}. Going on would mix two releases: restore what it was, "
    "or begin anew with another --out, which is a second release"
)


def _check_same(manifest: Manifest, facts: Manifest) -> None:
    """Refuse to go on with anything that would make another release, and name it."""
    planned, plan = manifest.plan, facts.plan
    names = sorted({*planned, *plan})
    differing = [name for name in names if planned.get(name) != plan.get(name)]
    differing += ["secret"] if manifest.secret != facts.secret else []
    for name, known in manifest.packages.items():
        if facts.packages.get(name) != known:
            differing.append(f"{name} ({known}, here {facts.packages.get(name)})")
    before, now = manifest.inputs, facts.inputs
    names = sorted({*before, *now})
    differing += [f"input {name}" for name in names if before.get(name) != now.get(name)]
    if differing:
        raise UsageError(DIFFERS.format(names=", ".join(differing)))


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "none"

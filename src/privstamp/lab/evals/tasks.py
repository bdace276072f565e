"""Tasks by name, or by a TOML file that describes the user's own data."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from privstamp.errors import InputError, UnknownName, UsageError, suggest
from privstamp.lab.evals import fantasy
from privstamp.lab.evals.contracts import Example, Kind, Span, Task, in_share
from privstamp.lab.evals.datasets import content, csv_rows, labelled, squad

Cells = Mapping[str, Any]


class Columns(BaseModel):
    """What each column of the data is called; only the text must be there."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    text: str = "text"
    task: str | None = None
    label: str = "label"
    answers: str = "answers"
    spans: str | None = None
    task_spans: str | None = None
    id: str | None = None
    cluster: str | None = None


class Description(BaseModel):
    """The whole of a task's TOML file."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    kind: Kind
    data: str
    name: str | None = None
    training: str | Annotated[float, Field(gt=0, lt=1)] | None = None
    """A file like the data, or the share of the data's clusters to train on and not evaluate."""
    task: str | None = None
    labels: tuple[str, ...] = ()
    columns: Columns = Columns()


def own_task(path: Path) -> Task:
    """The task that a TOML file describes; files are looked for beside it."""
    described = _described(path)
    examples = _examples(described, path.parent / described.data, described.labels)
    labels: tuple[str, ...] = ()
    training: Callable[[], list[Example]] = list
    if described.kind == "classification":
        labels = described.labels or tuple(sorted({example.label for example in examples}))
        training, examples = _taught(described, path.parent, examples, labels)
    return Task(
        described.name or path.stem, described.kind, examples, labels=labels, training=training
    )


def _taught(
    described: Description, folder: Path, examples: list[Example], labels: tuple[str, ...]
) -> tuple[Callable[[], list[Example]], list[Example]]:
    """How to get training examples, and which of the data are left to evaluate."""
    wanted = described.training
    if wanted is None:
        return list, examples
    if isinstance(wanted, str):
        return lambda: _examples(described, folder / wanted, labels, "train-"), examples
    taken = [example for example in examples if in_share(example.cluster, wanted)]
    return lambda: taken, [example for example in examples if not in_share(example.cluster, wanted)]


def _described(path: Path) -> Description:
    try:
        described = Description.model_validate(tomllib.loads(content(path)))
    except tomllib.TOMLDecodeError as error:
        faults = [f"not TOML: {error}"]
    except ValidationError as error:
        faults = [f"{'.'.join(map(str, error['loc']))}: {error['msg']}" for error in error.errors()]
    else:
        faults = []
        if (described.task is None) == (described.columns.task is None):
            faults = ["give either task, one for all texts, or columns.task, a column of them"]
        elif described.kind == "qa" and (described.training is not None or described.labels):
            faults = ["training and labels: only a classification has them"]
        if not faults:
            return described
    raise UsageError(f"{path.name}: " + "; ".join(faults))


def _examples(
    described: Description, path: Path, labels: tuple[str, ...], prefix: str = ""
) -> list[Example]:
    """Every row as an example. Equal texts are one cluster unless a column says otherwise."""
    examples = []
    firsts: dict[str, str] = {}
    for line, cells in _rows(path):
        try:
            example = _example(described, cells, f"{prefix}{line}", firsts)
            if labels and example.label not in labels:
                column = described.columns.label
                raise _Wrong(f'column "{column}" is another label; name it under labels')
            examples.append(example)
            continue
        except _Wrong as wrong:
            fault = str(wrong)
        raise InputError(f"{path.name}, line {line}: {fault}")
    if not examples:
        raise InputError(f"{path.name}: there is not one row")
    return examples


class _Wrong(Exception):
    """A fault of one row, by the name of its column; never what stands there."""


def _example(described: Description, cells: Cells, line: str, firsts: dict[str, str]) -> Example:
    names = described.columns
    text = _text(cells, names.text)
    task = described.task if names.task is None else _text(cells, names.task)
    assert task is not None
    id_ = line if names.id is None else _text(cells, names.id)
    cluster = firsts.setdefault(text, id_) if names.cluster is None else _text(cells, names.cluster)
    asks = described.kind == "qa"
    answers = _answers(cells, names.answers) if asks else ()
    label = "" if asks else _text(cells, names.label)
    spans = None if names.spans is None else _spans(cells, names.spans, text)
    asked = () if names.task_spans is None else _spans(cells, names.task_spans, task)
    return Example(id_, cluster, text, task, answers, label, spans, asked)


def _cell(cells: Cells, name: str) -> Any:
    if name not in cells:
        raise _Wrong(f'there is no column "{name}". Name the right one under [columns]')
    return cells[name]


def _text(cells: Cells, name: str) -> str:
    cell = _cell(cells, name)
    if isinstance(cell, int | float) and not isinstance(cell, bool):
        cell = str(cell)
    if not isinstance(cell, str) or not cell.strip():
        raise _Wrong(f'column "{name}" is empty or not text')
    return cell


def _answers(cells: Cells, name: str) -> tuple[str, ...]:
    """One answer, or a list of those that count; in CSV the list is written as JSON."""
    cell = _listed(_cell(cells, name))
    answers = cell if isinstance(cell, list) else [cell]
    if not answers or not all(
        isinstance(answer, str | int | float) and str(answer) for answer in answers
    ):
        raise _Wrong(f'column "{name}" is no answer and no list of answers')
    return tuple(map(str, answers))


def _spans(cells: Cells, name: str, text: str) -> tuple[Span, ...]:
    """[start, end, kind] each, by characters of the text."""
    cell = _listed(_cell(cells, name)) or []
    spans = []
    for marked in cell if isinstance(cell, list) else [None]:
        match marked:
            case [int(start), int(end), str(kind)] if 0 <= start < end <= len(text) and kind:
                spans.append(Span(start, end, kind))
            case _:
                raise _Wrong(f'column "{name}" is no list of [start, end, "KIND"] in the text')
    return tuple(sorted(spans, key=lambda span: span.start))


def _listed(cell: Any) -> Any:
    if isinstance(cell, str) and cell.lstrip().startswith("["):
        try:
            return json.loads(cell)
        except ValueError:
            return cell
    return cell


def _rows(path: Path) -> list[tuple[int, Cells]]:
    """Rows with their line numbers, by the ending of the name: .csv or .jsonl, also .gz."""
    kind = path.name.removesuffix(".gz").rpartition(".")[2]
    if kind == "csv":
        rows = csv_rows(content(path))
        if not rows:
            return []
        (_, names), *rest = rows
        if len(set(names)) < len(names):
            raise InputError(f"{path.name}: two columns have one name. Give each its own")
        for line, row in rest:
            if len(row) != len(names):
                raise InputError(
                    f"{path.name}, line {line}: {len(row)} cells under {len(names)} names. "
                    "Quote cells that hold commas"
                )
        return [(line, dict(zip(names, row, strict=True))) for line, row in rest]
    if kind == "jsonl":
        lines = enumerate(content(path).split("\n"), start=1)
        return [(line, _object(path, line, text)) for line, text in lines if text.strip()]
    raise InputError(f"{path.name}: data is a .csv or a .jsonl file, or one of them as .gz")


def _object(path: Path, line: int, text: str) -> Cells:
    try:
        cells = json.loads(text)
    except ValueError:
        cells = None
    if isinstance(cells, dict):
        return cells
    raise InputError(f"{path.name}, line {line}: not a JSON object")


NAMES: Final = ("fantasy", "squad", "ag_news", "yelp")


def load_task(name: str) -> Task:
    """A name, `NAME@REVISION` for another revision at the hub, a TOML file, or made passages.

    Made passages are a JSONL file in the format of the shipped ones (docs/lab/fantasy.md).
    """
    known, _, revision = name.partition("@")
    if known == "fantasy" and not revision:
        return Task("fantasy", "qa", _questions(fantasy.load()))
    if known == "squad":
        return squad(revision or None)
    if known in NAMES and known != "fantasy":
        return labelled(known, revision or None)
    path = Path(name).expanduser()
    if path.suffix == ".toml":
        return own_task(path)
    if path.suffix == ".jsonl":
        passages = fantasy.parse(content(path).split("\n"), path.name)
        return Task(path.stem, "qa", _questions(passages))
    raise UnknownName(
        f'no task "{name}".{suggest(name, NAMES)}; or a TOML file that describes your own data'
    )


def _questions(passages: tuple[fantasy.Passage, ...]) -> Iterator[Example]:
    """Each passage is a cluster of its questions, with the spans that were marked."""
    for passage in passages:
        for number, asked in enumerate(passage.questions, start=1):
            yield Example(
                f"{passage.id}/{number}",
                passage.id,
                passage.text,
                asked.question,
                asked.answers,
                spans=passage.spans,
                task_spans=fantasy.mark(asked.question, passage.sensitive),
            )

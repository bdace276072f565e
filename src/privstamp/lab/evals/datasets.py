"""Public data, from a folder of the user's or the hub at a fixed revision.

SQuAD 1.1: questions on paragraphs of an encyclopedia, answered by words of the paragraph. AG News
and Yelp reviews: one label for a text.
"""

from __future__ import annotations

import csv
import gzip
import html
import io
import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from privstamp.errors import AssetError, InputError
from privstamp.lab.evals.contracts import Example, Task, first_hashed

VARIABLE: Final = "PRIVSTAMP_DATA"
"""Names a folder with the files; what is not in it comes from the hub."""


@dataclass(frozen=True)
class DatasetSource:
    """A file by the beginning and the end of its name in the folder, and its place at the hub."""

    prefixes: tuple[str, ...]
    suffix: str
    hub: str
    file: str
    revision: str

    def local(self) -> Path | None:
        """The one file of that name in the folder, packed or not."""
        folder = os.environ.get(VARIABLE)
        if not folder:
            return None
        if not Path(folder).expanduser().is_dir():
            raise AssetError(f"{VARIABLE} names no folder: set it to the one with the files")
        files = sorted(
            path
            for prefix in self.prefixes
            for end in (self.suffix, f"{self.suffix}.gz")
            for path in Path(folder).expanduser().glob(f"{prefix}*{end}")
        )
        if len(files) > 1:
            names = ", ".join(path.name for path in files)
            raise AssetError(f"{VARIABLE} holds {names}: keep the one that is meant")
        return files[0] if files else None

    def find(self, revision: str | None = None) -> Path:
        """The file here, or fetched; a revision that is asked for can only come from the hub."""
        here = None if revision else self.local()
        return here or self._fetch(revision or self.revision)

    def _fetch(self, revision: str) -> Path:
        try:
            library: Any = import_module("huggingface_hub")
            return Path(
                library.hf_hub_download(self.hub, self.file, repo_type="dataset", revision=revision)
            )
        except ImportError:
            trouble = 'the hub needs: pip install "privstamp[hub]"'
        except Exception as error:
            trouble = f"the hub did not give it ({type(error).__name__})"
        names = " or ".join(f"{prefix}*{self.suffix}[.gz]" for prefix in self.prefixes)
        raise AssetError(
            f"{self.hub} is not at hand: {trouble}. Two ways: put {names} into a folder and set "
            f"{VARIABLE} to it; or let {self.file} be fetched from {self.hub}@{revision[:12]}"
        )


def is_parquet(path: Path) -> bool:
    return path.suffix == ".parquet"


def columns(path: Path, names: Sequence[str]) -> list[list[Any]]:
    """Columns of a parquet file, as lists."""
    from pyarrow import parquet

    try:
        table = parquet.read_table(path, columns=list(names))
        return [table.column(name).to_pylist() for name in names]
    except (OSError, ValueError, KeyError) as error:
        trouble = type(error).__name__
    wanted = ", ".join(names)
    raise InputError(f"{path.name} is no parquet file with the columns {wanted} ({trouble})")


def content(path: Path) -> str:
    """The text of a file, unpacked where it is packed."""
    try:
        data = path.read_bytes()
        if path.suffix == ".gz":
            data = gzip.decompress(data)
        return data.decode("utf-8-sig")
    except (OSError, EOFError) as error:
        trouble = f"cannot be read ({type(error).__name__})"
    except UnicodeDecodeError:
        trouble = "is not UTF-8 text: save it as UTF-8"
    raise InputError(f"{path.name} {trouble}")


def csv_rows(text: str) -> list[tuple[int, list[str]]]:
    """Rows of a CSV file with the line where each ends; empty ones are left out."""
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))  # a cell may be a whole book
    reader = csv.reader(io.StringIO(text, newline=""))
    return [(reader.line_num, row) for row in reader if row]


QUESTIONS: Final = 5
"""Of a paragraph, at most: more of them would say little more, and paragraphs differ."""
SOURCE: Final = DatasetSource(
    ("squad-dev",),
    ".json",
    "rajpurkar/squad",
    "plain_text/validation-00000-of-00001.parquet",
    "7b6d24c440a36b6815f21b70d25016731768db1f",
)


def squad(revision: str | None = None) -> Task:
    """The development set; a cluster is a paragraph, with the first questions of its order."""
    path = SOURCE.find(revision)
    every = Task("squad", "qa", _hub(path) if is_parquet(path) else _file(path)).examples()
    taken: dict[str, int] = {}
    chosen = []
    for example in every:
        taken[example.cluster] = taken.get(example.cluster, 0) + 1
        if taken[example.cluster] <= QUESTIONS:
            chosen.append(example)
    return Task("squad", "qa", chosen)


def _file(path: Path) -> list[Example]:
    """The JSON of the original publication."""
    try:
        return list(_articles(json.loads(content(path))["data"]))
    except (ValueError, KeyError, TypeError, AttributeError):
        pass
    raise InputError(f"{path.name} is not SQuAD's JSON: data, paragraphs, qas, answers")


def _articles(articles: list[dict[str, Any]]) -> Iterator[Example]:
    paragraphs = (paragraph for article in articles for paragraph in article["paragraphs"])
    for paragraph in paragraphs:
        asked = paragraph["qas"]
        cluster = min(str(question["id"]) for question in asked) if asked else ""
        for question in asked:
            answers = [answer["text"] for answer in question["answers"]]
            yield _example(
                question["id"], cluster, paragraph["context"], question["question"], answers
            )


def _hub(path: Path) -> list[Example]:
    rows = list(zip(*columns(path, ("id", "context", "question", "answers")), strict=True))
    smallest: dict[str, str] = {}
    for id_, context, _, _ in rows:
        smallest[context] = min(smallest.get(context, id_), id_)
    return [
        _example(id_, smallest[context], context, question, answers["text"])
        for id_, context, question, answers in rows
    ]


def _example(
    id_: object, cluster: str, context: object, question: object, answers: list[object]
) -> Example:
    known = tuple(dict.fromkeys(str(answer).strip() for answer in answers))
    return Example(str(id_), cluster, str(context), str(question).strip(), known)


TAUGHT: Final = 15_000
"""Training texts at most: enough for the classifiers here, and quick."""


@dataclass(frozen=True)
class Published:
    """One of the two sets: what is asked, and how its files say it."""

    name: str
    task: str
    labels: tuple[str, ...]
    clean: Callable[[str], str]
    asked: DatasetSource
    taught: DatasetSource


def labelled(name: str, revision: str | None = None) -> Task:
    """The task of that name, `ag_news` or `yelp`."""
    known = SETS[name]
    path = known.asked.find(revision)
    return Task(
        name,
        "classification",
        _read(known, path, "test", None),
        labels=known.labels,
        training=lambda: _read(known, known.taught.find(revision), "train", TAUGHT),
    )


def _read(known: Published, path: Path, split: str, limit: int | None) -> list[Example]:
    """Examples of a file; an id is the row, which is the same here and at the hub."""
    if is_parquet(path):
        labels, texts = columns(path, ("label", "text"))
        rows = [(int(label), [str(text)]) for label, text in zip(labels, texts, strict=True)]
    else:
        rows = _csv(path)
    chosen = range(len(rows)) if limit is None else first_hashed(len(rows), limit)
    examples = []
    for number in chosen:
        place, cells = rows[number]
        if not 0 <= place < len(known.labels):
            raise InputError(
                f"{path.name}, row {number + 1}: the label is outside 1 to {len(known.labels)}"
            )
        id_ = f"{known.name}-{split}-{number}"
        text = known.clean(" ".join(cells))
        examples.append(Example(id_, id_, text, known.task, label=known.labels[place]))
    return examples


def _csv(path: Path) -> list[tuple[int, list[str]]]:
    """Label from 1, then the cells of the text; a first line of names is skipped."""
    rows = csv_rows(content(path))
    lines = []
    for line, row in rows[1:] if rows and not rows[0][1][0].isdecimal() else rows:
        if len(row) < 2 or not row[0].isdecimal():
            raise InputError(f"{path.name}, line {line}: a label from 1 and a text are expected")
        lines.append((int(row[0]) - 1, row[1:]))
    return lines


def clean_news(text: str) -> str:
    """Entities that lost their ampersand, tags, and backslashes for line ends, as they were."""
    text = re.sub(r"(?:&| )(#\d{2,5}|quot|amp|lt|gt|nbsp|hellip);", r"&\1;", text)
    text = re.sub(r"</?\w[^<>]*>", " ", html.unescape(html.unescape(text)))
    return re.sub(r"\s+", " ", text.replace("\\", " ")).strip()


def clean_review(text: str) -> str:
    """Line ends, quotes and characters that were written as escapes."""
    text = text.replace("\\n", "\n").replace('\\"\\"', '"').replace('\\"', '"')
    text = re.sub(r"\\u([0-9a-fA-F]{4})", lambda match: chr(int(match[1], 16)), text)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").strip()


_NEWS: Final = "fancyzhx/ag_news", "data", "eb185aade064a813bc0b7f42de02595523103ca4"
_YELP: Final = (
    "Yelp/yelp_review_full", "yelp_review_full", "c1f9ee939b7d05667af864ee1cb066393154bf85",
)  # fmt: skip


def _csv_or_hub(hub: tuple[str, str, str], split: str, *prefixes: str) -> DatasetSource:
    name, folder, revision = hub
    file = f"{folder}/{split}-00000-of-00001.parquet"
    return DatasetSource(prefixes, ".csv", name, file, revision)


SETS: Final = {
    "ag_news": Published(
        "ag_news",
        "Is this news about world affairs, sports, business or technology?",
        ("World", "Sports", "Business", "Sci/Tech"),
        clean_news,
        _csv_or_hub(_NEWS, "test", "ag_news_test"),
        _csv_or_hub(_NEWS, "train", "ag_news_train"),
    ),
    "yelp": Published(
        "yelp",
        "How many stars does the reviewer give?",
        ("1", "2", "3", "4", "5"),
        clean_review,
        _csv_or_hub(_YELP, "test", "yelp_test", "yelp_balanced"),
        _csv_or_hub(_YELP, "train", "yelp_train"),
    ),
}

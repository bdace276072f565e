"""Several detectors as one."""

import re
from collections.abc import Sequence
from functools import wraps

import pytest
from documents import as_units, said

from privstamp.errors import Incompatible, PolicyError, UnknownName
from privstamp.policy import Policy
from privstamp.registry import SENSITIVITY
from privstamp.sensitivity import tongue, union
from privstamp.sensitivity.rules import Rules
from privstamp.sensitivity.union import Union
from privstamp.types import Finding, Scope, Units


class Toy:
    """Finds one word, by its letters alone."""

    def __init__(self, name: str, word: str, kind: str, score: float = 0.9) -> None:
        self.name, self._word, self._kind, self._score = name, word, kind, score
        self.scope = Scope.unit_type("its letters")
        self.fingerprint = repr((name, word, kind))

    def find(self, batch: Sequence[Units]) -> list[list[Finding]]:
        return [
            [
                Finding(match.start(), match.end(), self._kind, self._score, self.name, "word")
                for match in re.finditer(self._word, units.text)
            ]
            for units in batch
        ]


@pytest.fixture
def toys(monkeypatch):
    made = {
        "whole": Toy("whole", "Mara Quill", "PERSON"),
        "half": Toy("half", "Quill|May", "PERSON", 0.5),
        "place": Toy("place", "Quill Street", "LOCATION", 0.3),
    }

    class Table:
        def load(self, name):
            return lambda: made[name]

        def build(self, name, options):
            assert not options
            return made[name]

        def provider(self, name):
            return "toys 1"

    for module in (union, tongue):
        monkeypatch.setattr(module, "SENSITIVITY", Table())


def found(part: Union, text: str) -> list[Finding]:
    return part.find([as_units(text)])[0]


TEXT = "Mara Quill left in May"


def test_union_takes_what_any_finds_and_keeps_all_reasons(toys):
    one, two = found(Union(parts=["whole", "half"]), TEXT)
    assert (one.start, one.end, one.source, one.rule) == (0, 10, "whole + half", "word")
    assert (TEXT[two.start : two.end], two.source, two.score) == ("May", "half", 0.5)


def test_a_vote_takes_whole_spans_that_enough_have_a_part_in(toys):
    (one,) = found(Union(parts=["whole", "half"], mode="vote"), TEXT)
    assert (one.start, one.end) == (0, 10)
    assert found(Union(parts=["whole", "half", "place"], mode="vote", votes=3), TEXT) == []


def test_thresholds(toys):
    assert found(Union(parts=["place"]), "Quill Street") == []
    low = Union(parts=["place"], thresholds={"LOCATION": 0.2})
    assert [one.kind for one in found(low, "Quill Street")] == ["LOCATION"]
    assert found(Union(parts=["half"], threshold=0.6), TEXT) == []
    assert len(found(Union(parts=["half"], threshold=0.6, thresholds={"PERSON": 0}), TEXT)) == 2


def test_context_words(toys):
    part = Union(parts=["place"], context={"LOCATION": ["lives"]})
    assert found(part, "Quill Street") == []
    (one,) = found(part, "lives in Quill Street")
    assert one.rule == "word, in context" and one.score == pytest.approx(0.65)


def test_consistency_is_a_choice(toys):
    text = "Mara Quill. MARA's"
    assert [text[f.start : f.end] for f in found(Union(parts=["whole"]), text)] == [
        "Mara Quill",
        "MARA",
    ]
    assert len(found(Union(parts=["whole"], consistency=False), text)) == 1


def test_names_are_looked_for_across_two_texts(toys):
    texts = [as_units("Mara Quill fell."), as_units("Who met Mara?")]

    def across(part: Union) -> list[dict[str, str]]:
        pairs = zip(texts, part.find(texts), strict=True)
        found = part.across(*pairs)
        return [said(units.text, spans) for units, spans in zip(texts, found, strict=True)]

    assert across(Union(parts=["whole"])) == [{"Mara Quill": "PERSON"}, {"Mara": "PERSON"}]
    apart = Union(parts=["whole"], consistency=False)
    assert across(apart) == [{"Mara Quill": "PERSON"}, {}]


def test_scope_is_the_unit_only_where_every_part_is_and_nothing_is_added(toys):
    assert not Union(parts=["whole", "half"], consistency=False).scope.contextual
    assert Union(parts=["whole"]).scope.contextual
    context = {"PERSON": ["dear"]}
    assert Union(parts=["whole"], consistency=False, context=context).scope.contextual
    custom = [{"kind": "CASE", "pattern": "x"}]
    assert Union(parts=["whole"], consistency=False, custom=custom).scope.contextual


def test_custom_recognisers_need_no_vote(toys):
    custom = [{"kind": "CASE_NUMBER", "pattern": r"QX-\d+", "name": "docket"}]
    part = Union(parts=["whole", "half"], mode="vote", custom=custom)
    (one,) = found(part, "see QX-17")
    assert (one.kind, one.source, one.rule, one.score) == ("CASE_NUMBER", "custom", "docket", 0.8)


def test_fingerprints_tell_settings_apart(toys):
    options = [
        {},
        {"parts": ["half"]},
        {"parts": ["whole", "half"], "mode": "vote"},
        {"parts": ["whole", "half"]},
        {"thresholds": {"PERSON": 0.5}},
        {"threshold": 0.5},
        {"context": {"PERSON": ["dear"]}},
        {"consistency": False},
        {"languages": ["de"]},
        {"custom": [{"kind": "CASE", "pattern": "a"}]},
        {"custom": [{"kind": "CASE", "pattern": "b"}]},
    ]
    made = [Union(**{"parts": ["whole"], **one}).fingerprint for one in options]
    assert len(set(made)) == len(made)
    assert Union(parts=["whole"]).fingerprint == made[0]


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"parts": []}, PolicyError, "parts is a list"),
        ({"parts": "rules"}, PolicyError, "parts is a list"),
        ({"parts": [3]}, PolicyError, "entry 1"),
        ({"parts": ["rules", {"entities": ["URL"]}]}, PolicyError, "entry 2"),
        ({"parts": ["rules", "rules"]}, PolicyError, "twice"),
        ({"parts": ["union"]}, Incompatible, "part of a union"),
        ({"parts": ["ruels"]}, UnknownName, 'Did you mean "rules"'),
        ({"parts": [{"name": "rules", "x": 1}]}, PolicyError, 'no option "x"'),
        ({"parts": ["rules"], "mode": "any"}, PolicyError, "sensitivity.mode.*union, vote"),
        ({"parts": ["rules"], "mode": "vote", "votes": 2}, PolicyError, "from 1 to 1"),
        ({"parts": ["rules"], "thresholds": 0.5}, PolicyError, "thresholds is a table"),
        ({"parts": ["rules"], "thresholds": {"URL": 2}}, PolicyError, "thresholds.URL"),
        ({"parts": ["rules"], "threshold": "a"}, PolicyError, "sensitivity.threshold"),
        ({"parts": ["rules"], "consistency": 1}, PolicyError, "true or false"),
        ({"parts": ["rules"], "languages": ["xx"]}, PolicyError, 'language "xx"'),
    ],
)
def test_mistakes_are_named(options, error, message):
    with pytest.raises(error, match=message):
        Union(**options)


def test_parts_take_options_and_the_language():
    part = Union(parts=[{"name": "rules", "entities": ["PERSON"]}], languages=["de"])
    text = "Frau Köhler, ann@example.com; Köhler"
    assert said(text, found(part, text)) == {"Köhler": "PERSON"}


def test_presidio_does_not_run_the_rules_twice(monkeypatch):
    made = []
    monkeypatch.setattr(Rules, "__init__", _counting(Rules.__init__, made))
    few = {"name": "presidio", "entities": ["URL", "US_ITIN"]}
    Union(parts=[few, "rules"])
    assert len(made) == 1  # inside presidio
    Union(parts=[few, "rules"], mode="vote")
    assert len(made) == 2  # beside it
    Union(parts=[few, {"name": "rules", "entities": ["URL"]}])
    assert len(made) == 3


def _counting(original, made):
    @wraps(original)
    def init(self, **options):
        made.append(options)
        original(self, **options)

    return init


def test_from_a_policy_file():
    policy = Policy.from_toml("""
        extends = "selective"
        [sensitivity]
        name = "union"
        parts = ["rules"]
        thresholds = { URL = 0.5 }
        context = { US_SSN = ["social", "ssn"] }

        [[sensitivity.custom]]
        kind = "CASE_NUMBER"
        pattern = 'QX-\\d+'

        [[sensitivity.custom]]
        kind = "PROJECT"
        words = ["Falcon"]
    """)
    assert policy.has_lists and "Falcon" not in repr(policy) + str(policy.sensitivity)
    assert Policy.from_toml(policy.to_toml()) == policy
    part = SENSITIVITY.build(policy.sensitivity.name, policy.sensitivity.options)
    text = "QX-11 of falcon"
    kinds = {"QX-11": "CASE_NUMBER", "falcon": "PROJECT"}
    assert said(text, found(part, text)) == kinds

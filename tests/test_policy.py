import math
import re

import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st

from privstamp.budget import Budget
from privstamp.errors import BudgetError, PolicyError, UnknownName
from privstamp.policy import DEFAULT, PRESETS, Part, Policy

MARKER = "Raghunathan"

words = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=8).map("x".__add__)
policies = st.builds(
    Policy,
    space=st.sampled_from([Part(name="glove"), Part.model_validate({"name": "x", "a": [1, 2]})]),
    budget=st.builds(
        lambda e, m: Budget.of(e, metric=m),
        st.lists(st.floats(0, 1e6) | st.just(math.inf), min_size=4, max_size=4),
        st.sampled_from(["chordal", "angular", "l1"]),
    ),
    draws=st.sampled_from(["once", "independent"]),
    numbers=st.sampled_from(["identifiers", "all", "perturb"]),
    extends=st.sampled_from(sorted(PRESETS)),
    groups=st.sampled_from([{}, {"4": Part(name="clusters")}, {"1": Part(name="polar")}]),
    allow=st.lists(words, max_size=3).map(tuple),
    deny=st.lists(words, max_size=3).map(tuple),
)


@given(policies)
def test_object_toml_and_fingerprint_round_trip(policy):
    again = Policy.from_toml(policy.to_toml())
    assert again == policy
    assert again.fingerprint() == policy.fingerprint()
    assert again.to_toml() == policy.to_toml()


@given(policies, policies)
def test_fingerprints_tell_policies_apart(one, two):
    same = one.model_copy(update={"extends": two.extends}) == two
    assert same == (one.fingerprint() == two.fingerprint())


def test_a_keyed_fingerprint_cannot_be_guessed_without_the_key():
    policy = Policy(deny=(MARKER,))
    assert policy.has_lists
    assert len({policy.fingerprint(), policy.fingerprint(b"a"), policy.fingerprint(b"b")}) == 3


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_presets_round_trip(name):
    assert Policy.from_toml(Policy.preset(name).to_toml()) == Policy.preset(name)


def test_without_any_key_it_is_the_default_preset():
    assert Policy() == Policy.of({}) == Policy.preset(DEFAULT) == PRESETS["selective"]


@pytest.mark.parametrize("text", ["", 'deny = ["Falcon"]', "[budget]\nepsilon = [0, 0, 6, 6]"])
def test_a_file_says_which_preset_it_changes(text):
    with pytest.raises(PolicyError, match=r'Add as its first line: extends = "selective"'):
        Policy.from_toml(text)


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_keys_that_are_left_out_are_taken_from_the_preset(name):
    more = Policy.from_toml(f'extends = "{name}"\ndeny = ["Falcon"]')
    assert more == PRESETS[name].model_copy(update={"deny": ("Falcon",)})
    assert Policy(extends=name, deny=("Falcon",)) == more
    assert Policy.from_toml(f'extends = "{name}"') == Policy(extends=name) == PRESETS[name]


def test_tables_change_what_they_name_of_the_preset():
    policy = Policy.from_toml("""
        extends = "readable"
        mechanism = { fluency = 0.3 }
        importance = { name = "task-match" }
        budget = { epsilon = [0, 0, 3, 3] }
        [groups.2]
        name = "placeholder"
    """)
    readable = PRESETS["readable"]
    assert policy.mechanism.options == {**readable.mechanism.options, "fluency": 0.3}
    assert policy.importance.options == {}
    assert policy.budget == Budget.of([0, 0, 3, 3], metric="hops")
    assert policy.groups == {**readable.groups, "2": Part(name="placeholder")}


@pytest.mark.parametrize("value", ['"stmap"', "3", '["stamp"]'])
def test_only_a_preset_can_be_extended(value):
    with pytest.raises(PolicyError, match=r"extends: there is no such preset.*Known: fluent"):
        Policy.from_toml(f"extends = {value}")


def test_a_policy_tells_what_it_is():
    assert Policy().is_preset and Policy(extends="stamp").is_preset
    assert not Policy(extends="stamp", deny=("x",)).is_preset


def test_the_fluent_preset_is_the_readable_one_with_a_language_model():
    fluent, readable = Policy.preset("fluent"), Policy.preset("readable")
    assert fluent.budget == readable.budget and fluent.groups["1"] == readable.groups["1"]
    for group in (3, 4):
        options = fluent.mechanism_of(group).options
        assert options.pop("fluency") > 0
        assert options == readable.mechanism_of(group).options


def test_the_paper_preset_is_the_papers_setting():
    paper = Policy.preset("paper")
    assert paper.space.name == "smollm2" and paper.space.options == {"preprocessing": "raw"}
    assert paper.budget == Budget.of([250, 150, 550, 450], metric="angular")
    assert paper.draws == "independent" and paper.numbers == "perturb"
    assert paper.importance.options["tau"] == 0.5
    assert paper.sensitivity.name == "presidio"


def test_unknown_keys_come_with_a_suggestion():
    with pytest.raises(PolicyError, match=r'unknown key "drews".*Did you mean "draws"'):
        Policy.from_toml('extends = "stamp"\ndrews = "once"')
    with pytest.raises(PolicyError, match=r'"bass".*Did you mean "base"'):
        Policy.from_toml("extends = 'stamp'\n[budget]\nbass = 3")
    with pytest.raises(UnknownName, match="paper"):
        Policy.preset("papre")


@pytest.mark.parametrize(
    "text",
    [
        "draws = 3",
        "version = 2",
        "allow = 3",
        'deny = [""]',
        "[budget]\nepsilon = 3",
        "[budget]\nepsilon = [1, 2, 3, 4]\nbase = 2",
        "[budget]\npreset = 'stamp'",
        "[budget]\nbase = true",
        "space = 3",
        "= nothing",
    ],
)
def test_wrong_values_are_refused_in_words(text):
    with pytest.raises((PolicyError, BudgetError)) as caught:
        Policy.from_toml(f"extends = 'stamp'\n{text}")
    assert "pydantic" not in str(caught.value)


def test_values_never_reach_a_message():
    with pytest.raises(PolicyError) as caught:
        Policy.from_toml(f'extends = "stamp"\nallow = "{MARKER}"')
    assert MARKER not in str(caught.value) and caught.value.__context__ is None
    assert MARKER not in repr(Policy(deny=(MARKER,)))


def test_budget_presets_are_read_as_numbers():
    policy = Policy.from_toml('extends = "stamp"\n[budget]\npreset = "private-only"\nbase = 10')
    assert policy.budget == Budget.preset("private-only", 10)


def test_files_that_cannot_be_read_are_named(tmp_path):
    with pytest.raises(PolicyError, match="policy init"):
        Policy.load(tmp_path / "none.toml")
    with pytest.raises(PolicyError, match="cannot be read"):
        Policy.load(tmp_path)
    bad = tmp_path / "bad.toml"
    bad.write_bytes(b"\xff\xfe")
    with pytest.raises(PolicyError, match="UTF-8"):
        Policy.load(bad)


def test_the_readable_preset_replaces_what_is_sensitive():
    readable = Policy.preset("readable")
    assert readable.budget.epsilon[:2] == (0, 0)
    assert [readable.mechanism_of(group).name for group in (1, 2)] == ["surrogate", "surrogate"]
    assert readable.mechanism_of(3).options == {"k": 24, "alike": 48}
    assert readable.mechanism_of(4).options["plateau"] == 1


def test_a_bare_name_and_bare_options_are_parts():
    bare = Policy.from_toml('extends = "stamp"\nmechanism = "laplace-l2"\n[importance]\ntau = 0.3')
    assert bare.mechanism == Part(name="laplace-l2")
    assert bare.importance.name == "relevance" and bare.importance.options == {"tau": 0.3}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('allow = "John"', 'say allow = ["Sheffield"]'),
        ("space = 3", "a table with a name"),
        ("version = 2", "reads version 1"),
        ('deny = [" "]', "needs a letter"),
    ],
)
def test_messages_are_for_people(text, words):
    with pytest.raises(PolicyError, match=re.escape(words)):
        Policy.from_toml(f"extends = 'stamp'\n{text}")


def test_a_wrong_file_is_named(tmp_path):
    wrong = tmp_path / "wrong.toml"
    wrong.write_text("extends = 'stamp'\n[budget]\nepsilon = [1, 2]")
    with pytest.raises(BudgetError, match=r"wrong\.toml: .*four epsilons"):
        Policy.load(wrong)


@pytest.mark.parametrize(
    ("values", "own"),
    [
        ({"importance": {"name": "task-match", "labels": ["divorce"]}}, False),
        ({"importance": {"name": "task-match", "examples": "file.jsonl"}}, False),
        ({"sensitivity": {"name": "union", "context": {"PERSON": ["divorce"]}}}, True),
        ({"sensitivity": {"name": "union", "parts": [{"name": "x", "custom": []}]}}, True),
        ({"keep": ["divorce"]}, True),
    ],
)
def test_words_of_the_owner_are_noticed_wherever_they_stand(values, own):
    made = Policy.of(values)
    assert made.has_lists and made.has_own_words == own
    assert not Policy().has_lists


@pytest.mark.parametrize("pattern", ["(", r"(\w+\s?)+$", r"\d*"])
@pytest.mark.parametrize("inside", ["part", "union"])
def test_a_bad_pattern_is_refused_when_the_policy_is_read(tmp_path, pattern, inside):
    custom = [{"kind": "CASE", "pattern": "a"}, {"kind": "CASE", "pattern": pattern}]
    part = {"name": "presidio", "custom": custom}
    sensitivity = part if inside == "part" else {"name": "union", "parts": ["lexicon", part]}
    values = {"extends": "selective", "sensitivity": sensitivity}
    (tmp_path / "p.toml").write_text(tomli_w.dumps(values))
    with pytest.raises(PolicyError, match=r"sensitivity.custom 2: pattern: ") as refused:
        Policy.load(tmp_path / "p.toml")
    assert refused.value.__context__ is None


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"deny": "chest pain"}, 'deny is a list of words, say deny = ["Sheffield"]'),
        ({"dney": ["chest pain"]}, 'unknown key "dney". Did you mean "deny"?'),
        ({"allow": ["...", "Leeds"]}, "allow: every term needs a letter or a digit"),
    ],
)
def test_a_policy_made_by_hand_has_the_errors_of_a_file(values, said):
    with pytest.raises(PolicyError) as caught:
        Policy(**values)
    assert said in str(caught.value) and "chest pain" not in str(caught.value)
    assert caught.value.__context__ is None


def test_a_preset_named_where_a_file_is_wanted_says_so():
    with pytest.raises(PolicyError, match=r'a preset is no file: Policy.preset\("selective"\)'):
        Policy.load("selective")
    with pytest.raises(PolicyError) as caught:
        Policy.load("selective.toml")
    assert "preset" not in str(caught.value)

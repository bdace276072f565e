"""Profiles: what must be covered is looked for, and a detector that cannot is refused."""

import pytest

from privstamp.errors import Incompatible, PolicyError
from privstamp.pipeline import Privatizer
from privstamp.policy import Policy
from privstamp.policy.presets import profiles, required
from privstamp.policy.trust import objections
from privstamp.release.parts import check_profiles
from privstamp.sensitivity import presidio
from privstamp.sensitivity.numbers import KINDS
from privstamp.sensitivity.rules import Rules

NAMES = ("contact", "hipaa", "pci", "quasi", "secrets")


def found(text, *kinds):
    return {text[one.start : one.end] for one in Rules(entities=kinds).scan(text)}


def test_the_profiles_that_there_are():
    assert sorted(profiles()) == list(NAMES)
    for profile in profiles().values():
        assert all(row.what and row.not_covered for row in profile.rows)
        assert "complian" not in repr(profile).lower()


def test_every_kind_that_one_asks_for_can_be_found():
    assert required(NAMES) <= presidio.ENTITIES | KINDS


def test_hipaa_has_the_eighteen_in_ten_rows():
    assert {"PERSON", "ADDRESS", "DATE", "DATE_ELEMENT", "US_SSN", "IP_ADDRESS"} <= required(
        ["hipaa"]
    )


def test_a_policy_knows_their_names_and_reads_them_back():
    policy = Policy.from_toml('extends = "selective"\nprofiles = ["hipaa", "quasi"]')
    assert policy.profiles == ("hipaa", "quasi")
    assert Policy.from_toml(policy.to_toml()) == policy
    assert policy.fingerprint() != Policy().fingerprint()
    assert objections(policy) == []  # it only protects more
    with pytest.raises(PolicyError, match='Did you mean "hipaa"'):
        Policy.from_toml('extends = "selective"\nprofiles = ["hippa"]')


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"sensitivity": "rules"}, 'Take sensitivity = "union"'),
        ({"sensitivity": {"name": "union", "parts": ["rules", "lexicon"]}}, "MEDICAL_LICENSE"),
        ({"numbers": "perturb"}, "ADDRESS"),
        ({"sensitivity": {"name": "union", "mode": "vote"}}, 'mode = "union"'),
        ({"sensitivity": {"name": "union", "thresholds": {"PERSON": 0.9}}}, "out of thresholds"),
    ],
)
def test_a_detector_that_cannot_cover_it_is_refused_when_built(changes, complaint):
    with pytest.raises(Incompatible, match=complaint):
        Privatizer(Policy(profiles=("hipaa",), **changes))


def test_hipaa_does_not_go_with_shifted_dates():
    assert profiles()["hipaa"].refuses["dates"] == ("shift", "keep")
    for dates in ("shift", "keep"):
        with pytest.raises(Incompatible, match=f'does not go with dates = "{dates}"'):
            check_profiles(Policy(profiles=("hipaa",), dates=dates))


def test_values_with_noise_do_not_cover_a_kind():
    numeric = ({"kind": "AGE", "range": [0, 120], "epsilon": 0.1},)
    with pytest.raises(Incompatible, match="hipaa ask for AGE"):
        check_profiles(Policy(profiles=("hipaa",)).model_copy(update={"numeric": numeric}))


def test_kinds_that_a_detector_was_limited_to_are_widened_never_narrowed():
    part = {"name": "union", "parts": [{"name": "presidio", "entities": ["PERSON"]}, "lexicon"]}
    line = Privatizer(Policy(profiles=("secrets",), sensitivity=part))
    assert {"PERSON", "CREDENTIAL", "CRYPTO"} <= line.parts.sensitivity.kinds
    assert "URL" not in line.parts.sensitivity.kinds
    default = Privatizer().parts.sensitivity.kinds
    assert default < Privatizer(Policy(profiles=NAMES)).parts.sensitivity.kinds


@pytest.mark.parametrize(
    ("text", "kind", "wanted"),
    [
        ("She came on Tuesday in May.", "DATE_ELEMENT", {"Tuesday", "May"}),
        ("He may march on, maybe.", "DATE_ELEMENT", set()),
        ("Two weeks ago and last Friday", "RELATIVE_DATE", {"Two weeks ago", "last Friday"}),
        ("the day before yesterday", "RELATIVE_DATE", {"the day before yesterday"}),
        ("It lasts two weeks.", "RELATIVE_DATE", set()),
        ("He is the only vet here.", "SINGULAR", {"only vet"}),
        ("She was the first female pilot of her town.", "SINGULAR", {"first female pilot"}),
        ("It was only fair.", "SINGULAR", set()),
        ("her half-sisters and his mother-in-law", "KIN", {"half-sisters", "mother-in-law"}),
    ],
)
def test_what_singles_out_without_a_name(text, kind, wanted):
    assert found(text, kind) == wanted


def test_nothing_of_it_is_looked_for_unless_asked():
    text = "On Tuesday, two weeks ago, my brother, the only plumber of the village, fell ill."
    assert not list(Rules().scan(text))


@pytest.mark.slow
def test_quasi_replaces_what_the_default_leaves():
    text = "The only beekeeper here lost her husband last month."
    assert Privatizer().privatize(text).text == text
    hidden = Privatizer(Policy(profiles=("quasi",))).privatize(text)
    assert "husband" not in hidden.text and "beekeeper" not in hidden.text
    assert {"KIN", "SINGULAR"} <= {one.kind for one in hidden.changes}
    assert hidden.restore(hidden.text, trusted=True) == text


def test_hipaa_leaves_doses_spans_of_time_and_younger_ages():
    text = (
        "A 63-year-old takes ramipril 5 mg od; review in 6 weeks. Her mother is 93 and was born "
        "in May 1931."
    )
    released = Privatizer(Policy(profiles=("hipaa",))).privatize(text).text
    for kept in ("63-year-old", "ramipril 5 mg od", "in 6 weeks", "1931"):
        assert kept in released
    assert "is 93" not in released


@pytest.mark.parametrize("key", ['dates = "shift"', 'profiles = ["hipaa"]', 'numbers = "perturb"'])
def test_what_a_policy_says_of_all_parts_is_no_option_of_one(key):
    """There a profile would be asked for kinds alone: what it refuses would not be refused."""
    policy = Policy.from_toml(f'extends = "selective"\n[sensitivity]\n{key}')
    with pytest.raises(PolicyError, match=f"{key.split()[0]}: no option of .sensitivity."):
        Privatizer(policy)

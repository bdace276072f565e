import pytest
from toy_lines import detector, example, policy  # noqa: F401

from privstamp.lab.evals.conditions import Releaser
from privstamp.lab.evals.contracts import Condition
from privstamp.lab.evals.lines import READY, Lines
from privstamp.policy import Part, Policy

pytestmark = pytest.mark.usefixtures("detector")


def with_tau(tau):
    part = Part.model_validate({"name": "task-cosine", "tau": tau})
    return policy(0, 0, 1, 1).model_copy(update={"importance": part})


def test_policies_share_their_parts():
    lines = Lines(6)
    one, two = (lines.line(policy(0, 0, e, e), gold=False) for e in (1.0, 2.0))
    assert one is not two
    assert one.detector is two.detector
    assert one.importance is two.importance
    assert one.decoder is two.decoder


def test_the_latest_lines_are_kept():
    lines = Lines(6)
    first = lines.line(policy(0, 0, 1, 1), gold=False)
    assert lines.line(policy(0, 0, 1, 1), gold=False) is first
    for number in range(READY):
        lines.line(policy(0, 0, 2.0 + number, 1), gold=False)
    assert lines.line(policy(0, 0, 1, 1), gold=False) is not first


def test_thresholds_change_groups_and_not_what_is_scored():
    lines = Lines(6)
    few, many = (lines.line(with_tau(tau), gold=False) for tau in (0.9, 0.01))
    assert few.importance.memory is many.importance.memory
    assert few.importance.fingerprint != many.importance.fingerprint
    task = "w30 w32"
    important = [
        (line.privatizer.group("w30 w32 w34 w36 w38", task).grouping.groups == 3).sum()
        for line in (few, many)
    ]
    assert important[0] < important[1]


def test_seconds_are_those_of_the_first_time():
    releaser = Releaser()
    condition = Condition("p", "policy", policy(0, 0, 1, 1))
    first, again = (releaser.releases(condition, [example()], seed)[0] for seed in (1, 2))
    assert first.seconds["sensitivity"] == again.seconds["sensitivity"] > 0
    assert first.seconds["importance"] == again.seconds["importance"] > 0
    assert set(first.seconds) >= {"splitting", "grouping", "mechanism", "release"}


def test_noise_and_decoding_are_told_apart_where_a_mechanism_decodes():
    from privstamp.lab.evals.lines import _apart

    spent = {"mechanism": 3.0, "release": 1.0}
    assert _apart(spent, 2.0) == {"noise": 1.0, "decoding": 2.0, "release": 1.0}
    assert _apart(spent, 0.0) == spent


@pytest.mark.slow
def test_a_real_line_times_its_decoder():
    from privstamp.lab.evals import lines
    from privstamp.release.parts import assemble, open_space

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "assemble", assemble)
        patch.setattr(lines, "open_space", open_space)
        given = Policy.of({"extends": "stamp", "sensitivity": "rules", "importance": "task-match",
                           "budget": {"preset": "stamp", "base": 15}})  # fmt: skip
        condition = Condition("stamp", "policy", given)
        text = example(text="The harbour was empty before dawn.", task="When was it empty?")
        (made,) = Releaser().releases(condition, [text], 1)
    assert made.seconds["decoding"] > 0
    assert made.seconds["noise"] > 0
    assert made.privacy["units_chordal"] == made.privacy["units"] == 6

import dataclasses

import numpy as np
import pytest
from toy_lines import TEXT, detector, example, gold, policy  # noqa: F401

from line import SPACE
from privstamp.lab.evals.contracts import Span
from privstamp.lab.evals.lines import Lines
from privstamp.lab.evals.privacy import distinct, measure, survives, touched


def released(epsilon, given=None, attacks=100, seed=1):
    line = Lines(attacks).line(policy(*epsilon), gold=False)
    given = given or example()
    (result,), _ = line.run([given], seed)
    sums = measure(given, result.trace, result.text, line.attacker,
                   line.privatizer.policy.budget.metrics)  # fmt: skip
    return result, sums


def test_a_strong_budget_is_recovered_and_a_weak_one_is_not(detector):  # noqa: F811
    _, much = released((60, 60, 60, 60))
    assert much["recovered_uniform"] == much["sensitive"] == much["sensitive_kept"] == 5
    _, little = released((0.001, 0.001, 0.001, 0.001))
    assert little["recovered_uniform"] < 3
    assert little["attacked"] == 5


def test_recovery_is_as_often_as_randomised_response_stays(detector):  # noqa: F811
    """Its best guess under a uniform prior is what it sees, right with chance keep."""
    epsilon = 6.0
    outputs = len(SPACE.outputs[0])
    keep = np.exp(epsilon) / (np.exp(epsilon) + outputs - 1)
    words = " ".join(f"w{2 * n}" for n in range(60) if n % 10 != 9)
    spans = (Span(0, len(words), "PERSON"),)
    given = example(text=words, task="", spans=spans)
    sums = [released((epsilon,) * 4, given, seed=seed)[1] for seed in range(8)]
    share = sum(one["recovered_uniform"] for one in sums) / sum(one["sensitive"] for one in sums)
    error = np.sqrt(keep * (1 - keep) / (8 * 54))
    assert abs(share - keep) < 5 * error
    assert abs(share - keep * 0.5) > 5 * error  # notices one that is half as good


def test_some_units_stand_for_all(detector):  # noqa: F811
    words = " ".join(f"w{2 * n}" for n in range(60) if n % 10 != 9)
    given = example(text=words, task="", spans=(Span(0, len(words), "PERSON"),))
    _, some = released((60,) * 4, given, attacks=6)
    assert some["attacked"] == 6
    assert some["recovered_uniform"] == pytest.approx(some["sensitive"])


def test_replaced_units_are_guessed_blindly(detector):  # noqa: F811
    result, sums = released((0, 0, 5, 5))
    assert sums["recovered_unigram"] == sums["floor_unigram"] == 0
    assert sums["recovered_uniform"] == sums["floor_uniform"] > 0
    assert sums["replaced"] == 5
    assert "W20" not in result.text


def test_the_likeliest_word_is_on_the_floor(detector):  # noqa: F811
    given = example(text="w0 w1 w30", task="", spans=(Span(0, 5, "PERSON"),))
    _, sums = released((0.001, 0.001, 0.001, 0.001), given)
    assert sums["floor_unigram"] == 2  # w0 and w1 are the likeliest of their classes
    assert sums["recovered_unigram"] == 2


def test_counts_of_groups_and_epsilons_by_metric(detector):  # noqa: F811
    _, sums = released((0, 0, 5, 7))
    assert sum(sums[f"group_{group}"] for group in (1, 2, 3, 4)) == sums["units"] == 9
    assert sums["units_ldp"] == 9
    assert sums["epsilon_ldp"] == 5 * sums["group_3"] + 7 * sums["group_4"]


def test_unprotected_units_have_no_finite_epsilon(detector):  # noqa: F811
    _, sums = released((0, 0, np.inf, np.inf))
    assert sums["unprotected"] == 4
    assert sums["units_ldp"] == 5
    assert sums["epsilon_ldp"] == 0
    assert sums["content_kept"] == sums["content"] == 4


def test_what_a_detector_missed_is_counted_and_recovered(detector):  # noqa: F811
    at = TEXT.index("w34")
    given = dataclasses.replace(gold(), spans=(*gold().spans, Span(at, at + 3, "PERSON")))
    _, sums = released((0, 0, np.inf, np.inf), given)
    assert sums["gold"] == 1
    assert sums["sensitive"] == 2
    assert sums["missed"] == 1
    assert sums["recovered_unigram"] == 1
    assert sums["spans_kept"] == 1


def test_spans_of_the_task_touch_no_unit_of_the_text():
    units = SPACE.split("w1 w2")
    spans = [Span(3, 5, "PERSON"), Span(6, 9, "PERSON")]
    assert touched(units, spans).tolist() == [False, True]
    assert distinct(units.text, spans) == ["w2"]


@pytest.mark.parametrize(
    ("name", "text", "there"),
    [
        ("anna lee", "Then Anna\n Lee left.", True),
        ("lee", "Leeds", False),
        ("7", "17 and 71", False),
        ("7", "at 7.", True),
    ],
)
def test_a_name_survives_whole(name, text, there):
    assert survives(name, text) is there

"""Noise on values: exact laws, draws that follow them, nothing but grid values."""

import math
import re
from fractions import Fraction

import numpy as np
import pytest

from privstamp import Policy, Privatizer
from privstamp.errors import Incompatible, PolicyError
from privstamp.mechanisms.numeric import BITS, Numeric
from privstamp.noise import KEY_BYTES, Noise

DRAWS = 20_000
PAY = Numeric(kind="MONEY", low=0, high=90000, step=500, epsilon=0.0001)
MONTHS = """January February March April May June July August September October November
December"""


def noise(count: int) -> Noise:
    return Noise.of_document(bytes(KEY_BYTES), np.arange(count))


def law(numeric: Numeric, index: int) -> list[Fraction]:
    return [Fraction(*one) for one in numeric.channel(index)]


@pytest.mark.parametrize(
    "options",
    [
        {"low": 0, "high": 12, "epsilon": 0.5},
        {"low": 34, "high": 36, "step": 0.1, "epsilon": 7.5},
        {"low": 0, "high": 5, "epsilon": 40},
        {"low": 100, "high": 150, "step": 0.02, "epsilon": 20, "metric": "ratio"},
    ],
)
def test_exact_law_keeps_the_bound(options):
    numeric = Numeric(kind="AGE", **options)
    laws = [law(numeric, index) for index in range(len(numeric.grid))]
    assert all(sum(one) == 1 for one in laws)
    step = options.get("step", 1)
    length = math.log1p(step) if options.get("metric") == "ratio" else step
    for first, one in enumerate(laws):
        for second, other in enumerate(laws):
            worst = max(a / b for a, b in zip(one, other, strict=True))
            bound = options["epsilon"] * length * abs(first - second)
            assert math.log(worst.numerator) - math.log(worst.denominator) <= bound + 1e-12


def squares(numeric: Numeric, index: int, moved: list[int]) -> float:
    counts = np.bincount(moved, minlength=len(numeric.grid))
    wanted = np.array([float(one) for one in law(numeric, index)]) * len(moved)
    return float(((counts - wanted) ** 2 / wanted).sum())


@pytest.fixture(scope="module")
def ages():
    return Numeric(kind="AGE", low=0, high=12, epsilon=0.5)


def moves(numeric: Numeric, index: int) -> list[int]:
    source = noise(DRAWS)
    return [numeric.move(index, source.take(slice(i, i + 1))) for i in range(DRAWS)]


@pytest.mark.parametrize("index", [0, 4, 12])
def test_draws_follow_the_law(ages, index):
    assert squares(ages, index, moves(ages, index)) < 12 + 7 * math.sqrt(24)


def test_a_sampler_with_less_noise_is_noticed(ages):
    sharper = Numeric(kind="AGE", low=0, high=12, epsilon=0.6)
    assert squares(ages, 4, moves(sharper, 4)) > 12 + 7 * math.sqrt(24)


def test_the_chance_of_a_step_is_rounded_up():
    for epsilon in (0.01, 0.5, 3, 25):
        stay = Numeric(kind="AGE", low=0, high=9, epsilon=epsilon).stay
        assert math.exp(-epsilon) * 2**BITS < stay <= math.exp(-epsilon) * 2**BITS + 2.001


def test_values_outside_are_clamped(ages):
    source = noise(300)
    for index in range(300):
        here = source.take(slice(index, index + 1))
        assert ages.release("700", here) == ages.release("12", here)


@pytest.mark.parametrize(
    ("numeric", "text", "pattern"),
    [
        (Numeric(kind="AGE", low=0, high=120, epsilon=0.1), "58-year-old", r"\d{1,3}-year-old"),
        (PAY, "EUR 84,000", r"EUR (?:\d|\d{1,2},\d00|\d00)"),
        (PAY, "$84k", r"\$\d{1,5}"),
        (Numeric(kind="QUANTITY", low=30, high=45, step=0.1, epsilon=1), "38.5 °C", r"\d\d\.\d °C"),
        (Numeric(kind="QUANTITY", low=0, high=250, epsilon=0.1), "120/80", r"\d{1,3}/\d{1,3}"),
    ],
)  # fmt: skip
def test_only_grid_values_leave(numeric, text, pattern):
    source = noise(200)
    released = {numeric.release(text, source.take(slice(i, i + 1))) for i in range(200)}
    assert all(re.fullmatch(pattern, one) for one in released)
    assert len(released) > 10
    grid = {float(point) for point in numeric.grid}
    for one in released:
        figures = re.findall(r"[\d.,]*\d", one)
        assert {float(figure.replace(",", "")) for figure in figures} <= grid


@pytest.mark.parametrize(
    "options",
    [
        {"low": 5, "high": 5}, {"low": 0, "high": 1e9}, {"epsilon": 0}, {"epsilon": math.inf},
        {"step": -1}, {"metric": "ratio", "low": 0}, {"metric": "other"}, {"low": "0"},
    ],
)  # fmt: skip
def test_what_makes_no_grid_is_refused(options):
    with pytest.raises(PolicyError):
        Numeric(**{"kind": "AGE", "low": 1, "high": 90, "epsilon": 0.5, **options})


TEXT = "Mara Quill, a 58-year-old woman, was admitted on 3 October 2025 and left on 9 October 2025."
AGES = {"kind": "AGE", "low": 18, "high": 89, "epsilon": 0.5}


def released(**keys):
    return Privatizer(Policy.preset("selective").model_copy(update=keys), seed=3).privatize(TEXT)


def test_a_policy_marks_numbers_and_the_certificate_lists_them():
    result = released(numeric=(AGES,))
    (facts,) = result.certificate.values
    assert (facts.name, facts.kind, facts.epsilon, facts.draws) == ("numeric", "AGE", 0.5, 1)
    assert facts.diameter == 71 and "|x - x'|" in facts.guarantee
    counts = result.certificate.counts
    assert counts.valued == 3  # the words of the span
    parts = (counts.replaced, counts.replaced_by_rule, counts.unprotected, counts.unknown)
    assert sum(parts) + counts.valued == counts.units
    assert result.certificate.loss.summed_epsilon == {"AGE |x - x'|": 0.5}
    assert re.search(r"a \d\d-year-old woman", result.text)
    assert result.restore(result.text, trusted=True) == TEXT
    assert "58-year-old" in released().text and released().certificate.values == []


def test_a_unit_chooses_numbers():
    heat = {"kind": "QUANTITY", "unit": "°C", "low": 34, "high": 43, "step": 0.1, "epsilon": 4}
    policy = Policy.preset("selective").model_copy(update={"numeric": (heat,)})
    result = Privatizer(policy, seed=3).privatize("Mara Quill had 38.5 °C. She took 500 mg.")
    assert re.search(r"had (3[4-9]|4[0-3])\.\d °C\. She took 500 mg\.", result.text)
    assert result.certificate.values[0].draws == 1


def test_shifted_dates_keep_intervals_and_the_certificate_says_so():
    result = released(dates="shift")
    names = MONTHS.split()
    moved = [
        np.datetime64(f"{year}-{names.index(month) + 1:02}-{int(day):02}")
        for day, month, year in re.findall(r"(\d+) (\w+) (\d{4})", result.text)
    ]
    assert moved[1] - moved[0] == 6
    shift = int((moved[0] - np.datetime64("2025-10-03")).astype(int))
    assert shift % 7 == 0 and 730 < abs(shift) <= 521 * 7
    assert any("one known date reveals all" in note for note in result.certificate.notes)
    assert [one.name for one in result.certificate.values] == ["shift"]
    assert result.certificate.values[0].epsilon == math.inf


def test_dates_may_be_kept():
    assert "3 October 2025" in released(dates="keep").text
    assert "3 October" not in released().text


def test_values_need_roles():
    for keys in ({"numbers": "perturb"}, {"grouping": "public"}):
        with pytest.raises(Incompatible):
            released(numeric=(AGES,), **keys)

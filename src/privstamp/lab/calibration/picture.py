"""Recovery over epsilon, as it was measured, with the limit and the epsilon chosen."""

from __future__ import annotations

from pathlib import Path

from privstamp.lab.calibration.outcome import Plan
from privstamp.lab.report.plot import pyplot, save


def draw(plan: Plan, path: Path) -> None:
    """One panel per outcome. Needs the extra `plots`."""
    plot = pyplot()
    count = len(plan.outcomes)
    figure, axes = plot.subplots(1, count, figsize=(6 * count, 4), squeeze=False,
                                 layout="constrained")  # fmt: skip
    for axis, one in zip(axes[0], plan.outcomes, strict=True):
        for name in sorted({point.name for point in one.curve}):
            mine = [point for point in one.curve if point.name == name]
            across = [point.epsilon for point in mine]
            axis.plot(across, [point.recovery.value for point in mine], marker="o", label=name)
            low, high = ([getattr(point.recovery, end) or 0.0 for point in mine]
                         for end in ("low", "high"))  # fmt: skip
            axis.fill_between(across, low, high, alpha=0.2)
        if one.limit is not None:
            axis.axhline(one.limit, color="#777777", linewidth=1)
        if one.epsilon is not None:
            axis.axvline(one.epsilon, color="#777777", linewidth=1, linestyle=":")
        axis.set_xscale("log")
        axis.set_xlabel(f"epsilon ({one.metric})")
        axis.set_ylabel(f"recovered, {plan.attacker.prior} prior")
        axis.set_title(f"groups {', '.join(map(str, one.groups))}: {one.mechanism}", fontsize=10)
        axis.legend(frameon=False)
    save(figure, path)
    plot.close(figure)

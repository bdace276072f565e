"""Budgets given as targets become numbers, once: what was found is kept in the cache."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from privstamp import __version__
from privstamp.assets.cache import derived
from privstamp.budget import GROUPS
from privstamp.errors import PolicyError
from privstamp.lab.calibration.gauge import Attacker
from privstamp.lab.calibration.outcome import Plan
from privstamp.lab.calibration.plan import Bench, Watch, calibrate
from privstamp.policy import Policy
from privstamp.policy.targets import Targets
from privstamp.registry import DECODERS, MECHANISMS
from privstamp.release.parts import open_space

SEED: Final = 1
_FILE: Final = "calibration.json"
_FORMAT: Final = "1"  # raise it when what is measured changes


def resolve(policy: Policy, watch: Watch = lambda _what, _share: None) -> Policy:
    """The policy with epsilons in the place of targets; without targets, the policy itself.

    Only words of the public table are looked at, never a text.
    """
    targets = policy.budget
    if not isinstance(targets, Targets):
        return policy
    space = open_space(policy.space)
    providers = [MECHANISMS.provider(policy.mechanism_of(group).name) for group in GROUPS]
    recipe = {
        "format": _FORMAT,
        "privstamp": __version__,
        "space": space.fingerprint,
        "parts": policy.measured_parts(),
        "providers": " ".join([*providers, DECODERS.provider(policy.decoder.name)]),
        "model": policy.language_model.model_dump_json() if _reads(targets) else "",
        "seed": str(SEED),
    }

    def build(folder: Path) -> None:
        bench = Bench(policy, SEED, space)
        limits = dict(zip(GROUPS, targets.limits, strict=True))
        attacker = Attacker(targets.prior, targets.statistic)
        plan = calibrate(policy, limits, attacker, seed=SEED, watch=watch, bench=bench)
        (folder / _FILE).write_text(json.dumps(_kept(plan)), encoding="utf-8")

    folder = derived("calibration", recipe, build, label="calibrating the budget")
    kept = json.loads((folder / _FILE).read_text(encoding="utf-8"))
    if "cannot" in kept:
        raise PolicyError(f"budget: the target cannot be met. {kept['cannot']}")
    metric = targets.metric if isinstance(targets.metric, str) else list(targets.metric)
    data = policy.model_dump(mode="python", exclude_none=True)
    data["budget"] = {"epsilon": kept["epsilon"], "metric": metric}
    return Policy.of({**data, "calibration": kept["calibration"]})


def _reads(targets: Targets) -> bool:
    """Whether the attacker goes by a language model."""
    return targets.prior == "contextual"


def _kept(plan: Plan) -> dict[str, object]:
    if not plan.possible:
        return {"cannot": in_words(plan)}
    made = plan.policy()
    assert made.calibration is not None
    return {"epsilon": list(plan.epsilon), "calibration": made.calibration.model_dump()}


def in_words(plan: Plan) -> str:
    """Why there is no budget, and the best that can be had."""
    told = []
    for one in plan.outcomes:
        if not one.cannot:
            continue
        where = ", ".join(map(str, one.groups))
        limit = "" if one.limit is None else f" (limit {one.limit:g})"
        best = "" if one.best is None else f" The best achievable is {one.best:.3f}."
        told.append(f"Groups {where}{limit}: {one.cannot}.{best}")
    return " ".join(told) + (
        " An epsilon of 0 replaces the words and adds nothing to what an attacker knows before."
    )

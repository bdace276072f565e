"""Write src/privstamp/assets/pins.json: hashes of what presets derive, keep rates of public words.

    make pins      # after a change to word lists, tables or presets; a minute

What is not pinned yet is derived again first, from verified files. The presets fluent and paper
need the asset smollm2; without it their old pins stay.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from privstamp.assets import cache
from privstamp.errors import AssetError, MissingExtra
from privstamp.lab.attackers import keep_rates
from privstamp.policy import PRESETS
from privstamp.protocols import Discrete
from privstamp.release.draws import Fluency
from privstamp.release.parts import assemble
from privstamp.release.selfcheck import described, draw, rows_of

WORDS, APART, DRAWS = 50, 40, 1000
CHECKED = ("readable", "stamp")  # fluent draws by the mechanisms of readable
PLACE = Path(cache.__file__).with_name("pins.json")


def public_words(space):
    """Frequent words that may leave, as many of each class."""
    found = []
    for outputs in space.outputs:
        often = outputs[np.argsort(-space.prior[outputs], kind="stable")]
        words = space.words(often[5::APART][: WORDS // len(space.outputs)])
        found += [word for word in words if len(space.split(word).rows) == 1]
    return found


def rates(mechanism, rows, epsilon):
    if isinstance(mechanism, Discrete):
        return [rate.value for rate in keep_rates(mechanism, rows, np.full(len(rows), epsilon))]
    return [draw(mechanism, rows[[place]], epsilon, DRAWS) / DRAWS for place in range(len(rows))]


def checks(policy, parts):
    """One list for each mechanism, at its largest epsilon."""
    strongest = {}
    for group in parts.mechanisms:
        of = json.dumps(described(policy, group))
        epsilon = policy.budget.epsilon[group - 1]
        if of not in strongest or epsilon > strongest[of][0]:
            strongest[of] = epsilon, parts.mechanisms[group]
    words = public_words(parts.space)
    for of, (epsilon, mechanism) in strongest.items():
        found = rates(mechanism, rows_of(parts.space, words), epsilon)
        keep = [round(rate, 5) for rate in found]
        yield {"of": json.loads(of), "epsilon": epsilon, "words": words, "keep": keep}


def main() -> None:
    cache._agrees_with_manifest = lambda *_: False  # only a pin vouches; else it is made again
    cache.keep_rates().clear()  # or a change would not get past the self-check
    rows, complete = [], True
    for name, policy in PRESETS.items():
        try:
            parts = assemble(policy)
            if parts.language_model is not None:
                Fluency(parts, parts.language_model)  # spells words for the model
        except (AssetError, MissingExtra) as error:
            print(f"{name}: {error}; its old pins stay")
            complete = False
            continue
        if name in CHECKED:
            rows += checks(policy, parts)
    derived = {} if complete else json.loads(PLACE.read_text())["derived"]
    derived |= {name: cache.content(folder) for name, folder in cache.opened().items()}
    written = {"derived": dict(sorted(derived.items())), "keep_rates": rows}
    PLACE.write_text(json.dumps(written, indent=1) + "\n")
    print(f"{PLACE.name}: {len(derived)} derived folders, {len(rows)} lists of keep rates")


if __name__ == "__main__":
    main()

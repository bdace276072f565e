"""Whatever a policy sets an option to: a part is made, or refused in one line, never broken."""

from __future__ import annotations

import inspect
import math
from typing import Any

import pytest

from privstamp.decoding.exact import Exact
from privstamp.errors import PolicyError, PrivstampError
from privstamp.registry import DECODERS, IMPORTANCE, MECHANISMS, MODELS, REPAIRS, SPACES, VALUES
from toys import ToySpace

SPACE = ToySpace(rows=60, dimensions=4)
ODD = ("x", "", "\x00", 3.5, -1, 0, True, None, [], [1], ["x"], {}, math.nan, math.inf, 10**30)
NETWORKS = ("saliency", "attention")  # made from files of models
LISTS = ("language",)  # of a surrogate, which are derived from files
GIVEN = {"space": SPACE, "decoder": Exact(SPACE)}
NEEDED: dict[str, dict[str, Any]] = {
    "numeric": {"kind": "AGE", "low": 1, "high": 9, "epsilon": 1.0},
    "occlusion": {"score": "math:fsum"},
}


def options() -> list[tuple[Any, str, str]]:
    """Every option of every part that needs no files."""
    return [
        (table, entry.name, option)
        for table in (MECHANISMS, DECODERS, IMPORTANCE, VALUES)
        for entry in table.entries()
        if entry.name not in NETWORKS
        for option, parameter in inspect.signature(table.load(entry.name)).parameters.items()
        if parameter.kind is parameter.KEYWORD_ONLY and option not in (*GIVEN, *LISTS)
    ]


def named(value: Any) -> str:
    """The same in every process: a table by what it holds."""
    return getattr(value, "kind", str(value))


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("PRIVSTAMP_CACHE", str(tmp_path))


@pytest.mark.parametrize(("table", "name", "option"), options(), ids=named)
def test_odd_values_are_taken_or_refused_in_one_line(table, name, option):
    accepted = inspect.signature(table.load(name)).parameters
    given = {key: value for key, value in GIVEN.items() if key in accepted}
    for value in ODD:
        try:
            table.build(name, NEEDED.get(name, {}) | {option: value}, **given)
        except PrivstampError as error:
            told = str(error)
        else:
            continue
        assert option in told or name.partition("-")[0] in told or "grid" in told, (value, told)
        assert "\n" not in told and error_is_bare(table, name, option, value, given)


def error_is_bare(table, name, option, value, given) -> bool:
    """No `__context__`, which could carry what was read."""
    with pytest.raises(PrivstampError) as caught:
        table.build(name, NEEDED.get(name, {}) | {option: value}, **given)
    return caught.value.__context__ is None


@pytest.mark.parametrize(
    ("table", "name", "option", "value", "said"),
    [
        (SPACES, "glove", "preprocessing", 4, "must be a valid string"),
        (MODELS, "smollm2", "threads", "x", "must be a valid integer"),
        (REPAIRS, "local", "threads", 1.5, "must be a valid integer"),
        (DECODERS, "hnsw", "links", "many", "must be a valid integer"),
        (MECHANISMS, "neighbourhood", "sharp", "content", "must be a valid list"),
        (IMPORTANCE, "relevance", "encoder", [], "must be 'none' or 'minilm'"),
    ],
    ids=named,
)
def test_a_wrong_type_is_named_before_anything_is_read(table, name, option, value, said):
    with pytest.raises(PolicyError, match=f'{table.kind} "{name}": {option} {said}'):
        table.build(name, {option: value})


def test_what_must_be_given_is_named():
    with pytest.raises(PolicyError, match='value mechanism "numeric" needs high and epsilon'):
        VALUES.build("numeric", {"kind": "AGE", "low": 1})
    with pytest.raises(PolicyError, match='importance "occlusion" needs score'):
        IMPORTANCE.build("occlusion", {}, space=SPACE)


def test_annotations_that_cannot_be_read_are_left_to_the_part(monkeypatch):
    def odd(*, strength: Unheard = 1) -> object:  # noqa: F821 - nobody has heard of it
        return strength

    monkeypatch.setattr(MECHANISMS, "load", lambda name: odd)
    assert MECHANISMS.build("odd", {"strength": "x"}) == "x"

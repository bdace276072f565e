from importlib.metadata import EntryPoint

import pytest

from privstamp.errors import Incompatible, PolicyError, UnknownName
from privstamp.registry import MECHANISMS, REPLACING, TABLES, Table

NAMES = {
    "mechanisms": [
        "clusters", "custext", "exponential", "laplace-coordinate", "laplace-l2", "mahalanobis",
        "neighbourhood", "placeholder", "polar", "polar-radial", "polar-vocabulary",
        "randomized-response", "surrogate", "tem", "vickrey",
    ],
    "values": ["numeric", "shift"],
    "spaces": ["gguf:", "glove", "hf:", "plain", "smollm2", "vectors:"],
    "sensitivity": ["gliner:", "hf:", "lexicon", "onnx:", "presidio", "rules", "union"],
    "importance": [
        "attention", "none", "occlusion", "relevance", "saliency", "task-cosine", "task-match",
    ],
    "models": ["gguf:", "hf:", "smollm2"],
    "answerers": [
        "gguf:", "hf8:", "hf:", "http:", "https:", "local", "qwen-0.5b", "qwen-1.5b", "smollm2",
    ],
    "decoders": ["exact", "faiss", "float32", "hnsw", "int8"],
    "repairs": ["gguf:", "hf8:", "hf:", "http:", "https:", "local", "qwen-0.5b", "qwen-1.5b"],
}  # fmt: skip
"""What is registered; a name that vanishes or appears must be changed here on purpose."""


class Toy:
    def __init__(self, space: str, *, strength: int = 1) -> None:
        self.made = (space, strength)


def prefixed(argument: str) -> str:
    return argument


def table(monkeypatch, *points: EntryPoint) -> Table:
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: list(points))
    return Table("toy", "privstamp.toys", {"own": f"{__name__}:Toy", "p:": f"{__name__}:prefixed"})


def test_registered_names_are_the_committed_ones():
    found = {kind: sorted(e.name for e in t.entries()) for kind, t in TABLES.items()}
    assert found == NAMES


@pytest.mark.parametrize("kind", sorted(TABLES))
def test_every_built_in_loads(kind):
    for entry in TABLES[kind].entries():
        made = TABLES[kind].load(entry.name)
        assert callable(made) and made.__doc__


def test_unknown_names_list_what_exists(monkeypatch):
    with pytest.raises(UnknownName, match=r'no toy "onw"\. Did you mean "own"\? Known: own, p:'):
        table(monkeypatch).load("onw")


def test_plug_ins_are_found_and_cannot_shadow_built_ins(monkeypatch):
    fine = EntryPoint("other", f"{__name__}:Toy", "privstamp.toys")
    assert table(monkeypatch, fine).load("other") is Toy
    assert [entry.name for entry in table(monkeypatch, fine).entries()] == ["own", "p:", "other"]
    shadow = EntryPoint("own", f"{__name__}:Toy", "privstamp.toys")
    with pytest.raises(Incompatible, match='"own"'):
        table(monkeypatch, shadow).entries()
    with pytest.raises(Incompatible, match='"other"'):
        table(monkeypatch, fine, fine).entries()


def test_options_are_checked_against_what_the_part_takes(monkeypatch):
    toys = table(monkeypatch)
    assert toys.build("own", {"strength": 3}, space="s").made == ("s", 3)
    with pytest.raises(PolicyError, match=r'no option "strenght".*Did you mean "strength"'):
        toys.build("own", {"strenght": 3}, space="s")
    with pytest.raises(PolicyError, match=r'no option "space"'):
        toys.build("own", {"space": "mine"}, space="s")


def named(name: str, *, strength: int = 1) -> tuple[str, int]:
    return name, strength


def test_a_factory_of_several_names_is_told_which(monkeypatch):
    toys = Table("toy", "privstamp.toys", dict.fromkeys(("a", "p:"), f"{__name__}:named"))
    assert toys.build("a", {"strength": 2}) == ("a", 2)
    assert toys.build("p:some:where", {}) == ("p:some:where", 1)
    with pytest.raises(PolicyError, match='no option "name"'):
        toys.build("a", {"name": "b"})


def test_what_follows_a_prefix_is_handed_over(monkeypatch):
    assert table(monkeypatch).build("p:some:where", {}) == "some:where"


def test_the_replacements_that_are_known_by_name_are_those_of_ours_that_replace():
    drawing = {name for name in NAMES["mechanisms"] if hasattr(MECHANISMS.load(name), "draw")}
    assert drawing == REPLACING
    assert all(name in MECHANISMS for name in NAMES["mechanisms"])
    assert "somebody-elses" not in MECHANISMS

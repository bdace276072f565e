"""Proofs stay with the code they cover: same hash, and every check they name exists."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path

import pytest

import privstamp.mechanisms
from privstamp.registry import MECHANISMS

FOLDER = Path(privstamp.mechanisms.__file__).parent
PROOFS = sorted(FOLDER.glob("*.md"))
TESTS = Path(__file__).parents[1]
COVERS = re.compile(r"^    ([\w./]+\.py) ([0-9a-f]{16})$", re.MULTILINE)
WITH_METRIC = [
    kind
    for kind in (MECHANISMS.load(entry.name) for entry in MECHANISMS.entries())
    if hasattr(kind, "metrics")
]
PARTS = ["Precondition", "Statement", "Proof", "Numerics", "Side channels", "Checked by"]


def source_hash(name):
    """First 16 digits of a module's SHA-256, line ends as on Unix."""
    return sha256((FOLDER / name).read_text(encoding="utf-8").encode()).hexdigest()[:16]


def defined_tests():
    found = set()
    for path in TESTS.rglob("test_*.py"):
        found |= set(re.findall(r"^def (test_\w+)\(", path.read_text(encoding="utf-8"), re.M))
    return found


@pytest.mark.parametrize("proof", PROOFS, ids=lambda path: path.stem)
def test_proof_covers_the_code_as_it_is(proof):
    covered = COVERS.findall(proof.read_text(encoding="utf-8"))
    assert covered[0][0] == proof.with_suffix(".py").name
    for name, written in covered:
        assert written == source_hash(name), (
            f"{name} has changed. Reread {proof.name}, then write {source_hash(name)}"
        )


@pytest.mark.parametrize("proof", PROOFS, ids=lambda path: path.stem)
def test_proof_has_every_part_in_order(proof):
    titles = re.findall(r"^## (.+)$", proof.read_text(encoding="utf-8"), re.MULTILINE)
    assert [title for title in titles if title in PARTS] == PARTS


@pytest.mark.parametrize("proof", PROOFS, ids=lambda path: path.stem)
def test_every_check_that_a_proof_names_exists(proof):
    checks = proof.read_text(encoding="utf-8").partition("## Checked by")[2]
    named = set(re.findall(r"\btest_\w+", checks))
    assert named
    assert named <= defined_tests()


@pytest.mark.parametrize("name", ["polar.md", "laplace.md", "_discrete.md"])
def test_every_condition_that_a_proof_names_is_labelled_in_the_code(name):
    text = (FOLDER / name).read_text(encoding="utf-8")
    files = [file for file, _ in COVERS.findall(text)]
    source = "".join((FOLDER / file).read_text(encoding="utf-8") for file in files)
    labels = set(re.findall(r"\bC\d\b", text))
    assert len(labels) >= 3
    for label in labels:
        assert f"# {label}" in source


@pytest.mark.parametrize("mechanism", WITH_METRIC, ids=lambda kind: kind.__name__)
def test_every_mechanism_points_at_its_proof(mechanism):
    text = (FOLDER / mechanism.proof).read_text(encoding="utf-8")
    assert f"`{mechanism.name}`" in text or text.startswith(f"# {mechanism.name}\n")


def test_an_edit_of_the_code_would_be_noticed(tmp_path, monkeypatch):
    (tmp_path / "a.py").write_text("x = 1\n")
    monkeypatch.setitem(globals(), "FOLDER", tmp_path)
    before = source_hash("a.py")
    (tmp_path / "a.py").write_text("x = 2\n")
    assert source_hash("a.py") != before

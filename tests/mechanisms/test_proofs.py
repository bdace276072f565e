"""Proofs stay with the code they cover: same hash, and every check they name exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from privstamp.registry import MECHANISMS
from proofs import FOLDER, covered, hash_of, proofs, renewed

PROOFS = proofs()
TESTS = Path(__file__).parents[1]
WITH_METRIC = [
    kind
    for kind in (MECHANISMS.load(entry.name) for entry in MECHANISMS.entries())
    if hasattr(kind, "metrics")
]
PARTS = ["Precondition", "Statement", "Proof", "Numerics", "Side channels", "Checked by"]


def defined_tests():
    found = set()
    for path in TESTS.rglob("test_*.py"):
        found |= set(re.findall(r"^def (test_\w+)\(", path.read_text(encoding="utf-8"), re.M))
    return found


@pytest.mark.parametrize("proof", PROOFS, ids=lambda path: path.stem)
def test_proof_covers_the_code_as_it_is(proof):
    lines = covered(proof.read_text(encoding="utf-8"))
    source = (FOLDER / lines[0].file).read_text(encoding="utf-8")
    assert lines[0].file == proof.with_suffix(".py").name or proof.name in source
    for line in lines:
        _, remark = renewed(line)
        assert remark is None, f"{proof.name}: {remark}; then make proofs"


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
    files = [line.file for line in covered(text)]
    source = "".join((FOLDER / file).read_text(encoding="utf-8") for file in files)
    labels = set(re.findall(r"\bC\d\b", text))
    assert len(labels) >= 3
    for label in labels:
        assert f"# {label}" in source


@pytest.mark.parametrize("mechanism", WITH_METRIC, ids=lambda kind: kind.__name__)
def test_every_mechanism_points_at_its_proof(mechanism):
    text = (FOLDER / mechanism.proof).read_text(encoding="utf-8")
    assert f"`{mechanism.name}`" in text or text.startswith(f"# {mechanism.name}\n")


CODE = """
from elsewhere import helper
SCALE = 2.0

def half(x):
    return x / SCALE

class Law:
    \"\"\"What it says.\"\"\"
    def row(self, x):
        return half(x) + 1  # C1

class Other:
    pass
"""


def test_layout_comments_docstrings_and_neighbours_do_not_count():
    """So that a move, or a better sentence, asks nobody to reread a proof."""
    other = CODE.replace("# C1", "# C1, and more").replace("What it says.", "More.\n\n    Of it.")
    other = other.replace("    pass", "    kept = True").replace("from elsewhere", "from here")
    other = "import math\n" + other.replace("(x) + 1", "(\n            x) + 1")
    assert other != CODE
    assert hash_of(other, ("Law",)) == hash_of(CODE, ("Law",))


@pytest.mark.parametrize(
    ("old", "new"),
    [("+ 1", "- 1"), ("x / SCALE", "x * SCALE"), ("2.0", "2.5"), ("def row", "def rows")],
)
def test_an_edit_of_the_code_or_of_what_it_calls_is_noticed(old, new):
    assert hash_of(CODE.replace(old, new), ("Law",)) != hash_of(CODE, ("Law",))


def test_a_move_is_found_and_asks_for_no_rereading(tmp_path):
    folder = tmp_path / "mechanisms"
    folder.mkdir()
    (folder / "law.py").write_text(CODE)
    (folder / "law.md").write_text(f"# law\n    law.py: Law {hash_of(CODE, ('Law',))}\n")
    [line] = covered((folder / "law.md").read_text())
    assert renewed(line, folder) == (line, None)
    (folder / "law.py").rename(tmp_path / "moved.py")
    new, remark = renewed(line, folder)
    assert (new.file, new.hash) == ("../moved.py", line.hash) and "nothing to reread" in remark
    (tmp_path / "moved.py").write_text(CODE.replace("+ 1", "+ 2"))
    assert renewed(line, folder)[1].startswith("GONE")
    (folder / "law.py").write_text(CODE.replace("+ 1", "+ 2"))
    assert renewed(line, folder)[1].startswith("REREAD")

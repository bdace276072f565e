"""DESIGN's layer rule: a module imports only from its own layer's earlier rooms, or above."""

import ast
from pathlib import Path

import pytest

import privstamp

ROOT = Path(privstamp.__file__).parent
ORDER = [
    # 0 facts
    "errors", "types", "text", "budget", "noise", "assets", "crew",
    # 1 contracts
    "protocols", "registry", "policy",
    # 2 stages, in the order text meets them
    "spaces", "sensitivity", "importance", "mechanisms", "decoding", "models", "repair",
    # 3 the line
    "restore", "release.groups", "release.certificate", "release.signature",
    "release.replaced", "release.surrogates",
    "release.roster", "result",
    "release.document", "release.selfcheck", "release.parts",
    "release.draws", "release.issuer",
    "release.total", "release.writer", "release.repairs", "release.stages",
    "release", "sessions",
    "pipeline",
    # 4 built on the line: the laboratory's common rooms, then its doors
    "batch", "gateway",
    "lab", "lab.progress", "lab.estimate", "lab.journal", "lab.report",
    "lab.attackers",
    "lab.frontier", "lab.audit", "lab.calibration", "lab.evals", "lab.bench",
    # 5 the edges
    "cli", "testing", "__main__",
]  # fmt: skip


def room(path: Path) -> str:
    return place(list(path.relative_to(ROOT).with_suffix("").parts))


def place(parts: list[str]) -> str:
    """The room of a module; the laboratory's doors are rooms of their own."""
    door = ".".join(parts[:2])
    return door if door in ORDER else parts[0]


def imported(path: Path) -> set[str]:
    """Rooms that a module imports, wherever in it the import stands; types count as well."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        names: list[str] = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module]
            if node.module in ("privstamp", "privstamp.lab", "privstamp.release"):
                names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        found |= {place(name.split(".")[1:]) for name in names if name.startswith("privstamp.")}
    return found - {"__version__"}


MODULES = sorted(path for path in ROOT.rglob("*.py") if path != ROOT / "__init__.py")


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_imports_only_from_layers_above(path):
    here = room(path)
    assert here in ORDER, f"{here} has no place in the list of layers yet"
    allowed = ORDER[: ORDER.index(here) + 1]
    public = {"Privatizer", "Budget", "Policy"} if here == "cli" else set()
    assert imported(path) - public <= set(allowed)


def test_the_rule_notices_a_wrong_import(tmp_path):
    wrong = tmp_path / "wrong.py"
    wrong.write_text("def late():\n    from privstamp.pipeline import Privatizer\n")
    assert imported(wrong) == {"pipeline"}


def test_modules_stay_small():
    sizes = sorted(len(path.read_text().splitlines()) for path in MODULES)
    assert sizes[-1] <= 400
    assert sizes[len(sizes) // 2] <= 210  # fewer modules are wanted as well: ROOMS


def test_names_of_test_files_are_unique():
    """pytest imports them by name alone."""
    names = [path.name for path in Path(__file__).parent.rglob("test_*.py")]
    assert len(names) == len(set(names))


def classes_asked_for(source: str) -> list[str]:
    """Classes of mechanisms that a module asks objects for, by isinstance or issubclass."""
    tree = ast.parse(source)
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    known = {
        alias.asname or alias.name
        for node in imports
        if (node.module or "").startswith("privstamp.mechanisms")
        for alias in node.names
    }
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and len(node.args) == 2)
    return [
        name.id
        for call in calls
        if isinstance(call.func, ast.Name) and call.func.id in ("isinstance", "issubclass")
        for name in ast.walk(call.args[1])
        if isinstance(name, ast.Name) and name.id in known
    ]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_nobody_asks_a_mechanism_for_its_class(path):
    """A part carries all that is true of it; a third party's is as good as ours."""
    if room(path) != "mechanisms":
        assert not classes_asked_for(path.read_text())


def test_the_rule_notices_a_class_that_is_asked_for():
    source = "from privstamp.mechanisms.polar import Polar as P\nx = isinstance(y, int | P)\n"
    assert classes_asked_for(source) == ["P"]
    assert not classes_asked_for(source.replace("isinstance", "print"))

"""Import contracts beside the order of layers: stages alone, private modules, the laboratory.

What breaks one today stands in a list with its reason. A list may only shrink: an exception that
nobody needs any more fails as well.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import privstamp
from privstamp.registry import MECHANISMS

ROOT = Path(privstamp.__file__).parent
STAGES = ("spaces", "sensitivity", "importance", "mechanisms", "decoding", "models", "repair")
BETWEEN_STAGES = {
    ("sensitivity", "spaces"): "word lists, frequencies and how a text is cut are the spaces'",
    (
        "importance",
        "spaces",
    ): "tokenizers and files of encoders are read there, and lists of small words",
    ("mechanisms", "spaces"): "graphs, partitions and neighbours of the public table",
    ("models", "spaces"): "tokenizers and model files are read there",
    ("models", "decoding"): "certified int8 products",
    ("mechanisms", "sensitivity"): "surrogates avoid public names and common words",
    ("importance", "sensitivity"): "terms of the owner are matched as its lists are",
    ("repair", "importance"): "which words a task has, and where sentences end",
    ("repair", "spaces"): "lists of small words",
    ("repair", "models"): "a repair asks a model that answers",
}
CONCRETE = {
    ("lab/evals/conditions.py", "surrogate"): "the mask of published tools is the placeholder's",
}


def imports(path: Path) -> set[str]:
    """Modules of this package that a module imports, wherever the import stands."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("privstamp"):
            folder = ROOT.parent.joinpath(*str(node.module).split("."))
            for alias in node.names:
                inside = folder / alias.name
                is_module = inside.with_suffix(".py").exists() or inside.is_dir()
                found.add(f"{node.module}.{alias.name}" if is_module else str(node.module))
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name.startswith("privstamp.")}
    return found


@cache
def all_imports() -> list[tuple[str, list[str]]]:
    """Each module by its path, with the parts of each name that it imports."""
    return [
        (path.relative_to(ROOT).as_posix(), name.split(".")[1:])
        for path in sorted(ROOT.rglob("*.py"))
        for name in sorted(imports(path))
        if "." in name
    ]


def test_stages_do_not_know_each_other():
    found = {
        (importer.split("/")[0], parts[0])
        for importer, parts in all_imports()
        if importer.split("/")[0] in STAGES and parts[0] in STAGES
    }
    across = {pair for pair in found if pair[0] != pair[1]}
    assert across - BETWEEN_STAGES.keys() == set(), "a stage that imports another one"
    assert BETWEEN_STAGES.keys() - across == set(), "mended: take it off the list"


def test_nobody_imports_a_private_module_of_another_room():
    foreign = [
        (importer, ".".join(parts))
        for importer, parts in all_imports()
        if any(part.startswith("_") and not part.startswith("__") for part in parts)
        and importer.split("/")[:-1] != parts[:-1]
    ]
    assert foreign == []


def test_the_laboratory_imports_no_concrete_mechanism():
    """It asks parts by name; what is true of a mechanism, the mechanism says."""
    targets = {entry.target for entry in MECHANISMS.entries() if entry.provider == "privstamp"}
    modules = {target.partition(":")[0].rpartition(".")[2] for target in targets}
    found = {
        (importer, parts[1])
        for importer, parts in all_imports()
        if importer.startswith("lab/") and parts[0] == "mechanisms" and parts[1] in modules
    }
    assert found == CONCRETE.keys()


def test_the_contracts_notice_what_breaks_them(tmp_path):
    wrong = tmp_path / "wrong.py"
    wrong.write_text("def late():\n    from privstamp.mechanisms import polar, _discrete\n")
    assert imports(wrong) == {"privstamp.mechanisms.polar", "privstamp.mechanisms._discrete"}
    wrong.write_text("from privstamp.mechanisms.polar import Polar\nimport privstamp.noise\n")
    assert imports(wrong) == {"privstamp.mechanisms.polar", "privstamp.noise"}

"""Examples in docstrings are true."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

import privstamp

ROOT = Path(privstamp.__file__).parent
SHOWN = sorted(path for path in ROOT.rglob("*.py") if ">>> " in path.read_text("utf-8"))


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT.parent).with_suffix("").parts)


@pytest.mark.parametrize("name", map(module_of, SHOWN))
def test_examples(name):
    outcome = doctest.testmod(import_module(name))
    assert outcome.attempted and not outcome.failed


def test_a_wrong_example_would_be_noticed():
    example = doctest.DocTestParser().get_doctest(">>> 1 + 1\n3\n", {}, "wrong", None, None)
    assert doctest.DocTestRunner(verbose=False).run(example, out=lambda _: None).failed == 1

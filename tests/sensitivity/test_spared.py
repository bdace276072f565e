"""Large libraries stay away from a line, and from nobody who has them already."""

import importlib
import subprocess
import sys

import pytest

from privstamp.sensitivity.ner import spared


@pytest.fixture
def large(tmp_path, monkeypatch) -> str:
    """A package that is installed and not yet imported."""
    (tmp_path / "quite_large.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    yield "quite_large"
    sys.modules.pop("quite_large", None)


def test_a_line_does_without_and_others_have_it_afterwards(large):
    with spared([large]), pytest.raises(ImportError):
        importlib.import_module(large)
    importlib.import_module(large)


def test_what_is_imported_already_stays():
    with spared(["json"]):
        assert importlib.import_module("json") is sys.modules["json"]
    assert "json" in sys.modules


@pytest.mark.slow
def test_a_privatizer_beside_torch_does_not_import_it(tmp_path):
    (tmp_path / "torch.py").write_text("raise SystemExit('torch was imported')")
    program = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "from privstamp import Privatizer\n"
        "from privstamp.sensitivity.ner import LARGE\n"
        "Privatizer().privatize('Miriam Castellano saw Lisbon.')\n"
        "print(sorted(sys.modules.keys() & set(LARGE)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True)
    assert done.stdout.strip() == b"[]", done.stderr

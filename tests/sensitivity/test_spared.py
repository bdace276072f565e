"""Large libraries stay away from a command, and from nobody else."""

import importlib
import subprocess
import sys

import pytest

from privstamp.sensitivity.spared import spared


@pytest.fixture
def large(tmp_path, monkeypatch) -> str:
    """A package that is installed and not yet imported."""
    (tmp_path / "quite_large.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    yield "quite_large"
    sys.modules.pop("quite_large", None)


@pytest.mark.parametrize("command", [True, False])
def test_a_command_does_without(large, monkeypatch, command):
    monkeypatch.delitem(sys.modules, "privstamp.cli", raising=False)
    if command:
        monkeypatch.setitem(sys.modules, "privstamp.cli", sys)
    with spared([large]):
        if command:
            with pytest.raises(ImportError):
                importlib.import_module(large)
        else:
            importlib.import_module(large)
    importlib.import_module(large)


def test_what_is_imported_already_stays(monkeypatch):
    monkeypatch.setitem(sys.modules, "privstamp.cli", sys)
    with spared(["json"]):
        assert importlib.import_module("json") is sys.modules["json"]
    assert "json" in sys.modules


@pytest.mark.slow
def test_the_detector_of_a_command_imports_none_of_them():
    program = (
        "import sys, privstamp.cli\n"
        "from privstamp.sensitivity.presidio import PresidioSensitivity\n"
        "from privstamp.sensitivity.spared import LARGE\n"
        "PresidioSensitivity()\n"
        "print(sorted(sys.modules.keys() & set(LARGE)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout.strip() == b"[]"

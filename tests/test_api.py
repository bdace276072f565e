"""The public names are these and no others, and they cost nothing until they are used."""

import subprocess
import sys
from importlib.util import find_spec

import pytest

import privstamp

PUBLIC = [
    "Budget", "Certificate", "Failure", "Policy", "Privatizer", "PrivstampError", "Result",
    "SurrogateMap", "__version__",
]  # fmt: skip


def test_public_names_are_these():
    assert privstamp.__all__ == PUBLIC
    assert dir(privstamp) == PUBLIC
    assert all(getattr(privstamp, name) is not None for name in PUBLIC)


def test_other_names_do_not_exist():
    with pytest.raises(AttributeError, match="Privatiser"):
        privstamp.Privatiser  # noqa: B018


def test_importing_privstamp_loads_nothing_heavy():
    code = "import sys, privstamp; print(*sorted(m for m in sys.modules if '.' not in m))"
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {"numpy", "pydantic", "spacy", "presidio_analyzer", "typer", "rich"} & set(out)


def test_making_a_policy_loads_no_model_library():
    code = "import sys; from privstamp import Budget, Policy; Policy(); print(*sys.modules)"
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {"spacy", "presidio_analyzer", "tokenizers", "pyarrow"} & set(out)


UNUSED = {
    "privstamp.spaces.glove", "privstamp.spaces.graph",
    "privstamp.mechanisms.polar", "privstamp.mechanisms.stated", "privstamp.mechanisms.fluency",
    "privstamp.decoding", "privstamp.models", "privstamp.repair", "privstamp.sessions.session",
    "privstamp.importance.task_match", "snowballstemmer",
}  # fmt: skip


def loaded(line: str) -> set[str]:
    code = f"import sys; from privstamp import Privatizer; {line}; print(*sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(out.stdout.split())


def test_a_default_line_loads_no_part_that_it_does_not_use():
    line = "Privatizer().privatize('Mara Quillfeather is well.')"
    exec(f"from privstamp import Privatizer; {line}")  # tables that are made once are made
    assert not UNUSED & loaded(line)


def test_a_session_loads_what_it_uses():
    """The names above are those of today."""
    assert "privstamp.sessions.session" in loaded("Privatizer().session()")
    assert all(find_spec(name) for name in UNUSED)

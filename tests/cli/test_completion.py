"""Values that the shell offers, asked for as the shell does."""

import os
import subprocess
import sys

import pytest

from privstamp.assets.catalogue import ASSETS
from privstamp.cli.options import ACCEPTABLE
from privstamp.policy import PRESETS
from privstamp.registry import MECHANISMS, REPAIRS, SPACES, TABLES


def offered(words, word):
    """What bash would be told for the last word of a line."""
    line = ["privstamp", *words, word]
    settings = {
        "_PRIVSTAMP_COMPLETE": "complete_bash",
        "COMP_WORDS": " ".join(line),
        "COMP_CWORD": str(len(line) - 1),
        "_TYPER_COMPLETE_TESTING": "True",
    }
    code = "from privstamp.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **settings}, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    return set(done.stdout.split())


STRONG = {entry.name for entry in MECHANISMS.entries()} - {"surrogate", "placeholder"}


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (["privatize", "--preset"], set(PRESETS)),
        (["policy", "diff"], set(PRESETS)),
        (["list"], set(TABLES)),
        (["calibrate", "--mechanism"], STRONG),
        (["frontier", "--mechanism"], STRONG),
        (["frontier", "--space"], {entry.name for entry in SPACES.entries()}),
        (["assets", "pull"], set(ASSETS)),
        (["assets", "verify"], set(ASSETS)),
        (["privatize", "--repair"], {entry.name for entry in REPAIRS.entries()}),
        (["privatize", "--accept"], set(ACCEPTABLE)),
    ],
    ids=lambda value: " ".join(sorted(value) if isinstance(value, set | frozenset) else value),
)
def test_values_are_offered(words, names):
    assert offered(words, "") == names


def test_only_those_that_begin_so():
    assert offered(["privatize", "--preset"], "s") == {"selective", "stamp"}

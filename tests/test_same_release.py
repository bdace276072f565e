"""Under a secret a repeated call is the same release, whatever else changed in the sources."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import privstamp
from line import make
from privstamp import Budget, Privatizer
from privstamp.assets import cache

SECRET = b"no secret at all"
TEXT = "Miriam Castellano met Henrik Lindqvist in Lisbon on 3 May; write to mara@example.com."
PROGRAM = f"""
from privstamp import Privatizer
print(Privatizer(secret={SECRET!r}).privatize({TEXT!r}).text)
"""


@pytest.mark.slow
def test_a_comment_in_any_source_file_changes_no_release(tmp_path):
    expected = Privatizer(secret=SECRET).privatize(TEXT).text
    source = Path(privstamp.__file__).parent
    shutil.copytree(source, tmp_path / "src" / "privstamp", ignore=shutil.ignore_patterns("*.pyc"))
    for module in (tmp_path / "src").rglob("*.py"):
        with module.open("a") as file:
            file.write("\n# another comment\n")
    root = tmp_path / "cache" / "derived"
    root.mkdir(parents=True, mode=0o700)
    for folder in (cache.cache_folder() / "derived").glob("glove-*[0-9a-f]"):
        if folder.is_dir():
            shutil.copytree(folder, root / folder.name, copy_function=os.link)
    paths = {"PYTHONPATH": str(tmp_path / "src"), "PRIVSTAMP_CACHE": str(root.parent)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env={**os.environ, **paths}, capture_output=True, text=True
    )
    assert done.stdout.rstrip("\n") == expected, done.stderr[-2000:]


def test_other_pools_are_other_keys(monkeypatch):
    """A list of names that changes must not change single draws under an unchanged key."""
    before = make(monkeypatch, secret=SECRET, budget=Budget.uniform(0.0))
    text = "Anna met Bert and 4711 of them"
    release = before.privatize(text).text
    assert before.privatize(text).text == release
    for replacement in set(before.parts.replacements.values()):
        monkeypatch.setattr(replacement, "fingerprint", "of other pools")
    after = Privatizer(before.policy, parts=before.parts, secret=SECRET)
    assert after.privatize(text).text != release

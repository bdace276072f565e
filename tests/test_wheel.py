"""The built wheel, alone in a fresh environment, does the job: nothing depends on the checkout."""

import json
import os
import re
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    out = tmp_path_factory.mktemp("dist")
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    run(*pip, "--wheel-dir", str(out), str(ROOT))
    return next(out.glob("privstamp-*.whl"))


@pytest.mark.slow
def test_the_wheel_holds_the_package_with_its_proofs_and_nothing_else(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert "privstamp/mechanisms/polar.md" in names and "privstamp/py.typed" in names
    assert "privstamp/lab/evals/data/fantasy.jsonl" in names
    assert all(name.startswith("privstamp") for name in names)
    assert not any(name.endswith((".npy", ".gguf", ".parquet")) for name in names)
    graphs = [name for name in names if name.endswith(".bin")]
    assert len(graphs) == 1 and graphs[0].startswith("privstamp/spaces/data/graph-")
    sizes = {info.filename: info.file_size for info in zipfile.ZipFile(wheel).infolist()}
    assert sizes.pop(graphs[0]) < 5_000_000
    assert sum(sizes.values()) < 8_000_000


@pytest.mark.slow
def test_no_link_of_the_readme_is_broken_on_a_package_index(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    metadata = next(name for name in names if name.endswith("METADATA"))
    shown = zipfile.ZipFile(wheel).read(metadata).decode()
    assert "pip install privstamp" in shown and "The privacy promise" in shown
    assert re.findall(r"\]\((?!https:)[^)]*\)", shown) == []


@pytest.mark.slow
def test_the_wheel_works_in_an_empty_environment(wheel, tmp_path):
    home = tmp_path / "env"
    venv.create(home, with_pip=False)
    python = home / "bin" / "python"
    site = Path(run(str(python), "-c", "import site; print(site.getsitepackages()[0])").strip())
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-deps"]
    run(*pip, str(wheel))
    # The dependencies are those of the tests; the package itself must come from the wheel.
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    where = run(str(python), "-c", "import privstamp; print(privstamp.__file__)", cwd=tmp_path)
    assert Path(where.strip()).is_relative_to(site)
    (tmp_path / "note.txt").write_text("Mara Quillfeather called about her knee.\n")
    (tmp_path / "privstamp.toml").write_text('extends = "stamp"\nsensitivity = "rules"\n')
    command = [str(home / "bin" / "privstamp"), "privatize", "note.txt", "--json"]
    command += ["--policy", "privstamp.toml"]
    out = json.loads(run(*command, cwd=tmp_path, env={**os.environ, "NO_COLOR": "1"}))
    assert out["certificate"]["counts"]["units"] >= 6 and "Quillfeather" not in out["text"]

"""What an installation without extras can and cannot do."""

import subprocess
import sys

import pytest

from privstamp.errors import MissingExtra
from privstamp.lab import progress

WITHOUT = """
import sys
for name in ("scipy", "torch", "sklearn", "matplotlib", "onnxruntime"):
    sys.modules[name] = None
from privstamp import Privatizer
print(Privatizer().privatize("Mara Quillfeather is well.").certificate.counts.replaced)
"""


def test_a_missing_extra_names_its_install_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.special", None)
    with pytest.raises(MissingExtra, match=r'pip install "privstamp\[lab\]"'):
        progress.special()


@pytest.mark.slow
def test_the_default_line_runs_without_any():
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) == 2

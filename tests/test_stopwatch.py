from __future__ import annotations

from privstamp.lab import progress
from privstamp.lab.progress import StageTimes


def test_stages_add_up(monkeypatch):
    clock = iter([0.0, 1.0, 3.5, 10.0])
    monkeypatch.setattr(progress.time, "perf_counter", lambda: next(clock))
    stages = StageTimes()
    for name in ("splitting", "mechanism", "mechanism", "splitting"):
        stages(name, 0.0)
    assert stages.end() == {"splitting": 7.5, "mechanism": 2.5}

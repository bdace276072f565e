"""One profile for all property tests, and a plain word on tests that could not run."""

import os

from hypothesis import settings

settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")


def pytest_terminal_summary(terminalreporter):
    skipped = terminalreporter.stats.get("skipped", [])
    torch = sum("torch" in str(report.longrepr) for report in skipped)
    if torch:
        terminalreporter.write_line(
            f"{torch} tests did not run for want of torch; make torch installs it", yellow=True
        )

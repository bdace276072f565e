"""One profile for all property tests, and a plain word on tests that could not run."""

import os

from hypothesis import settings

settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")


def pytest_terminal_summary(terminalreporter):
    skipped = terminalreporter.stats.get("skipped", [])
    for wanted, fix in (
        ("torch", "make torch installs it"),
        ("POSTGRESQL", "apt-get install postgresql"),
    ):
        missing = sum(wanted in str(report.longrepr) for report in skipped)
        if missing:
            terminalreporter.write_line(
                f"{missing} tests did not run for want of {wanted}; {fix}", yellow=True
            )

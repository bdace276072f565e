"""The default detector, loaded once: it takes two seconds."""

import pytest

from privstamp.sensitivity.presidio import PresidioSensitivity


@pytest.fixture(scope="session")
def presidio() -> PresidioSensitivity:
    return PresidioSensitivity()

"""A line that knows a few names, and requests that hold them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from line import Named
from privstamp.pipeline import Privatizer
from privstamp.policy import Policy
from privstamp.release.parts import assemble

KINDS = {
    "Ann Quux": "PERSON",
    "Quux": "PERSON",
    "quux": "PERSON",
    "Zworg Blarg": "PERSON",
    "Blarg": "PERSON",
    "4711-0815": "ACCOUNT_NUMBER",
}


@pytest.fixture(scope="session")
def parts():
    return assemble(Policy.of({"sensitivity": {"name": "rules"}}))


@pytest.fixture
def privatizer(parts):
    return Privatizer(Policy(), parts=replace(parts, sensitivity=Named(KINDS)))


@pytest.fixture
def session(privatizer):
    return privatizer.session()

"""What stands beside the line is what it is called, and finds something."""

from __future__ import annotations

import pytest

from privstamp.lab.bench.line import presidio, spacy_ner
from privstamp.sensitivity.ner import Ner

TEXTS = ["Ingrid Halvorsen lives in Bergen. Write to ingrid@example.com or call 212-555-0123."]


@pytest.mark.slow
def test_spacy_finds_names():
    (found,) = spacy_ner()(TEXTS)
    assert (0, 16, "PERSON") in found
    assert found == Ner("en", None).by_spacy(TEXTS)[0]


@pytest.mark.slow
def test_presidio_is_its_own_engine_with_all_its_recognisers():
    (found,) = presidio()(TEXTS)
    assert {"PERSON", "LOCATION", "EMAIL_ADDRESS", "PHONE_NUMBER"} <= {
        one.entity_type for one in found
    }

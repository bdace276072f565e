"""A company's name goes back from its legal form to where it begins."""

import re

import pytest

from privstamp.sensitivity.confirm import FORMS, firm_in, outset


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("MUTUAL NDA between ACME WIDGETS PLC", "ACME WIDGETS PLC"),
        ("IN THE MATTER OF Brightwater Holdings LLC", "Brightwater Holdings LLC"),
        ("IN THE MATTER OF BRIGHTWATER HOLDINGS LLC", "BRIGHTWATER HOLDINGS LLC"),
        ("IN RE BLUE HARBOUR FOODS INC.", "BLUE HARBOUR FOODS INC."),
        ("BETWEEN BRIGHT STAR LTD AND NORDVIK LTD", "NORDVIK LTD"),
        ("BRIGHT STAR LTD V. NORDVIK LTD", "NORDVIK LTD"),
        ("INVOICE FROM: SMITH & SONS LTD", "SMITH & SONS LTD"),
        ("TO SMITH AND SONS LTD", "SMITH AND SONS LTD"),
        ("They met Bank of Nordvik plc", "Bank of Nordvik plc"),
        ("ask The Widget Company Ltd", "The Widget Company Ltd"),
    ],
)
def test_a_name_begins_behind_the_last_small_word(text, name):
    form = list(re.finditer(rf"(?<!\w)(?:{FORMS})(?!\w)", text))[-1]
    assert text[outset(text, form.start()) : form.end()] == name
    assert firm_in(text, 0, form.end()) == outset(text, form.start())


@pytest.mark.parametrize(
    "text", ["THE WARRANTY IS LIMITED", "LIABILITY SHALL BE LIMITED", "it went to the LLC"]
)
def test_no_name_is_no_company(text):
    assert firm_in(text, 0, len(text)) is None

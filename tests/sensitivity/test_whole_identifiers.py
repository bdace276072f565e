"""Identifiers of which a part was left: postcodes of Ireland, plates in groups, hidden numbers."""

import pytest

from privstamp import Privatizer


@pytest.fixture(scope="module")
def line():
    return Privatizer(seed=4)


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("She moved to N37 F6K2 last year.", ["N37", "F6K2"]),
        ("Send it to D02 AF30, not to A94 H2W0.", ["D02", "AF30", "A94", "H2W0"]),
        ("12 Main Street, Tralee, V92 X4T7", ["V92", "X4T7"]),
        ("Eircode T12X8YE is right.", ["T12X8YE"]),
        ("The car BX 44 KM GP was seen.", ["BX 44", "KM GP"]),
        ("Plates 1KZ 8QT were on it.", ["1KZ", "8QT"]),
        ("A white van, ND 12 KL ZN; it left.", ["ND 12", "KL ZN"]),
        ("Her SSN is ***-**-4471 on file.", ["4471"]),
        ("Card **** **** **** 8821 was declined.", ["8821"]),
        ("The account \u2022\u2022\u2022\u20222207 is closed.", ["2207"]),
        ("The passcode 9921, as ever.", ["9921"]),
        ("SIGNED ON THE 2ND OF JUNE BY HIM", ["2ND OF JUNE"]),
        ("Due on the 21ST MARCH 2024 at noon.", ["21ST MARCH"]),
    ],
)
def test_all_of_it_goes(line, text, gone):
    released = line.privatize(text).text
    assert not [part for part in gone if part in released]


@pytest.mark.parametrize(
    "text",
    [
        "Take 10 MG BD and rest.",
        "The result is 2 ** 100 here.",
        "It has **200 people** in it.",
        "The pain was worst at T12, then at L1 and L2.",
        "The password policy was renewed in 2024.",
        "The 2ND TEAM won again.",
    ],
)
def test_what_only_looks_so_stays(line, text):
    assert line.privatize(text).text == text

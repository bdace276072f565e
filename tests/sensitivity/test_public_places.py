"""Addresses of every machine, regions and ports are public; a date in a file's name is one."""

import pytest

from privstamp import Privatizer
from privstamp.sensitivity.number_roles import Numbers

NUMBERS = Numbers("en")


@pytest.fixture(scope="module")
def line():
    return Privatizer(seed=4)


@pytest.mark.parametrize(
    "text",
    [
        "It listens on 0.0.0.0 and on 127.0.0.1:8080 here.",
        "The default route is 0.0.0.0/0 there.",
        "The mask is 255.255.255.0 on this network.",
        "Resolve it on 127.0.0.53 or [::1] first.",
        "It runs in eu-north-1, us-east-2a and ap-southeast-2 now.",
        "Moved to europe-west4-a and us-gov-west-1 last year.",
        "The thread http-nio-8080-exec-3 is blocked.",
    ],
)
def test_nothing_is_replaced(line, text):
    assert line.privatize(text).text == text


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("The server (192.168.40.21, login x) is down.", "192.168.40.21"),
        ("Call host 10.20.3.4 again.", "10.20.3.4"),
        ("The route is 10.20.0.0/16 there.", "10.20.0.0/16"),
        ("Use 2001:db8:1::/48 for it.", "2001:db8:1::/48"),
        ("telephone server 192.168.40.21:8080", "192.168.40.21:8080"),
    ],
)
def test_an_address_has_one_mechanism(line, text, address):
    changes = line.privatize(text).changes
    assert [(text[c.start : c.end], c.kind) for c in changes] == [(address, "IP_ADDRESS")]


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("see houses_2024-02-29.log for it", ["2024-02-29"]),
        ("backup-2023-11-02.tar.gz is old", ["2023-11-02"]),
        ("report.2024-01-05.csv and notes_2024-01-06_old.txt", ["2024-01-05", "2024-01-06"]),
        ("scan_2024-02-31.log is none", []),
        ("houses_2024-02-291.log is none", []),
    ],
)
def test_a_date_in_the_name_of_a_file(text, dates):
    assert [text[n.start : n.end] for n in NUMBERS.of(text) if n.role == "DATE"] == dates

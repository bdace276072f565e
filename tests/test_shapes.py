"""What programs, tables and single words of no end look like under the default."""

import sys

import pytest

from privstamp import Privatizer
from privstamp.text.formats.recognition import read

STAY = [
    "/* monthly sums */\nSELECT o.total, c.region FROM orders o\nWHERE o.status = 'paid';\n",
    "-- sums\n/* of all\n * days */\nSELECT o.total FROM orders o;\n",
    'Use `df.groupby("tone")` here, or df.groupby("tone") there.',
    '# How to\n\n- one\n- two\n\n```\ndf.groupby("tone").agg(o.total)\n```\n',
    "The handler reads msg.info, config.app and o.total.",
    "She wants size M instead of L, and two shirts (XL).",
    '{"country": "CA", "size": "XL", "gender": "F"}',
    "sex,country,size,day\nF,CA,XL,Mon\nM,DE,L,Thu\nF,US,M,Wed\n",
    "| Colour | Size | Day |\n|---|---|---|\n| red | (XL) | Mon |\n| blue | S | Fri/Sat |\n",
]
GONE = [
    ("Our hosts intranet.dagfjord.nl and dagfjord.info are down.", "dagfjord"),
    ("SELECT mail FROM t WHERE host = 'dagfjord.info';", "dagfjord"),
    ('{"country": "Dagfjord", "name": "Mon Dagfjord"}', "Dagfjord"),
    ("name,day\nThu Dagfjord,Mon\nJun Dagfjord,Tue\n", "Dagfjord"),
]
PATCH = """--- a/Zone.java
+++ b/Zone.java
@@ -1,3 +1,3 @@
 public class Zone {
-    private static final int SIZE = 3;
+    private static final int SIZE = 4;
 }

Signed-off-by: Sunniva Dragset <sunniva.dragset@dagfjord.nl>
"""


@pytest.fixture(scope="module")
def line():
    return Privatizer(seed=1)


@pytest.mark.parametrize("text", STAY)
def test_programs_and_codes_stay(line, text):
    assert line.privatize(text).text == text


@pytest.mark.parametrize(("text", "name"), GONE)
def test_what_may_be_somebody_does_not(line, text, name):
    assert name not in line.privatize(text).text


def test_a_statement_behind_comments_is_sql():
    template = read("/* of\n * May */\n-- more\nSELECT a FROM b;\n")
    assert template is not None
    assert template.format == "sql"


def test_the_hour_of_a_log_in_stays(line):
    released = line.privatize('{"last_login": "2024-03-02T10:22:31Z", "id": 4}').text
    assert "T10:22:31Z" in released
    assert "2024-03-02" not in released


def test_an_address_below_a_patch_becomes_one_of_an_example(line):
    released = line.privatize(PATCH).text
    assert "dagfjord" not in released
    assert released.rstrip().endswith("@example.com>")


def _steps(line, text):
    """Calls of Python, which no other work on the machine changes."""
    calls = 0

    def count(_frame, event, _argument):
        nonlocal calls
        calls += event == "c_call" or event == "call"

    sys.setprofile(count)
    try:
        line.privatize(text)
    finally:
        sys.setprofile(None)
    return calls


def test_one_word_without_end_takes_steps_with_its_length(line):
    _steps(line, "zo" * 1000)
    assert _steps(line, "zo" * 20_000) < 5 * _steps(line, "zo" * 5000)

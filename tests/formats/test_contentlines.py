"""vCards and calendars: names pass, values are read, and what is written parses again."""

import re

import pytest
from exchange import exchanged, fields, kept

from privstamp.errors import InputError
from privstamp.text.formats.recognition import read

CARD = """BEGIN:VCARD
VERSION:3.0
N:Quux;Zworg;;Dr.;
FN:Dr. Zworg Quux
ORG:Zworgwater Dental Group;Oral Surgery
TEL;TYPE=WORK,VOICE:+44 20 7946 0812
item1.EMAIL;TYPE=PREF,INTERNET:z.quux@example.com
ADR;TYPE=HOME:;;14 Castle Lane;Bath;;BA1 2AB;United Kingdom
BDAY:1981-04-09
NOTE:Likes tea\\, coffee\\; and
  long walks\\nalone
END:VCARD
"""
CALENDAR = """BEGIN:VCALENDAR
VERSION:2.0
BEGIN:VEVENT
DTSTART;TZID="Europe/London":20240311T090000
DURATION:PT30M
SUMMARY:Review with Zworg
ORGANIZER;CN=Zworg Quux:mailto:z.quux@example.com
RRULE:FREQ=WEEKLY;BYDAY=MO
X-ZORK-ID:77
END:VEVENT
END:VCALENDAR
"""


def hinted(text):
    template = read(text)
    return {template.reading[one.start : one.end]: one.kind for one in template.hinted()}


@pytest.mark.parametrize(("text", "name"), [(CARD, "vcard"), (CALENDAR, "icalendar")])
def test_seen_at_one_look_and_written_again(text, name):
    assert read(text).format == name
    assert kept(text, name) == text
    assert kept(text.replace("\n", "\r\n"), name) == text.replace("\n", "\r\n")


def test_values_are_read_without_escapes():
    read_fields = fields(read(CARD))
    assert "Likes tea, coffee; and" in read_fields
    assert {"Quux", "Zworg", "14 Castle Lane", "Bath", "BA1 2AB", "1981-04-09"} <= set(read_fields)


def test_names_tell_who_is_meant():
    assert hinted(CARD) == {
        "Quux": "PERSON", "Zworg": "PERSON", "Dr. Zworg Quux": "PERSON",
        "Zworgwater Dental Group": "ORGANIZATION",
    }  # fmt: skip
    assert hinted(CALENDAR) == {"Zworg Quux": "PERSON"}


def test_words_of_the_format_are_no_fields():
    words = " ".join(fields(read(CALENDAR)))
    assert "z.quux@example.com" in words
    assert not any(word in words for word in ("WEEKLY", "PT30M", "MO", "VEVENT", "mailto"))


@pytest.mark.parametrize("text", [CARD, CALENDAR])
def test_whatever_is_put_there_stays_inside_of_its_value(text):
    written, names = exchanged(text, "auto")
    heads = [re.split("[:;]", line)[0] for line in text.splitlines() if line[0] != " "]
    for name, new in names.items():
        heads = [head.replace(name, new) for head in heads]
    lines = [line for line in written.splitlines() if line[0] != " "]
    assert [re.split("[:;]", line)[0] for line in lines] == heads


def test_a_line_that_is_none_is_refused_by_its_number():
    with pytest.raises(InputError, match="line 2"):
        read("BEGIN:VCARD\nno colon\nEND:VCARD", "vcard")

"""Whatever a text is, every reader takes it or refuses it by place, and nothing else."""

import pytest
from exchange import KEY, fields, undone
from hypothesis import given
from hypothesis import strategies as st

from privstamp.errors import InputError
from privstamp.mechanisms.invented import Identifiers, Renamed
from privstamp.text.formats import FORMATS
from privstamp.text.formats.recognition import READERS, read

SIGNS = "<>[]{}()\"'`#*_-=|\\/:;,.!&%$@~^+ \t\r\n\x0c\u2028\u200b\xa0é0123aZ"
WORDS = st.sampled_from(
    [
        "Ann",
        "def ",
        "<a ",
        "-->",
        "```",
        "From: ",
        "\n\n",
        "select ",
        'f"{',
        "}}",
        "/*",
        "*/",
        "=?",
        "]]>",
        "0x",
        "\\N{",
        "User: ",
    ]
)
TEXTS = st.lists(WORDS | st.text(SIGNS, max_size=6), max_size=12).map("".join)


def tried(text, name):
    """A template or nothing, and why it was refused."""
    try:
        return read(text, name), ""
    except InputError as error:
        return None, str(error)


def test_every_format_has_a_name_and_a_reader():
    assert set(FORMATS) == {"auto", "plain", *READERS}


@pytest.mark.parametrize("name", ["auto", *READERS])
@given(TEXTS | st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_is_read_and_comes_back_or_is_refused(name, text):
    template, trouble = tried(text, name)
    if trouble:
        assert "line" in trouble
        return
    if template is None:
        assert name == "auto"
        return
    renamed = Identifiers(lambda word: False, Renamed(KEY)).replaced(template.keys())
    for words in (fields(template), ["x"] * len(template.firsts)):
        new, edits = template.write(words, renamed)
        assert undone(new, edits) == text
        assert "\u200b" not in new and "\u2028" not in new and "\xa0" not in new


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("json", '["a\\ud800b", "\\ud83d\\ude00", "\\u0007"]'),
        ("javascript", "x = 'a\\ud800b\\a\\0' + \"\\u200b\";"),
        ("python", "x = 'a\\ud800b\\a' + '\\N{ZERO WIDTH SPACE}'"),
        ("html", "<p>a&#1;b&#xd800;&#x200b;</p>"),
        ("xml", "<p>a&#x200b;b</p>"),
        ("ruby", "x = 'a\xa0b'"),
    ],
)
def test_escapes_of_what_nobody_sees_do_not_pass(name, text):
    template = read(text, name)
    new, edits = template.write(fields(template), {})
    assert undone(new, edits) == text
    for sign in ("d800", "200b", "u0007", "\\a", "\\0", "ZERO", "&#1;", "\xa0"):
        assert sign not in new

"""A large text is cut where one can be: its parts are the text, whatever pieces it comes in."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privstamp.batch import cuts
from privstamp.errors import InputError


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    monkeypatch.setattr(cuts, "SIZE", 100)
    monkeypatch.setattr(cuts, "LONGEST", 2000)


def cut(text, name="plain", size=64):
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    return list(cuts.parts(pieces, name))


WORDS = st.sampled_from(["ann", "went.", "Home", "\n", "\n\n", " \n \n", '"', "? B", " "])


@given(st.lists(WORDS, max_size=400).map(" ".join), st.integers(1, 300), st.integers(1, 300))
def test_parts_are_the_text_whatever_the_pieces(text, size, other):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cuts, "SIZE", 100)
        first, second = cut(text, size=size), cut(text, size=other)
    assert "".join(part.text for part in first) == text
    assert [part.text for part in first] == [part.text for part in second]


def test_paragraphs_before_lines_before_sentences():
    paragraph = "Ann came\nhome. She slept. " * 5 + "\n\n"
    for part in cut(paragraph * 9)[:-1]:
        assert part.text.endswith("\n\n") and len(part.text) <= 200
    lines = "Ann came home\nand slept.\n" * 40
    assert all(part.text.endswith("slept.\n") for part in cut(lines)[:-1])
    unended = "Ann came home\nand slept\n" * 40
    assert all(part.text.endswith("\n") for part in cut(unended)[:-1])
    sentences = "Ann came home. She slept. " * 40
    assert all(part.text.endswith(". ") for part in cut(sentences)[:-1])


def test_a_long_line_is_one_part_and_an_endless_one_is_refused():
    long = "x" * 500
    assert [part.text for part in cut(f"a\n{long}\n{'b ' * 300}")][1] == f"{long}\n"
    with pytest.raises(InputError, match="without a place to cut at"):
        cut("\0" * 3000)


def test_lines_of_json_and_what_is_read_as_a_whole():
    lines = [json.dumps({"name": "Ann", "text": f"came {number}\n\nhome"}) for number in range(60)]
    found = cut("\n".join(lines), "auto")
    assert {part.format for part in found} == {"jsonl"}
    assert [line for part in found for line in part.text.splitlines()] == lines
    assert all(json.loads(line) for part in found for line in part.text.splitlines())
    for text in (json.dumps([{"a": "b"}] * 60), json.dumps({"a": ["b"] * 90}, indent=1)):
        with pytest.raises(InputError, match="json is read as a whole"):
            cut(text, "auto")
    with pytest.raises(InputError, match="html is read as a whole"):
        cut("<!doctype html><html>" + "<p>Ann</p>\n" * 50, "auto")
    with pytest.raises(InputError, match="python is read as a whole"):
        cut("x = 1\n" * 90, "python")


def test_rows_of_a_table_keep_its_header():
    rows = [f'{number},"Ann ""B"" said\nno, thanks",x' for number in range(40)]
    table = "\n".join(["number,note,mark", *rows])
    first, *rest = cut(table, "auto")
    assert first.header == "" and rest
    assert {part.header for part in rest} == {"number,note,mark\n"}
    for part in (first, *rest):
        assert part.format == "csv" and part.text.count('"') % 2 == 0
        assert part.text.rstrip("\n").endswith("x")


def test_a_log_is_cut_before_an_entry():
    entry = "2024-05-03 10:11:12 ERROR shop.cart failed\n  at line 3\n  at line 4\n"
    found = cut(entry * 30, "auto")
    assert len(found) > 5 and {part.format for part in found} == {"log"}
    assert all(part.text.startswith("2024") for part in found)


def test_markdown_is_not_cut_inside_of_a_fence():
    fence = "````python\nx = 1\n\n```\n\ny = 2\n````\n\n"
    text = f"# Ann\n\n- one\n- two\n\n{fence}<!-- not\n\nhere -->\n\nAnn came home.\n\n" * 12
    found = cut(text, "auto")
    assert len(found) > 5 and {part.format for part in found} == {"markdown"}
    for part in found:
        assert part.text.count("````") % 2 == 0
        assert part.text.count("<!--") == part.text.count("-->")


def test_a_small_text_is_one_part_in_any_format():
    [part] = cut('{"a": "b"}', "auto")
    assert (part.format, part.text) == ("auto", '{"a": "b"}')
    assert [part.text for part in cut("")] == [""]

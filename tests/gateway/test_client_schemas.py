"""What a client's JSON schema says of a value, and what of a schema may leave."""

import pytest

from privstamp.gateway.refused import Refused
from privstamp.gateway.schemas import DEEPEST, schema
from privstamp.gateway.subschemas import at, fits, fixes, names, resolved

PERSON = {
    "type": "object",
    "properties": {
        "name": {"$ref": "#/$defs/name"},
        "born": {"format": "date"},
        "mail": {"format": "email"},
        "kind": {"enum": ["guest", "host"]},
        "code": {"const": "x1"},
        "tags": {"prefixItems": [{"maxLength": 2}], "items": {"minLength": 3}},
        "a/b": {"maxLength": 1},
        "either": {"anyOf": [{"maxLength": 5}, {"pattern": "^[A-Z]"}]},
    },
    "additionalProperties": {"maxLength": 4},
    "$defs": {"name": {"type": "string", "maxLength": 9}},
}


@pytest.mark.parametrize(
    ("pointer", "right", "wrong"),
    [
        ("/name", "Ann Quux", "Ann Quuxson"),
        ("/born", "1999-01-31", "31 January"),
        ("/mail", "ann@example.com", "Ann Quux"),
        ("/kind", "guest", "Ann Quux"),
        ("/code", "x1", "x2"),
        ("/tags/0", "ab", "abc"),
        ("/tags/1", "abc", "ab"),
        ("/a~1b", "a", "ab"),
        ("/either", "Ann", "ann quux"),
        ("/other", "abcd", "abcde"),
    ],
)
def test_a_value_fits_where_nothing_forbids_it(pointer, right, wrong):
    assert fits(PERSON, pointer, right) and not fits(PERSON, pointer, wrong)


@pytest.mark.parametrize("pointer", ["/tags/0/deeper", "/name/first", "/born/0"])
def test_where_a_schema_says_nothing_all_fits(pointer):
    assert at(PERSON, pointer) == [] and fits(PERSON, pointer, "Ann Quux" * 100)


def test_a_schema_that_is_none_says_nothing():
    for none in (None, True, [], "Ann Quux", {"$ref": "#/$defs/none"}, {"anyOf": "Ann Quux"}):
        assert fits(none, "", "Ann Quux") and not names(resolved(none, none), "Ann Quux")


@pytest.mark.parametrize(
    "reference",
    ["#/default", "#/examples/0", "https://example.com/#/$defs/name", "#", "$defs/name", 7],
)
def test_a_reference_leads_to_schemas_of_this_one_alone(reference):
    root = {
        "$ref": reference,
        "default": {"enum": ["Ann Quux"]},
        "examples": [{"enum": ["Ann Quux"]}],
        "$defs": {"name": {"enum": ["Ann Quux"]}},
    }
    assert not fixes(resolved(root, root), "Ann Quux")
    assert fixes(resolved({"$ref": "#/$defs/name"}, root), "Ann Quux")


def test_joined_schemas_are_read_once_each_and_their_number_is_bounded():
    loop = {"allOf": []}
    loop["allOf"] += [loop, {"enum": ["Ann Quux"]}, loop]
    assert fixes(resolved(loop, loop), "Ann Quux") and len(resolved(loop, loop)) == 2
    wide = {"anyOf": [{"enum": [number]} for number in range(10_000)]}
    assert 300 <= len(resolved(wide, wide)) <= 302


class Marked:
    """Notes what it was asked for, and marks it."""

    def text(self, value, path):
        return f"<text {path}>"

    def values(self, value, path):
        return f"<values {path}>"

    def check(self, value, path):
        return f"<check {path}>"


PATTERN = "<check s.patternProperties>"


@pytest.mark.parametrize(
    ("given", "left"),
    [
        ({"title": "Quux"}, {"title": "<text s.title>"}),
        ({"default": {"a": "Quux"}}, {"default": "<values s.default>"}),
        ({"enum": ["Quux", 3]}, {"enum": ["<check s.enum[0]>", 3]}),
        ({"const": None}, {"const": None}),
        ({"pattern": "Quux"}, {"pattern": "<check s.pattern>"}),
        ({"patternProperties": {"Q": {}}}, {"patternProperties": {PATTERN: {}}}),
        ({"items": [{"title": "Q"}]}, {"items": [{"title": "<text s.items[0].title>"}]}),
        ({"not": {"title": "Q"}}, {"not": {"title": "<text s.not.title>"}}),
        (
            {"anyOf": [True, {"title": "Q"}]},
            {"anyOf": [True, {"title": "<text s.anyOf[1].title>"}]},
        ),
        (
            {"properties": {"a": {"title": "Q"}}},
            {"properties": {"a": {"title": "<text s.properties.a.title>"}}},
        ),
    ],
)
def test_words_of_a_schema_go_to_the_reader_and_its_names_stay(given, left):
    assert schema(given, "s", Marked()) == left


@pytest.mark.parametrize(
    "given",
    [
        {"required": ["a"], "maxItems": 3},
        {"type": ["string", "null"], "uniqueItems": True},
        {"dependentRequired": {"a": ["b"]}},
        {"discriminator": {"propertyName": "a", "mapping": {"x": "#/$defs/x"}}},
        {"$schema": "https://json-schema.org/draft/2020-12/schema", "format": "date-time"},
    ],
)
def test_what_names_nobody_stays(given):
    assert schema(given, "s", Marked()) == given


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ("Quux", "s"),
        ({"x-note": "Quux"}, "s.x-note"),
        ({"Ann Quux": 1}, "s"),
        ({"type": "Ann Quux"}, "s.type"),
        ({"type": ["string", "Ann Quux"]}, "s.type[1]"),
        ({"format": "Ann Quux"}, "s.format"),
        ({"$ref": "https://example.com/Quux"}, "s.$ref"),
        ({"properties": {"Ann Quux": {}}}, "s.properties"),
        ({"properties": ["Quux"]}, "s.properties"),
        ({"required": ["Ann Quux"]}, "s.required[0]"),
        ({"required": "Quux"}, "s.required"),
        ({"anyOf": {"a": "Quux"}}, "s.anyOf"),
        ({"maxLength": "Quux"}, "s.maxLength"),
        ({"maxLength": True}, "s.maxLength"),
        ({"uniqueItems": "Quux"}, "s.uniqueItems"),
        ({"enum": [{"a": "Quux"}]}, "s.enum[0]"),
        ({"patternProperties": ["Quux"]}, "s.patternProperties"),
        ({"discriminator": {"other": "Quux"}}, "s.discriminator"),
        ({"discriminator": {"propertyName": "Ann Quux"}}, "s.discriminator"),
        ({"discriminator": {"mapping": {"x": "Ann Quux"}}}, "s.discriminator"),
    ],
)
def test_whatever_a_schema_cannot_have_is_refused_by_its_path(given, path):
    with pytest.raises(Refused) as refused:
        schema(given, "s", Marked())
    assert (refused.value.path, refused.value.code) == (path, "schema")
    assert "Quux" not in str(refused.value)


def test_a_schema_is_only_so_deep():
    deep = {"title": "a"}
    for _ in range(DEEPEST):
        deep = {"not": deep}
    assert "<text" in str(schema(deep, "s", Marked()))
    with pytest.raises(Refused, match="not a JSON schema"):
        schema({"not": deep}, "s", Marked())

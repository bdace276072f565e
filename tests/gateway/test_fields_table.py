"""The table of fields has every field of the pinned SDKs, each with one treatment."""

import re

import pytest
from skeleton import DIRECTIONS, FIELDS, TABLES, committed, walked, written

from privstamp.gateway.rules import KINDS, PATTERNS, Api
from privstamp.gateway.table import parse_shape, table

LEAVING = {
    *("privatise", "arguments", "schema", "sealed", "participant", "id", "check", "inside"),
    *("pass", "allow", "refuse", "logprobs"),
}
RETURNING = {"restore", "arguments", "sealed", "keep", "echo", "drop", "offset", "inside", "pass"}


@pytest.mark.parametrize("name", TABLES)
def test_the_table_is_what_the_sdks_have(name):
    content = (FIELDS / f"{name}.toml").read_text()
    assert written(name, committed(name)) == content  # else: python tests/gateway/skeleton.py
    assert "'?'" not in content


def test_a_new_field_is_noticed():
    rows = committed("embeddings")
    del rows["request"]["EmbeddingCreateParams"]["user"]
    assert "user = ['?'" in written("embeddings", rows)


@pytest.mark.parametrize("name", TABLES)
def test_every_treatment_is_known_and_fits_its_field(name):
    for direction, known in (("request", LEAVING), ("reply", RETURNING)):
        types = table(name, direction)
        for kind, fields in types.by_name.items():
            for key, row in fields.items():
                where = f"{name} {kind}.{key}: {row.treatment}"
                assert row.verb in known, where
                text = has_string(row.shape)
                if direction == "request" and row.verb == "pass" and text:
                    assert row.argument in PATTERNS, where  # else it would pass anything
                if row.verb == "allow":
                    assert row.argument in KINDS, where
                if row.verb == "inside":
                    assert not text, where  # text would have no treatment


def has_string(shape):
    inner = (each for each in (shape.item, shape.value) if each is not None)
    return bool(shape.plain & {"str", "any"}) or any(map(has_string, inner))


def test_every_type_that_is_named_is_there():
    for name in TABLES:
        for direction in DIRECTIONS:
            types = table(name, direction)
            content = (FIELDS / f"{name}.toml").read_text()
            assert set(types.roots) <= set(types.by_name)
            for fields in types.by_name.values():
                for row in fields.values():
                    assert set(row.shape.types) <= set(types.by_name), content[:0]


def test_sizes_are_those_of_the_protocols():
    """The walk sees the SDKs' types: a walk that saw nothing would find nothing missing."""
    sizes = {name: sum(map(len, walked(name, "request")[1].shapes.values())) for name in TABLES}
    assert sizes["chat"] > 150 and sizes["responses"] > 700 and sizes["messages"] > 590
    events = walked("responses", "reply")[0]
    assert len([name for name in events if name.endswith("Event")]) > 50


def test_what_is_sealed_is_known_again_by_the_same_fields():
    """A signed block comes back by its content: both directions must call the same content."""
    checked = 0
    for name in ("responses", "messages"):
        leaving, returning = (content_of_sealed(name, way) for way in ("request", "reply"))
        for kind, content in returning.items():
            stem = kind.split("_")[-1]
            params = [
                each for each in leaving if re.sub("(Item)?(Param)*$", "", each) in (stem, kind)
            ]
            for each in params:
                assert leaving[each] == content, (name, kind)
                checked += 1
    assert checked >= 5


def content_of_sealed(name, direction):
    types = table(name, direction)
    return {
        kind: {key for key, row in fields.items() if row.verb not in ("pass", "allow")}
        for kind, fields in types.by_name.items()
        if any(row.verb == "sealed" for row in fields.values())
    }


def test_shapes_are_read():
    shape = parse_shape('str | "a" | [TextPart | {int}] | Thing | null')
    assert shape.plain == {"str", "null"} and shape.literals == {"a"} and shape.types == ("Thing",)
    assert shape.item.types == ("TextPart",) and shape.item.value.plain == {"int"}
    assert not shape.fixed and parse_shape('"x" | null').fixed
    with pytest.raises(ValueError, match="shape"):
        parse_shape("str ]")


def test_every_endpoint_has_a_table():
    for endpoint in Api:
        assert (FIELDS / f"{endpoint.table}.toml").exists()

"""YAML, TOML, INI and .env: what parsed before parses after, and has the same shape."""

import configparser
import datetime
import shlex
import tomllib

import pytest
import tomli_w
import yaml
from exchange import exchanged, fields, kept, undone
from hypothesis import given
from hypothesis import strategies as st

from privstamp.errors import InputError
from privstamp.text.formats.recognition import read

WORDS = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs")), max_size=20)
KEYS = st.text(st.characters(codec="ascii", categories=("L", "N"), include_characters="_-"))
SCALARS = (
    st.booleans() | st.integers(-(2**40), 2**40) | WORDS
    | st.floats(allow_nan=False, allow_infinity=False, width=32)
    | st.dates(datetime.date(1900, 1, 1), datetime.date(2090, 1, 1))
    | st.text("ab \n'\"\\#:-", max_size=20)
)  # fmt: skip
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)
TABLES = st.dictionaries(KEYS, VALUES, min_size=1, max_size=5)

YAML = """\
# Ansprechpartner: Zelda Wojcik
---
services:
  web: &base
    image: "registry/web:1.2"   # by Zelda
    owner: Zelda Wojcik
    'since': 2024-03-12
    replicas: 3
    debug: off
    note: |
      Ask Zelda first.
        Indented: yes # no remark
    folded: >-
      one line
      and another
    long: begins here
      and ends there
  worker:
    <<: *base
    tags: [a, 'it''s', {zelwicz: 7.5}]
"""
TOML = """\
# Zelda's settings
title = "It \\"is\\" é" # remark
[owner.zelwicz]
name = 'Zelda Wojcik'
born = 1979-05-27T07:32:00-08:00
day = 1979-05-27
[[servers]]
ports = [ 8000, 8_001,
  0xff ] # two
pair = { host = "a.example.com", "odd key" = -1.5e3, on = true }
text = \"\"\"
first
second \\
  third\"\"\"
raw = '''it's'''
"""
INI = """\
; Zelda's settings
[server]
host = db.example.com
owner: Zelda Wojcik
notes = first
    second line
empty =
alone
[zelwicz "x"]
# more
port=8080
"""
ENV = """\
# Zelda's settings
export DB_HOST=db.example.com
DB_OWNER="Zelda \\"Z\\" Wojcik" # the boss
DB_PASSWORD='hunter two'
EMPTY=
"""


def shape(value, names):
    """Keys under their new names, and of what type each value is."""
    if isinstance(value, dict):
        return {renamed(key, names): shape(inner, names) for key, inner in value.items()}
    if isinstance(value, list):
        return [shape(inner, names) for inner in value]
    return "number" if type(value) in (int, float) else type(value).__name__


def renamed(key, names):
    return names.get(key, key) if isinstance(key, str) else key


@given(VALUES, st.booleans())
def test_any_yaml_keeps_its_shape_whatever_its_fields_become(value, flow):
    text = yaml.safe_dump(value, default_flow_style=flow, allow_unicode=True)
    new, names = exchanged(text, "yaml")
    assert shape(yaml.safe_load(new), {}) == shape(yaml.safe_load(text), names)


@given(TABLES, st.booleans())
def test_any_toml_keeps_its_shape_whatever_its_fields_become(value, multiline):
    text = tomli_w.dumps(value, multiline_strings=multiline)
    new, names = exchanged(text, "toml")
    assert shape(tomllib.loads(new), {}) == shape(tomllib.loads(text), names)


def test_yaml_with_all_its_kinds_of_scalars():
    new, names = exchanged(YAML, "yaml")
    assert shape(yaml.safe_load(new), {}) == shape(yaml.safe_load(YAML), names)
    assert "Zelda" not in new and "zelwicz" not in new and "debug: off" in new
    assert "<<: *" in new and "&" in new
    assert kept(YAML, "yaml") == YAML and read(YAML).format == "yaml"


def test_toml_with_all_its_kinds_of_values():
    new, names = exchanged(TOML, "toml")
    assert shape(tomllib.loads(new), {}) == shape(tomllib.loads(TOML), names)
    assert "Zelda" not in new and "zelwicz" not in new and "on = true" in new
    assert kept(TOML, "toml") == TOML and read(TOML).format == "toml"


def options(text):
    parser = configparser.ConfigParser(interpolation=None, allow_no_value=True)
    parser.read_string(text)
    return [(name, list(parser[name])) for name in parser.sections()]


def test_ini_keeps_sections_and_options():
    new, names = exchanged(INI, "ini")
    assert options(new) == [
        (names.get(section, section), [names.get(key, key) for key in keys])
        for section, keys in options(INI)
    ]
    assert "Zelda" not in new and "zelwicz" not in new
    assert kept(INI, "ini") == INI and read(INI).format == "ini"


def variables(text):
    words = shlex.split(text.replace("export ", ""), comments=True)
    return [word.partition("=")[0] for word in words]


def test_variables_keep_their_names_and_quotes():
    new, names = exchanged(ENV, "env")
    assert variables(new) == [names.get(name, name) for name in variables(ENV)]
    assert "Zelda" not in new and "hunter" not in new and "export " in new
    assert kept(ENV, "env") == ENV and read(ENV).format == "env"


def test_values_are_read_after_their_names():
    assert "owner: Zelda Wojcik" in read(INI).reading
    assert "db owner: Zelda" in read(ENV).reading
    assert "name: Zelda Wojcik" in read(TOML).reading
    assert "note: Ask Zelda first.\n" in read(YAML).reading
    assert {"services", "owner", "since", "base"} <= set(read(YAML).keys())
    assert "Ask Zelda first." in fields(read(YAML))


@pytest.mark.parametrize(
    ("name", "text", "where"),
    [
        ("yaml", "a: 1\nb: [Zelda, 2\nc: 3\n", "line 3, column 2"),
        ("yaml", "a: *Zelda\n", None),
        ("yaml", "a: Zelda: b\n", "line 1, column 9"),
        ("toml", "a = 1\nb = Zelda\n", "line 2, column 5"),
        ("toml", "Zelda\n", "line 1, column 6"),
        ("ini", "[a]\nb = 1\n= Zelda\n", "line 3, column 1"),
        ("ini", "Zelda = 1\n", "line 1, column 1"),
        ("env", "A=1\nZelda Wojcik\n", "line 2, column 1"),
        ("json", '{"a": 1,\n "b": Zelda}', "line 2, column 7"),
        ("jsonl", '{"a": 1}\n{"b": Zelda}', "line 2, column 7"),
        ("csv", 'a,b\n"Zelda,1\n', "line"),
        ("xml", "<a>\n<b>Zelda</a>", "line 2"),
        ("python", "x = 1\ny = (Zelda\n", "line"),
        ("mail", "Zelda Wojcik", "line 1, column 1"),
        ("chat", "Zelda Wojcik", "line 1, column 1"),
        ("trace", "Zelda Wojcik", "line 1, column 1"),
        ("log", "Zelda Wojcik", "line 1, column 1"),
    ],
)
def test_a_named_format_that_does_not_fit_is_refused_by_place_and_nothing_else(name, text, where):
    if where is None:  # an alias without an anchor is a question of meaning, not of form
        assert read(text, name) is not None
        return
    with pytest.raises(InputError, match=rf"the text is not {name}: line \d+, column \d+$") as seen:
        read(text, name)
    assert where in str(seen.value) and seen.value.__context__ is None
    assert "Zelda" not in repr(seen.value)


@pytest.mark.parametrize(
    "text",
    [
        "Dear all:\n\nplease note:\n- bring water\n- bring a hat\n\nThanks, Ann",
        "Name: Zelda Wojcik\nAge: 41\nNotes: she was seen today and is well",
        "a = 1\nb = 2\nThis is a sentence about a and b.",
        "User: hello there\nAgent: hi\nUser: my name is Zelda",
    ],
)
def test_running_text_is_not_taken_for_settings(text):
    found = read(text)
    assert found is None or found.format not in ("yaml", "toml", "ini", "env")


def test_settings_in_markdown_are_read_in_their_own_format():
    text = f"# How to\n\n```yaml\n{YAML}```\n\n```toml\n{TOML}```\n\n```ini\n{INI}```\n"
    template = read(text, "markdown")
    assert {"yaml", "toml", "ini"} <= set(template.parts)
    new, edits = template.write(["x"] * len(template.firsts), {})
    assert undone(new, edits) == text

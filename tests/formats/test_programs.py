# ruff: noqa: E501
import ast

import pytest
from exchange import exchanged, fields, kept
from hypothesis import given
from hypothesis import strategies as st
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String

from privstamp.errors import InputError
from privstamp.text.formats.recognition import read

STATEMENTS = (
    "import zorn.util as zu", "from os import path", "ZORN_KEY = 'sk_live_1'  # of Ann",
    "x = f\"{zorn!r:>{width}} and {data['Ann']} {{no}} {x=}\"", "y = rb'\\d+' + b\"\\x41\"",
    "z = r'C:\\ann' \"joined\" 'x'", "n = 0x1F + 1_000 + 2.5e-3 + 0b101 + 10j",
    "t = \"\"\"Ann\n  said \\\"hi\\\"\"\"\"", "@zorn.cache\ndef find(ann, /, *args, key=1, **kw):\n    '''Doc of Ann.'''\n    return ann",
    "class Zorn(Base):\n    city: str = 'Rome'\n\n    async def go(self):\n        await self.zorn()",
    "for i, ann in enumerate(zorn):\n    if ann is None: continue\n    print(ann, end='')",
    "try:\n    pass\nexcept ValueError as zorn_error:\n    raise KeyError('Ann') from zorn_error",
    "w = [a for a in b if a != 'Ann'] or {'Ann': 1, **c} or (lambda q: q)(3)", "del zorn[1:2]",
    "v = f'{a:%Y-%m-%d}' f\"{b['k']}\" f'''{\n  c}'''", "s = '\\N{BULLET} \\u00e9 \\n'", "# Ann\n",
    "match zorn:\n    case {'Ann': ann}:\n        pass\n    case _:\n        pass", "u = f'{a if a != b else c!s}'",
    "with open('ann.txt') as f, zorn() as g:\n\tg.write(f'{f.read()!r}')", "k = f\"{'a' 'b'}{x}\"",
)  # fmt: skip


def nodes(text):
    return [type(node).__name__ for node in ast.walk(ast.parse(text))]


@given(
    st.lists(st.sampled_from(STATEMENTS), min_size=1, max_size=6), st.sampled_from(["\n", "\r\n"])
)
def test_python_keeps_its_tree_and_names_their_pattern(statements, end):
    text = end.join("\n".join(statements).split("\n")) + end
    new, names = exchanged(text, "python", words=("O'Dea", 'a "q"', "b\\", "{c}", "#", "7", "é\nz"))
    assert nodes(new) == nodes(text)
    before = [node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)]
    after = [node.id for node in ast.walk(ast.parse(new)) if isinstance(node, ast.Name)]
    assert after == [names.get(name, name) for name in before]


def test_a_form_feed_goes_and_comes_back():
    text = "x = 1\n\x0cdef zorn():\n    return '\x0c' + 'a' \x0c+ 'b'\n"
    new, _ = exchanged(text, "python", words=("1", "a"))
    assert nodes(new) == nodes(text) and "\x0c" not in new


def test_python_that_is_not_changed_is_as_it_was():
    text = "".join(f"{one}\n" for one in STATEMENTS if "BULLET" not in one)
    assert kept(text, "python") == text


def test_strings_and_comments_are_read_and_names_give_context():
    template = read('import os\nAPI_KEY = "sk1"  # of Ann\nuse(password="pw9", n=3)\n')
    assert template.format == "python"
    assert template.reading == "api key: sk1\nof Ann\npassword: pw9\nn: 3"
    assert [one.kind for one in template.hinted()] == ["CREDENTIAL", "CREDENTIAL"]
    assert set(template.keys()) == {"API_KEY", "use", "password", "n"}


@pytest.mark.parametrize(
    "text", ["Hello\nBob", "see, you\nthere", "from me to you\nbye", "if only"]
)
def test_sentences_are_no_programs(text):
    assert read(text) is None


def test_broken_python_is_refused_by_place():
    with pytest.raises(InputError, match="not python: line 2, column"):
        read("x = 1\ny = (\n", "python")


SORTS = (Comment, String, Number, Punctuation, Operator)


def sorts(language, text):
    """What the tokens are, runs of one sort once; words, of names and keywords, are of one sort."""
    found = []
    for _, token, value in get_lexer_by_name(language).get_tokens_unprocessed(text):
        if value.strip():
            word = token in Name or token in Keyword
            sort = "word" if word else next((str(one) for one in SORTS if token in one), str(token))
            if not found or found[-1] != sort or sort == "word":
                found.append(sort)
    return found


SQL = (
    "SELECT c.zorn, COUNT(*) FROM zorn_orders c WHERE c.town = 'O''Dea' GROUP BY 1;",
    "INSERT INTO people (id, surname) VALUES (84729104, 'Ann'), (2, 'Bo'); -- of Ann",
    'UPDATE "Zorn table" SET a = 1.5, b = NULL WHERE x IN (1, 2) /* Ann */;',
    "CREATE TABLE zorn (id INTEGER PRIMARY KEY, city VARCHAR(80) DEFAULT 'Rome');",
)
CODE = {
    "sql": SQL,
    "javascript": (
        "const zorn = 'Ann', n = 12.5; // Ann\n", "function zornOf(a) { return `x ${a.b} Ann`; }\n",
        "import z from \"./zorn.js\";\n", "/* Ann\n * Bo */ let o = { zorn: \"a\\\"b\", 'k': 0x1F };\n",
    ),
    "java": (
        "package com.zorn.app;\n", "class Zorn { String s = \"An\\\"n\"; char c = 'x'; long n = 10L; }\n",
        "/** Of Ann.\n */ public interface Ann { void zorn(int a) throws Exception; }\n",
    ),
    "c": (
        "#include <stdio.h>\n", "int zorn(char *ann) { printf(\"Ann %d\\n\", 3); return 0x1f; } // Ann\n",
    ),
    "go": ("package zorn\n", "func Zorn(a int) string { return \"Ann\" + `raw` } // Ann\n"),
    "rust": ("fn zorn(a: &str) -> u32 { let mut n = 10u32; let s = \"Ann\"; n } // Ann\n",),
    "bash": ("#!/bin/bash\n", "zorn=\"Ann\"; echo \"hi $zorn\" | grep -v 'Bo' > /tmp/zorn.txt # Ann\n"),
}  # fmt: skip


@given(st.data())
@pytest.mark.parametrize("language", CODE)
def test_programs_keep_their_tokens(language, data):
    pieces = data.draw(st.lists(st.sampled_from(CODE[language]), min_size=1, max_size=4))
    text = "\n".join(pieces)
    assert kept(text, language) == text
    new, _ = exchanged(text, language, words=("O'Dea", 'a "q"', "b", "c;d", "k", "/* x */"))
    assert sorts(language, new) == sorts(language, text)
    assert "Ann" not in new and "zorn" not in new.lower()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (SQL[0] + "\n" + SQL[1], "sql"),
        ("".join(CODE["javascript"]), "javascript"),
        ("import java.util.List;\n\n" + CODE["java"][1] + CODE["java"][2], "java"),
        ("".join(CODE["bash"]), "bash"),
    ],
)
def test_languages_are_seen(text, name):
    assert read(text).format == name


def test_values_in_sql_are_read():
    assert fields(read(SQL[0] + "\n", "sql")) == ["O'Dea", "1"]


def test_quotes_in_sql_are_single_signs():
    text = "SELECT \"\"\"zorn\" FROM t WHERE a = '''Ann';"
    assert kept(text, "sql") == text
    assert fields(read(text, "sql")) == ["'Ann"]


@pytest.mark.parametrize(
    ("text", "name", "kept_as"),
    [
        ("import re\nx = re.compile(r'Ann\\s+Zorn\\d{3}')\n", "python", r"\s+{}\d{{3}}"),
        ("const a = /Ann Zorn/gi;\n", "javascript", "/{}/gi;"),
        ("const a = /x\\/Ann/;\n", "javascript", r"/x\/{}/;"),
    ],
)
def test_raw_strings_and_patterns_keep_their_signs(text, name, kept_as):
    template = read(text, name)
    fields_now = [field.replace("Ann", "Bo").replace("Zorn", "Bo") for field in fields(template)]
    new, _ = template.write(fields_now, {})
    bare = new.replace("Bo Bo", "Bo")
    assert kept_as.format("Bo") in bare


def test_what_is_put_into_a_pattern_does_not_end_it():
    template = read("const a = /Ann/;\n", "javascript")
    new, _ = template.write(["https://example.com/x"], {})
    assert r"/https:\/\/example.com\/x/;" in new

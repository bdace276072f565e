"""Structure is the same after one-to-one renaming, and each way to break it is noticed."""

import losses
import pytest
from losses import same

from privstamp.lab.evals import samples

CASES = {
    "json": (
        '{"name": "Ada", "n": [1, 2.5], "x": null}',
        ['{"name": "Mia", "n": [7, 8], "x": null}', '{"veld": "Mia", "n": [1, 2], "x": null}'],
        [
            '{"name": "Mia", "n": [7], "x": null}',
            '{"name": "Mia"',
            '{"n": "M", "n": [1, 2]}',
            '{"name": 4, "n": [1, 2.5], "x": null}',
        ],
    ),
    "jsonl": (
        '{"a": 1}\n{"a": 2}\n',
        ['{"k": 1}\n{"k": 5}\n'],
        ['{"a": 1}\n', '{"a": 1}\n{"b": 2}'],
    ),
    "csv": ("a,b\n1,2\n", ["a,c\n3,4\n"], ["a,b\n1,2,3\n", "a,a\n1,2\n", "a;b\n1;2\n"]),
    "xml": (
        '<a n="1"><b>x</b><b>y</b></a>',
        ['<a n="4"><k>u</k><k>v</k></a>'],
        [
            '<a n="1"><b>x</b><c>y</c></a>',
            "<a><b>x</b></a>",
            "<a",
            "<?xml version='1.0' encoding='HEC'?><a/>",
        ],
    ),
    "python": ("x = f(1)\n", ["y = g(2)\n"], ["x = 1\n", "x f(1)\n", "x + f(1)\n"]),
    "sql": (
        "SELECT a FROM t WHERE a >= 'x'; -- hm!",
        ["SELECT b FROM t WHERE b >= 'yo'; -- ah"],
        ["SELECT a FROM t WHERE a = 'x'; -- hm"],
    ),
    "mail": (
        "From: a@example.com\nDate: now\n\nHi\n> so\n",
        ["From: b@example.com\nDate: then\n\nYo\n> no\n"],
        ["From: a@example.com\nDillon: now\n\nHi\n> so\n", "From: a@example.com\n\nHi\n> so\n"],
    ),
    "chat": (
        "User: Hi\nBot: Yes\n",
        ["User: Yo\nBot: No\n"],
        ["User: Hi\nUser: Yes\n", "User Hi\nBot: Yes"],
    ),
    "markdown": (
        "# A\n\n- b\n1. c\n```sh\nd\n```\n",
        ["# X\n\n- y\n6. c\n```sh\nz\n```\n"],
        ["A\n\n- b\n1. c\n```sh\nd\n```\n", "# A\n\n- b\n1. c\n```xy\nd\n```\n"],
    ),
    "trace": ("E\n  at f\n", ["X\n  at g\n"], ["E\nat f\n", "E at f\n"]),
}


@pytest.mark.parametrize("form", CASES)
def test_renaming_passes_and_breaking_is_noticed(form):
    text, good, bad = CASES[form]
    assert same(form, text, text)
    assert [same(form, text, release) for release in good] == [True] * len(good)
    assert [same(form, text, release) for release in bad] == [False] * len(bad)


def test_a_text_that_does_not_parse_has_nothing_to_keep():
    assert same("json", "{broken", "anything")


def test_every_format_of_the_samples_has_a_reader_and_is_read():
    assert set(losses.READERS) == samples.FORMATS
    for sample in samples.load():
        losses.READERS[sample.format](sample.text)

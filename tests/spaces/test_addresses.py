"""Addresses and links are found whole, and nothing else is."""

from __future__ import annotations

import pytest

from privstamp.spaces.splitter import EMAIL, URL, cover


def found(text: str) -> list[str]:
    drawn = cover(text)
    assert len(drawn) == len(text)
    spans, start = [], None
    for index, character in enumerate([*drawn, " "]):
        inside = character in (EMAIL, URL)
        if inside and start is None:
            start = index
        elif not inside and start is not None:
            spans.append(text[start:index])
            start = None
    return spans


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("write to mara.q+news@example.co.uk.", ["mara.q+news@example.co.uk"]),
        ("<1234.JavaMail.evans@thyme>", ["1234.JavaMail.evans@thyme"]),
        ("a@b.example,c@d.example", ["a@b.example", "c@d.example"]),
        ("mailto:me@example.org", ["me@example.org"]),
        ("ADMIN_EMAIL=me@example.org", ["me@example.org"]),
        ("root@192.168.0.1", ["root@192.168.0.1"]),
        ("see https://example.com/a_(b)?q=1&r=2#top.", ["https://example.com/a_(b)?q=1&r=2#top"]),
        ("ftp://u:p@example.net:21/x", ["ftp://u:p@example.net:21/x"]),
        ('<a href="http://example.org">', ["http://example.org"]),
        ("WWW.EXAMPLE.ORG and www.example.org/", ["WWW.EXAMPLE.ORG", "www.example.org"]),
        ("at example.com, or example.co.uk/path.", ["example.com", "example.co.uk/path"]),
        ("localhost:8080 example.dev:8080/x", ["example.dev:8080/x"]),
        ("The end.It was over. e.g. this, 3.14 @user # x@ @ y", []),
        ("http:// www. @@ 5@3 .com", []),
        ("", []),
    ],
)
def test_addresses(text: str, expected: list[str]) -> None:
    assert found(text) == expected


def test_kinds_are_told_apart() -> None:
    drawn = cover("a@b.example http://x.example")
    assert set(drawn) == {EMAIL, URL, " "}

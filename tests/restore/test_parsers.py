"""After restoring, what real parsers of Markdown and HTML would act on holds nothing private."""

from contextlib import suppress
from html.parser import HTMLParser

import pytest
from hostile import MAP, PRIVATE, carriers
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

COMMONMARK = MarkdownIt("commonmark")
GFM = MarkdownIt("gfm-like", {"linkify": False, "html": True})
PIECES = [
    "Melton", "Shauna", "Melton", " ", " ", "\n", "\n\n", "[", "]", "(", ")", "](", "![", "]: ",
    "]:", "[x]", "[x]: ", "<", ">", "<a ", "<b>", "</b>", "<img ", "src=", "href=", "title=", '"',
    "'", "=", "<!--", "-->", "<script>", "</script>", "<style>", "</style>", "\\", "`", "``", "*",
    "_", "/", "https://x.example/", "x.example", "@", ".", "&amp;", "> ", "- ", "1. ", "| ", "#",
    "!", "<![CDATA[", "]]>", "<?", "?>", "<textarea>", "\t", "    ", "```\n", "~", "{", "}", "x",
    "mailto:", ":", "//", "\u00a0", "\x0b", "\x0c", "<script ", "<style ",
]  # fmt: skip


class Acted(HTMLParser):
    """All strings of a page that a browser acts on."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.strings, self._raw = [], []

    def handle_starttag(self, tag, attrs):
        self.strings.append(tag)
        for name, value in attrs:
            self.strings += [name, value or ""]
        if tag in ("script", "style"):
            self._raw.append(tag)

    def handle_endtag(self, tag):
        if tag in self._raw:
            self._raw.remove(tag)

    def handle_data(self, data):
        if self._raw:
            self.strings.append(data)

    def handle_comment(self, data):
        self.strings.append(data)

    handle_decl = handle_pi = unknown_decl = handle_comment


def acted(page):
    parser = Acted()
    with suppress(AssertionError):  # a marked section that it does not know
        parser.feed(page)
        parser.close()
    return parser.strings


def targets(tokens):
    for token in tokens:
        yield from (str(value) for value in token.attrs.values())
        if token.type == "image":
            yield token.content
        if token.type.startswith("html"):
            yield from acted(token.content)
        yield from targets(token.children or [])


def leaks(reply):
    back = MAP.restore(reply)
    strings = [*acted(back)]
    for markdown in (COMMONMARK, GFM):
        environment = {}
        strings += targets(markdown.parse(back, environment))
        for definition in environment.get("references", {}).values():
            strings += [definition["href"], definition["title"]]
        strings += acted(markdown.render(back))
    return [
        (string, value) for string in strings for value in PRIVATE
        if value.casefold() in string.casefold() and string != "mailto:priya.r@example.com"
    ]  # fmt: skip


@settings(max_examples=1500)
@given(st.lists(st.sampled_from(PIECES), min_size=2, max_size=22))
def test_no_target_attribute_or_script_holds_a_value(pieces):
    assert leaks("".join(pieces)) == []


def test_nor_in_any_carrier():
    assert [reply for reply in carriers() if leaks(reply)] == []


@pytest.mark.parametrize("reply", ["[x](Melton)", "<b title='Melton'>", "[x]: Melton\n\n[x]"])
def test_the_parsers_see_what_a_trusted_reply_would_hold(reply):
    """Else the tests above would show nothing."""
    back = MAP.restore(reply, trusted=True)
    strings = [*targets(COMMONMARK.parse(back)), *acted(back)]
    assert any("Raghunathan" in string for string in strings)

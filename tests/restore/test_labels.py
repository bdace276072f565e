"""Labels of references: no link, image or definition depends on what was put back."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from privstamp.restore.map import SurrogateMap

MARKDOWN = [MarkdownIt("commonmark"), MarkdownIt("gfm-like", {"linkify": False, "html": True})]
NAMES = ["Priya Rao", "Amy Adams"]
MAPS = [
    SurrogateMap.of(
        [
            ("Vera Coulter", name, "PERSON"),
            ("Vera", name.split()[0], "PERSON_GIVEN"),
            ("Coulter", name.split()[1], "PERSON_FAMILY"),
        ]
    )
    for name in NAMES
]
PIECES = [
    "Vera Coulter", "Vera", "Priya Rao", "Amy Adams", "Priya", "Amy", "[Vera]", "[Priya]",
    "[Priya]: https://e.example/p\n", "[Amy]: https://e.example/a\n", "[Vera]: https://e.example/v\n",
    "[Priya Rao]: /p\n", "[Amy Adams]: /a\n", "[", "]", "![", "]: ", "][", "[]", "](", ")", "(",
    "(https://e.example/x)", "(javascript:x)", "(not a link)", "\n", "\n\n", "```\n", "   ```\n",
    "~~~\n", "```x`\n", "`", "\\", " ", "x", "^", "<", "<pre>\n", "<!--\n", "-->\n", "> ", "- ",
    "!", "*", ":", "\t", "    ", "|", "\r\n",
]  # fmt: skip
CARRIERS = [
    "[Vera Coulter]: https://e.example/HIT\n[Amy Adams]: /amy\n[Priya Rao]: /priya\n\n"
    "![Amy Adams] ![Priya Rao]",
    "![x][Vera Coulter]\n\n[Amy Adams]: /amy\n[Priya Rao]: /priya",
    "[x][Vera Coulter]\n\n[Amy Adams]: /amy\n[Priya Rao]: /priya",
    "[Vera Coulter][]\n\n[amy adams]: /amy",
    "Dear [Vera Coulter],\n\n[amy adams]: /amy",
    "[Vera\nCoulter]\n\n[amy adams]: /amy",
    "[Vera](javascript:x)\n\n[amy]: /amy",
    "[Vera](not a link)\n\n[amy]: /amy",
    "[x][Vera](https://e.example/)\n\n[amy]: /amy",
    "<pre>\n```\n</pre>\n\n[Vera]\n\n[amy]: /amy",
    "```\nx\n   ```\n[Vera]\n\n[amy]: /amy",
]


def followed(markdown, text):
    """All that a page would link to or load, and what is defined."""
    environment = {}
    tokens = [*markdown.parse(text, environment)]
    for token in tokens:
        tokens += token.children or []
    links = [dict(t.attrs) for t in tokens if t.type in ("link_open", "image")]
    return links, environment.get("references", {})


def seen(reply):
    """The same for each person that a surrogate may stand for."""
    return [[followed(md, MAP.restore(reply)) for md in MARKDOWN] for MAP in MAPS]


@pytest.mark.parametrize("reply", CARRIERS)
def test_a_label_tells_no_name(reply):
    assert seen(reply)[0] == seen(reply)[1]
    trusted = [followed(MARKDOWN[0], MAP.restore(reply, trusted=True)) for MAP in MAPS]
    assert trusted[0] != trusted[1]  # else this would show nothing


@settings(max_examples=400)
@given(st.lists(st.sampled_from(PIECES), min_size=2, max_size=22))
@example(["- [Vera]\n", "[Amy]: /a"])
def test_nor_does_any_mixture(pieces):
    reply = "".join(pieces)
    assert seen(reply)[0] == seen(reply)[1]
    tail = reply + "\n\n[Priya]: /p\n[Amy]: /a\n[Priya Rao]: /q\n[Amy Adams]: /b\n"
    assert seen(tail)[0] == seen(tail)[1]


@pytest.mark.parametrize("label", ["[^Vera]", "[^Vera]: see below", "*[Vera]: x", "^[Vera]"])
def test_notes_and_abbreviations_have_labels_too(label):
    assert MAPS[0].restore(label) == label


@pytest.mark.parametrize(
    "text",
    [
        "See [Vera](https://example.com/a) and [1] Vera.", "- [x] Vera\n- [ ] Vera",
        '```python\nnames = ["Vera", "Coulter"]\nfor n in ["Vera"]:\n```\nVera',
        "An interval [0, 5).\n\nVera",
    ],
)  # fmt: skip
def test_text_of_links_code_and_what_follows_comes_back(text):
    assert "Vera" not in MAPS[0].restore(text)

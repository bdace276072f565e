from html.parser import HTMLParser
from xml.etree import ElementTree as ET
from xml.parsers import expat

import pytest
from exchange import exchanged, fields, kept
from hypothesis import given
from hypothesis import strategies as st

from privstamp.errors import InputError
from privstamp.text.formats.recognition import read

NAMES = st.text(st.characters(min_codepoint=97, max_codepoint=122), min_size=1, max_size=8)
TEXTS = st.text(
    st.characters(categories=("L", "N", "P", "S"), include_characters=" \n"), max_size=12
)


@st.composite
def elements(draw, depth=3):
    element = ET.Element(draw(NAMES), draw(st.dictionaries(NAMES, TEXTS, max_size=2)))
    element.text, element.tail = draw(TEXTS), draw(TEXTS)
    if depth:
        for child in draw(st.lists(elements(depth - 1), max_size=3)):
            element.append(child)
    return element


def shape(element, names):
    attributes = {names.get(key, key) for key in element.attrib}
    children = [shape(child, names) for child in element]
    return names.get(element.tag, element.tag), attributes, children


@given(elements(), st.sampled_from(["unicode", "us-ascii"]))
def test_any_xml_keeps_its_tree(element, encoding):
    element.tail = None
    text = ET.tostring(element, encoding=encoding, xml_declaration=False)
    text = text if isinstance(text, str) else text.decode()
    assert kept(text, "xml") == text
    new, names = exchanged(text, "xml")
    assert shape(ET.fromstring(new), {}) == shape(element, names)


class Events(HTMLParser):
    """Tags and attribute names in order."""

    def __init__(self, text, names):
        super().__init__()
        self._names, self.seen = names, []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.seen.append((self._names.get(tag, tag), [self._names.get(k, k) for k, _ in attrs]))

    def handle_endtag(self, tag):
        self.seen.append(self._names.get(tag, tag))


PIECES = (
    "<p>Ann &amp; co</p>", "<br>", "<img src=ann.png alt='Ann D'>", "<b>x</b> y", "<!-- Ann -->",
    "<ul><li>one<li>two</ul>", "<script>var zorn = 'Ann' // Ann\n</script>", "a < b & c",
    "<style>.zorn { color: red }</style>", '<a href="https://ann.example/x?y=1&z=2">Ann</a>',
    "<input disabled value=Ann>", "<zorn-card data-zorn='1'>t</zorn-card>", "\n", " text ",
)  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=8))
def test_html_keeps_its_tags_and_attributes(pieces):
    text = "<html><body>" + "".join(pieces) + "</body></html>"
    assert kept(text, "html") == text
    new, names = exchanged(text, "html")
    assert Events(new, {}).seen == Events(text, names).seen


def test_tags_say_what_their_text_is():
    template = read('<note>\n<last_name id="n1">O&#39;Dea</last_name>\n<x city="Rome"/></note>')
    assert template.format == "xml"
    assert fields(template) == ["O'Dea", "Rome"]
    assert [one.kind for one in template.hinted()] == ["PERSON", "LOCATION"]


def test_xml_that_does_not_close_is_refused_by_place():
    with pytest.raises(InputError, match="not xml: line 2, column"):
        read("<aa>\n<bb></aa>", "xml")
    assert read("<aa>\n<bb></aa>") is None


def test_declared_entities_are_not_read():
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa">]>\n<x>&a;</x>'
    for name in ("auto", "xml"):
        with pytest.raises(InputError, match="declares entities"):
            read(bomb, name)
    assert read(bomb, "plain") is None
    assert read("We wrote <!DOCTYPE x [<!ENTITY a 'b'>]> on the wall.") is None


def test_declarations_of_a_document_type_keep_their_words():
    text = (
        '<!DOCTYPE r [<!ELEMENT r (#PCDATA)><!ATTLIST r who CDATA "Zorn" n NMTOKEN #IMPLIED>]>'
        "<r>Ann</r>"
    )
    new, _ = exchanged(text, "xml")
    expat.ParserCreate().Parse(new, True)
    assert "Zorn" not in new and "ATTLIST" in new

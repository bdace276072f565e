import csv
import io

import pytest
from exchange import exchanged, fields, kept
from hypothesis import given
from hypothesis import strategies as st

from privstamp.errors import InputError
from privstamp.text.formats.recognition import read
from privstamp.types import Finding

FILLERS = "\u115f\u1160\u3164\uffa0"  # letters that nobody sees: they never leave
SIGNS = st.characters(
    categories=("L", "N", "P", "S"), include_characters=" \n", exclude_characters=FILLERS
)
CELLS = st.text(SIGNS, max_size=12)
HEADERS = st.lists(
    st.text(st.characters(categories=("Ll",)), min_size=1, max_size=8),
    min_size=2,
    max_size=4,
    unique=True,
)


@given(HEADERS, st.data(), st.sampled_from([",", ";", "\t"]), st.sampled_from(["\n", "\r\n"]))
def test_any_table_keeps_rows_and_columns(headers, data, delimiter, end):
    rows = data.draw(st.lists(st.tuples(*[CELLS] * len(headers)), min_size=1, max_size=5))
    output = io.StringIO()
    csv.writer(output, delimiter=delimiter, lineterminator=end).writerows([headers, *rows])
    text = output.getvalue()
    name = "tsv" if delimiter == "\t" else "csv"
    assert kept(text, name) == text
    new, names = exchanged(text, name)
    table = list(csv.reader(io.StringIO(new, newline=""), delimiter=delimiter))
    before = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    assert table[0] == [names.get(header, header) for header in before[0]]
    assert [len(row) for row in table] == [len(row) for row in before]


def test_a_table_is_seen_and_headers_tell_what_cells_are():
    text = 'id,last_name,city\n1,"Ode, A",Leeds\n2,Roe,York\n'
    template = read(text)
    assert template.format == "csv"
    assert template.reading == "1, Ode, A, Leeds\n2, Roe, York"
    assert fields(template) == ["1", "Ode, A", "Leeds", "2", "Roe", "York"]
    assert [one.kind for one in template.hinted()] == ["PERSON", "LOCATION"] * 2


@pytest.mark.parametrize(
    "text",
    ["Dear Ann, hello\nThanks, Bob\nBye, Joe\n", "a,b\n1,2,3\n4,5\n", "one, two\n3, 4\n5, 6\n"],
)
def test_prose_with_commas_is_no_table(text):
    assert read(text) is None


def test_a_quote_that_does_not_end_is_named():
    with pytest.raises(InputError, match="not csv: line 2, column 3"):
        read('a,b\n1,"x\n', "csv")


def test_what_reaches_in_from_another_field_says_nothing_of_one_that_is_told_by_name():
    from privstamp.types import Finding

    template = read("note,last_name\nday 12,Kettleworth\nday 13,Ruiz\n", "csv")
    at = template.reading.index("12")
    end = template.reading.index("Kettleworth") + len("Kettleworth")
    found = template.with_hints([Finding(at, end, "ADDRESS", 1.0, "numbers", "address")])
    kinds = {template.reading[one.start : one.end]: one.kind for one in found}
    assert kinds["Kettleworth"] == kinds["Ruiz"] == "PERSON"
    assert next(kind for text, kind in kinds.items() if text.startswith("12")) == "ADDRESS"


def test_fields_for_jobs_and_sexes_name_nobody_unless_their_words_do():
    text = "sex,department\nF,Finance\nM,Vantongeren\n"
    template = read(text)

    def of(name):
        start = template.reading.index(name)
        return Finding(start, start + len(name), "PERSON", 0.9, "lexicon", "listed name")

    assert template.with_hints([of("Finance"), of("Vantongeren")]) == [of("Vantongeren")]
    assert list(template.hinted()) == []

"""Dates: how they are written, and dates drawn in the same form."""

from bisect import bisect_left, insort
from datetime import date, timedelta

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from privstamp.errors import PolicyError
from privstamp.mechanisms.dates import APART, Chronology, Days, Window
from privstamp.noise import KEY_BYTES, Noise
from privstamp.text.dates import months_first, read_date, write_date

FORMS = [
    ("3 October 2025", "<D> <MMMM en title> <YYYY>"),
    ("Mon, 6 Oct 2025", "<Ws en title>, <D> <MMM en title> <YYYY>"),
    ("October 3rd, 2025", "<MMMM en title> <Do>, <YYYY>"),
    ("2025-11-02T08:14:55Z", "<YYYY>-<MM>-<DD>T08:14:55Z"),
    ("7/2/1984", "<D>/<M>/<YYYY>"),
    ("07/02/84", "<DD>/<MM>/<YY>"),
    ("12/25/1999", "<MM>/<DD>/<YYYY>"),
    ("20251103", "<YYYY><MM><DD>"),
    ("20251103T101500Z", "<YYYY><MM><DD>T101500Z"),
    ("10/Oct/2023:13:55:36", "<D>/<MMM en title>/<YYYY>:13:55:36"),
    ("3-5 OCTOBER 2025", "<D>-<D> <MMMM en upper> <YYYY>"),
    ("the third of May", "the <Dw en lower> of <MMMM en title>"),
    ("3. Oktober 2025", "<D>. <MMMM de title> <YYYY>"),
    ("3 de octubre de 2025", "<D> de <MMMM es lower> de <YYYY>"),
    ("3 Oct '25", "<D> <MMM en title> '<YY>"),
    ("Tuesday 14 March", "<W en title> <D> <MMMM en title>"),
    ("third of March nineteen eighty-four", "<Dw en lower> of <MMMM en title> <Yw en lower>"),
    ("June Twenty-Second, Twenty Twenty", "<MMMM en title> <Dw en title>, <Yw en title>"),
    ("twenty first of May", "<Dw en lower> of <MMMM en title>"),
    ("third to the fifth of March", "<Dw en lower> to the <Dw en lower> of <MMMM en title>"),
]


@pytest.mark.parametrize(("text", "form"), FORMS)
def test_form(text, form):
    assert read_date(text).form == form


@pytest.mark.parametrize(
    "text", ["30 February 2020", "3 apples", "October 2025", "V4", "Friday", "2025", "", "1.2.3.4"]
)
def test_no_exact_date(text):
    assert read_date(text) is None


@pytest.mark.parametrize("form", [form for _, form in FORMS])
@given(day=st.dates(date(1950, 1, 1), date(2029, 12, 31)))
def test_what_is_written_can_be_read_again(form, day):
    last = 28 if form.count("<D") == 2 else None
    day = day.replace(day=min(day.day, 27)) if last else day
    again = read_date(write_date(form, day, last))
    ambiguous = "<M>" in form or "<MM>/" in form
    assert ambiguous or (again.month, again.day) == (day.month, day.day)
    assert again.form.count("<") == form.count("<")


def draws(form: str, count: int, window: Window = Window()) -> list[str]:  # noqa: B008
    noise = Noise.of_document(bytes(KEY_BYTES), np.arange(count))
    return [window.draw(form, noise.take(slice(i, i + 1)), 0) for i in range(count)]


def test_drawn_dates_are_possible_and_lie_in_the_window():
    window = Window.of(("2001-03-01", "2003-02-28"))
    days = [date.fromisoformat(day) for day in draws("<YYYY>-<MM>-<DD>", 4000, window)]
    assert min(days) >= window.first and max(days) <= window.last
    assert len(set(days)) > 0.9 * window.days("")  # all but e^-5.5 of them
    weekdays = {read_date(day).form for day in draws("<W en title> <D> <MMMM en title> <YYYY>", 50)}
    assert weekdays == {"<W en title> <D> <MMMM en title> <YYYY>"}


def test_every_day_is_as_likely():
    window = Window.of(("2001-01-01", "2002-01-01"))
    days = [date.fromisoformat(day) for day in draws("<YYYY>-<MM>-<DD>", 36_600, window)]
    counts = np.bincount([(day - window.first).days for day in days], minlength=window.days(""))
    assert abs(((counts - 100) ** 2 / 100).sum() - 365) < 6 * np.sqrt(2 * 365)


def test_a_range_begins_before_it_ends():
    for text in draws("<D> to <D> <MMMM en title>", 200):
        written = read_date(text)
        assert written.day < written.last <= 28


def test_a_day_without_a_year_is_the_next_one_that_has_one():
    days = Days()
    texts = ["11 March", "2025-03-11", "11 March 2024", "11 March", "12 March 2024", "12 March"]
    places = [days.of(text, place)[1] for place, text in enumerate(texts)]
    assert places == [0, 0, 2, 2, 4, 4]


def test_one_day_is_one_date_in_all_forms():
    days = Days()
    assert days.of("3 October 2025", 5) == ("<D> <MMMM en title> <YYYY>", 5)
    assert days.of("2025-10-03", 9) == ("<YYYY>-<MM>-<DD>", 5)
    assert days.of("3 October", 12)[1] == 5
    assert days.of("4 October 2025", 14)[1] == 14
    assert days.of("3 October 2024", 15)[1] == 15
    assert days.of("Oct 3", 16)[1] == 15
    noise = Noise.of_document(bytes(KEY_BYTES), np.arange(1))
    window = Window()
    iso = date.fromisoformat(window.draw("<YYYY>-<MM>-<DD>", noise, 0))
    assert window.draw("<D>/<M>/<YYYY>", noise, 0) == f"{iso.day}/{iso.month}/{iso.year}"


def drawn(texts: list[str], key: int = 0, window: Window = Window()) -> list[date]:  # noqa: B008
    """What the dates of one text become."""
    noise = Noise.of_document(bytes([key] * KEY_BYTES), [])
    chronology, days = Chronology(noise, window), Days()
    found = []
    for at, text in enumerate(texts):
        form, place = days.of(text, at, chronology)
        mark = form.removesuffix(read_date(text).form)
        found.append(window.day(mark, noise.at(place)))
    return found


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("7/2/1961", date(1950, 1, 1), date(1999, 12, 31)),
        ("14 July 1789", date(1950, 1, 1), date(1999, 12, 31)),
        ("2000-01-01", date(2000, 1, 1), date(2029, 12, 31)),
        ("14 July", date(1950, 1, 1), date(2029, 12, 31)),
    ],
)
def test_a_date_before_2000_becomes_one_before_it(text, first, last):
    mark = Chronology(Noise.of_document(bytes(KEY_BYTES), [])).mark(read_date(text), 0)
    assert mark == f"<{first} to {last}>"
    assert Window().days(mark + "<D>") == (last - first).days + 1
    found = [date.fromisoformat(day) for day in draws(mark + "<YYYY>-<MM>-<DD>", 3000)]
    assert first <= min(found) < first + timedelta(days=150)
    assert last - timedelta(days=150) < max(found) <= last


def test_an_era_of_less_than_a_year_is_the_whole_window():
    narrow = Window.of(("1999-06-01", "2001-12-31"))
    assert narrow.era(1961) == narrow.ends == narrow.era(None)
    assert narrow.era(2024) == (date(2000, 1, 1), narrow.last)


def distance(one: date, other: date) -> int:
    return bisect_left(APART, abs((one - other).days))


@given(st.lists(st.dates(date(2005, 1, 1), date(2024, 12, 31)), unique=True, max_size=6))
@example([date(2020, 1, 1), date(2020, 1, 8), *(date(2020, 1, day) for day in range(2, 8))])
def test_days_of_a_text_keep_their_order(originals):
    found = drawn([str(day) for day in originals])
    in_order = [become for _, become in sorted(zip(originals, found, strict=True))]
    assert in_order == sorted(in_order)


@given(st.tuples(*[st.dates(date(2005, 1, 1), date(2024, 12, 31))] * 2), st.integers(0, 255))
def test_two_days_keep_about_their_distance(pair, key):
    wide = Window.of(("1500-01-01", "2600-01-01"))
    assert distance(*drawn([str(day) for day in pair], key, wide)) == distance(*pair)


def test_a_stay_in_hospital_stays_one():
    for key in range(200):
        born, came, left = drawn(["12/03/1967", "3 October 2025", "8 October"], key)
        assert (came - born).days > 18 * 365 and 1 <= (left - came).days <= 7


@given(st.lists(st.tuples(*[st.dates(date(2001, 1, 1), date(2029, 12, 31))] * 2), max_size=5))
def test_texts_with_the_same_labels_get_the_same_days(pairs):
    def labels(days):
        seen, told = [], []
        for day in days:
            at = bisect_left(seen, day)
            here = at < len(seen) and seen[at] == day
            beside = ([] if here or not at else [seen[at - 1]]) + seen[at : at + 1]
            told.append((at, here, [distance(day, other) for other in beside]))
            if not here:
                insort(seen, day)
        return told

    one, other = [[pair[side] for pair in pairs] for side in (0, 1)]
    if labels(one) == labels(other):
        assert drawn(list(map(str, one))) == drawn(list(map(str, other)))
    moved = [day + timedelta(days=7 * 52) for day in one]  # the same labels, whatever was drawn
    assert drawn(list(map(str, one))) == drawn(list(map(str, moved)))


@pytest.mark.parametrize(
    ("texts", "month_first"),
    [
        (["11/02/2024", "03/22/1978"], True),
        (["11/02/2024", "22/03/1978"], False),
        (["11/02/2024"], False),
        (["03/22/1978", "22/03/1978"], False),
        (["2024-03-22", "3 May", "March 22", "12.31."], True),
        ([], False),
    ],
)
def test_one_date_tells_how_the_others_of_its_text_are_written(texts, month_first):
    assert months_first(texts) == month_first
    days = Days()
    days.learn(texts)
    form, day = ("<MM>/<DD>", "2 November") if month_first else ("<DD>/<MM>", "11 February")
    assert days.of("11/02/2024", 3)[0] == f"{form}/<YYYY>"
    assert days.name("11/02/2024") == days.name(f"{day} 2024")
    assert days.of("31/12/2024", 4)[0] == "<DD>/<MM>/<YYYY>"  # there is no such month


def test_one_that_forgets_draws_each_day_by_itself():
    noise = Noise.of_document(bytes(KEY_BYTES), [])
    chronology = Chronology(noise, forgets=True)
    first, second = (chronology.mark(read_date(f"2024-05-0{day}"), day) for day in (1, 2))
    assert first == second == "<2000-01-01 to 2029-12-31>"
    assert chronology.within(None) is None and chronology.within(Window()) is chronology


def test_where_the_window_has_no_room_days_are_drawn_all_the_same():
    narrow = Window.of(("2001-01-01", "2002-01-10"))
    texts = [f"{year}-05-0{day}" for year in range(1900, 2020, 5) for day in (1, 3)]
    found = drawn(texts, window=narrow)
    assert all(narrow.first <= day <= narrow.last for day in found)
    assert found == sorted(found)


@pytest.mark.parametrize(
    "given_window", [("2001-01-01", "2001-02-01"), ("x", "y"), ("2001-01-01",)]
)
def test_a_window_that_is_none_is_refused(given_window):
    with pytest.raises(PolicyError):
        Window.of(given_window)


def test_the_default_window_is_long():
    assert Window().last - Window().first > timedelta(days=365 * 50)

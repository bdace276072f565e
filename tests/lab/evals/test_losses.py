"""What was kept and what got out is counted from text and release alone."""

import pytest
from losses import kept, leaks, losses, lost_spans, lost_words, quote, says, unmarked

from privstamp.lab.evals.contracts import Span

TEXT = "Ada Quorl takes metformin 500 mg daily and does not smoke. Call 555-0182."
GO = (Span(0, 9, "PERSON"), Span(64, 72, "PHONE_NUMBER"))
STAY = (Span(16, 25, "clinical"), Span(26, 32, "dose"), Span(48, 51, "negation"))
GOOD = "Mia Brand takes metformin 500 mg daily and does not smoke. Call 612-9944."
POOR = "Mia Quorl takes gearbox 848 mg daily and does smoke. Call 612-0182."


def test_the_marks_of_this_test_are_where_they_should_be():
    assert [TEXT[span.start : span.end] for span in (*GO, *STAY)] == [
        *("Ada Quorl", "555-0182", "metformin", "500 mg", "not")
    ]


def test_a_good_release_loses_nothing_and_lets_nothing_out():
    mask = kept(TEXT, GOOD)
    assert losses(TEXT, mask, GO, STAY).lost("words", "clinical", "dose", "negation") == 0
    assert leaks(TEXT, [mask], [GOOD], GO).lost("direct") == 1


def test_a_poor_release_is_told_in_both_ways():
    mask = kept(TEXT, POOR)
    lost = losses(TEXT, mask, GO, STAY)
    assert [lost.lost(name) for name in ("clinical", "dose", "negation")] == [1, 1, 1]
    assert lost.lost("words") == 0.25  # of takes, metformin, daily, smoke
    assert list(lost_spans(TEXT, mask, STAY)) == [
        *(("clinical", "metformin"), ("dose", "500 mg"), ("negation", "not"))
    ]
    assert list(lost_words(TEXT, mask, GO)) == ["metformin"]
    out = leaks(TEXT, [mask], [POOR], GO)
    assert out.kept["PERSON"] == len("Quorl") and out.kept["PHONE_NUMBER"] == len("0182")
    assert out.kept["PERSON whole"] == 1 and out.lost("direct") == pytest.approx(6 / 15)


def test_what_gets_out_by_chance_once_does_not_count():
    masks = [kept(TEXT, POOR), kept(TEXT, GOOD)]
    assert leaks(TEXT, masks, [POOR, GOOD], GO).lost("direct") == 1


def test_a_name_that_moved_has_got_out_all_the_same():
    moved = "Daily 500 mg, says Quorl."
    assert leaks(TEXT, [kept(TEXT, moved)], [moved], GO).kept["PERSON"] == len("Quorl")


def test_words_that_name_nobody_do_not_count_in_an_address():
    text, go = "She lives at 59 Vosk Road, Suite 4.", [Span(13, 34, "ADDRESS")]
    release = "She lives at 12 Petersen Road, Suite 8."
    out = leaks(text, [kept(text, release)], [release], go)
    assert out.lost("ADDRESS whole") == out.lost("direct") == 1
    assert out.kept["direct, every word"] == len("RoadSuite")


def test_unmarked_texts_are_read_by_endings_and_forms():
    text = "She takes lisinopril 10 mg, pays $40 and has bronchitis in 20% of winters."
    mask = kept(text, text.replace("lisinopril 10", "raincoat 57"))
    lost = losses(text, mask, ())
    assert lost.lost("clinical") == 0.5 and lost.lost("dose") == 1
    assert lost.lost("money") == 0 and lost.lost("percent") == 0
    assert lost.lost("key") is None


def test_dates_in_words_are_a_class_of_their_own():
    text = "Come on the fifth of May or on 6 May."
    go = [Span(12, 24, "DATE"), Span(31, 36, "DATE")]
    out = leaks(text, [kept(text, text)], [text], go)
    assert out.lost("number words") == 0 and out.total["number words"] == 1


def test_a_detector_is_measured_by_what_it_marks():
    mask = unmarked(TEXT, GO)
    assert leaks(TEXT, [mask], [], GO).lost("direct") == 1
    assert leaks(TEXT, [unmarked(TEXT, ())], [], GO).lost("direct") == 0


def test_the_quoting_reader_finds_the_sentence_and_no_part_of_a_longer_number():
    text = "The tower was built in 1874. Repairs cost 640. Engineers warn. Visitors come by boat."
    reply = quote(text, "When was the tower built?")
    assert "1874" in reply and "boat" not in reply
    assert says(reply, ("1874",)) and not says(reply, ("187", "1899"))


def test_a_number_is_no_negation():
    text = "No. 7 is not here, file no. 12 isn't."
    assert losses(text, kept(text, text), ()).total["negation"] == 2


def test_what_a_place_is_may_stay_after_its_name_but_is_a_name_before_it():
    text, go = "Seen at 300 Wharf Street, Vosk Falls.", [Span(8, 36, "ADDRESS")]
    for release, out in (
        ("Seen at 16 Elm Street, Dodd Falls.", 0),
        ("Seen at 16 Wharf Street, Dodd Falls.", 5),
    ):
        assert leaks(text, [kept(text, release)], [release], go).kept["ADDRESS"] == out


def test_ranges_for_documentation_are_public():
    text, go = "From 192.0.2.44 today.", [Span(5, 15, "IP_ADDRESS")]
    for release, out in (("From 192.0.2.6 today.", 0), (text, 7)):
        assert leaks(text, [kept(text, release)], [release], go).kept["IP_ADDRESS"] == out

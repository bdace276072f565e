"""Bodies, events and drafts, each alone."""

import pytest

from privstamp.gateway.body import DEEPEST, LARGEST, canonical, compact, read_object
from privstamp.gateway.draft import Draft, NamePlace, Sealed, Slot
from privstamp.gateway.refused import Refused
from privstamp.gateway.sse import Event, EventLines
from privstamp.gateway.table import Field, Types, parse_shape
from privstamp.sessions.messages import ASSISTANT, OWN, Text


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b'{"a": 1, "b": {"c": 1, "c": 2}}', "a key twice"),
        (b'{"a": -Infinity}', "a number that is none"),
        (b'{"a": 1e400}', "a number that is none"),
        (b'{"a": %d}' % LARGEST, "more than 64 bits"),
        (b'{"a": -%d}' % (LARGEST + 1), "more than 64 bits"),
        (b'{"a": ' + b"[" * (DEEPEST + 1) + b"]" * (DEEPEST + 1) + b"}", "deep"),
        (b'{"a": ["\\udc00"]}', "a lone surrogate"),
        (b'{"\\ud83d": 1}', "a lone surrogate"),
        (b"\xef\xbb\xbf{}", "not valid JSON"),
        (b"{} {}", "not valid JSON"),
        (b"7", "not an object"),
    ],
)
def test_a_body_is_one_plain_object(body, why):
    with pytest.raises(Refused, match=why) as refused:
        read_object(body)
    assert refused.value.code == "bad_json"


def test_what_is_just_allowed_is_read():
    deep = b"[" * DEEPEST + b"]" * DEEPEST
    body = b'{"a": %d, "b": -%d, "c": "\\ud83d\\ude00", "d": %s}' % (LARGEST - 1, LARGEST, deep)
    value = read_object(body)
    assert (value["a"], value["b"], value["c"]) == (LARGEST - 1, -LARGEST, "\U0001f600")


def test_equal_values_have_one_canonical_text_and_keep_their_order_in_compact():
    one, other = {"b": [1.5, "é"], "a": None}, {"a": None, "b": [1.5, "é"]}
    assert canonical(one) == canonical(other) == '{"a":null,"b":[1.5,"é"]}'
    assert compact(one) == '{"b":[1.5,"é"],"a":null}'


STREAM = (
    "\ufeff: hello\r\nevent: a\rdata: 1\ndata:2\r\n\r\nid: 7\ndata: é\n\nevent: b\n\n\ndata: end"
)


def read(pieces):
    lines = EventLines()
    events = [event for piece in pieces for event in lines.feed(piece)]
    events += lines.feed(b"", last=True)
    return [(event.name, event.data, event.comment) for event in events], lines.open


def test_events_are_the_same_wherever_their_bytes_break():
    stream = STREAM.encode()
    whole = read([stream])
    assert whole == ([("", "", " hello"), ("a", "1\n2", None), ("", "é", None)], True)
    for at in range(len(stream) + 1):
        assert read([stream[:at], stream[at:]]) == whole
    assert read([bytes([byte]) for byte in stream]) == whole


@pytest.mark.parametrize("event", [Event("a\nb", "n"), Event("é"), Event(comment=" c"), Event("")])
def test_an_event_is_read_as_it_was_written(event):
    (read_again,), still_open = read([event.written().encode()])
    assert (event.name, event.data, event.comment) == read_again and not still_open


def test_a_stream_that_is_no_text_or_never_ends_is_refused(monkeypatch):
    with pytest.raises(Refused, match="not UTF-8"):
        list(EventLines().feed(b"data: \xff"))
    with pytest.raises(Refused, match="not UTF-8"):
        read(["data: é".encode()[:-1]])
    monkeypatch.setattr("privstamp.gateway.sse.LARGEST", 100)
    lines = EventLines()
    for _ in range(50):  # each ends in time
        list(lines.feed(b"data: 1234567890\n\n"))
    with pytest.raises(Refused, match="too large"):
        list(lines.feed(b"data: 1234567890\n" * 50))  # lines of one event


def slot(text):
    return Slot(text, (Text(text),), lambda released: released[0].upper(), str)


def test_a_draft_joins_replies_and_keeps_others_apart():
    draft = Draft()
    for text, origin, item in (
        ("a", OWN, 1), ("b", OWN, 1), ("c", OWN, 2), ("d", ASSISTANT, 3), ("e", ASSISTANT, 4),
        ("f", OWN, 4),
    ):  # fmt: skip
        draft.add(slot(text), "user", origin, item)
    texts = [[each.held for each in part.slots] for part in draft.parts]
    assert texts == [["a", "b"], ["c"], ["d", "e"], ["f"]]


def test_a_draft_is_filled_where_its_holes_are():
    draft = Draft()
    first, signed = slot("a"), slot("b")
    draft.add(first, "user", OWN, 1)
    first.out, signed.out = "A", {"signature": "s"}
    draft.parts[0].name = "Name"
    draft.tree = {
        "x": [first, NamePlace(draft.parts[0])],
        "y": Sealed({"type": "t"}, signed),
        "z": 1,
    }
    assert draft.filled() == {"x": ["A", "Name"], "y": {"type": "t", "signature": "s"}, "z": 1}


def test_a_part_without_new_texts_says_nothing():
    draft = Draft()
    part = draft.part("user", OWN, 1)
    assert part.message([]) is None
    part.participant = "Ann Quux"
    message = part.message([slot("a")])
    assert message.participant == "Ann Quux" and message.texts == (Text("a"),)


def types(**kinds):
    fields = {
        name: {
            key: Field("pass", parse_shape(shape), needed) for key, (shape, needed) in rows.items()
        }
        for name, rows in kinds.items()
    }
    return Types(tuple(kinds), fields)


def test_a_value_is_of_the_type_that_knows_most_of_it():
    known = types(
        Plain={"text": ("str", True)},
        Named={"text": ("str", True), "name": ("str", False)},
        Typed={"type": ('"a" | "b"', True), "text": ("str", False)},
    )
    assert known.fitting(known.roots, {"text": "x"})[0] == "Plain"
    assert known.fitting(known.roots, {"text": "x", "name": "y"})[0] == "Named"
    assert known.fitting(known.roots, {"type": "b", "text": "x"}) == ["Typed"]
    assert known.fitting(known.roots, {"type": "c"}) == []
    assert known.fitting(known.roots, {"type": ["a"]}) == []


def test_many_types_are_found_by_theirs():
    kinds = {f"T{number}": {"type": (f'"t{number}"', True)} for number in range(20)}
    known = types(**kinds, Any={"type": ("str", False)})
    assert known.fitting(known.roots, {"type": "t7"})[0] == "T7"
    assert known.fitting(known.roots, {"type": "new"}) == ["Any"]
    assert known.fitting(known.roots, {"type": None}) == ["Any"]

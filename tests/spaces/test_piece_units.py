"""Cutting text into pieces: exact offsets, nothing lost, nothing slipping through."""

import numpy as np
import pytest
import tiny_models as tiny
from hypothesis import given, settings
from hypothesis import strategies as st

from privstamp.errors import InputError
from privstamp.spaces import piece_units
from privstamp.spaces.piece_units import Cutter, case_of, kind_of
from privstamp.spaces.tokenizer_spec import load, plain
from privstamp.types import PASSING, UNKNOWN, Kind, Label, join_surfaces


def cutter_of(spec):
    made = plain(spec)
    rows = np.arange(len(made.strings), dtype=np.int32)
    rows[made.markers] = UNKNOWN
    cutter = Cutter(
        load(made.json),
        made.strings,
        rows,
        missing=made.missing,
        spaced=made.spaced,
        uncased=made.uncased,
    )
    return cutter, made.strings


def byte_spec(normalizer=None):
    tokens, merges = tiny.bpe()
    pre = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}
    vocab = {token: index for index, token in enumerate(tokens)}
    model = {"type": "BPE", "vocab": vocab, "merges": merges}
    special = [{"id": n, "content": t, "special": True} for n, t in enumerate(tiny.SPECIAL)]
    return {"added_tokens": special, "normalizer": normalizer, "pre_tokenizer": pre, "model": model}


BYTES, BYTE_STRINGS = cutter_of(byte_spec())
UNCASED, WORD_STRINGS = cutter_of(tiny.wordpiece_spec())
META, META_STRINGS = cutter_of(tiny.metaspace_spec())
ALL = pytest.mark.parametrize("cutter", [BYTES, UNCASED, META], ids=["bytes", "uncased", "meta"])


def shown(units):
    return [
        (units.surface(i), Kind(units.kinds[i]).name, int(units.rows[i]) != UNKNOWN)
        for i in range(len(units))
    ]


def check(cutter, strings, text):
    units = cutter.cut(text)
    assert join_surfaces(units, units.surfaces()) == text
    assert (units.starts < units.ends).all()
    assert (units.ends[:-1] <= units.starts[1:]).all()
    assert set(join_surfaces(units, [""] * len(units))) <= PASSING
    known = np.isin(units.kinds, (Kind.PIECE, Kind.NUMBER, Kind.CODE))
    assert (known | (units.rows == UNKNOWN)).all()
    if cutter is not UNCASED:
        known = np.flatnonzero(units.rows != UNKNOWN)
        assert [strings[units.rows[i]] for i in known] == [units.surface(int(i)) for i in known]
    if cutter is BYTES:
        assert units.starts.tolist() == [0, *units.ends[:-1].tolist()][: len(units)]
    return units


SOME_TEXT = st.lists(
    st.one_of(
        st.text(max_size=12),
        st.text(alphabet=st.characters(codec="utf-8", categories=["Cc", "Cf", "Mn", "So", "Zs"])),
        st.sampled_from(
            ["the doctor", " letters", "\x04", "\U000c0001", "\U00050000", "e\u0301", "👩‍👧",
             "\r\n", "<|im_start|>", "[CLS]", "</s>", "日本語", "مرحبا", "İstanbul", "ﬁ", "각",
             "\u2581"]
        ),
    ),
    max_size=8,
).map("".join)  # fmt: skip


@settings(deadline=None, max_examples=150)
@given(SOME_TEXT)
def test_any_text_comes_back(text):
    check(BYTES, BYTE_STRINGS, text)
    check(UNCASED, WORD_STRINGS, text)
    check(META, META_STRINGS, text)


def test_pieces_carry_their_blank():
    units = check(BYTES, BYTE_STRINGS, "the doctor's letter")
    assert units.surfaces()[-1].startswith(" ")
    blank = [surface.startswith(" ") for surface in units.surfaces()]
    assert [bool(label & Label.SPLIT) for label in units.labels.tolist()] == blank
    assert any(blank) and not all(blank)


def test_split_characters_are_one_unknown_unit():
    units = check(BYTES, BYTE_STRINGS, "a 😀 日本 \u0416x")
    assert shown(units)[1:] == [
        (" ", "PIECE", True),
        ("😀", "EMOJI", False),
        (" ", "PIECE", True),
        ("日本", "FOREIGN", False),
        (" ", "PIECE", True),
        ("\u0416", "FOREIGN", False),
        ("x", "PIECE", True),
    ]
    family = "👩\u200d👩\u200d👧"
    assert shown(check(BYTES, BYTE_STRINGS, family)) == [(family, "EMOJI", False)]


def test_dropped_characters_are_units_and_shift_nothing():
    units = check(BYTES, BYTE_STRINGS, "let\x04ter \x06\x04the\U00050000doctor")
    unknown = [one for one in shown(units) if not one[2]]
    assert unknown == [
        ("\x04", "CONTROL", False),
        ("\x06\x04", "CONTROL", False),
        ("\U00050000", "CONTROL", False),
    ]


def test_uncased_pieces_keep_case_as_a_label():
    units = check(UNCASED, WORD_STRINGS, "The DOCTOR reads Letters, Priya")
    assert [WORD_STRINGS[row] for row in units.rows] == [
        "the", "doctor", "reads", "letter", "s", ",", "pri", "ya",
    ]  # fmt: skip
    assert units.labels.tolist() == [1, 2, 0, 1, 0, 0, 1, 0]
    assert units.surfaces() == ["The", "DOCTOR", "reads", "Letter", "s", ",", "Pri", "ya"]


def test_accents_and_controls_that_a_normaliser_strips():
    for text in ("café", "cafe\u0301"):
        (only,) = check(UNCASED, WORD_STRINGS, text).rows
        assert WORD_STRINGS[only] == "cafe"
    assert shown(check(UNCASED, WORD_STRINGS, "a\u200b \xa0\x01 \u0301")) == [
        ("a", "PIECE", True),
        ("\u200b", "CONTROL", False),
        ("\xa0", "SPACE", False),
        ("\x01", "CONTROL", False),
        ("\u0301", "FOREIGN", False),
    ]


def test_words_without_a_piece_are_unknown():
    assert shown(check(UNCASED, WORD_STRINGS, "a Ωμέγα € 5 日x")) == [
        ("a", "PIECE", True),
        ("Ωμέγα", "FOREIGN", False),
        ("€", "CURRENCY", False),
        ("5", "NUMBER", True),
        ("日", "PIECE", True),
        ("x", "PIECE", True),
    ]
    assert shown(check(UNCASED, WORD_STRINGS, "x" * 101)) == [("x" * 101, "WORD", False)]


@ALL
@pytest.mark.parametrize("text", ["<|im_start|>", "[CLS] [PAD]", "<s> </s>", "[unused0]", "<unk>"])
def test_markers_are_text(cutter, text):
    units = cutter.cut(text)
    assert not np.isin(units.rows, [0, 1, 2]).any()
    assert len(units) > 1, "spelt out, not taken as one token"


@ALL
def test_odd_inputs(cutter):
    assert len(cutter.cut("")) == 0
    assert (len(cutter.cut(" \t\n")) == 0) == (cutter is UNCASED), "spacing belongs to pieces"
    for bad in (b"bytes", None, 3):
        with pytest.raises(InputError, match="must be str"):
            cutter.cut(bad)
    with pytest.raises(InputError, match="character 7 is a lone surrogate") as caught:
        cutter.cut("secret \ud800 text")
    assert "secret" not in str(caught.value)
    assert caught.value.__context__ is None and caught.value.__cause__ is None


@ALL
def test_chunks_do_not_show(cutter, monkeypatch):
    texts = [
        tiny.TEXT * 20,
        "the doctor  paid,\n\n 12 345 letters!  the\r\nend\t a  b 'tis don't",
        "日本 the letter\n日 本 doctor é ü " * 30,
    ]
    whole = [cutter.cut(text) for text in texts]
    for chunk in (1, 7, 50):
        monkeypatch.setattr(piece_units, "CHUNK", chunk)
        monkeypatch.setattr(piece_units, "LONGEST", 1 << 20)
        for text, expected in zip(texts, whole, strict=True):
            units = cutter.cut(text)
            for name in ("starts", "ends", "rows", "kinds", "labels"):
                assert np.array_equal(getattr(units, name), getattr(expected, name)), name


@ALL
def test_text_without_seams_is_cut_all_the_same(cutter, monkeypatch):
    monkeypatch.setattr(piece_units, "CHUNK", 16)
    monkeypatch.setattr(piece_units, "LONGEST", 32)
    for text in ("a" * 1000, "\n" * 1000, "日" * 500, "\x04" * 500, "😀" * 300):
        units = cutter.cut(text)
        assert join_surfaces(units, units.surfaces()) == text


def test_normalised_forms_are_recognised():
    cutter, strings = cutter_of(byte_spec({"type": "NFC"}))
    units = cutter.cut(" cafe\u0301")
    known = units.rows[units.rows != UNKNOWN]
    assert "".join(strings[row] for row in known) == " café"


def test_a_row_that_does_not_match_its_surface_is_taken_back():
    cutter, strings = cutter_of(byte_spec())
    cutter._strings = [s and s.replace("e", "x") for s in strings]
    units = cutter.cut("be")
    assert units.rows[0] != UNKNOWN
    assert units.rows[-1] == UNKNOWN


@pytest.mark.parametrize(
    ("character", "kind"),
    [("a", "WORD"), ("é", "WORD"), ("я", "FOREIGN"), ("一", "FOREIGN"), ("7", "NUMBER"),
     ("٣", "NUMBER"), ("$", "CURRENCY"), ("€", "CURRENCY"), ("%", "SYMBOL"), ("😀", "EMOJI"),
     ("\xa0", "SPACE"), ("\x00", "CONTROL"), ("\u200b", "CONTROL"), ("\u0301", "FOREIGN")],
)  # fmt: skip
def test_kinds(character, kind):
    assert kind_of(character) == Kind[kind]


def test_cases():
    written = {"a": 0, "A": 1, "Ab": 1, "AB": 2, "aB": 0, "1": 0, "": 0}
    assert {surface: int(case_of(surface)) for surface in written} == written

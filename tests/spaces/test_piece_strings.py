"""What the names in a vocabulary stand for."""

from tokenizers.pre_tokenizers import ByteLevel

from privstamp.spaces.tokenizer_spec import ALPHABET, reader


def test_the_alphabet_is_the_library_s():
    assert sorted(ALPHABET) == sorted(ByteLevel.alphabet())
    assert ALPHABET[ord("a")] == "a"
    assert ALPHABET[ord(" ")] == "Ġ"
    assert ALPHABET[ord("\n")] == "Ċ"


def test_byte_level_names():
    read = reader({"end_of_word_suffix": ""}, byte_level=True, metaspace=False)
    assert read("Ġthe") == " the"
    assert read("cafÃ©") == "café"
    assert read("Ã") is None  # half a character
    assert read("日") is None  # not of the alphabet


def test_names_with_marks_around_them():
    read = reader({"continuing_subword_prefix": "##"}, byte_level=False, metaspace=False)
    assert (read("##ing"), read("ing"), read("\u2581")) == ("ing", "ing", "\u2581")
    clip = reader({"end_of_word_suffix": "</w>"}, byte_level=True, metaspace=False)
    assert clip("cat</w>") == "cat"


def test_sentence_piece_names():
    read = reader({"byte_fallback": True}, byte_level=False, metaspace=True)
    assert read("\u2581the") == " the"
    assert read("<0x0A>") == "\n"
    assert read("<0xE2>") is None
    plain = reader({}, byte_level=False, metaspace=True)
    assert plain("<0x0A>") == "<0x0A>"

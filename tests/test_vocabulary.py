"""Public words: which are ordinary by themselves, and which are not."""

import pytest

from privstamp.errors import PolicyError
from privstamp.sensitivity.own_words import read_vocabulary
from privstamp.text.vocabulary import LISTS, Vocabulary, WordList, all_public, is_public, packed

PUBLIC = (
    "angiography metformin lisinopril atorvastatin troponin Troponin hyperlipidaemia edema oedema "
    "summarise Summarize translated colour color organisation Supplier Landlord tort subpoena "
    "kwargs JSON Android middleware quesadilla unequivocal lacemaker waaaay ECG MRI stdout naïve"
)
PRIVATE = (
    "Raghunathan Heller Okonkwo peter william smith Vasquez Zbigniew Xiaoming Quillfeather "
    "qxzvbn Anneliese Dorchester gutierrez stephanie"
)


@pytest.mark.parametrize("word", PUBLIC.split())
def test_public_words_are_known(word):
    assert is_public(word)


@pytest.mark.parametrize("word", PRIVATE.split())
def test_names_and_unknown_words_are_not(word):
    assert not is_public(word)


def test_letters_of_another_script_make_no_public_word():
    assert is_public("password") and not is_public("p\u0430ssword")  # a Cyrillic a


def test_identifiers_are_cut_into_words():
    for name in (
        "API_KEY",
        "customer_id",
        "KeyError",
        "dateOfBirth",
        "sha256",
        "r",
        "content-type",
    ):
        assert all_public(name)
    for name in ("raghunathan_id", "getHeller", "user84213"):
        assert not all_public(name)


def test_a_word_made_of_a_public_one_is_public_in_small_letters_only():
    known = Vocabulary((), ["hill", "graft"])
    assert known.knows("underhill") and not known.knows("underhill", capital=True)
    assert known.knows("grafts", capital=True) and not known.knows("grift")


def test_lists_are_chosen_by_name_and_fingerprinted_by_content():
    assert not Vocabulary(["legal"]).knows("metoprolol")
    assert Vocabulary(["medical"]).knows("metoprolol")
    prints = {Vocabulary(LISTS[:count]).fingerprint for count in range(len(LISTS) + 1)}
    assert len(prints) == len(LISTS) + 1
    assert Vocabulary(["legal"]).fingerprint == Vocabulary(["legal"]).fingerprint


def test_every_word_of_a_list_is_found_and_no_other():
    words = sorted({"a", "b", "ab", "zebra", "mango", "mangoes", "zz"})
    listed = WordList("\n".join(words).encode())
    assert all(word in listed for word in words) and list(listed) == words
    assert not any(word in listed for word in ("", "aa", "c", "mang", "mangoe", "zzz", "ebra"))
    assert packed(words) == packed(reversed(words))


def test_a_list_of_ones_own(tmp_path):
    mine = tmp_path / "words.txt"
    mine.write_text("# ours\nfrobnicator Grumblesnark\n")
    known = read_vocabulary(["general", str(mine)])
    assert known.knows("frobnicator") and known.knows("grumblesnark")
    assert not read_vocabulary(["general"]).knows("frobnicator")


@pytest.mark.parametrize("names", ["general", ["genral"], ["/nowhere/words.txt"], [3]])
def test_what_is_no_list_is_refused(names):
    with pytest.raises(PolicyError, match=r"sensitivity\.vocabulary"):
        read_vocabulary(names)


def test_a_list_holds_its_words_and_nothing_between_them():
    words = sorted({f"{a}{b}{c * 3}" for a in "abgz" for b in "aeiouy" for c in "klmnoprst"})
    spelt = "\n".join(words).encode()
    for apart in (1, 7, 64, 10_000):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("privstamp.text.vocabulary._APART", apart)
            listed = WordList(spelt)
        assert list(listed) == words
        assert all(word in listed for word in words)
        others = ("", "a", "aaaa", "zz", words[3][:-1], words[3] + "a", f"{words[0]}\n{words[1]}")
        assert not any(word in listed for word in others)

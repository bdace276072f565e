from privstamp.sensitivity.common import FREQUENT, SMALL, common_words


def test_frequent_words_with_their_frequency():
    words = common_words("en")
    assert words["the"] > SMALL > words["table"] > FREQUENT
    assert "raghunathan" not in words


def test_a_language_without_a_list_has_none():
    assert common_words("xx") == {}
    assert {"strasse", "marz"} <= common_words("de").keys()

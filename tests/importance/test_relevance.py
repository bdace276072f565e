import sys

import pytest

from privstamp.assets.store import pull
from privstamp.errors import AssetError, MissingExtra, PolicyError
from privstamp.importance import relevance as encoder_module
from privstamp.importance.relevance import Relevance
from privstamp.testing import check_importance
from toys import ToySpace

SPACE = ToySpace(rows=500, dimensions=32)
TEXT = (
    "The zebra was sold to Porto in 1987 for little money. "
    "A lion sleeps under the old tree near our house. "
    "Nobody had asked the neighbours about any of that before."
)


def scored(part, text, task):
    units = SPACE.split(text)
    return dict(zip(units.surfaces(), part.score([units], [task])[0].values.tolist(), strict=True))


def test_conforms():
    check_importance(Relevance(SPACE), SPACE, ["w1 w2 zzz", "", "w3 5. W9 zebra"])


def test_words_of_the_sentence_that_answers_come_first():
    words = scored(Relevance(SPACE), TEXT, "What does the lion do?")
    assert min(words["sleeps"], words["tree"]) > 0.7 > max(words["Porto"], words["neighbours"])


@pytest.mark.parametrize(
    ("task", "answer", "other"),
    [("When was the zebra sold?", "1987", "Porto"), ("Where was the zebra sold?", "Porto", "1987")],
)
def test_the_kind_of_answer_that_is_asked_for_comes_first(task, answer, other):
    words = scored(Relevance(SPACE), TEXT, task)
    assert words[answer] == max(words.values()) > words[other]


def test_words_of_the_question_are_needed_less_than_those_beside_them():
    words = scored(Relevance(SPACE), TEXT, "What does the lion do?")
    assert words["sleeps"] > words["lion"]


@pytest.mark.parametrize("tau", [0.5, 0.7, 0.9])
def test_tau_fixes_how_many_units_are_important(tau):
    units = SPACE.split(TEXT)
    important = Relevance(SPACE, tau=tau).score([units], ["What does the lion do?"])[0].important
    assert abs(float(important.mean()) - (1 - tau)) <= 2 / len(units)


def test_cues_are_english_only():
    english, german = (Relevance(SPACE, language=code) for code in ("en", "de"))
    assert scored(english, TEXT, "When?") != scored(german, TEXT, "When?")


def test_labels_depend_on_context_and_say_so():
    part = Relevance(SPACE)
    assert part.scope.contextual
    assert Relevance(SPACE, tau=0.6).fingerprint != part.fingerprint


@pytest.mark.parametrize("options", [{"tau": 0}, {"language": "xx"}, {"encoder": "bert"}])
def test_wrong_options_are_refused(options):
    with pytest.raises(PolicyError, match="importance"):
        Relevance(SPACE, **options)


def test_a_missing_encoder_names_the_fix(monkeypatch, tmp_path):
    monkeypatch.setenv("PRIVSTAMP_CACHE", str(tmp_path))
    with pytest.raises(AssetError, match="privstamp assets pull minilm"):
        Relevance(SPACE, encoder="minilm")


def test_a_missing_library_names_the_extra(monkeypatch):
    monkeypatch.setattr(encoder_module, "locate", lambda *_: None)
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(MissingExtra, match=r"privstamp\[encoder\]"):
        Relevance(SPACE, encoder="minilm")


@pytest.mark.download
def test_with_minilm_it_finds_what_shares_no_word():
    pull("minilm")
    part = Relevance(SPACE, encoder="minilm")
    text = (
        "The invoice was settled last week. Many lions were sleeping under trees. Our roof leaks."
    )
    words = scored(part, text, "Which animals took a nap?")
    plain = scored(Relevance(SPACE), text, "Which animals took a nap?")
    assert words["sleeping"] > max(words["settled"], words["leaks"])
    assert plain["sleeping"] == plain["settled"]
    check_importance(part, SPACE, ["w1 w2 zzz. W3", "", "A lion sleeps. It is Monday"])
    assert part.fingerprint != Relevance(SPACE).fingerprint

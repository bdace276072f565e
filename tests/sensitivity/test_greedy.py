"""The same entities as spaCy's own walk, whatever the text; and a step back where models differ."""

import random

import numpy as np
import pytest

from privstamp.lab.bench.line import documents
from privstamp.sensitivity import greedy as module
from privstamp.sensitivity import ner

SIGNS = "Ab C. ,'1\n\t\u00e9$%\U0001f600\u2014\u4e00"
CAPITALS = "THE ALDERMAN OF GREATER THORNBURY AND NORTH WESSEX PAID MARTIN ODE 5 POUNDS. " * 4


@pytest.fixture(scope="module")
def model() -> ner.Ner:
    return ner.Ner("en", None)


def strange() -> list[str]:
    pick = random.Random(7)
    mixed = ["".join(pick.choice(SIGNS) for _ in range(120)) for _ in range(30)]
    return [
        "",
        " ",
        "\n\n",
        "Lisbon",
        "in Lisbon",
        "A " * 90,
        "Ada Marlowe " * 40,
        CAPITALS,
        *mixed,
    ]


@pytest.mark.parametrize("longest", [module._LONGEST, 1])
@pytest.mark.parametrize("words", [module.WORDS, 25])
def test_entities_are_those_of_spacy(model, monkeypatch, words, longest):
    monkeypatch.setattr(module, "WORDS", words)
    monkeypatch.setattr(module, "_LONGEST", longest)
    texts = [*documents(3), *strange()]
    expected = model.by_spacy(texts)
    assert model._greedy is not None
    assert model.entities(texts) == expected
    assert sum(map(len, expected)) > 60


def test_entities_of_several_words_and_blanks_between_are_met(model):
    texts = ["She joined the University of  Northern Wiltshire in May.", *strange()]
    spans = [texts[i][a:b] for i, one in enumerate(model.entities(texts)) for a, b, _ in one]
    assert max(len(span.split()) for span in spans) > 4


def test_an_entity_ends_with_its_text_though_the_network_would_go_on(model):
    recogniser = model._nlp.get_pipe("ner")
    moves, biases = recogniser.moves, recogniser.model.get_ref("upper").get_param("b")
    inside = [n for n in range(moves.n_moves) if moves.get_class_name(n).startswith("I-")]
    before = biases.copy()
    texts = ["She met Ada Marlowe", "They flew to New York City", "Lisbon", *strange()]
    try:
        biases[inside] += 100.0  # of spaCy's walk as well: it is the same array
        expected = model.by_spacy(texts)
        assert model.entities(texts) == expected
    finally:
        biases[:] = before
    assert (8, 19) in [one[:2] for one in expected[0]] and expected[0] != expected[1]


def names(entities):
    return [[entity for entity in text if entity[2] in module.NAMES] for text in entities]


def test_names_are_those_of_spacy_though_words_far_from_them_are_not_read(model, monkeypatch):
    texts = [
        "We sat down and they gave us what was there, and so it went on until at last we saw Ada "
        "Marlowe of the University of Northern Wiltshire. Then it was done, and it was time to go "
        "and to say what there was to say.",
        "in lisbon we met ada marlowe of thornbury pumps, and then it was time to go",
        *documents(2),
        "",
    ]
    rows = []
    places = module.Encoder.places

    def counted(encoder, texts, wanted=None):
        rows.append((int(wanted.sum()), len(wanted)))
        return places(encoder, texts, wanted)

    monkeypatch.setattr(module.Encoder, "places", counted)
    for _ in range(2):
        assert names(model.entities(texts, names=True)) == names(model.by_spacy(texts))
    assert rows[0][0] < 0.8 * rows[0][1]


def test_a_text_with_a_name_that_goes_on_where_nothing_was_read_is_read_again(model, monkeypatch):
    texts = ["She joined the University of Northern Wiltshire."]
    monkeypatch.setattr(
        module, "_near", lambda text: np.array([text.text[at].isupper() for at in text.starts])
    )
    assert names(model.entities(texts, names=True)) == names(model.by_spacy(texts)) != [[]]


def test_no_texts_and_empty_ones(model):
    assert model.entities([]) == []
    assert model.entities(["", ""]) == [[], []]


def test_a_wrong_weight_is_noticed_and_spacy_asked_instead(model, monkeypatch):
    class Off(module.Greedy):
        def __init__(self, nlp, network) -> None:
            super().__init__(nlp, network)
            self._absent = self._absent + np.float32(1)

    nlp = model._nlp
    before = dict(nlp.vocab.lex_attr_getters)
    monkeypatch.setattr(module, "Greedy", Off)
    assert module.greedy(nlp) is None
    assert nlp.vocab.lex_attr_getters == before
    monkeypatch.undo()
    assert module.greedy(nlp) is not None


@pytest.mark.parametrize("change", [{"beam_width": 4}, {}])
def test_another_kind_of_recogniser_is_left_to_spacy(model, monkeypatch, change):
    recogniser = model._nlp.get_pipe("ner")
    if change:
        monkeypatch.setattr(recogniser, "cfg", recogniser.cfg | change)
    else:
        monkeypatch.setitem(recogniser.model.attrs, "has_upper", False)
    assert module.greedy(model._nlp) is None


def test_without_the_search_spacy_is_asked(model, monkeypatch):
    expected = model.entities(documents(1))
    monkeypatch.setattr(model, "_greedy", None)
    assert model.entities(documents(1)) == expected

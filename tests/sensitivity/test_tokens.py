"""spaCy's own tokens and vectors, and no word kept that is not public."""

import random

import numpy as np
import pytest

from privstamp.lab.bench.line import documents
from privstamp.sensitivity import encoder as encoders
from privstamp.sensitivity import encoder as module
from privstamp.sensitivity import ner

SIGNS = ("Ab", "the", "can't", "U.S.", "a.m.", ":-)", ")", ":", "\u00e9", "\u2014", "\u4e00", "$5%")
BLANKS = (" ", " ", " ", "  ", "\n", " \n", "\n ", "\t", "\u00a0", "")


@pytest.fixture(scope="module")
def nlp():
    return ner.recogniser(ner.find_model("en", None))


@pytest.fixture
def network(nlp):
    return encoders.Encoder(nlp.get_pipe("ner").model.get_ref("tok2vec"), nlp.vocab)


def strange() -> list[str]:
    pick = random.Random(3)
    mixed = [
        "".join(pick.choice(BLANKS) + pick.choice(SIGNS) for _ in range(40)) + pick.choice(BLANKS)
        for _ in range(60)
    ]
    return ["", " ", "  ", "\n", " a", "a ", "a  ", "a\n b", "a \n\nb", *mixed]


def test_tokens_and_their_types_are_those_of_spacy(nlp, network):
    reader = module.TokenReader(nlp, network, {"the", "can't", "of", "and"}.__contains__)
    texts = [*strange(), *documents(5)]
    for _ in range(2):  # the second time words are known
        for text, tokens in zip(texts, reader.read(texts), strict=True):
            doc = nlp.make_doc(text)
            assert tokens.starts == [token.idx for token in doc]
            assert tokens.ends == [token.idx + len(token) for token in doc]
            spaces = [text[start].isspace() for start in tokens.starts]
            assert spaces == [token.is_space for token in doc]
            if len(doc):
                types = network.types(doc.to_array(network.attributes))
                assert np.abs(tokens.types - types).max() < 1e-5


def test_only_public_words_with_few_signs_are_kept(nlp, network):
    reader = module.TokenReader(nlp, network, {"the", "name", "it's"}.__contains__)
    reader.read(['The name: "Zyqwoldrian" (the name), (((name)))) name7 it\'s\n4711 --'])
    assert set(reader._kept) == {"The", "name:", "(the", "name),", "it's", "\n", "--"}


def test_what_is_kept_is_bounded(nlp, network, monkeypatch):
    monkeypatch.setattr(module, "LIMIT", 5)
    reader = module.TokenReader(
        nlp, network, {"one", "two", "three", "four", "five", "six"}.__contains__
    )
    texts = ["One, two three; four five. six!", "six (five) four"]
    tokens = reader.read(texts)
    assert len(reader._ids) <= 5 and len(reader._kept) <= 5
    assert [list(one.starts) for one in reader.read(texts)] == [one.starts for one in tokens]
    expected = network.types(nlp.make_doc(texts[1]).to_array(network.attributes))
    assert np.abs(tokens[1].types - expected).max() < 1e-5


def test_vectors_are_those_of_spacy_whatever_stands_beside(nlp, network):
    docs = [nlp.make_doc(text) for text in [*documents(3), "Lisbon", "in Lisbon"]]
    types = [network.types(doc.to_array(network.attributes)) for doc in docs]
    expected = nlp.get_pipe("ner").model.get_ref("tok2vec").predict(docs)
    together = network.places(types)
    assert np.abs(together - expected).max() < 1e-4
    assert np.abs(np.concatenate([network.places([one]) for one in types]) - together).max() < 1e-4


def test_words_that_are_asked_for_are_what_they_were(nlp, network):
    docs = [nlp.make_doc(text) for text in [*documents(2), "Lisbon", "in Lisbon"]]
    types = [network.types(doc.to_array(network.attributes)) for doc in docs]
    together = network.places(types)
    wanted = np.arange(len(together)) % 37 < 3
    wanted[-1] = True
    part = network.places(types, wanted)
    assert np.abs(part[wanted] - together[wanted]).max() < 1e-4
    assert not part[~wanted].any()


@pytest.mark.parametrize("word", ["the", "The", "food", "--", "n't", "'s", "4,711", "\n"])
def test_words_that_name_nothing(word):
    assert module.names_nothing(word)


@pytest.mark.parametrize("word", ["Food", "mark", "THE", "zyqwold", "lisbon", "Ada", "A1c", "é"])
def test_words_that_may_be_names(word):
    assert not module.names_nothing(word)


def test_a_network_of_another_kind_is_refused(nlp):
    network, docs = nlp.get_pipe("ner").model.get_ref("tok2vec"), [nlp.make_doc(documents(1)[0])]
    assert encoders.encoder(network, docs) is not None
    window = next(layer for layer in network.walk() if layer.name == "expand_window")
    window.attrs["window_size"] = 2
    assert encoders.encoder(network, docs) is None
    window.attrs["window_size"] = 1
    assert not encoders.Encoder(network, nlp.vocab).agrees(docs, network.predict(docs) + 1e-3)

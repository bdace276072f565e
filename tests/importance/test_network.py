"""Gradients and attention, on tiny random networks made here; skipped without the extra."""

import json
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from privstamp.assets.store import pull
from privstamp.errors import AssetError, MissingExtra, PolicyError
from privstamp.importance import network as network_module
from privstamp.importance.network import Attention, Network, Saliency, on_units, windows
from privstamp.testing import check_importance
from toys import ToySpace

SPACE = ToySpace(rows=500)
WORDS = ["[UNK]", "\n", "w200", "w300", "w400", "w401", "w402", "?"]
METHODS = [Saliency, Attention]


def save(folder, kind):
    """A network of a few thousand random weights that splits at blanks."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    from tokenizers import Tokenizer, models, pre_tokenizers

    tokenizer = Tokenizer(models.WordLevel({w: n for n, w in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.save(str(folder / "tokenizer.json"))
    torch.manual_seed(0)
    shape = {"vocab_size": len(WORDS), "hidden_size": 16, "intermediate_size": 32}
    shape |= {"num_hidden_layers": 2, "num_attention_heads": 2, "max_position_embeddings": 700}
    if kind == "causal":
        config = transformers.LlamaConfig(**shape, initializer_range=0.5)
        made = transformers.LlamaForCausalLM(config)
    else:
        config = transformers.BertConfig(**shape, num_labels=3, initializer_range=0.5)
        made = transformers.BertForSequenceClassification(config)
    made.save_pretrained(str(folder))
    return str(folder)


@pytest.fixture(scope="module", params=["causal", "classifier"])
def folder(request, tmp_path_factory):
    return save(tmp_path_factory.mktemp(request.param), request.param)


@pytest.fixture(scope="module")
def causal(tmp_path_factory):
    return save(tmp_path_factory.mktemp("causal"), "causal")


@pytest.mark.parametrize("method", METHODS)
def test_every_unit_has_a_score_and_documents_are_apart(method, folder):
    part = method(SPACE, model=folder)
    batch = [SPACE.split(text) for text in ("w200 w400 w300", "", "w401 zzz " * 200)]
    found = part.score(batch, ["w402 ?"] * 3)
    assert [len(one.values) for one in found] == [3, 0, 400]
    assert all(((one.values >= 0) & (one.values <= 1)).all() for one in found)
    assert (part.score(batch[2:], ["w402 ?"])[0].values == found[2].values).all()
    assert part.scope.contextual


@pytest.mark.parametrize("method", METHODS)
def test_a_causal_model_conforms(method, causal):
    check_importance(method(SPACE, model=causal), SPACE, ["w200 w300", "", "w400 zzz w401"])


@pytest.mark.parametrize("method", METHODS)
def test_a_classifier_needs_no_task(method, folder):
    part = method(SPACE, model=folder)
    [found] = part.score([SPACE.split("w200 w300 w400 w401")], [None])
    assert (found.note is None) == part._network.classifies


def test_saliency_is_the_slope_along_the_input(causal):
    torch = pytest.importorskip("torch")
    part = Saliency(SPACE, model=causal)
    network = part._network
    ids, offsets = network.inputs("w200 w300 w400", "w401 w402")
    assert [network._tokenizer.id_to_token(i) for i in ids] == [
        "w200",
        "w300",
        "w400",
        "w401",
        "w402",
    ]
    values = part._values(ids, offsets)
    row, table = torch.tensor([ids]), network.module.get_input_embeddings()

    def chance(scale):
        vectors = table(row) * scale[None, :, None]
        logits = network.module(inputs_embeds=vectors).logits[0].log_softmax(-1)
        return sum(float(logits[place - 1, ids[place]]) for place in (3, 4))

    with torch.no_grad():
        for place in range(3):
            step = torch.zeros(5)
            step[place] = 1e-3
            slope = (chance(1 + step) - chance(1 - step)) / 2e-3
            assert values[place] == pytest.approx(abs(slope), rel=0.05, abs=1e-4)


def test_attention_comes_from_the_task(causal):
    part = Attention(SPACE, model=causal)
    one, two = (part._values(*part._network.inputs("w200 w300 w400", t)) for t in ("w401", "w402"))
    assert one[0] == 0 and not np.allclose(one[1:3], two[1:3])


@pytest.mark.parametrize("model", ["", 3])
def test_a_model_has_a_name(model):
    with pytest.raises(PolicyError, match="model"):
        Saliency(SPACE, model=model)


def test_a_folder_that_holds_no_network_is_refused(tmp_path, causal):
    shutil.copy(Path(causal, "tokenizer.json"), tmp_path)
    shutil.copy(Path(causal, "model.safetensors"), tmp_path)
    with pytest.raises(AssetError, match=r"config\.json"):
        Network(str(tmp_path))
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "none such"}))
    with pytest.raises(AssetError, match="cannot be loaded"):
        Network(str(tmp_path))


def test_a_missing_library_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtra, match=r"privstamp\[transformers\]"):
        Saliency(SPACE)


def test_windows_cover_all_units_in_order():
    units = SPACE.split("w1 " * 400)
    cuts = [(where.start, where.stop) for where, _, _ in windows(units)]
    assert cuts == [(0, 150), (150, 300), (300, 400)]
    assert all(units.text[start : start + len(text)] == text for _, start, text in windows(units))


def test_a_unit_has_the_largest_value_of_its_pieces():
    units = SPACE.split("w1 w22 w3")
    offsets = [(0, 2), (2, 5), (5, 6), (0, 0), (7, 9)]
    found = on_units(units, slice(0, 3), 0, offsets, np.array([1, 2, 5, 9, 3], dtype=np.float32))
    assert found.tolist() == [1, 5, 3]


@pytest.mark.download
@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_the_local_small_model_reads(method):
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    pull("smollm2")
    part = method(SPACE)
    ids, _ = part._network.inputs("in 1987", "When?")
    digits = [part._network._tokenizer.id_to_token(i) for i in ids]
    assert {"1", "9", "8", "7"} <= set(digits)  # the rule for digits holds
    text = "The lion sleeps under a tree. The zebra was sold to a circus for money."
    [found] = part.score([SPACE.split(text)], ["Which animal sleeps under a tree?"])
    assert found.important.any() and network_module.LOCAL == "smollm2"

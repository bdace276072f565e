"""Needs the extra `transformers`; the network is made here, at random."""

import json
import sys

import numpy as np
import pytest

from privstamp.errors import AssetError, Incompatible, MissingExtra
from privstamp.models import transformer
from privstamp.models.transformer import Transformer, TransformerModel
from spaces import tiny_models

SECRET = "Quillfeather paid 340 euros"


def test_without_the_extra_the_install_line_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtra, match=r'pip install "privstamp\[transformers\]"'):
        Transformer(tmp_path, threads=1)


def write(folder, **options):
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(3)
    tokens, merges = tiny_models.bpe()
    settings = {
        "vocab_size": len(tokens), "hidden_size": 64, "intermediate_size": 96,
        "num_hidden_layers": 2, "num_attention_heads": 4, "max_position_embeddings": 1024,
        "bos_token_id": 1, "eos_token_id": 2, "initializer_range": 0.3, **options,
    }  # fmt: skip
    network = transformers.LlamaForCausalLM(transformers.LlamaConfig(**settings)).eval()
    network.save_pretrained(folder)
    spec = {
        "added_tokens": [{"id": at, "content": tokens[at], "special": True} for at in range(3)],
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "use_regex": True,
                          "trim_offsets": False},
        "model": {"type": "BPE", "merges": merges,
                  "vocab": {token: at for at, token in enumerate(tokens)}},
    }  # fmt: skip
    (folder / "tokenizer.json").write_text(json.dumps(spec), encoding="utf-8")
    return network


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hf") / "tiny"
    folder.mkdir()
    return folder, write(folder)


def expected(network, ids: list[int]) -> np.ndarray:
    """log p(next piece) after each of the pieces, by the plain network without a cache."""
    torch = pytest.importorskip("torch")
    with torch.inference_mode():
        logits = network(torch.tensor([ids]), use_cache=False).logits[0].double()
    return torch.log_softmax(logits, dim=-1).numpy()


def test_a_folder_is_a_language_model(tiny):
    folder, network = tiny
    with TransformerModel(str(folder)) as model:
        text = "The doctor wrote a letter; nobody answered."
        ids = model.pieces(text)
        rows = expected(network, [1, *ids])
        assert model.name == "hf:tiny" and rows.std() > 1.0
        assert np.abs(model.next_logprobs(text) - rows[-1]).max() < 1e-3
        assert np.abs(model.next_logprobs("The", ids[1:3]) - rows[3]).max() < 1e-3
        steps = -sum(rows[at, piece] for at, piece in enumerate(ids))
        assert model.loss(text) == (pytest.approx(steps, abs=1e-2), len(ids))


def test_a_long_text_keeps_to_the_window(tiny):
    folder, network = tiny
    with TransformerModel(str(folder)) as model:
        text = "nobody paid the café on Tuesday " * 130
        ids = model.pieces(text)
        start = -(-(len(ids) - 512) // 256) * 256
        assert start > 0
        rows = expected(network, [1, *ids[start:]])
        assert np.abs(model.next_logprobs(text) - rows[-1]).max() < 1e-3


def test_equal_arguments_give_equal_bits(tiny):
    with TransformerModel(str(tiny[0])) as model:
        first = model.next_logprobs("the hospital paid the invoice")
        model.next_logprobs("the hospital paid", [40, 41, 42])
        model.loss("something else")
        model._recent.clear()
        assert (model.next_logprobs("the hospital paid the invoice") == first).all()


def test_markers_are_text_and_nothing_is_printed(tiny, capfd):
    with TransformerModel(str(tiny[0])) as model:
        assert not {0, 1, 2} & set(model.pieces("a <|endoftext|><|im_start|> b\ud800"))
        model.next_logprobs(SECRET)
    assert capfd.readouterr() == ("", "")


def test_models_for_short_texts_are_refused(tmp_path):
    write(tmp_path, max_position_embeddings=128)
    with pytest.raises(Incompatible, match="reads 128 pieces"):
        Transformer(tmp_path, threads=1)


def test_the_fingerprint_follows_the_files(tiny, tmp_path):
    write(tmp_path, hidden_size=32)
    with TransformerModel(str(tiny[0])) as one, TransformerModel(str(tmp_path)) as other:
        assert one.fingerprint != other.fingerprint


def test_pickled_weights_are_refused(tiny, tmp_path):
    torch = pytest.importorskip("torch")
    write(tmp_path)
    torch.save(tiny[1].state_dict(), tmp_path / "pytorch_model.bin")
    (tmp_path / "model.safetensors").unlink()
    with pytest.raises(AssetError, match="cannot be loaded as a causal language model"):
        Transformer(tmp_path, threads=1)


def test_a_folder_without_a_tokenizer_is_refused(tmp_path, monkeypatch):
    with pytest.raises(AssetError, match=r"has no tokenizer\.json"):
        transformer._tokenizer(tmp_path)
    (tmp_path / "tokenizer.json").write_text("{")
    with pytest.raises(AssetError, match=r"has no tokenizer\.json"):
        transformer._tokenizer(tmp_path)

"""A tagger of the transformers library: a network made here, with random weights."""

import importlib.util
import json

import pytest
from documents import as_units
from tiny_taggers import LABELS, VOCABULARY, save_tokenizer

from privstamp.errors import AssetError, MissingExtra
from privstamp.registry import SENSITIVITY

INSTALLED = all(importlib.util.find_spec(name) for name in ("torch", "transformers"))


@pytest.mark.skipif(INSTALLED, reason="the extra is installed")
def test_without_the_extra_the_install_line_is_named():
    with pytest.raises(MissingExtra, match=r"privstamp\[transformers\]"):
        SENSITIVITY.build("hf:somebody/some-model", {})


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(3)
    folder = tmp_path_factory.mktemp("tagger")
    config = transformers.BertConfig(
        vocab_size=len(VOCABULARY), hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=16, max_position_embeddings=256, id2label=dict(enumerate(LABELS)),
    )  # fmt: skip
    transformers.BertForTokenClassification(config).save_pretrained(folder)
    save_tokenizer(folder)
    (folder / "tokenizer_config.json").write_text(
        json.dumps({"tokenizer_class": "PreTrainedTokenizerFast", "unk_token": "[UNK]"})
    )
    return folder


def test_a_network_labels_tokens(folder):
    part = SENSITIVITY.build(f"hf:{folder}", {"threshold": 0.0, "window": 200})
    text = "Then Priya Raghunathan left Sheffield. " * 60
    findings = part.find([as_units(text)])[0]
    assert findings
    assert {one.kind for one in findings} <= {"PERSON", "LOCATION"}
    assert all(0 <= one.start < one.end <= len(text) for one in findings)
    again = SENSITIVITY.build(f"hf:{folder}", {"threshold": 0.0, "window": 200})
    assert again.find([as_units(text)])[0] == findings
    assert again.fingerprint == part.fingerprint


def test_a_folder_without_a_model_is_refused(folder, tmp_path):
    with pytest.raises(AssetError, match="cannot be loaded"):
        SENSITIVITY.build(f"hf:{tmp_path}", {})

"""Tokenizers made plain: text is only text to them."""

import json

import pytest
import tiny_models as tiny

from privstamp.errors import AssetError
from privstamp.spaces import tokenizer_spec
from privstamp.spaces.gguf import GgufFile
from privstamp.spaces.tokenizer_spec import from_gguf, load, plain


@pytest.fixture
def gguf_spec(tmp_path):
    def make(**changes):
        fields = tiny.gguf_fields() | {k.replace("_", "."): v for k, v in changes.items()}
        path = tmp_path / "tiny.gguf"
        path.write_bytes(tiny.gguf(fields, bytes(4 * 64), (2, 32), 0))
        return from_gguf(GgufFile(path))

    return make


def tokens_of(made, text):
    return [made.strings[i] for i in load(made.json).encode(text).ids]


def test_gguf_tokenizer(gguf_spec):
    made = plain(gguf_spec())
    assert tokens_of(made, " the doctor") == [" the", " doctor"]
    assert tokens_of(made, "12") == ["1", "2"], "smollm cuts digits one by one"
    assert made.markers == [0, 1, 2]
    assert made.missing == tiny.MISSING
    assert made.spaced and not made.uncased


def test_markers_in_a_text_are_text(gguf_spec):
    for spec, text in [
        (gguf_spec(), "a <|im_start|> b"),
        (tiny.wordpiece_spec(), "a [CLS] [PAD] b"),
        (tiny.metaspace_spec(), "a </s> <s> b"),
    ]:
        made = plain(spec)
        encoding = load(made.json).encode(text)
        assert not set(encoding.ids) & set(made.markers)
        covered = {n for start, end in encoding.offsets for n in range(start, end)}
        assert {n for n, c in enumerate(text) if c != " "} <= covered


def test_a_marker_would_be_matched_if_left_alone():
    """The test above can fail: as delivered, the same tokenizers do match their markers."""
    for spec, text in [(tiny.wordpiece_spec(), "a [CLS] b"), (tiny.metaspace_spec(), "a </s> b")]:
        whole = {"version": "1.0", "truncation": None, "padding": None} | spec
        ids = load(json.dumps(whole)).encode(text, add_special_tokens=False).ids
        assert set(ids) & set(plain(spec).markers)


def test_no_truncation_no_padding_no_additions():
    made = plain(tiny.wordpiece_spec())
    tokenizer = load(made.json)
    assert len(tokenizer.encode("a b").ids) == 2
    assert len(tokenizer.encode("a " * 5000).ids) == 5000
    assert made.uncased and not made.spaced
    assert 4 in made.markers, "[unused0] is reserved though nobody listed it as added"


def test_nothing_is_put_in_front():
    made = plain(tiny.metaspace_spec())
    assert tokens_of(made, "the doctor") == ["t", "h", "e", " doctor"]
    assert made.spaced
    assert made.scores is not None and len(made.scores) == len(made.strings)


def test_dropout_is_off(gguf_spec):
    spec = gguf_spec()
    spec["model"]["dropout"] = 0.9
    tokenizer = load(plain(spec).json)
    assert len({tuple(tokenizer.encode("the doctor wrote letters").ids) for _ in range(20)}) == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"tokenizer_ggml_pre": "martian"}, "martian.*Known: default, gpt-2, smollm"),
        ({"tokenizer_ggml_model": "llama"}, '"llama"; only "gpt2"'),
        ({"tokenizer_ggml_tokens": [1, 2]}, "no tokenizer.ggml.tokens"),
        ({"tokenizer_ggml_merges": "x"}, "no tokenizer.ggml.merges"),
    ],
)
def test_what_is_not_supported_is_named(gguf_spec, change, message):
    with pytest.raises(AssetError, match=message):
        gguf_spec(**change)


@pytest.mark.parametrize(
    "spec",
    [{}, {"model": {"vocab": 3}}, {"model": {"vocab": {"a": 0}, "type": "Martian"}}, {"model": []}],
)
def test_descriptions_that_make_no_sense(spec):
    with pytest.raises(AssetError):
        plain(spec)


def test_reserved_names():
    for name in ("[unused12]", "[MASK]", "<mask>", "</s>", "<|reserved_special_token_3|>", "<pad>",
                 "<extra_id_7>", "<unused5>"):  # fmt: skip
        assert tokenizer_spec.RESERVED.fullmatch(name), name
    for name in ("<", "mask", "[", "<b>", "unused", "<script>"):
        assert not tokenizer_spec.RESERVED.fullmatch(name), name


def test_what_merges_make_keeps_its_name_though_it_looks_like_a_marker():
    vocab = {"<": 0, "s": 1, ">": 2, "<s": 3, "<s>": 4}
    model = {"type": "BPE", "vocab": vocab, "merges": ["< s", "<s >"]}
    found = plain({"model": model})
    assert load(found.json).encode("<s>").ids == [4] and found.markers == [4]
    with pytest.raises(AssetError, match="cannot be built"):  # a true marker is never made of text
        plain({"model": model, "added_tokens": [{"id": 4, "content": "<s>", "special": True}]})

"""Model files of a few hundred tokens, written by hand: GGUF, and safetensors with a tokenizer."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save_file
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from privstamp.spaces.tokenizer_spec import ALPHABET

TEXT = """The doctor wrote a letter to the hospital about the invoice, and the hospital paid it.
My neighbour's daughter reads the letters; nobody answered them on Monday or on Tuesday morning.
A café near the station sells naïve paintings of boats, 12 for 340 euros: "cheap", they say!
"""
MISSING = b"\x04\x06\xf1\xf2"
SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
COLUMNS = 32


def bpe() -> tuple[list[str], list[str]]:
    """Tokens and merges of a byte-level tokenizer without symbols for MISSING."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = [symbol for byte, symbol in enumerate(ALPHABET) if byte not in MISSING]
    trainer = trainers.BpeTrainer(
        vocab_size=400, initial_alphabet=alphabet, show_progress=False, special_tokens=SPECIAL
    )
    tokenizer.train_from_iterator([TEXT * 3], trainer)
    model = json.loads(tokenizer.to_str())["model"]
    tokens = sorted(model["vocab"], key=model["vocab"].__getitem__)
    return tokens, [" ".join(merge) for merge in model["merges"]]


def table(rows: int, seed: int = 5) -> np.ndarray:
    """Random rows around a common mean; the first two are equal, as untrained rows are."""
    rng = np.random.default_rng(seed)
    values = (rng.normal(size=(rows, COLUMNS)) + 0.5).astype(np.float32)
    values[1] = values[0]
    return values


def q8_0(values: np.ndarray) -> bytes:
    """The Q8_0 form: runs of 32 steps after a half-precision scale."""
    runs = values.reshape(-1, 32)
    scale = (np.abs(runs).max(axis=1, keepdims=True) / 127).astype(np.float16)
    steps = np.rint(runs / scale.astype(np.float32)).astype(np.int8)
    return b"".join(s.tobytes() + q.tobytes() for s, q in zip(scale, steps, strict=True))


def _string(text: str) -> bytes:
    raw = text.encode()
    return struct.pack("<Q", len(raw)) + raw


def _value(value: Any) -> bytes:
    if isinstance(value, str):
        return struct.pack("<I", 8) + _string(value)
    if isinstance(value, float):
        return struct.pack("<If", 6, value)
    if isinstance(value, int):
        return struct.pack("<II", 4, value)
    head = struct.pack("<IIQ", 9, 8 if isinstance(value[0], str) else 5, len(value))
    return head + b"".join(
        _string(v) if isinstance(v, str) else struct.pack("<i", v) for v in value
    )


def gguf(
    fields: dict[str, Any],
    data: bytes,
    shape: tuple[int, int],
    kind: int,
    *,
    tensor: str = "token_embd.weight",
) -> bytes:
    """A GGUF file with one tensor, `shape` as rows and columns."""
    head = b"GGUF" + struct.pack("<IQQ", 3, 1, len(fields))
    head += b"".join(_string(key) + _value(value) for key, value in fields.items())
    head += _string(tensor) + struct.pack("<IQQIQ", 2, shape[1], shape[0], kind, 0)
    return head + b"\0" * (-len(head) % 32) + data


def gguf_fields(pre: str = "smollm") -> dict[str, Any]:
    tokens, merges = bpe()
    return {
        "general.name": "tiny",
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": pre,
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.token_type": [3 if token in SPECIAL else 1 for token in tokens],
        "tokenizer.ggml.merges": merges,
    }


def write_gguf(path: Path, pre: str = "smollm") -> np.ndarray:
    """A whole tiny model in Q8_0; the table before it was rounded."""
    fields = gguf_fields(pre)
    values = table(len(fields["tokenizer.ggml.tokens"]))
    path.write_bytes(gguf(fields, q8_0(values), values.shape, 8))
    return values


WORDS = [
    "the", "doctor", "wrote", "a", "letter", "to", "hospital", "about", "invoice", "and", "paid",
    "it", "my", "daughter", "reads", "nobody", "answered", "them", "on", "monday", "morning",
    "cafe", "near", "station", "cheap", "they", "say", "12",
]  # fmt: skip
PARTS = ["##s", "##ed", "##ing", "##er", "##let", "##an", "##ya", "rag", "pri", "un", "##ath"]


def wordpiece_spec() -> dict[str, Any]:
    """An uncased WordPiece tokenizer as a tokenizer.json, padding and truncation set."""
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[unused0]"]
    letters = [chr(code) for code in range(0x21, 0x7F) if not chr(code).isupper()]
    tokens = list(
        dict.fromkeys([*special, *letters, *(f"##{c}" for c in letters if c.isalnum()),
                       *WORDS, *PARTS, "日", "本"])
    )  # fmt: skip
    return {
        "version": "1.0",
        "truncation": {"max_length": 8, "strategy": "LongestFirst", "stride": 0,
                       "direction": "Right"},
        "padding": {"strategy": {"Fixed": 8}, "direction": "Right", "pad_to_multiple_of": None,
                    "pad_id": 0, "pad_type_id": 0, "pad_token": "[PAD]"},
        "added_tokens": [
            {"id": index, "content": token, "special": True, "single_word": False,
             "lstrip": False, "rstrip": False, "normalized": False}
            for index, token in enumerate(special[:4])
        ],
        "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True,
                       "strip_accents": None, "lowercase": True},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]},
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                  "max_input_chars_per_word": 100,
                  "vocab": {token: index for index, token in enumerate(tokens)}},
    }  # fmt: skip


def metaspace_spec() -> dict[str, Any]:
    """A sentence-piece kind of tokenizer: Unigram, blanks inside pieces, a prefix put in front."""
    pieces = ["<s>", "</s>", "<unk>", "\u2581", *"abcdefghijklmnopqrstuvwxyz.,<>/"]
    pieces += ["\u2581the", "\u2581doctor", "\u2581paid", "ing", "\u2581a", "er"]
    return {
        "version": "1.0",
        "added_tokens": [
            {"id": index, "content": piece, "special": True, "single_word": False,
             "lstrip": False, "rstrip": False, "normalized": False}
            for index, piece in enumerate(pieces[:3])
        ],
        "normalizer": None,
        "pre_tokenizer": {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "always",
                          "split": True},
        "post_processor": None,
        "decoder": None,
        "model": {"type": "Unigram", "unk_id": 2, "byte_fallback": False,
                  "vocab": [[piece, 0.0 if index < 3 else -2.0 - 0.1 * index]
                            for index, piece in enumerate(pieces)]},
    }  # fmt: skip


def write_folder(
    folder: Path, spec: dict[str, Any], name: str = "bert.embeddings.word_embeddings.weight"
) -> np.ndarray:
    """A model folder as the hub has them."""
    folder.mkdir(parents=True, exist_ok=True)
    values = table(len(spec["model"]["vocab"]))
    other = np.zeros((4, COLUMNS), np.float32)
    save_file({name: values, "bert.embeddings.position_embeddings.weight": other},
              folder / "model.safetensors")  # fmt: skip
    (folder / "tokenizer.json").write_text(json.dumps(spec), encoding="utf-8")
    return values

"""A tagger of three words: one embedding row per token, which is its scores for the labels."""

import json
import struct
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

LABELS = ("O", "B-PER", "I-PER", "B-LOC", "I-LOC")
VOCABULARY = ("[UNK]", "priya", "ragh", "##una", "##than", "sheffield", "new", "york")
ROWS = (0, 1, 2, 2, 0, 3, 3, 4)
"""The label of each token; the last piece of a name is missed on purpose."""


def table() -> np.ndarray:
    scores = np.zeros((len(VOCABULARY), len(LABELS)), dtype=np.float32)
    scores[np.arange(len(ROWS)), ROWS] = 4.0
    return scores


def save_tokenizer(folder: Path) -> None:
    ids = {token: number for number, token in enumerate(VOCABULARY)}
    tokenizer = Tokenizer(models.WordPiece(ids, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.save(str(folder / "tokenizer.json"))


def save_onnx(folder: Path) -> Path:
    """The folder of a model that looks its scores up: input_ids -> Gather -> logits."""
    save_tokenizer(folder)
    names = dict(enumerate(LABELS))
    (folder / "config.json").write_text(json.dumps({"id2label": names}), encoding="utf-8")
    scores = table()
    weights = _number(1, scores.shape[0]) + _number(1, scores.shape[1]) + _number(2, 1)
    weights += _bytes(8, b"table") + _bytes(9, scores.tobytes())
    node = (
        _bytes(1, b"table") + _bytes(1, b"input_ids") + _bytes(2, b"logits") + _bytes(4, b"Gather")
    )
    inputs = b"".join(_bytes(11, _value(n, 7, 2)) for n in (b"input_ids", b"attention_mask"))
    graph = _bytes(1, node) + _bytes(2, b"tiny") + _bytes(5, weights)
    graph += inputs + _bytes(12, _value(b"logits", 1, 3))
    opset = _bytes(8, _bytes(1, b"") + _number(2, 13))
    (folder / "model.onnx").write_bytes(_number(1, 8) + opset + _bytes(7, graph))
    return folder


def _value(name: bytes, kind: int, rank: int) -> bytes:
    shape = b"".join(_bytes(1, _bytes(2, b"d%d" % axis)) for axis in range(rank))
    return _bytes(1, name) + _bytes(2, _bytes(1, _number(1, kind) + _bytes(2, shape)))


def _varint(value: int) -> bytes:
    out = b""
    while value > 127:
        out += struct.pack("B", value & 127 | 128)
        value >>= 7
    return out + struct.pack("B", value)


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _bytes(field: int, value: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(value)) + value

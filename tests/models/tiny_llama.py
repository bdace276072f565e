"""A Llama of two layers and 400 pieces: its GGUF file, and the same network in plain numpy."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np

from spaces import tiny_models

LAYERS, WIDTH, HEADS, HIDDEN = 2, 64, 4, 96
EPSILON, ROPE = 1e-5, 10_000.0


def weights(vocabulary: int, seed: int = 7) -> dict[str, np.ndarray]:
    """Random tensors by their GGUF names, as output by input."""
    random = np.random.default_rng(seed)

    def matrix(rows: int, columns: int) -> np.ndarray:
        return (random.normal(size=(rows, columns)) / np.sqrt(columns)).astype(np.float32)

    def gain() -> np.ndarray:
        return random.uniform(0.5, 1.5, WIDTH).astype(np.float32)

    found = {"token_embd.weight": 4.0 * matrix(vocabulary, WIDTH), "output_norm.weight": gain()}
    for layer in range(LAYERS):
        for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
            found[f"blk.{layer}.{name}.weight"] = matrix(WIDTH, WIDTH)
        for name in ("ffn_gate", "ffn_up"):
            found[f"blk.{layer}.{name}.weight"] = matrix(HIDDEN, WIDTH)
        found[f"blk.{layer}.ffn_down.weight"] = matrix(WIDTH, HIDDEN)
        found[f"blk.{layer}.attn_norm.weight"] = gain()
        found[f"blk.{layer}.ffn_norm.weight"] = gain()
    return found


def write(path: Path, *, length: int = 2048, **more: Any) -> dict[str, np.ndarray]:
    """The file, in float32; `length` is how long a text it claims to have been trained on."""
    fields: dict[str, Any] = {
        "general.architecture": "llama",
        **tiny_models.gguf_fields(),
        "llama.block_count": LAYERS,
        "llama.context_length": length,
        "llama.embedding_length": WIDTH,
        "llama.feed_forward_length": HIDDEN,
        "llama.attention.head_count": HEADS,
        "llama.attention.layer_norm_rms_epsilon": EPSILON,
        "llama.rope.freq_base": ROPE,
        "tokenizer.ggml.bos_token_id": 1,
        "tokenizer.ggml.eos_token_id": 2,
        "tokenizer.ggml.add_bos_token": False,
        **more,
    }
    tensors = weights(len(fields["tokenizer.ggml.tokens"]))
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(fields))
    for key, value in fields.items():
        head += _string(key) + _value(value)
    data = b""
    for name, tensor in tensors.items():
        head += _string(name) + struct.pack("<I", tensor.ndim)
        head += struct.pack(f"<{tensor.ndim}Q", *tensor.shape[::-1])
        head += struct.pack("<IQ", 0, len(data))
        data += tensor.tobytes() + b"\0" * (-tensor.nbytes % 32)
    path.write_bytes(head + b"\0" * (-len(head) % 32) + data)
    return tensors


def _string(text: str) -> bytes:
    raw = text.encode()
    return struct.pack("<Q", len(raw)) + raw


def _value(value: Any) -> bytes:
    if isinstance(value, bool):
        return struct.pack("<I?", 7, value)
    return tiny_models._value(value)


def logprobs(tensors: dict[str, np.ndarray], ids: list[int]) -> np.ndarray:
    """log p(next piece) after each of the pieces, in float64, without a cache."""
    wide = {name: tensor.astype(np.float64) for name, tensor in tensors.items()}
    state = wide["token_embd.weight"][ids]
    count, size = len(ids), WIDTH // HEADS
    masked = np.triu(np.full((count, count), -np.inf), 1)
    for layer in range(LAYERS):
        part = {name.split(".")[2]: t for name, t in wide.items() if f"blk.{layer}." in name}
        inner = _normed(state, part["attn_norm"])
        queries, keys, values = (
            (inner @ part[name].T).reshape(count, HEADS, size)
            for name in ("attn_q", "attn_k", "attn_v")
        )
        scores = np.einsum("ihd,jhd->hij", _turned(queries), _turned(keys)) / np.sqrt(size)
        mixed = np.einsum("hij,jhd->ihd", np.exp(_log_softmax(scores + masked)), values)
        state = state + mixed.reshape(count, WIDTH) @ part["attn_output"].T
        inner = _normed(state, part["ffn_norm"])
        gate = inner @ part["ffn_gate"].T
        state = (
            state + (gate / (1 + np.exp(-gate)) * (inner @ part["ffn_up"].T)) @ part["ffn_down"].T
        )
    final = _normed(state, wide["output_norm.weight"])
    return _log_softmax(final @ wide["token_embd.weight"].T)


def _normed(state: np.ndarray, gain: np.ndarray) -> np.ndarray:
    return state / np.sqrt((state**2).mean(axis=1, keepdims=True) + EPSILON) * gain


def _turned(rows: np.ndarray) -> np.ndarray:
    """Rotary positions on neighbouring pairs, as llama.cpp has them for this architecture."""
    count, _, size = rows.shape
    angle = np.arange(count)[:, None] * ROPE ** (-np.arange(0, size, 2) / size)
    pairs = rows[..., 0::2] + 1j * rows[..., 1::2]
    pairs = pairs * np.exp(1j * angle)[:, None, :]
    return np.stack([pairs.real, pairs.imag], axis=-1).reshape(rows.shape)


def _log_softmax(scores: np.ndarray) -> np.ndarray:
    shifted = scores - scores.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))

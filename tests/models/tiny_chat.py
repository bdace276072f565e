"""A chat model of two layers and 400 pieces for transformers, made at random."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

from spaces import tiny_models

TEMPLATE = (
    "{% for m in messages %}{{'<|im_start|>' + m['role'] + '\n' + m['content'] + '<|im_end|>\n'}}"
    "{% endfor %}{{'<|im_start|>assistant\n'}}"
)
END, BEGIN, STOP = range(3)


def write(folder: Path, *, template: str | None = TEMPLATE, seed: int = 3, **options: Any) -> Path:
    """A folder as the library saves it; groups of heads share keys, as in larger models."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(seed)
    tokens, merges = tiny_models.bpe()
    settings = {
        "vocab_size": len(tokens), "hidden_size": 64, "intermediate_size": 96,
        "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2,
        "max_position_embeddings": 1024, "bos_token_id": None, "eos_token_id": STOP,
        "initializer_range": 0.3, **options,
    }  # fmt: skip
    network = transformers.Qwen2ForCausalLM(transformers.Qwen2Config(**settings)).eval()
    network.save_pretrained(folder)
    spelled = Tokenizer(
        models.BPE(
            {token: at for at, token in enumerate(tokens)}, [tuple(m.split()) for m in merges]
        )
    )
    spelled.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    spelled.decoder = decoders.ByteLevel()
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=spelled,
        eos_token=tokens[STOP],
        additional_special_tokens=tokens[:2],
        chat_template=template,
    )
    tokenizer.save_pretrained(folder)
    return folder

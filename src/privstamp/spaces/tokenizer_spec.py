"""What a tokenizer.json says, made plain: no special tokens to match, nothing added or cut off.

GGUF metadata is turned into the same form first, so that there is one path for both.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from tokenizers import Tokenizer

from privstamp.errors import AssetError, suggest
from privstamp.spaces.gguf import GgufFile

# How a tokenizer writes pieces in its vocabulary, and the text that each stands for.

METASPACE: Final = "\u2581"
"""What sentence-piece tokenizers write for a blank."""
_FALLBACK: Final = re.compile(r"<0x([0-9A-F]{2})>")


def _alphabet() -> str:
    """The printable symbol that byte-level tokenizers write for each byte."""
    printable = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    others = iter(range(0x100, 0x200))
    return "".join(chr(b if b in printable else next(others)) for b in range(256))


ALPHABET: Final = _alphabet()
_BYTE_OF: Final = {symbol: byte for byte, symbol in enumerate(ALPHABET)}


def reader(
    model: Mapping[str, Any], *, byte_level: bool, metaspace: bool
) -> Callable[[str], str | None]:
    """A function from a name in the vocabulary to its text; None where it is none on its own."""
    prefix = model.get("continuing_subword_prefix") or ""
    suffix = model.get("end_of_word_suffix") or ""
    fallback = bool(model.get("byte_fallback"))

    def read(name: str) -> str | None:
        if fallback and (byte := _FALLBACK.fullmatch(name)):
            code = int(byte[1], 16)
            return chr(code) if code < 0x80 else None
        text = name.removeprefix(prefix).removesuffix(suffix)
        if byte_level:
            return _decoded(text)
        return text.replace(METASPACE, " ") if metaspace else text

    return read


def _decoded(symbols: str) -> str | None:
    try:
        return bytes(_BYTE_OF[symbol] for symbol in symbols).decode("utf-8")
    except (KeyError, UnicodeDecodeError):
        return None


Spec = dict[str, Any]

DIGITS: Final = {"type": "Digits", "individual_digits": True}
BYTE_LEVEL: Final = {
    "type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": True,
}  # fmt: skip
GGUF_PRE_TOKENIZERS: Final[dict[str, Spec]] = {
    "default": BYTE_LEVEL,
    "gpt-2": BYTE_LEVEL,
    "smollm": {"type": "Sequence", "pretokenizers": [DIGITS, BYTE_LEVEL]},
}
NORMAL: Final = 1  # the GGUF token type of an ordinary piece; all others are special, unused, added
RESERVED: Final = re.compile(
    r"\[(?:PAD|UNK|CLS|SEP|MASK|unused\d+)\]|<\|.*\|>|</?(?:s|pad|unk|mask|bos|eos|cls|sep)>"
    r"|<(?:unused|extra_id_|reserved)_?\w*>",
    re.IGNORECASE,
)
"""Names that are markers in some family of tokenizers, listed as added or not."""


@dataclass(frozen=True)
class PlainTokenizer:
    """A tokenizer that sees text only, and what its ids stand for."""

    json: str
    strings: list[str | None]  # as written in a text; None: not text on its own
    markers: list[int]  # special, unknown, added and reserved ids
    scores: list[float] | None  # log probabilities, where the tokenizer has them
    missing: bytes  # bytes for which there is no symbol: dropped silently
    spaced: bool  # blanks belong to pieces
    uncased: bool


def from_gguf(file: GgufFile) -> Spec:
    """The tokenizer of a GGUF file in the form of a tokenizer.json."""
    model = file.value("tokenizer.ggml.model")
    if model != "gpt2":
        raise AssetError(f'the GGUF tokenizer is of type "{model}"; only "gpt2" (BPE) is read here')
    pre = file.value("tokenizer.ggml.pre", "default")
    if pre not in GGUF_PRE_TOKENIZERS:
        raise AssetError(
            f'the GGUF pre-tokenizer is "{pre}".{suggest(str(pre), GGUF_PRE_TOKENIZERS)}'
        )
    tokens = _strings(file, "tokenizer.ggml.tokens")
    merges = _strings(file, "tokenizer.ggml.merges")
    types = file.value("tokenizer.ggml.token_type", [])
    special = [index for index, kind in enumerate(types[: len(tokens)]) if kind != NORMAL]
    return {
        "added_tokens": [{"id": i, "content": tokens[i], "special": True} for i in special],
        "normalizer": None,
        "pre_tokenizer": GGUF_PRE_TOKENIZERS[pre],
        "model": {
            "type": "BPE",
            "vocab": {token: index for index, token in enumerate(tokens)},
            "merges": merges,
        },
    }


def _strings(file: GgufFile, key: str) -> list[str]:
    values = file.value(key)
    if not isinstance(values, list) or not values or not isinstance(values[0], str):
        raise AssetError(f"the GGUF file has no {key}")
    return values


def plain(spec: Spec) -> PlainTokenizer:
    """Take out whatever would match markers, add, cut off, or vary at random."""
    try:
        return _plain(spec)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        trouble = type(error).__name__
    raise AssetError(f"the tokenizer's description is not understood ({trouble})")


def _plain(spec: Spec) -> PlainTokenizer:
    model = dict(spec["model"], dropout=None)
    vocab: dict[str, int] | list[tuple[str, float]] = model["vocab"]
    names = dict(enumerate(name for name, _ in vocab)) if isinstance(vocab, list) else {
        index: name for name, index in vocab.items()
    }  # fmt: skip
    added = {int(entry["id"]): entry for entry in spec.get("added_tokens") or []}
    unknown = model.get("unk_token")
    markers = {i for i, name in names.items() if RESERVED.fullmatch(name) or name == unknown}
    markers |= set(added)
    special = {names[i] for i in markers if i in names} - {unknown}
    special -= {part for parts in _merge_parts(model) for part in parts}
    merged = {"".join(parts) for parts in _merge_parts(model)}  # of text, unless it was added
    special -= merged - {names.get(i) for i in added}
    _rename(model, special)
    pre_tokenizer = spec.get("pre_tokenizer")
    outside = any(part["type"] == "WhitespaceSplit" for part in _parts(pre_tokenizer))
    if not outside:
        pre_tokenizer = _without_prefix(pre_tokenizer)
    cleaned = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": _without_prefix(spec.get("normalizer")),
        "pre_tokenizer": pre_tokenizer,
        "post_processor": None,
        "decoder": None,
        "model": model,
    }
    content = json.dumps(cleaned, ensure_ascii=False)
    tokenizer = load(content)
    spaced = _keeps_blanks(tokenizer)
    byte_level = any(part["type"] == "ByteLevel" for part in _parts(pre_tokenizer))
    read = reader(model, byte_level=byte_level, metaspace=_uses_metaspace(cleaned))
    strings: list[str | None] = [None] * (max([*names, *added]) + 1)
    for index, name in names.items():
        text = read(name)
        strings[index] = text if text is None or spaced else text.strip(" ")
    normalizer = tokenizer.normalizer
    return PlainTokenizer(
        json=content,
        strings=strings,
        markers=sorted(markers),
        scores=[float(score) for _, score in vocab] if isinstance(vocab, list) else None,
        missing=bytes(b for b, c in enumerate(ALPHABET) if byte_level and c not in vocab),
        spaced=spaced,
        uncased=normalizer is not None and normalizer.normalize_str("A").strip() == "a",
    )


def load(content: str) -> Tokenizer:
    """A tokenizer from its JSON; what the library dislikes is an AssetError."""
    try:
        return Tokenizer.from_str(content)
    except Exception as error:
        trouble = str(error)[:200]
    raise AssetError(f"the tokenizer cannot be built: {trouble}")


def _parts(stage: Any) -> Iterator[Spec]:
    """A pre-tokenizer or normaliser and all that it is a sequence of."""
    if not stage:
        return
    yield stage
    for inner in stage.get("pretokenizers", stage.get("normalizers", [])):
        yield from _parts(inner)


def _without_prefix(stage: Any) -> Any:
    """The same stage, but nothing is put before a text or trimmed off its ends."""
    if not stage:
        return None
    if stage["type"] in ("Prepend", "Strip"):
        return None
    stage = dict(stage)
    if stage["type"] == "ByteLevel":
        stage["add_prefix_space"] = False
    elif stage["type"] == "Metaspace":
        stage.pop("add_prefix_space", None)
        stage["prepend_scheme"] = "never"
    for key in ("pretokenizers", "normalizers"):
        if key in stage:
            stage[key] = [inner for inner in map(_without_prefix, stage[key]) if inner]
    return stage


def _merge_parts(model: Spec) -> Iterator[list[str]]:
    for merge in model.get("merges", []):
        yield merge.split(" ") if isinstance(merge, str) else merge


def _rename(model: Spec, special: set[str]) -> None:
    """Give markers names that no text is expected to hold, so that they are not matched."""
    vocab = model["vocab"]
    if isinstance(vocab, list):
        model["vocab"] = [[_hidden(n) if n in special else n, score] for n, score in vocab]
    else:
        model["vocab"] = {_hidden(n) if n in special else n: index for n, index in vocab.items()}


def _hidden(name: str) -> str:
    return f"\x00{name}\x00"


def _uses_metaspace(spec: Spec) -> bool:
    parts = [*_parts(spec["pre_tokenizer"]), *_parts(spec["normalizer"])]
    return any(part["type"] == "Metaspace" or part.get("content") == METASPACE for part in parts)


def _keeps_blanks(tokenizer: Tokenizer) -> bool:
    if tokenizer.pre_tokenizer is None:
        return True
    spans = [span for _, span in tokenizer.pre_tokenizer.pre_tokenize_str("a a")]
    return any(start <= 1 < end for start, end in spans)

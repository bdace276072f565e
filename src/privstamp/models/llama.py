"""llama.cpp inside this process, by the C functions that xllamacpp's library exports.

xllamacpp itself offers a server: it opens a port, and gives scores as JSON, at many times the cost
(docs/guides/models.md). The functions used here have kept their names and arguments for long; the
two structures that grow are taken from llama.cpp's own defaults and handed back as they are, but
for three sizes whose place is checked first.
"""

from __future__ import annotations

import ctypes
import hashlib
import weakref
from collections.abc import Sequence
from contextlib import ExitStack
from ctypes import POINTER, c_bool, c_char_p, c_float, c_int8, c_int32, c_size_t, c_uint32, c_void_p
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

import numpy as np

from privstamp.assets.cache import digest
from privstamp.assets.store import ASSETS, absent, locate
from privstamp.errors import AssetError, MissingExtra, StageFailed, UsageError, optional
from privstamp.models.causal import RULE, STRIDE, WINDOW, CausalModel, Logits, require_room
from privstamp.spaces.gguf import GgufFile

END_OF_TEXT: Final = b"<|endoftext|>"
BPE: Final = 2  # the vocabulary type whose pieces do not depend on being first in a text
DEFAULT_SIZES: Final = (512, 2048, 512, 1)  # n_ctx, n_batch, n_ubatch, n_seq_max
BATCH: Final = 1 + STRIDE


class _Params(ctypes.Structure):
    """Any of llama.cpp's parameter structures: more room than they take, never looked into."""

    _fields_ = (("room", ctypes.c_uint64 * 64),)


class _Batch(ctypes.Structure):
    _fields_ = (
        ("count", c_int32),
        ("tokens", POINTER(c_int32)),
        ("embeddings", c_void_p),
        ("positions", c_void_p),
        ("sequence_counts", c_void_p),
        ("sequences", c_void_p),
        ("wanted", POINTER(c_int8)),
    )


class _Message(ctypes.Structure):
    _fields_ = (("role", c_char_p), ("content", c_char_p))


_LOG: Final = ctypes.CFUNCTYPE(None, ctypes.c_int, c_char_p, c_void_p)
_SILENT: Final = _LOG(lambda *_: None)
_FUNCTIONS: Final[dict[str, tuple[Any, ...]]] = {
    "llama_log_set": (None, _LOG, c_void_p),
    "llama_backend_init": (None,),
    "llama_model_default_params": (_Params,),
    "llama_context_default_params": (_Params,),
    "llama_model_load_from_file": (c_void_p, c_char_p, _Params),
    "llama_init_from_model": (c_void_p, c_void_p, _Params),
    "llama_model_n_ctx_train": (c_int32, c_void_p),
    "llama_set_n_threads": (None, c_void_p, c_int32, c_int32),
    "llama_get_memory": (c_void_p, c_void_p),
    "llama_memory_clear": (None, c_void_p, c_bool),
    "llama_memory_seq_rm": (c_bool, c_void_p, c_int32, c_int32, c_int32),
    "llama_decode": (c_int32, c_void_p, _Batch),
    "llama_get_logits_ith": (POINTER(c_float), c_void_p, c_int32),
    "llama_model_get_vocab": (c_void_p, c_void_p),
    "llama_vocab_type": (c_int32, c_void_p),
    "llama_vocab_n_tokens": (c_int32, c_void_p),
    "llama_vocab_bos": (c_int32, c_void_p),
    "llama_vocab_eos": (c_int32, c_void_p),
    "llama_vocab_get_add_bos": (c_bool, c_void_p),
    "llama_vocab_get_text": (c_char_p, c_void_p, c_int32),
    "llama_vocab_is_eog": (c_bool, c_void_p, c_int32),
    "llama_tokenize": (
        c_int32, c_void_p, c_char_p, c_int32, POINTER(c_int32), c_int32, c_bool, c_bool,
    ),
    "llama_token_to_piece": (
        c_int32, c_void_p, c_int32, c_char_p, c_int32, c_int32, c_bool,
    ),
    "llama_model_chat_template": (c_char_p, c_void_p, c_char_p),
    "llama_chat_apply_template": (
        c_int32, c_char_p, POINTER(_Message), c_size_t, c_bool, c_char_p, c_int32,
    ),
    "llama_free": (None, c_void_p),
    "llama_model_free": (None, c_void_p),
}  # fmt: skip
"""Result, then arguments."""


def library() -> Any:
    """llama.cpp, silenced."""
    module = optional("xllamacpp.xllamacpp", "lm", "a language model in a GGUF file")
    library = ctypes.CDLL(module.__file__)
    absent = [name for name in _FUNCTIONS if not hasattr(library, name)]
    if absent:
        raise AssetError(
            f"this build of xllamacpp does not export {absent[0]}. Try: a model by hf:NAME, or "
            'pip install --force-reinstall "privstamp[lm]"'
        )
    for name, (result, *arguments) in _FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    library.llama_log_set(_SILENT, None)
    library.llama_backend_init()
    return library


class Llama:
    """A GGUF file as a `causal.Backend`; `batch` is the most that it reads at once."""

    def __init__(
        self, path: Path, *, threads: int, positions: int = 1 + WINDOW, batch: int = BATCH
    ) -> None:
        self._c = c = library()
        self._model = c.llama_model_load_from_file(bytes(path), c.llama_model_default_params())
        if not self._model:
            raise AssetError(f"llama.cpp cannot load {path.name}")
        held = ExitStack()
        self._close = weakref.finalize(self, held.close)
        held.callback(c.llama_model_free, self._model)
        trained = c.llama_model_n_ctx_train(self._model)
        require_room(path.name, trained)
        self.positions = min(positions, trained)
        self._context = c.llama_init_from_model(self._model, _sizes(c, self.positions, batch))
        if not self._context:
            raise AssetError(f"llama.cpp cannot run {path.name}: too little memory?")
        held.callback(c.llama_free, self._context)
        c.llama_set_n_threads(self._context, threads, threads)
        self._memory = c.llama_get_memory(self._context)
        self._vocabulary = c.llama_model_get_vocab(self._model)
        self._size = c.llama_vocab_n_tokens(self._vocabulary)
        self._bpe = c.llama_vocab_type(self._vocabulary) == BPE
        self.start = self._start()

    def encode(self, text: str) -> list[int]:
        """Pieces of a string; elsewhere than in BPE a newline stands before it for a while."""
        if self._bpe:
            return self._tokens(text)
        return self._tokens("\n" + text)[len(self._tokens("\n")) :]

    def trim(self, length: int) -> int:
        """Forget all but the first pieces; networks that cannot step back forget all."""
        if length and self._c.llama_memory_seq_rm(self._memory, 0, length, -1):
            return length
        self._c.llama_memory_clear(self._memory, False)
        return 0

    def extend(self, ids: Sequence[int], *, every: bool = False) -> Logits:
        """Append pieces; a row of scores for what follows the last one, or each of them."""
        count = len(ids)
        wanted = [every or at == count - 1 for at in range(count)]
        batch = _Batch(
            count=count, tokens=(c_int32 * count)(*ids), wanted=(c_int8 * count)(*wanted)
        )
        code = self._c.llama_decode(self._context, batch)
        if code != 0:
            raise StageFailed(f"llama.cpp could not read on (code {code})")
        return np.stack([self._row(at) for at in range(count) if wanted[at]])

    def close(self) -> None:
        """Free context and model."""
        self._close()

    def _row(self, at: int) -> Logits:
        scores = self._c.llama_get_logits_ith(self._context, at)
        return np.ctypeslib.as_array(scores, (self._size,))

    def _tokens(self, text: str, *, begin: bool = False, markers: bool = False) -> list[int]:
        """`begin`: what stands before every text, if anything. `markers` are text unless set."""
        raw = text.encode("utf-8", "replace")
        room = len(raw) + 8
        ids = (c_int32 * room)()
        count = self._c.llama_tokenize(
            self._vocabulary, raw, len(raw), ids, room, begin, markers
        )  # fmt: skip
        return ids[:count]

    def _start(self) -> int:
        """What documents began with in training, as far as the file tells."""
        c, vocabulary = self._c, self._vocabulary
        begin: int = c.llama_vocab_bos(vocabulary)
        if not c.llama_vocab_get_add_bos(vocabulary):
            for piece in range(self._size):
                if c.llama_vocab_get_text(vocabulary, piece) == END_OF_TEXT:
                    return piece
        return begin if begin >= 0 else int(c.llama_vocab_eos(vocabulary))


def _sizes(c: Any, positions: int, batch: int) -> _Params:
    """llama.cpp's default parameters with the sizes that are needed here."""
    params: _Params = c.llama_context_default_params()
    sizes = (c_uint32 * 4).from_buffer(params)
    if tuple(sizes) != DEFAULT_SIZES:
        raise AssetError('another llama.cpp than expected. Try: pip install "privstamp[lm]"')
    sizes[0:3] = [positions, batch, batch]
    return params


# Language models in GGUF files.


class SmolLM2Model(CausalModel):
    """SmolLM2-135M-Instruct, 4 bits: small, English first, the default."""

    def __init__(self, *, threads: int = 1) -> None:
        sha256 = ASSETS["smollm2"].members["model"].sha256
        fingerprint = _fingerprint(sha256, "smollm2")
        super().__init__("smollm2", fingerprint, _llama(locate("smollm2", "model"), threads))


class GgufModel(CausalModel):
    """The language model in a GGUF file."""

    def __init__(self, argument: str, *, threads: int = 1) -> None:
        path = Path(argument).expanduser()
        GgufFile(path)  # refuses what is none, before llama.cpp sees it
        fingerprint = _fingerprint(digest(path))
        super().__init__(f"gguf:{path.name}", fingerprint, _llama(path, threads))


def _llama(path: Path, threads: int) -> Llama:
    if threads < 1:
        raise UsageError(f"threads must be 1 or more, not {threads}")
    return Llama(path, threads=threads)


def _fingerprint(sha256: str, asset: str = "") -> str:
    """Another file, release of llama.cpp or context rule gives other numbers."""
    facts = f"gguf {sha256} xllamacpp {release(asset)} {RULE}"
    return hashlib.sha256(facts.encode()).hexdigest()


def release(asset: str = "") -> str:
    """Of the library that runs GGUF files; says how to get it, and the asset that is to run, if
    they are absent."""
    try:
        return version("xllamacpp")
    except PackageNotFoundError:
        pass
    raise MissingExtra("lm", "a language model in a GGUF file", absent(asset))

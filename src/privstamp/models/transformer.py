"""Causal networks of the transformers library: safetensors and tokenizer.json only, no code."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import numpy as np

from privstamp.assets.cache import digest
from privstamp.decoding.certified import integer_products
from privstamp.errors import AssetError, Incompatible, UsageError, optional
from privstamp.models.causal import RULE, CausalModel, Logits, require_room
from privstamp.models.replies import POSITIONS, SLOT, has_slots, sections
from privstamp.spaces import tokenizer_spec
from privstamp.spaces.pieces import folder_or_name
from privstamp.types import Prompt

TOKENIZER: Final = "tokenizer.json"


class Transformer:
    """A model folder as a `causal.Backend`, in float32 on the processor."""

    def __init__(self, folder: Path, *, threads: int) -> None:
        torch, transformers = library("torch"), library("transformers")
        torch.set_num_threads(threads)
        self._torch = torch
        self._empty = transformers.DynamicCache
        self._tokenizer = _tokenizer(folder)
        self._network = load_network(transformers, folder, torch.float32)
        config = self._network.config
        require_room(folder.name, getattr(config, "max_position_embeddings", None))
        markers = [config.bos_token_id, config.eos_token_id, 0]
        begin = next(marker for marker in markers if marker is not None)
        self.start = int(begin[0] if isinstance(begin, list) else begin)
        self._cache: Any = self._empty(config=config)

    def encode(self, text: str) -> list[int]:
        """Pieces of a string, as text, nothing added."""
        plain = text.encode("utf-8", "replace").decode()  # half a surrogate pair is no text
        ids: list[int] = self._tokenizer.encode(plain, add_special_tokens=False).ids
        return ids

    def trim(self, length: int) -> int:
        """Forget all but the first pieces; networks that cannot step back forget all."""
        with suppress(ValueError, NotImplementedError, AttributeError):
            if length:
                self._cache.crop(length)
                return length
        self._cache = self._empty(config=self._network.config)
        return 0

    def extend(self, ids: Sequence[int], *, every: bool = False) -> Logits:
        """Append pieces; a row of scores for what follows the last one, or each of them."""
        with self._torch.inference_mode():
            out = self._network(
                self._torch.tensor([list(ids)]),
                past_key_values=self._cache,
                use_cache=True,
                logits_to_keep=0 if every else 1,
            )
        rows: Logits = out.logits[0].numpy().astype(np.float32)
        return rows

    def close(self) -> None:
        """Let go of the weights."""
        del self._network, self._cache


def library(name: str) -> Any:
    return optional(name, "transformers", "a language model by hf:NAME")


def load_network(transformers: Any, path: Path, dtype: Any) -> Any:
    """The causal network of a folder, or of a GGUF file with its weights made plain numbers."""
    transformers.utils.logging.disable_progress_bar()
    packed = path.is_file()
    how = {"gguf_file": path.name} if packed else {"use_safetensors": True}
    try:
        network = transformers.AutoModelForCausalLM.from_pretrained(
            str(path.parent if packed else path),
            dtype=dtype,
            local_files_only=True,
            trust_remote_code=False,
            **how,
        )
        return network.eval()
    except Exception as error:
        trouble = type(error).__name__
    raise AssetError(
        f"{path.name} cannot be loaded as a causal language model ({trouble}). It needs "
        "config.json of a known kind, safetensors weights and tokenizer.json"
    )


def _tokenizer(folder: Path) -> Any:
    try:
        spec = json.loads((folder / TOKENIZER).read_bytes())
    except (OSError, ValueError):
        spec = None
    if spec is None:
        raise AssetError(f"{folder.name} has no {TOKENIZER} that can be read")
    return tokenizer_spec.load(tokenizer_spec.plain(spec).json)


# A network's linear layers in bytes: several times as fast where a processor multiplies them.
#
# A row of weights has a scale of its own, and so has a row of what goes in, so that rows of a batch
# do not depend on each other. Replies are close to those of float32 and not the same.

_MOST: Final = 127
_LEAST: Final = 1e-12
"""A row of zeros has this size: its codes are zeros whatever it is divided by."""


def in_bytes(torch: Any, network: Any) -> None:
    """Put a layer of bytes in the place of every linear one; what it held before is let go of."""
    layer = _layer(torch)
    for module in list(network.modules()):
        for name, child in list(module.named_children()):
            if isinstance(child, torch.nn.Linear):
                setattr(module, name, layer(child))


def _layer(torch: Any) -> Any:
    """The class: it can be made only where torch is."""

    class Bytes(torch.nn.Module):  # type: ignore[misc]  # torch is no dependency
        def __init__(self, linear: Any) -> None:
            super().__init__()
            self.codes, self.scales = _codes(torch, linear.weight.detach())
            self.bias = linear.bias

        def forward(self, given: Any) -> Any:
            codes, scales = _codes(torch, given.reshape(-1, given.shape[-1]))
            product = torch._int_mm(codes, self.codes.T).to(torch.float32)
            product.mul_(scales).mul_(self.scales.T)
            if self.bias is not None:
                product.add_(self.bias)
            return product.view(*given.shape[:-1], -1)

    return Bytes


def _codes(torch: Any, rows: Any) -> tuple[Any, Any]:
    """Rows as bytes, and what one of each row's steps is worth."""
    scales = rows.abs().amax(dim=1, keepdim=True).clamp_(min=_LEAST).div_(_MOST)
    return rows.div(scales).round_().to(torch.int8), scales


# Language models by name: a folder on this machine, or a repository of the Hugging Face hub.

WANTED: Final = ("config.json", TOKENIZER, "*.safetensors", "*.safetensors.index.json")


class TransformerModel(CausalModel):
    """A causal language model of transformers; a folder needs no network."""

    def __init__(self, argument: str, *, threads: int = 1) -> None:
        if threads < 1:
            raise UsageError(f"threads must be 1 or more, not {threads}")
        folder = model_folder(argument)
        backend = Transformer(folder, threads=threads)
        name = folder.resolve().name if Path(argument).expanduser().is_dir() else argument
        super().__init__(f"hf:{name}", _fingerprint(folder), backend)


def model_folder(argument: str) -> Path:
    """The folder that `NAME_OR_FOLDER[@revision]` stands for; only names are ever fetched."""
    where = folder_or_name(argument)
    if isinstance(where, Path):
        return where
    name, revision = where
    hub = library("huggingface_hub")
    wanted = {"revision": revision, "allow_patterns": list(WANTED)}
    for offline in (True, False):  # what an earlier fetch left here needs no network
        try:
            folder = Path(hub.snapshot_download(name, local_files_only=offline, **wanted))
        except Exception as error:
            trouble = type(error).__name__
        else:
            if (folder / TOKENIZER).is_file() and any(folder.glob("*.safetensors")):
                return folder
            trouble = "no safetensors weights or no tokenizer.json"
    raise AssetError(
        f'"{name}" cannot be fetched from the hub ({trouble}). Check the name, the revision and '
        "the connection, or give a folder with config.json, safetensors and tokenizer.json"
    )


def _fingerprint(folder: Path) -> str:
    """Other files, another release of the library or another context rule give other numbers."""
    files = sorted({path for pattern in WANTED for path in folder.glob(pattern)})
    facts = [f"{path.name} {digest(path)}" for path in files]
    facts += [f"{package} {version(package)}" for package in ("torch", "transformers")]
    return hashlib.sha256("\n".join([*facts, RULE]).encode()).hexdigest()


# Chat models of the transformers library: a folder, or a GGUF file in float32.

_ROLES: Final[tuple[tuple[str, ...], ...]] = (("user",), ("system", "user"))


class ChatTransformer:
    """A network, and the form of its prompts. Everything is read from the files, nothing fetched.

    `network` is the causal network of the library, which is `transformers`; with `int8` its
    linear layers are in bytes.
    """

    def __init__(self, path: Path, *, threads: int, int8: bool = False) -> None:
        self.torch, self.transformers = library("torch"), library("transformers")
        self.torch.set_num_threads(threads)
        tokenizer = _chat_tokenizer(self.transformers, path)
        self._forms = {roles: _form(tokenizer, path.name, roles) for roles in _ROLES}
        self._marked = tokenizer.backend_tokenizer
        spec = json.loads(self._marked.to_str())
        self._plain = tokenizer_spec.load(tokenizer_spec.plain(spec).json)
        self.network = load_network(self.transformers, path, self.torch.float32)
        config = self.network.config
        if set(getattr(config, "layer_types", None) or ()) - {"full_attention"}:
            raise Incompatible(
                f"{path.name} does not attend to a whole text in every layer; such models are not "
                "run in batches here. Try it as gguf:FILE"
            )
        if int8:
            in_bytes(integer_products(), self.network)
        self.positions = min(POSITIONS, getattr(config, "max_position_embeddings", POSITIONS))
        self._ends = _ends(tokenizer, self.network)

    def sections(self, prompt: Prompt) -> list[list[int]]:
        """The template's own markers are markers; in what stands between them they are text."""
        form = self._forms[tuple(message["role"] for message in prompt.messages())]
        return sections(prompt, form, marked=self._read_marked, text=self.encode)

    def encode(self, text: str) -> list[int]:
        """Pieces of a string, as text, nothing added."""
        plain = text.encode("utf-8", "replace").decode()  # half a surrogate pair is no text
        ids: list[int] = self._plain.encode(plain, add_special_tokens=False).ids
        return ids

    def ends(self, piece: int) -> bool:
        """Whether a piece ends the model's turn: every marker does."""
        return piece in self._ends

    def text(self, pieces: Sequence[int]) -> str:
        """What pieces of a reply spell; a character that is not whole at the end is left out."""
        written: str = self._marked.decode(list(pieces), skip_special_tokens=True)
        return written.rstrip("\ufffd")

    def _read_marked(self, part: str, _: bool) -> list[int]:
        ids: list[int] = self._marked.encode(part, add_special_tokens=False).ids
        return ids


def _chat_tokenizer(transformers: Any, path: Path) -> Any:
    packed = path.is_file()
    how = {"gguf_file": path.name} if packed else {}
    try:
        return transformers.AutoTokenizer.from_pretrained(
            str(path.parent if packed else path),
            local_files_only=True,
            trust_remote_code=False,
            **how,
        )
    except Exception as error:
        trouble = type(error).__name__
    raise AssetError(f"{path.name} has no tokenizer that transformers can read ({trouble})")


def _form(tokenizer: Any, name: str, roles: Sequence[str]) -> str:
    """The template with a slot where each message goes."""
    messages = [{"role": role, "content": SLOT.format(role)} for role in roles]
    try:
        form: str = tokenizer.apply_chat_template(
            messages, tokenize=False, add_generation_prompt=True
        )
    except Exception:
        form = ""
    if has_slots(form, roles):
        return form
    raise Incompatible(
        f"{name} has no chat template that takes a {' and a '.join(roles)} message: it continues "
        "texts and answers no prompts. Try an instruct model"
    )


def _ends(tokenizer: Any, network: Any) -> set[int]:
    special = {piece for piece, token in tokenizer.added_tokens_decoder.items() if token.special}
    for marker in (
        tokenizer.eos_token_id,
        network.config.eos_token_id,
        network.generation_config.eos_token_id,
    ):
        special |= set(marker) if isinstance(marker, list) else {marker} - {None}
    return special

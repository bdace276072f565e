"""Chat models of the transformers library: a folder, or a GGUF file in float32."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from privstamp.decoding.certified import integer_products
from privstamp.errors import AssetError, Incompatible
from privstamp.models.int8 import in_bytes
from privstamp.models.transformer import library, load_network
from privstamp.models.turns import POSITIONS, SLOT, has_slots, sections
from privstamp.spaces import tokenizer_spec
from privstamp.types import Prompt

_ROLES: Final[tuple[tuple[str, ...], ...]] = (("user",), ("system", "user"))


class ChatTransformer:
    """A network, and the form of its prompts. Everything is read from the files, nothing fetched.

    `network` is the causal network of the library, which is `transformers`; with `int8` its
    linear layers are in bytes.
    """

    def __init__(self, path: Path, *, threads: int, int8: bool = False) -> None:
        self.torch, self.transformers = library("torch"), library("transformers")
        self.torch.set_num_threads(threads)
        tokenizer = _tokenizer(self.transformers, path)
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


def _tokenizer(transformers: Any, path: Path) -> Any:
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
    found = {piece for piece, one in tokenizer.added_tokens_decoder.items() if one.special}
    for marker in (
        tokenizer.eos_token_id,
        network.config.eos_token_id,
        network.generation_config.eos_token_id,
    ):
        found |= set(marker) if isinstance(marker, list) else {marker} - {None}
    return found

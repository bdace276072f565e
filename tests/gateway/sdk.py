"""The request, reply and event types of the pinned SDKs, walked: a table's skeleton."""

from __future__ import annotations

import types
import typing
from collections.abc import Iterable, Mapping
from datetime import datetime
from os import PathLike
from typing import Any, Literal, Union

import typing_extensions
from pydantic import BaseModel

Shapes = dict[str, dict[str, str]]
"""By the name of a type, its fields and what each may hold."""
_PLAIN = {
    str: "str",
    int: "int",
    float: "float",
    bool: "bool",
    type(None): "null",
    object: "any",
    datetime: "str",
    bytes: "str",
    PathLike: "str",
}
_HIDDEN = {"extra_headers", "extra_query", "extra_body", "timeout"}


def roots(endpoint: str) -> dict[str, list[Any]]:
    """The types that an endpoint's request, reply and stream are made of."""
    import anthropic.types as claude
    import openai.types as ai
    from anthropic.types import message_count_tokens_params, message_create_params
    from openai.types import chat, completion_create_params, responses
    from openai.types.chat import completion_create_params as chat_params
    from openai.types.responses import response_create_params

    return {
        "chat": {
            "request": [chat_params.CompletionCreateParams],
            "reply": [chat.ChatCompletion],
            "event": [chat.ChatCompletionChunk],
        },
        "responses": {
            "request": [response_create_params.ResponseCreateParams],
            "reply": [responses.Response],
            "event": [responses.ResponseStreamEvent],
        },
        "completions": {
            "request": [completion_create_params.CompletionCreateParams],
            "reply": [ai.Completion],
            "event": [ai.Completion],
        },
        "embeddings": {
            "request": [ai.EmbeddingCreateParams],
            "reply": [ai.CreateEmbeddingResponse],
            "event": [],
        },
        "messages": {
            "request": [message_create_params.MessageCreateParams],
            "reply": [claude.Message],
            "event": [claude.RawMessageStreamEvent],
        },
        "count_tokens": {
            "request": [message_count_tokens_params.MessageCountTokensParams],
            "reply": [claude.MessageTokensCount],
            "event": [],
        },
        "models": {"request": [], "reply": [ai.Model], "event": []},
        "models_anthropic": {"request": [], "reply": [claude.ModelInfo], "event": []},
    }[endpoint]


class Walk:
    """Collects every type that others name."""

    def __init__(self) -> None:
        self.shapes: Shapes = {}
        self.required: dict[str, set[str]] = {}
        self._names: dict[type, str] = {}

    def shape(self, annotation: Any) -> str:
        """What a value may be, written as the table writes it. Plain types come first and by name:
        `typing` takes unions in another order for equal ones, and gives whichever came first."""
        names = list(dict.fromkeys(self._alternatives(annotation)))
        if "str" in names:  # then literals say nothing more
            names = [name for name in names if not name.startswith('"')]
        plain = [name for name in names if name in _PLAIN.values() and name != "null"]
        rest = [name for name in names if name not in plain]
        return " | ".join([*sorted(plain), *rest])

    def _alternatives(self, annotation: Any) -> Iterable[str]:
        origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
        if annotation is Any:
            return ["any"]
        if annotation in _PLAIN:
            return [_PLAIN[annotation]]
        if origin in (Union, types.UnionType):
            return [each for argument in arguments for each in self._alternatives(argument)]
        if origin is Literal:
            return [repr(value).replace("'", '"') if isinstance(value, str) else
                    str(value).lower() for value in arguments]  # fmt: skip
        if origin is typing.Annotated or origin in (
            typing_extensions.Required,
            typing_extensions.NotRequired,
            typing.Required,
            typing.NotRequired,
        ):
            return self._alternatives(arguments[0])
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return ["{" + self.shape(arguments[1]) + "}"]
        if origin is not None and arguments and not isinstance(annotation, type):
            return ["[" + self.shape(arguments[0]) + "]"]
        if isinstance(annotation, type) and (
            issubclass(annotation, BaseModel) or typing_extensions.is_typeddict(annotation)
        ):
            return [self._type(annotation)]
        supertype = getattr(annotation, "__value__", None)
        if supertype is not None:
            return self._alternatives(supertype)
        return [f"?{annotation!r}"]

    def _type(self, kind: type) -> str:
        if kind in self._names:
            return self._names[kind]
        name = kind.__name__
        if name in self._names.values():
            stem = kind.__module__.rpartition(".")[2]
            name = "".join(word.capitalize() for word in stem.split("_")) + "_" + name
        self._names[kind] = name
        fields = self.shapes[name] = {}
        if issubclass(kind, BaseModel):
            own = {
                field.alias or key: (field.annotation, field.is_required())
                for key, field in kind.model_fields.items()
            }
        else:
            hints = typing_extensions.get_type_hints(kind, include_extras=True)
            marks = (typing.Required, typing_extensions.Required)
            own = {key: (hint, typing.get_origin(hint) in marks) for key, hint in hints.items()}
        self.required[name] = {key for key, (_, must) in own.items() if must}
        for key, (hint, _) in own.items():
            if key not in _HIDDEN:
                fields[key] = self.shape(hint)
        return name

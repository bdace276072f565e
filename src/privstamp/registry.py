"""Which parts exist: built-ins in a lazy table, third parties by entry points."""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from inspect import Parameter
from typing import TYPE_CHECKING, Any, Final, get_type_hints

from privstamp import __version__
from privstamp.errors import Incompatible, PolicyError, UnknownName, suggest

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


@dataclass(frozen=True)
class Entry:
    """One name in a table, and who provides it."""

    name: str
    target: str
    provider: str


class Table:
    """Names of one kind of part. Nothing is imported before it is asked for."""

    def __init__(self, kind: str, group: str, builtin: Mapping[str, str]) -> None:
        self.kind = kind
        self._group = group
        self._builtin = builtin

    @cached_property
    def _plugins(self) -> dict[str, EntryPoint]:
        from importlib.metadata import entry_points  # half of what `--help` would import

        points: dict[str, EntryPoint] = {}
        for point in entry_points(group=self._group):
            if point.name in self._builtin or point.name in points:
                raise Incompatible(
                    f'{self.kind} "{point.name}" of {_provider(point)} has a name that is taken; '
                    "uninstall that package or rename its entry point"
                )
            points[point.name] = point
        return points

    def __contains__(self, name: str) -> bool:
        """Whether it is one of ours."""
        return _key(name) in self._builtin

    def entries(self) -> list[Entry]:
        """All names, built-ins first."""
        builtin = [Entry(name, target, "privstamp") for name, target in self._builtin.items()]
        others = [Entry(p.name, p.value, _provider(p)) for p in self._plugins.values()]
        return builtin + sorted(others, key=lambda entry: entry.name)

    def provider(self, name: str) -> str:
        """The package and version that a part comes from."""
        key = _key(name)
        return _provider(self._plugins[key]) if key in self._plugins else f"privstamp {__version__}"

    def load(self, name: str) -> Any:
        """The class or factory behind a name. A prefix such as `hf:` is looked up by itself."""
        key = _key(name)
        if key in self._builtin:
            module, _, attribute = self._builtin[key].partition(":")
            return getattr(import_module(module), attribute)
        if key in self._plugins:
            return self._plugins[key].load()
        known = [entry.name for entry in self.entries()]
        raise UnknownName(f'no {self.kind} "{name}".{suggest(name, known)}')

    def build(self, name: str, options: Mapping[str, Any], **given: Any) -> Any:
        """Make the part, given what the pipeline hands in and the options of the policy."""
        part = self.load(name)
        accepted = inspect.signature(part).parameters
        if "name" in accepted:  # one factory for several names
            given["name"] = name
        elif ":" in name:
            given["argument"] = name.partition(":")[2]
        known = [key for key in accepted if key not in given]
        for key in options:
            if key in given or key not in accepted:
                raise PolicyError(
                    f'{self.kind} "{name}" has no option "{key}".{suggest(key, known)}'
                )
        _check_types(f'{self.kind} "{name}"', part, options)
        needed = [key for key in known if accepted[key].default is Parameter.empty]
        if missing := [key for key in needed if key not in options]:
            raise PolicyError(f'{self.kind} "{name}" needs {" and ".join(missing)}')
        return part(**given, **options)


def _check_types(what: str, part: Any, options: Mapping[str, Any]) -> None:
    """Refuse values of other types than the part's annotations name. A part itself looks at what
    values mean; what a file cannot hold, and annotations that cannot be read, are left to it."""
    from pydantic import PydanticUserError, TypeAdapter, ValidationError

    try:
        hints = get_type_hints(part.__init__ if inspect.isclass(part) else part)
    except (NameError, TypeError):
        return
    for key, value in options.items():
        problems = []
        try:
            TypeAdapter(hints[key]).validate_json(json.dumps(value), strict=True)
        except ValidationError as error:
            kinds = ("_type",) if isinstance(value, str) else ("_type", "literal_error")
            problems = [one["msg"] for one in error.errors() if one["type"].endswith(kinds)]
        except (KeyError, TypeError, ValueError, PydanticUserError):
            continue
        if problems:
            told = problems[0].replace("Input should be", "must be").replace("array", "list")
            raise PolicyError(f"{what}: {key} {told}")


def _key(name: str) -> str:
    return name.partition(":")[0] + ":" if ":" in name else name


def _provider(point: EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist else point.value


SPACES = Table(
    "space",
    "privstamp.spaces",
    {
        "plain": "privstamp.spaces.splitter:Plain",
        "glove": "privstamp.spaces.glove:Glove",
        "smollm2": "privstamp.spaces.pieces:SmolLM2",
        "hf:": "privstamp.spaces.pieces:HuggingFace",
        "gguf:": "privstamp.spaces.pieces:Gguf",
        "vectors:": "privstamp.spaces.glove:Vectors",
    },
)
SENSITIVITY = Table(
    "sensitivity",
    "privstamp.sensitivity",
    {
        "lexicon": "privstamp.sensitivity.lexicon:Lexicon",
        "presidio": "privstamp.sensitivity.presidio:PresidioSensitivity",
        "rules": "privstamp.sensitivity.rules:Rules",
        "union": "privstamp.sensitivity.union:Union",
        "gliner:": "privstamp.sensitivity.gliner_tagger:Gliner",
        "hf:": "privstamp.sensitivity.tagger:hf_tagger",
        "onnx:": "privstamp.sensitivity.tagger:onnx_tagger",
    },
)
IMPORTANCE = Table(
    "importance",
    "privstamp.importance",
    {
        "none": "privstamp.importance.shares:Nothing",
        "task-cosine": "privstamp.importance.task_cosine:TaskCosine",
        "task-match": "privstamp.importance.task_match:TaskMatch",
        "relevance": "privstamp.importance.relevance:Relevance",
        "saliency": "privstamp.importance.network:Saliency",
        "attention": "privstamp.importance.network:Attention",
        "occlusion": "privstamp.importance.network:Occlusion",
    },
)
MECHANISMS = Table(
    "mechanism",
    "privstamp.mechanisms",
    {
        "polar": "privstamp.mechanisms.polar:Polar",
        "polar-radial": "privstamp.mechanisms.polar:PolarRadial",
        "laplace-coordinate": "privstamp.mechanisms.laplace:LaplaceCoordinate",
        "laplace-l2": "privstamp.mechanisms.laplace:LaplaceL2",
        "mahalanobis": "privstamp.mechanisms.laplace:Mahalanobis",
        "vickrey": "privstamp.mechanisms.polar:Vickrey",
        "polar-vocabulary": "privstamp.mechanisms.exponential:PolarVocabulary",
        "exponential": "privstamp.mechanisms.exponential:Exponential",
        "tem": "privstamp.mechanisms.exponential:Tem",
        "custext": "privstamp.mechanisms.exponential:CusText",
        "randomized-response": "privstamp.mechanisms.randomized_response:RandomizedResponse",
        "neighbourhood": "privstamp.mechanisms.neighbourhood:Neighbourhood",
        "clusters": "privstamp.mechanisms.randomized_response:Clusters",
        "surrogate": "privstamp.mechanisms.surrogate:Surrogate",
        "placeholder": "privstamp.mechanisms.surrogate:Placeholder",
    },
)
REPLACING: Final = frozenset({"surrogate", "placeholder"})
"""Those of ours that replace: they have no strength."""
VALUES = Table(
    "value mechanism",
    "privstamp.values",
    {
        "numeric": "privstamp.mechanisms.numeric:Numeric",
        "shift": "privstamp.mechanisms.dates:Shift",
    },
)
MODELS = Table(
    "language model",
    "privstamp.models",
    {
        "smollm2": "privstamp.models.llama:SmolLM2Model",
        "gguf:": "privstamp.models.llama:GgufModel",
        "hf:": "privstamp.models.transformer:TransformerModel",
    },
)
DECODERS = Table(
    "decoder",
    "privstamp.decoders",
    {
        "exact": "privstamp.decoding.certified:Quickest",
        "float32": "privstamp.decoding.exact:Exact",
        "int8": "privstamp.decoding.certified:Int8",
        "faiss": "privstamp.decoding.indexed:Faiss",
        "hnsw": "privstamp.decoding.indexed:Hnsw",
    },
)
ANSWERERS = Table(
    "model that answers",
    "privstamp.answerers",
    {
        "local": "privstamp.models.answering:best",
        "qwen-1.5b": "privstamp.models.answering:llama",
        "qwen-0.5b": "privstamp.models.answering:llama",
        "smollm2": "privstamp.models.answering:llama",
        "gguf:": "privstamp.models.answering:llama",
        "hf:": "privstamp.models.answering:transformer",
        "hf8:": "privstamp.models.answering:transformer",
        "https:": "privstamp.models.answering:elsewhere",
        "http:": "privstamp.models.answering:elsewhere",
    },
)
REPAIRS = Table(
    "repair",
    "privstamp.repairs",
    {
        "local": "privstamp.repair.rewriter:here",
        "qwen-1.5b": "privstamp.repair.rewriter:here",
        "qwen-0.5b": "privstamp.repair.rewriter:here",
        "gguf:": "privstamp.repair.rewriter:here",
        "hf:": "privstamp.repair.rewriter:unpacked",
        "hf8:": "privstamp.repair.rewriter:unpacked",
        "https:": "privstamp.repair.rewriter:elsewhere",
        "http:": "privstamp.repair.rewriter:elsewhere",
    },
)
TABLES = {
    "mechanisms": MECHANISMS,
    "values": VALUES,
    "spaces": SPACES,
    "sensitivity": SENSITIVITY,
    "importance": IMPORTANCE,
    "models": MODELS,
    "answerers": ANSWERERS,
    "decoders": DECODERS,
    "repairs": REPAIRS,
}

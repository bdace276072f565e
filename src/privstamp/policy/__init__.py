"""Policy: one file describes a whole configuration. It names parts; it never builds them."""

from __future__ import annotations

import hashlib
import hmac
import json
import math
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import tomli_w
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_serializer,
    field_validator,
    model_validator,
)

from privstamp.budget import PROTECTED, Budget
from privstamp.errors import PolicyError, UnknownName, UsageError, suggest, trouble_of
from privstamp.policy.presets import CHANGES, Prior, Statistic, Targets, required
from privstamp.text.expressions import check_patterns
from privstamp.text.formats import FORMATS

VERSION: Final = 1
DEFAULT: Final = "selective"
"""The preset that is taken where nobody names one; docs/concepts/presets.md says why."""
PARTS: Final = ("space", "sensitivity", "importance", "mechanism", "replacement", "decoder",
                "language_model", "repair")  # fmt: skip
Saw = Literal["public words", "private sample"]
"""What a calibration looked at."""
BUDGET_KEYS = ("base", "epsilon", "metric", "preset", "target_recovery", "prior", "statistic")


class Part(BaseModel):
    """The name of a part and its options; the part itself checks them when it is built."""

    model_config = ConfigDict(extra="allow", frozen=True, hide_input_in_errors=True)
    name: str

    @property
    def options(self) -> dict[str, Any]:
        return dict(self.model_extra or {})

    def __repr__(self) -> str:
        """Names of options alone: their values may be words of the owner."""
        return f"Part({', '.join([repr(self.name), *sorted(self.model_extra or {})])})"

    __str__ = __repr__


class Calibration(BaseModel):
    """Where a budget's numbers come from: the limits that they were searched for, by group."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    fingerprint: str  # of the search: limits, parts, space, version, seed and outcome
    parts: str  # of what was measured; any change to it leaves the numbers uncalibrated
    target_recovery: dict[Literal["1", "2", "3", "4"], float]
    prior: Prior
    statistic: Statistic
    saw: Saw = "public words"


class GatewayTable(BaseModel):
    """What is not named here is refused, or stays as the upstream wrote it."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    upstream: str | None = None
    upstream_key: Literal["gateway", "client"] = "gateway"  # whose key the upstream gets
    names: tuple[str, ...] = ()  # hosts by which clients may call it, beside loopback's
    allow: tuple[str, ...] = ()  # what is refused otherwise
    restore: bool = True
    restore_arguments: tuple[str, ...] = ()  # tools whose arguments get real values
    kinds: tuple[str, ...] = ()  # secrets' kinds that are restored all the same
    public: tuple[str, ...] = Field(default=(), repr=False)  # values of enums that name nobody


class Policy(BaseModel):
    """Everything that decides what is released, but for the text, the task and the noise.

    `extends` names the preset that keys which are left out are taken from. The values written
    here are those of `selective`, the default; the others are listed below.
    """

    model_config = ConfigDict(
        extra="forbid", frozen=True, arbitrary_types_allowed=True, hide_input_in_errors=True
    )

    version: Literal[1] = VERSION
    extends: str = DEFAULT
    format: str = "auto"
    space: Part = Part(name="plain")
    sensitivity: Part = Part.model_validate(
        {"name": "union", "parts": ["presidio", {"name": "lexicon"}]}
    )
    importance: Part = Part(name="none")
    mechanism: Part = Part(name="polar")
    replacement: Part = Part(name="surrogate")
    decoder: Part = Part(name="exact")
    language_model: Part = Part(name="smollm2")
    repair: Part | None = None
    groups: dict[Literal["1", "2", "3", "4"], Part] = {
        "1": Part(name="surrogate"),
        "2": Part(name="surrogate"),
    }
    budget: Budget = Budget.of([0, 0, math.inf, math.inf])
    calibration: Calibration | None = None
    draws: Literal["once", "independent"] = "once"
    numbers: Literal["identifiers", "all", "perturb"] = "identifiers"
    numeric: tuple[dict[str, Any], ...] = ()  # kinds of numbers whose values get noise
    dates: Literal["replace", "shift", "keep"] = "replace"
    profiles: tuple[str, ...] = ()
    date_window: tuple[str, str] = ("1950-01-01", "2029-12-31")
    grouping: Literal["contextual", "public"] = "contextual"
    other_languages: Literal["refuse", "accept"] = "refuse"
    attachments: Literal["refuse", "drop"] = "refuse"
    allow: tuple[str, ...] = Field(default=(), repr=False)
    deny: tuple[str, ...] = Field(default=(), repr=False)
    keep: tuple[str, ...] = Field(default=(), repr=False)
    gateway: GatewayTable | None = None

    if not TYPE_CHECKING:  # editors know the keys

        def __init__(self, **values: Any) -> None:
            """Errors name the key and the fix, never a value."""
            try:
                super().__init__(**values)
                return
            except ValidationError as error:
                problems = [(item["type"], item["loc"], item["msg"]) for item in error.errors()]
            raise PolicyError("policy: " + "; ".join(_in_words(*problem) for problem in problems))

    @model_validator(mode="before")
    @classmethod
    def _extended(cls, values: Any) -> Any:
        """Fill in, from the preset, keys that are left out and names of parts without one."""
        if not isinstance(values, dict):
            return values
        name = values.get("extends", DEFAULT)
        base = _base(name)
        filled = {**base, **values, "extends": name}
        for key in PARTS:
            if isinstance(filled[key], dict) and "name" not in filled[key] and base[key]:
                preset = base[key]
                options = preset.model_dump() if isinstance(preset, Part) else preset
                filled[key] = {**options, **filled[key]}
        return filled

    @field_validator(*PARTS, mode="before")
    @classmethod
    def _named(cls, value: Any) -> Any:
        """A bare name is a part without options."""
        return {"name": value} if isinstance(value, str) else value

    @field_validator("sensitivity")
    @classmethod
    def _usable(cls, part: Part) -> Part:
        check_patterns(part.options, "sensitivity")
        return part

    @field_validator("groups")
    @classmethod
    def _distinct(cls, groups: dict[Any, Part], info: ValidationInfo) -> dict[Any, Part]:
        """A group that names the mechanism of all of them has none of its own."""
        common = info.data.get("mechanism")
        return {key: part for key, part in groups.items() if part != common}

    @field_validator("format")
    @classmethod
    def _known_format(cls, name: str) -> str:
        if name not in FORMATS:
            raise ValueError(f'no format "{name}".{suggest(name, FORMATS)}')
        return name

    @field_validator("allow", "deny", "keep")
    @classmethod
    def _terms(cls, terms: tuple[str, ...]) -> tuple[str, ...]:
        if not all(any(map(str.isalnum, term)) for term in terms):
            raise ValueError("every term needs a letter or a digit")
        return terms

    @field_validator("profiles")
    @classmethod
    def _known_profiles(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        required(names)
        return names

    @field_validator("budget", mode="before")
    @classmethod
    def _read_budget(cls, value: Any) -> Any:
        return _budget(value) if isinstance(value, dict) else value

    @field_serializer("budget")
    def _write_budget(self, budget: Budget) -> dict[str, Any]:
        metric = budget.metric if isinstance(budget.metric, str) else list(budget.metric)
        if isinstance(budget, Targets):
            return {**budget.written(), "metric": metric}
        return {"epsilon": list(budget.epsilon), "metric": metric}

    def mechanism_of(self, group: int) -> Part:
        """The mechanism, or the replacement, that a group gets."""
        return next(
            (part for key, part in self.groups.items() if key == str(group)), self.mechanism
        )

    @classmethod
    def of(cls, values: dict[str, Any]) -> Policy:
        """From plain data, as a file holds it."""
        return cls(**values)

    @classmethod
    def preset(cls, name: str) -> Policy:
        """A policy that comes with privstamp."""
        if name not in PRESETS:
            raise UnknownName(f'no policy preset "{name}".{suggest(name, PRESETS)}')
        return PRESETS[name]

    @classmethod
    def from_toml(cls, text: str) -> Policy:
        try:
            values = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            problem = str(error)
        else:
            return cls.of(_over_preset(values))
        raise PolicyError(f"policy: not valid TOML: {problem}")

    @classmethod
    def load(cls, path: str | Path) -> Policy:
        """Read a policy file."""
        return cls.from_bytes(read_policy(path), path)

    @classmethod
    def from_bytes(cls, content: bytes, path: str | Path) -> Policy:
        """What a file holds; `path` is for messages alone."""
        kind: type[UsageError] = PolicyError
        try:
            return cls.from_toml(content.decode())
        except UnicodeDecodeError:
            problem = "cannot be read as UTF-8 text"
        except UsageError as error:
            kind, problem = type(error), str(error)
        raise kind(f"{path}: {problem}")

    def to_toml(self) -> str:
        return tomli_w.dumps(self.written())

    def written(self) -> dict[str, Any]:
        """The values of a file that reads back as this policy, whatever the preset has."""
        values = self.model_dump(mode="python", exclude_none=True)
        common = values["mechanism"]
        spared = {key: common for key in PRESETS[self.extends].groups if key not in self.groups}
        return {**values, "groups": {**values["groups"], **spared}}

    @property
    def is_preset(self) -> bool:
        """Whether it changes nothing of the preset that it extends."""
        return self == PRESETS[self.extends]

    @property
    def unrepaired(self) -> Policy:
        """The same release without a repair: what is drawn, and what an attacker may see most of,
        does not depend on it."""
        return self if self.repair is None else self.model_copy(update={"repair": None})

    def measured_parts(self) -> str:
        """SHA-256 of what a calibration depends on, budget included."""
        names = {"space", "mechanism", "decoder", "groups", "budget"}
        return hashlib.sha256(_canonical(self.model_dump(mode="python", include=names))).hexdigest()

    @property
    def calibrated(self) -> Calibration | None:
        """The calibration, unless parts or budget were changed after it."""
        known = self.calibration
        return known if known is not None and known.parts == self.measured_parts() else None

    @property
    def has_lists(self) -> bool:
        """Whether it holds words of its owner, which others could guess from a plain hash."""
        return self.has_own_words or _names(self.importance.options, ("labels", "examples"))

    @property
    def has_own_words(self) -> bool:
        """Whether words that its owner chose decide what is sensitive, or always important."""
        recognised = _names(self.sensitivity.options, ("custom", "context"))
        return bool(self.allow or self.deny or self.keep) or recognised

    def fingerprint(self, key: bytes | None = None) -> str:
        """SHA-256 of the policy's data; keyed (HMAC) where a key is given."""
        values = self.model_dump(mode="python", exclude_none=True, exclude={"extends", "gateway"})
        data = _canonical(values)
        if key is None:
            return hashlib.sha256(data).hexdigest()
        return hmac.new(key, data, hashlib.sha256).hexdigest()


def read_policy(path: str | Path) -> bytes:
    """The bytes of a policy file."""
    try:
        return Path(path).read_bytes()
    except FileNotFoundError:
        problem = "there is no such file. Try: privstamp policy init"
        if not Path(path).suffix:
            problem += '; a preset is no file: Policy.preset("selective"), or --preset selective'
    except OSError as error:
        problem = f"cannot be read: {trouble_of(error)}"
    raise PolicyError(f"policy {path}: {problem}")


def _names(options: Any, keys: tuple[str, ...]) -> bool:
    """Whether options, or those of a part inside them, have one of these keys."""
    if isinstance(options, dict):
        return any(key in keys or _names(value, keys) for key, value in options.items())
    return isinstance(options, list | tuple) and any(_names(value, keys) for value in options)


def _canonical(data: dict[str, Any]) -> bytes:
    return json.dumps(data, sort_keys=True, separators=(",", ":"), default=str).encode()


def _in_words(kind: str, where: tuple[int | str, ...], message: str) -> str:
    """What pydantic found, for people who never heard of it."""
    key = ".".join(str(step) for step in where if step != "[key]")
    if kind == "extra_forbidden":
        table = GatewayTable if key.startswith("gateway.") else Policy
        return f'unknown key "{key}".{suggest(key.split(".")[-1], table.model_fields)}'
    if kind == "tuple_type":
        return f'{key} is a list of words, say {key} = ["Sheffield"]'
    if kind in ("model_type", "dict_type"):
        return f'{key} is a table with a name, say [{key}] name = "..."'
    if key == "version":
        return f"this privstamp reads version {VERSION} of policies"
    return f"{key}: {message.removeprefix('Value error, ').replace('Input should be', 'must be')}"


def _budget(value: dict[str, Any]) -> Budget:
    for key in value:
        if key not in BUDGET_KEYS:
            raise PolicyError(f'budget: unknown key "{key}".{suggest(key, BUDGET_KEYS)}')
    metric = value.get("metric", "chordal")
    metric = tuple(metric) if isinstance(metric, list) else metric
    names = metric if isinstance(metric, tuple) else (metric,)
    if not all(isinstance(name, str) for name in names):
        raise PolicyError("budget: metric is a name, or a list of four names, one per group")
    if "target_recovery" in value:
        return Targets.read(value, metric)
    if "prior" in value or "statistic" in value:
        raise PolicyError("budget: prior and statistic belong to target_recovery = SHARE")
    if "epsilon" in value:
        if "preset" in value or "base" in value:
            raise PolicyError("budget: give either epsilon = [...] or preset and base, not both")
        epsilon = value["epsilon"]
        if not isinstance(epsilon, list | tuple):
            raise PolicyError("budget: epsilon is a list of four numbers, one per group")
        return Budget.of(epsilon, metric=metric)
    base = value.get("base")
    if isinstance(base, bool) or not isinstance(base, int | float):
        raise PolicyError("budget: a preset needs base = NUMBER (15 suits the default space)")
    preset = value.get("preset", "stamp")
    if not isinstance(preset, str):
        raise PolicyError(f"budget: preset is one of {', '.join(PROTECTED)}, uniform")
    return Budget.preset(preset, float(base), metric=metric)


def _base(name: object) -> dict[str, Any]:
    """All values of a preset."""
    if not isinstance(name, str) or name not in CHANGES:
        raise PolicyError(f"extends: there is no such preset.{suggest(str(name), CHANGES)}")
    defaults = {key: field.get_default() for key, field in Policy.model_fields.items()}
    return {**defaults, **CHANGES[name]}


def _over_preset(values: dict[str, Any]) -> dict[str, Any]:
    """The values of a file: groups that it does not name, and the metric, are the preset's."""
    if "extends" not in values:
        raise PolicyError(
            "policy: it does not say which preset it changes. Add as its first line: "
            f'extends = "{DEFAULT}" (or one of {", ".join(sorted(set(PRESETS) - {DEFAULT}))})'
        )
    base, filled = _base(values["extends"]), dict(values)
    if isinstance(filled.get("groups"), dict):
        filled["groups"] = {**base["groups"], **filled["groups"]}
    if isinstance(filled.get("budget"), dict):
        filled["budget"] = {"metric": base["budget"].metric, **filled["budget"]}
    return filled


PRESETS: Final[dict[str, Policy]] = {name: Policy(extends=name) for name in CHANGES}
"""The policies that come with privstamp."""

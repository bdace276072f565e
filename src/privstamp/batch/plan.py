"""columns.toml: what becomes of every column, and what the noise of a row depends on."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable
from contextlib import suppress
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from privstamp.errors import MissingExtra, PolicyError, UsageError, suggest
from privstamp.policy import DEFAULT, PRESETS, Policy

MARK: Final = "privstamp"
"""Name of the column that engines add: what is known of each row."""
KINDS: Final = {"person": "PERSON", "place": "LOCATION", "date": "DATE", "code": "CODE"}
"""Of surrogate columns: the finding that a value is."""


def wanted(module: str, extra: str) -> Any:
    """An optional package; the error names the line that installs it."""
    with suppress(ImportError):
        return import_module(module)
    raise MissingExtra(extra, f"privstamp.batch with {module}")


class Column(BaseModel):
    """What becomes of one column."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, hide_input_in_errors=True, populate_by_name=True
    )
    role: Literal["text", "release", "drop", "surrogate", "pseudonym"] = Field(alias="as")
    kind: Literal["person", "place", "date", "code"] | None = None
    task: str | None = Field(default=None, repr=False)
    task_column: str | None = None
    policy: str | None = None

    @model_validator(mode="after")
    def _fits(self) -> Column:
        if (self.kind is not None) != (self.role == "surrogate"):
            raise ValueError(f"a surrogate, and nothing else, has a kind: {', '.join(KINDS)}")
        asked = (self.task, self.task_column, self.policy)
        if self.role != "text" and asked != (None, None, None):
            raise ValueError("only a text has a task or a policy")
        if self.task is not None and self.task_column is not None:
            raise ValueError("give a task, or the column that holds it")
        return self


def _column(value: Any) -> Any:
    return {"as": value} if isinstance(value, str) else value


class Plan(BaseModel):
    """A plan for one table; `policies` are those that it names, read."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)
    table: str = Field(min_length=1)
    columns: dict[str, Annotated[Column, BeforeValidator(_column)]] = Field(min_length=1)
    id: str | None = None
    person: str | None = None
    same: str | None = None
    noise: Literal["row", "content"] | None = None
    frequencies: Literal["refuse", "accept"] = "refuse"
    policy: str = DEFAULT
    secret: str | None = None
    policies: dict[str, Policy] = Field(default={}, repr=False, exclude=True)

    @classmethod
    def load(cls, given: Plan | dict[str, Any] | str | Path) -> Plan:
        """A plan, its content, or the file that it is in."""
        if isinstance(given, Plan):
            return given
        if isinstance(given, dict):
            return cls.of(given, Path())
        path = Path(given)
        trouble = ""
        try:
            values = tomllib.loads(path.read_text("utf-8"))
        except OSError as error:
            trouble = error.strerror or type(error).__name__
        except (tomllib.TOMLDecodeError, UnicodeDecodeError):
            trouble = "not TOML"
        if trouble:
            raise UsageError(
                f"cannot read the plan {path}: {trouble}. A draft: privstamp batch init FOLDER"
            )
        return cls.of(values, path.parent)

    @classmethod
    def of(cls, values: dict[str, Any], folder: Path) -> Plan:
        """From plain data; policies are looked for in a folder."""
        faults: list[str] = []
        try:
            plan = cls.model_validate(values)
        except ValidationError as error:
            faults = [
                f"{'.'.join(map(str, fault['loc']))}: {fault['msg'].removeprefix('Value error, ')}"
                for fault in error.errors(include_input=False, include_url=False)
            ]
        if faults:
            raise PolicyError("the plan of columns: " + "; ".join(faults))
        named = dict.fromkeys([plan.policy, *(c.policy for c in plan.columns.values() if c.policy)])
        policies = {name: _policy(name, folder) for name in named}
        plan = plan.model_copy(update={"policies": policies})
        if plan.faults:
            raise PolicyError("the plan of columns: " + "; ".join(plan.faults))
        return plan

    @property
    def faults(self) -> list[str]:
        """What of it does not fit together."""
        used: dict[str, str | None] = {"id": self.id, "person": self.person, "same": self.same}
        used |= {f"{name}.task_column": one.task_column for name, one in self.columns.items()}
        told = [
            f'{key} = "{name}" is no column of the plan'
            for key, name in used.items()
            if name is not None and name not in self.columns
        ]
        if self.id is None and self.noise == "row":
            told.append('noise = "row" needs an id: the column that tells rows apart')
        if not self.texts and not self.named("surrogate") and not self.named("pseudonym"):
            told.append("no column is text, surrogate or pseudonym: nothing would be protected")
        if MARK in self.columns:
            told.append(f'"{MARK}" is the name of the column of facts; rename yours')
        for name, policy in self.policies.items():
            if policy.repair is not None:
                told.append(f"the policy {name} has a [repair]: rows of a table are not repaired")
        return told

    @property
    def by_row(self) -> bool:
        return self.id is not None and self.noise != "content"

    @property
    def texts(self) -> list[str]:
        return self.named("text")

    def named(self, role: str) -> list[str]:
        return [name for name, column in self.columns.items() if column.role == role]

    @property
    def leaving(self) -> list[str]:
        """Columns of the output, in the order of the plan."""
        return [name for name, column in self.columns.items() if column.role != "drop"]

    @property
    def read(self) -> list[str]:
        """Columns that are strings to us: all but those that leave as they are, or not at all."""
        asked = {self.id, self.person, self.same}
        asked |= {column.task_column for column in self.columns.values()}
        return [
            name
            for name, column in self.columns.items()
            if column.role not in ("release", "drop") or name in asked
        ]

    def policy_of(self, name: str) -> str:
        return self.columns[name].policy or self.policy

    def fingerprints(self) -> dict[str, str]:
        """Of each thing that decides what is released, but for the secret. The order of columns is
        one: texts are read in it, and names that are found in one are looked for in the next."""
        content = self.model_dump(mode="json", exclude={"secret", "columns"})
        content |= {f'column "{name}"': one.model_dump() for name, one in self.columns.items()}
        content |= {f"policy {name}": one.fingerprint() for name, one in self.policies.items()}
        content["order of columns"] = list(self.columns)
        return {name: _digest(value) for name, value in content.items()}

    def fingerprint(self) -> str:
        """Of all of these."""
        return _digest(self.fingerprints())

    def check(self, names: Iterable[str], where: str = "the table") -> list[str]:
        """What of a table's columns does not fit."""
        there = list(names)
        if there and not self.columns.keys() & there:
            # Of a file without a header these would be somebody's data: they are not shown.
            return [
                f"{where}: no column of the plan is there: it needs a first row with their names, "
                "separated by commas, or by tabs in .tsv"
            ]
        told = [
            f'{where}: the plan does not list the column "{name}"'
            for name in there
            if name not in self.columns
        ]
        return told + [
            f'{where}: there is no column "{name}".{suggest(name, there)}'
            for name in self.columns
            if name not in there
        ]


def _digest(value: Any) -> str:
    return blake2b(json.dumps(value, sort_keys=True).encode(), digest_size=16).hexdigest()


def _policy(name: str, folder: Path) -> Policy:
    return Policy.preset(name) if name in PRESETS else Policy.load(folder / name)

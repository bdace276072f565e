"""What may be kept and shown about a release: what was promised, counted and left visible.

Nothing of the input: no word, no hash of it that could be guessed, and not how many units came
out changed, because that depends on the input beyond the guarantee.
"""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, PlainSerializer

from privstamp.types import HERE

VERSION: Final = 1


def _finite(value: float) -> float | Literal["inf"]:
    return "inf" if math.isinf(value) else value


Nats = Annotated[float, PlainSerializer(_finite, when_used="json")]
"""A number that may be infinite; JSON has no infinity, so it is written as the string "inf"."""

VISIBLE = (
    "the number of units and their order",
    "plain spacing and common punctuation",
    "case (lower, Title, UPPER) and possessive 's of words, where the space has them",
    "the kind of each unit (word, number, symbol, e-mail address, ...) and the format of numbers",
    "the public class of each unit",
    "the group of each unit, as far as its budget can be told from the output",
    "which units are unknown to the space; of replaced ones the entity type, where the entity "
    "begins and ends, and what is a given name, a family name or an initial",
)
STRUCTURE = (
    "the format of the text and its syntax; names (keys, tags, identifiers) whose words are all "
    "public, and of others their public words, case and separators"
)
EQUALITY = "which sensitive and which replaced units are equal to each other within the document"


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SpaceFacts(_Record):
    name: str
    source: str
    fingerprint: str
    rows: int
    dimensions: int
    classes: dict[str, int] = Field(description="rows that may leave, per public class")


class FluencyFacts(_Record):
    """A language model as base measure. It was shown released text and public labels alone."""

    power: float = Field(description="of the model's probability of a word, given what came before")
    model: str
    fingerprint: str
    by: Literal["law", "decoding"] = Field(description="weighs the draw, or decodes it afterwards")
    constant: Literal["nominal", "own"] = Field(
        description="nominal: epsilon / 2 per score; own: whatever the mechanism has without it"
    )


class MechanismFacts(_Record):
    name: str
    groups: list[int] = Field(description="the groups that it randomises")
    metric: str = Field(description="metric, and the fingerprint of the space it is measured in")
    distance: str
    diameter: float = Field(
        description="largest distance between two units of one class that it promises something of"
    )
    bounded: bool = Field(
        description="whether it promises something of any two units of a class; false: the "
        "guarantee says of which, and the worst case is infinite"
    )
    guarantee: str
    proof: str
    built_in: bool = Field(
        description="whether it comes with privstamp; what another package's mechanism promises "
        "is the word of its authors. No audit has run either way: privstamp audit is one"
    )
    fluency: FluencyFacts | None = Field(default=None, description="null where it is off")


class GroupFacts(_Record):
    group: int
    meaning: str
    epsilon: Nats
    metric: str | None = Field(description="null where epsilon is 0 or inf: nothing is randomised")
    nominal: float | None = Field(
        default=None,
        description="what the general argument alone would state for the same noise, where epsilon "
        "rests on a tighter constant; the largest of the classes met",
    )
    replacement: str | None = Field(
        description="what replaces units at epsilon 0; null where epsilon is inf and none was"
    )
    units: int


class ValueFacts(_Record):
    """Numbers or dates that were released by their value, under a metric of their own."""

    name: str
    kind: str = Field(description="of the findings that it takes")
    unit: str | None = Field(description="only those that end so; null: all")
    epsilon: Nats = Field(description="per 1 of the distance; inf where the distance shows")
    distance: str
    diameter: Nats
    draws: int = Field(description="numbers moved, equal ones of a document once")
    guarantee: str
    proof: str


class Counts(_Record):
    """Every unit is in exactly one of the six; characters are those between units."""

    units: int
    perturbed: int = Field(description="randomised under a finite, positive epsilon")
    replaced: int = Field(description="replaced independently of the input, epsilon 0 by budget")
    replaced_by_rule: int = Field(
        description="whatever the budget: numbers, identifiers, capitalised small words in entities"
    )
    valued: int = Field(
        default=0, description="released by their value: numbers with noise, shifted dates; values"
    )
    unknown: int = Field(description="not in the space; replaced whatever the budget")
    unprotected: int = Field(description="released as they were, epsilon infinite")
    characters_passed: int = Field(description="spacing and punctuation released as they were")
    characters_removed: int = Field(
        default=0, description="invisible characters taken out, and odd spaces made plain"
    )


class StructureFacts(_Record):
    """How a structured text was read. Syntax passes and counts among the characters passed."""

    format: str
    parts: dict[str, int] = Field(description="stretches of the text in other formats")
    fields: int = Field(description="values, strings and comments that were read as text")
    names_passed: int = Field(
        description="keys, tags and identifiers released as they were: all words are public"
    )
    names_replaced: int = Field(description="those exchanged one to one for invented ones")


class Loss(_Record):
    """Privacy loss of the whole release, in nats: losses add over independent draws."""

    draws: int = Field(description="independent draws; equal sensitive units may share one")
    summed_epsilon: dict[str, float] = Field(
        description="sum of epsilon over draws, per metric: epsilons of two metrics never add"
    )
    worst_case: Nats = Field(
        description="sum of epsilon times diameter; inf if units are unprotected, or drawn by a "
        "mechanism that is not bounded"
    )
    mean_epsilon: dict[str, float] = Field(
        description="per metric, the mean over units of its groups but the unprotected; replaced "
        "units count as 0"
    )


class CalibrationFacts(_Record):
    """Where the epsilons come from, if they were searched for a limit on attackers."""

    fingerprint: str
    target_recovery: dict[str, float] = Field(description="limit of each group that had one")
    prior: Literal["uniform", "unigram", "contextual"] = Field(description="what the attacker knew")
    statistic: Literal["mean", "weighted", "max"] = Field(description="over which words")
    saw: Literal["public words", "private sample"] = Field(
        description="what was looked at; numbers from a private sample depend on it"
    )


class RepairFacts(_Record):
    """A model smoothed the released text afterwards: post-processing, so no guarantee changes."""

    model: str
    fingerprint: str
    place: str = Field(description="this machine, or the host that was sent the released text")
    repeatable: bool = Field(description="whether the same released text is repaired the same way")
    repaired: int = Field(description="windows whose repair passed the checks")
    unchanged: int = Field(description="windows that the model found nothing to change in")
    refused: int = Field(description="windows left as released: a check failed twice")
    failed: int = Field(description="windows left as released: the model did not answer")
    reasons: dict[str, int] = Field(description="refused windows by the check that failed")
    trouble: str | None = Field(description="what the model failed with; null if it did not")

    @property
    def away(self) -> bool:
        """Whether another machine was sent the released text."""
        return self.place != HERE

    def note(self) -> str:
        """For the notes of a certificate."""
        sent = ", which was sent the released text" if self.away else ""
        windows = self.repaired + self.unchanged + self.refused + self.failed
        return (
            f"a model ({self.model}, on {self.place}{sent}) repaired {self.repaired} of {windows} "
            "windows of the released text: post-processing; counts are of the text before it"
        )


class Fingerprints(_Record):
    policy: str
    policy_keyed: bool = Field(description="keyed where lists could be guessed from a plain hash")
    sensitivity: str
    importance: str
    task: str | None = Field(description="keyed")
    text: str = Field(description="of the text as released, before a repair; keyed")


class SessionFacts(_Record):
    """A release of messages in a session, which knows what it has released before."""

    messages: int = Field(description="of this call; everything else in it is about these")
    new: int = Field(description="of them not released before: only these were read and drawn")
    replies: int = Field(description="replies of the session, sent back as they were received")
    addresses: int = Field(description="distinct addresses of noise so far; repeats cost nothing")
    held: int = Field(
        description="draws so far that were an earlier one again: redraws are limited"
    )
    foreign_names: int = Field(
        description="distinct names so far from tools and edited replies (of long ones, every two "
        "words that stand together): each a possible guess"
    )
    apart: int = Field(description="messages with too many of them, under surrogates of their own")
    late: int = Field(description="names so far that had left before they were found")
    charges: dict[str, float] = Field(
        default={},
        description="what this call was charged, in a session that lasts: nats, epsilon of each "
        "metric, draws, unprotected units, guesses; empty for a repeat",
    )


class LabelLoss(_Record):
    """One ordinary word swapped for a near one or one of like frequency, again and again."""

    own: float = Field(description="share of swaps that changed the label of the word itself")
    others: float = Field(description="share of swaps that changed a label of other words")
    swaps: int


class Certificate(_Record):
    """Safe to keep. `model_dump_json` and `json_schema` are its exchange form."""

    version: Literal[1] = VERSION
    package: str
    time: datetime = Field(default_factory=lambda: datetime.now(UTC).replace(microsecond=0))
    preset: str = Field(description="the preset that was used, or that the policy extends")
    changed: bool = Field(description="whether the policy changes something of it")
    space: SpaceFacts
    values: list[ValueFacts] = Field(
        default_factory=list, description="numbers and dates that are not replaced blindly"
    )
    mechanisms: list[MechanismFacts]
    groups: list[GroupFacts]
    calibration: CalibrationFacts | None = Field(
        default=None, description="null where epsilons were chosen by hand, or changed afterwards"
    )
    counts: Counts
    language: str | None = Field(
        default=None, description="of most of the text; null where it could not be told"
    )
    languages: dict[str, float] = Field(
        default={}, description="shares of the words, by paragraphs whose language could be told"
    )
    structure: StructureFacts | None = Field(default=None, description="null where it was plain")
    loss: Loss
    map: Literal["public", "contextual"]
    scope: str = Field(description="between which texts the guarantee holds")
    label_loss: LabelLoss | None = Field(
        description="how steady the labels are that the guarantee is given, measured for the parts "
        "of this policy on texts of the package; null where they were not: see privstamp audit"
    )
    not_protected: list[str]
    draws: Literal["once", "independent"]
    sensitivity: str
    importance: str
    threshold: Nats | None = Field(description="importance threshold; null if the task is private")
    task: Literal["none", "public", "private"]
    randomness: Literal["fresh", "secret", "seed", "session"]
    session: SessionFacts | None = Field(default=None, description="null outside of sessions")
    fingerprints: Fingerprints
    repair: RepairFacts | None = Field(default=None, description="null where none was asked for")
    notes: list[str]

    def noted(self, note: str, **facts: object) -> Certificate:
        """With one note more, and what it is about."""
        return self.model_copy(update={**facts, "notes": [*self.notes, note]})

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return self.model_dump(mode="json")

    def to_json(self) -> str:
        return self.model_dump_json(indent=2)

    @classmethod
    def json_schema(cls) -> dict[str, Any]:
        """JSON schema of `to_dict`."""
        return cls.model_json_schema(mode="serialization")


def scope_sentence(*, contextual: bool, once: bool) -> str:
    """Between which pairs of texts the bound holds, in plain words."""
    same = [
        "the same segmentation, groups, classes, entity types and known/unknown status of units",
        "the same spacing, punctuation, case and number formats",
    ]
    if once:
        same.append("the same pattern of equal sensitive units")
    same.append("the same pattern of equal replaced units")
    between = "Holds between any two texts with " + "; ".join(same) + "."
    if contextual:
        return between + (
            " The group map is contextual: labels depend on the text itself, so the promise is "
            "given the labels, which are not protected."
        )
    return between + (
        " The group map is public: a unit's group is a function of its type, its case and the "
        "task, so the paper's theorem holds as stated for every draw."
    )


def not_protected(*, once: bool, replaced: bool) -> list[str]:
    """What the receiver sees all the same."""
    return [*VISIBLE, EQUALITY] if once or replaced else list(VISIBLE)

"""The default detector: spaCy's entity recogniser, Presidio's patterns, and our own rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from importlib.metadata import version
from typing import Final, Literal
from unicodedata import category

from privstamp.errors import AssetError, Incompatible, PolicyError
from privstamp.sensitivity import rules as own
from privstamp.sensitivity.chunks import Chunk, broken_up, calmed, chunked
from privstamp.sensitivity.languages import WORDS, listed
from privstamp.sensitivity.ner import Ner
from privstamp.sensitivity.recognizers import KNOWN, USUAL, Recognizers
from privstamp.sensitivity.spans import merge
from privstamp.types import Finding, Scope, Units

LABELS: Final[dict[str, str]] = {
    "PERSON": "PERSON",
    "PER": "PERSON",
    "GPE": "LOCATION",
    "LOC": "LOCATION",
    "FAC": "LOCATION",
    "ORG": "ORGANIZATION",
    "NORP": "NRP",
    "DATE": "DATE_TIME",
    "TIME": "DATE_TIME",
    "MONEY": "MONEY",
    "PERCENT": "PERCENT",
    "QUANTITY": "QUANTITY",
    "CARDINAL": "CARDINAL",
    "ORDINAL": "ORDINAL",
    "EVENT": "EVENT",
    "LANGUAGE": "LANGUAGE",
    "LAW": "LAW",
    "MISC": "MISC",
    "PRODUCT": "PRODUCT",
    "WORK_OF_ART": "WORK_OF_ART",
}
"""spaCy's labels, English and other, as kinds."""
ENTITIES: Final = frozenset(LABELS.values()) | frozenset(KNOWN) | own.ENTITIES
DEFAULT: Final = frozenset({"PERSON", "LOCATION", "ORGANIZATION"}) | frozenset(USUAL) | own.DEFAULT
_BY_MODEL: Final = "spaCy: "
_NER_SCORE: Final = 0.85
"""Presidio's; spaCy itself gives none."""
_GROUP: Final = 40_000
"""Characters that go through the recogniser at once."""
_LIBRARIES: Final = ("presidio-analyzer", "spacy", "tldextract")

_WORD: Final = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_NONE: Final = re.compile(r"(?!)")
_ARTICLES: Final = {"en": re.compile(r"the\s+(?=\w)", re.IGNORECASE)}
"""What the model counts as a part of a name in one place and not in another."""
_ASKING: Final = {
    "en": frozenset(
        listed("""
            what, which, how, many, long, day, days, date, week, month, months, year, years, hour,
            hours, minutes, time, century, decade, season
        """)
    )
}
"""Words of questions about a date, which name none."""


class PresidioSensitivity:
    """Persons, places, organisations and direct identifiers; dates and more by choice.

    `recogniser`: whether it may do without a model of the language, by patterns and rules alone.
    """

    name: Final = "presidio"
    scope: Final = Scope.context("a name is recognised by the sentence around it")

    def __init__(
        self,
        *,
        entities: Sequence[str] | None = None,
        threshold: float = 0.4,
        language: str = "en",
        model: str | None = None,
        rules: bool = True,
        recogniser: Literal["required", "optional"] = "required",
    ) -> None:
        if recogniser not in ("required", "optional"):
            raise PolicyError('sensitivity: recogniser is "required" or "optional"')
        if not isinstance(threshold, int | float) or not 0 <= threshold <= 1:
            raise PolicyError("threshold of sensitivity must lie between 0 and 1")
        self.entities = own.chosen(entities, DEFAULT, ENTITIES)
        self._threshold = threshold
        self.languages: Final = frozenset({language})
        self._forms = frozenset(listed(WORDS[language].forms if language in WORDS else ""))
        self._asking = _ASKING.get(language, frozenset())
        self._article = _ARTICLES.get(language, _NONE)
        by_rule = self.entities & own.ENTITIES
        self._rules = None
        if rules and by_rule:
            self._rules = own.Rules(entities=sorted(by_rule), language=language)
        self._kinds = {label: kind for label, kind in LABELS.items() if kind in self.entities}
        self._ner = _recogniser(language, model, recogniser) if self._kinds else None
        self.unread: Final = bool(self._kinds) and self._ner is None
        # What our rules know as well as Presidio they look for alone: they are quicker.
        self._recognizers = Recognizers(self.entities - own.ENTITIES if rules else self.entities)
        self._refuse_what_the_model_lacks()
        self.fingerprint = own.fingerprint(
            self.name,
            sorted(self.entities),
            threshold,
            {name: version(name) for name in _LIBRARIES},
            self._rules.fingerprint if self._rules else None,
            self._ner.facts if self._ner else None,
        )

    def _refuse_what_the_model_lacks(self) -> None:
        if self._ner is None:
            return
        given = {LABELS[label] for label in self._ner.labels if label in LABELS}
        by_pattern = own.ENTITIES | frozenset(KNOWN)
        wanted = set(self._kinds.values()) - by_pattern | {"PERSON", "LOCATION"} & self.entities
        if missing := sorted(wanted - given):
            raise Incompatible(f"the spaCy model does not find {', '.join(missing)}")

    def find(self, batch: Sequence[Units]) -> list[list[Finding]]:
        """Sensitive spans of each document, of the whole text, without overlaps."""
        found: list[list[Finding]] = [
            list(self._rules.scan(units.text)) if self._rules else [] for units in batch
        ]
        chunks = (
            piece for index, units in enumerate(batch) for piece in chunked(units.text, index)
        )
        for group in _grouped(chunks):
            texts = [chunk.text for chunk in group]
            for scanned in (self._recognizers.scan(texts), self._recognized(texts)):
                for chunk, findings in zip(group, scanned, strict=True):
                    found[chunk.document].extend(_moved(f, chunk.start) for f in findings)
        return [
            list(self._cleaned(units.text, merge(f for f in one if f.score >= self._threshold)))
            for units, one in zip(batch, found, strict=True)
        ]

    def _recognized(self, texts: Sequence[str]) -> list[list[Finding]]:
        """What the model finds in each text, and again with runs of capitals calmed."""
        found: list[list[Finding]] = [[] for _ in texts]
        if self._ner is None:
            return found
        views = [(index, 0, broken_up(text)) for index, text in enumerate(texts)]
        views += [(index, at, calm) for index, _, view in views for at, calm in calmed(view)]
        entities = self._ner.entities([view for *_, view in views])
        for (index, at, _), spans in zip(views, entities, strict=True):
            found[index] += [
                self._finding(at + start, at + end, label)
                for start, end, label in spans
                if label in self._kinds
            ]
        return found

    def _finding(self, start: int, end: int, label: str) -> Finding:
        return Finding(start, end, self._kinds[label], _NER_SCORE, self.name, _BY_MODEL + label)

    def _cleaned(self, text: str, findings: Iterable[Finding]) -> Iterator[Finding]:
        """The model's spans from letter to letter, less an article; not those of words for fields
        only, nor a date that is asked for: "what year"."""
        for finding in findings:
            if not finding.rule.startswith(_BY_MODEL):
                yield finding
                continue
            start, end = finding.start, finding.end
            while start < end and not _is_wordy(text[start]):
                start += 1
            if article := self._article.match(text, start, end):
                start = article.end()
            while start < end and not _is_wordy(text[end - 1]):
                end -= 1
            words = frozenset(map(str.lower, _WORD.findall(text, start, end)))
            asks = finding.kind == "DATE_TIME" and not words.isdisjoint(self._asking)
            if not words <= (self._forms | self._asking if asks else self._forms):
                yield replace(finding, start=start, end=end)


def _recogniser(language: str, model: str | None, need: str) -> Ner | None:
    """The model of a language; None where there is none, and none is needed."""
    try:
        return Ner(language, model)
    except AssetError:
        if model is not None or need == "required":
            raise
    return None


def _grouped(chunks: Iterable[Chunk]) -> Iterator[list[Chunk]]:
    """Chunks in lists of bounded size."""
    group: list[Chunk] = []
    size = 0
    for chunk in chunks:
        if group and size + len(chunk.text) > _GROUP:
            yield group
            group, size = [], 0
        group.append(chunk)
        size += len(chunk.text)
    if group:
        yield group


def _is_wordy(character: str) -> bool:
    return category(character)[0] in "LNM"


def _moved(finding: Finding, by: int) -> Finding:
    return replace(finding, start=finding.start + by, end=finding.end + by) if by else finding

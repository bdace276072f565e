"""The default detector: spaCy's entity recogniser, Presidio's patterns, and our own rules."""

from __future__ import annotations

import hashlib
import logging
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from typing import Any, Final, Literal
from unicodedata import category

import regex

from privstamp.crew.threads import Lock
from privstamp.errors import AssetError, Incompatible, PolicyError, StageFailed
from privstamp.sensitivity import rules as own
from privstamp.sensitivity.greedy import NAMES
from privstamp.sensitivity.languages import WORDS, listed
from privstamp.sensitivity.ner import Chunk, Ner, broken_up, calmed, chunked, spared
from privstamp.sensitivity.spans import merge, spanning
from privstamp.types import Finding, Scope, Units

# Presidio's pattern recognisers, called one by one: no analyzer, no network, no log lines.
# Entities and classes by its own names. Telephones and links are left to our rules: its
# link pattern takes twelve seconds for a line of 8,000 full stops.
USUAL: Final[dict[str, str]] = {
    "CREDIT_CARD": "CreditCardRecognizer",
    "CRYPTO": "CryptoRecognizer",
    "EMAIL_ADDRESS": "EmailRecognizer",
    "IBAN_CODE": "IbanRecognizer",
    "IP_ADDRESS": "IpRecognizer",
    "MAC_ADDRESS": "MacAddressRecognizer",
    "MEDICAL_LICENSE": "MedicalLicenseRecognizer",
    "UK_NHS": "NhsRecognizer",
    "UK_NINO": "UkNinoRecognizer",
    "US_BANK_NUMBER": "UsBankRecognizer",
    "US_DRIVER_LICENSE": "UsLicenseRecognizer",
    "US_ITIN": "UsItinRecognizer",
    "US_PASSPORT": "UsPassportRecognizer",
    "US_SSN": "UsSsnRecognizer",
    "UUID": "UuidRecognizer",
}
BY_CHOICE: Final[dict[str, str]] = {
    "ABA_ROUTING_NUMBER": "AbaRoutingRecognizer",
    "AU_ABN": "AuAbnRecognizer",
    "AU_ACN": "AuAcnRecognizer",
    "AU_MEDICARE": "AuMedicareRecognizer",
    "AU_TFN": "AuTfnRecognizer",
    "CA_POSTAL_CODE": "CaPostalCodeRecognizer",
    "CA_SIN": "CaSinRecognizer",
    "DATE_TIME": "DateRecognizer",
    "DE_ID_CARD": "DeIdCardRecognizer",
    "DE_TAX_ID": "DeTaxIdRecognizer",
    "ES_NIE": "EsNieRecognizer",
    "ES_NIF": "EsNifRecognizer",
    "FI_PERSONAL_IDENTITY_CODE": "FiPersonalIdentityCodeRecognizer",
    "IN_AADHAAR": "InAadhaarRecognizer",
    "IN_GSTIN": "InGstinRecognizer",
    "IN_PASSPORT": "InPassportRecognizer",
    "IN_VOTER": "InVoterRecognizer",
    "IT_FISCAL_CODE": "ItFiscalCodeRecognizer",
    "IT_VAT_CODE": "ItVatCodeRecognizer",
    "KR_RRN": "KrRrnRecognizer",
    "PL_PESEL": "PlPeselRecognizer",
    "SE_PERSONNUMMER": "SePersonnummerRecognizer",
    "SG_NRIC_FIN": "SgFinRecognizer",
    "TH_TNIN": "ThTninRecognizer",
    "TR_NATIONAL_ID": "TrNationalIdRecognizer",
    "UK_PASSPORT": "UkPassportRecognizer",
    "UK_POSTCODE": "UkPostcodeRecognizer",
    "UK_VEHICLE_REGISTRATION": "UkVehicleRegistrationRecognizer",
    "US_MBI": "UsMbiRecognizer",
    "US_NPI": "UsNpiRecognizer",
    "ZA_ID_NUMBER": "ZaIdNumberRecognizer",
}
KNOWN: Final = USUAL | BY_CHOICE

_NUMBERED: Final = frozenset(
    {"MEDICAL_LICENSE", "US_BANK_NUMBER", "US_DRIVER_LICENSE", "US_ITIN", "US_PASSPORT"}
)
_PATTERNS: Final = "25fddc556aa0f71faea1d7b33ee229ecf8ceb9811fd72f4df2ec53ef190619df"
"""What Presidio's patterns for these are, as a hash: with others every text is read."""
_NUMBER: Final = re.compile(r"\d(?<=[^\W\d_].)|\d{5}|\d[- ]\d{4}|\]\d")
"""What any match of these patterns holds: a letter and a digit, or digits in a row."""
_WITHOUT_DIGITS: Final = frozenset({"EMAIL_ADDRESS", "IP_ADDRESS", "CRYPTO", "DATE_TIME"})
# Presidio's own numbers: what a context word before a match adds, and the least it then has.
_CONTEXT_GAIN, _CONTEXT_LEAST, _CONTEXT_REACH = 0.35, 0.4, 60


class Recognizers:
    """Those for some entities. A pattern that gives up stops the release."""

    def __init__(self, entities: frozenset[str]) -> None:
        with spared(), _unchecked():
            import presidio_analyzer.predefined_recognizers as predefined

        with _Quiet():
            self._all = [
                offline_email() if entity == "EMAIL_ADDRESS" else getattr(predefined, name)()
                for entity, name in KNOWN.items()
                if entity in entities
            ]
        written = [
            pattern.regex
            for recognizer in self._all
            if _NUMBERED.issuperset(recognizer.supported_entities)
            for pattern in recognizer.patterns
        ]
        known = hashlib.sha256("\n".join(written).encode()).hexdigest() == _PATTERNS
        self._numbered = _NUMBERED if known else frozenset()

    def scan(self, texts: Sequence[str]) -> list[list[Finding]]:
        """Every hit in each text, with the score that the words before it leave it."""
        with _Quiet():
            return [list(self._hits(text)) for text in texts]

    def _hits(self, text: str) -> Iterator[Finding]:
        digits = _has_digit(text)
        without = frozenset() if _NUMBER.search(text) else self._numbered
        for recognizer in self._all:
            (kind,) = recognizer.supported_entities
            if kind in without or (not digits and kind not in _WITHOUT_DIGITS):
                continue
            for hit in recognizer.analyze(text, [kind], None):
                if kind not in _WITHOUT_DIGITS and not _has_digit(text[hit.start : hit.end]):
                    continue
                explained = hit.analysis_explanation
                rule = f"{recognizer.name}: {explained.pattern_name or 'library'}"
                score = _in_context(text, hit.start, hit.score, recognizer.context or ())
                yield Finding(hit.start, hit.end, kind, score, "presidio", rule)


@contextmanager
def _unchecked() -> Iterator[None]:
    """Inside, no pattern of Presidio's is compiled only to see that it can be: few are used."""
    compiled = regex.compile

    def wanted(*pattern: Any, **flags: Any) -> Any:
        checks = sys._getframe(1).f_globals.get("__name__") == "presidio_analyzer.pattern"
        return None if checks else compiled(*pattern, **flags)

    regex.compile = wanted
    try:
        yield
    finally:
        regex.compile = compiled


def offline_email() -> Any:
    """Presidio's own asks the network for the list of domains; this one reads the copy it has."""
    import tldextract
    from presidio_analyzer.predefined_recognizers import EmailRecognizer

    extract = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)

    class OfflineEmail(EmailRecognizer):
        def validate_result(self, pattern_text: str) -> bool:
            return bool(extract(pattern_text).fqdn)

    return OfflineEmail(name="EmailRecognizer")


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


def _in_context(text: str, start: int, score: float, context: tuple[str, ...]) -> float:
    before = set(re.findall(r"\w+", text[max(0, start - _CONTEXT_REACH) : start].lower()))
    if before.isdisjoint(word.strip().lower() for word in context):
        return float(score)
    return float(min(1.0, max(score + _CONTEXT_GAIN, _CONTEXT_LEAST)))


class _Quiet:
    """Keeps Presidio's log silent, since lines may hold text, and fails if it complained.

    A complaint is all that Presidio says of a pattern that ran out of time, so it is heard however
    logging is set: levels, a disabled logger and `logging.disable` do not hide it.
    """

    _logger: Final = logging.getLogger("presidio-analyzer")
    _lock: Final = Lock()

    def __enter__(self) -> None:
        self._lock.__enter__()
        self._complained = False
        vars(self._logger).update(isEnabledFor=_worth_hearing, handle=self._hear)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        for name in ("isEnabledFor", "handle"):
            del vars(self._logger)[name]
        self._lock.__exit__()
        if self._complained and kind is None:
            raise StageFailed("Presidio gave up on a pattern; nothing was released")

    def _hear(self, _: logging.LogRecord) -> None:
        self._complained = True


def _worth_hearing(level: int) -> bool:
    return level >= logging.WARNING


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
        self._names = language == "en" and NAMES.issuperset(self._kinds)
        without = self._kinds and self._ner is None
        self.unread: Final = self.languages if without else frozenset[str]()
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
            list(self._cleaned(units.text, merge(f for f in page if f.score >= self._threshold)))
            for units, page in zip(batch, found, strict=True)
        ]

    def _recognized(self, texts: Sequence[str]) -> list[list[Finding]]:
        """What the model finds in each text, and again with runs of capitals calmed."""
        findings: list[list[Finding]] = [[] for _ in texts]
        if self._ner is None:
            return findings
        views = [(index, 0, broken_up(text)) for index, text in enumerate(texts)]
        views += [(index, at, calm) for index, _, view in views for at, calm in calmed(view)]
        entities = self._ner.entities([view for *_, view in views], names=self._names)
        for (index, at, _), spans in zip(views, entities, strict=True):
            findings[index] += [
                self._finding(at + start, at + end, label)
                for start, end, label in spans
                if label in self._kinds
            ]
        return findings

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
                yield spanning(finding, start, end)


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
    return spanning(finding, finding.start + by, finding.end + by) if by else finding

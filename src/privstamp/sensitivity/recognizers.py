"""Presidio's pattern recognisers, called one by one: no analyzer, no network, no log lines."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from privstamp.crew.threads import Lock
from privstamp.errors import StageFailed
from privstamp.sensitivity.spared import spared
from privstamp.types import Finding

# Presidio's own names of entities and classes. Telephones and links are left to our rules: its
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

_WITHOUT_DIGITS: Final = frozenset({"EMAIL_ADDRESS", "IP_ADDRESS", "CRYPTO", "DATE_TIME"})
# Presidio's own numbers: what a context word before a match adds, and the least it then has.
_CONTEXT_GAIN, _CONTEXT_LEAST, _CONTEXT_REACH = 0.35, 0.4, 60


class Recognizers:
    """Those for some entities. A pattern that gives up stops the release."""

    def __init__(self, entities: frozenset[str]) -> None:
        with spared():
            import presidio_analyzer.predefined_recognizers as predefined  # half a second

        with _Quiet():
            self._all = [
                offline_email() if entity == "EMAIL_ADDRESS" else getattr(predefined, name)()
                for entity, name in KNOWN.items()
                if entity in entities
            ]

    def scan(self, texts: Sequence[str]) -> list[list[Finding]]:
        """Every hit in each text, with the score that the words before it leave it."""
        with _Quiet():
            return [list(self._hits(text)) for text in texts]

    def _hits(self, text: str) -> Iterator[Finding]:
        for recognizer in self._all:
            (kind,) = recognizer.supported_entities
            for hit in recognizer.analyze(text, [kind], None):
                if kind not in _WITHOUT_DIGITS and not _has_digit(text[hit.start : hit.end]):
                    continue
                explained = hit.analysis_explanation
                rule = f"{recognizer.name}: {explained.pattern_name or 'library'}"
                score = _in_context(text, hit.start, hit.score, recognizer.context or ())
                yield Finding(hit.start, hit.end, kind, score, "presidio", rule)


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

"""One certificate of a release in parts: counts and losses add up, everything else is the same."""

from __future__ import annotations

import hmac
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from privstamp.errors import InputError
from privstamp.release.certificate import Certificate, Counts, Loss, StructureFacts
from privstamp.release.document import Written
from privstamp.release.issuer import metric_units
from privstamp.release.parts import Parts

Number = TypeVar("Number", int, float)


@dataclass(frozen=True, repr=False)
class Account:
    """What a released text adds to a total; the text itself for its fingerprint alone."""

    certificate: Certificate
    text: str
    weights: dict[str, int]  # units behind each mean

    @classmethod
    def of(cls, document: Written, parts: Parts) -> Account:
        units = metric_units(document, parts)
        weights = {name: len(epsilons) for name, epsilons in units.items()}
        return cls(document.result.certificate, document.result.text, weights)

    def sharing(self, account: Account) -> Account:
        """The same, in less memory: what both certificates say alike is kept once."""
        ours, theirs = self.certificate, account.certificate
        names = (
            name for name in type(ours).model_fields if getattr(ours, name) == getattr(theirs, name)
        )
        alike = {name: getattr(theirs, name) for name in names}
        return Account(ours.model_copy(update=alike), self.text, self.weights)


class Total:
    """Takes the accounts of all parts in order."""

    def __init__(self, key: bytes) -> None:
        """`key` is that of the text's fingerprint."""
        self._digest = hmac.new(key, digestmod="sha256")
        self._certificate: Certificate | None = None
        self._languages: dict[str, float] = defaultdict(float)  # units in each
        self._weights: Counter[str] = Counter()
        self.parts = 0

    def branch(self) -> Total:
        """A copy that goes its own way."""
        copy = Total.__new__(Total)
        copy._digest, copy._certificate = self._digest.copy(), self._certificate
        copy._languages, copy._weights = self._languages.copy(), self._weights.copy()
        copy.parts = self.parts
        return copy

    def add(self, account: Account) -> None:
        """A part that was released."""
        certificate = account.certificate
        self.parts += 1
        self._digest.update(account.text.encode())
        for language, share in certificate.languages.items():
            self._languages[language] += share * certificate.counts.units
        if self._certificate is not None:
            certificate = _added(self._certificate, certificate, self._weights, account.weights)
        self._weights.update(account.weights)
        self._certificate = certificate

    def certificate(self, note: str = "") -> Certificate:
        """Of everything so far; with a note where it is of more than one part."""
        total = self._certificate
        if total is None:
            raise InputError("there is no text: nothing was released")
        prints = total.fingerprints.model_copy(update={"text": self._digest.hexdigest()})
        told = sum(self._languages.values())
        units = sorted(self._languages.items(), key=lambda pair: -pair[1])
        notes = [*total.notes, note] if note and self.parts > 1 else list(total.notes)
        update = {
            "fingerprints": prints,
            "language": units[0][0] if units else None,
            "languages": {language: round(count / told, 3) for language, count in units},
            "notes": notes,
        }
        return total.model_copy(update=update)


def _added(
    before: Certificate, added: Certificate, weights: Counter[str], more: dict[str, int]
) -> Certificate:
    update = {
        "counts": Counts(**_sums(before.counts.model_dump(), added.counts.model_dump())),
        "groups": [
            a.model_copy(
                update={
                    "units": a.units + b.units,
                    "nominal": _most(a.nominal, b.nominal),
                    "replacement": a.replacement or b.replacement,
                }
            )
            for a, b in zip(before.groups, added.groups, strict=True)
        ],
        "values": [
            a.model_copy(update={"draws": a.draws + b.draws})
            for a, b in zip(before.values, added.values, strict=True)
        ],
        "structure": _structures(before.structure, added.structure),
        "loss": _losses(before.loss, added.loss, weights, more),
        "not_protected": _joined(before.not_protected, added.not_protected),
        "notes": _joined(before.notes, added.notes),
    }
    # what is said of a private task holds for all, if any text has one
    base = added if (added.task, before.task) == ("private", "none") else before
    return base.model_copy(update=update)


def _losses(one: Loss, added: Loss, weights: Counter[str], more: dict[str, int]) -> Loss:
    names = sorted({*one.mean_epsilon, *added.mean_epsilon})
    means = {}
    for name in names:
        before, here = weights[name], more.get(name, 0)
        summed = one.mean_epsilon.get(name, 0.0) * before + added.mean_epsilon.get(name, 0.0) * here
        means[name] = summed / (before + here)
    return Loss(
        draws=one.draws + added.draws,
        summed_epsilon=_sums(one.summed_epsilon, added.summed_epsilon),
        worst_case=one.worst_case + added.worst_case,
        mean_epsilon=means,
    )


def _structures(
    before: StructureFacts | None, added: StructureFacts | None
) -> StructureFacts | None:
    if before is None or added is None:
        return before or added
    return StructureFacts(
        format=before.format,
        parts=_sums(before.parts, added.parts),
        fields=before.fields + added.fields,
        names_passed=before.names_passed + added.names_passed,
        names_replaced=before.names_replaced + added.names_replaced,
    )


def _sums(before: dict[str, Number], added: dict[str, Number]) -> dict[str, Number]:
    total = dict(before)
    for name, value in added.items():
        total[name] = total[name] + value if name in total else value
    return total


def _most(*values: float | None) -> float | None:
    return max((value for value in values if value is not None), default=None)


def _joined(before: Iterable[str], added: Iterable[str]) -> list[str]:
    return list(dict.fromkeys((*before, *added)))

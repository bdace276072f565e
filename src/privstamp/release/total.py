"""One certificate of a release in parts: counts and losses add up, everything else is the same."""

from __future__ import annotations

import hmac
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from privstamp.errors import InputError
from privstamp.release.certificate import Certificate, Counts, Loss, StructureFacts
from privstamp.release.document import Document
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
    def of(cls, document: Document, parts: Parts) -> Account:
        units = metric_units(document, parts)
        weights = {name: len(epsilons) for name, epsilons in units.items()}
        return cls(document.result.certificate, document.result.text, weights)

    def sharing(self, other: Account) -> Account:
        """The same, in less memory: what both certificates say alike is kept once."""
        ours, theirs = self.certificate, other.certificate
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
        self._languages: Counter[str] = Counter()
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
        if certificate.language is not None:
            self._languages[certificate.language] += len(account.text)
        if self._certificate is not None:
            certificate = _added(self._certificate, certificate, self._weights, account.weights)
        self._weights.update(account.weights)
        self._certificate = certificate

    def certificate(self, note: str = "") -> Certificate:
        """Of everything so far; with a note where it is of more than one part."""
        whole = self._certificate
        if whole is None:
            raise InputError("there is no text: nothing was released")
        prints = whole.fingerprints.model_copy(update={"text": self._digest.hexdigest()})
        common = self._languages.most_common(1)
        notes = [*whole.notes, note] if note and self.parts > 1 else list(whole.notes)
        update = {
            "fingerprints": prints,
            "language": common[0][0] if common else None,
            "notes": notes,
        }
        return whole.model_copy(update=update)


def _added(
    one: Certificate, other: Certificate, weights: Counter[str], more: dict[str, int]
) -> Certificate:
    update = {
        "counts": Counts(**_sums(one.counts.model_dump(), other.counts.model_dump())),
        "groups": [
            a.model_copy(
                update={"units": a.units + b.units, "nominal": _most(a.nominal, b.nominal)}
            )
            for a, b in zip(one.groups, other.groups, strict=True)
        ],
        "values": [
            a.model_copy(update={"draws": a.draws + b.draws})
            for a, b in zip(one.values, other.values, strict=True)
        ],
        "structure": _structures(one.structure, other.structure),
        "loss": _losses(one.loss, other.loss, weights, more),
        "not_protected": _joined(one.not_protected, other.not_protected),
        "notes": _joined(one.notes, other.notes),
    }
    return one.model_copy(update=update)


def _losses(one: Loss, other: Loss, weights: Counter[str], more: dict[str, int]) -> Loss:
    names = sorted({*one.mean_epsilon, *other.mean_epsilon})
    means = {}
    for name in names:
        before, here = weights[name], more.get(name, 0)
        summed = one.mean_epsilon.get(name, 0.0) * before + other.mean_epsilon.get(name, 0.0) * here
        means[name] = summed / (before + here)
    return Loss(
        draws=one.draws + other.draws,
        summed_epsilon=_sums(one.summed_epsilon, other.summed_epsilon),
        worst_case=one.worst_case + other.worst_case,
        mean_epsilon=means,
    )


def _structures(one: StructureFacts | None, other: StructureFacts | None) -> StructureFacts | None:
    if one is None or other is None:
        return one or other
    return StructureFacts(
        format=one.format,
        parts=_sums(one.parts, other.parts),
        fields=one.fields + other.fields,
        names_passed=one.names_passed + other.names_passed,
        names_replaced=one.names_replaced + other.names_replaced,
    )


def _sums(one: dict[str, Number], other: dict[str, Number]) -> dict[str, Number]:
    total = dict(one)
    for name, value in other.items():
        total[name] = total[name] + value if name in total else value
    return total


def _most(*values: float | None) -> float | None:
    return max((value for value in values if value is not None), default=None)


def _joined(one: Iterable[str], other: Iterable[str]) -> list[str]:
    return list(dict.fromkeys((*one, *other)))

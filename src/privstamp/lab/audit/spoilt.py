"""What takes the place of sound functions in `mutants`: each gets the sound one and its arguments.

Chance comes from the operating system: a broken line must be caught whatever it does.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from privstamp.lab.audit.canaries import HIDDEN
from privstamp.noise import Noise
from privstamp.types import UNKNOWN, Label

_FEW: Final = 40


def by_luck(share: float, count: int) -> npt.NDArray[np.bool_]:
    """Which of so many are hit."""
    drawn = np.frombuffer(os.urandom(4 * count), dtype=np.uint32)
    hit: npt.NDArray[np.bool_] = drawn < share * 2**32
    return hit


# mechanisms: privatize(self, ids, epsilon, noise)


def louder(change: Callable[[Any], Any]) -> Callable[..., Any]:
    """With another epsilon than the one that was given."""

    def broken(sound: Any, self: Any, ids: Any, epsilon: Any, noise: Any) -> Any:
        return sound(self, ids, change(epsilon), noise)

    return broken


def verbatim_inside(sound: Any, self: Any, ids: Any, epsilon: Any, noise: Any) -> Any:
    return np.where(by_luck(0.01, len(ids)), ids, sound(self, ids, epsilon, noise))


def within_ball(sound: Any, self: Any, ids: Any, epsilon: Any, noise: Any) -> Any:
    """What would leave the two steps around a word stays where it was."""
    out = sound(self, ids, epsilon, noise)
    steps = self.graph.classes[0].sweeps.hops(self.graph.nodes(ids).astype(np.int64))
    far = steps[np.arange(len(ids)), self.graph.nodes(out)] > 2
    return np.where(far, ids, out).astype(np.int32)


def never_itself(sound: Any, self: Any, ids: Any, epsilon: Any, noise: Any) -> Any:
    """A word that would stay is sent to the next one."""
    out = sound(self, ids, epsilon, noise)
    return np.where(out == ids, (ids + 1) % len(self._space.unit), out).astype(np.int32)


# the line: steps of Privatizer, on documents


def verbatim_after(sound: Any, documents: Any, *rest: Any) -> Any:
    return [
        np.where(by_luck(0.2, len(rows)), document.units.rows[document.drawn], rows)
        for document, rows in zip(documents, sound(documents, *rest), strict=True)
    ]


def capitals_pass(sound: Any, documents: Any, *rest: Any) -> Any:
    return [
        np.where(
            document.units.labels[document.drawn] & Label.TITLE != 0,
            document.units.rows[document.drawn],
            rows,
        )
        for document, rows in zip(documents, sound(documents, *rest), strict=True)
    ]


def last_word_free(sound: Any, self: Any, document: Any) -> Any:
    labelled = sound(self, document)
    labelled.epsilon[len(labelled.pages[0]) - 1] = np.inf
    return labelled


def unknown_pass(sound: Any, self: Any, document: Any) -> Any:
    labelled = sound(self, document)
    labelled.epsilon[labelled.units.rows == UNKNOWN] = np.inf
    return labelled


def one_key_a_batch(sound: Any, self: Any, documents: Any) -> Any:
    return sound(self, [replace(document, key=documents[0].key) for document in documents])


def fewer_findings(keep: Callable[[Any, int], bool]) -> Callable[..., Any]:
    """Only those that are kept, by the document and their number in it."""

    def broken(sound: Any, *arguments: Any) -> Any:
        return [
            replace(
                document,
                findings=[f for n, f in enumerate(document.findings) if keep(document, n)],
            )
            for document in sound(*arguments)
        ]

    return broken


def first_mentions(document: Any, number: int) -> bool:
    text = document.units.text
    spelt = [text[finding.start : finding.end] for finding in document.findings]
    return spelt.index(spelt[number]) == number


def one_word_spans(sound: Any, *arguments: Any) -> Any:
    """Of every finding, its first word."""

    def first(text: str, finding: Any) -> Any:
        return replace(
            finding, end=finding.start + len(text[finding.start : finding.end].split()[0])
        )

    return [
        replace(document, findings=[first(document.units.text, f) for f in document.findings])
        for document in sound(*arguments)
    ]


def restless_groups(sound: Any, self: Any, document: Any) -> Any:
    """A tenth of the words change sides between important and not."""
    labelled = sound(self, document)
    groups = labelled.grouping.groups
    flip = by_luck(0.1, len(groups)) & (groups >= 3)
    groups = np.where(flip, 7 - groups, groups).astype(np.int8)
    epsilon = np.where(flip, self.policy.budget.of_groups(groups), labelled.epsilon)
    return replace(labelled, epsilon=epsilon, grouping=replace(labelled.grouping, groups=groups))


def result(change: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """A released result that was changed, by the document and the sound one."""

    def broken(sound: Any, self: Any, document: Any, **named: Any) -> Any:
        written = sound(self, document, **named)
        return replace(written, result=change(document, written.result))

    return broken


def watermarked(_document: Any, sound: Any) -> Any:
    return replace(sound, text=sound.text + HIDDEN)


def task_as_it_was(document: Any, sound: Any) -> Any:
    return replace(sound, task=document.task)


def remembered() -> Callable[..., Any]:
    """A text that was seen before is released as before."""
    seen: dict[str, Any] = {}

    def broken(sound: Any, self: Any, text: str, task: Any = None, **named: Any) -> Any:
        if text not in seen:
            seen[text] = sound(self, text, task, **named)
        return seen[text]

    return broken


def one_address(sound: Any, keys: Any, documents: Any, positions: Any, *rest: Any) -> Any:
    return sound(keys, documents, np.zeros_like(positions), *rest)


def copied_state() -> Callable[..., bytes]:
    """Keys from a generator in memory: forked processes share what it will say."""
    state = bytearray(os.urandom(32))

    def broken(*_: Any) -> bytes:
        state[:] = blake2b(bytes(state), digest_size=32).digest()
        return bytes(state)

    return broken


# surrogates: Replacer._strings draws for things, of which it is to read public labels alone


def drawn(change: Callable[[str, str], str]) -> dict[str, Callable[..., Any]]:
    """A draw that is changed by the original: change(original, surrogate)."""

    return _strings(lambda thing, string: change(thing.mention.original, string))


def _strings(change: Callable[[Any, str], str]) -> dict[str, Callable[..., Any]]:
    def broken(sound: Any, self: Any, things: Any) -> list[str]:
        pairs = zip(things, sound(self, things), strict=True)
        return [change(thing, string) for thing, string in pairs]

    return {"privstamp.release.surrogates:Replacer._strings": broken}


def redrawn(fits: Callable[[str, str], bool]) -> dict[str, Callable[..., Any]]:
    """A draw that is made again, with other noise, until it fits the original."""

    def fitting(thing: Any, string: str) -> str:
        for _ in range(_FEW):
            if fits(thing.mention.original, string):
                break
            noise = Noise.of_document(os.urandom(32), [thing.position])
            string = thing.replacement.draw(thing.pool, 1, thing.form, noise, 0)
        return string

    return _strings(fitting)


def hashed(salt: bytes) -> dict[str, Callable[..., Any]]:
    """A draw by a hash of the original alone."""

    def of(thing: Any) -> str:
        original = thing.mention.original.casefold().encode()
        key = blake2b(original, key=salt, digest_size=32).digest()
        noise = Noise.of_document(key, [0])
        return str(thing.replacement.draw(thing.pool, 1, thing.form, noise, 0))

    return {
        "privstamp.release.surrogates:Replacer._strings": lambda _sound, _self, things: [
            of(thing) for thing in things
        ]
    }


def three_letters(was: str, new: str) -> str:
    return was[:3] + new[3:] if was.isalpha() else new


def last_digits(was: str, new: str) -> str:
    return new[:-4] + was[-4:] if was[-4:].isdigit() else new


def local_part(was: str, new: str) -> str:
    return was.partition("@")[0] + "@example.com" if "@" in was else new


def next_week(was: str, new: str) -> str:
    try:
        day = datetime.strptime(was, "%d %B %Y")
    except ValueError:
        return new
    later = day + timedelta(days=9)
    return f"{later.day} {later:%B %Y}"


def same_month(was: str, new: str) -> str:
    if len(was.split()) != 3 or len(new.split()) != 3:
        return new
    return " ".join([new.split()[0], *was.split()[1:]])


def leaving(share: float) -> Callable[[str, str], str]:
    """As it was, so often."""
    return lambda was, new: was if by_luck(share, 1)[0] else new


def of_ten(_was: str, new: str) -> str:
    return new if not new.isalpha() else f"{'ABCDEFGHIJ'[os.urandom(1)[0] % 10]}lina"


def one_place(sound: Any, self: Any, things: Any) -> Any:
    """Every surrogate of a text is drawn with the noise of its first unit."""
    return sound(self, [thing._replace(position=0) for thing in things])


def possessive_leaks(sound: Any, self: Any, done: Any, mention: Any, *rest: Any) -> None:
    sound(self, done, mention, *rest)
    surface = done.units.surface(mention.slot)
    if surface.endswith("'s"):
        done.surfaces[mention.unit] = surface


def forgetful(sound: Any, self: Any, done: Any, slot: int) -> Any:
    """Every mention is drawn anew: none is the thing that another is."""
    mention = sound(self, done, slot)
    paragraph, folded = mention.thing
    return mention._replace(thing=(paragraph, f"{folded} {slot}"))


def one_for_all(sound: Any, self: Any, things: Any) -> list[str]:
    """Everything of one type becomes the same thing."""
    known: dict[tuple[str, str], str] = vars(self).setdefault("by_type", {})
    pairs = zip(things, sound(self, things), strict=True)
    return [known.setdefault((thing.pool, thing.form), string) for thing, string in pairs]


def one_key(sound: Any, self: Any, replacements: Any, pseudonyms: Any, *rest: Any) -> None:
    pseudonyms.key = bytes(32)
    sound(self, replacements, pseudonyms, *rest)


# certificates and maps


def shifted_originals(sound: Any, *arguments: Any, **named: Any) -> Any:
    entries = sound(*arguments, **named)
    turned = entries[1:] + entries[:1]
    return tuple(
        replace(entry, original=neighbour.original)
        for entry, neighbour in zip(entries, turned, strict=True)
    )


def updated(**values: Any) -> Callable[..., Any]:
    """A record of a certificate with other values."""

    def broken(sound: Any, *arguments: Any, **named: Any) -> Any:
        return sound(*arguments, **named).model_copy(update=values)

    return broken

"""Typed surrogates: a name for a name, a city for a city, digits for digits. Proof: surrogate.md.

Words of names have roles (see `roles`), so that a part of a name is the same wherever it stands.

Every draw is uniform over a public list or over all strings of one form, and reads only the type,
the form and the noise: an epsilon of 0, in ordinary-looking text. A placeholder reads the type.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import ClassVar, Final, Literal

from privstamp.errors import PolicyError
from privstamp.mechanisms import form as forms
from privstamp.mechanisms import invented, kept, networks
from privstamp.mechanisms import wordlists as own
from privstamp.mechanisms.dates import APART, TURN, Window
from privstamp.mechanisms.kept import GLUED
from privstamp.mechanisms.wordlists import Pool, pools
from privstamp.noise import Lane, Noise, below
from privstamp.text import closed
from privstamp.text.vocabulary import default
from privstamp.types import Kind

_ACRONYMS: Final = frozenset({"ORGANIZATION_NAME", "RARE"})
"""Whose words in capitals become three letters; not those of a name that is in capitals."""
DATE: Final = "DATE"
"""An exact date: one object, in the form that `privstamp.text.dates` reads."""
_TECHNICAL: Final = frozenset({"IP_ADDRESS", "MAC_ADDRESS", "UUID", "CREDENTIAL", "CREDIT_CARD"})
WHOLE: Final = _TECHNICAL | {"EMAIL_ADDRESS", "EMAIL", "URL", "HANDLE"}
"""Types whose surrogate stands for a whole span, whatever the span looks like."""

_EXACT: Final = frozenset(kind.name for kind in forms.SHAPED)
_ORDINALS: Final = frozenset({"ORDINAL", "DATE_ORDINAL"})
_COUNTED: Final = _ORDINALS | {"NUMBER", "DATE_NUMBER"}
_DATED: Final = frozenset({"CODE", "NUMBER", "DATE_NUMBER"})
"""What a space may take a decade for."""
_HOUSES: Final = tuple(map(str, range(1, 300)))
_AGES: Final = range(18, 98)
_FOUR: Final = "0000"
_YEAR, _YEARS = 1200, 900
"""The first of the numbers that four digits become, and how many of them there are."""
_DAY: Final = {"0": (1, 9), "00": (10, 22)}
_HOUR: Final = {"0": (1, 9), "00": (0, 24)}
_OF_DATE: Final = {"0": (1, 9), "00": (1, 12), _FOUR: (_YEAR, _YEARS)}
"""First value and number of values. In 12/03/1999 either may be the month."""
_CLOCK: Final = re.compile(r"(0{1,2})((?::00){1,2})")
_DATE: Final = re.compile(r"0{1,2}([-/.])0{1,2}\1(?:0000|00)|0000([-/.])00(?:\2)00")
_DIGITS: Final = re.compile(r"(0+)")
_DECADE: Final = "0000a"
_ALPHABETS: Final = {"0": "0123456789", "a": "abcdefghijklmnopqrstuvwxyz"}
_ALPHABETS["A"] = _ALPHABETS["a"].upper()
_ALPHABETS[forms.MIXED_LOWER] = _ALPHABETS["a"] + _ALPHABETS["0"]
_ALPHABETS[forms.MIXED_UPPER] = _ALPHABETS["A"] + _ALPHABETS["0"]
_ALPHABETS[forms.EITHER_CASE] = _ALPHABETS["a"] + _ALPHABETS["A"] + _ALPHABETS["0"]
_ORDINAL: Final = re.compile(r"([^aA]*0)([aA]+)")
_LIKE_ORDINAL: Final = re.compile(r"([^aA]*0)(aa|AA)")


@dataclass(frozen=True, repr=False)
class _Recipe:
    """One pick from every list, put into the template. The first pick can be made a compound."""

    template: str
    lists: tuple[Pool, ...]
    widens: bool = True

    @property
    def size(self) -> float:
        return float(math.prod(len(names) for names in self.lists))

    def draw(self, noise: Noise, attempt: int) -> str:
        more = max(0, attempt - forms.PLAIN + 1) if self.widens and self.lists else 0
        lists = self.lists + self.lists[:1] * more
        words = noise.words(len(lists), Lane.REPLACEMENT, attempt)[0].tolist()
        picks = [names[below(word, len(names))] for word, names in zip(words, lists, strict=True)]
        if more:
            picks[0] = "-".join([picks[0], *picks[len(self.lists) :]])
        return self.template.format(*picks[: len(self.lists)])


@dataclass(frozen=True, repr=False)
class _Invented:
    """A word that can be said, or letters, that no public list has; put into the template."""

    template: str
    capital: bool = False
    parts: tuple[Pool, ...] = invented.PARTS

    @cached_property
    def size(self) -> float:
        return float(invented.unlisted(self.parts))

    def draw(self, noise: Noise, attempt: int) -> str:
        sizes = list(map(len, self.parts))
        words = noise.words(invented.TRIES * len(sizes), Lane.REPLACEMENT, attempt)[0]
        candidates = (
            invented.spell(
                self.parts,
                (below(word, size) for word, size in zip(row.tolist(), sizes, strict=True)),
            )
            for row in words.reshape(-1, len(sizes))
        )
        word = invented.first_unlisted(candidates)
        return self.template.format(word.capitalize() if self.capital else word)


class Surrogate:
    """Replaces by something of the same type and form. The lists are read when it is made.

    `gender`: whether given names follow the pronouns and titles that are released as written.
    `language`: whose names and towns are drawn, the policy's first, whatever the text is in.
    """

    name: Final = "surrogate"
    shaped: ClassVar[bool] = True
    guarantee: Final = (
        "epsilon 0: a surrogate is drawn uniformly, independently of the input given its type and "
        "form; one surrogate per distinct thing shows which of them are equal"
    )
    proof: ClassVar[str] = "surrogate.md"
    shows: ClassVar[tuple[str, ...]] = (
        "of names and addresses the role of each word (title, given or family name, initial, "
        "street, town, number), and as written their words of closed public lists: titles, legal "
        "forms, kinds of institution, street and unit words, small words such as `of`",
        "the class that a public list gives a name: country (with or without `the`), state, "
        "region, nationality or faith, and the kind of a known organisation (bank, newspaper, "
        "football club, ...)",
        "of exact dates that one text mentions first: their order, whether neighbours in it lie "
        "within a week, two months, two years or eighteen years, and whether a year is before 2000",
        "common signs (+ # & % currencies) as written; of an address on the internet its version, "
        "the size of a range, whether it is a network, a common port, the public path and version "
        "of an image; the leading zeros of a telephone number and the length of its country's "
        "code; how many digits a code of four to eight has; which e-mail addresses, user names "
        "behind an @ and initials are made of the words of a name, and how",
        "whether a name begins with a vowel, where `a` or `an` stands before its first mention and "
        "leaves as it is written",
    )
    """What a receiver sees of what was replaced, beyond type, form and equality."""

    def __init__(
        self,
        *,
        gender: Literal["pronouns", "none"] = "pronouns",
        date_window: tuple[str, str] | None = None,
        language: str = "en",
    ) -> None:
        if gender not in ("pronouns", "none"):
            raise PolicyError('surrogate: gender is "pronouns" or "none"')
        self.gender = gender
        lists = pools(language)
        self.window = Window() if date_window is None else Window.of(date_window)
        facts = json.dumps(
            [
                *(lists.fingerprint, closed.POOLS, own.TIMES, own.INSTITUTIONS, kept.PLACES),
                *(kept.ORGANISATIONS, invented.PARTS, default().fingerprint, gender),
                *map(str, (*self.window.ends, TURN, *APART)),
            ]
        )
        self.fingerprint = blake2b(facts.encode(), digest_size=16).hexdigest()
        self._word = _Invented("{}", capital=True)
        self._times = _Recipe("{}", (own.TIMES,))
        family = _Recipe("{}", (lists.family,))
        self._acronym = _Invented("{}", parts=invented.ACRONYM)
        mail = tuple(tuple(map(str.lower, names)) for names in (lists.given, lists.family))
        self._by_type: dict[str, _Recipe | _Invented] = {
            "LOCATION": _Recipe("{}", (lists.city,)),
            "STREET": family,
            "ORGANIZATION": _Recipe("{}", (own.INSTITUTIONS,)),
            "ORGANIZATION_PART": family,
            "CONNECTING": _Recipe("{}", (own.CONNECTING,), widens=False),
            "EMAIL_ADDRESS": _Recipe("{}.{}@example.com", mail),
            "URL": _Invented("https://example.com/{}"),
            "HANDLE": _Invented("{}"),
            "PERSON": _Recipe("{}", (lists.either,)),
            "PERSON_GIVEN": _Recipe("{}", (lists.given,)),
            "PERSON_GIVEN_HE": _Recipe("{}", (lists.he,)),
            "PERSON_GIVEN_SHE": _Recipe("{}", (lists.she,)),
            "PERSON_FAMILY": family,
            "PERSON_INITIAL": _Recipe("{}", (own.LETTERS,), widens=False),
            "HOUSE_NUMBER": _Recipe("{}", (_HOUSES,), widens=False),
            "AGE_NUMBER": _Recipe("{}", (tuple(map(str, _AGES)),), widens=False),
            "AGE_WORDS": _Recipe("{}", (tuple(map(closed.in_words, _AGES)),), widens=False),
            "AGE_ORDINAL": _Recipe(
                "{}", (tuple(map(closed.ordinal_in_words, _AGES)),), widens=False
            ),
        }
        self._by_type["EMAIL"] = self._by_type["EMAIL_ADDRESS"]
        self._by_type |= {
            f"STREET_{number}": _Recipe("{}" + ending, (lists.family,))
            for number, ending in enumerate(GLUED)
        }
        self._by_type |= {
            name: _Recipe("{}", (words,), widens=False)
            for listed in (closed.POOLS, kept.PLACES, kept.ORGANISATIONS)
            for name, words in listed.items()
        }
        self._months = self._by_type["MONTH"]
        self._by_form: dict[str, _Recipe | _Invented] = {
            forms.EMAIL: self._by_type["EMAIL_ADDRESS"],
            forms.URL: self._by_type["URL"],
            forms.HOST: _Invented("{}.example.com"),
            forms.HANDLE: _Invented("@{}"),
            forms.SYMBOL: _Recipe("{}", (own.SYMBOLS,), widens=False),
            forms.CURRENCY: _Recipe("{}", (own.CURRENCIES,), widens=False),
            forms.EMOJI: _Recipe("{}", (own.EMOJI,), widens=False),
            forms.SPACE: _Recipe(" ", ()),
            forms.CONTROL: _Recipe("", ()),
        }
        self._by_form |= {sign: _Recipe(f"{sign}", ()) for sign in forms.SIGNS}

    def whole(self, kind: str) -> bool:
        """Whether a span of this type is replaced as one rather than unit by unit."""
        return kind in WHOLE or kind == DATE

    def pool(self, kind: str, form: str) -> float:
        """How many strings a first draw chooses from: each, the original too, has 1 / pool."""
        if kind == DATE:
            return float(self.window.days(form))
        if self._is_technical(kind, form):
            return invented.size(kind, form)
        recipe = self._recipe(kind, form)
        if recipe is not None:
            return recipe.size
        ordinal = _ordinal(kind, form)
        shape = form if ordinal is None else ordinal[0]
        if fields := _fields(kind, shape):
            return float(math.prod(count for _, count in fields))
        if kind in _DATED and form == _DECADE:
            return float(_YEARS // 10)
        choices = [
            networks.countries(shape),
            *(len(_ALPHABETS[mark]) for mark in shape if mark in _ALPHABETS),
        ]
        if sum(map(math.log10, choices)) >= 300:
            return math.inf
        size = math.prod(choices)
        return float(size // 10 * 9 if _leads(kind, shape) else size)

    def draw(self, kind: str, entity: int, form: str, noise: Noise, attempt: int) -> str:
        """A string of this type and form; from the 25th attempt on names become compounds."""
        del entity  # each has its own noise
        if kind == DATE:
            return self.window.draw(form, noise, attempt)
        if self._is_technical(kind, form):
            return _machine(kind, form, noise, attempt)
        recipe = self._recipe(kind, form)
        return (
            _shaped(kind, form, noise, attempt) if recipe is None else recipe.draw(noise, attempt)
        )

    def _is_technical(self, kind: str, form: str) -> bool:
        """Whether a whole span of such a type is asked for, and not a word of one."""
        return kind in _TECHNICAL and form not in self._by_form and form not in forms.WORD_FORMS

    def _recipe(self, kind: str, form: str) -> _Recipe | _Invented | None:
        """What to draw from; None where the form itself is to be filled."""
        if kind in ("EMAIL_ADDRESS", "EMAIL", "HOUSE_NUMBER", "AGE_NUMBER"):
            return self._by_type[kind]
        if form in self._by_form:
            return self._by_form[form]
        if form.startswith(f"{forms.HOST}/"):
            return _Invented(f"{{}}.example.com{form.removeprefix(forms.HOST)}")
        if kind in _EXACT or (form and form not in forms.WORD_FORMS):
            return None
        if kind in _ACRONYMS and form == forms.UPPER:
            return self._acronym
        if kind in self._by_type:
            return self._by_type[kind]
        if kind == "DATE_TIME":
            return self._times if form == forms.LOWER else self._months
        return self._word


def _machine(kind: str, form: str, noise: Noise, attempt: int) -> str:
    """An address of a machine, a card, a secret: see `invented`."""
    words = noise.words(max(len(form) + 1, 40), Lane.REPLACEMENT, attempt)[0].tolist()

    def pick(place: int, limit: int) -> int:
        return below(words[place], limit)

    if kind == "CREDIT_CARD":
        return invented.spoilt(_filled("CODE", form, noise, attempt), pick(len(form), 9))
    if kind == "IP_ADDRESS":
        return networks.machine(form, pick, attempt)
    return (
        invented.secret(form, pick) if kind == "CREDENTIAL" else invented.in_hex(kind, form, pick)
    )


def _ordinal(kind: str, form: str) -> tuple[str, str] | None:
    """Digits and letters of an ordinal's form; digits and two letters are one but in a code."""
    match = (_ORDINAL if kind in _ORDINALS else _LIKE_ORDINAL).fullmatch(form)
    return (match[1], match[2]) if match and kind != "CODE" else None


def _shaped(kind: str, form: str, noise: Noise, attempt: int) -> str:
    """Digits for digits, letters for letters, separators as they are."""
    ordinal = _ordinal(kind, form)
    if ordinal is None:
        return _filled(kind, form, noise, attempt)
    digits = _filled(kind, ordinal[0], noise, attempt)
    ending = closed.ordinal_ending(digits)
    return digits + (ending.upper() if "A" in ordinal[1] else ending)


def _fields(kind: str, form: str) -> list[tuple[int, int]] | None:
    """First value and number of values of each figure, where a date, a time or a year has them."""
    if kind not in _COUNTED:
        return None
    if form == _FOUR:
        return [_OF_DATE[_FOUR]]
    if form in _DAY and kind.startswith("DATE_"):
        return [_DAY[form]]
    if clock := _CLOCK.fullmatch(form):
        return [_HOUR[clock[1]], *[(0, 60)] * clock[2].count(":")]
    if _DATE.fullmatch(form):
        fields = [_OF_DATE[figure] for figure in _DIGITS.findall(form)]
        return fields if _FOUR in form else [*fields[:2], (0, 100)]
    return None


def _leads(kind: str, form: str) -> bool:
    """Whether the first digit of a form is that of a number, or the one behind a leading 0."""
    return (
        form[:2] == "+0"
        or form[:1] == networks.ZERO
        or (kind in _COUNTED and form[:1] == "0" and form[1:2] != ".")
    )


def _filled(kind: str, form: str, noise: Noise, attempt: int) -> str:
    words = noise.words(len(form), Lane.REPLACEMENT, attempt)[0].tolist()
    if fields := _fields(kind, form):
        parts = _DIGITS.split(form)
        for place, (word, (first, count)) in enumerate(zip(words, fields, strict=False)):
            figure = first + below(word, count)
            parts[2 * place + 1] = f"{figure:0{len(parts[2 * place + 1])}}"
        return "".join(parts)
    if kind in _DATED and form == _DECADE:  # 1990s
        return f"{_YEAR // 10 + below(words[0], _YEARS // 10)}0s"
    signs = list(form)
    for place, (mark, word) in enumerate(zip(form, words, strict=True)):
        if alphabet := _ALPHABETS.get(mark):
            signs[place] = alphabet[below(word, len(alphabet))]
    if networks.ZERO in form or networks.COUNTRY in form:
        networks.dial(signs, form, words[0])
    if _leads(kind, form):
        first = form.index("0")
        signs[first] = str(1 + below(words[first], 9))
    return "".join(signs)


MASK: Final = "[MASK]"
"""Stands for anything, so it can never be put back."""

_TELLING: Final = {"EMAIL", "URL", "NUMBER", "ORDINAL", "CODE"}
_UNTYPED: Final = frozenset(kind.name for kind in Kind) - _TELLING
_CONSTANT: Final = {"SPACE": " ", "CONTROL": ""}


class Placeholder:
    """Replaces by type and number. Reads no noise: even the type's first letter is public."""

    name: Final = "placeholder"
    shaped: ClassVar[bool] = False
    fingerprint: Final = "placeholder 2"
    guarantee: Final = (
        "epsilon 0: a placeholder tells the type of what it replaces and which of them are equal, "
        "and nothing else"
    )
    proof: ClassVar[str] = "surrogate.md"

    def whole(self, kind: str) -> bool:
        """Whether a span of this type is replaced as one: always, where the type is own."""
        return kind not in _UNTYPED

    def pool(self, kind: str, form: str) -> float:  # noqa: ARG002  (same call as Surrogate)
        """How many strings could have been drawn: a placeholder is not drawn at all."""
        return 1.0

    def draw(self, kind: str, entity: int, form: str, noise: Noise, attempt: int) -> str:
        """`[TYPE_n]`; a retry appends a counter after a hyphen, so that no two ever coincide."""
        del form, noise
        if kind in _CONSTANT:
            return _CONSTANT[kind]
        if kind in _UNTYPED:
            return MASK
        return f"[{kind}_{entity}-{attempt + 1}]" if attempt else f"[{kind}_{entity}]"

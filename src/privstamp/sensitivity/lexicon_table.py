"""Which words are sensitive by themselves: decided once from public lists, kept in the cache.

A listed name that is also an ordinary word is decided by public numbers: how often running text
would hold it as a name, how often text holds it at all, and whether other languages write it as
often, as they do with names and not with words. Things that English counts (mangoes) are words.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from privstamp.assets.cache import derived, digest
from privstamp.assets.store import ASSETS
from privstamp.crew.threads import held
from privstamp.sensitivity import common_nouns
from privstamp.sensitivity.frequencies import FREQUENT, LARGE, check_language, zipf_frequencies
from privstamp.sensitivity.lexicon_claims import MISSED, RULES, read_claims
from privstamp.spaces.splitter import LAYOUT
from privstamp.spaces.wordlists import FUNCTION_WORDS
from privstamp.text.calendar import LANGUAGES, month_words, weekday_words
from privstamp.text.places import place_hashes
from privstamp.text.vocabulary import write_words

if TYPE_CHECKING:
    from privstamp.sensitivity.company import Company

CAPITALS: Final = 0.1
"""Assumed share of ordinary words that are written with a capital, as where sentences begin."""
EVEN: Final = 0.5
"""From these odds on a listed word counts as a name."""
ELSEWHERE: Final = ("de", "es", "fr", "it", "nl", "pl", "pt")
"""Languages that are asked how often they write a word."""
UNSEEN: Final = 0.5  # the Zipf frequency of what their lists do not hold
SAME, SIMILAR = 0.6, 0.8
"""A name loses no more than that there, on the Zipf scale; SAME counts for more than SIMILAR."""
PLAIN: Final = 1.5
OWN: Final = 0.8
"""A rare word with an English ending is a plain one from that Zipf frequency on, if other languages
lose that much of it."""
ALONE: Final = 0.5
"""So much other languages lose of a rare word that none of them writes."""
NOUN: Final = 2.0
"""From that Zipf frequency on a rare word of a language that gives nouns a capital may be one."""
WITH_CAPITALS: Final = frozenset({"de"})
"""Languages that write every noun with a capital, which then tells nothing."""
SYLLABLE: Final = 3
"""Letters of a word that is too short to be told from a name of another language (pan, kit)."""
LETTER: Final = 6.0
"""Single letters that are less frequent than that are no words: with a capital, initials."""
_MONTHS = "january february march april may june july august september october november december"
_DAYS = "monday tuesday wednesday thursday friday saturday sunday"
CALENDAR: Final = frozenset([*_MONTHS.split(), *_DAYS.split()])
"""Ordinary words that English always writes with a capital."""
_ASSETS: Final = ("names", "frequencies", "origins", "glove")


_MAKERS: Final = ("common_nouns", "company", "lexicon_claims", "public_names")
"""Modules of this folder that have a part in the list."""


def table(language: str, rare: float) -> Path:
    """A folder with `ordinary.txt` (never sensitive), `capital.txt` and `forms.txt` (only with a
    capital letter: listed, or rare), `nouns.txt` of a language that gives those a capital (not
    sensitive for it), and a lexicon of listed words with their `rules`; whatever is
    in none of them is rare."""
    recipe = {
        f"{asset} {name}": member.sha256
        for asset in _ASSETS
        for name, member in ASSETS[asset].members.items()
    }
    recipe |= place_hashes() | {"space": LAYOUT, "language": language, "rare": repr(rare)}
    check_language(language, rare)

    def build(folder: Path) -> None:
        with held():
            _build(folder, language, rare)

    label = "preparing the list of sensitive words (once)"
    return derived("lexicon", recipe, build, label=label, code=_code())


def _code() -> str:
    """Tells when the list is to be made again; fingerprints are of its words, never of this."""
    here = Path(__file__)
    files = [
        here,
        here.with_name("names.toml"),
        *(here.with_name(f"{name}.py") for name in _MAKERS),
    ]
    return sha256("".join(map(digest, files)).encode()).hexdigest()


def _build(folder: Path, language: str, rare: float) -> None:
    claims, shares = read_claims(language)
    frequency = zipf_frequencies(language, rare)
    known = zipf_frequencies(language, LARGE)
    unnamed = FUNCTION_WORDS | CALENDAR
    if language != "en":
        unnamed = frozenset(word for word in _calendar(language) if len(word) > SYLLABLE)
    odds = {
        word: shares[word] / 10 ** (frequency[word] - 9)
        for word in (frequency.keys() & shares.keys()) - unnamed
    }
    unlisted = known.keys() - frequency.keys() - shares.keys()
    alike = _alike(language, unlisted, known)
    asked = alike | odds.keys()
    elsewhere = [zipf_frequencies(code, LARGE, asked) for code in ELSEWHERE if code != language]
    company = _company() if language == "en" else None
    always = _always(frequency, odds, elsewhere, company)
    things = set()
    if company is not None:
        named = {word for word in claims if word not in frequency or odds.get(word, 0.0) >= EVEN}
        doubtful = {word for word in always if odds[word] < EVEN and len(word) > SYLLABLE}
        things = company.common_nouns(doubtful, known, named)
    always = (always - things) | (MISSED & frequency.keys())
    capital = {word for word in odds.keys() - always if odds[word] >= EVEN * CAPITALS} | things
    capital |= {letter for letter in frequency if _is_initial(letter, frequency[letter])}
    ordinary = {word for word in frequency if not any(map(str.isdigit, word))} - always - capital
    drops = _drops({word: known[word] for word in alike}, elsewhere)
    if company is not None:
        forms = {word for word, drop in drops.items() if drop >= OWN}
        forms -= company.names_and_places(forms)[0]
        plain = {word for word in ordinary | capital if len(word) > 2}
        frequent = {word for word in plain if frequency.get(word, 0.0) >= FREQUENT}
        forms |= common_nouns.forms_of(frequent, unlisted)
    else:
        forms = {word for word, drop in drops.items() if drop >= ALONE}
        if language in WITH_CAPITALS:
            nouns = [word for word in forms if known[word] >= NOUN and drops[word] >= OWN]
            (folder / "nouns.txt").write_text("\n".join(sorted(nouns)), encoding="utf-8")
    for name, words in (("ordinary", ordinary), ("capital", capital), ("forms", forms)):
        (folder / f"{name}.txt").write_text("\n".join(sorted(words)), encoding="utf-8")
    listed = sorted(claims.keys() - ordinary)
    write_words(folder, listed)
    number = {rule: place for place, rule in enumerate(RULES)}
    rules = np.array([number[claims[word]] for word in listed], dtype=np.uint8)
    np.save(folder / "rules.npy", rules)


def _company() -> Company:
    from privstamp.sensitivity.company import Company  # with a space that is needed this once

    return Company()


def _alike(language: str, unlisted: AbstractSet[str], known: Mapping[str, float]) -> set[str]:
    """Rare words that may be plain ones; in English those with an ending of its own."""
    if language == "en":
        return {w for w in unlisted if known[w] >= PLAIN and common_nouns.is_derived(w)}
    return {word for word in unlisted if word.isalpha() and len(word) >= SYLLABLE}


def _calendar(language: str) -> tuple[str, ...]:
    known = language in LANGUAGES
    return (*month_words(language), *weekday_words(language)) if known else ()


def _is_initial(word: str, zipf: float) -> bool:
    return len(word) == 1 and word.isalpha() and zipf < LETTER


def _always(
    frequency: Mapping[str, float],
    odds: Mapping[str, float],
    elsewhere: Sequence[Mapping[str, float]],
    company: Company | None,
) -> set[str]:
    """Frequent words that are names or places however they are written."""
    drops = _drops({word: frequency[word] for word in odds if len(word) > 2}, elsewhere)
    always = {
        word
        for word, drop in drops.items()
        if drop <= SIMILAR and odds[word] >= (EVEN if drop > SAME else EVEN * CAPITALS)
    }
    if company is None:
        return always | {word for word in odds if odds[word] >= EVEN}
    names, places = company.names_and_places(odds.keys())
    return always | {
        word for word in odds if word in places or (odds[word] >= EVEN and word in names)
    }


def _drops(
    words: Mapping[str, float], elsewhere: Sequence[Mapping[str, float]]
) -> dict[str, float]:
    """How much rarer each word is in other languages, by the median."""
    return {
        word: zipf - statistics.median(table.get(word, UNSEEN) for table in elsewhere)
        for word, zipf in words.items()
    }

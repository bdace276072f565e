"""Which language a text and its parts are in, told on this machine.

English is told by its small words alone, so that the usual text costs nothing; only what is short
of them is asked of a model (py3langid, 97 languages). Of a paragraph with few words another
language is told only if hardly one of them is English.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

ENGLISH: Final = "en"
KNOWN: Final = ("de", "en", "es", "fr", "it", "nl", "pt")
"""Languages that rules have words for, and that a policy may serve."""
WITHOUT: Final = "Rules and lists alone miss many names"
"""What it costs to have no recogniser of a language."""
_SMALL: Final = frozenset(
    """
    the and of to for with that this these those it its he she his her they them their you
    your we our my is was are were be been has have had will would should can could may must
    not from by at or if but than then there what which who when where how why after before
    because please into about over under between during
    """.split()  # noqa: SIM905
)
"""Words that English has many of and other languages in Latin letters few."""
_FOREIGN_SMALL: Final = {
    "de": frozenset(
        """
        ich du wir ihr sie es ist sind war bin bist nicht kein keine ein eine einen dem den der das
        und oder aber auch mit von für auf bei nach aus wie wo wer mir mich dir dich uns euch schon
        noch sehr vielen danke dank bitte heute morgen gestern haben habe hat kann wird sein wenn
        """.split()  # noqa: SIM905
    ),
    "es": frozenset(
        """
        el los las una uno unos del que es son está estoy muy pero por para con sin mi su tu yo
        nosotros ellos hay fue ser estar lo siento gracias hola buenos días mañana hoy ayer puedo
        puede tengo tiene quiero cuando donde
        """.split()  # noqa: SIM905
    ),
    "fr": frozenset(
        """
        je tu il elle nous vous ils elles est suis sommes êtes sont pas ne une les des du dans avec
        mais votre notre vos nos cette ceci cela c'est qui que où merci bonjour bonsoir très bien
        plus aussi être avoir fait faut peux peut aujourd'hui demain hier
        """.split()  # noqa: SIM905
    ),
    "it": frozenset(
        """
        il lo gli una uno del della dei delle che è sono sei siamo non più per con mio mia suo sua
        ma anche io noi voi grazie ciao buongiorno domani oggi ieri ho hai abbiamo essere questo
        questa dove quando molto
        """.split()  # noqa: SIM905
    ),
    "nl": frozenset(
        """
        ik jij je wij zij het een de en van met voor niet geen ook maar op bij naar uit zijn ben
        heeft heb hebben wordt kan kunnen dit deze wat wie waar bedankt dank hallo morgen vandaag
        gisteren graag heel veel
        """.split()  # noqa: SIM905
    ),
    "pt": frozenset(
        """
        os uma um do da dos das que não é são está estou muito mas por para com sem meu minha seu
        sua eu nós eles obrigado obrigada olá bom dia amanhã hoje ontem posso pode tenho tem quero
        quando onde
        """.split()  # noqa: SIM905
    ),
}
"""Words of which two tell a language, of a text of a few words."""
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_PARAGRAPH: Final = re.compile(r"\n\s*\n|\n(?=\s*[-*•>]\s)")
_SENTENCE: Final = re.compile(r"(?<=[.!?\u3002])\s+|\n")
_FOREIGN: Final = re.compile(r"[^\W\d_a-zA-Z\u00aa-\u024f\u1e00-\u1eff]")
"""Letters that are not Latin."""
_LETTERS: Final = 6
_FEW: Final = 8
"""Words below which nothing is told."""
_ANY: Final = 3
"""Words below which a paragraph goes with its neighbours."""
_SHARE: Final = 0.12
"""Small English words among the words of an English paragraph, at least."""
_NAMED: Final = 0.6
"""Words with a capital, of which no sentence has more, in German neither."""
_SURE: Final = 0.95
_LIKELY, _SOME = 0.8, 0.2
"""Where most words are not English a language may share what is sure with a sister: Spanish has .9,
Extremaduran the rest. Of a few words: a share among those known, and among all."""
_NONE: Final = "zxx"
"""What the model calls letters that are no language's."""
_LONG: Final = 4_000
"""Characters of a paragraph that are looked at."""


@dataclass(frozen=True)
class Languages:
    """Shares of a text's words by language, the largest first; what was not told has none."""

    shares: tuple[tuple[str, float], ...] = ()

    @property
    def main(self) -> str | None:
        return self.shares[0][0] if self.shares else None

    def others(self, served: frozenset[str]) -> tuple[str, ...]:
        """Languages of the text or of a part of it that are not among those served."""
        return tuple(language for language, _ in self.shares if language not in served)


def told(text: str) -> Languages:
    """The languages of a text by its paragraphs.

    >>> told("The patient was seen at the clinic and will be back on Monday.").main
    'en'
    >>> told("Le patient a été vu à la clinique et il reviendra lundi avec sa fille.").main
    'fr'
    >>> told("Metformin 500 mg").main
    >>> told("She asked twice. Er kommt nicht, und das ist auch gut. So we left.").main
    'de'
    """
    counts: Counter[str] = Counter()
    for _, beginning in _paragraphs(text):
        words = _WORD.findall(beginning)
        language = _told(beginning, words)
        others = _sentences(beginning) if language in (None, ENGLISH) else Counter[str]()
        counts.update(others)
        if language is not None:
            counts[language] += len(words) - others.total()
    total = counts.total()
    return Languages(tuple((language, count / total) for language, count in counts.most_common()))


def routes(text: str, served: Sequence[str]) -> list[tuple[int, int, str]]:
    """Stretches of a text, each with that one of the languages served which it is likeliest in.

    A paragraph of a few words, of which nothing can be told, goes with the one before it.

    >>> letter = "She called again on Monday.", "Ella llamó otra vez el lunes."
    >>> routes("\\n\\n".join(letter), ["en", "es"])
    [(0, 29, 'en'), (29, 58, 'es')]
    """
    stretches: list[tuple[int, int, str | None]] = []
    for start, beginning in _paragraphs(text):
        language = _likeliest(beginning, _WORD.findall(beginning), served)
        if stretches and (language is None or stretches[-1][2] in (None, language)):
            start, _, before = stretches.pop()
            language = language or before
        elif stretches:
            stretches[-1] = (stretches[-1][0], start, stretches[-1][2])
        stretches.append((start, len(text), language))
    return [(start, end, language or served[0]) for start, end, language in stretches]


def _paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """Where each begins, and as much of it as is looked at."""
    start = 0
    for gap in _PARAGRAPH.finditer(text):
        yield start, text[start : min(gap.start(), start + _LONG)]
        start = gap.end()
    yield start, text[start : start + _LONG]


def _told(paragraph: str, words: list[str]) -> str | None:
    """The language of a paragraph that is long enough to tell it."""
    language = _script(paragraph)
    if language is None and len(words) >= _FEW:
        language = _language(paragraph, words)
    elif language is None and len(words) >= _ANY:
        language = _of_a_few(words)
    return language


def _sentences(paragraph: str) -> Counter[str]:
    """Words of sentences in other languages inside of an English paragraph, by language."""
    counts: Counter[str] = Counter()
    for sentence in _SENTENCE.split(paragraph):
        words = _WORD.findall(sentence)
        if len(words) < _ANY or sum(map(_is_small, words)) >= _SHARE * len(words):
            continue
        if sum(map(str.islower, words)) < _ANY or _is_address(words) or _is_english(words, 2):
            continue
        if (language := _by_small_words(words, 5)) is None and len(words) >= _FEW:
            language = _language(sentence, words)
        if language not in (None, ENGLISH):
            counts[language] += len(words)
    return counts


def _by_small_words(words: list[str], least: int = 3) -> str | None:
    """The language of a few words by its own small ones, if there are two of them and one in
    `least`.

    >>> _by_small_words("Ceci n'est pas une pipe".split())
    'fr'
    >>> _by_small_words("La vie en rose".split())
    """
    distinct = {part for word in words for part in re.split("['\u2019]", word.lower())}
    counts = {language: len(small & distinct) for language, small in _FOREIGN_SMALL.items()}
    likeliest = max(counts, key=lambda language: counts[language])
    return likeliest if counts[likeliest] >= max(2, len(words) / least) else None


def _of_a_few(words: list[str]) -> str | None:
    """The language of some words that are mostly not English, if it is one of those known.

    >>> _of_a_few("Paciente estable alta mañana".split()), _of_a_few("Call Anna re invoice".split())
    ('es', None)
    """
    if any(map(_is_small, words)):
        return None
    if (language := _by_small_words(words)) is not None:
        return language
    small = [word for word in words if word.islower() and len(word) > 2]
    if len(small) < _ANY - 1:
        return None
    if _is_english(words, _ANY):
        return None
    shares = {str(language): share for language, share in _model().rank(" ".join(words))}
    known = {language: shares[language] for language in KNOWN}
    likeliest = max(known, key=lambda language: known[language])
    sure = known[likeliest] >= _LIKELY * sum(known.values()) and known[likeliest] >= _SOME
    return likeliest if sure and likeliest != ENGLISH else None


def _likeliest(paragraph: str, words: list[str], served: Sequence[str]) -> str | None:
    if (language := _told(paragraph, words)) in served:
        return language
    if len(words) < _ANY or not any(map(str.islower, words)):
        return None
    if ENGLISH in served and sum(map(_is_small, words)) >= _SHARE * len(words):
        return ENGLISH
    ranked = (str(language) for language, _ in _model().rank(" ".join(words)))
    return next(language for language in ranked if language in served)


def _script(paragraph: str) -> str | None:
    """The likeliest language of a paragraph in another script, of which few letters are enough."""
    if paragraph.isascii():
        return None
    foreign = len(_FOREIGN.findall(paragraph))
    latin = sum(character.isascii() and character.isalpha() for character in paragraph)
    least = _LETTERS if latin else _ANY
    if foreign < least or foreign < len(_WORD.findall(paragraph)):
        return None
    return str(_model().classify(paragraph)[0]) if foreign > latin else None


def _language(paragraph: str, words: list[str]) -> str | None:
    if sum(map(_is_small, words)) >= _SHARE * len(words):
        return ENGLISH
    if sum(map(str.islower, words)) < _FEW // 2 and paragraph.isascii():
        return None  # a list of names, a heading, a log: no sentence
    if _is_address(words):
        return None
    language, share = _model().classify(" ".join(words))
    if language == _NONE or share < (_SURE if _is_english(words, 2) else _LIKELY):
        return None
    if language not in KNOWN and (
        sum(map(str.islower, words)) < _FEW // 2 or _is_english(words, 2)
    ):
        return None  # names of another country among English words
    return str(language)


def _is_address(words: list[str]) -> bool:
    """Whether so many words have a capital that it is no sentence: an address, a signature."""
    return sum(map(str.istitle, words)) > _NAMED * len(words)


def _is_english(words: list[str], least: int) -> bool:
    """Whether one in `least` of the words in small letters is English."""
    from privstamp.text.vocabulary import is_public  # here: it needs numpy, and help does not

    small = [word for word in words if word.islower() and len(word) > 2]
    return sum(map(is_public, small)) * least > len(small)


def _is_small(word: str) -> bool:
    return word.lower() in _SMALL


@cache
def _model() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier  # half a second

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)

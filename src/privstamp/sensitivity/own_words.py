"""The vocabulary that a policy names: shipped lists, and files of its owner."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from privstamp.errors import PolicyError, suggest
from privstamp.sensitivity.frequencies import SMALL, languages
from privstamp.sensitivity.lexicon_table import table
from privstamp.text.vocabulary import LISTS, Vocabulary, plain

ANYWHERE: Final = ("medical", "technical", "product")
ENGLISH: Final = "en"
WHERE: Final = "sensitivity.vocabulary"


def read_vocabulary(names: Sequence[str] | None, language: str = ENGLISH) -> Vocabulary:
    """The lists named, all of them by default; a name that ends in .txt is a file of words."""
    if names is None:
        return Vocabulary() if language == ENGLISH else _of(language)
    if isinstance(names, str) or not isinstance(names, Sequence):
        raise PolicyError(f'{WHERE} is a list, say vocabulary = ["general", "medical"]')
    for name in names:
        if not isinstance(name, str) or (name not in LISTS and not name.endswith(".txt")):
            raise PolicyError(f'{WHERE}: no list "{name}".{suggest(str(name), LISTS)}')
    words = [word for name in names if name.endswith(".txt") for word in _words(name)]
    return Vocabulary([name for name in names if name in LISTS], words)


def _of(language: str) -> Vocabulary:
    """The words of another language that its frequency list and no list of names has, beside those
    of subjects that are called the same in many: drugs, programs, products."""
    if language not in languages():
        return Vocabulary(())
    ordinary = (table(language, SMALL) / "ordinary.txt").read_text(encoding="utf-8").split()
    return Vocabulary(ANYWHERE, {form for word in ordinary for form in (word, plain(word))})


def _words(name: str) -> Iterator[str]:
    """One or more words in a line; # begins a remark."""
    try:
        content = Path(name).expanduser().read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        problem = type(error).__name__
    else:
        lines = content.splitlines()
        yield from (word for line in lines if not line.startswith("#") for word in line.split())
        return
    raise PolicyError(f"{WHERE}: the file {name} cannot be read as UTF-8 text ({problem})")

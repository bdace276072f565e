"""The vocabulary that a policy names: shipped lists, and files of its owner."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from privstamp.errors import PolicyError, suggest
from privstamp.text.vocabulary import LISTS, Vocabulary

ENGLISH: Final = "en"
WHERE: Final = "sensitivity.vocabulary"


def read_vocabulary(names: Sequence[str] | None, language: str = ENGLISH) -> Vocabulary:
    """The lists named, all of them by default; a name that ends in .txt is a file of words."""
    if names is None:
        return Vocabulary(LISTS if language == ENGLISH else ())
    if isinstance(names, str) or not isinstance(names, Sequence):
        raise PolicyError(f'{WHERE} is a list, say vocabulary = ["general", "medical"]')
    for name in names:
        if not isinstance(name, str) or (name not in LISTS and not name.endswith(".txt")):
            raise PolicyError(f'{WHERE}: no list "{name}".{suggest(str(name), LISTS)}')
    own = [word for name in names if name.endswith(".txt") for word in _words(name)]
    return Vocabulary([name for name in names if name in LISTS], own)


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

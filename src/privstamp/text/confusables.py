"""Letters that look like those of another script: a name written with them is still that name.

Only for finding what is sensitive. A word is never ordinary by its looks.
"""

from __future__ import annotations

from typing import Final

_CYRILLIC: Final = ("авеѕіјкмнорԛстуԝхһԁӏьёї", "abesijkmhopqctywxhdlbei")
_GREEK: Final = ("αβγεζηικνορτυχωϲ", "abyezniknoptuxwc")
_LATIN: Final = ("ıɑɡ\u0261\u0131ſ", "iaggis")
_LOOKS: Final = str.maketrans(
    "".join(seen for seen, _ in (_CYRILLIC, _GREEK, _LATIN)),
    "".join(plain for _, plain in (_CYRILLIC, _GREEK, _LATIN)),
)


def as_latin(word: str) -> str:
    """A lower-case word as a reader of Latin letters sees it; unchanged if some look different.

    >>> as_latin("ра\u0443ра\u0406".lower()), as_latin("мир"), as_latin("paypal")
    ('paypai', 'мир', 'paypal')
    """
    if word.isascii():
        return word
    seen = word.translate(_LOOKS)
    return seen if seen.isascii() else word

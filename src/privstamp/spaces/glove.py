"""The default space: 400,000 English words in 50 dimensions (GloVe 6B)."""

from __future__ import annotations

import hashlib
import lzma
from importlib.resources import files
from pathlib import Path
from typing import Final

import numpy as np

from privstamp.assets.cache import derived
from privstamp.assets.store import ASSETS, locate
from privstamp.errors import AssetError, UsageError
from privstamp.spaces.preprocessing import components
from privstamp.spaces.public_lists import list_hashes, read_lists
from privstamp.spaces.words import LAYOUT, WordSpace, reads_well, write

WORDS = 400_000
_WORDS: Final = "1b0dcc21718e71c7820f93d592fc1c4ebce6251c3f1a0ef44c39b37ed1f7ea41"
"""SHA-256 of the list of words that is shipped."""


class Glove(WordSpace):
    """English words, 400,000 as inputs; of each class, the first `outputs` that read well leave."""

    def __init__(self, *, outputs: int = 50_000, preprocessing: str = "abtt2") -> None:
        components(preprocessing)
        check_outputs(outputs)
        recipe = {name: member.sha256 for name, member in ASSETS["glove"].members.items()}
        recipe |= list_hashes() | {"words": _WORDS}
        recipe |= {"outputs": str(outputs), "preprocessing": preprocessing, "layout": LAYOUT}

        def build(folder: Path) -> None:
            write(
                folder,
                _words(),
                np.load(locate("glove", "vectors"), allow_pickle=False),
                preprocessing=preprocessing,
                outputs=outputs,
                lists=read_lists(),
                readable=reads_well,
            )

        folder = derived("glove", recipe, build, label="preparing the word space (once)")
        source = f"GloVe 6B, {WORDS:,} words, 50 dimensions, {preprocessing}"
        super().__init__("glove", source, folder, preprocessing)


def check_outputs(outputs: object) -> None:
    """Refuse a number of output words that is not one."""
    if not isinstance(outputs, int) or isinstance(outputs, bool) or outputs < 1000:
        raise UsageError("outputs must be a whole number of words, at least 1000")


def _words() -> list[str]:
    """In order of frequency, as the vectors are (`python benchmarks/places.py` derives them)."""
    packed = (files(__package__) / "data" / "glove-words.xz").read_bytes()
    if hashlib.sha256(packed).hexdigest() != _WORDS:
        raise AssetError("the words of GloVe are not those of this version. Install it again")
    return lzma.decompress(packed).decode().split("\n")

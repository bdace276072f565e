"""spaCy's entity recogniser, loaded from a folder without importing the package around it."""

from __future__ import annotations

import json
import re
import sys
import warnings
from collections.abc import Iterator, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from privstamp.assets.cache import digest
from privstamp.assets.store import locate
from privstamp.crew.threads import Lock
from privstamp.errors import AssetError, Incompatible
from privstamp.sensitivity.greedy import Entity, by_spacy, greedy
from privstamp.text.languages import WITHOUT

# What a line can do without: libraries take in others because they are there.


LARGE: Final = (
    *("torch", "tensorflow", "mxnet", "transformers", "stanza", "gliner"),
    *("langextract", "openai", "azure"),
)
"""What spaCy and Presidio import wherever it is installed, for seconds, and go without if not."""


@contextmanager
def spared(names: Sequence[str] = LARGE) -> Iterator[None]:
    """Inside, packages that are not yet imported seem not to be installed.

    Whoever wants spaCy with all that it can use in the same process imports torch first.
    """
    hidden = [name for name in names if name not in sys.modules]
    for name in hidden:
        sys.modules[name] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        for name in hidden:
            del sys.modules[name]


_SIZES: Final = ("lg", "md", "sm")
_WEB: Final = ("en", "zh")
_PARTS: Final = ("config.cfg", "meta.json", "ner", "tokenizer", "vocab")


class Ner:
    """One model, its recogniser alone; keeps nothing of the texts it reads."""

    def __init__(self, language: str, model: str | None) -> None:
        self._folder = folder = find_model(language, model)
        self._load()
        self._lock = Lock(self._doubt)  # a child may have it from the middle of a text
        if self._nlp.lang != language:
            raise Incompatible(
                f'the spaCy model is for language "{self._nlp.lang}", the policy says "{language}"'
            )
        self.labels = frozenset(self._nlp.get_pipe("ner").labels)
        meta = self._nlp.meta
        self.facts = {
            "model": f"{meta['lang']}_{meta['name']} {meta['version']}",
            **{part: digest(folder / part) for part in _PARTS if (folder / part).exists()},
        }

    def _load(self) -> None:
        self._nlp = _load(self._folder)
        self._greedy = greedy(self._nlp)
        self._doubtful = False

    def _doubt(self) -> None:
        self._doubtful = True

    @contextmanager
    def _reading(self) -> Iterator[None]:
        with self._lock:
            if self._doubtful:
                self._load()
            yield

    def entities(self, texts: Sequence[str], *, names: bool = False) -> list[list[Entity]]:
        """Entities of each text; if `names` alone are asked for, words far from what may be one
        are not read. What spaCy's vocabulary learns from texts is dropped at the end."""
        with self._reading():
            if self._greedy is not None:
                return self._greedy.entities(texts, names=names)
            with self._nlp.memory_zone():
                return by_spacy(self._nlp, texts)

    def by_spacy(self, texts: Sequence[str]) -> list[list[Entity]]:
        """The same, by spaCy's own loop: what `entities` is measured against."""
        with self._reading(), self._nlp.memory_zone():
            return by_spacy(self._nlp, texts)


def find_model(language: str, model: str | None) -> Path:
    """The folder of the model named, else of an official one, else of the pinned one."""
    if model is not None:
        folder = Path(model) if (Path(model) / "config.cfg").is_file() else _installed(model)
        if folder is None:
            raise AssetError(
                f'spaCy model "{model}" is neither an installed package nor a folder with a '
                f"config.cfg. Try: python -m spacy download {model}"
            )
        return folder
    genre = "web" if language in _WEB else "news"
    for size in _SIZES:
        name = f"{language}_core_{genre}_{size}"
        folder = _installed(name)
        if folder is not None and _is_official(folder, name):
            return folder
    if language == "en":
        return locate("ner", "pipeline")
    raise AssetError(
        f'no spaCy model for language "{language}" is installed. '
        f"Try: python -m spacy download {language}_core_{genre}_md; or do without one: "
        f'other_languages = "accept", on the command line --accept languages. {WITHOUT}'
    )


def _installed(name: str) -> Path | None:
    """The model folder inside an installed package; the package is not imported."""
    spec = find_spec(name) if name.isidentifier() else None
    for place in (spec.submodule_search_locations or ()) if spec else ():
        configs = sorted(Path(place).glob("*/config.cfg"))
        if configs:
            return configs[-1].parent
    return None


def _is_official(folder: Path, name: str) -> bool:
    """Whether its own papers say so. Look-alikes from a registry carry other ones."""
    meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    papers = (f"{meta.get('lang')}_{meta.get('name')}", meta.get("author"), meta.get("url"))
    return papers == (name, "Explosion", "https://explosion.ai")


def _load(folder: Path) -> Any:
    """The recogniser, or an error that says what to do."""
    try:
        with spared(_unneeded(folder)):
            return recogniser(folder)
    except Exception as error:
        kind = type(error).__name__
    raise AssetError(
        f"the spaCy model in {folder.name} cannot be loaded ({kind}), or it has no entity "
        "recogniser. Try: privstamp assets verify, or name another model in the policy"
    )


def recogniser(folder: Path) -> Any:
    """spaCy's pipeline with nothing in it but the recogniser and what that listens to."""
    import spacy  # here: it takes half a second

    config = spacy.util.load_config(folder / "config.cfg")
    needed = {"ner", _upstream(config)}
    unneeded = [name for name in config["nlp"]["pipeline"] if name not in needed]
    factories = {part["factory"] for name, part in config["components"].items() if name in needed}
    with warnings.catch_warnings(), _own_factories(spacy.util.registry, factories):
        # W095: made with another minor version of spaCy. Ours is tested with it.
        warnings.filterwarnings("ignore", message=r"\[W095\]")
        # Strings name every word the model was made with by its number: a second, for nothing.
        return spacy.load(folder, exclude=[*unneeded, "strings"])


@contextmanager
def _own_factories(registry: Any, needed: Set[str]) -> Iterator[None]:
    """Keep spaCy from importing every package that has a factory, where its own will do."""
    others = registry._entry_point_factories
    asked, others.entry_points = others.entry_points, not needed <= {"ner", "tok2vec"}
    try:
        yield
    finally:
        others.entry_points = asked


def _unneeded(folder: Path) -> tuple[str, ...]:
    """Large libraries that the model is read without; none where its papers speak of one."""
    config = folder / "config.cfg"
    said = config.read_text(encoding="utf-8").lower() if config.is_file() else ""
    return () if "torch" in said or "transformer" in said else LARGE


def _upstream(config: Any) -> str | None:
    """The component whose vectors the recogniser shares; None where it has its own."""
    tok2vec = config["components"]["ner"]["model"].get("tok2vec", {})
    if "Listener" not in tok2vec.get("@architectures", ""):
        return None
    if tok2vec.get("upstream", "*") != "*":
        return str(tok2vec["upstream"])
    shared = ("tok2vec", "transformer", "curated_transformer")
    return next((name for name in shared if name in config["components"]), None)


# Long texts in pieces that overlap, and equally long views of them that a model reads better.


SIZE: Final = 8_000
OVERLAP: Final = 300
_BREAKS: Final = ("\n\n", "\n", " ")
_RUN: Final = re.compile(r"(\S{100,199})[^\w\s]|(\S{199})\S")
_AROUND: Final = 100
_SHOUTED: Final = re.compile(
    r"(?<![^\W\d_])[A-Z\u00c0-\u00d6\u00d8-\u00de]{2,}"
    r"(?:[ .,'\u2019-]{1,2}[A-Z\u00c0-\u00d6\u00d8-\u00de]+)+(?![^\W\d_])"
)


@dataclass(frozen=True, repr=False)
class Chunk:
    """A piece of one document's text, and where it begins."""

    document: int
    start: int
    text: str

    def __repr__(self) -> str:
        return f"Chunk({len(self.text)} characters)"


def chunked(text: str, document: int = 0) -> Iterator[Chunk]:
    """The whole text; what one border cuts lies whole in a neighbour, up to OVERLAP characters."""
    start = 0
    while len(text) - start > SIZE:
        end = _break(text, start + SIZE - OVERLAP, start + SIZE)
        yield Chunk(document, start, text[start:end])
        start = _break(text, end - 2 * OVERLAP, end - OVERLAP)
    yield Chunk(document, start, text[start:])


def _break(text: str, low: int, high: int) -> int:
    """The best place to cut in a window: after a blank line, a line, a word, or anywhere."""
    for mark in _BREAKS:
        place = text.rfind(mark, low, high)
        if place >= 0:
            return place + len(mark)
    return high


_ESCAPED: Final = re.compile(r"\\n(?=[A-Z\\\s]|\Z)")


def broken_up(text: str) -> str:
    """The text, equally long, with a blank at least every 200 characters.

    spaCy's tokenizer takes time quadratic in the length of a run without blanks. Line ends that are
    written as backslash and n before a capital are line ends: spans go across them else.
    """
    return _RUN.sub(lambda match: f"{match[1] or match[2]} ", _ESCAPED.sub("\n ", text))


def calmed(text: str) -> Iterator[tuple[int, str]]:
    """Start and view of each stretch with words in capitals, there written As Names Are.

    Models trained on edited text miss most of the names in such runs. Views keep their length.
    """
    low = high = 0
    for match in _SHOUTED.finditer(text):
        start = match.start() - _AROUND
        if start > high:
            if high:
                yield low, _SHOUTED.sub(_titled, text[low:high])
            low = max(start - _AROUND, text.rfind(" ", 0, start) + 1)
        high = min(len(text), match.end() + _AROUND)
    if high:
        yield low, _SHOUTED.sub(_titled, text[low:high])


def _titled(match: re.Match[str]) -> str:
    return match[0].title()

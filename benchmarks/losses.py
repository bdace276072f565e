"""What a release keeps of a text, word by word: what a reader lost, and what got out.

Release and text are laid side by side, so that any rewriter can be measured, whatever it says about
itself. A word is kept where it stands in both, in order. By chance a surrogate may be the original:
what counts as having got out did so in every one of several releases.

Beside it `quote`, a reader without a model: it quotes the sentences that share most words with the
question. It guesses nothing and knows nothing: what it finds in a text and no longer in a release
of it was lost by the release, or by restoring the quotation.
"""

from __future__ import annotations

import ast
import csv
import io
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from email import message_from_string
from typing import Any, Final, TypeAlias
from xml.etree import ElementTree

import numpy as np
import numpy.typing as npt
import snowballstemmer

from privstamp.lab.evals.contracts import Span
from privstamp.lab.evals.samples import INDIRECT
from privstamp.spaces.wordlists import FUNCTION_WORDS

Mask: TypeAlias = npt.NDArray[np.bool_]
"""One flag for each character of a text: it was kept."""
_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|_+|[^\w\s]")
NEGATIONS: Final = frozenset(
    {"no", "not", "never", "none", "neither", "nor", "without", "nothing", "nobody", "cannot"}
    | {"denies", "denied", "unable"}
)
GENERIC: Final = frozenset(
    {"street", "road", "lane", "avenue", "drive", "close", "court", "row", "terrace", "parade"}
    | {"hill", "yard", "st", "rd", "ave", "suite", "apt", "flat", "unit", "no", "ward", "floor"}
    | {"bus", "ul", "rue", "calle", "de", "des", "du", "los", "der", "van", "la", "le"}
    | {"ltd", "plc", "inc", "gmbh", "spa", "sp", "z", "o", "sàrl", "s", "p", "a", "society"}
    | {"centre", "surgery", "practice", "infirmary", "general", "institute", "stores", "bank"}
    | {"example", "com", "org", "net", "www", "http", "https", "mail", "portal", "home"}
    | {"the", "of", "and", "in", "at", "th", "st", "nd", "rd", "mr", "mrs", "ms", "dr"}
)
"""Words inside of marked spans that name nobody: kinds of streets and firms, parts of addresses."""
KINDS_OF_THINGS: Final = frozenset(
    {"bay", "beach", "bridge", "canyon", "coast", "creek", "falls", "harbour", "heights", "hill"}
    | {"lake", "park", "river", "valley", "wharf", "building", "castings", "dental", "health"}
    | {"logistics", "machinery", "mutual", "opticians", "robotics", "savings", "semiconductor"}
    | {"station", "textiles", "botany", "crop", "rovers"}
)
"""Words that say what a place or a firm is, where its name stands before them: Alder Creek."""
_CLINICAL: Final = re.compile(
    r"\w{3,}(?:mycin|cillin|azole|statin|sartan|pril|olol|oxacin|formin|gliptin|pine|pam|tidine"
    r"|triptan|parin|xaban|mab|dronate|setron|thyroxine|itis|osis|emia|aemia|oma|pathy|algia"
    r"|ectomy|plasty|oscopy|penia|uria|plegia|rrhea|rrhoea|stenosis|megaly)",
)
"""Endings of drugs, diseases and procedures, where nobody marked them."""
_ROLES: Final = {
    "dose": re.compile(r"\d[\d.,]*\s?(?:mg|mcg|µg|g|ml|mL|units?|milligrams?|micrograms?)\b"),
    "vital": re.compile(r"\b\d{2,3}/\d{2,3}\b(?!/)"),
    "percent": re.compile(r"\d[\d.,]*\s?(?:%|percent\b|per cent\b)"),
    "money": re.compile(r"[$€£]\s?\d[\d.,]*"),
}


@dataclass
class Tally:
    """Of each class of things: how many there are, and how many were kept."""

    total: Counter[str] = field(default_factory=Counter)
    kept: Counter[str] = field(default_factory=Counter)

    def add(self, name: str, kept: int, total: int = 1) -> None:
        self.total[name] += total
        self.kept[name] += kept

    def __iadd__(self, other: Tally) -> Tally:
        self.total += other.total
        self.kept += other.kept
        return self

    def lost(self, *names: str) -> float | None:
        """The share that was not kept, over some classes; None where there is nothing of them."""
        total = sum(self.total[name] for name in names)
        return 1 - sum(self.kept[name] for name in names) / total if total else None


def kept(text: str, release: str) -> Mask:
    """Which characters belong to words and signs that stand in the release as well, in order."""
    places = [match.span() for match in _WORD.finditer(text)]
    before = [text[start:end] for start, end in places]
    after = _WORD.findall(release)
    mask = np.zeros(len(text), dtype=bool)
    for block in SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks():
        for start, end in places[block.a : block.a + block.size]:
            mask[start:end] = True
    return mask


def unmarked(text: str, spans: Iterable[Span]) -> Mask:
    """As `kept`, of a detector: what it did not mark."""
    mask = np.ones(len(text), dtype=bool)
    for span in spans:
        mask[span.start : span.end] = False
    return mask


def losses(text: str, mask: Mask, go: Sequence[Span], stay: Sequence[Span] = ()) -> Tally:
    """What a reader keeps: lower-case content words, negations, and what was marked to stay.

    Where nothing is marked, drugs and diseases by their endings, and numbers by their form.
    """
    tally, inside = Tally(), ~unmarked(text, go)
    marked = ~unmarked(text, stay)
    for start, end in _outside(text, inside):
        word, masked = text[start:end], int(mask[start:end].all())
        if is_content(word):
            tally.add("words", masked)
            if not stay and _CLINICAL.fullmatch(word):
                tally.add("clinical", masked)
        if not marked[start] and _negates(text, start, end):
            tally.add("negation", masked)
        if not stay and word.isdecimal():
            tally.add("figures", masked)
    for span in stay:
        tally.add(span.kind, int(_whole(text, mask, span.start, span.end)))
    if not stay:
        for role, pattern in _ROLES.items():
            for match in pattern.finditer(text):
                if not inside[match.start() : match.end()].any():
                    tally.add(role, int(_whole(text, mask, *match.span())))
    return tally


def leaks(text: str, masks: Sequence[Mask], releases: Sequence[str], go: Sequence[Span]) -> Tally:
    """What got out of marked spans, in all releases: letters and digits, by kind and over all
    direct identifiers; and how many spans of a kind were not whole gone (`KIND whole`).

    `direct, every word` forgives nothing: kinds of streets, small words, public ranges count too.
    """
    tally = Tally()
    for span, out, total in left(text, masks, releases, go):
        tally.add(span.kind, out, total)
        if span.kind not in INDIRECT:
            tally.add("direct", out, total)
            for match in _WORD.finditer(text, span.start, span.end):
                there = all(mask[match.start() : match.end()].all() for mask in masks)
                size = len(match[0]) if match[0][0].isalnum() else 0
                tally.add("direct, every word", size if there else 0, size)
        tally.add(f"{span.kind} whole", int(out > 0))
        if span.kind in ("DATE", "AGE") and not any(map(str.isdigit, text[span.start : span.end])):
            tally.add("number words", int(out > 0))
    return tally


def left(
    text: str, masks: Sequence[Mask], releases: Sequence[str], go: Sequence[Span]
) -> Iterator[tuple[Span, int, int]]:
    """Of each marked span, how many letters and digits got out, and how many there are.

    A word that stands nowhere else in the text has also got out where it stands in another place.
    """
    elsewhere = {text[start:end] for start, end in _outside(text, ~unmarked(text, go))}
    written = [set(_WORD.findall(release)) for release in releases]
    for span in go:
        out = total = 0
        named = False
        for match in _WORD.finditer(text, span.start, span.end):
            word = match[0]
            says_what = {*GENERIC, *KINDS_OF_THINGS} if named else GENERIC
            generic = word.casefold() in says_what and span.kind != "CREDENTIAL"
            named = word.istitle() and not generic
            if generic or not word[0].isalnum():
                continue
            there = all(mask[match.start() : match.end()].all() for mask in masks)
            if len(word) > 3 and word not in elsewhere and releases:
                there |= all(word in words for words in written)
            total += len(word)
            out += len(word) if there else 0
        if span.kind == "IP_ADDRESS" and not all(
            text[span.start : span.end] in r for r in releases
        ):
            out = 0  # ranges for documentation are public, and surrogates come from them
        yield span, out, total


def lost_spans(text: str, mask: Mask, spans: Iterable[Span]) -> Iterator[tuple[str, str]]:
    """Class and string of what was marked to stay and did not. They are the text's own."""
    for span in spans:
        if not _whole(text, mask, span.start, span.end):
            yield span.kind, text[span.start : span.end]


def lost_words(text: str, mask: Mask, go: Sequence[Span]) -> Iterator[str]:
    """Lower-case content words that were changed. They are the text's own."""
    for start, end in _outside(text, ~unmarked(text, go)):
        if is_content(text[start:end]) and not mask[start:end].all():
            yield text[start:end]


def is_content(word: str) -> bool:
    """A lower-case word that means something by itself."""
    return word.isalpha() and word.islower() and len(word) > 2 and word not in FUNCTION_WORDS


def _negates(text: str, start: int, end: int) -> bool:
    """No. 7 is a number, and no negation."""
    word = text[start:end].lower()
    if word == "no" and re.match(r"\. ?\d", text[end:]):
        return False
    return word in NEGATIONS or word.endswith(("n't", "n’t"))


def _outside(text: str, inside: Mask) -> Iterator[tuple[int, int]]:
    """Words and signs that touch no marked span."""
    for match in _WORD.finditer(text):
        if not inside[match.start() : match.end()].any():
            yield match.span()


def _whole(text: str, mask: Mask, start: int, end: int) -> bool:
    """Whether every word and sign of a stretch was kept."""
    return all(
        mask[match.start() : match.end()].all() for match in _WORD.finditer(text, start, end)
    )


# Whether a release has the structure of its text: it parses, and names were renamed one to one.

Skeleton: TypeAlias = list[tuple[str, str]]
"""In reading order: what stands there, and its name where it has one that may be exchanged."""
BROKEN: Final = (ValueError, SyntaxError, LookupError, csv.Error)
"""What parsers raise; an encoding that a release invents is a LookupError."""
_STRINGS: Final = re.compile(
    r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|\'\'|[^\'\\\n])*\'|`(?:\\.|[^`\\])*`|--[^\n]*|(?<!:)//[^\n]*'
)
_LINE: Final = re.compile(r"(\s*)(#{1,6} |[-*+] |\d+[.)] |> ?|```\w*|\|[-:| ]+\|$|\|)?")


def same(form: str, text: str, release: str) -> bool:
    """Whether both have one structure; a text that does not parse itself has none to keep."""
    if not parses(form, text):
        return True
    if not parses(form, release):
        return False
    before, after = READERS[form](text), READERS[form](release)
    if [what for what, _ in before] != [what for what, _ in after]:
        return False
    pairs = {(old, new) for (_, old), (_, new) in zip(before, after, strict=True)}
    return len(pairs) == len({old for old, _ in pairs}) == len({new for _, new in pairs})


def parses(form: str, text: str) -> bool:
    """Whether a text is of that form."""
    try:
        READERS[form](text)
    except BROKEN:
        return False
    return True


def _json(text: str) -> Skeleton:
    return list(_walk(json.loads(text)))


def _walk(value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        yield f"object {len(value)}", ""
        for key, item in value.items():
            yield "key", key
            yield from _walk(item)
    elif isinstance(value, list):
        yield f"list {len(value)}", ""
        for item in value:
            yield from _walk(item)
    else:
        number = isinstance(value, int | float) and not isinstance(value, bool)
        yield "number" if number else type(value).__name__, ""


def _json_lines(text: str) -> Skeleton:
    return [item for line in text.splitlines() if line.strip() for item in _json(line)]


def _csv(text: str) -> Skeleton:
    header = text.partition("\n")[0]
    delimiter = max(",;\t", key=header.count)
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    if not rows:
        raise ValueError("not CSV")
    names = [(f"column {delimiter}", name) for name in rows[0]]
    return names + [(f"row {len(row)}", "") for row in rows[1:]]


def _xml(text: str) -> Skeleton:
    root = ElementTree.fromstring(text.encode())  # noqa: S314
    return [
        item
        for element in root.iter()
        for item in (
            (f"element {len(element)}", element.tag),
            *(("attribute", name) for name in element.attrib),
        )
    ]


def _python(text: str) -> Skeleton:
    return [(type(node).__name__, "") for node in ast.walk(ast.parse(text))]


def _operators(text: str) -> Skeleton:
    """Of code without a parser here: signs outside of strings and comments, line by line."""
    bare = _STRINGS.sub(lambda match: '""' if match[0][0] in "\"'`" else "", text)
    return [(sign, "") for line in bare.split("\n") for sign in (*re.findall(r"[^\w\s]", line), "")]


def _mail(text: str) -> Skeleton:
    message = message_from_string(text)
    headers = [(f"header {name.lower()}", "") for name in message.keys()]  # noqa: SIM118
    if not headers:
        raise ValueError("not mail")
    return headers + _lines(str(message.get_payload()))


def _lines(text: str) -> Skeleton:
    """Lines by their indent and what opens them: headings, items, quotes, fences, tables."""
    lines = []
    for line in text.split("\n"):
        opening = _LINE.match(line)
        mark = "".join(part or "" for part in opening.groups()) if opening else ""
        mark = re.sub(r"\d+", "1", mark)
        lines.append((f"{mark}{'...' if line.strip() else ''}", ""))
    return lines


def _chat(text: str) -> Skeleton:
    """Turns, and who speaks."""
    turns = [re.match(r"(\[[^\]]*\] )?([^:\n]{1,40}):", line) for line in text.split("\n")]
    return [("turn", turn[2]) if turn else ("line", "") for turn in turns]


READERS: Final[Mapping[str, Callable[[str], Skeleton]]] = {
    "json": _json,
    "jsonl": _json_lines,
    "csv": _csv,
    "xml": _xml,
    "python": _python,
    "javascript": _operators,
    "sql": _operators,
    "mail": _mail,
    "chat": _chat,
    "markdown": _lines,
    "log": _lines,
    "trace": _lines,
    "plain": _lines,
}


QUOTED: Final = 2
"""Sentences in a reply."""
_SENTENCE: Final = re.compile(r"(?<=[.!?;])\s+|\n+")
_LETTERS: Final = re.compile(r"[^\W_]+")


def quote(text: str, question: str) -> str:
    """The sentences, or lines, that a question seems to be about, in the order of the text."""
    sentences = [sentence for sentence in _SENTENCE.split(text) if sentence.strip()]
    asked = _stems(question)
    ranked = sorted(range(len(sentences)), key=lambda place: -len(asked & _stems(sentences[place])))
    return "\n".join(sentences[place] for place in sorted(ranked[:QUOTED]))


def says(reply: str, answers: Sequence[str]) -> bool:
    """Whether a reply holds one of the answers, as it is written, and not inside a longer word."""
    return any(re.search(rf"(?<![^\W_]){re.escape(answer)}(?![^\W_])", reply) for answer in answers)


def _stems(text: str) -> set[str]:
    words = [word.lower() for word in _LETTERS.findall(text)]
    stemmer = snowballstemmer.stemmer("english")
    return {stemmer.stemWord(word) for word in words if word not in FUNCTION_WORDS}

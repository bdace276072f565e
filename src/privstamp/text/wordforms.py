"""How words are written and made of words, terms of medicine, formulas: rules on letters alone."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from typing import Final

from privstamp.text.terms import words

STRAIGHT: Final = str.maketrans("\u2018\u2019\u2010\u2011", "''--")
"""Apostrophes and hyphens that phones, keyboards and language models exchange freely."""
_SHORTEST: Final = 4
"""Letters of a word that others are made of."""
_LONGEST: Final = 60
"""Letters that any word has."""
_ENDINGS: Final = (
    *("s", "es", "ed", "ing", "ly", "ness", "less", "able", "like", "wise", "ically", "ally"),
    *("ize", "ise", "ized", "ised", "izes", "ises", "izing", "ising", "ization", "isation"),
)
_PLURALS: Final = ("s", "es")
_PREFIXES: Final = (
    *("anti", "auto", "bi", "bio", "co", "counter", "cyber", "de", "dis", "down", "electro"),
    *("extra", "fore", "geo", "hydro", "hyper", "hypo", "immuno", "inter", "intra", "macro"),
    *("mega", "meta", "micro", "mid", "mini", "mis", "mono", "multi", "nano", "neo", "neuro"),
    *("non", "off", "out", "over", "para", "peri", "photo", "poly", "post", "pre", "pro"),
    *("pseudo", "psycho", "quasi", "radio", "re", "self", "semi", "socio", "sub", "super"),
    *("supra", "tele", "thermo", "trans", "tri", "ultra", "un", "under", "uni", "up"),
)
_DRAWN: Final = re.compile(r"(.)\1{2,}")
"""Letters drawn out: waaaay, soooon."""

_TERM: Final = re.compile(
    r"[a-z]{2,}(?:"
    # substances by the stems of their international names
    r"pril|prilat|sartan|statin|olol|mycin|micin|cillin|[aeiou]zole|formin|gliptin|gliflozin"
    r"|glitazone|glutide|tidine|prazan|dipine|oxacin|floxacin|cycline|sulfa\w{0,9}|[aeiou]vir"
    r"|triptan|setron|caine|barbital|azepam|azolam|zepine|oxetine|ipramine|triptyline|thiazide"
    r"|semide|parin|xaban|gatran|grel|lukast|terol|tropium|onide|asone|olone|predniso\w{2,4}"
    r"|tinib|ciclib|zomib|platin|rubicin|taxel|mab|cept|kinra|leukin|poetin|grastim|afil|osin"
    r"|steride|trozole|oxifene|gestrel|estradiol|thyronine|codone|morphone|orphan|profen|fenac"
    r"|oxicam|coxib|barbitone|phylline|curium|curonium|fungin|bendazole|quine|vudine|citabine"
    r"|tansine|parvovec|parib|penem|bactam|vaptan|pitant|mustine|lomide|zoline"
    r"|gestone|sterone|botulinumtoxina|relix"
    r"|dotin|titox|dotox|tecan|[ao]gene|[ai]tagene|leucel|repvec|ciclovir|siran|ersen|stim|degib|rafenib|lisib|glucosidase"
    r"|dronic|phenamine|betasol|cromolyn|taxine|cholic|sodiol|triene|fenamate|maltose|azepate"
    r"|kinase|synthase|ferase|hydrolase|reductase|oxidase|peptidase|protease|ginase|genase|merase"
    r"|cyclase|ligase|esterase|hydratase|phosphatase|dronate"
    r"|xetil|doxomil|besylate|mesylate|maleate|fumarate|tartrate|succinate|palmitate|benzathine"
    r"|trexate|tocopherol|ferol|cobalamin|hydramine|zine(?<=[aeiou]zine)"
    # conditions, findings and procedures
    r"|viral|iasis|thorax|temesis|encephaly|galactia|nychia|thyroidism|splenism|otrauma|myelitis"
    r"|itis|itides|osis|oses|otic(?<=\w{5}otic)|emia|emias|aemia|emic(?<=\w{4}emic)|uria|urias"
    r"|pathy|pathies|pathic|plegia|plegic|paresis|algia|algias|algic|ectomy|ectomies|otomy"
    r"|otomies|ostomy|ostomies|oscopy|oscopies|oscopic|oscope|ography|ographies|ographic"
    r"|cardiogram|angiogram|oplasty|oplasties|orrhea|orrhoea|orrhage|orrhagic|orrhaphy|ectasis"
    r"|ectasia|megaly|malacia|penia|penic|philia|phobia|phobic|plasia|plastic|trophy|trophic"
    r"|sclerosis|sclerotic|stenosis|ptosis|lysis|lytic|kinesia|esthesia|aesthesia|phasia|phagia"
    r"|pnea|pnoea|ptysis|compartmental|oxia|edema|oedema|cele|centesis|desis|pexy|omata|carcinoma|sarcoma|lymphoma"
    r"|cytoma|lobular|cardial|lymphoid|epithelial|kymia|phakia|phthisis|mycosis|nasality"
    r"|blastoma|adenoma|melanoma|oncology|ologist|ologists|ology|ologies|ologic|ological|iatric"
    r"|iatrics|iatrist|iatry|therapy|therapies|therapeutic|cyte|cytes|cytic|cytosis|globulin"
    r"|globin|toxin|toxic|toxicity|genic|genesis|gastric|hepatic|vascular|cardiac|pulmonary"
    r"|cranial|spinal|dermal|ocular|muscular|skeletal|vertebral|costal|clavicular|thoracic|pelvic"
    r")s?"
)
"""Terms with an ending that tells what they are: a statin, an inflammation, an operation."""


def is_term(word: str) -> bool:
    """Whether a word ends as medical terms do: lisinopril, angiography, hyperlipidaemia."""
    return _SHORTEST + 2 <= len(word) <= _LONGEST and _TERM.fullmatch(word) is not None


def bases(word: str, *, capital: bool) -> Iterator[str]:
    """Words that this one may be made of. With a capital only plurals count: names are made so."""
    for ending in _PLURALS if capital else _ENDINGS:
        if word.endswith(ending):
            base = word.removesuffix(ending)
            if len(base) >= _SHORTEST:
                yield base
                if ending[0] in "eia" and not capital:
                    yield f"{base}e"
                    if base[-1] == base[-2]:  # planned
                        yield base[:-1]
                if base[-1] == "i":
                    yield f"{base[:-1]}y"
    if (drawn := _DRAWN.sub(r"\1", word)) != word:
        yield drawn
        yield _DRAWN.sub(r"\1\1", word)
    for prefix in () if capital else _PREFIXES:
        if word.startswith(prefix) and len(word) >= len(prefix) + _SHORTEST:
            yield word.removeprefix(prefix)


# Words that are written in one with others, as German and Dutch do: Wasserrohrbruch.


LINKS: Final = {"de": ("", "s", "es", "n", "en", "er"), "nl": ("", "s", "e", "en")}
"""What may stand between two words, by language."""
_COMPOUNDS_SHORTEST, _LAST = 4, 3
"""Letters of a part, and of the last one."""


def is_compound(word: str, words: Container[str], language: str) -> bool:
    """Whether a word in lower case is made of two or more of the words given.

    >>> is_compound("wasserrohrbruch", {"wasser", "rohr", "bruch"}, "de")
    True
    >>> is_compound("wojcikbruch", {"wasser", "rohr", "bruch"}, "de")
    False
    """
    links = LINKS.get(language, ())
    if not links or not word.isalpha() or len(word) > _LONGEST:
        return False
    open_ends = {0}  # where a further part may begin
    for end in range(_COMPOUNDS_SHORTEST, len(word) + 1):
        begins = {start for start in open_ends if end - start >= _COMPOUNDS_SHORTEST}
        if any(word[start:end] in words for start in begins):
            open_ends |= {end + len(link) for link in links if word.startswith(link, end)}
    tails = (start for start in open_ends if start and len(word) - start >= _LAST)
    return any(word[start:] in words for start in tails)


# Chemical formulas: symbols of elements and figures, and nobody's name or number.


_TWO: Final = (
    "He|Li|Be|Ne|Na|Mg|Al|Si|Cl|Ar|Ca|Sc|Ti|Cr|Mn|Fe|Co|Ni|Cu|Zn|Ga|Ge|As|Se|Br|Kr|Rb|Sr|Zr|Nb|Mo|"
    "Ru|Rh|Pd|Ag|Cd|In|Sn|Sb|Te|Xe|Cs|Ba|La|Ce|Pr|Nd|Sm|Eu|Gd|Tb|Dy|Er|Yb|Hf|Ta|Re|Os|Ir|Pt|Au|Hg|"
    "Tl|Pb|Bi|Po|Rn|Ra|Th|Pa|Pu|Am"
)
_FORMULA: Final = re.compile(rf"(?:(?:{_TWO}|[HBCNOFPSKVYIWU])(?:[2-9]|1\d|2[0-4])?){{2,8}}")
_SIMPLE: Final = frozenset(
    words("""
    H2 O2 N2 O3 H2O D2O CO2 SO2 SO3 NO2 NO3 N2O NH3 NH4 CH4 PO4 SO4 CO3 HCO3 H2O2 H2S H2SO4 HNO3
    H3PO4 CH3 C2H4 C2H6 KOH KNO3 KI CHCl3 C2H5OH C6H6 C6H12O6
    """)
)


def is_formula(word: str) -> bool:
    """Whether a word is one: several elements, one of them with a small letter, or one that
    everybody knows. Other capitals with figures may be anybody's code.

    >>> [is_formula(word) for word in ("NaCl", "CaCO3", "CO2", "Nina", "BN22", "Co")]
    [True, True, True, False, False, False]
    """
    if word in _SIMPLE:
        return True
    mixed = sum(map(str.isupper, word)) > 1 and not word.isupper() and word.isascii()
    return mixed and _FORMULA.fullmatch(word) is not None


def compared(text: str) -> str:
    """As things are compared: in any case, with straight apostrophes and hyphens."""
    return text.translate(STRAIGHT).casefold()

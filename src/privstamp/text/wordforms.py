"""How English makes words of words, and medicine its terms: rules on letters alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_SHORTEST: Final = 4
"""Letters of a word that others are made of."""
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
    r"|semide|parin|xaban|gatran|grel|dronate|lukast|terol|tropium|onide|asone|olone|predniso\w{2,4}"
    r"|tinib|ciclib|zomib|platin|rubicin|taxel|mab|cept|kinra|leukin|poetin|grastim|afil|osin"
    r"|steride|trozole|oxifene|gestrel|estradiol|thyronine|codone|morphone|orphan|profen|fenac"
    r"|oxicam|coxib|barbitone|phylline|curium|curonium|fungin|bendazole|quine|vudine|citabine"
    r"|trexate|tocopherol|ferol|cobalamin|hydramine|zine(?<=[aeiou]zine)"
    # conditions, findings and procedures
    r"|itis|itides|osis|oses|otic(?<=\w{5}otic)|emia|emias|aemia|emic(?<=\w{4}emic)|uria|urias"
    r"|pathy|pathies|pathic|plegia|plegic|paresis|algia|algias|algic|ectomy|ectomies|otomy"
    r"|otomies|ostomy|ostomies|oscopy|oscopies|oscopic|oscope|ography|ographies|ographic"
    r"|cardiogram|angiogram|oplasty|oplasties|orrhea|orrhoea|orrhage|orrhagic|orrhaphy|ectasis"
    r"|ectasia|megaly|malacia|penia|penic|philia|phobia|phobic|plasia|plastic|trophy|trophic"
    r"|sclerosis|sclerotic|stenosis|ptosis|lysis|lytic|kinesia|esthesia|aesthesia|phasia|phagia"
    r"|pnea|pnoea|oxia|edema|oedema|cele|centesis|desis|pexy|omata|carcinoma|sarcoma|lymphoma"
    r"|blastoma|adenoma|melanoma|oncology|ologist|ologists|ology|ologies|ologic|ological|iatric"
    r"|iatrics|iatrist|iatry|therapy|therapies|therapeutic|cyte|cytes|cytic|cytosis|globulin"
    r"|globin|toxin|toxic|toxicity|genic|genesis|gastric|hepatic|vascular|cardiac|pulmonary"
    r"|cranial|spinal|dermal|ocular|muscular|skeletal|vertebral|costal|clavicular|thoracic|pelvic"
    r")s?"
)
"""Terms with an ending that tells what they are: a statin, an inflammation, an operation."""


def is_term(word: str) -> bool:
    """Whether a word ends as medical terms do: lisinopril, angiography, hyperlipidaemia."""
    return len(word) >= _SHORTEST + 2 and _TERM.fullmatch(word) is not None


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

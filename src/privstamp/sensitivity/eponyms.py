"""Names of people that stand for a disease, a law or a device: Turner syndrome, Bayes' theorem."""

from __future__ import annotations

import re
from typing import Final

from privstamp.text.terms import read_lists
from privstamp.types import Finding

NAMES: Final = frozenset({"PERSON", "ORGANIZATION", "LOCATION", "RARE"})
_LISTS: Final = read_lists("privstamp.sensitivity", "names.toml")
_NAMED: Final = _LISTS["diseases"]
_COMMON: Final = _LISTS["common_scientists"]
"""Names of scientists that many people have."""
_SCIENTISTS: Final = _LISTS["scientists"] | _COMMON
_BORNE: Final = _LISTS["borne"]
_AFTER: Final = re.compile(
    r"(?:-[^\W\d_]+| [^\W\d_]+(?= (?:disease|syndrome)))?(?:['\u2019]s?)? (?i:disease|syndrome|"
    r"palsy|sign|test|tumou?r|lymphoma|sarcoma|oesophagus|esophagus|thyroiditis|chorea|contracture|"
    r"encephalopathy|granulomatosis|phenomenon|dystrophy|gangrene|score|scale|anomaly|malformation|"
    r"dementia|cyst|fracture|manoeuvre|maneuver|ulcer|nodes?|bodies|hernia|infections?)(?!\w)"
)
_THEOREM_AFTER: Final = re.compile(
    r"(?:-[A-Z][a-z]+)?(?:['\u2019]s?)?(?: [a-z]+)? (?:theorems?|lemma|razor|conjectures?|"
    r"inequality|inequalities|paradox|constant|hypothesis)(?!\w)"
)
"""Behind whom something of science is called after, whoever that is."""
_LAW_AFTER: Final = re.compile(
    r"(?:['\u2019]s?|-[A-Z][a-z]+)? (?:(?:second|third|first|last|little|great) )?(?:laws?|theorem|"
    r"equations?|series|transforms?|distributions?|constant|correlation|coefficient)(?!\w)"
)
_SCIENCE_AFTER: Final = re.compile(
    r"(?:['\u2019]s?|-[A-Z][a-z]+)? (?:method|number|principle|rules?|algorithm|filters?|process|"
    r"machines?|chains?|scale|counter|burner|dish|dishes|diagrams?|effect|test|criterion|index|"
    r"space|matrix|cycle|sequence|triangle|limit|telescope|cage|coil|experiment|cat|curve|noise|"
    r"coding|distance|integral|sum|product|prior|code)(?!\w)"
)
_BORNE_AFTER: Final = re.compile(
    r"['\u2019]?s? ?(?:[.,;:!?)\n]|\Z|(?:and|or|is|was|runs|in|since|with)\b)"
)


def is_eponym(text: str, finding: Finding) -> bool:
    """Whether a name stands for a disease or a thing of science, not for somebody."""
    name = text[finding.start : finding.end].lower().removesuffix("'s").removesuffix("\u2019s")
    parts = re.split(r"[ -]", name)
    end = finding.start + len(name)
    if " " not in name and finding.kind in NAMES and text[finding.start].isupper():
        if _THEOREM_AFTER.match(text, end):
            return True
        if name in _SCIENTISTS and _LAW_AFTER.match(text, end):
            return True
        if name in _SCIENTISTS - _COMMON and _SCIENCE_AFTER.match(text, end):
            return True
        if name in _BORNE and _BORNE_AFTER.match(text, end) and text[end : end + 1] in "'\u2019":
            return True
    named = [part for part in parts if part != "von"]
    if not named or not all(part in _NAMED for part in named):
        return False
    return _AFTER.match(text, end) is not None

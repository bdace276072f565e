"""Words that stay as they are inside a name or an address, because they only say what it is.

Closed lists of common words. That one of them stands there is PUBLIC, and the certificate says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from privstamp.mechanisms.wordlists import INSTITUTIONS
from privstamp.text.terms import words

TITLES: Final = frozenset(
    words("""
    mr mrs ms miss mx dr prof professor doctor sir dame rev reverend father lord lady captain capt
    sgt sergeant lt lieutenant col colonel gen general major judge justice madam mme mlle nurse
    officer detective inspector sister brother uncle aunt auntie coach senator president minister
    rabbi imam pastor monsieur madame herr frau señor señora sr sra don doña signor signora
    mum mummy mom mommy mama dad daddy grandma grandpa granny grandad granddad grandmother
    grandfather mother baby son daughter cousin niece nephew husband wife twin stepmother stepfather
    chef baroness countess duchess princess viscount ambassador governor mayor councillor cllr
    alderman constable corporal admiral archbishop chancellor vicar rector warden hurricane storm
    mount project operation
    """)
)
ENDINGS: Final = frozenset(
    words("jr jnr sr snr ii iii iv phd md mba esq dds rn frcp qc kc obe mr mrs ms")
)
"""After a person's name."""
LEGAL_FORMS: Final = frozenset(
    words("""
    ltd limited inc incorporated llc llp lp plc corp corporation co company cie gmbh mbh ag kg kgaa
    ohg ug se sa sas sarl srl spa bv nv ab as asa oy oyj aps kft zrt sl slu pty pvt pte sro doo lda
    ltda eood sp zoo sab jsc pjsc bhd sdn
    """)
)
KINDS: Final = frozenset(word.casefold() for word in INSTITUTIONS) | frozenset(
    words("""
    academies agencies airways architects army association authority board branch bureau cathedral
    centre central chamber charter church city clinics club coalition colleges command commission
    abbey assembly conservatory duchy guild observatory order parish
    commonwealth communications community conference congress constabulary consortium convention
    council county courts department district division embassy exchange faculty federal federation
    fire fleet force foundation fund garage general government grammar guard high holdings hospice
    hospitals hostel house infirmary inn institution international investigations journal
    kindergarten lab league library local magazine management memorial ministry museum national navy
    network news newspaper nursery office opera operation orchestra organisation organization
    parliament party pharmacy police practice preparatory press primary prison procurement project
    public publications
    regional regiment registry republic residence resources restaurant review royal schools seminary
    senate society station supreme surgery syndicate synagogue team technical theatre theater
    training tribunal treasury trustees union united universities warehouse zoo
    """)
)
FACILITIES: Final = frozenset(
    words("""
    academy cathedral church clinic college embassy hospice hospital infirmary institute laboratory
    laboratories library museum nursery pharmacy prison restaurant school seminary surgery synagogue
    theatre theater university
    """)
)
"""Of these, those that are taken for places."""
MINISTRIES: Final = frozenset(
    words("ministry department minister secretary office committee chamber")
)
PORTFOLIOS: Final = frozenset(
    words("""
    affairs agriculture commerce culture defence defense development economy education employment
    energy environment equality family finance fisheries foreign health home housing immigration
    industry infrastructure innovation interior justice labor labour pensions science security
    social sport tourism transport transportation treasury veterans welfare works
    """)
)
"""What a ministry is for."""
SMALL: Final = frozenset(words("of the and for in at on by to a an with"))
"""Inside a name, in lower case or at its front."""
PARTICLES: Final = frozenset(
    words(
        "de del della di da do dos das du des la le les el los las van von der den ter y e et "
        "al ap bin bint ibn zu"
    )
)
"""Small words of other languages: another one is drawn for each."""
STREETS: Final = frozenset(
    words("""
    street st road rd avenue ave lane ln drive dr boulevard blvd court ct way place pl square sq
    terrace close crescent highway hwy parkway pkwy gardens grove mews row walk circle cir trail
    alley quay wharf rise loop plaza pike turnpike causeway expressway freeway parade esplanade
    promenade passage arcade broadway strand straße strasse str weg platz gasse allee ufer ring damm
    straat laan plein gracht gata gatan vej gate
    """)
) | (
    BEFORE := frozenset(
        words("""
        rue allée chemin impasse quai route cours calle avenida avda av paseo plaza camino carretera
        via viale piazza corso largo rua travessa
        """)
    )
)
NUMBERED: Final = frozenset(
    words("""
    bank bend bridge common croft cross end field fields gate green heath hill hills hollow landing
    meadow meadows mill mount orchard park pass path point ridge run side vale view wood woods yard
    """)
)
"""Ends of a street's name where a house number stands before it; elsewhere they may be names."""
GLUED: Final = ("strasse", "straße", "straat", "gasse", "platz", "allee", "weg", "gatan", "gata")
"""Ends of a street's name that is one word."""
UNITS: Final = frozenset(
    words("""
    apt apartment suite ste unit flat room rm floor fl building bldg block house no number nr box
    po p.o wohnung stock étage appartement piso planta interno scala
    """)
)
LAND: Final = frozenset(
    words("""
    airport bay beach bridge canal canyon cape cemetery coast county creek desert district falls
    gulf harbor harbour heights island islands isle lake mount mountain mountains ocean park
    peninsula province region reservoir river sea shore station strait township valley village
    northern southern eastern western central greater upper lower
    """)
) | (COMPASS := frozenset(words("north south east west")))
"""What a place is, and where it lies; no common family names."""

# Which given names follow "he" and which "she", told by words that leave as they are written.
#
# The names themselves are never looked at: only where they stand, which of them are equal, and the
# released words around them. All of that is PUBLIC, so a draw that follows it tells nothing more.

HE, SHE = "HE", "SHE"
_SIDES: Final = {
    **dict.fromkeys(words("he him his himself"), HE),
    **dict.fromkeys(words("she her hers herself"), SHE),
}
_BEFORE: Final = {
    **dict.fromkeys(
        words(
            "mr sir herr señor sr don signor monsieur lord father brother uncle son husband "
            "dad grandfather nephew mister boyfriend grandson stepfather stepson"
        ),
        HE,
    ),
    **dict.fromkeys(
        words(
            "mrs ms miss madam frau señora sra doña signora madame mme lady dame mother sister "
            "aunt auntie daughter wife mum mom grandmother niece girlfriend granddaughter "
            "stepmother stepdaughter"
        ),
        SHE,
    ),
}
"""Directly before a name."""
_AFTER: Final = {
    **dict.fromkeys(words("man gentleman male boy"), HE),
    **dict.fromkeys(words("woman lady female girl"), SHE),
}
"""Within a few words after it: a 58-year-old man."""
_REACH, _FAR, _BESIDE = 8, 60, 2
_STRONG, _MIDDLE = 8, 4


@dataclass(frozen=True, slots=True)
class PersonMention:
    """A person's name in the text: its units, and which names (by number) are its given ones."""

    first: int
    last: int
    given: tuple[int, ...]
    family: tuple[int, ...]


def sides(mentions: Sequence[PersonMention], released: Mapping[int, str]) -> dict[int, str]:
    """For each name that can be told its side, by number.

    `released` are the units that leave as they are written, folded; others are not looked at.
    """
    votes: dict[int, Counter[str]] = {}
    shared: dict[int, Counter[str]] = {}
    for number, mention in enumerate(mentions):
        stop = mentions[number + 1].first if number + 1 < len(mentions) else mention.last + _FAR
        told = _around(mention, stop, released)
        for name in mention.given:
            votes.setdefault(name, Counter()).update(told)
        for name in mention.family:
            shared.setdefault(name, Counter()).update(told)
    for mention in mentions:  # "Mr. Rowe" tells of "J. Rowe" where nothing else does
        for name in mention.given:
            if not votes[name]:
                for family in mention.family:
                    if len(shared[family]) == 1:
                        votes[name].update(shared[family])
    told_by_name = {**shared, **votes}
    return {name: side for name, told in told_by_name.items() if (side := _majority(told))}


def _around(mention: PersonMention, stop: int, released: Mapping[int, str]) -> Counter[str]:
    told: Counter[str] = Counter()
    for at in range(mention.first - _BESIDE, mention.last + 1):
        if (side := _BEFORE.get(released.get(at, ""))) is not None:
            told[side] += _STRONG
    for at in range(mention.last + 1, min(stop, mention.last + _FAR)):
        word = released.get(at, "")
        if at <= mention.last + _REACH and (side := _AFTER.get(word)) is not None:
            told[side] += _MIDDLE
        if (side := _SIDES.get(word)) is not None:
            told[side] += 1
    return told


def _majority(told: Counter[str]) -> str | None:
    if told[HE] == told[SHE]:
        return None
    return HE if told[HE] > told[SHE] else SHE


# Which words of an address only say what a part of it is: Street, Suite, Calle.


def street_words(words: Sequence[str], numbers: Sequence[bool], part: Sequence[int]) -> set[int]:
    """Their places among folded `words`; `part` numbers what commas and lines part.

    In a street's name one word alone stands for the street: of Wharf Street the last, of Calle de
    la Plaza the first. The others are its name, whatever they mean elsewhere.
    """
    if len(words) == 1:
        return set()
    says = {at for at in range(len(words)) if _says(words, numbers, part, at)}
    for first, last in _stretches(words, numbers, part):
        ways = [at for at in range(first, last + 1) if words[at] in STREETS and at in says]
        numbered = first > 0 and numbers[first - 1] and part[first - 1] == part[first]
        if words[first] in BEFORE:
            says.difference_update(range(first + 1, last + 1))
        elif ways:
            says.difference_update(range(first, ways[-1]))
        elif numbered:  # 88 Harbour Zork, 14 North Hill
            end = last if words[last] in LAND and words[last] not in COMPASS else last + 1
            says.difference_update(range(first, end))
    return says


def _says(words: Sequence[str], numbers: Sequence[bool], part: Sequence[int], at: int) -> bool:
    """Whether a word may say what a place is; `St.` before a word of its part is a saint."""
    if words[at] == "st" and at + 1 < len(words) and part[at] == part[at + 1]:
        return at > 0 and part[at - 1] == part[at] and numbers[at + 1]
    return words[at] in STREETS | UNITS | LAND


def _stretches(
    words: Sequence[str], numbers: Sequence[bool], part: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """First and last words between numbers, commas and parts of buildings."""
    first = None
    for at in range(len(words)):
        if numbers[at] or (words[at] in UNITS and not _names(words, numbers, part, at)):
            first = None
            continue
        if first is None:
            first = at
        after = at + 1
        if after == len(words) or numbers[after] or part[after] != part[at]:
            yield first, at
            first = None
        elif words[after] in UNITS and not _names(words, numbers, part, after):
            yield first, at


def _names(words: Sequence[str], numbers: Sequence[bool], part: Sequence[int], at: int) -> bool:
    """Whether a word such as House is followed by others, as in House Street."""
    after = at + 1
    if after == len(words) or part[after] != part[at] or numbers[after]:
        return False
    return len(words[after]) > 1

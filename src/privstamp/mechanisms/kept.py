"""Words that stay as they are inside a name or an address, because they only say what it is.

Closed lists of common words. That one of them stands there is PUBLIC, and the certificate says so.
"""

from __future__ import annotations

from typing import Final

from privstamp.mechanisms.wordlists import INSTITUTIONS, words

TITLES: Final = frozenset(
    words("""
    mr mrs ms miss mx dr prof professor doctor sir dame rev reverend father lord lady captain capt
    sgt sergeant lt lieutenant col colonel gen general major judge justice madam mme mlle nurse
    officer detective inspector sister brother uncle aunt auntie coach senator president minister
    rabbi imam pastor monsieur madame herr frau señor señora sr sra don doña signor signora
    """)
)
ENDINGS: Final = frozenset(words("jr jnr sr snr ii iii iv phd md mba esq dds rn frcp qc kc obe"))
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
    network news newspaper nursery office opera orchestra organisation organization parliament
    party pharmacy police practice preparatory press primary prison procurement public publications
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
    alley quay wharf rise loop plaza pike turnpike causeway expressway freeway rue allée chemin
    impasse quai route cours calle avenida avda av paseo plaza camino carretera via viale piazza
    corso largo rua travessa straße strasse str weg platz gasse allee ufer ring damm straat laan
    plein gracht gata gatan vej gate
    """)
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
    north south east west northern southern eastern western central greater upper lower
    """)
)
"""What a place is, and where it lies; no common family names."""

"""Short public lists of our own that word spaces are cut and sorted by."""

from __future__ import annotations

from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


FUNCTION_WORDS: Final = _words("""
    a an the this that these those each every either neither some any no none all both half few
    fewer several many much more most less least such own other another same enough
    i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his
    himself she her hers herself it its itself they them their theirs themselves one oneself
    who whom whose which what whoever whatever whichever when where why how whenever wherever
    someone somebody something somewhere anyone anybody anything anywhere everyone everybody
    everything everywhere nobody nothing nowhere
    am is are was were be been being have has had having do does did doing done will would shall
    should can could may might must ought cannot need dare
    and or but nor so yet for if then else because since unless until till while whereas although
    though whether lest once than as
    of to in on at by with from into onto upon about above across after against along alongside
    amid among amongst around before behind below beneath beside besides between beyond concerning
    despite down during except inside like minus near off out outside over past per plus regarding
    round through throughout toward towards under underneath unlike up via within without
    not never ever always often sometimes also too very quite rather just only even still already
    again here there now thus hence therefore however moreover nevertheless otherwise instead
    meanwhile perhaps maybe indeed almost nearly soon later yes
""")
"""The small words of English."""
ABBREVIATIONS: Final = _words("""
    adm. apr. approx. aug. ave. blvd. brig. bros. capt. cmdr. co. col. corp. cpl. dec. dept. dr.
    esq. etc. feb. ft. gen. gov. hon. inc. jan. jr. lt. ltd. maj. mr. mrs. ms. mt. nov. oct.
    prof. rd. rep. rev. sen. sep. sept. sgt. sr. st. tel. vs.
""")
"""Words whose full stop belongs to them, where the word list has them that way."""
INITIALS: Final = _words("""
    a.m. d.c. e.g. i.e. m.d. p.m. ph.d. u.k. u.n. u.s. u.s.a.
""")
"""Abbreviations with inner full stops that may leave."""
SHORT_WORDS: Final = _words("""
    a am an as at ax be by do eu go he i id if in is it me my no of oh ok on or ox pc pm so to tv
    uk un up us we
""")
"""Words of one or two letters that may leave."""
MARKUP: Final = _words("""
    amp apos bgcolor colspan href http https lrb nbsp quot rowspan rrb valign
""")
"""What the lists caught from web pages; never leaves."""
COARSE: Final = _words("""
    arsehole asshole assholes bastard bastards bitch bitches blowjob bollocks bullshit cock
    cocks coon coons crap cunt damn damned dickhead dildo dyke dykes fag faggot faggots fuck
    fucked fucker fucking gook gooks hooker hookers kike motherfucker nigga niggas nigger
    niggers orgasm paki piss pissed porn porno prick prostitute prostitutes pussy queer rape
    raped raper rapes rapist rapists raping retard retarded shit shitty slag slut sluts tits
    tranny turd twat wank wanker whore whores
""")
"""What nobody wants to find in a text of theirs; never leaves, and may come in."""

COUNTRIES: Final = _words("""
    afghanistan alabama alaska albania algeria andorra angola argentina arizona arkansas
    armenia australia austria azerbaijan bahamas bahrain bangladesh barbados belarus belgium
    belize benin bhutan bolivia botswana brazil britain brunei bulgaria burundi california
    cambodia cameroon canada chad chile china colombia colorado comoros congo connecticut
    croatia cuba cyprus delaware denmark djibouti dominica ecuador egypt england eritrea
    estonia ethiopia fiji finland florida france gabon gambia georgia germany ghana greece
    greenland grenada guatemala guinea guyana haiti hawaii honduras hungary iceland idaho
    illinois india indiana indonesia iowa iran iraq ireland israel italy jamaica japan jordan
    kansas kazakhstan kentucky kenya kosovo kuwait kyrgyzstan laos latvia lebanon lesotho
    liberia libya liechtenstein lithuania louisiana luxembourg macedonia madagascar maine
    malawi malaysia maldives mali malta maryland massachusetts mauritania mauritius mexico
    michigan minnesota mississippi missouri moldova monaco mongolia montana montenegro morocco
    mozambique myanmar namibia nebraska nepal netherlands nevada nicaragua niger nigeria
    norway ohio oklahoma oman oregon pakistan palestine panama paraguay pennsylvania peru
    philippines poland portugal qatar romania russia rwanda samoa scotland senegal serbia
    singapore slovakia slovenia somalia spain sudan suriname swaziland sweden switzerland
    syria taiwan tajikistan tanzania tennessee texas thailand togo tonga tunisia turkey
    turkmenistan uganda ukraine uruguay utah uzbekistan vanuatu venezuela vermont vietnam
    virginia wales washington wisconsin wyoming yemen zambia zimbabwe
""")
"""Countries, and states of the United States, that are one word."""

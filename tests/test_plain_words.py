"""What a reader needs stays, and whoever stands in the same place goes: the default preset."""

import re

import pytest

from privstamp import Privatizer
from privstamp.mechanisms.wordlists import pools


@pytest.fixture(scope="module")
def line():
    return Privatizer().with_noise(seed=3)


STAY = {
    "A POLITE YOUNG MAN CALLED TYRONE RANG AT TEN": "A POLITE MAN CALLED RANG AT TEN",
    "DEAR SIR OR MADAM\nTHE BILL WAS TOO HIGH\nYOURS FAITHFULLY": "SIR OR MADAM THE BILL WAS TOO",
    "HX: AF ON APIXABAN 5MG BD. SEEN BY KAREN MCFADDEN": "HX AF ON APIXABAN 5MG BD SEEN BY",
    "Gender F. Household of three. Ethnicity: White British": "Gender F Household White British",
    "Denies SI/HI. Repeat U&Es and TFTs; MoCA 22.": "Denies SI/HI U&Es TFTs MoCA 22",
    "Ifeoma Brandt\nHead of Mortgage Service": "Head of Mortgage Service",
    "DCI Piotr Nowicki and Det. Abernathy came.": "DCI and Det came",
    "Before District Judge Imrie in June": "Before District Judge in June",
    "We fitted a Cox model with Bayesian priors.": "Cox model Bayesian priors",
    "QuickBooks and TeamViewer fail since Black Friday.": "QuickBooks TeamViewer Black Friday",
    "She speaks Yoruba, English and Tigrinya.": "Yoruba English Tigrinya",
    "bed 3 adm last tuesday wiht chest pain agian": "adm wiht chest pain agian",
    "Art Deacon spoke; the deacon met the Bishop of Lynn.": "the deacon Bishop of",
    "Mate, can you come on Christmas Eve?": "Mate Christmas Eve",
    "McMurray's negative. Plts 412; analysed in SPSS.": "McMurray negative Plts SPSS",
    "She takes Movicol, Fostair and betnovate.": "Movicol Fostair betnovate",
}


@pytest.mark.parametrize("text", STAY)
def test_words_stay(line, text):
    released = re.findall(r"[\w/&]+", line.privatize(text).text)
    assert [word for word in re.findall(r"[\w/&]+", STAY[text]) if word not in released] == []


GO = {
    "A POLITE YOUNG MAN CALLED TYRONE RANG AT TEN": "TYRONE",
    "HX: AF ON APIXABAN 5MG BD. SEEN BY KAREN MCFADDEN": "KAREN MCFADDEN",
    "Ifeoma Brandt\nHead of Mortgage Service": "Ifeoma Brandt",
    "Community Nurse Vantongeren rang.": "Vantongeren",
    "DCI Piotr Nowicki and Det. Abernathy came.": "Piotr Nowicki Abernathy",
    "Before District Judge Imrie in June": "Imrie",
    "Mrs Cox and Mr Black met on Black Friday.": "Cox",
    "RAM SINGH GILL CAME TO THE DESK TODAY": "RAM SINGH GILL",
    "Di Harris met PC Quillfeather.": "Di Harris Quillfeather",
    "Art Deacon spoke; the deacon met the Bishop of Lynn.": "Art Deacon",
    "Eve Harlow came and we met Eve at noon.": "Eve Harlow",
    "McMurray, a negative man, rang his bank.": "McMurray",
    "please tell okonkwo that i am late agian": "okonkwo",
}


@pytest.mark.parametrize("text", GO)
def test_names_in_the_same_place_go(line, text):
    released = re.findall(r"\w+", line.privatize(text).text)
    assert [name for name in GO[text].split() if name in released] == []


def test_kin_are_given_names_of_their_side(line):
    text = "My sister Keisha and my brother Kobus came with his wife Semhar; mrs mary hughes fell."
    released = line.privatize(text).text
    found = re.fullmatch(
        r"My sister (\w+) and my brother (\w+) came with his wife (\w+); mrs (\w+) \w+ fell\.",
        released,
    )
    assert found is not None
    women = {name.casefold() for name in pools().she}
    men = {name.casefold() for name in pools().he}
    assert found[2].casefold() in men
    assert {found[1].casefold(), found[3].casefold(), found[4].casefold()} <= women

"""Classes of places and peoples: a country for a country, a nationality for a nationality.

Which class a name belongs to is PUBLIC, a function of the name alone; which name of it, is not.
Written for this project from general knowledge.
"""

from __future__ import annotations

from typing import Final

from privstamp.mechanisms.wordlists import NATIONS, words


def names(text: str) -> tuple[str, ...]:
    """A list of names of one or several words, separated by commas."""
    return tuple(" ".join(name.split()) for name in text.split(",") if name.strip())


POOLS: Final = {
    "COUNTRY": names("""
        Albania, Algeria, Angola, Argentina, Armenia, Australia, Austria, Azerbaijan, Bahrain,
        Bangladesh, Belarus, Belgium, Bolivia, Botswana, Brazil, Bulgaria, Cambodia, Cameroon,
        Canada, Chile, Colombia, Croatia, Cyprus, Denmark, Ecuador, Egypt, Eritrea, Estonia,
        Ethiopia, Finland, France, Gabon, Germany, Ghana, Greece, Guatemala, Honduras, Hungary,
        Iceland, India, Indonesia, Iraq, Ireland, Italy, Japan, Kazakhstan, Kenya, Kuwait, Laos,
        Latvia, Lebanon, Liberia, Libya, Lithuania, Luxembourg, Madagascar, Malawi, Malaysia, Malta,
        Mauritius, Moldova, Mongolia, Morocco, Mozambique, Namibia, Nepal, Nicaragua, Nigeria,
        Norway, Pakistan, Panama, Paraguay, Peru, Poland, Portugal, Qatar, Romania, Rwanda, Senegal,
        Serbia, Singapore, Slovakia, Slovenia, Somalia, Sweden, Switzerland, Syria, Taiwan,
        Tanzania, Thailand, Tunisia, Uganda, Ukraine, Uruguay, Uzbekistan, Venezuela, Vietnam,
        Yemen, Zambia, Zimbabwe
    """),
    "COUNTRY_WITH_THE": names("""
        Bahamas, British Virgin Islands, Cayman Islands, Central African Republic, Comoros, Cook
        Islands, Czech Republic, Dominican Republic, Falkland Islands, Faroe Islands, Gambia, Isle
        of Man, Ivory Coast, Kyrgyz Republic, Maldives, Marshall Islands, Netherlands, Philippines,
        Seychelles, Slovak Republic, Solomon Islands, United Arab Emirates, United Kingdom, United
        States
    """),
    "STATE": names("""
        Alabama, Alaska, Arizona, Arkansas, California, Colorado, Connecticut, Delaware, Florida,
        Hawaii, Idaho, Illinois, Indiana, Iowa, Kansas, Kentucky, Louisiana, Maine, Maryland,
        Massachusetts, Michigan, Minnesota, Mississippi, Missouri, Montana, Nebraska, Nevada, New
        Hampshire, New Jersey, New Mexico, North Carolina, North Dakota, Ohio, Oklahoma, Oregon,
        Pennsylvania, Rhode Island, South Carolina, South Dakota, Tennessee, Texas, Utah, Vermont,
        Virginia, West Virginia, Wisconsin, Wyoming
    """),
    "STATE_CODE": words("""
        AK AL AR AZ CA CO CT DE FL GA HI IA ID IL IN KS KY LA MA MD ME MI MN MO MS MT NC ND NE NH NJ
        NM NV NY OH OK OR PA RI SC SD TN TX UT VA VT WA WI WV WY
    """),
    "REGION": names("""
        Alberta, Manitoba, Saskatchewan, Nova Scotia, New Brunswick, British Columbia, Queensland,
        Tasmania, New South Wales, Yorkshire, Lancashire, Cumbria, Norfolk, Suffolk, Essex, Kent,
        Sussex, Hampshire, Dorset, Devon, Cornwall, Somerset, Wiltshire, Shropshire, Cheshire,
        Derbyshire, Lincolnshire, Northumberland, Bavaria, Saxony, Hesse, Thuringia, Brandenburg,
        Westphalia, Tyrol, Styria, Carinthia, Catalonia, Andalusia, Galicia, Aragon, Asturias,
        Navarre, Tuscany, Umbria, Lombardy, Piedmont, Liguria, Calabria, Sardinia, Apulia, Brittany,
        Burgundy, Provence, Aquitaine, Flanders, Wallonia, Friesland, Zeeland, Jutland, Scania,
        Silesia, Moravia, Bohemia, Transylvania, Kerala, Punjab, Gujarat, Rajasthan, Karnataka,
        Bihar, Sichuan, Yunnan, Hunan, Henan, Hokkaido, Jalisco, Oaxaca, Chiapas, Sonora, Bahia,
        Pernambuco, Munster, Leinster, Connacht, Ulster
    """),
    "NRP": NATIONS,
    "NATIONALS": words("""
        Albanians Argentines Australians Austrians Belgians Bolivians Brazilians Bulgarians
        Cambodians Canadians Chileans Colombians Croatians Cubans Czechs Danes Egyptians Estonians
        Ethiopians Finns Germans Ghanaians Greeks Hungarians Icelanders Indonesians Italians
        Jamaicans Kenyans Koreans Latvians Lithuanians Malaysians Mexicans Mongolians Moroccans
        Nigerians Norwegians Peruvians Romanians Serbs Slovaks Slovenes Swedes Tanzanians Tunisians
        Ugandans Ukrainians Uruguayans Zambians
    """),
    "LANGUAGE": words("""
        Albanian Amharic Arabic Armenian Basque Bengali Bulgarian Burmese Cantonese Catalan Croatian
        Czech Danish Dutch Estonian Finnish Flemish French Georgian German Greek Gujarati Hebrew
        Hindi Hungarian Icelandic Indonesian Italian Japanese Kannada Kazakh Khmer Korean Kurdish
        Latvian Lithuanian Malay Maltese Mandarin Marathi Nepali Norwegian Pashto Persian Portuguese
        Punjabi Romanian Serbian Sinhala Slovak Slovene Somali Spanish Swahili Swedish Tagalog Tamil
        Telugu Thai Tibetan Turkish Ukrainian Urdu Vietnamese Welsh Yoruba Zulu
    """),
    "RELIGION": words("""
        Anglican Baptist Buddhist Catholic Episcopalian Hindu Jain Jewish Lutheran Mennonite
        Methodist Muslim Orthodox Pentecostal Presbyterian Protestant Quaker Shia Sikh Sunni
    """),
    "CONTINENT": ("Africa", "Asia", "Europe", "Oceania", "North America", "South America"),
}
"""What is drawn for a name of a class."""
_ALSO: Final = {
    "COUNTRY": names("""
        Afghanistan, America, Andorra, Barbados, Belize, Benin,
        Bhutan, Bosnia, Bosnia and Herzegovina, Britain, Brunei, Burkina Faso, Burma, Burundi, Chad,
        China, Congo, Costa Rica, Cuba, Czechia, East Timor, El
        Salvador, England, Eswatini, Fiji, Great Britain, Guinea, Guyana, Haiti, Holland,
        Hong Kong, Iran, Israel, Jamaica, Jordan, Kosovo, Kyrgyzstan, Lesotho,
        Liechtenstein, Macedonia, Mali, Mauritania, Mexico, Monaco, Montenegro, Myanmar,
        New Zealand, Niger, North Korea, North Macedonia, Northern Ireland, Oman, Palestine, Papua
        New Guinea, Russia, Samoa, San Marino, Saudi Arabia, Scotland, Sierra Leone, South Africa,
        South Korea, South Sudan, Spain, Sri Lanka, Sudan, Suriname, Swaziland,
        Tajikistan, Togo, Tonga, Trinidad and Tobago, Turkey, Turkmenistan, Vanuatu,
        Wales
    """),
    "COUNTRY_WITH_THE": names("""
        Soviet Union, UAE, UK, USA, US, United States of America, USSR, U.S., U.K., U.S.A.
    """),
    "STATE": names("Georgia, New York State, Washington State, D.C."),
    "REGION": names("""
        Ontario, Quebec, Newfoundland, Prince Edward Island, Yukon, Nunavut, Victoria, Western
        Australia, South Australia, Northern Territory, Surrey, Oxfordshire, Berkshire,
        Hertfordshire, Bedfordshire, Cambridgeshire, Gloucestershire, Herefordshire, Leicestershire,
        Northamptonshire, Nottinghamshire, Staffordshire, Warwickshire, Worcestershire, Rutland,
        County Durham, West Midlands, East Anglia, Midlands, Lower Saxony, Rhineland, Sicily,
        Normandy, Alsace, Lorraine, Corsica, Crimea, Donbas, Siberia, Chechnya, Kashmir, Tibet,
        Xinjiang, Guangdong, Tamil Nadu, Maharashtra, Uttar Pradesh, West Bengal, Bengal, Gaza, West
        Bank, Darfur, Patagonia, Scandinavia, Balkans, Caribbean, Middle East, New England, Silicon
        Valley, Gaza Strip, Puerto Rico, Greenland
    """),
    "NRP": words("""
        African American Arab Armenian Asian Basque Belarusian British Burmese Catalan Chinese Dane
        English Englishman European Filipino Finn Greek Hispanic Hungarian Indian Iranian Iraqi
        Israeli Kazakh Kurdish Latino Palestinian Pakistani Persian Pole Polish Roman Russian Saudi
        Scot Singaporean Soviet Spaniard Swede Syrian Taiwanese Turk Welsh Yemeni
    """),
    "NATIONALS": words("""
        Africans Americans Arabs Asians Britons Europeans Filipinos Indians Iranians Iraqis Israelis
        Kurds Pakistanis Palestinians Poles Russians Saudis Scots Spaniards Syrians Turks
    """),
    "LANGUAGE": words("Chinese English Latin Polish Russian Farsi"),
    "RELIGION": words("Christian Christians Muslims Jews Islamic Islamist Hindus Sikhs Buddhists"),
    "CONTINENT": names("America, Antarctica, Latin America, Australasia"),
}
"""Names that are of a class and never drawn: they mean other things too, or are short."""
_CLASS: Final = {
    name.casefold().replace(".", ""): kind
    for kind in ("CONTINENT", "REGION", "STATE", "COUNTRY", "COUNTRY_WITH_THE")
    for name in POOLS[kind] + _ALSO[kind]
}
_PEOPLE: Final = {
    name.casefold(): kind
    for kind in ("RELIGION", "NATIONALS", "NRP")
    for name in POOLS[kind] + _ALSO[kind]
}


def place_class(name: str) -> str | None:
    """Of a name of a place that is no town: its class.

    >>> [place_class(name) for name in ("U.S.", "North Dakota", "Bavaria", "Leeds")]
    ['COUNTRY_WITH_THE', 'STATE', 'REGION', None]
    """
    folded = name.casefold().replace(".", "").removeprefix("the ")
    return _CLASS.get(folded.replace(" ", "") if len(folded) < 6 else folded) or _CLASS.get(folded)


def people_class(word: str) -> str | None:
    """Of a word for a people: whether it means one of them, many, or a faith.

    >>> [people_class(word) for word in ("Norwegian", "Poles", "Catholic", "Zork")]
    ['NRP', 'NATIONALS', 'RELIGION', None]
    """
    return _PEOPLE.get(word.casefold())

"""What `selective` finds and loses in other languages, with a recogniser and without one.

    python benchmarks/languages.py [es fr ...]

Invented letters and notes. Of each: the names that must go (words of people, places, companies;
with a recogniser where one of the language is installed, and by rules and lists alone), and the
other words, of which none should change. Names are found by whole words.
"""

from __future__ import annotations

import re
import sys
from typing import Final, NamedTuple
from unittest import mock

from privstamp import Policy, Privatizer
from privstamp.errors import AssetError

WORD: Final = re.compile(r"[^\W\d_]+")


class Sample(NamedTuple):
    """A text, and the words in it that name somebody or some place."""

    language: str
    names: str
    text: str


SAMPLES: Final = (
    Sample(
        "es",
        "Otxoa Garmendia Carmen María Nerea Sabino Arana Bilbao Iturralde",
        "Informe de alta. Paciente: María del Carmen Otxoa Garmendia, 67 años. Ingresa el 14 de "
        "febrero de 2024 por dolor torácico y disnea de esfuerzo. Antecedentes: hipertensión "
        "arterial, diabetes mellitus tipo 2 en tratamiento con metformina 850 mg cada 12 horas. "
        "Vive con su hija Nerea en la avenida de Sabino Arana 45, Bilbao. Se recomienda dieta "
        "sin sal y revisión por su médico de cabecera, el doctor Iturralde, en dos semanas.",
    ),
    Sample(
        "es",
        "Joaquín Belmonte Alcaraz Zaragoza Quiñonero Lucena",
        "Soy Joaquín Belmonte, de Transportes Alcaraz. Desde la actualización del martes nuestros "
        "repartidores en Zaragoza no pueden entrar en la aplicación. Ayer Quiñonero llamó otra "
        "vez al soporte y nadie contestó. Tenemos 34 conductores esperando en Lucena, así que "
        "ruego que lo traten como urgente. Gracias, Joaquín",
    ),
    Sample(
        "fr",
        "Solène Kervadec Anquetil Quimper Gwenaël Port",
        "Madame Solène Kervadec, 58 ans, adressée par le docteur Anquetil, est hospitalisée à "
        "Quimper pour une douleur thoracique. Traitement habituel : metformine 500 mg deux fois "
        "par jour. Elle vit avec son mari Gwenaël au 23 rue du Port. Pas d'allergie à la "
        "pénicilline. Sortie prévue vendredi, contrôle dans six semaines.",
    ),
    Sample(
        "fr",
        "Ophélie Marchandeau Acacias Nantes Vandewalle",
        "Le colis commandé par Ophélie Marchandeau n'est jamais arrivé. La commande devait être "
        "livrée mardi au 5 allée des Acacias à Nantes. Le livreur a laissé un avis de passage, "
        "mais la gardienne, que Vandewalle connaît bien, n'a rien reçu. Pouvez-vous rembourser ?",
    ),
    Sample(
        "de",
        "Annegret Holtkamp Kastanien Münster Stuckenbrock",
        "Mein Name ist Annegret Holtkamp, ich wohne in der Kastanienallee 7 in Münster. Seit dem "
        "Wasserrohrbruch ist die Heizung im Badezimmer ausgefallen. Der Hausmeister, Herr "
        "Stuckenbrock, hat die Reparatur zweimal verschoben. Ich bitte um eine Mietminderung und "
        "um einen Termin noch vor Freitag.",
    ),
    Sample(
        "de",
        "Wolfgang Brinkschulte Özdemir Lüdinghausen Terhorst",
        "Herr Wolfgang Brinkschulte leidet an Bluthochdruck und einer chronischen Erkrankung der "
        "Nieren. Die Untersuchung in Lüdinghausen ergab eine Verengung der Gefäße. Gestern sagte "
        "Terhorst, dass die Tochter ihn begleitet. Kontrolle in der Sprechstunde von Frau Dr. "
        "Özdemir in drei Wochen.",
    ),
    Sample(
        "it",
        "Scognamiglio Garibaldi Torino Immacolata Ferrante Pautasso",
        "Gentile dottor Scognamiglio, le scrivo perché da lunedì c'è una perdita d'acqua nel "
        "bagno del terzo piano, in via Garibaldi 23, Torino. Ho già avvisato due volte "
        "l'amministratore e nessuno è venuto; anche Pautasso si lamenta. La prego di mandare un "
        "idraulico prima di venerdì. Cordiali saluti, Immacolata Ferrante",
    ),
    Sample(
        "nl",
        "Wijngaarden Linden Utrecht Marijke Hoogendoorn Terpstra",
        "Geachte heer Van Wijngaarden, sinds maandag lekt er water in de badkamer op de derde "
        "verdieping, Lindenlaan 23, Utrecht. Ik heb de beheerder al twee keer gebeld en er is "
        "niemand gekomen, ook niet toen Terpstra klaagde. Stuurt u alstublieft voor vrijdag een "
        "loodgieter. Met vriendelijke groet, Marijke Hoogendoorn",
    ),
    Sample(
        "pt",
        "Vasconcelos Acácias Campinas Conceição Ferreira Lobato Bittencourt",
        "Prezado senhor Vasconcelos, escrevo porque desde segunda-feira há um vazamento de água "
        "no banheiro do terceiro andar, rua das Acácias 23, Campinas. Já avisei duas vezes a "
        "administração e ninguém veio, e o Bittencourt também reclamou. Peço que mande um "
        "encanador antes de sexta-feira. Atenciosamente, Conceição Ferreira Lobato",
    ),
)


def line(language: str, *, recogniser: bool) -> Privatizer:
    """The default policy for one language; without a recogniser even where one is installed."""
    sensitivity = {"languages": [language]}
    if recogniser:
        return Privatizer(Policy.of({"sensitivity": sensitivity}))
    with mock.patch("privstamp.sensitivity.presidio.Ner", side_effect=AssetError("none")):
        policy = Policy.of({"sensitivity": sensitivity, "other_languages": "accept"})
        return Privatizer(policy)


def counts(privatizer: Privatizer, sample: Sample) -> tuple[int, int, int, int]:
    """Names found, names, other words changed, other words."""
    result = privatizer.privatize(sample.text)
    if result.restore(result.text, trusted=True) != sample.text:
        raise SystemExit("a text did not come back")
    left = set(WORD.findall(result.text))
    names = sample.names.split()
    found = sum(not any(name in word for word in left) for name in names)
    others = [word for word in WORD.findall(sample.text) if not any(name in word for name in names)]
    return found, len(names), sum(word not in left for word in others), len(others)


def row(language: str, *, recogniser: bool) -> str:
    try:
        privatizer = line(language, recogniser=recogniser)
    except AssetError:
        return "no recogniser is installed"
    several = [counts(privatizer, one) for one in SAMPLES if one.language == language]
    found, names, changed, others = map(sum, zip(*several, strict=True))
    return f"{found:3d} of {names:3d} names found, {changed:3d} of {others:4d} other words changed"


def main() -> None:
    for language in sys.argv[1:] or sorted({sample.language for sample in SAMPLES}):
        print(f"{language}  recogniser       {row(language, recogniser=True)}")
        print(f"{language}  rules and lists  {row(language, recogniser=False)}")


if __name__ == "__main__":
    main()

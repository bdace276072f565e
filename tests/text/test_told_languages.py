"""Which language a text is in, and what the line does about one that nobody reads."""

import pytest

from privstamp import Policy, Privatizer
from privstamp.errors import InputError
from privstamp.text.languages import Languages, routes, told

SENTENCES = {
    "en": "The driver called at noon because the parcel had not been found, and we sent another.",
    "de": "Der Fahrer rief mittags an, weil das Paket nicht gefunden wurde, und wir schickten ein "
    "neues.",
    "es": "El conductor llamó al mediodía porque no habían encontrado el paquete y enviamos otro.",
    "fr": "Le chauffeur a appelé à midi parce que le colis restait introuvable, alors nous en "
    "avons envoyé un autre.",
    "it": "L'autista ha chiamato a mezzogiorno perché il pacco non si trovava e ne abbiamo "
    "spedito un altro.",
    "nl": "De chauffeur belde om twaalf uur omdat het pakket niet gevonden was en wij stuurden "
    "een nieuw.",
    "pt": "O motorista ligou ao meio-dia porque a encomenda não foi encontrada e enviámos outra.",
    "ja": "荷物が見つからなかったので、運転手は正午に電話をかけてきました。",
}


@pytest.mark.parametrize("language", sorted(SENTENCES))
def test_a_sentence_is_enough(language):
    assert told(SENTENCES[language]).main == language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("El cliente Tomás Arnal pidió la devolución de 45 euros por el paquete dañado.", "es"),
        ("O doutor Nuno Abrantes receitou ibuprofeno e pediu uma radiografia ao joelho.", "pt"),
        ("La senyora Mercè Puig viu a Girona i treballa en una fleca des de fa dotze anys.", "ca"),
    ],
)
def test_a_sentence_is_enough_where_a_sister_is_nearly_as_likely(text, language):
    assert told(text).main == language


def test_letters_that_are_no_words_are_in_no_language():
    assert told(" ".join(["qzkvwxjtrplmns", "bhgtzzqwkkrpxv"] * 6)).main is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Metformin 500 mg",
        "Bonjour",
        "GET /index.html 200 OK\nPOST /login 302 Found",
        '{"id": "A-77120", "status": "late", "items": 3, "total": 149.9}',
        "Dmitri Vasquez\nIngrid Halvorsen\nTadeusz Wojcik\nInmaculada Ferrer\nBo Sørensen",
        "const total = items.reduce((sum, item) => sum + item.price * item.count, 0);",
        "😀 " * 40,
    ],
)
def test_what_is_no_sentence_is_not_told(text):
    assert told(text).main in (None, "en")


@pytest.mark.parametrize(
    "text", ["السيد أحمد يعيش في الدوحة", "Господин живёт в городе", "彼は東京に住んでいます"]
)
def test_a_few_letters_of_another_script_are_enough(text):
    assert told(text).main not in (None, "en")


def test_signs_and_single_letters_of_another_script_tell_nothing():
    assert told("The angle α is 30° and Δ is small, as was shown by the team.").main == "en"
    assert told("μg/dL, 5 µm").main is None


def test_parts_are_told_apart():
    mixed = told(f"{SENTENCES['en']}\n\n{SENTENCES['fr']}\n\n{SENTENCES['en']}")
    assert [language for language, _ in mixed.shares] == ["en", "fr"]
    assert mixed.others(frozenset({"en"})) == ("fr",)
    assert sum(share for _, share in mixed.shares) == pytest.approx(1.0)


def test_clinical_shorthand_is_english_or_nothing():
    note = "58M, T2DM, HTN, CKD 3. SOB on exertion, BP 140/90, HR 88. Metformin, lisinopril held."
    assert told(note) == Languages() or told(note).main == "en"


@pytest.fixture(scope="module")
def line():
    return Privatizer()


def test_a_text_that_no_detector_reads_is_refused_without_a_word_of_it(line):
    with pytest.raises(InputError, match="is in fr") as caught:
        line.privatize(SENTENCES["fr"])
    assert "chauffeur" not in str(caught.value) and caught.value.__context__ is None
    with pytest.raises(InputError, match="is in de"):
        line.privatize(f"{SENTENCES['en']}\n\n{SENTENCES['de']}")


def test_it_leaves_where_that_is_accepted_and_the_certificate_says_so(line):
    policy = Policy.of({"other_languages": "accept"})
    result = Privatizer(policy, parts=line.parts).privatize(SENTENCES["es"])
    assert result.certificate.language == "es"
    assert any("which the detectors do not read" in note for note in result.certificate.notes)
    assert line.privatize(SENTENCES["en"]).certificate.language == "en"


def test_stretches_are_routed_to_the_likeliest_language_that_is_served():
    text = f"{SENTENCES['en']}\n\n{SENTENCES['es']}\n\nUn saludo\n\n{SENTENCES['en']}"
    found = routes(text, ["en", "es"])
    assert [language for *_, language in found] == ["en", "es", "en"]
    assert [text[start:end].strip() for start, end, _ in found] == [
        SENTENCES["en"],
        f"{SENTENCES['es']}\n\nUn saludo",
        SENTENCES["en"],
    ]
    assert routes("Metformin 500 mg", ["fr", "en"]) == [(0, 16, "fr")]
    assert routes("", ["en", "es"]) == [(0, 0, "en")]


def test_a_refusal_names_the_line_to_add(line):
    with pytest.raises(InputError, match=r'languages = \["en", "es"\], or --language es'):
        line.privatize(SENTENCES["es"])
    with pytest.raises(InputError, match="no words and lists for it"):
        line.privatize(SENTENCES["ja"])


def test_a_certificate_says_what_could_not_be_told_and_what_is_mixed(line):
    short = line.privatize("Metformin 500 mg").certificate
    assert short.language is None and short.languages == {}
    assert any("could not be told" in note for note in short.notes)
    policy = Policy.of({"other_languages": "accept"})
    mixed = f"{SENTENCES['en']}\n\n{SENTENCES['es']}"
    told_of = Privatizer(policy, parts=line.parts).privatize(mixed).certificate
    assert set(told_of.languages) == {"en", "es"}
    assert sum(told_of.languages.values()) == pytest.approx(1.0, abs=0.01)
    assert any("several languages: en, es" in note for note in told_of.notes)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Paciente estable, alta mañana", "es"),
        ("Chiamare il signor Bianchi domani", "it"),
        ("Llamé ayer a la señora Ortiz", "es"),
        ("metformin lisinopril atorvastatin aspirin", None),
        ("Call Anna Roth re invoice", None),
        ("zq blarg flim snorf", None),
    ],
)
def test_a_few_words_are_told_only_if_hardly_one_is_english(text, language):
    assert told(text).main == language


def test_a_sentence_inside_a_paragraph_is_told_and_refused(line):
    for language in ("de", "es", "fr", "it", "nl", "pt"):
        mixed = f"{SENTENCES['en']} {SENTENCES[language]} He was not at home, so we rang again."
        assert told(mixed).others(frozenset({"en"})) == (language,)
    with pytest.raises(InputError, match="a part of it, is in de"):
        line.privatize(
            "We met him at the office. Mein Neffe Jörn Tamm lebt in der Lindenallee 9 in Celle "
            "und ist oft krank. He will call again on Monday."
        )


@pytest.mark.parametrize(
    ("task", "language"),
    [("Woran ist der Neffe von Jörn Tamm erkrankt?", "de"), ("他得了什么病?", "zh")],
)
def test_a_task_in_a_language_that_is_not_read_is_refused(line, task, language):
    with pytest.raises(InputError, match=f"the task is in {language}") as caught:
        line.privatize(SENTENCES["en"], task)
    assert "Jörn" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "Rang Caoimhe Ní Dhomhnaill, Tadhg Ó Maoiléoin, Séamus Mac Giolla Bhríde re rent.",
        "Invoice sent: Fiachra Ó Ceallaigh, Sadhbh Nic Aogáin. Paid cash, keys back.",
        "Late: Þórdís Bjarnadóttir, Grzegorz Brzęczyszczykiewicz, Nguyễn Thị Hồng. Refund pending.",
    ],
)
def test_names_of_another_country_among_english_words_are_no_language(text):
    assert told(text).main in (None, "en")
    assert told(text).others(frozenset({"en"})) == ()


def test_a_title_or_a_phrase_inside_english_is_no_sentence():
    for text in (
        "She read Der Untergang des Abendlandes and liked it. Voilà, c'est la vie, she said.",
        "The motto is carpe diem. Ad hoc work, pro bono, et cetera. He ate pain au chocolat.",
    ):
        assert told(text).others(frozenset({"en"})) == ()


def test_an_address_abroad_makes_no_text_of_its_language():
    foot = (
        "Yours faithfully\nLudovic N'Diaye\nAtelier du Lac Sàrl, Rue des Tilleuls 8, 1204 G enève"
    )
    letter = told(f"We charge 5 % interest after 30 days; please let us know.\n\n{foot}\n")
    assert letter.main == "en" and letter.others(frozenset({"en"})) == ()
    german = "Frau Müller hat am Montag in der Praxis von Doktor Weber über Schmerzen geklagt."
    assert told(german).main == "de"

"""What readers found in releases of the default: names that stayed, and words that did not."""

import re

import pytest

from privstamp import Policy, Privatizer
from privstamp.mechanisms.wordlists import pools


@pytest.fixture(scope="module")
def line():
    return Privatizer(Policy.preset("selective"), seed=6)


def left(line, text, secrets):
    """What stays in two releases with other noise: a blind draw may hit the original once."""
    releases = [line.with_noise(seed=seed).privatize(text).text for seed in (6, 7)]
    return [secret for secret in secrets if all(secret in released for released in releases)]


@pytest.mark.parametrize(
    ("text", "secrets"),
    [
        ("hey its me sanjay, sorry i missed ur call", ["sanjay"]),
        ("Plan agreed with Dmitry and Becca.", ["Dmitry", "Becca"]),
        ("Discussed with the family on 14/10.", ["14/10"]),
        ("My NI number QQ 12 34 56 C is on the form.", ["12 34 56"]),
        ("The policy no. AB 12 34 56 has lapsed.", ["12 34 56"]),
        ("error card_last4=4242 amount=129.90", ["4242"]),
        ("Call +48 22 555 01 47, ext. 317.", ["555 01 47", "317"]),
        ("Log in as root / s3cr3t$Root!\nand wait.", ["s3cr3t", "Root!"]),
        ("Send it to Postbus 512, 5600 AM Eindhoven.", ["512", "5600", "AM"]),
        ("Ship to:\nThe Old Forge, Mill Lane, Great Missenden, Bucks HP16 0AX", ["Old Forge"]),
        ("He works at Kasteelpark Arenberg 44, 3001 Heverlee", ["Kasteelpark", "44", "3001"]),
        ("A. Loretta Quill. That is Q-U-I-L-L.", ["Q-U-I-L-L", "Quill"]),
        ("rip uncle drew, and hi aunt rosalee", ["drew", "rosalee"]),
        ("It ran 08/21/2023\u201307/31/2024 in all.", ["08/21/2023", "07/31/2024"]),
        ("sort code 04-00-04, account 39485761", ["04-00-04"]),
        ("Meet me at ///daring.lion.race by noon", ["daring", "lion"]),
        ('the sudo password which is "letmein please 99" there', ["letmein", "please 99"]),
        ("Morning Will,\n\nSee below.", ["Will"]),
        ("A grey van, plate EQK 8821, drove off.", ["8821"]),
        ("PIN for the safe? Same as always, 8861", ["8861"]),
        ("What's the gate code? I think it's 4417.", ["4417"]),
        (
            "Seen by the nurse 3/23 at 2:40. Prior: 11/22. Labs 3/14: fine.",
            ["3/23", "11/22", "3/14"],
        ),
        ("MUTUAL NDA between ACME WIDGETS PLC and Tobias Wren", ["ACME WIDGETS", "Tobias Wren"]),
        ("IN RE BLUE HARBOUR FOODS INC., DEBTOR", ["BLUE HARBOUR"]),
        (
            "<visits><patient id='P-0093'/><visit id='k7' patient='p12'/></visits>",
            ["P-0093", "p12"],
        ),
        ('{"user": "u_a01", "customer_id": "c77", "account_id": 42}', ["u_a01", "c77", "42"]),
        ("id,user,amount\nc12,u_a01,33.50\nc13,u_b02,12.00\n", ["c12", "u_a01", "c13", "u_b02"]),
        ("users:\n  - id: u_01\n    role: admin\n  - id: u_02\n    role: viewer", ["u_01", "u_02"]),
        ("patient_id: p12\nmember: m_09", ["p12", "m_09"]),
        ("Customer C77 asked why order A12 is late. Reference: P-77.", ["C77", "A12", "P-77"]),
        ("PLEASE TELL GRANDMA ODALYS AT ONCE", ["ODALYS"]),
        ("She lives at ul. Wierzbowa 99/101 m. 57, 00-693 Warszawa", ["m. 57", " 57"]),
        ("Does he look like Whisper to you?", ["Whisper"]),
        ("Ember's mother rang, and then a Falcon supporter.", ["Ember", "Falcon"]),
        ("Pepper you are the best!", ["Pepper"]),
        ("my cousin rosa short told me, ask peter fox", ["rosa", "short", "peter", "fox"]),
        ("We had Vera, Rock, Toni and Faith on stage.", ["Vera", "Rock", "Toni", "Faith"]),
        ("the new one is better than mason and talia lol", ["mason", "talia"]),
        ("PJ Okafor shot well, said DJ Sable.", ["PJ", "Okafor", "Sable"]),
        ("Watch SleepyDrummerKid and NoRhymeTV tonight.", ["SleepyDrummerKid", "NoRhymeTV"]),
        ("orwell is on again; she left dorset for lancashire", ["orwell", "dorset", "lancashire"]),
        ("Surgeon: Mr Casimir Quill. Assistant: A. Winter. Nurse: B. Autumn.", ["A. W", "Autumn"]),
        ("spoke to priya fever since tuesday", ["priya"]),
        ("pt okoran cardiology review", ["okoran"]),
        ("May was cross. I asked May about it, and May said no.", ["May was", "asked May"]),
        ("CALL MARK TODAY AND TELL GRACE", ["MARK", "GRACE"]),
        ("FRANK THE PLUMBER CAME", ["FRANK"]),
        ("Jira and Slack are down, says Thandeka, and Osgood.", ["Thandeka", "Osgood"]),
        ("Taylor's number and Bell's code are below.", ["Taylor", "Bell"]),
        ("HR note 12/04: she is back; review 26/04.", ["12/04", "26/04"]),
        ("It's Ng, N-G, first name Wing.", ["N-G", "Ng"]),
        ("Di Harris and PJ Tucker called.", ["Di ", "Harris", "PJ", "Tucker"]),
    ],
)
def test_these_are_replaced(line, text, secrets):
    assert left(line, text, secrets) == []


@pytest.mark.parametrize(
    ("text", "secrets"),
    [
        ("The juvenile, A.W., drove off with K.W. there.", ["A.W.", "K.W."]),
        ("They met at West 87th Street and then on 9th Avenue.", ["87th", "9th"]),
        ("she is lovely, shes 93 bless her", ["93"]),
        ("Participant 4 [female, 94, Soweto]: we hid.", ["94"]),
        ("We met on 9/16 and 9/17 for it.", ["9/16", "9/17"]),
    ],
)
def test_these_are_marked(line, text, secrets):
    """Of what is so short that the same may be drawn again."""
    replaced = {
        at for change in line.privatize(text).changes for at in range(change.start, change.end)
    }
    for secret in secrets:
        start = text.index(secret)
        inked = {at for at in range(start, start + len(secret)) if text[at].isalnum()}
        assert inked <= replaced


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Bloods: Na 131, K 5.1, trop 22, WCC 14.2, Ag neg.", "Na 131, K 5.1, trop 22, WCC 14.2"),
        ("Denied haemoptysis. On co-amoxiclav and a DOAC, nebs QDS.", "haemoptysis. On co-amox"),
        ("Repeat U&E in a week; R&D pays.", "U&E in a week; R&D pays"),
        ("GET /api/v2/patients/77120/labs now", "GET /api/v2/patients/"),
        ("It is in section 69 of the County Courts Act 1984.", "the County Courts Act 1984."),
        ("Amount EUR 5, SEK 6, IBAN and EAN are below.", "EUR 5, SEK 6, IBAN and EAN are"),
        ("Send X-Request-Id or X-Api-Key with it.", "Send X-Request-Id or X-Api-Key with"),
        ("Dear Sirs\n\nWe write to you.", "Dear Sirs"),
        ("gg last night, that round was insane", "last night"),
        ("Rent: $1,895/mo. Late fee of 5%.", "$1,895/mo. Late fee of 5%."),
        ("Norco 5/325 prn and Augmentin 875/125 BID", " 5/325 prn and Augmentin 875/125 BID"),
        ("WHY IS MR OSTRANDER GIVING US A TEST", " GIVING US A TEST"),
        ("BEFORE ME, the undersigned, he appeared.", "BEFORE ME, the undersigned"),
        ("Detective Sgt. Marla Quick said so.", "Detective Sgt. "),
        ("Found by CNA Rosa T. Skin was torn.", " Skin was torn."),
        ("Mum's op is on Tuesday.", "Mum's op is on"),
        ("born 14 Sept 2015, D.O.B. on file", "D.O.B. on file"),
        ("run `export API_KEY=h0rs3B4tt3ry9x` here", "` here"),
        ("app: user_id=48213 retry=1", " retry=1"),
        ("Open 08:00\u201317:00 daily.", "Open 08:00\u201317:00 daily."),
        ("Baby Joy was born, Grandma Rosalee says.", "Baby "),
        ("Ask them once Ravi fixes it, and tell Olek.", " fixes it, and tell "),
        ("Root cause: Stefan rotated the key too early.", " rotated the key too early."),
        ("PLEASE CALL OSWALDO ABOUT HER GLASSES NOW", " ABOUT HER GLASSES NOW"),
        ("See you then. All the best,\n\nKind regards\nHope", "Kind regards"),
        ("His temperature was 38.9, WBC 17.2. CT was clear.", "was 38.9, WBC 17.2. CT was"),
        ("Cultures grew E. coli twice; NAC was begun, DNI.", "E. coli twice; NAC was begun, DNI"),
        ("mum: are you up\nme: no at ollies\nmum: ok dad comes\nme: k", "mum: ok dad comes\nme: k"),
        ("Ask Chef Marco or Cousin Ade about Project Nightjar.", "Ask Chef "),
        ("Ask Chef Marco or Cousin Ade about Project Nightjar.", " or Cousin "),
        ("Ask Chef Marco or Cousin Ade about Project Nightjar.", " about Project "),
        ("It was said in Quill v Ostrander and in Ostrander v Quill.", " v "),
        ("staff:\n  name: Temi Osei\n  salary: 84500\n  city: Leeds\n", "salary: 84500"),
        ("Steps: 1) Log in as test user qa_liam 2) Click Export.", " 2) Click Export."),
        ("Reporter: Dmitri V.  Assignee: nobody\nIt is slow.", "  Assignee: nobody"),
        ("Physio comes on Tues and Thurs at noon.", "Physio comes on Tues and Thurs at noon."),
        ("- email the vendor by Fri \n- call Saoirse", "by Fri"),
        ("Did you change the PIN? Yes, in 2021, for 1200 users.", "Yes, in 2021, for 1200 users."),
        (
            "Pain 7/10 at 14:00, GCS 9/15 at 08:30, prior 3/5",
            "7/10 at 14:00, GCS 9/15 at 08:30, prior 3/5",
        ),
        (
            "BP 120/80 at 08:30, 2/6 murmur, 1/2 tablet at 8.",
            "120/80 at 08:30, 2/6 murmur, 1/2 tablet at 8.",
        ),
        ("MUTUAL NDA between ACME WIDGETS PLC and Tobias Wren", "MUTUAL NDA between "),
        ("She takes evenolimab-qxzt and belorutug vedotin-wvyq.", "evenolimab-qxzt and"),
        ("treated for marovia fever and drevkin disease", "for marovia fever and drevkin disease"),
        ("on ferric zanomaltose and oral brenosynthase", "ferric zanomaltose and oral brenosynth"),
        (
            "May said so, but May was cold; it was a cold May.",
            "but May was cold; it was a cold May.",
        ),
        (
            "Bayes' theorem, Zorn's lemma, Kalman filter, Ohm's law",
            "Bayes' theorem, Zorn's lemma, K",
        ),
        (
            "a Bayesian prior, Gaussian noise and Boolean logic",
            "a Bayesian prior, Gaussian noise and B",
        ),
        (
            "She has Crohn's, and her father Parkinson's.",
            "She has Crohn's, and her father Parkinson's.",
        ),
        ("It is written in Rust, the tool in Julia, ported to Zig.", " in Rust, the tool in"),
        (
            "We use Jira, Notion, Miro, Redis, Elastic and Zapier.",
            "Notion, Miro, Redis, Elastic and Za",
        ),
        (
            "He is Blood Group AB, Vitamin B Complex given.",
            "Blood Group AB, Vitamin B Complex given",
        ),
        ("Hepatitis B Surface Antigen was negative.", "Hepatitis B Surface Antigen"),
        ("PICNIC IN THE PARK\nMARK THE DATE\nCome all.", "PICNIC IN THE PARK\nMARK THE DATE\n"),
        ("AUTUMN SALE\nCome all.", "AUTUMN SALE"),
        ("please grant access to the staging server", "please grant access"),
        ("bill the client and chase the supplier", "bill the client and chase the supplier"),
        ("todo: mark ticket as done", "mark ticket as done"),
        ("Grandad had a fall.", "Grandad had"),
        ("m. Rosa n\u00e9e Katz; children", " n\u00e9e "),
        ("Skin tear L forearm 3 cm, R hip sore.", "tear L forearm 3 cm, R hip sore."),
        ("Let us sync with Jan on Mon. See you.", " on Mon. See"),
        ("Howdy y'all. Ta, Hamish", "Howdy y'all. Ta, "),
        ("Bill to: Ilse Brandt, Leeds", "Bill to: "),
        ("Seen by HCA Blessing Osei and PCSO Hargreaves.", "HCA "),
        ("Born at Oakridge Pediatrics to us.", "Pediatrics to us"),
        ("It looks like Christmas, said DJ Sable.", "It looks like Christmas, said DJ "),
        ("Hope you are in. The Manager's voice was calm.", "Hope you are in. The Manager's voice"),
        ("IN THE MATTER OF Brightwater Holdings LLC v. Orrin Vash", "IN THE MATTER OF "),
        ("THE WARRANTY IS LIMITED TO DEFECTS.", "THE WARRANTY IS LIMITED TO DEFECTS."),
        ("env:\n  - ADMIN_EMAIL=ola@example.com\n  - MODE=test\n", "  - ADMIN_EMAIL="),
        (
            '{"id": 7, "users": 12, "client": "http2", "version": "v12"}',
            '7, "users": 12, "client": "h',
        ),
        (
            "Patient: 62F, G2P1. Order: 3 units. Visit: F2F.",
            "62F, G2P1. Order: 3 units. Visit: F2F",
        ),
        ("The statement was taken by DI Piotr Nowicki.", "taken by DI "),
        ("SW Glenys Armstrong attended.", "SW "),
    ],
)
def test_these_stay(line, text, words):
    assert words in line.privatize(text).text


@pytest.mark.parametrize(
    "text",
    [
        "Hope you are well.", "Hope this helps!", "Mark your calendar for the party.",
        "please mark the invoice as paid", "Can you chase the invoice?", "Chase up the supplier.",
        "Blood group AB positive, Rh D negative.", "BLOOD TYPE AB, ALLERGIES NONE",
        "Order: B12 1000 mcg monthly.", "Case: M4 screws.", "Revenue rose 4 % in Q3.",
        "Give me a recipe with sage, basil and ginger.",
    ],
)  # fmt: skip
def test_what_is_done_or_taken_is_nobody(line, text):
    assert line.privatize(text).text == text


@pytest.mark.parametrize(
    "text",
    ["Mark said so.", "Frank the plumber came.", "ask mark the nurse", "Tell mark I'm late."],
)
def test_who_does_it_is_somebody(line, text):
    released = line.with_noise(seed=1).privatize(text).text
    assert "mark" not in released.lower() and "Frank" not in released


def test_will_is_told_from_will(line):
    text = "Will will come. Thank Will. Will's car broke. Will you drive? Will it rain?"
    released = line.privatize(text).text
    pattern = r"(\w+) will come. Thank \1. \1's car broke. Will you drive\? Will it rain\?"
    assert re.fullmatch(pattern, released)


def test_a_name_follows_its_article(line):
    released = line.privatize("We hired an Eckersley, a Brown and an Olga.").text
    assert re.fullmatch(r"We hired an [AEIOU]\w+, a [B-Z]\w+ and an [AEIOU]\w+\.", released)


def test_a_company_in_capitals_is_of_words_in_capitals(line):
    released = line.privatize("An NDA between ACME WIDGETS PLC and us.").text
    name = re.fullmatch("An NDA between (.+) PLC and us.", released)[1]
    assert name.isupper()
    assert name.split()[0] in {word.upper() for word in pools("en").family}


def test_a_date_with_an_age_is_a_date(line):
    released = line.privatize("DOB: 07/11/1948 (77 y)").text
    assert "07/11/1948" not in released
    assert released.endswith(" (77 y)")


def test_a_letter_short_is_put_for_what_is_short(line):
    released = line.privatize("The GMX was down; we told the QBR and Mr Ostrander.").text
    assert re.fullmatch(r"The [A-Z]+ was down; we told the [A-Z]+ and Mr [A-Z][a-z]+\.", released)


def test_a_link_with_a_password_is_a_secret_and_ends_before_its_bracket(line):
    result = line.privatize("It is there (redis://default:h0rs3-b4ttery@10.2.14.7:6379/0). Ok?")
    assert "h0rs3" not in result.text
    assert result.text.endswith("). Ok?")
    assert [change.kind for change in result.changes] == ["CREDENTIAL"]


def test_the_number_of_a_user_stays_a_number(line):
    assert re.fullmatch(
        r"app: user_id=\d{5} retry=1", line.privatize("app: user_id=48213 retry=1").text
    )


def test_a_town_of_two_words_is_one_place(line):
    result = line.privatize("He lives in Novi Sad. She does not.")
    assert [change.kind for change in result.changes] == ["LOCATION"]


def test_labels_between_marks_are_no_names(line):
    text = (
        "# Outage\n\n**Author:** Chukwuemeka Nnaji \u00b7 **Reviewers:** Marit\n**Impact:** high\n"
    )
    released = line.privatize(text).text
    assert "**Reviewers:**" in released
    assert "\u00b7" in released
    assert released.endswith("**Impact:** high\n")


def test_a_header_tells_what_a_number_is(line):
    text = "name,email,salary\nXimena Quispe,x@example.com,61250\nTemi Osei,t@example.com,72518\n"
    released = line.privatize(text).text
    assert "61250" in released
    assert "72518" in released
    assert "Quispe" not in released


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (
            "import { useState } from 'react';\n\nexport function List() {\n"
            "  const [rows, setRows] = useState([]);\n"
            "  return <ul>{rows.map((b) => <li key={b.id}>{b.seats} seats</li>)}</ul>;\n}\n",
            "seats</li>)}</ul>;",
        ),
        (
            "package main\n\n// Owner: Lindiwe Khumalo\ntype Shipment struct {\n"
            '\tID int64 `json:"id"`\n}\n\nfunc main() {\n}\n',
            '`json:"id"`',
        ),
    ],
)
def test_syntax_of_programs_passes(line, text, kept):
    assert kept in line.privatize(text).text

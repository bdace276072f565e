"""What is measured, paid, counted or told by a clock is no identifier; a key word's number is."""

import pytest

from privstamp.sensitivity.number_roles import Numbers

NUMBERS = Numbers("en")


def sensitive(text: str) -> list[str]:
    return [text[n.start : n.end] for n in NUMBERS.of(text) if n.sensitive]


@pytest.mark.parametrize(
    "text",
    [
        "Her blood pressure was 98/54 and then 176/104 after the fall.",
        "BP at triage was 210/120; repeat BP 188/96.",
        "Visual acuity was 20/200 before and 6/12 after it.",
        "Seretide 500/50 one puff, Symbicort 200/6, Trelegy 92/55/22",
        "Co-amoxiclav 500/125, Augmentin 1000/62.5",
        "Hb 98 (115-165), CRP 212 (ref 0-5), ALP 412 (30-130)",
        "Ferritin 300 [30-400], TSH 4.4 [0.4-4.0], B12 211 (normal 200-900)",
        "platelets (150-400)",
        "| Sodium | 129 | 133-146 |",
        "| Sodium | 129 | mmol/L | 133-146 |",
        "Sodium\t129\t133-146",
        "Lidocaine with adrenaline 1:80,000 and 1:200000",
        "Titre 1:2560 on the slide; dilute 1:100 and plate.",
        "A map at 1:25000, a ratio of 70:30.",
        "I claim £2,300 and he claims $14,500.00; invoice €685; policy £1000 excess",
        "Booking £85 deposit, ticket $120, order ¥8800",
        "The loan 25,000 was paid, tax 2,310 on it; VAT 12.5",
        "Open 10:00-10:30am, 9am-5pm, 10.30am, 11:15PM-1:00AM",
        "Booking 2:15pm, appointment 10:45-11:15am",
        "Departs 20:35 - 05:20+1, arrives 23:50+2",
        "Number of patients: 529",
        "The number of open claims was 2204.",
        "Patients: 529, Staff: 212, Claims = 340",
        "Take the number 158 bus to platform number 212.",
        "page number 212 and issue number 112",
        "The emergency number is 112.",
        "Her policy is 300 pages long.",
    ],
)
def test_nobody_is_named(text):
    assert sensitive(text) == []


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Case 142/86 was dismissed; file 30/500 too.", ["142/86", "30/500"]),
        ("My account 142/860 is locked.", ["142/860"]),
        ("The number of my account is 448821.", ["448821"]),
        ("Patient 529 came, patient number 530 left.", ["529", "530"]),
        ("invoice 685, invoice no 686 and invoice #687", ["685", "686", "687"]),
        ("my order number 1581 and ticket number 212", ["1581", "212"]),
        (
            "Call 555-0172 or (226-8871) in room 12 (555-0184).",
            ["555-0172", "226-8871", "555-0184"],
        ),
        ("tel +1 (555) 010-1234, or (020) 7946 0018", ["1 (555) 010-1234", "020) 7946 0018"]),
        ("My reference is 4471 and my badge is 4472.", ["4471", "4472"]),
        ("booking reference is QX7LMP", ["QX7LMP"]),
        ("Your confirmation code is K9RTQA.", ["K9RTQA"]),
        ("confirmation QX7LMP, ticket A1B2C3D", ["QX7LMP", "A1B2C3D"]),
    ],
)
def test_a_key_word_names_one(text, named):
    assert sensitive(text) == named

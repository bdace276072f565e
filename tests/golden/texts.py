"""Short invented texts of many kinds and formats, each with a task; people do not exist."""

from __future__ import annotations

from typing import Final, NamedTuple


class Text(NamedTuple):
    """One text, what is asked of it, and the format that it is read in."""

    name: str
    text: str
    task: str
    format: str = "auto"


OWN: Final = (
    Text(
        "note",
        "Miriam Castellano, 67, was seen on 3 May 2024 for chest pain. BP 142/91, pulse 88. "
        "Dr. Lindqvist started metoprolol 25 mg twice daily. Miriam lives at 14 Alder Road, Leeds.",
        "Which drug was started?",
    ),
    Text(
        "ticket",
        "Customer Henrik Aldous (henrik.aldous@example.com, +44 20 7946 0958) can't log in since "
        "version 2.4.1; order 4471-88 was paid twice, 39.90 EUR each.",
        "What is the problem?",
    ),
    Text(
        "contract",
        "This Agreement is made on 12 January 2023 between Norwick Holdings Ltd and Petra "
        "Vandersloot. Section 4.2 survives termination; the deposit of $12,500 is not refundable.",
        "Is the deposit refundable?",
    ),
    Text(
        "mail",
        "From: Ana Duarte <ana@example.com>\nTo: Bo Lindgren <bo@example.com>\n"
        "Subject: Friday\n\nHi Bo,\n\nlunch on Friday at noon? Ana\n\n> On Tuesday Bo wrote:\n"
        "> see you soon\n",
        "When is lunch?",
    ),
    Text(
        "chat",
        "[10:02] Tomasz: did Ingrid call back?\n[10:03] Yusuf: not yet, her number is 555-0147\n"
        "[10:04] Tomasz: ok, I'll try Ingrid's office in Graz",
        "Who should call?",
    ),
    Text(
        "record",
        '{"name": "Odile Marchetti", "age": 41, "email": "odile@example.com",\n'
        ' "visits": [{"date": "2024-02-11", "reason": "sprained ankle"}], "active": true}',
        "Why did the visit take place?",
    ),
    Text(
        "lines",
        '{"user": "kwame.o", "city": "Ghent", "total": 18.5}\n'
        '{"user": "lena_b", "city": "Turku", "total": 7.25}\n',
        "Which city spends more?",
    ),
    Text(
        "table",
        "id,name,city,amount\n1,Wanda Kessler,Utrecht,120.50\n2,Piet Oduya,Bergen,88.00\n"
        '3,"Sorel, Inès",Namur,15.75\n',
        "Who paid most?",
    ),
    Text(
        "markup",
        '<order id="A-77"><buyer>Farid Nassar</buyer><note>leave with Mrs. Holm</note></order>',
        "Where should it be left?",
    ),
    Text(
        "page",
        "# Visit of Eleni Markou\n\n- met **Eleni** in Patras\n- see [the plan](https://example.com/"
        "plans/eleni)\n\n```\ncontact = 'eleni@example.com'\n```\n",
        "Where did they meet?",
    ),
    Text(
        "code",
        "def discount(order):\n    # asked for by Rosalind Meyer, rosalind@example.com\n"
        '    owner = "Rosalind Meyer"\n'
        "    return order.total * 0.85 if order.owner == owner else 0\n",
        "What is the discount?",
    ),
    Text(
        "query",
        "SELECT name, salary FROM staff WHERE name = 'Ulrike Sandoval' AND city = 'Bremen';",
        "What does the query return?",
        "sql",
    ),
    Text(
        "log",
        "2024-03-01 08:15:02 INFO user=imani.k ip=203.0.113.9 login ok\n"
        "2024-03-01 08:15:09 ERROR payment 7731 for imani.k failed: timeout after 30 s\n",
        "What failed?",
    ),
    Text(
        "trace",
        "Traceback (most recent call last):\n"
        '  File "/home/jorund/app/main.py", line 12, in run\n'
        "    charge(card='4111 1111 1111 1111')\nValueError: card of Jorund Vik expired\n",
        "What went wrong?",
    ),
    Text(
        "news",
        "The mayor of Kalmar, Astrid Nyberg, opened the new library on Saturday. Nyberg said that "
        "about 300 people came; the building cost 4.2 million kronor.",
        "What was opened?",
    ),
    Text(
        "letter",
        "Dear Mr. Okonkwo,\n\nthank you for your letter of 9 June. Your account DE89 3704 0044 "
        "0532 0130 00 has been closed.\n\nYours sincerely,\nHelga Brandt\nKontor Nord GmbH",
        "What happened to the account?",
    ),
    Text(
        "secrets",
        "export API_KEY=sk-test-9f8e7d6c5b4a39281706f5e4d3c2b1a0\npassword: Tr0ub4dor&3\n"
        "user: saskia\n",
        "Which key is set?",
    ),
    Text(
        "unseen",
        "Zo\u00eb\u200b Quist paid\u00a025\u2009\u20ac \u202eto\u202c Jos\u00e9 \U0001f642 "
        "e\u0301t\u00e9",
        "Who paid?",
    ),
    Text("blank", "  \n\t\n", "Anything?"),
    Text("nothing", "", "Anything?"),
    Text("digits", "1 22 333 4,444.00 5/6 7:30 8% IX 2nd", "How many?"),
    Text(
        "question",
        "Is Bruno Calloway related to Ida Calloway, who works for Fernhill Dairy in Truro?",
        "Are they related?",
    ),
    Text(
        "review",
        "The soup was cold and Marek, our waiter, shrugged. Never again at Zum Alten Krug!",
        "Was the reviewer happy?",
    ),
    Text(
        "again",
        "Ines called Ines Ferreira's brother. FERREIRA, I., and Ines' aunt met in ines's flat.",
        "Who called?",
    ),
)
"""Made for this net; the samples of `privstamp.evals` come beside them."""

PLAIN: Final = (
    Text(
        "garden",
        "Mara Quill paid 1250 for the old garden near the river on Monday and the neighbours "
        "said that the price was fair. The garden has apple trees and a small house.",
        "What was the price of the garden?",
    ),
    Text(
        "doctor",
        "The doctor said that Bert Anders should rest at home for two weeks and take the small "
        "white pills every morning. Bert was not happy about the long rest.",
        "How long should the patient rest?",
    ),
    Text(
        "village",
        "My sister Ina bought a horse, two goats and an old bicycle in the village on 9 March. The "
        "farmer, Pelle Strand, said the horse was young and strong, but the horse was slow.",
        "Is the horse strong?",
    ),
)
"""For the small table of words: most of theirs are in it."""

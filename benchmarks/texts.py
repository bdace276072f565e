"""Five short invented texts, each with a task: benchmarks show what happens to them."""

from __future__ import annotations

from typing import Final

TEXTS: Final = {
    "A clinical note": (
        "What medical problem does the patient report?",
        "Teresa Almqvist, 63, was seen in Gothenburg on 14 March because of swelling in both "
        "ankles and shortness of breath at night. She takes ramipril and stopped smoking last"
        " year. Dr. Olu Adeyemi ordered an ultrasound of the heart. Record number 5520-8841.",
    ),
    "A support e-mail": (
        "Is the customer satisfied?",
        "Hello, I ordered two lamps from your shop in Bristol and only one arrived. Anna "
        "Petrovic promised me a refund within five days, but nothing happened. I am "
        "disappointed and will not buy again. My order is 77-10342, my address "
        "tom.okonkwo@example.com. Tom Okonkwo",
    ),
    "A legal letter": (
        "What does the tenant have to do?",
        "Dear Mr. Haddad, our client, Lindgren Property, gives you notice that the rent for "
        "the flat at 12 Harbour Street has not been paid since January. You must pay 2,350 "
        "pounds within fourteen days or leave the building. Yours sincerely, Ruth Abernathy",
    ),
    "A chat": (
        "When do they meet?",
        "hey Nadia, are you still coming on Friday? Marcus says the train from Leeds is late "
        "again lol. we could meet at seven in front of the old cinema, and bring your sister "
        "if she likes horror films",
    ),
    "A review": (
        "How good is the restaurant?",
        "We waited almost an hour for cold noodles, and the waiter, Luca, never said sorry. "
        "The music was too loud and the soup tasted of nothing. Only the mango dessert was "
        "wonderful. For 38 dollars I expect more.",
    ),
}
"""Title, task and text; all invented."""

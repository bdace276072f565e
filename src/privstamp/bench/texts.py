"""Invented notes, for timing the whole line on ordinary prose."""

from __future__ import annotations

from typing import Final

TASK: Final = "What does the writer ask for?"
_PEOPLE: Final = (
    ("Ingrid Halvorsen", "Bergen", "Marlow Freight"),
    ("Tomas Wieczorek", "Gdansk", "Alder and Finch"),
    ("Priya Chandrasekar", "Leicester", "Northgate Clinic"),
    ("Samuel Okafor", "Toronto", "Harbour Insurance"),
    ("Lucia Ferrante", "Bologna", "Pine Street Library"),
    ("Daniel Abramson", "Chicago", "Oakfield School"),
)
_NOTES: Final = (
    "{name} wrote on Tuesday that the delivery from {firm} never reached the house in "
    "{place}. The driver left a card with a number that nobody answers, and the parcel holds "
    "a lamp that was meant for a birthday. The shop has promised a refund twice. {first} "
    "would rather have the lamp than the money, and asks whether someone could look for it in "
    "the depot near the station before the weekend. The order is 40-{number}, paid in full on "
    "12 May. ",
    "The patient, {name}, 58, came to {firm} because of a cough that has lasted for three "
    "weeks. There is no fever, but sleep is poor and climbing the stairs has become hard. "
    "{first} worked in a bakery in {place} for twenty years and never smoked. The chest "
    "sounds clear on both sides. We agreed on a blood test and a picture of the lungs, and on "
    "tablets for the night. Results go to the practice by letter; the record is {number}. ",
    "Dear {first}, thank you for the long letter about the house in {place}. The garden "
    "sounds wonderful, although I would not know what to do with so many apples. My new "
    "position at {firm} begins in autumn, and until then I am learning how to write reports "
    "that people want to read. Could you send me the name of the carpenter who built your "
    "shelves? The old ones here bend under the books, and I have nobody to ask. Write soon, "
    "to {first}@example.com if need be. ",
)


def note() -> str:
    """A short note, of 180 words."""
    return " ".join(documents(1)[0].split()[:180])


def documents(count: int) -> list[str]:
    """So many notes of about 240 words, no two alike."""
    made = []
    for index in range(count):
        name, place, firm = _PEOPLE[index % len(_PEOPLE)]
        first, number = name.split()[0], 1000 + 7 * index
        made.append(
            "".join(_NOTES).format(name=name, first=first, place=place, firm=firm, number=number)
        )
    return made

"""Five texts of different kinds under every preset: docs/presets.md, written by this program.

    python benchmarks/presets.py > docs/presets.md

The texts are invented. Releases are seeded, so that the page can be made again; never seed your own.
"""

from __future__ import annotations

import json

import numpy as np

from privstamp import Policy, Privatizer
from privstamp.types import UNKNOWN

SEED, RELEASES = 11, 40
PRESETS = ("paper", "stamp", "readable")
TEXTS = {
    "A clinical note": (
        "What medical problem does the patient report?",
        "Teresa Almqvist, 63, was seen in Gothenburg on 14 March because of swelling in both ankles "
        "and shortness of breath at night. She takes ramipril and stopped smoking last year. "
        "Dr. Olu Adeyemi ordered an ultrasound of the heart. Record number 5520-8841.",
    ),
    "A support e-mail": (
        "Is the customer satisfied?",
        "Hello, I ordered two lamps from your shop in Bristol and only one arrived. Anna Petrovic "
        "promised me a refund within five days, but nothing happened. I am disappointed and will not "
        "buy again. My order is 77-10342, my address tom.okonkwo@example.com. Tom Okonkwo",
    ),
    "A legal letter": (
        "What does the tenant have to do?",
        "Dear Mr. Haddad, our client, Lindgren Property, gives you notice that the rent for the flat at "
        "12 Harbour Street has not been paid since January. You must pay 2,350 pounds within fourteen "
        "days or leave the building. Yours sincerely, Ruth Abernathy",
    ),
    "A chat": (
        "When do they meet?",
        "hey Nadia, are you still coming on Friday? Marcus says the train from Leeds is late again lol. "
        "we could meet at seven in front of the old cinema, and bring your sister if she likes horror "
        "films",
    ),
    "A review": (
        "How good is the restaurant?",
        "We waited almost an hour for cold noodles, and the waiter, Luca, never said sorry. The music "
        "was too loud and the soup tasted of nothing. Only the mango dessert was wonderful. For "
        "38 dollars I expect more.",
    ),
}
LOSES = {
    "paper": "Pieces of words are noised one by one: names come out as strings that are no names, and "
    "text that survives does so because its budget lies far above the cliff. Numbers that no detector "
    "marks survive as well.",
    "stamp": "Names stay names and places places, numbers keep their format. About half of the other "
    "words become words that have nothing to do with them, which a reader notices at once.",
    "readable": "What is sensitive is replaced by surrogates that an answer can be mapped back from. "
    "Other words become near ones: meaning is kept, and so is some of what an attacker wants. "
    "It guarantees steps along a graph, not distances.",
}


def quoted(text: str) -> str:
    return "> " + text.replace("\n", "\n> ")


def survival(privatizer: Privatizer, text: str, task: str) -> tuple[float, float]:
    """Share of sensitive and of other words that came out as themselves, over many releases."""
    kept: dict[bool, list[float]] = {True: [], False: []}
    for result in privatizer.privatize_many(
        [text + " " * n for n in range(RELEASES)], task, trace=True
    ):
        trace = result.trace
        groups, rows = trace.grouping.groups, trace.units.rows
        same = (trace.rows == rows) & (rows != UNKNOWN)
        for sensitive in (True, False):
            mine = (groups <= 2) == sensitive
            kept[sensitive].append(float(same[mine].mean()) if mine.any() else np.nan)
    return float(np.nanmean(kept[True])), float(np.nanmean(kept[False]))


def main() -> None:
    privatizers = {name: Privatizer(Policy.preset(name), seed=SEED) for name in PRESETS}
    print("<!-- Written by benchmarks/presets.py: change it there. -->")
    print("# Presets, on five texts\n")
    print(
        "All texts are invented; releases are seeded so that this page can be made again "
        "(`python benchmarks/presets.py > docs/presets.md`). *kept*: share of units that came out as "
        f"themselves over {RELEASES} releases, sensitive / others.\n"
    )
    for name, what in LOSES.items():
        print(f"**`{name}`.** {what}\n")
    print(
        "Which to take: by measured recovery, meaning kept and proved loss ([frontier](frontier.md)) `readable` is the "
        "better choice wherever answers can be mapped back. `stamp` is the default of this version because it is "
        "the paper's method, in the theorem's own metric.\n"
    )
    for title, (task, text) in TEXTS.items():
        print(f"## {title}\n\nTask: *{task}*\n\n{quoted(text)}\n")
        facts = {}
        for name, privatizer in privatizers.items():
            result = privatizer.privatize(text, task)
            sensitive, others = survival(privatizer, text, task)
            certificate = result.certificate
            print(f"`{name}` (kept {sensitive:.2f} / {others:.2f})\n\n{quoted(result.text)}\n")
            facts[name] = {
                "groups": {str(g.group): [g.epsilon, g.units] for g in certificate.groups},
                "metrics": sorted({m.metric.partition("@")[0] for m in certificate.mechanisms}),
                "counts": certificate.counts.model_dump(),
                "worst_case": round(certificate.loss.worst_case, 1),
            }
        print("<details><summary>From the certificates</summary>\n\n```json")
        print(",\n".join(f'"{name}": {json.dumps(one)}' for name, one in facts.items()))
        print("```\n</details>\n")


if __name__ == "__main__":
    main()

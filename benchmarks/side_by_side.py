"""Own texts under STAMP and under one budget, repaired and not: docs/lab/side-by-side.md.

    python benchmarks/side_by_side.py --repair hf8:qwen-1.5b > docs/lab/side-by-side.md

Needs the asset smollm2, and for a repair the model that is named. The texts are invented. Releases
are seeded, so that the page can be made again; never seed your own. STAMP with polar and one budget
with Laplace have the same mean epsilon, in the same metric; with a repairing model each is shown as
it was drawn and as it was repaired.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from privstamp.budget import Budget
from privstamp.lab.audit.subject import perturbed, traced
from privstamp.lab.evals.experiments import changed, with_budget
from privstamp.lab.evals.privacy import distinct, survives
from privstamp.parts import Shelf, assemble
from privstamp.pipeline import Privatizer
from privstamp.policy import Policy
from privstamp.result import Result

HEAD = """<!-- Written by benchmarks/side_by_side.py: change it there. -->
# Side by side: STAMP and one budget for all

Texts that were written for this page, released by STAMP with polar noise (one budget for each
group, 2:1:4:3) and by Laplace noise under one budget for all units. The uniform budget is the mean
of STAMP's over the same text, in the same metric. On whole words and on token pieces; budgets of
the two tables say nothing about each other. Sensitive spans are the detector's.
"""
SEED: Final = 11
UNCHANGED: Final = "repaired: no change was proposed that passed the checks"
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
STAMP: Final = {
    "whole words": Policy.preset("stamp"),
    "token pieces": with_budget(
        Policy.preset("paper"), Budget.of([80, 48, 175, 143], metric="chordal")
    ),
}
"""STAMP with polar noise on both tables; on pieces the paper's middle budgets as concentrations."""


@dataclass(frozen=True, repr=False)
class Shown:
    """PRIVATE but for invented texts: one release, and what can be said about it."""

    name: str
    result: Result
    epsilon: float  # mean of the units that met noise
    survived: int
    spans: int

    def lines(self) -> Iterator[str]:
        yield (
            f"*{self.name}*: mean ε {self.epsilon:.0f} (chordal), {self.survived} of {self.spans} "
            "sensitive spans survive\n"
        )
        before, text = self.result.unrepaired, self.result.text
        if before is not None:
            yield f"{quoted(before)}\n"
            yield "repaired:\n" if before != text else f"{UNCHANGED}\n"
        if before != text:
            yield f"{quoted(text)}\n"


def page(repair: str | None = None, *, seed: int = SEED) -> str:
    """A page in markdown; `repair` names a model as a policy does."""
    shelf = Shelf()
    blocks = []
    for title, (task, text) in TEXTS.items():
        blocks.append(f"## {title}\n\nTask: *{task}*\n\n{quoted(text)}\n")
        for space, stamp in STAMP.items():
            first = shown(f"STAMP, polar, {space}", stamp, text, task, seed, repair, shelf)
            uniform = changed(stamp, mechanism="laplace-l2", budget=Budget.uniform(first.epsilon))
            second = shown(f"uniform, Laplace, {space}", uniform, text, task, seed, repair, shelf)
            blocks += [*first.lines(), *second.lines()]
    return "\n".join(blocks)


def shown(
    name: str, policy: Policy, text: str, task: str, seed: int, repair: str | None, shelf: Shelf
) -> Shown:
    """One release of a text under a policy, with a repair if one is named."""
    if repair is not None:
        policy = changed(policy, repair=repair)
    privatizer = Privatizer(policy, seed=seed, parts=assemble(policy, shelf))
    result = privatizer.privatize(text, task, trace=True)
    trace = traced(result)
    met = perturbed(trace)
    names = distinct(text, trace.grouping.findings)
    survived = sum(survives(one, result.text) for one in names)
    mean = float(trace.epsilon[met].mean()) if met.any() else 0.0
    return Shown(name, result, mean, survived, len(names))


def quoted(text: str) -> str:
    return "> " + text.replace("\n", "\n> ")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repair", metavar="MODEL", help="local, qwen-0.5b, gguf:FILE or a URL")
    given = parser.parse_args()
    print(HEAD)
    if given.repair:
        print(f"Repaired by `{given.repair}`, which saw the released text alone.\n")
    print(page(given.repair))


if __name__ == "__main__":
    main()

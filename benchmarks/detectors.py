"""What detection costs per 180 words, beside the rest of the line, and per list of terms.

    python benchmarks/detectors.py [--terms 1000000]

Median processor time over repeats in one process, all parts in turn, on the note that
`privstamp demo` shows: once alone, as short texts come, and twenty times over as one text.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
import tracemalloc

from privstamp.cli.demo import NOTE
from privstamp.registry import SENSITIVITY, SPACES
from privstamp.sensitivity.custom import Dictionary

WORDS, REPEATS = 180, 9
PARTS = {
    "rules": ("rules", {}),
    "lexicon": ("lexicon", {}),
    "rules + lexicon": ("union", {"parts": ["rules", "lexicon"], "consistency": False}),
    "rules + lexicon + consistency": ("union", {"parts": ["rules", "lexicon"]}),
    "presidio": ("presidio", {}),
    "presidio + lexicon + consistency": ("union", {"parts": ["presidio", "lexicon"]}),
}
SYLLABLES = "ka ro mi ten sha lo ver dun pe qui za bri".split()  # noqa: SIM905


def median(step, words: int) -> float:
    """Milliseconds for 180 words."""
    taken = []
    for _ in range(REPEATS):
        began = time.process_time()
        step()
        taken.append(time.process_time() - began)
    return 1000 * statistics.median(taken) * WORDS / words


def parts() -> None:
    space = SPACES.build("glove", {})
    texts = {"one note": [NOTE] * 20, "one long text": ["\n\n".join([NOTE] * 20)]}
    print(f"ms per {WORDS} words | " + " | ".join(texts))
    for name, (part, options) in PARTS.items():
        made = SENSITIVITY.build(part, options)
        cells = []
        for batch in texts.values():
            units = [space.split(text) for text in batch]
            words = sum(len(text.split()) for text in batch)

            def step(made=made, units=units) -> None:
                for one in units:
                    made.find([one])

            step()
            cells.append(f"{median(step, words):.2f}")
        print(f"{name} | " + " | ".join(cells))
    long = texts["one long text"][0]
    print(f"splitting | | {median(lambda: space.split(long), len(long.split())):.2f}")


def dictionary(size: int) -> None:
    rng = random.Random(7)  # noqa: S311

    def word() -> str:
        return "".join(rng.choices(SYLLABLES, k=rng.randint(2, 5)))

    terms = [" ".join(word() for _ in range(rng.randint(1, 4))) for _ in range(size)]
    text = " ".join(rng.choice(terms) if rng.random() < 0.1 else word() for _ in range(20_000))
    tracemalloc.start()
    made = Dictionary(terms, "terms")
    kept, peak = (size / 1e6 for size in tracemalloc.get_traced_memory())
    tracemalloc.stop()
    began = time.process_time()
    Dictionary(terms, "terms")
    built = time.process_time() - began
    found = len(list(made.spans(text)))
    cost = median(lambda: list(made.spans(text)), len(text.split()))
    print(f"{size:,} terms: built in {built:.1f} s, keeps {kept:.0f} MB (peak {peak:.0f} MB);")
    print(f"{cost:.2f} ms per {WORDS} words of a text with {found:,} of them")


if __name__ == "__main__":
    parts()
    dictionary(int(sys.argv[sys.argv.index("--terms") + 1]) if "--terms" in sys.argv else 1_000_000)

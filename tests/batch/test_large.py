"""A text in parts: one surrogate for each thing, one map, one certificate, bounded memory."""

import gc
import json
import re
import tracemalloc
from dataclasses import replace

import pytest

from line import Named
from privstamp.batch import cuts
from privstamp.batch.large import Large
from privstamp.errors import InputError, UsageError
from privstamp.pipeline import Privatizer
from privstamp.policy import Policy
from privstamp.release.parts import assemble
from privstamp.restore.map import SurrogateMap, in_parts

PEOPLE = {"Zworg Quux": "PERSON", "Quux": "PERSON", "Blarg": "PERSON"}
ACCOUNTS = re.compile(r"\b\d{4}-\d{4}\b|\b[a-z]+\.[a-z]+@\S+")


class Finder(Named):
    """Named, and account numbers and addresses."""

    def find(self, batch):
        found = super().find(batch)
        for page, findings in zip(batch, found, strict=True):
            for match in ACCOUNTS.finditer(page.text):
                kind = "EMAIL_ADDRESS" if "@" in match[0] else "ACCOUNT_NUMBER"
                findings.append(
                    replace(findings[0], start=match.start(), end=match.end(), kind=kind)
                    if findings
                    else self._one_at(match, kind)
                )
        return found

    def _one_at(self, match, kind):
        from privstamp.types import Finding

        return Finding(match.start(), match.end(), kind, 1.0, "named", "pattern")


@pytest.fixture(scope="module")
def privatizer():
    policy = Policy()
    parts = replace(
        assemble(Policy.of({"sensitivity": {"name": "rules"}})), sensitivity=Finder(PEOPLE)
    )
    return Privatizer(policy, parts=parts)


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    monkeypatch.setattr(cuts, "SIZE", 200)


def released(privatizer, text, size=333):
    run = Large(privatizer)
    pieces = (text[at : at + size] for at in range(0, len(text), size))
    parts = list(run.released(pieces))
    content = "".join(in_parts([(len(part), exact) for part, exact in parts], run.entries))
    return "".join(part for part, _ in parts), SurrogateMap.from_json(content), run, len(parts)


PARAGRAPH = "Zworg Quux wrote from zworg.quux@a.example about 4711-0815 and waits.\n\n"


def test_names_hold_and_all_of_it_is_undone(privatizer):
    text = "".join(f"{PARAGRAPH}Blarg was number {at}.\n\n" for at in range(100, 140))
    out, mapping, run, count = released(privatizer, text)
    assert count > 5
    found = re.findall(r"^(\w+) (\w+) wrote from (\S+)@example.com about (\S+) and", out, re.M)
    assert len(found) == 40 and len(set(found)) == 1
    given, family, local, account = found[0]
    assert local == f"{given}.{family}".lower() and account != "4711-0815"
    assert len(set(re.findall(r"^(\w+) was", out, re.M))) == 1
    assert "Quux" not in out and "Zworg" not in out and "Blarg" not in out
    assert mapping.restore(out, trusted=True) == text
    assert mapping.restore(f"Dear {given} {family},") == "Dear Zworg Quux,"
    assert mapping.restore(out[:-1], trusted=True) != text  # not the release: word by word
    assert run.certificate.notes[-1].startswith(f"read in {count} parts")


def test_the_certificate_is_the_sum(privatizer):
    text = "".join(f"{PARAGRAPH}Blarg was number {at}.\n\n" for at in range(100, 140))
    *_, run, count = released(privatizer, text)
    whole, total = privatizer.privatize(text, format="plain").certificate, run.certificate
    assert count > 5
    same = {"time", "notes", "fingerprints"}
    assert total.model_dump(exclude=same) == whole.model_dump(exclude=same)


def test_what_one_part_held_is_found_in_the_next(privatizer):
    finder = privatizer.parts.sensitivity
    text = PARAGRAPH * 8 + "It was 4711-0815 again.\n\n" * 8

    class Forgetful(Finder):
        def find(self, batch):
            return [
                [one for one in found if "again" not in page.text or one.kind == "PERSON"]
                for page, found in zip(batch, finder.find(batch), strict=True)
            ]

    forgetful = Privatizer(
        privatizer.policy, parts=replace(privatizer.parts, sensitivity=Forgetful(PEOPLE))
    )
    out, *_ = released(forgetful, text)
    assert "4711-0815" not in out


def test_small_numbers_differ_from_paragraph_to_paragraph(privatizer):
    finding = {"47": "CARDINAL", "Friday": "DATE_TIME"}
    parts = replace(privatizer.parts, sensitivity=Finder(finding))
    text = "There were 47 of 47 on Friday or Friday.\n\n" * 40
    out, *_ = released(Privatizer(privatizer.policy, parts=parts), text)
    lines = re.findall(r"were (\d+) of (\d+) on (\w+) or (\w+)", out)
    assert len(lines) == 40
    assert all(a == b and c == d for a, b, c, d in lines)
    assert len({a for a, *_ in lines}) > 1 and len({c for *_, c, _ in lines}) > 1


def test_rows_and_lines_keep_their_names(privatizer):
    rows = [f"{at},Zworg Quux,4711-0815" for at in range(1000, 1060)]
    text = "\n".join(["number,zelwicz,account", *rows])
    out, mapping, _, count = released(privatizer, text)
    header, *lines = out.split("\n")
    assert count > 3 and len(lines) == 60 and header.split(",")[1] != "zelwicz"
    assert len({line.split(",")[1] for line in lines}) == 1
    assert mapping.restore(out, trusted=True) == text
    text = "\n".join(json.dumps({"zelwicz": "Zworg Quux", "n": at}) for at in range(1000, 1060))
    out, mapping, _, count = released(privatizer, text)
    records = [json.loads(line) for line in out.split("\n")]
    assert count > 3 and len({tuple(record) for record in records}) == 1
    assert len({next(iter(record.values())) for record in records}) == 1
    assert mapping.restore(out, trusted=True) == text


def test_two_runs_share_nothing(privatizer):
    first, *_ = released(privatizer, PARAGRAPH * 9)
    second, *_ = released(privatizer, PARAGRAPH * 9)
    assert first != second


def test_no_secret_no_repair_and_nothing_at_all(privatizer):
    with pytest.raises(UsageError, match="no secret"):
        Large(privatizer.with_noise(secret=b"x" * 32))
    with pytest.raises(InputError, match="no text"):
        _ = Large(privatizer).certificate


def test_a_part_that_fails_ends_it_without_its_text(privatizer):
    run = Large(privatizer)
    with pytest.raises(InputError, match="surrogate") as caught:
        list(run.released(iter([PARAGRAPH * 9, "Blarg \ud800\n\n" * 9, PARAGRAPH * 9])))
    assert "Blarg" not in str(caught.value) and caught.value.__context__ is None


def test_memory_does_not_grow_with_the_text(privatizer):
    """Four times the text of the same things, in no more memory than a few parts take."""
    run = Large(privatizer)
    pieces = (PARAGRAPH + "It was late again, and nobody came. " * 9 + "\n\n" for _ in range(800))
    sizes = []
    tracemalloc.start()
    for number, (part, _) in enumerate(run.released(pieces)):
        if number % 100 == 99:
            gc.collect()  # what waits for the collector is no growth
            sizes.append(tracemalloc.get_traced_memory()[0])
        del part
    tracemalloc.stop()
    assert len(sizes) >= 8
    assert sizes[-1] - sizes[1] < 100_000


def test_a_name_is_of_the_kind_that_it_had_before(privatizer):
    """Else one person would get two surrogates."""
    from privstamp.release.roster import Roster
    from privstamp.types import Finding

    roster, text = Roster(), "Zworg Quux came."
    roster.learn(text, [Finding(0, 9, "PERSON", 1.0, "named", "n")])
    page = privatizer.parts.space.split("Later Zworg Quux left.")
    [later] = roster.more(page, [Finding(6, 15, "LOCATION", 1.0, "named", "n")], object())
    assert later.kind == "PERSON"

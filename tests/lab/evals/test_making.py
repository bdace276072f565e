"""A stand-in model writes passages, some of them wrong; only those without a fault are kept."""

import json
import re

import pytest

from privstamp.errors import InputError, UsageError
from privstamp.lab.evals import fantasy, invention
from privstamp.lab.evals.invention import FORMS, make_fantasy, read_reply
from privstamp.types import Reply


def _letters(number):
    """A number without figures: passages of other numbers share no run of words."""
    return "".join(chr(97 + int(one)) for one in str(number))


def good(number):
    name = f"Quorl {chr(65 + number % 26)}mber"
    filler = "reeds " + " ".join(f"{chr(97 + n % 26)}w{_letters(number)}" for n in range(114))
    return {
        "title": "Reeds",
        "passage": f"{name} cut {number} stems at Moss End, and sang.\n {filler}",
        "questions": [
            {"question": "Who cut?", "answers": [name]},
            {"question": "How many?", "answers": [str(number)]},
            {"question": "Where?", "answers": ["Moss End"]},
            {"question": "What grew?", "answers": ["reeds"]},
            {"question": "What was done then?", "answers": ["sang"]},
        ],
        "sensitive": [
            {"text": name, "kind": "PERSON"},
            {"text": str(number), "kind": "NUMBER"},
            {"text": "Moss End", "kind": "LOCATION"},
        ],
    }


class Writer:
    """`say(number of the series, how often it was asked for that)` makes a reply."""

    def __init__(self, say):
        self.say = say
        self.prompts = []
        self.times = {}

    def complete(self, prompts, *, temperature, max_tokens):
        return [Reply(self._reply(prompt), 1, 1) for prompt in prompts]

    def _reply(self, prompt):
        self.prompts.append(prompt.text)
        number = int(re.search(r"number (\d+) of a series", prompt.text)[1])
        self.times[number] = self.times.get(number, 0) + 1
        said = self.say(number, self.times[number])
        return said if isinstance(said, str) else json.dumps(said)


def held(path):
    return [passage.id for passage in fantasy.parse(path.read_text().splitlines())]


def test_good_passages_are_written_and_pass_every_check(tmp_path):
    out, heard = tmp_path / "made.jsonl", []
    made = make_fantasy(Writer(lambda n, _: f"Here:\n```json\n{json.dumps(good(n))}\n```"), 6, out,
                        progress=lambda _, done: heard.append(done))  # fmt: skip
    passages = fantasy.parse(out.read_text().splitlines())
    assert not fantasy.check_all(passages) and len(passages) == 6
    assert (made.written, made.in_file, made.given_up, made.replies) == (6, 6, 0, 6)
    assert not made.faults and heard == [0, 1, 2, 3, 4, 5, 6]
    assert {passage.form for passage in passages} <= set(FORMS)
    assert "\n" not in passages[0].text


def test_a_fault_is_named_and_the_passage_asked_for_again(tmp_path):
    def say(number, time):
        wrong = good(number) | {"questions": good(number)["questions"][:4]}
        return good(number) if time > 1 else wrong

    writer = Writer(say)
    made = make_fantasy(writer, 2, tmp_path / "made.jsonl")
    assert (made.written, made.replies) == (2, 4) and made.faults == {"N questions": 2}
    again = [prompt for prompt in writer.prompts if "refused" in prompt]
    assert len(again) == 2 and all("- 4 questions; 5 are asked for" in one for one in again)


def test_it_gives_up_in_the_end_and_counts_why(tmp_path):
    out = tmp_path / "made.jsonl"
    writer = Writer(lambda number, _: "Sorry, no." if number % 2 else good(number))
    made = make_fantasy(writer, 3, out)
    assert (made.written, made.given_up, made.replies) == (3, 3, 3 + 3 * invention.ATTEMPTS)
    assert made.faults == {"not one JSON object": 3 * invention.ATTEMPTS}
    never = Writer(lambda *_: "no")
    assert make_fantasy(never, 5, out).written == 0
    assert len(never.prompts) == invention.ATTEMPTS * invention.SPARE * 2
    assert held(out) == ["made-2", "made-4", "made-6"]


def test_a_stopped_run_goes_on_and_an_unfinished_line_goes(tmp_path):
    out = tmp_path / "made.jsonl"
    make_fantasy(Writer(lambda n, _: good(n)), 2, out)
    before = out.read_text()
    out.write_text(before + before[:40])
    made = make_fantasy(Writer(lambda n, _: good(n)), 4, out)
    assert out.read_text().startswith(before) and held(out) == [f"made-{n}" for n in (1, 2, 3, 4)]
    assert (made.written, made.in_file) == (2, 4)
    asked = Writer(lambda *_: pytest.fail("there are enough"))
    assert make_fantasy(asked, 4, out).written == 0


def test_the_same_passage_twice_is_refused(tmp_path):
    made = make_fantasy(Writer(lambda *_: good(3)), 2, tmp_path / "made.jsonl")
    fault = "the passage is too much like one that was written before"
    assert made.written == 1 and set(made.faults) == {fault}


def test_a_passage_that_comes_with_privstamp_is_refused(tmp_path):
    first = fantasy.load()[0]
    copied = {
        "title": first.title,
        "passage": first.text,
        "questions": [
            {"question": q.question, "answers": list(q.answers)} for q in first.questions
        ],
        "sensitive": [{"text": m.text, "kind": m.kind} for m in first.sensitive],
    }
    made = make_fantasy(Writer(lambda *_: copied), 1, tmp_path / "made.jsonl")
    assert made.written == 0
    assert list(made.faults) == ["the passage is too much like one that was written before"]


def test_what_was_made_before_a_request_failed_is_kept(tmp_path):
    path = tmp_path / "made.jsonl"

    def say(number, times):
        if number == 2 and times == 2:
            raise InputError("the endpoint did not answer")
        return "no" if number == 2 else good(number)

    with pytest.raises(InputError):
        make_fantasy(Writer(say), 2, path)
    assert held(path) == ["made-1"]


def test_a_variation_of_a_passage_is_refused(tmp_path):
    def say(number, _):
        return good(3) | {"passage": good(3)["passage"].replace("sang", f"sang {_letters(number)}")}

    made = make_fantasy(Writer(say), 2, tmp_path / "made.jsonl")
    assert made.written == 1


@pytest.mark.parametrize("title", ["  ", "x" * 500, "Reeds\x1b[2J", "Reeds \u202e", "Two\nlines"])
def test_a_title_that_is_no_plain_line_is_refused(title):
    passage, wrong = read_reply(json.dumps(good(1) | {"title": title}), 1, set())
    assert passage is None and "title" in " ".join(wrong)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"title": 3}, "title: string_type"),
        ({"poem": "secret"}, "a field that was not asked for"),
        (
            {"questions": [{"question": "Who?", "answers": "secret"}]},
            "questions.N.answers: list_type",
        ),
        (
            {"sensitive": []},
            "a figure in digits, in passage or question, is not listed as sensitive",
        ),
        ({"passage": "secret"}, "passage has N words"),
    ],
)
def test_faults_are_counted_without_text(change, fault):
    passage, wrong = read_reply(json.dumps(good(1) | change), 1, set())
    assert passage is None and fault in {invention._kind(one) for one in wrong}
    assert "secret" not in " ".join(wrong)


def test_files_that_are_something_else_are_left_alone(tmp_path):
    out = tmp_path / "notes.jsonl"
    out.write_text('{"a": 1}\n')
    with pytest.raises(InputError, match=r"notes\.jsonl, line 1 is not a passage"):
        make_fantasy(Writer(lambda *_: ""), 1, out)
    assert out.read_text() == '{"a": 1}\n'
    with pytest.raises(UsageError, match="cannot be written"):
        make_fantasy(Writer(lambda *_: ""), 1, tmp_path / "none" / "made.jsonl")
    with pytest.raises(UsageError, match="count"):
        make_fantasy(Writer(lambda *_: ""), 0, out)

from privstamp.lab.evals.conditions import LEFT, Gapped, fill, words
from privstamp.types import Reply, Usage


class Counter:
    """Replies with the number of the prompt."""

    name = fingerprint = "counter"
    place = "this machine"
    usage = Usage()

    def __init__(self):
        self.batches = []

    def complete(self, prompts, *, temperature, max_tokens):
        self.batches.append([prompt.text for prompt in prompts])
        return [Reply(f"Thing{len(self.batches)}", 1, 1) for _ in prompts]

    def close(self):
        pass


def test_the_left_context_is_filled_before_it_is_shown():
    model = Counter()
    job = Gapped(["One ", " and ", " end"], ["anna", "bo"])
    fill([job], model)
    assert job.text() == "One Thing1 and Thing2 end"
    assert model.batches[1][0].endswith("One Thing1 and")
    assert "end" not in "".join(map(str, model.batches))


def test_one_thing_has_one_filling():
    model = Counter()
    job = Gapped(["", " met ", ""], ["anna", "anna"])
    fill([job], model)
    assert job.text() == "Thing1 met Thing1"
    task = Gapped(["Who is ", "?"], ["anna"], dict(job.fills))
    assert task.next_gap() is None
    assert task.text() == "Who is Thing1?"
    assert len(model.batches) == 1


def test_first_gaps_of_all_examples_are_asked_together():
    model = Counter()
    jobs = [Gapped(["", ""], ["anna"]), Gapped(["", " ", ""], ["bo", "cy"])]
    fill(jobs, model)
    assert [len(batch) for batch in model.batches] == [2, 1]


def test_a_long_text_is_cut_from_the_left():
    model = Counter()
    fill([Gapped(["far " + "near " * LEFT, ""], ["anna"])], model)
    assert "far" not in model.batches[0][0].removeprefix("Which")


def test_replies_become_a_few_plain_words():
    assert words(' "Anna-Lee O\'Neil", of course, and more') == "Anna-Lee O'Neil of"
    assert words("...") == "[MASK]"

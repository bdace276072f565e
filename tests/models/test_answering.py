import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from models.chat_server import said, serving
from privstamp import registry
from privstamp.assets import store as assets
from privstamp.errors import AssetError, MissingExtra, UnknownName, UsageError
from privstamp.models import answering, llama
from privstamp.models.answering import LOCAL, open_answerer
from privstamp.protocols import Answerer
from privstamp.registry import ANSWERERS
from privstamp.types import Prompt, Reply, Usage

pytest.importorskip("xllamacpp")
import tiny_llama

CHATML = "<|im_start|>"  # as much as llama.cpp looks for
STORY = (
    "In the village of Ormlet the baker Teska Vorn sells black bread on Fridays. "
    "Her brother Ilo, who is a ferryman, lives across the river."
)


def ask(model: Answerer, *texts: str, temperature: float = 0.0) -> list[str]:
    prompts = [Prompt(text, "Answer in one word.") for text in texts]
    return [reply.text for reply in model.complete(prompts, temperature=temperature, max_tokens=8)]


def test_a_url_is_an_endpoint(tmp_path):
    with serving(lambda *_: said("yes")) as served:
        model = open_answerer(served.url, model="some-model", cache=tmp_path / "replies")
        with model:
            assert ask(model, "a", "a") == ["yes", "yes"]
        assert (model.name, model.place) == ("endpoint 127.0.0.1/some-model", "127.0.0.1")
        assert model.usage.requests == len(list((tmp_path / "replies").iterdir())) == 1
        other = open_answerer(served.url, model="other-model")
        assert model.fingerprint != other.fingerprint


def test_how_an_endpoint_is_asked_can_be_said():
    with serving(lambda *_: said("yes"), delay=0.1) as served:
        model = open_answerer(served.url, model="m", concurrency=2, timeout=7)
        ask(model, *"abcdef")
    assert served.open_most == 2 and model._timeout == 7


def test_a_model_is_named_with_a_url_and_only_there():
    with pytest.raises(UsageError, match="needs the name of a model"):
        open_answerer("https://example.com/v1")
    with pytest.raises(UsageError, match="goes with a URL"):
        open_answerer("smollm2", model="other")


def test_a_file_answers_in_a_process_of_its_own(tmp_path):
    path = tmp_path / "tiny.gguf"
    tiny_llama.write(path, **{"tokenizer.chat_template": CHATML})
    with open_answerer(f"gguf:{path}") as model, open_answerer(f"gguf:{path}", seed=3) as other:
        texts = ["the doctor", "the hospital paid", "the doctor"]
        first = ask(model, *texts, temperature=1.0)
        assert first[0] == first[2] != first[1]
        assert ask(model, *texts[::-1], temperature=1.0) == first[::-1]
        assert ask(other, *texts, temperature=1.0) != first
        assert ask(other, *texts) == ask(model, *texts)
        assert model.name == "gguf:tiny.gguf" and str(tmp_path) not in repr(model)
        assert model.place == "this machine"
        assert model.fingerprint != other.fingerprint


def test_unknown_names_list_what_there_is(tmp_path):
    with pytest.raises(
        UnknownName, match=r'no model that answers "qwen-05b".*Did you mean "qwen-0\.5b"'
    ):
        open_answerer("qwen-05b")
    (tmp_path / "a.gguf").write_bytes(b"no such thing")
    with pytest.raises(AssetError, match=r"a\.gguf cannot be read as GGUF"):
        open_answerer(f"gguf:{tmp_path / 'a.gguf'}")


class Parrot:
    """An answering model of somebody else's: it says what it was asked."""

    place, usage = "this machine", Usage()

    def __init__(self, name, opening):
        self.name, self.fingerprint = name, f"parrot {opening.seed}"

    def complete(self, prompts, *, temperature, max_tokens):
        return [Reply(prompt.text, 1, 1) for prompt in prompts]

    def close(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def test_a_model_of_another_package_answers_by_its_name(monkeypatch):
    point = EntryPoint("parrot:", f"{__name__}:Parrot", "privstamp.answerers")
    table = registry.Table("model that answers", "privstamp.answerers", ANSWERERS._builtin)
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: [point])
    monkeypatch.setattr(answering, "ANSWERERS", table)
    with open_answerer("parrot:grey", seed=4) as model:
        assert ask(model, "hello") == ["hello"]
        assert (model.name, model.fingerprint) == ("parrot:grey", "parrot 4")
    with pytest.raises(UsageError, match="goes with a URL"):
        open_answerer("parrot:grey", model="m")


@pytest.mark.parametrize("name", LOCAL)
def test_an_asset_that_is_not_here_is_named_and_never_fetched(tmp_path, monkeypatch, name):
    monkeypatch.setattr(assets, "cache_folder", lambda: tmp_path)
    with pytest.raises(AssetError, match=f"Try: privstamp assets pull {name}"):
        open_answerer(name)


def test_local_is_the_best_that_was_pulled(tmp_path, monkeypatch):
    def pulled(*names):
        def locate(name, _member):
            if name not in names:
                raise AssetError(f"{name} is not here")
            (tmp_path / name).write_bytes(b"")
            return tmp_path / name

        monkeypatch.setattr(assets, "locate", locate)

    pulled("qwen-0.5b", "qwen-1.5b", "smollm2")
    best = open_answerer("local")
    assert best.name == "qwen-1.5b" and best.fingerprint == open_answerer("qwen-1.5b").fingerprint
    pulled("qwen-0.5b", "smollm2")
    assert open_answerer("local").name == "qwen-0.5b"
    pulled("smollm2")
    with pytest.raises(AssetError, match=r"privstamp assets pull qwen-0\.5b"):
        open_answerer("local")


def test_the_extra_is_asked_for_first(monkeypatch):
    def absent(name: str) -> str:
        raise llama.PackageNotFoundError(name)

    monkeypatch.setattr(llama, "version", absent)
    with pytest.raises(MissingExtra, match=r'pip install "privstamp\[lm\]"') as caught:
        open_answerer("smollm2")
    assert caught.value.__context__ is None


@pytest.mark.download
def test_the_small_model_answers(tmp_path):
    assets.pull("smollm2")
    with open_answerer("smollm2", cache=tmp_path) as model:
        [capital] = ask(model, "What is the capital of France?")
        assert "Paris" in capital
        drawn = ask(model, "Name a colour.", temperature=1.0)
    with open_answerer("smollm2") as again:
        assert ask(again, "Name a colour.", temperature=1.0) == drawn
        if sys.platform == "linux":
            process = again._worker._process.pid
            assert listening(process) == []
            limits = Path(f"/proc/{process}/limits").read_text()
            assert "Max address space         2196724864" in limits


def listening(process: int) -> list[str]:
    """Sockets that a process holds: none, not even one that it could listen on."""
    links = (fd.readlink() for fd in Path(f"/proc/{process}/fd").iterdir())
    return [str(link) for link in links if str(link).startswith("socket:")]


@pytest.mark.slow
@pytest.mark.skipif(not assets.status("qwen-0.5b").present, reason="assets pull qwen-0.5b")
def test_a_larger_model_reads_what_it_is_asked_about():
    asked = {"What is the name of the baker?": "Teska", "When is bread sold?": "Friday"}
    with open_answerer("qwen-0.5b") as model:
        replies = ask(model, *(f"{STORY}\n\nQuestion: {each}\nAnswer:" for each in asked))
    for right, reply in zip(asked.values(), replies, strict=True):
        assert right in reply

"""Needs the extra `transformers`; the network is made here, at random."""

import os
import signal
import sys
from pathlib import Path

import pytest

from models import tiny_chat
from privstamp.errors import (
    AssetError,
    Incompatible,
    MissingExtra,
    StageFailed,
    UnknownName,
    UsageError,
)
from privstamp.models import answering
from privstamp.models.answering import open_answerer
from privstamp.types import Prompt

SECRET = "Quillfeather owes 340 euros"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tiny_chat.write(tmp_path_factory.mktemp("hf") / "tiny")


def ask(model, *ends: str, temperature=1.0, max_tokens=6) -> list[str]:
    prompts = [Prompt(f"{SECRET}\n\n{end}", "Be brief.") for end in ends]
    replies = model.complete(prompts, temperature=temperature, max_tokens=max_tokens)
    return [reply.text for reply in replies]


@pytest.mark.slow
def test_a_folder_answers_in_a_process_of_its_own(folder, tmp_path):
    ends = [f"Who paid for number {at}?" for at in range(40)]
    with open_answerer(f"hf:{folder}", cache=tmp_path) as model:
        first = ask(model, *ends)
        assert len(set(first)) > 30 and ask(model, *ends[::-1]) == first[::-1]
        greedy = ask(model, *ends[:3], temperature=0.0)
        assert (model.usage.requests, model.usage.cached) == (43, 40)
        assert (model.name, model.place) == ("hf:tiny", "this machine")
        with pytest.raises(UsageError, match="do not fit into the 1024 that hf:tiny reads"):
            ask(model, "why " * 1000)
        if sys.platform == "linux":
            process = model._worker._process.pid
            links = (fd.readlink() for fd in Path(f"/proc/{process}/fd").iterdir())
            assert not [link for link in links if str(link).startswith("socket:")]
        os.kill(model._worker._process.pid, signal.SIGKILL)
        with pytest.raises(StageFailed, match=r"ended \(signal 9\)") as caught:
            ask(model, "Who is it?")
        assert SECRET not in str(caught.value) and caught.value.__context__ is None
    with open_answerer(f"hf:{folder}", seed=1) as other:
        assert other.fingerprint != model.fingerprint
        assert ask(other, *ends[:3]) != first[:3]
        assert ask(other, *ends[:3], temperature=0.0) == greedy


@pytest.mark.slow
def test_weights_in_bytes_are_another_model(folder):
    ends = [f"Who paid for number {at}?" for at in range(20)]
    with open_answerer(f"hf:{folder}") as plain, open_answerer(f"hf8:{folder}") as model:
        assert model.name == "hf8:tiny" and model.fingerprint != plain.fingerprint
        rounded, whole = (ask(one, *ends, temperature=0.0) for one in (model, plain))
    same = sum(one == other for one, other in zip(rounded, whole, strict=True))
    assert 0 < same < len(ends)  # a random network has many pieces that are all but equal


@pytest.mark.slow
def test_a_model_that_cannot_be_opened_says_so(tmp_path):
    tiny_chat.write(tmp_path, template=None)
    with (
        open_answerer(f"hf:{tmp_path}") as model,
        pytest.raises(Incompatible, match="no chat temp"),
    ):
        ask(model, "Who?")


def test_names_and_folders_that_are_none_are_refused(folder, tmp_path):
    for name in ("smollm2", "owner/name", str(tmp_path / "absent")):
        with pytest.raises(UnknownName, match=r'no model that answers "hf:.*a folder'):
            open_answerer(f"hf:{name}")
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(AssetError, match=r"has no tokenizer\.json"):
        open_answerer(f"hf:{tmp_path}")


def test_the_fingerprint_follows_the_files(folder, tmp_path):
    tiny_chat.write(tmp_path, seed=4)
    one, other = open_answerer(f"hf:{folder}"), open_answerer(f"hf:{tmp_path}")
    assert one.fingerprint != other.fingerprint


def test_without_the_extra_the_install_line_is_named(monkeypatch):
    def absent(name: str) -> str:
        raise answering.PackageNotFoundError(name)

    monkeypatch.setattr(answering, "version", absent)
    with pytest.raises(MissingExtra, match=r'pip install "privstamp\[transformers\]"') as caught:
        open_answerer("hf:qwen-0.5b")
    assert caught.value.__context__ is None

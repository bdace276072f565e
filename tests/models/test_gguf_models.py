import numpy as np
import pytest

from privstamp.assets import store as assets
from privstamp.errors import AssetError, MissingExtra, UsageError
from privstamp.models import llama
from privstamp.models.causal import WINDOW
from privstamp.models.llama import GgufModel, SmolLM2Model
from privstamp.registry import MODELS
from privstamp.spaces.pieces import SmolLM2 as SmolLM2Space

pytest.importorskip("xllamacpp")
import tiny_llama


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    path = tmp_path_factory.mktemp("gguf") / "tiny.gguf"
    return path, tiny_llama.write(path)


def test_a_file_is_a_language_model_by_name(tiny):
    path, tensors = tiny
    with MODELS.build(f"gguf:{path}", {"threads": 1}) as model:
        text = "The doctor wrote a letter"
        ids = [0, *model.pieces(text)]
        found = model.next_logprobs(text)
        assert model.name == "gguf:tiny.gguf" and str(path.parent) not in repr(model)
        assert np.exp(found).sum() == pytest.approx(1.0)
        assert np.abs(found - tiny_llama.logprobs(tensors, ids)[-1]).max() < 0.05


def test_long_texts_keep_to_the_window(tiny):
    path, tensors = tiny
    with GgufModel(str(path)) as model:
        text = "nobody paid the café on Tuesday " * 130
        ids = model.pieces(text)
        assert len(ids) > WINDOW + 200
        start = -(-(len(ids) - WINDOW) // 256) * 256
        expected = tiny_llama.logprobs(tensors, [0, *ids[start:]])[-1]
        assert np.abs(model.next_logprobs(text) - expected).max() < 0.05
        total, count = model.loss(text)
        steps = tiny_llama.logprobs(tensors, [0, *ids[:512]])
        early = -sum(steps[at, piece] for at, piece in enumerate(ids[:513]))
        assert count == len(ids)
        assert 0 < early < total < 2 * early


def test_the_fingerprint_follows_the_file(tiny, tmp_path):
    path, _ = tiny
    tiny_llama.write(tmp_path / "tiny.gguf", length=1024)
    with (
        GgufModel(str(path)) as one,
        GgufModel(str(path)) as same,
        GgufModel(str(tmp_path / path.name)) as other,
    ):
        assert one.fingerprint == same.fingerprint != other.fingerprint


def test_what_is_no_gguf_file_is_refused(tmp_path):
    (tmp_path / "a.gguf").write_bytes(b"no such thing")
    for name in ("a.gguf", "absent.gguf"):
        with pytest.raises(AssetError, match=rf"{name} cannot be read as GGUF"):
            GgufModel(str(tmp_path / name))


def test_threads_are_counted_from_one(tiny):
    with pytest.raises(UsageError, match="threads must be 1 or more, not 0"):
        GgufModel(str(tiny[0]), threads=0)


def test_an_asset_that_is_not_here_is_named_and_never_fetched(tmp_path, monkeypatch):
    monkeypatch.setattr(assets, "cache_folder", lambda: tmp_path)
    with pytest.raises(AssetError, match="Try: privstamp assets pull smollm2"):
        SmolLM2Model()


def test_the_extra_is_asked_for_before_the_asset(tmp_path, monkeypatch):
    def absent(name: str) -> str:
        raise llama.PackageNotFoundError(name)

    monkeypatch.setattr(llama, "version", absent)
    monkeypatch.setattr(assets, "cache_folder", lambda: tmp_path)
    with pytest.raises(MissingExtra, match=r'pip install "privstamp\[lm\]"'):
        SmolLM2Model()


@pytest.fixture(scope="module")
def smollm2():
    assets.pull("smollm2")
    with SmolLM2Model() as model:
        yield model


@pytest.mark.download
def test_the_default_model_knows_some_english(smollm2):
    row = smollm2.next_logprobs("The capital of France is")
    [paris], [spoon] = smollm2.pieces(" Paris"), smollm2.pieces(" spoon")
    assert row.shape == (49_152,) and np.isfinite(row).all()
    assert np.exp(row).sum() == pytest.approx(1.0, abs=1e-9)
    assert row[paris] > row[spoon] + 5.0
    fluent, count = smollm2.loss("She put the kettle on and waited for the water to boil.")
    broken, same = smollm2.loss("Kettle the boil put waited on for and she water to the.")
    assert fluent / count < 4.5 < broken / same - 1.0


@pytest.mark.download
def test_the_default_model_gives_equal_bits_after_other_questions(smollm2):
    prefix = "She put the kettle on and waited for the"
    first = smollm2.next_logprobs(prefix)
    smollm2.next_logprobs("She put the kettle", smollm2.pieces(" down"))
    smollm2.next_logprobs(prefix, smollm2.pieces(" water to boil"))
    smollm2.loss("Something else.")
    smollm2._recent.clear()
    assert (smollm2.next_logprobs(prefix) == first).all()
    ids = smollm2.pieces("Dogs bark.")
    steps = [-smollm2.next_logprobs("", ids[:at])[piece] for at, piece in enumerate(ids)]
    assert smollm2.loss("Dogs bark.")[0] == pytest.approx(sum(steps), abs=0.05)


@pytest.mark.download
def test_the_default_model_and_the_token_space_have_the_same_pieces(smollm2):
    space = SmolLM2Space()
    for text in ("Dear Ms Harper, 12 kettles", " Raghunathan's naïve café", "it's 3.50"):
        assert smollm2.pieces(text) == space.split(text).rows.tolist()

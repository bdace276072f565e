"""Piece spaces from tiny files, and from the real SmolLM2 and MPNet."""

import hashlib
import time

import numpy as np
import pytest
import tiny_models as tiny

from privstamp.assets.store import locate, pull
from privstamp.errors import AssetError, UsageError
from privstamp.registry import SPACES
from privstamp.spaces.gguf import GgufFile
from privstamp.spaces.pieces import Gguf, HuggingFace, SmolLM2
from privstamp.testing import TEXTS, check_space
from privstamp.types import UNKNOWN, join_surfaces


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("PRIVSTAMP_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "derived"


@pytest.fixture
def tiny_gguf(tmp_path, cache):
    tiny.write_gguf(tmp_path / "tiny.gguf")
    return SPACES.build(f"gguf:{tmp_path / 'tiny.gguf'}", {"preprocessing": "abtt2"})


@pytest.fixture
def tiny_uncased(tmp_path, cache):
    tiny.write_folder(tmp_path / "tiny-bert", tiny.wordpiece_spec())
    return SPACES.build(f"hf:{tmp_path / 'tiny-bert'}", {"preprocessing": "abtt2"})


def test_tiny_spaces_keep_the_contract(tiny_gguf, tiny_uncased):
    for space in (tiny_gguf, tiny_uncased):
        check_space(space, (*TEXTS, tiny.TEXT))
        assert space.classes == ("piece",)
        assert isinstance(space.unit, np.memmap)
        assert not np.isin([0, 1], space.outputs[0]).any()
    assert tiny_gguf.name == "gguf:tiny.gguf"
    assert tiny_uncased.name == "hf:tiny-bert"
    assert repr(tiny_gguf) == f"Gguf(gguf:tiny.gguf, {len(tiny_gguf.unit)} x 32)"


def test_byte_level_rendering(tiny_gguf):
    text = "the doctor paid 12 letters"
    units = tiny_gguf.split(text)
    assert (units.rows != UNKNOWN).all()
    assert "".join(tiny_gguf.render(units.rows, units.labels)) == text
    assert tiny_gguf.words(units.rows) == units.surfaces()


def test_uncased_rendering(tiny_uncased):
    text = "The DOCTOR answered, Nobody reads Letters"
    units = tiny_uncased.split(text)
    assert join_surfaces(units, tiny_uncased.render(units.rows, units.labels)) == text


def test_second_start_reads_the_cache(tmp_path, tiny_gguf, cache, monkeypatch):
    monkeypatch.setattr("privstamp.spaces.piece_table.write", lambda *_: pytest.fail("built again"))
    again = Gguf(str(tmp_path / "tiny.gguf"), preprocessing="abtt2")
    assert again.fingerprint == tiny_gguf.fingerprint
    assert len([path for path in cache.iterdir() if path.is_dir()]) == 1


def test_fingerprint_follows_file_and_recipe(tmp_path, tiny_gguf):
    path = tmp_path / "tiny.gguf"
    raw = Gguf(str(path), preprocessing="raw")
    path.write_bytes(path.read_bytes()[:-1] + b"\x05")
    changed = Gguf(str(path), preprocessing="abtt2")
    assert len({tiny_gguf.fingerprint, raw.fingerprint, changed.fingerprint}) == 3


def test_raw_rows_are_the_file_s(tmp_path, cache):
    values = tiny.write_folder(tmp_path / "model", tiny.metaspace_spec(), "transformer.wte.weight")
    space = HuggingFace(str(tmp_path / "model"), preprocessing="raw")
    length = np.linalg.norm(values, axis=1)
    assert np.allclose(space.unit, values / length[:, None], atol=1e-6)
    assert np.allclose(space.radius, length, rtol=1e-6)
    check_space(space)


def test_what_is_wrong_is_named(tmp_path, cache):
    with pytest.raises(AssetError, match="No such file"):
        Gguf(str(tmp_path / "none.gguf"))
    folder = tmp_path / "model"
    tiny.write_folder(folder, tiny.wordpiece_spec())
    with pytest.raises(UsageError, match="abtt"):
        HuggingFace(str(folder), preprocessing="shuffled")
    for content in ("", "{}", "[1]", '{"model": {"vocab": 3}}'):
        (folder / "tokenizer.json").write_text(content)
        with pytest.raises(AssetError, match=r"no tokenizer\.json that can be read"):
            HuggingFace(str(folder))


@pytest.fixture(scope="module")
def smollm2():
    pull("smollm2")
    return SmolLM2()


@pytest.fixture(scope="module")
def mpnet():
    pull("mpnet")
    return HuggingFace(str(locate("mpnet", "model").parent))


def nearest(space, word, count=8):
    (row,) = space.split(word).rows
    outputs = space.outputs[0]
    order = np.argsort(-(np.asarray(space.unit[outputs]) @ space.unit[row]))
    return [one.strip() for one in space.words(outputs[order[:count]])]


@pytest.mark.download
@pytest.mark.slow
def test_smollm2_table_and_traps(smollm2):
    file = GgufFile(locate("smollm2", "model"))
    table = file.table()
    assert table.shape == smollm2.unit.shape == (49_152, 576)
    assert hashlib.sha256(table).hexdigest() == (
        "3fd491c8066dd9dc1a2bf6796701526c82817d95c0ecabacdef3013c2b8bbbaa"
    )
    never = [*range(17), 36743, 36744, 45175, 48047]
    assert not np.isin(never, smollm2.outputs[0]).any()
    assert len(smollm2.outputs[0]) > 48_000
    units = smollm2.split("PlaneProtection ManagementPlaneProtection transistorsum a")
    assert not np.isin(units.rows, never).any()


@pytest.mark.download
@pytest.mark.slow
def test_smollm2_units(smollm2):
    check_space(smollm2)
    units = smollm2.split("A \x04\x06 😀 <|im_start|>\U000f0000 x")
    assert (units.rows[units.rows != UNKNOWN] > 16).all()
    surfaces = units.surfaces()
    unknown = [s for s, row in zip(surfaces, units.rows, strict=True) if row == UNKNOWN]
    assert unknown == ["\x04\x06", " 😀", "\U000f0000"]
    assert surfaces[surfaces.index(" 😀") + 1 : -2] == [" <", "|", "im", "_", "start", "|", ">"]
    assert smollm2.split("year 2024").surfaces()[-4:] == ["2", "0", "2", "4"]


@pytest.mark.download
@pytest.mark.slow
def test_smollm2_neighbours_mean_something(smollm2):
    assert {"bills", "billing"} <= set(nearest(smollm2, " invoice"))
    assert {"Tuesday", "Friday"} <= set(nearest(smollm2, " Monday"))


@pytest.mark.download
@pytest.mark.slow
def test_a_cached_start_is_quick(smollm2):
    def start():
        before = time.process_time()
        assert SmolLM2().fingerprint == smollm2.fingerprint
        return time.process_time() - before

    assert min(start() for _ in range(3)) < 1.5  # 0.35 s on an idle machine


@pytest.mark.download
@pytest.mark.slow
def test_mpnet(mpnet):
    assert mpnet.unit.shape == (30_527, 768)
    check_space(mpnet)
    names = mpnet.words(mpnet.outputs[0])
    assert not {"[CLS]", "[MASK]", "[unused7]", "<mask>", "<s>"} & set(names)
    assert {"doctors", "physician"} <= set(nearest(mpnet, "Doctor"))
    units = mpnet.split("The [MASK] Raghunathan NASA café")
    rendered = mpnet.render(units.rows, units.labels)
    assert join_surfaces(units, rendered) == "The [MASK] Raghunathan NASA cafe"
    assert len(mpnet.split("word " * 3000)) == 3000

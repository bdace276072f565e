"""Finding and reading the input embedding of a model folder."""

import json

import numpy as np
import pytest
from safetensors.numpy import save_file

from privstamp.errors import AssetError
from privstamp.spaces.piece_table import choose, find_embedding

TABLE = np.random.default_rng(0).normal(size=(10, 6)).astype(np.float32)


def entry(name, dtype, shape, offsets):
    return {name: {"dtype": dtype, "shape": shape, "data_offsets": offsets}}


def write_raw(path, header, data):
    raw = json.dumps(header).encode()
    path.write_bytes(len(raw).to_bytes(8, "little") + raw + data)


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_reads_what_the_library_writes(tmp_path, dtype):
    values = TABLE.astype(dtype)
    save_file(
        {"wte.weight": values, "wpe.weight": values[:3], "ln.bias": values[0]},
        tmp_path / "model.safetensors",
        metadata={"format": "pt"},
    )
    found = find_embedding(tmp_path, 10)
    assert (found.name, found.rows, found.columns) == ("wte.weight", 10, 6)
    assert (found.table() == values.astype(np.float32)).all()


def test_reads_bf16_by_hand(tmp_path):
    raw = np.array([[0x3F80, 0xC000], [0x4040, 0x0000]], dtype="<u2")
    header = entry("model.embed_tokens.weight", "BF16", [2, 2], [0, 8])
    write_raw(tmp_path / "model.safetensors", header, raw.tobytes())
    assert find_embedding(tmp_path, 2).table().tolist() == [[1.0, -2.0], [3.0, 0.0]]


def test_follows_the_index_to_the_right_shard(tmp_path):
    save_file({"a.weight": TABLE}, tmp_path / "model-1.safetensors")
    save_file({"model.embed_tokens.weight": TABLE}, tmp_path / "model-2.safetensors")
    save_file({"model.embed_tokens.weight": TABLE + 1}, tmp_path / "other.safetensors")
    names = {"a.weight": "model-1.safetensors", "model.embed_tokens.weight": "model-2.safetensors"}
    index = tmp_path / "model.safetensors.index.json"
    index.write_text(json.dumps({"weight_map": names}))
    found = find_embedding(tmp_path, 10)
    assert found.path.name == "model-2.safetensors"
    assert (found.table() == TABLE).all()
    outside = {"weight_map": {"wte.weight": "../model.safetensors"}}
    for wrong in ("[]", "{}", "", json.dumps(outside)):
        index.write_text(wrong)
        with pytest.raises(AssetError, match="not an index"):
            find_embedding(tmp_path, 10)


def test_the_single_file_wins_over_its_neighbours(tmp_path):
    save_file({"wte.weight": TABLE}, tmp_path / "model.safetensors")
    save_file({"wte.weight": TABLE + 1}, tmp_path / "adapter.safetensors")
    assert (find_embedding(tmp_path, 10).table() == TABLE).all()


def test_digest_follows_the_numbers(tmp_path):
    path = tmp_path / "model.safetensors"
    digests = set()
    for values in (TABLE, TABLE, TABLE + 1):
        save_file({"wte.weight": values}, path)
        digests.add(find_embedding(tmp_path, 10).digest())
    assert len(digests) == 2


@pytest.mark.parametrize(
    ("tables", "chosen"),
    [
        ({"transformer.wte.weight": (9, 2), "lm_head.weight": (9, 2)}, "transformer.wte.weight"),
        ({"shared.weight": (9, 2), "encoder.embed_tokens.weight": (9, 2)}, "shared.weight"),
        ({"odd.embedder.table": (9, 2), "odd.embed_positions": (4, 2)}, "odd.embedder.table"),
    ],
)
def test_choice(tables, chosen):
    assert choose(tables, 9, "model") == chosen


@pytest.mark.parametrize(
    "tables",
    [
        {"one.embed.table": (9, 2), "two.embed.table": (9, 2)},
        {"encoder.embed_tokens.weight": (9, 2), "decoder.embed_tokens.weight": (9, 2)},
        {"embed.small": (3, 2)},
        {"lm_head.weight": (9, 2)},
    ],
)
def test_ambiguous_choice_lists_candidates(tables):
    with pytest.raises(AssetError, match="Candidates: ") as caught:
        choose(tables, 9, "model")
    for name in tables:
        assert (name in str(caught.value)) == ("embed" in name)


def test_pickles_are_never_opened(tmp_path):
    with pytest.raises(AssetError, match=r"no \.safetensors"):
        find_embedding(tmp_path, 10)
    (tmp_path / "pytest_model.bin").write_bytes(b"cos\nsystem\n(S'false'\ntR.")
    with pytest.raises(AssetError, match="pickle"):
        find_embedding(tmp_path, 10)


@pytest.mark.parametrize(
    ("header", "message"),
    [
        (entry("wte.weight", "I8", [2, 2], [0, 4]), "type I8.*Known: BF16, F16, F32"),
        (entry("wte.weight", "F32", [2, 2], [0, 12]), "do not fit"),
        (entry("wte.weight", "F32", [2, 2], [-4, 12]), "do not fit"),
        (entry("wte.weight", "F32", [2**40, 2], [0, 2**43]), "beyond its end"),
        (entry("wte.weight", "F32", [0, 2], [0, 0]), "do not fit"),
        (entry("wte.weight", "F32", [2, "2"], [0, 16]), "0 tensors"),
        ({"wte.weight": 3}, "0 tensors"),
        ([1, 2], "no header"),
    ],
)
def test_wrong_headers_are_named(tmp_path, header, message):
    write_raw(tmp_path / "model.safetensors", header, bytes(16))
    with pytest.raises(AssetError, match=message):
        find_embedding(tmp_path, 2)


def test_garbage_and_cut_files(tmp_path):
    path = tmp_path / "model.safetensors"
    save_file({"wte.weight": TABLE}, path)
    whole = path.read_bytes()
    for broken in [b"", b"\xff" * 40, *(whole[:n] for n in range(0, len(whole), 7))]:
        path.write_bytes(broken)
        with pytest.raises(AssetError):
            find_embedding(tmp_path, 10)

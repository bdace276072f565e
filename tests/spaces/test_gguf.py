"""Reading GGUF, including files that are not what they say."""

import struct

import numpy as np
import pytest
import tiny_models as tiny

from privstamp.errors import AssetError
from privstamp.spaces.gguf import GgufFile


@pytest.fixture
def save(tmp_path):
    def write(content):
        path = tmp_path / "model.gguf"
        path.write_bytes(content)
        return path

    return write


SMALL = {"a.number": 7, "a.share": 0.5, "a.word": "grün", "some.words": ["x", "", "yz"]}
VALUES = np.arange(12, dtype=np.float32).reshape(3, 4)


def small(fields=SMALL, kind=0, data=None, shape=(3, 4), **options):
    return tiny.gguf(fields, VALUES.tobytes() if data is None else data, shape, kind, **options)


def test_values_and_table(save):
    file = GgufFile(save(small(SMALL | {"some.numbers": [1, -2, 3]})))
    assert (file.rows, file.columns) == (3, 4)
    assert (file.table() == VALUES).all()
    assert file.value("a.number") == 7
    assert file.value("a.share") == 0.5
    assert file.value("a.word") == "grün"
    assert file.value("some.words") == ["x", "", "yz"]
    assert file.value("some.numbers") == [1, -2, 3]
    assert file.value("nothing", "else") == "else"


def test_halves_and_q8(save):
    half = VALUES.astype(np.float16)
    assert (GgufFile(save(small(kind=1, data=half.tobytes()))).table() == VALUES).all()
    values = np.random.default_rng(1).normal(size=(5, 32)).astype(np.float32)
    file = GgufFile(save(small(kind=8, data=tiny.q8_0(values), shape=(5, 32))))
    assert np.abs(file.table() - values).max() < 0.05


def test_digest_sees_header_and_table(save):
    first = GgufFile(save(small())).digest()
    assert GgufFile(save(small())).digest() == first
    assert GgufFile(save(small(SMALL | {"a.number": 8}))).digest() != first
    changed = VALUES + np.eye(3, 4, dtype=np.float32)
    assert GgufFile(save(small(data=changed.tobytes()))).digest() != first


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"),
        (b"PK\x03\x04 not a model", "begin with GGUF"),
        (b"GGUF" + struct.pack("<IQQ", 1, 0, 0), "version 1"),
        (b"GGUF" + struct.pack("<IQQ", 3, 2**60, 2**60), "too early"),
        (small(kind=12), "Q4_K.*Known: BF16, F16, F32, Q8_0"),
        (small(kind=77), "number 77"),
        (small(tensor="output.weight"), "no tensor token_embd.weight"),
        (small(shape=(2**40, 4)), "beyond its end"),
        (small(kind=8), "beyond its end"),
        (small(SMALL | {"general.alignment": 0}), "alignment"),
    ],
)
def test_wrong_files_are_named(save, content, message):
    path = save(content)
    with pytest.raises(AssetError, match=message):
        GgufFile(path).table()


def test_a_missing_file_is_an_asset_error(tmp_path):
    with pytest.raises(AssetError, match="No such file"):
        GgufFile(tmp_path / "nowhere.gguf")


def test_counts_are_believed_only_if_the_bytes_are_there(save):
    head = b"GGUF" + struct.pack("<IQQ", 3, 1, 1)
    for kind in (8, 5):
        field = tiny._string("k") + struct.pack("<IIQ", 9, kind, 2**61)
        with pytest.raises(AssetError, match="too early"):
            GgufFile(save(head + field + bytes(64)))


def test_every_cut_is_noticed(save):
    whole = small()
    for length in range(len(whole)):
        path = save(whole[:length])
        with pytest.raises(AssetError):
            GgufFile(path).table()


def test_flipped_bytes_give_a_table_or_an_asset_error(save):
    whole = bytearray(small(SMALL | {"some.numbers": [1, 2]}))
    rng = np.random.default_rng(3)
    seen = {True: 0, False: 0}
    for _ in range(600):
        broken = bytearray(whole)
        for _ in range(int(rng.integers(1, 4))):
            broken[int(rng.integers(len(broken)))] = int(rng.integers(256))
        try:
            file = GgufFile(save(bytes(broken)))
            file.table()
            for key in SMALL:
                file.value(key)
            seen[True] += 1
        except AssetError:
            seen[False] += 1
    assert min(seen.values()) > 30

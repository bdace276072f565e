"""Numbers as model files store them."""

import numpy as np
import pytest
from tiny_models import q8_0

from privstamp.spaces import gguf as encodings
from privstamp.spaces.gguf import ENCODINGS, widened


def as_bytes(values):
    return np.frombuffer(values.tobytes(), dtype=np.uint8)


@pytest.fixture(params=[7, 1 << 20])
def blocks(request, monkeypatch):
    monkeypatch.setattr(encodings, "BLOCK_ELEMENTS", request.param)


@pytest.mark.usefixtures("blocks")
def test_every_encoding_gives_the_numbers_back():
    values = np.random.default_rng(0).normal(size=(11, 64)).astype(np.float32)
    assert (widened(as_bytes(values), ENCODINGS["F32"], 11, 64) == values).all()
    half = values.astype(np.float16)
    assert (widened(as_bytes(half), ENCODINGS["F16"], 11, 64) == half.astype(np.float32)).all()
    cut = (values.view(np.uint32) >> 16).astype(np.uint16)
    wide = widened(as_bytes(cut), ENCODINGS["BF16"], 11, 64)
    assert (np.abs(wide - values) <= np.abs(values) * 2**-7).all()
    packed = np.frombuffer(q8_0(values), dtype=np.uint8)
    assert len(packed) == ENCODINGS["Q8_0"].bytes_of(11, 64)
    close = widened(packed, ENCODINGS["Q8_0"], 11, 64)
    assert 0 < np.abs(close - values).max() < np.abs(values).max() / 127


def test_bf16_by_hand():
    raw = np.array([0x3F80, 0xC000, 0x0000], dtype="<u2")  # 1, -2, 0
    assert widened(as_bytes(raw), ENCODINGS["BF16"], 1, 3).tolist() == [[1.0, -2.0, 0.0]]


def test_rows_that_are_not_whole_runs_have_no_size():
    assert ENCODINGS["Q8_0"].bytes_of(4, 33) is None
    assert ENCODINGS["Q8_0"].bytes_of(4, 64) == 4 * 2 * 34

import ctypes
import gc
import platform
import socket
import sys
from pathlib import Path

import numpy as np
import pytest

from privstamp.errors import AssetError, Incompatible, MissingExtra, StageFailed
from privstamp.models import llama
from privstamp.models.llama import Llama
from privstamp.spaces import tokenizer_spec
from privstamp.spaces.gguf import GgufFile

pytest.importorskip("xllamacpp")
import tiny_llama

SECRET = "Quillfeather paid 340 euros"


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("gguf") / "tiny.gguf"


@pytest.fixture(scope="module")
def tensors(path):
    return tiny_llama.write(path)


@pytest.fixture
def backend(path, tensors):
    made = Llama(path, threads=1)
    yield made
    made.close()


def softmax(rows: np.ndarray) -> np.ndarray:
    return tiny_llama._log_softmax(rows.astype(np.float64))


def test_it_computes_what_the_network_is_by_definition(backend, tensors):
    ids = [0, *backend.encode("The doctor wrote a letter; nobody answered 12 of them.")]
    expected = tiny_llama.logprobs(tensors, ids)
    found = softmax(backend.extend(ids, every=True))
    assert expected.std() > 1.0
    assert np.abs(found - expected).max() < 0.05  # the cache holds half precision
    assert np.abs(found[1:] - expected[:-1]).max() > 1.0


def test_step_by_step_and_at_once_agree(backend):
    ids = [0, *backend.encode("the hospital paid the invoice")]
    whole = backend.extend(ids, every=True)
    assert (backend.trim(0), len(whole)) == (0, len(ids))
    steps = [backend.extend([piece]) for piece in ids]
    assert [step.shape for step in steps] == [(1, whole.shape[1])] * len(ids)
    assert np.abs(np.concatenate(steps) - whole).max() < 0.05


def test_what_was_trimmed_is_forgotten_and_the_rest_is_kept(backend):
    ids = backend.encode("the hospital paid the invoice on Monday")
    for piece in ids:
        expected = backend.extend([piece])
    assert backend.trim(3) == 3
    backend.extend(ids[:5])
    assert backend.trim(3) == 3
    for piece in ids[3:]:
        found = backend.extend([piece])
    assert (found == expected).all()  # to the bit


def test_pieces_are_those_of_the_token_space(backend, path):
    plain = tokenizer_spec.plain(tokenizer_spec.from_gguf(GgufFile(path)))
    tokenizer = tokenizer_spec.load(plain.json)
    for text in (" Boston", "", "a", " 340 euros", "naïve café\n\n b", "日本 \U0001f600", "a\0b"):
        assert backend.encode(text) == tokenizer.encode(text).ids


def test_markers_in_a_text_are_text(backend):
    assert backend.start == 0
    assert not {0, 1, 2} & set(backend.encode("a <|endoftext|><|im_start|> b"))


def test_half_a_surrogate_pair_is_no_trouble(backend):
    assert backend.encode("a\ud800b") == backend.encode("a?b")


@pytest.mark.parametrize(
    ("more", "start"),
    [
        ({}, 0),  # <|endoftext|>
        ({"tokenizer.ggml.add_bos_token": True}, 1),
    ],
)
def test_contexts_begin_as_in_training(tmp_path, more, start):
    tiny_llama.write(tmp_path / "a.gguf", **more)
    made = Llama(tmp_path / "a.gguf", threads=1)
    assert made.start == start
    made.close()


def test_a_piece_outside_the_vocabulary_fails_without_a_crash(backend):
    with pytest.raises(StageFailed, match=r"llama\.cpp could not read on"):
        backend.extend([10**6])
    assert backend.trim(0) == 0
    assert np.isfinite(backend.extend([0])).all()


def listening() -> set[str]:
    """Local addresses that accept connections, of any process here."""
    rows = []
    for name in ("tcp", "tcp6"):
        if Path("/proc/self/net", name).exists():
            rows += Path("/proc/self/net", name).read_text().splitlines()[1:]
    own = {link for fd in Path("/proc/self/fd").iterdir() if (link := _target(fd))}
    return {row.split()[1] for row in rows
            if row.split()[3] == "0A" and f"socket:[{row.split()[9]}]" in own}  # fmt: skip


def _target(fd: Path) -> str:
    try:
        return str(fd.readlink())
    except OSError:  # closed meanwhile
        return ""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_nothing_listens_while_a_model_is_open(backend):
    backend.extend(backend.encode(SECRET))
    assert listening() == set()
    with socket.create_server(("127.0.0.1", 0)):  # the test can see one
        assert len(listening()) == 1


def test_nothing_is_printed(path, tensors, capfd):
    made = Llama(path, threads=2)
    made.extend(made.encode(SECRET))
    made.close()
    assert capfd.readouterr() == ("", "")


def test_closing_twice_or_forgetting_to_close_is_harmless(path, tensors):
    made = Llama(path, threads=1)
    made.close()
    made.close()
    again = Llama(path, threads=1)
    closing = again._close
    del again
    gc.collect()
    assert not closing.alive


def test_files_that_are_no_model_are_refused(path, tensors, tmp_path):
    short = tmp_path / "short.gguf"
    short.write_bytes(path.read_bytes()[:-5000])
    with pytest.raises(AssetError, match=r"cannot load short\.gguf"):
        Llama(short, threads=1)
    with pytest.raises(AssetError, match=r"cannot load absent\.gguf"):
        Llama(tmp_path / "absent.gguf", threads=1)


def test_models_for_short_texts_are_refused(tmp_path):
    tiny_llama.write(tmp_path / "short.gguf", length=256)
    with pytest.raises(Incompatible, match=r"short\.gguf reads 256 pieces"):
        Llama(tmp_path / "short.gguf", threads=1)


def test_without_the_extra_the_install_line_is_named(path, monkeypatch):
    monkeypatch.setitem(sys.modules, "xllamacpp.xllamacpp", None)
    with pytest.raises(MissingExtra, match=r'pip install "privstamp\[lm\]"'):
        Llama(path, threads=1)


def test_a_build_without_the_functions_is_refused(path, monkeypatch):
    monkeypatch.setitem(llama._FUNCTIONS, "llama_no_such_function", (None,))
    with pytest.raises(AssetError, match=r"does not export llama_no_such_function.*hf:NAME"):
        Llama(path, threads=1)


def test_another_layout_of_the_parameters_is_refused(path, tensors, monkeypatch):
    monkeypatch.setattr(llama, "DEFAULT_SIZES", (1, 2, 3, 4))
    with pytest.raises(AssetError, match=r"another llama\.cpp than expected"):
        Llama(path, threads=1)


@pytest.mark.skipif(platform.machine() != "x86_64", reason="hands the result's place in itself")
@pytest.mark.parametrize("name", ["llama_model_default_params", "llama_context_default_params"])
def test_parameter_structures_fit_into_the_room_kept_for_them(name):
    function = getattr(ctypes.CDLL(llama.library()._name), name)
    function.argtypes, function.restype = [ctypes.c_void_p], ctypes.c_void_p
    room = (ctypes.c_uint8 * 4096)(*[0xAB] * 4096)
    function(room)
    used = max(at for at, byte in enumerate(room) if byte != 0xAB) + 1
    assert 16 <= used <= ctypes.sizeof(llama._Params) // 2

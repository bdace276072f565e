"""What a piece space holds: which rows may leave, which are nobody's, the prior."""

import json

import numpy as np
import pytest

from privstamp.errors import AssetError
from privstamp.spaces import piece_table
from privstamp.spaces.piece_table import fit_to_leave, prior, undertrained, write
from privstamp.spaces.tokenizer_spec import PlainTokenizer


def tokenizer(strings, markers=(), scores=None):
    return PlainTokenizer("{}", list(strings), list(markers), scores, b"", True, False)


def random_rows(rows, columns=16, seed=0):
    return np.random.default_rng(seed).normal(size=(rows, columns)).astype(np.float32)


def written(tmp_path, name, raw, made, recipe="raw"):
    folder = tmp_path / name
    folder.mkdir()
    write(folder, raw, made, recipe)
    arrays = {path.stem: np.load(path) for path in folder.glob("*.npy")}
    return arrays, json.loads((folder / "meta.json").read_text())


def test_rows_that_may_leave(tmp_path):
    strings = ["<s>", " a", "b", None, "", "\x07", "c\u200b", "\n", "\xa0", "zero", "d", "e", "f"]
    raw = random_rows(len(strings))
    raw[9] = 0
    raw[10] = 3 * raw[0]  # the direction of a marker
    raw[11] = raw[12] * 2  # twins
    arrays, meta = written(tmp_path, "one", raw, tokenizer(strings, markers=[0]))
    words = [meta["strings"][row] for row in arrays["outputs"]]
    assert words == [" a", "b", "\n"]
    assert len(arrays["unit"]) == len(strings) - 1, "a row without direction is no row"
    known = [strings[i] for i in np.flatnonzero(arrays["row_of_id"] >= 0)]
    assert known == [" a", "b", None, "", "\x07", "c\u200b", "\n", "\xa0"]
    for index in np.flatnonzero(arrays["row_of_id"] >= 0):
        assert meta["strings"][arrays["row_of_id"][index]] == strings[index]
    assert np.allclose(np.linalg.norm(arrays["unit"], axis=1), 1, atol=1e-5)


def test_table_and_tokenizer_may_differ_in_length(tmp_path):
    strings = ["a", "b", "c", "d"]
    arrays, _ = written(tmp_path, "long", random_rows(9), tokenizer(strings))
    assert len(arrays["unit"]) == 4
    arrays, _ = written(tmp_path, "short", random_rows(3), tokenizer(strings))
    assert arrays["row_of_id"].tolist() == [0, 1, 2, -1]


def test_fingerprint_follows_everything_public(tmp_path):
    raw, base = random_rows(8), tokenizer("abcdefgh")
    variants = [
        (raw, base, "raw"),
        (raw, base, "centred"),
        (raw + np.eye(8, 16, dtype=np.float32), base, "raw"),
        (raw, tokenizer("abcdefgi"), "raw"),
        (raw, tokenizer("abcdefgh", markers=[3]), "raw"),
        (raw, tokenizer("abcdefgh", scores=[-float(n) for n in range(8)]), "raw"),
    ]
    made = [written(tmp_path, str(n), *v)[1]["fingerprint"] for n, v in enumerate(variants)]
    assert len(set(made)) == len(made)
    again = written(tmp_path, "again", *variants[0])[1]["fingerprint"]
    assert again == made[0]


def test_refusals(tmp_path):
    raw = random_rows(4)
    with pytest.raises(AssetError, match="fewer than two"):
        write(tmp_path, raw, tokenizer(["a", None, None, None]), "raw")
    raw[2, 2] = np.nan
    with pytest.raises(AssetError, match="not finite"):
        write(tmp_path, raw, tokenizer("abcd"), "raw")


def test_twins_agree_with_brute_force():
    raw = random_rows(1500, 24)
    raw[100:110] = raw[900:910] * 0.5 + 1e-4 * random_rows(10, 24, seed=1)
    raw[40] = raw[41] + 0.2 * raw[42]  # alike, but not a twin
    unit = raw / np.linalg.norm(raw, axis=1, keepdims=True)
    cosines = unit @ unit.T - 2 * np.eye(len(unit))
    expected = (cosines > piece_table.TWIN_COSINE).any(axis=1)
    assert expected.sum() == 20
    found = undertrained(raw, np.zeros(len(raw), dtype=bool))
    assert np.array_equal(found, expected)


def test_prior_is_zipf_over_the_order_of_ids_unless_scores_are_known():
    rows, usable = np.arange(5), np.array([False, True, True, False, True])
    law = prior(rows, usable, None)
    assert law.sum() == pytest.approx(1)
    assert law[0] == law[3] == 0
    assert law[1] > law[2] > law[4] > 0
    assert law[1] / law[2] == pytest.approx((2 + 2.7) / (1 + 2.7))
    law = prior(rows, usable, [0.0, -1.0, -2.0, 0.0, -1.0])
    assert law[1] == pytest.approx(law[4])
    assert law[1] / law[2] == pytest.approx(np.e)


def test_strings_fit_to_leave():
    for string in (" a", "日本", "\n\n", "😀", "-", "  "):
        assert fit_to_leave(string)
    for string in (None, "", "\x00", "a\u202e", "\u3000", "\ufffd", "\ue000", "\r"):
        assert not fit_to_leave(string)

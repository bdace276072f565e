import json

import pytest

from privstamp.errors import StageFailed
from privstamp.models.replies import ReplyCache, key_of
from privstamp.types import Prompt, Reply, Usage

SETTINGS = {"model": "m", "temperature": 0.2, "max_tokens": 5}


def test_a_reply_comes_back_as_it_was_kept(tmp_path):
    replies = ReplyCache(tmp_path / "new" / "folder")
    assert replies.find("k") is None
    replies.keep("k", Reply("w1 é", 3, 4, estimated=True))
    found = replies.find("k")
    assert (found.text, found.tokens_in, found.tokens_out) == ("w1 é", 3, 4)
    assert found.estimated and found.cached
    (file,) = (tmp_path / "new" / "folder").iterdir()
    assert file.stat().st_mode & 0o077 == 0
    assert set(json.loads(file.read_text())) == {"text", "tokens_in", "tokens_out", "estimated"}


@pytest.mark.parametrize("broken", ["", "[]", '{"text": 3}', '{"text": "a", "tokens_in": 1}',
    '{"text": 3, "tokens_in": 1, "tokens_out": 1, "estimated": false}',
    '{"text": "a", "tokens_in": "1", "tokens_out": 1, "estimated": false}'])  # fmt: skip
def test_a_broken_file_counts_as_none(tmp_path, broken):
    (tmp_path / "k.json").write_text(broken)
    assert ReplyCache(tmp_path).find("k") is None


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StageFailed, match="file") as caught:
        ReplyCache(tmp_path / "file").keep("k", Reply("secret", 1, 1))
    assert "secret" not in str(caught.value) and caught.value.__context__ is None


def test_the_key_depends_on_prompt_and_settings():
    base = key_of(Prompt("a"), SETTINGS)
    assert base == key_of(Prompt("a"), dict(reversed(SETTINGS.items())))
    others = [
        key_of(Prompt("b"), SETTINGS),
        key_of(Prompt("a", "s"), SETTINGS),
        key_of(Prompt("a"), SETTINGS | {"model": "n"}),
        key_of(Prompt("a"), SETTINGS | {"temperature": 0.3}),
    ]
    assert len({base, *others}) == 5


def test_texts_are_in_no_repr():
    assert "secret" not in repr(Prompt("secret", "secret")) + repr(Reply("secret", 1, 1))


def test_usage_adds_up_and_is_told_apart_from_what_was_before():
    one, two = Usage(3, 1, 30, 6, 0.5), Usage(4, 0, 40, 8, estimated=True)
    assert one + two == Usage(7, 1, 70, 14, 0.5, estimated=True)
    assert (two + two).cost is None and (one + one).cost == 1.0
    assert (one + two).since(one) == Usage(4, 0, 40, 8, estimated=True)

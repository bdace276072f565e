"""Keys: random, wrapped, rotated, gone when forgotten."""

import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

from privstamp.errors import MissingExtra, StoreError, VaultError
from privstamp.sessions.sqlite import SqliteStore
from privstamp.sessions.vault import ENVIRONMENT, Keys, Vault, master_key

MASTER, OTHER = bytes(range(32)), bytes(range(1, 33))


@pytest.fixture
def store(tmp_path):
    return SqliteStore(tmp_path / "sessions.db")


def begun(vault, label):
    name = vault.name("session", label)
    with vault.store.writing() as entries:
        return name, vault.fresh(entries, name)


def read(vault, name):
    with vault.store.reading() as entries:
        return vault.keys(entries, name)


def test_keys_come_back_and_no_two_sessions_share_any(store):
    vault = Vault(store, MASTER)
    first, second = begun(vault, "a"), begun(vault, "b")
    assert read(Vault(store, MASTER), first[0]) == first[1]
    both = [*vars(first[1]).values(), *vars(second[1]).values()]
    assert len(set(both)) == 6
    assert read(vault, vault.name("session", "c")) is None


def test_keys_are_not_derived_from_the_master(tmp_path):
    keys = {begun(Vault(SqliteStore(tmp_path / f"{n}.db"), MASTER), "a")[1].noise for n in range(3)}
    assert len(keys) == 3


def test_another_master_key_is_refused(store):
    begun(Vault(store, MASTER), "a")
    with pytest.raises(VaultError, match="not the one of this store"):
        Vault(store, OTHER)
    with pytest.raises(VaultError, match="32 bytes"):
        Vault(store, b"short")


def test_wrapped_keys_of_one_session_do_not_open_another(store):
    vault = Vault(store, MASTER)
    (a, _), (b, _) = begun(vault, "a"), begun(vault, "b")
    with store.writing() as entries:
        entries.put("keys", b, entries.get("keys", a))
    with pytest.raises(VaultError):
        read(vault, b)


@pytest.mark.parametrize("place", [0, 12, -1])
def test_a_record_opens_as_itself_alone(place):
    keys = Keys(b"s" * 16, os.urandom(32), os.urandom(32))
    sealed = keys.seal(b"record", b"content")
    assert keys.open(b"record", sealed) == b"content" and keys.seal(b"record", b"content") != sealed
    damaged = bytearray(sealed)
    damaged[place] ^= 1
    other = Keys(b"t" * 16, keys.data, keys.noise)
    for reader, record, content in (
        (keys, b"record", bytes(damaged)),
        (keys, b"record", b""),
        (keys, b"another", sealed),
        (other, b"record", sealed),
    ):
        with pytest.raises(StoreError, match="damaged"):
            reader.open(record, content)


def test_rotation_wraps_all_keys_anew(store, tmp_path):
    vault = Vault(store, MASTER)
    sessions = dict(begun(vault, str(n)) for n in range(5))
    with store.reading() as entries:
        wrapped = [value for _, value in entries.items("keys") + entries.items("vault")]
    assert vault.rotate(OTHER) == 5
    with pytest.raises(VaultError):
        Vault(store, MASTER)
    again = Vault(SqliteStore(tmp_path / "sessions.db"), OTHER)
    assert {name: read(again, name) for name in sessions} == sessions
    assert again.name("session", "0") in sessions  # names stay
    content = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert not any(value in content for value in wrapped)


def test_labels_come_back_and_damage_shows(store):
    vault = Vault(store, MASTER)
    sealed = vault.seal(b"n", "../../etc/passwd")
    assert vault.label(b"n", sealed) == "../../etc/passwd"
    with pytest.raises(StoreError, match="damaged"):
        vault.label(b"m", sealed)
    assert "private" in repr(vault) and "private" in repr(begun(vault, "a")[1])


class TestMasterKey:
    def test_of_the_environment(self, monkeypatch):
        monkeypatch.setenv(ENVIRONMENT, MASTER.hex() + "\n")
        assert master_key() == MASTER
        monkeypatch.setenv(ENVIRONMENT, "secret")
        with pytest.raises(VaultError, match="64 hex digits") as caught:
            master_key()
        assert "secret" not in str(caught.value)
        monkeypatch.delenv(ENVIRONMENT)
        with pytest.raises(VaultError, match="openssl rand"):
            master_key()

    @pytest.mark.parametrize(
        ("mode", "words"),
        [(0o600, None), (0o400, None), (0o640, "chmod 600"), (0o604, "chmod"), (0o700, "chmod")],
    )
    def test_of_a_file_that_its_owner_alone_may_read(self, tmp_path, mode, words):
        file = tmp_path / "key"
        file.write_text(MASTER.hex())
        file.chmod(mode)
        if words is None:
            assert master_key(file) == MASTER
        else:
            with pytest.raises(VaultError, match=words):
                master_key(file)

    def test_of_a_file_that_is_not_there(self, tmp_path):
        with pytest.raises(VaultError, match="No such file"):
            master_key(tmp_path / "key")

    def test_of_the_keyring_where_the_environment_says_so(self, monkeypatch):
        monkeypatch.setenv(ENVIRONMENT, "keyring")
        monkeypatch.setitem(sys.modules, "keyring", None)
        with pytest.raises(MissingExtra, match=r"privstamp\[keyring\]"):
            master_key()
        kept = {("privstamp", "master-key"): MASTER.hex() + "\n"}
        fake = SimpleNamespace(get_password=lambda *entry: kept.get(entry))
        monkeypatch.setitem(sys.modules, "keyring", fake)
        assert master_key() == MASTER
        kept.clear()
        with pytest.raises(VaultError, match="keyring set privstamp master-key"):
            master_key()

        def locked(*_):
            raise RuntimeError("of secret things")

        fake.get_password = locked
        with pytest.raises(VaultError, match="does not open") as caught:
            master_key()
        assert "secret" not in str(caught.value) and caught.value.__context__ is None


@pytest.mark.skipif(os.name != "posix", reason="limits of POSIX")
def test_a_process_that_holds_keys_writes_no_core(tmp_path):
    child = (
        "import resource, sys\n"
        "from privstamp.sessions.store import open_store\n"
        "from privstamp.sessions.vault import Vault\n"
        "most = resource.getrlimit(resource.RLIMIT_CORE)[1]\n"
        "resource.setrlimit(resource.RLIMIT_CORE, (most, most))\n"
        "Vault(open_store(sys.argv[1]), bytes(32))\n"
        "print(resource.getrlimit(resource.RLIMIT_CORE)[0])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", child, tmp_path / "s.db"], capture_output=True, check=True
    )
    assert done.stdout == b"0\n"

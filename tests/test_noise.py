from __future__ import annotations

import multiprocessing
import os
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from privstamp.errors import UsageError
from privstamp.noise import Lane, Noise, Randomness
from statistical import ALPHA, DRAWS, assert_scale, fits, fresh

KEY = bytes(range(32))
FIRST_WORDS = ["0xd09f492ab60090f2", "0x1c41116a8419b5c7"]
MANY = [bytes([number]) * 32 for number in range(7)]


def many(documents, positions):
    return Noise(MANY, np.asarray(documents, np.int64), np.asarray(positions, np.int64))


# Keys


def test_fresh_keys_differ_and_ignore_the_input():
    randomness = Randomness.make()
    assert len({randomness.key(b"same") for _ in range(100)}) == 100


@pytest.mark.parametrize("made", [{"seed": 7}, {"secret": b"sixteen bytes ok"}])
def test_derived_keys_depend_on_every_part_and_on_where_parts_end(made):
    key = Randomness.make(**made).key
    assert key(b"a", b"b") == Randomness.make(**made).key(b"a", b"b")
    others = [key(b"a", b"c"), key(b"ab"), key(b"ab", b""), key(b"", b"ab"), key(b"b", b"a"), key()]
    assert len({*others, key(b"a", b"b")}) == 7


def test_a_seed_and_a_secret_never_give_the_same_key():
    keys = {
        Randomness.make(seed=1).key(b"x"),
        Randomness.make(seed=2).key(b"x"),
        Randomness.make(seed=-1).key(b"x"),
        Randomness.make(secret=b"privstamp seed 1").key(b"x"),
    }
    assert len(keys) == 4


def test_randomness_refuses_what_would_be_weak():
    with pytest.raises(UsageError, match="not both"):
        Randomness.make(seed=1, secret=b"x" * 16)
    for weak in (b"short", "a string of more than 16 characters"):
        with pytest.raises(UsageError, match="at least 16"):
            Randomness.make(secret=weak)
    for wrong in (1.5, "1", True):
        with pytest.raises(UsageError, match="whole number"):
            Randomness.make(seed=wrong)


def test_repr_shows_no_key():
    randomness = Randomness.make(secret=b"a very secret secret")
    shown = repr(randomness) + str(randomness) + repr(Noise.of_document(KEY, [1, 2]))
    assert shown == "Randomness(secret)Randomness(secret)Noise(2 addresses)"


# The stream


def test_words_are_aes_of_the_documented_address():
    position, attempt, lane = 0x0102030405060708, 0xABCDEF, Lane.TANGENT
    counter = position.to_bytes(8, "little") + bytes(4) + attempt.to_bytes(3, "little") + b"\x02"
    # One block of counter mode over zeros is the block cipher applied to the counter.
    ctr = Cipher(algorithms.AES(KEY), modes.CTR(counter)).encryptor()
    expected = np.frombuffer(ctr.update(bytes(16)), dtype="<u8")
    words = Noise.of_document(KEY, [position]).words(3, lane, attempt)
    assert words[0, :2].tolist() == expected.tolist()
    second = counter[:8] + (1).to_bytes(4, "little") + counter[12:]
    ctr = Cipher(algorithms.AES(KEY), modes.CTR(second)).encryptor()
    assert words[0, 2] == np.frombuffer(ctr.update(bytes(16)), dtype="<u8")[0]


def test_words_never_change_between_versions():
    words = Noise.of_document(KEY, [0, 1]).words(1, Lane.COSINE)
    assert [hex(word) for word in words[:, 0].tolist()] == FIRST_WORDS


addresses = st.tuples(
    st.sampled_from(Lane),
    st.integers(0, 2**24 - 1),
    st.integers(0, 2**63 - 1),
)


@given(st.lists(addresses, min_size=2, max_size=6, unique=True))
def test_different_addresses_never_share_a_block(chosen):
    drawn = [Noise.of_document(KEY, [p]).words(8, lane, a).tobytes() for lane, a, p in chosen]
    blocks = [stream[i : i + 16] for stream in drawn for i in range(0, 64, 16)]
    assert len(set(blocks)) == 4 * len(chosen)


@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 50)), max_size=40),
    st.integers(0, 9),
    st.randoms(use_true_random=False),
)
def test_order_and_composition_never_change_words(pairs, count, random):
    noise = many([d for d, _ in pairs], [p for _, p in pairs])
    whole = noise.words(count, Lane.CHOICE, 3)
    order = list(range(len(pairs)))
    random.shuffle(order)
    shuffled = noise.take(np.array(order, dtype=np.intp)).words(count, Lane.CHOICE, 3)
    assert np.array_equal(shuffled, whole[order])
    for row, (document, position) in enumerate(pairs):
        alone = Noise.of_document(MANY[document], [position]).words(count, Lane.CHOICE, 3)
        assert np.array_equal(alone[0], whole[row])


@pytest.mark.parametrize("draw", ["words", "uniform", "normal"])
@pytest.mark.parametrize("count", [1, 2, 7, 50])
def test_block_size_never_changes_a_bit(draw, count):
    noise = many(np.arange(1000) % 7, np.arange(1000))
    whole = getattr(noise, draw)(count, Lane.TANGENT)
    for size in (1, 3, 64, 999):
        parts = [noise.take(slice(i, i + size)) for i in range(0, 1000, size)]
        joined = np.concatenate([getattr(part, draw)(count, Lane.TANGENT) for part in parts])
        assert joined.tobytes() == whole.tobytes()


def test_fewer_words_are_the_first_of_more():
    noise = Noise.of_document(KEY, np.arange(10))
    longer = noise.words(9, Lane.CHOICE)
    for count in range(10):
        assert np.array_equal(noise.words(count, Lane.CHOICE), longer[:, :count])


def test_nothing_asked_gives_nothing():
    assert Noise.of_document(KEY, []).normal(5, Lane.TANGENT).shape == (0, 5)
    assert Noise.of_document(KEY, [1, 2]).words(0, Lane.TANGENT).shape == (2, 0)


def test_addresses_out_of_range_are_refused():
    noise = Noise.of_document(KEY, [0])
    for count, lane, attempt in [(-1, 0, 0), (2**33 + 2, 0, 0), (1, 0, -1), (1, 0, 2**24)]:
        with pytest.raises(ValueError, match="out of range"):
            noise.words(count, lane, attempt)
    for lane in (-1, 99, 256):
        with pytest.raises(ValueError, match="Lane"):
            noise.words(1, lane)
    with pytest.raises(ValueError, match="count from 0"):
        Noise.of_document(KEY, [3, -1])
    with pytest.raises(ValueError, match="without a key"):
        many([7], [0])
    with pytest.raises(ValueError, match="without a key"):
        many([-1], [0])
    with pytest.raises(ValueError, match="32 bytes"):
        Noise.of_document(b"short", [0])
    with pytest.raises(ValueError, match="per unit"):
        many([1, 2], [0])


# Processes and threads


def _seeded_and_fresh(_: int = 0) -> tuple[bytes, bytes]:
    seeded = Noise.of_document(Randomness.make(seed=5).key(b"text"), np.arange(100))
    return seeded.words(4, Lane.TANGENT).tobytes(), fresh(100).words(4, Lane.TANGENT).tobytes()


@pytest.mark.slow
@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_workers_share_seeded_noise_and_never_fresh_noise(method):
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip("not on this platform")
    here = [_seeded_and_fresh() for _ in range(2)]
    with multiprocessing.get_context(method).Pool(2) as pool:
        there = pool.map(_seeded_and_fresh, range(4), chunksize=1)
    drawn = here + there
    assert len({seeded for seeded, _ in drawn}) == 1
    assert len({fresh_ for _, fresh_ in drawn}) == 6


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this platform")
def test_a_bare_fork_shares_no_fresh_noise():
    fresh(10).words(1, Lane.CHOICE)  # whatever a library may keep is warm before the fork
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(write, Randomness.make().key())
        finally:
            os._exit(0)
    os.close(write)
    theirs = os.read(read, 32)
    os.close(read)
    os.waitpid(child, 0)
    assert len(theirs) == 32
    assert theirs != Randomness.make().key()


def test_threads_may_share_a_noise():
    noise = many(np.repeat(np.arange(7), 100), np.arange(700))
    expected = noise.normal(50, Lane.TANGENT)
    barrier = threading.Barrier(4)

    def draw(_: int) -> bool:
        barrier.wait()
        return all(np.array_equal(noise.normal(50, Lane.TANGENT), expected) for _ in range(5))

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(draw, range(4)))


# Distributions


def test_uniforms_are_uniform_in_every_lane_column_and_attempt():
    for lane in Lane:
        for attempt in (0, 1):
            sample = fresh(DRAWS).uniform(2, lane, attempt)
            assert sample.min() > 0.0
            assert sample.max() < 1.0
            for column in sample.T:
                assert_scale(lambda s, x=column: fits(x, stats.uniform(scale=s).cdf), 1.0)


def test_every_bit_of_a_word_is_fair_and_free_of_its_neighbours():
    words = fresh(DRAWS).words(2, Lane.CHOICE)
    bits = (words[:, :, None] >> np.arange(64, dtype=np.uint64)) & np.uint64(1)
    signs = 1.0 - 2.0 * bits.reshape(DRAWS, 128)
    limit = stats.norm.isf(ALPHA / 2 / 128**2) / np.sqrt(DRAWS)
    assert np.abs(signs.mean(0)).max() < limit
    assert np.abs(signs.T @ signs / DRAWS - np.eye(128)).max() < limit
    stuck = np.where(np.arange(128) == 5, signs[:, [4]], signs)
    assert np.abs(stuck.T @ stuck / DRAWS - np.eye(128)).max() > limit


def test_ends_of_the_interval_stay_open():
    class Extreme(Noise):
        def _words(self, count, lane, attempt):
            return np.array([[0], [2**64 - 1]], dtype=np.uint64).repeat(count, axis=1)

    noise = Extreme([KEY], np.zeros(2, np.int64), np.zeros(2, np.int64))
    low, high = noise.uniform(1, Lane.CHOICE)[:, 0]
    assert (low, high) == (2.0**-53, 1.0 - 2.0**-53)
    longest, shortest = np.hypot(*noise.normal(2, Lane.CHOICE).T)
    assert longest == pytest.approx(np.sqrt(2.0 * 41 * np.log(2.0)), rel=1e-6)  # 7.54 deviations
    assert shortest == 0.0


def test_normals_are_normal_and_independent():
    sample = fresh(DRAWS).normal(5, Lane.TANGENT)
    for column in sample.T:
        assert_scale(lambda s, x=column: fits(x, stats.norm(scale=s).cdf), 1.0)
    assert_scale(lambda s: fits((sample**2).sum(1), stats.chi2(5, scale=s).cdf), 1.0)
    angles = np.arctan2(sample[:, :-1], sample[:, 1:])
    for column in angles.T:
        assert fits(column, stats.uniform(-np.pi, 2.0 * np.pi).cdf) > ALPHA


def test_far_normals_are_as_many_and_as_fine_as_they_should_be():
    """Radii from 5.5 on, made likely: the bits above them are set to zero."""

    class Far(Noise):
        def _words(self, count, lane, attempt):
            """One word a pair: the lower half is its radius."""
            return super()._words(count, lane, attempt) & np.uint64(2**64 - 2**32 + 2**10 - 1)

    count = DRAWS
    noise = Far([Randomness.make().key()], np.zeros(count, np.int64), np.arange(count))
    sample = noise.normal(2, Lane.TANGENT)
    square = (sample**2).sum(1)
    rest = square - 2.0 * 22 * np.log(2.0)  # given that it is so long, as long again as any
    assert_scale(lambda s: fits(rest, stats.chi2(2, scale=s).cdf), 1.0)
    assert len(np.unique(square.round(4))) > count / 4  # 32 bits would leave a thousand
    angle = np.arctan2(sample[:, 1], sample[:, 0])
    assert fits(angle, stats.uniform(-np.pi, 2.0 * np.pi).cdf) > ALPHA


def test_radius_and_angle_share_no_bit():
    class Fixed(Noise):
        """All draws have the same radius, and then the same angle."""

        keep = more = 0

        def _words(self, count, lane, attempt):
            drawn = super()._words(count, lane, attempt) & np.uint64(self.keep)
            return drawn | np.uint64(self.more)

    noise = Fixed([KEY], np.zeros(100, np.int64), np.arange(100))
    upper, eight = 2**64 - 2**32, 2**40 - 2**32
    for keep, more, still in [
        (upper, 2**31, "radius"),
        (2**32 - 1, 2**31, "angle"),
        (upper - eight, 0, "radius"),  # far out, where the angle gives up eight bits
        (eight, 0, "angle"),
    ]:
        Fixed.keep, Fixed.more = keep, more
        x, y = noise.normal(2, Lane.TANGENT).T
        found = {"radius": np.hypot(x, y), "angle": np.arctan2(y, x)}
        assert np.ptp(found.pop(still)) < 1e-5
        (moving,) = found.values()
        assert len(np.unique(moving.round(5))) > (70 if keep == eight else 95)


def test_a_draw_is_not_overwritten_by_the_next():
    noise = fresh(50)
    first = {name: getattr(noise, name)(9, Lane.TANGENT) for name in ("words", "uniform", "normal")}
    kept = {name: drawn.copy() for name, drawn in first.items()}
    fresh(500).normal(99, Lane.TANGENT)
    assert all(np.array_equal(first[name], kept[name]) for name in first)


def test_normals_fill_the_room_they_are_given():
    noise, room = fresh(7), np.empty((7, 5))
    assert noise.normal(5, Lane.TANGENT, out=room) is room
    assert np.array_equal(room, noise.normal(5, Lane.TANGENT))


def test_one_address_alone_has_the_words_that_it_has_among_others():
    key = bytes(range(32))
    positions = [0, 5, 2**40, 2**63 - 1]
    among = Noise.of_document(key, positions)
    for place, position in enumerate(positions):
        for count, attempt in ((1, 0), (2, 3), (7, 2**24 - 1)):
            alone = Noise.of_document(key, [7]).at(position).words(count, Lane.NAME, attempt)
            assert alone.tolist() == [among.words(count, Lane.NAME, attempt)[place].tolist()]
    with pytest.raises(ValueError, match="count from 0"):
        among.at(-1)
    with pytest.raises(ValueError, match="out of range"):
        among.at(0).words(1, Lane.NAME, 2**24)

from __future__ import annotations

import numpy as np
import pytest

from privstamp.errors import Incompatible, PolicyError, UsageError
from privstamp.policy import Part, Policy
from privstamp.release import parts
from privstamp.spaces.words import project
from privstamp.testing import check_space
from toys import ToySpace


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("PRIVSTAMP_CACHE", str(tmp_path))
    return tmp_path


def uneven(dimensions=10, seed=0):
    raw = np.random.default_rng(seed).standard_normal((400, dimensions))
    return ToySpace(unit=raw * np.geomspace(3.0, 0.5, dimensions) + 0.4)


def test_it_is_a_space_and_keeps_all_but_the_table():
    base = uneven()
    space = project(base, 4)
    check_space(space)
    assert space.unit.shape == (400, 4)
    assert space.name == "toy+pca4"
    assert "4 main directions" in space.source
    for name in ("classes", "class_of", "outputs", "prior"):
        assert getattr(space, name) is getattr(base, name)
    units = space.split("w3 W7, zzz")
    assert space.words(units.rows[:2]) == ["w3", "w7"]
    assert space.render(units.rows[:2], units.labels[:2]) == ["w3", "W7"]


def test_rows_are_the_principal_components_made_unit_length():
    base = uneven()
    space = project(base, 4)
    unit = base.unit.astype(np.float64)
    centred = unit - unit.mean(0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    main = centred @ axes[:4].T
    length = np.linalg.norm(main, axis=1)
    assert np.allclose(space.radius, length, atol=1e-5)
    cosines = (main / length[:, None]) @ (main / length[:, None]).T
    assert np.allclose(space.unit @ space.unit.T, cosines, atol=1e-4)
    last = centred @ axes[-4:].T
    assert not np.allclose(np.linalg.norm(last, axis=1), space.radius, atol=0.05)


def test_signs_do_not_depend_on_the_library(monkeypatch):
    base = uneven()
    plain = project(base, 4)
    eigh = np.linalg.eigh

    def flipped(matrix):
        values, vectors = eigh(matrix)
        return values, vectors * np.where(np.arange(len(values)) % 2, 1.0, -1.0)

    monkeypatch.setattr(np.linalg, "eigh", flipped)
    monkeypatch.setenv("PRIVSTAMP_CACHE", str(plain.unit.filename) + ".other")
    again = project(base, 4)
    assert np.array_equal(again.unit, plain.unit)
    assert again.fingerprint == plain.fingerprint


def test_fingerprint_names_base_and_dimensions():
    base = uneven()
    seen = {base.fingerprint, project(base, 4).fingerprint, project(base, 5).fingerprint}
    seen.add(project(uneven(seed=1), 4).fingerprint)
    assert len(seen) == 4
    assert project(uneven(), 4).fingerprint in seen


def test_made_once_and_mapped(monkeypatch):
    base = uneven()
    first = project(base, 4)
    assert isinstance(first.unit, np.memmap)
    monkeypatch.setattr("privstamp.spaces.words._main_part", None)
    assert np.array_equal(project(base, 4).unit, first.unit)


@pytest.mark.parametrize("dimensions", [0, 1, 10, 11, -3, 4.0, True, "4"])
def test_a_number_of_dimensions_that_cannot_be_is_refused(dimensions):
    with pytest.raises(UsageError, match="from 2 to 9"):
        project(uneven(), dimensions)


def test_a_row_without_a_direction_is_refused():
    """It could not be a unit vector, and giving it one would make it some other word's twin."""
    raw = np.random.default_rng(0).standard_normal((400, 6)) * [9.0, 9.0, 1.0, 1.0, 1.0, 1.0]
    raw = np.concatenate([raw, -raw])  # the mean is zero, so nothing moves the odd row
    raw[[7, 407], :] = 0.0
    raw[7, 5], raw[407, 5] = 1.0, -1.0
    raw[np.arange(800) % 400 != 7, 5] = 0.0
    with pytest.raises(Incompatible, match="no direction left in 2 dimensions"):
        project(ToySpace(unit=raw), 2)


# In a policy


@pytest.fixture
def toy_spaces(monkeypatch):
    class Spaces:
        def build(self, name, options):
            if options:
                raise PolicyError(f'space "{name}" has no option "{next(iter(options))}"')
            return uneven()

    monkeypatch.setattr(parts, "SPACES", Spaces())


@pytest.mark.usefixtures("toy_spaces")
def test_a_policy_can_ask_for_a_projection():
    policy = Policy.from_toml('extends = "stamp"\n[space]\nname = "toy"\nproject = 4\n')
    space = parts.open_space(policy.space)
    assert space.name == "toy+pca4"
    assert (
        policy.fingerprint()
        != Policy.from_toml('extends = "stamp"\n[space]\nname = "toy"\n').fingerprint()
    )
    assert parts.open_space(Part(name="toy")).name == "toy"


@pytest.mark.usefixtures("toy_spaces")
def test_unknown_options_are_still_errors():
    part = Part.model_validate({"name": "toy", "project": 4, "projekt": 3})
    with pytest.raises(PolicyError, match='no option "projekt"'):
        parts.open_space(part)
    with pytest.raises(UsageError, match="project takes a whole number"):
        parts.open_space(Part.model_validate({"name": "toy", "project": "many"}))


def test_the_default_space_is_projected_by_a_policy(monkeypatch):
    monkeypatch.delenv("PRIVSTAMP_CACHE")
    policy = Policy.from_toml('extends = "stamp"\n[space]\nname = "glove"\nproject = 32\n')
    made = parts.assemble(policy)
    assert made.space.unit.shape == (400_000, 32)
    assert made.space.name == "glove+pca32"
    assert all("glove+pca32" in one.guarantee for one in made.mechanisms.values())

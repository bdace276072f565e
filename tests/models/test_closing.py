import pytest

from privstamp.models.replies import Closing


class Model(Closing):
    closed = 0

    def close(self) -> None:
        self.closed += 1


def test_a_block_closes_what_it_opened_and_hides_no_error():
    with Model() as model:
        assert model.closed == 0
    assert model.closed == 1
    with pytest.raises(KeyError), model:
        raise KeyError
    assert model.closed == 2

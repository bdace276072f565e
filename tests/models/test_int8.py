"""Needs torch."""

import pytest

from privstamp.models.transformer import in_bytes

torch = pytest.importorskip("torch")


def layers(bias=True, seed=0):
    """The same layer twice, once in bytes."""
    torch.manual_seed(seed)
    whole = torch.nn.Sequential(torch.nn.Linear(64, 48, bias=bias))
    rounded = torch.nn.Sequential(torch.nn.Linear(64, 48, bias=bias))
    rounded.load_state_dict(whole.state_dict())
    in_bytes(torch, rounded)
    return whole, rounded


@pytest.mark.parametrize("bias", [True, False])
def test_products_are_as_close_as_bytes_allow(bias):
    whole, rounded = layers(bias)
    given = torch.randn(3, 5, 64)
    with torch.inference_mode():
        right, found = whole(given), rounded(given)
    assert found.shape == right.shape and found.dtype == right.dtype
    error = (found - right).abs()
    # half a step of each weight times what goes in, and the other way round
    weights = whole[0].weight
    steps = weights.abs().amax(dim=1) / 127
    most = 0.5 * steps * given.abs().sum(dim=-1, keepdim=True)
    most = most + 0.5 * (given.abs().amax(dim=-1, keepdim=True) / 127) * (
        weights.abs().sum(dim=1) + 32 * steps
    )
    assert (error <= most).all() and error.max() > 0


def test_rows_do_not_depend_on_each_other():
    _, rounded = layers()
    rows = torch.randn(40, 64) * torch.logspace(-3, 3, 40)[:, None]
    with torch.inference_mode():
        together = rounded(rows)
        assert torch.equal(together[:1], rounded(rows[:1]))
        assert torch.equal(together[7:9], rounded(rows[7:9]))


def test_a_row_of_zeros_gives_the_bias():
    _, rounded = layers()
    with torch.inference_mode():
        assert torch.equal(rounded(torch.zeros(1, 64))[0], rounded[0].bias)


def test_every_linear_layer_is_changed_and_its_weights_are_bytes():
    network = torch.nn.Sequential(
        torch.nn.Embedding(8, 16), torch.nn.Sequential(torch.nn.Linear(16, 16), torch.nn.ReLU())
    )
    in_bytes(torch, network)
    assert not [one for one in network.modules() if isinstance(one, torch.nn.Linear)]
    assert network[1][0].codes.dtype == torch.int8
    assert isinstance(network[0], torch.nn.Embedding)

"""A network's linear layers in bytes: several times as fast where a processor multiplies them.

A row of weights has a scale of its own, and so has a row of what goes in, so that rows of a batch
do not depend on each other. Replies are close to those of float32 and not the same.
"""

from __future__ import annotations

from typing import Any, Final

_MOST: Final = 127
_LEAST: Final = 1e-12
"""A row of zeros has this size: its codes are zeros whatever it is divided by."""


def in_bytes(torch: Any, network: Any) -> None:
    """Put a layer of bytes in the place of every linear one; what it held before is let go of."""
    layer = _layer(torch)
    for module in list(network.modules()):
        for name, child in list(module.named_children()):
            if isinstance(child, torch.nn.Linear):
                setattr(module, name, layer(child))


def _layer(torch: Any) -> Any:
    """The class: it can be made only where torch is."""

    class Bytes(torch.nn.Module):  # type: ignore[misc]  # torch is no dependency
        def __init__(self, linear: Any) -> None:
            super().__init__()
            self.codes, self.scales = _codes(torch, linear.weight.detach())
            self.bias = linear.bias

        def forward(self, given: Any) -> Any:
            codes, scales = _codes(torch, given.reshape(-1, given.shape[-1]))
            product = torch._int_mm(codes, self.codes.T).to(torch.float32)
            product.mul_(scales).mul_(self.scales.T)
            if self.bias is not None:
                product.add_(self.bias)
            return product.view(*given.shape[:-1], -1)

    return Bytes


def _codes(torch: Any, rows: Any) -> tuple[Any, Any]:
    """Rows as bytes, and what one of each row's steps is worth."""
    scales = rows.abs().amax(dim=1, keepdim=True).clamp_(min=_LEAST).div_(_MOST)
    return rows.div(scales).round_().to(torch.int8), scales

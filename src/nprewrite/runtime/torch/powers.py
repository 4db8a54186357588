"""Powers with a small constant exponent as products and roots.

NumPy's ``x ** 2`` reaches the graph as a power whose exponent is a tensor, which Inductor computes by
logarithms, at ten times the price of a product. NumPy itself computes ``x ** 2`` as ``x * x`` and ``x ** -1``
as ``1 / x``. The others are within two and a half units in the last place of the exact power, the library
functions within one. Import this module only where torch is wanted.
"""

from __future__ import annotations

from collections.abc import Callable

import torch

from nprewrite.runtime.torch.graph_nodes import Call, GraphPass, Node, calls
from nprewrite.runtime.torch.private import unset_fake_temporarily

Power = Callable[[Call, Node], Node]

_aten = torch.ops.aten
_COPIES = (_aten.lift_fresh_copy.default, _aten.lift_fresh.default, _aten._to_copy.default)


def _square(call: Call, x: Node) -> Node:
    return call(_aten.mul.Tensor, x, x)


def _cube(call: Call, x: Node) -> Node:
    return call(_aten.mul.Tensor, _square(call, x), x)


def _root_cubed(call: Call, x: Node) -> Node:
    """``x ** 1.5``, which for -inf is inf, where the root alone is not-a-number."""
    infinite = call(_aten.eq.Scalar, x, -torch.inf)
    product = call(_aten.mul.Tensor, x, call(_aten.sqrt.default, x))
    return call(_aten.where.ScalarSelf, infinite, torch.inf, product)


_POWERS: dict[float, Power] = {
    1.5: _root_cubed,
    2: _square,
    3: _cube,
    4: lambda call, x: _square(call, _square(call, x)),
}


class PowersAsProducts(GraphPass):
    """The pass over a graph of torch's own operations, before Inductor makes loops of it."""

    def __call__(self, graph: torch.fx.Graph) -> None:
        """Replace powers by products."""
        for target in (_aten.pow.Tensor_Tensor, _aten.pow.Tensor_Scalar):
            for node in graph.find_nodes(op="call_function", target=target):
                _replace(node, graph)


def _replace(node: Node, graph: torch.fx.Graph) -> None:
    base, exponent = node.args
    number = _constant(exponent)
    known, result = base.meta["val"], node.meta["val"]
    if number is None or (known.dtype, known.shape) != (result.dtype, result.shape) or known.is_complex():
        return
    if not known.is_floating_point() and number != 2:
        return
    power = (lambda call, x: x) if number == -1 else _POWERS.get(abs(number))
    if power is None:
        return
    call = calls(graph)
    with graph.inserting_before(node):
        # The power of the reciprocal, because the power may be infinite where its reciprocal is a number.
        product = power(call, base if number > 0 else call(_aten.reciprocal.default, base))
    node.replace_all_uses_with(product)
    graph.erase_node(node)


def _constant(node: Node | float) -> float | None:
    """The number that an exponent is, or is a copy of."""
    if not isinstance(node, torch.fx.Node):
        return float(node) if isinstance(node, int | float) else None
    while node.op == "call_function" and node.target in _COPIES:
        node = node.args[0]
    if node.op != "get_attr":
        return None
    held = getattr(node.graph.owning_module, node.target)
    if not isinstance(held, torch.Tensor) or held.numel() != 1 or held.is_complex():
        return None
    # The graph's constants are real tensors among fake ones.
    with unset_fake_temporarily():
        return float(held.item())

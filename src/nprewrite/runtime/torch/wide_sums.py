"""Sums that are computed in a wider type than Inductor would.

Its vectorised code gives other sums of integers of eight bits than ``x.sum(dtype=np.int8)``, which are the
last eight bits of the sum in 64 (torch 2.13). Floats of 32 bits it adds up one after the other, where NumPy
adds in pairs: the mean of 100,000 numbers is off by 1e-4 in place of 1e-7. In 64 bits it is at least as near
as NumPy's. Import this module only where torch is wanted.
"""

from __future__ import annotations

import torch

from nprewrite.runtime.torch.graph_nodes import GraphPass, Node, calls

_aten = torch.ops.aten
_SUMS = (_aten.sum.default, _aten.sum.dim_IntList)
_OTHERS = (
    *(_aten.mean.default, _aten.mean.dim, _aten.var.correction, _aten.std.correction),
    _aten.linalg_vector_norm.default,
)
_WIDE = {torch.int8: torch.int64, torch.uint8: torch.int64, torch.float32: torch.float64}


class WideSums(GraphPass):
    """The pass over a graph of torch's own operations, before Inductor makes loops of it."""

    def __call__(self, graph: torch.fx.Graph) -> None:
        """Sum in 64 bits."""
        for target in (*_SUMS, *_OTHERS):
            for node in graph.find_nodes(op="call_function", target=target):
                wide = _WIDE.get(node.meta["val"].dtype)
                if wide is not None and (target in _SUMS or wide.is_floating_point):
                    _widen(node, wide, graph)


def _widen(node: Node, wide: torch.dtype, graph: torch.fx.Graph) -> None:
    call, (given, *others) = calls(graph), node.args
    convert = torch.ops.prims.convert_element_type.default
    named = {**node.kwargs, **({"dtype": wide} if "dtype" in node.kwargs else {})}
    with graph.inserting_before(node):
        total = call(node.target, call(convert, given, wide), *others, **named)
        narrow = call(convert, total, node.meta["val"].dtype)
    node.replace_all_uses_with(narrow)
    graph.erase_node(node)

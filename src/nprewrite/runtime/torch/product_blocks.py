"""Matrix products that sum over many rows, computed in blocks of rows.

The library that torch calls for ``A.T @ B`` of tall matrices neither shares the rows among the processor's
cores nor keeps the result in a cache: 200,000 rows of 30 and 10 float64 numbers take it 33 ms, and 8 ms as
the sum of the products of a thousand rows each. Import this module only where torch is wanted.
"""

from __future__ import annotations

import torch

from nprewrite.runtime.torch.graph_nodes import Call, GraphPass, Node, calls

_aten = torch.ops.aten

_TALL = 16_384
"""Fewer rows gain nothing."""

_NARROW = 128
"""Nor do wider matrices, whose products are large enough to be shared."""

_ROWS = 1024


class ProductsInBlocks(GraphPass):
    """The pass over a graph of torch's own operations, before Inductor makes calls of the products."""

    def __call__(self, graph: torch.fx.Graph) -> None:
        """Replace products by sums of products."""
        for node in graph.find_nodes(op="call_function", target=_aten.mm.default):
            if _is_tall(*node.args):
                with graph.inserting_before(node):
                    product = _summed(calls(graph), *node.args)
                node.replace_all_uses_with(product)
                graph.erase_node(node)


def _is_tall(first: Node, second: Node) -> bool:
    left, right = first.meta["val"], second.meta["val"]
    lengths = (*left.shape, right.shape[1])
    if not left.dtype.is_floating_point or not all(isinstance(length, int) for length in lengths):
        return False
    # A row of the sum has to be one piece of memory in both; an untransposed matrix is fast as it is.
    if left.stride()[0] != 1 or right.stride()[1] != 1:
        return False
    return bool(lengths[1] >= _TALL and min(lengths[::2]) > 1 and max(lengths[::2]) <= _NARROW)


def _summed(call: Call, first: Node, second: Node) -> Node:
    """``first @ second`` as the sum of the products of a thousand rows each."""
    height, rows = first.meta["val"].shape
    width = second.meta["val"].shape[1]
    blocks = rows // _ROWS
    whole = blocks * _ROWS
    left = call(_aten.reshape.default, _part(call, first, 1, 0, whole), [height, blocks, _ROWS])
    right = call(_aten.reshape.default, _part(call, second, 0, 0, whole), [blocks, _ROWS, width])
    products = call(_aten.bmm.default, call(_aten.permute.default, left, [1, 0, 2]), right)
    total = call(_aten.sum.dim_IntList, products, [0])
    if whole == rows:
        return total
    rest = call(_aten.mm.default, _part(call, first, 1, whole, rows), _part(call, second, 0, whole, rows))
    return call(_aten.add.Tensor, total, rest)


def _part(call: Call, node: Node, axis: int, start: int, stop: int) -> Node:
    return call(_aten.slice.Tensor, node, axis, start, stop)

"""Sums of integers of eight bits, which Inductor's vectorised code gets wrong.

That of torch 2.13 gives other sums than NumPy's ``x.sum(dtype=np.int8)``, which are the last eight bits of
the sum in 64. Import this module only where torch is wanted.
"""

from __future__ import annotations

import torch

from nprewrite.runtime.torch.graph_nodes import GraphPass, calls

_aten = torch.ops.aten
_BYTES = (torch.int8, torch.uint8)


class SumsOfBytes(GraphPass):
    """The pass over a graph of torch's own operations, before Inductor makes loops of it."""

    def __call__(self, graph: torch.fx.Graph) -> None:
        """Sum in 64 bits."""
        for target in (_aten.sum.default, _aten.sum.dim_IntList):
            for node in graph.find_nodes(op="call_function", target=target):
                if node.meta["val"].dtype not in _BYTES:
                    continue
                call = calls(graph)
                with graph.inserting_before(node):
                    wide = call(target, *node.args, **{**node.kwargs, "dtype": torch.int64})
                    narrow = call(torch.ops.prims.convert_element_type.default, wide, node.meta["val"].dtype)
                node.replace_all_uses_with(narrow)
                graph.erase_node(node)

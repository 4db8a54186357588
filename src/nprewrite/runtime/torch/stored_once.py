"""Costly values that a graph reads at several positions: stored once, not computed at each position.

Inductor computes an elementwise value anew at every position at which a loop reads it: the four neighbours of
``np.sin(u)`` take four sines per element. By itself it stores values of exp, log and tanh, but no others.
Import this module only where torch is wanted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

from nprewrite.runtime.torch.graph_nodes import GraphPass
from nprewrite.runtime.torch.private import OpOverload, realize

Node = Any

_aten = torch.ops.aten

_COSTLY = frozenset(
    [
        *(_aten.sin, _aten.cos, _aten.tan, _aten.asin, _aten.acos, _aten.atan, _aten.atan2),
        *(_aten.sinh, _aten.cosh, _aten.asinh, _aten.acosh, _aten.atanh, _aten.expm1, _aten.erf),
        *(_aten.exp, _aten.exp2, _aten.log, _aten.log2, _aten.log10, _aten.log1p, _aten.tanh, _aten.pow),
    ]
)
"""They take a dozen operations or more per element, against one store and one load."""

_SHIFTS = frozenset(
    [
        *(_aten.slice, _aten.select, _aten.slice_scatter, _aten.select_scatter),
        *(_aten.constant_pad_nd, _aten.index, _aten.gather, _aten.flip, _aten.roll, _aten.cat),
    ]
)
"""What reads elements at other positions than their own, or puts them there."""


_IN_PLACE = frozenset([_aten.copy, _aten.clone, _aten.expand, _aten.alias, _aten._to_copy])
"""What leaves elements where they are, but is not marked as elementwise."""


class StoreOnce(GraphPass):
    """The pass over a graph of torch's own operations, before Inductor makes loops of it."""

    def __call__(self, graph: torch.fx.Graph) -> None:
        """Mark the values that loops are to read from memory."""
        values = {_last(node) for node in graph.nodes if _is_costly(node)}
        for node in [each for each in graph.nodes if each in values]:
            if len({*_shifts(node)}) < 2:
                continue
            with graph.inserting_after(node):
                stored = graph.call_function(realize, (node,))
            stored.meta.update(node.meta)
            node.replace_all_uses_with(stored, delete_user_cb=lambda user, own=stored: user is not own)


def _is_costly(node: Node) -> bool:
    overload = isinstance(node.target, OpOverload)
    return overload and node.target.overloadpacket in _COSTLY


def is_elementwise(node: Node) -> bool:
    """Whether each element of a value is made from the elements of its operands at the same position."""
    if not isinstance(node.target, OpOverload):
        return False
    return torch.Tag.pointwise in node.target.tags or node.target.overloadpacket in _IN_PLACE


def _last(node: Node) -> Node:
    """The last value that is made elementwise from this one and is its only use: ``K * np.sin(x)``."""
    while len(node.users) == 1:
        (user,) = node.users
        if not is_elementwise(user) or _size(user) != _size(node):
            break
        node = user
    return node


def _shifts(node: Node) -> Iterator[Node]:
    """The operations that move the value's elements, directly or after elementwise ones."""
    pending, seen = [node], {node}
    while pending:
        for user in pending.pop().users:
            if user in seen:
                continue
            seen.add(user)
            if _is_shift(user):
                yield user
            elif is_elementwise(user):
                pending.append(user)


def _is_shift(node: Node) -> bool:
    overload = isinstance(node.target, OpOverload)
    return overload and node.target.overloadpacket in _SHIFTS


def _size(node: Node) -> str:
    # As text: comparing lengths that vary would fix them.
    return str(getattr(node.meta.get("val"), "shape", None))

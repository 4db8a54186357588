"""Values that a graph reads several times: stored once, not computed each time.

Inductor computes an elementwise value anew wherever a loop reads it: the four neighbours of ``np.sin(u)``
take four sines per element, and ``x / m`` of N points is computed N times for each in ``x / m - (x / m).T``.
By itself it stores values of exp, log and tanh, but no others. Nor does it copy the columns of an array of
points, and a loop over every pair of points reads these with gaps, which keeps it from using vectors. Import
this module only where torch is wanted.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import torch

from nprewrite.runtime.torch.graph_nodes import GraphPass, calls
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

_DIVISIONS = frozenset([_aten.div, _aten.sqrt, _aten.rsqrt, _aten.reciprocal, _aten.fmod, _aten.remainder])
"""They take as long as several loads: enough to store few elements that are read for many."""

_PARTS = frozenset([_aten.select, _aten.slice])

_VIEWS = frozenset(
    [
        *(_aten.view, _aten.reshape, _aten._unsafe_view, _aten.unsqueeze, _aten.squeeze),
        *(_aten.permute, _aten.transpose, _aten.t, _aten.alias),
    ]
)
"""What leaves the elements where they are."""

_MANY = 4
"""How often an element has to be read before it is stored for that."""

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
        values = {_last(node) for node in graph.nodes if _is_one_of(node, _COSTLY)}
        packed: set[Node] = set()
        for node in [*graph.nodes]:
            if _is_one_of(node, _PARTS | _VIEWS) and not packed.isdisjoint(node.all_input_nodes):
                # What it knows of its strides is from before.
                packed.add(node)
            elif _has_gaps(node) and _is_spread(node):
                packed.add(store(graph, _packed(graph, node), node))
            elif (node in values and len({*_shifts(node)}) > 1) or (
                divisions_in(node, 1) and _is_spread(node)
            ):
                store(graph, node, node)


def store(graph: torch.fx.Graph, value: Node, node: Node) -> Node:
    """Have the users of ``node`` read ``value`` from memory. Returns the node that they use."""
    with graph.inserting_after(value):
        stored = graph.call_function(realize, (value,))
    stored.meta.update(value.meta)
    node.replace_all_uses_with(stored, delete_user_cb=lambda user: user not in (value, stored))
    return stored


def _packed(graph: torch.fx.Graph, node: Node) -> Node:
    """The elements of a view without gaps."""
    with graph.inserting_after(node):
        return calls(graph)(_aten.clone.default, node, memory_format=torch.contiguous_format)


def _is_one_of(node: Node, operations: frozenset[Any]) -> bool:
    return isinstance(node.target, OpOverload) and node.target.overloadpacket in operations


def _has_gaps(node: Node) -> bool:
    """Whether it is a column, or every other element, of an array."""
    value = node.meta.get("val")
    if not _is_one_of(node, _PARTS) or value is None:
        return False
    axes = zip(value.shape, value.stride(), strict=True)
    steps = [step for length, step in axes if not (isinstance(length, int) and length == 1)]
    return bool(steps) and not (isinstance(steps[-1], int) and steps[-1] == 1)


def _is_spread(node: Node) -> bool:
    """Whether an elementwise operation reads each of its elements many times: ``x`` in ``x - x.T``."""
    pending = [node]
    while pending:
        for user in pending.pop().users:
            if _is_one_of(user, _VIEWS | _PARTS):
                pending.append(user)
            elif is_elementwise(user) and _is_many(_lengths(user), _lengths(node)):
                return True
    return False


def _is_many(more: Sequence[Any], few: Sequence[Any]) -> bool:
    if all(isinstance(each, int) for each in (*more, *few)):
        return bool(math.prod(more) >= _MANY * math.prod(few))
    # As text: comparing lengths that vary would fix them.
    return sum(str(each) != "1" for each in more) > sum(str(each) != "1" for each in few)


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


def divisions_from(node: Node, least: int) -> bool:
    """Whether at least so many costly operations are made elementwise from a value."""
    pending, seen = [node], {node}
    while pending and least > 0:
        for user in pending.pop().users:
            if user not in seen and is_elementwise(user):
                least -= _is_one_of(user, _COSTLY | _DIVISIONS)
                seen.add(user)
                pending.append(user)
    return least <= 0


def divisions_in(node: Node, least: int) -> bool:
    """Whether a value is made elementwise by at least so many costly operations."""
    pending = [node] if is_elementwise(node) else []
    seen = {*pending}
    while pending and least > 0:
        made = pending.pop()
        least -= _is_one_of(made, _COSTLY | _DIVISIONS)
        if is_elementwise(made) or _is_one_of(made, _VIEWS):
            pending += [each for each in made.all_input_nodes if each not in seen]
            seen.update(made.all_input_nodes)
    return least <= 0


def _shifts(node: Node) -> Iterator[Node]:
    """The operations that move the value's elements, directly or after elementwise ones."""
    pending, seen = [node], {node}
    while pending:
        for user in pending.pop().users:
            if user in seen:
                continue
            seen.add(user)
            if _is_one_of(user, _SHIFTS):
                yield user
            elif is_elementwise(user):
                pending.append(user)


def _lengths(node: Node) -> tuple[Any, ...]:
    return tuple(getattr(node.meta.get("val"), "shape", ()))


def _size(node: Node) -> str:
    # As text: comparing lengths that vary would fix them.
    return str(_lengths(node))

"""Stores into parts of arrays, made in loops over these parts alone.

A graph has no stores: ``u[1:-1] = v`` is a new array in it, each element of which is chosen between ``v`` and
the old ``u``. Inductor makes that choice at every element, under masks, and makes it again wherever a later
statement reads the array at another position, so that each store that reads the one before doubles the work:
a step of four stores becomes slower than NumPy. Here all stores into an array write their parts of one
memory, as in NumPy, in loops with fixed bounds and no mask. That memory is the target to which the result is
copied at the end, if there is one; of the array, only what the first store leaves unchanged is copied there.

A result without a target stays a choice if it is read at its own positions only: that needs no memory.
Import this module only where torch is wanted.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from nprewrite.runtime.torch.graph_nodes import GraphPass
from nprewrite.runtime.torch.private import (
    canonicalize_view_scatter_ops,
    generalized_scatter,
    graph_call_function,
    is_view_op,
)
from nprewrite.runtime.torch.stored_once import is_elementwise

Node = Any
Graph = Any
Part = tuple[Any, ...]

_aten = torch.ops.aten
_SLICE = _aten.slice.Tensor
_SELECT = _aten.select.int
_COPY = _aten.copy_.default
_CONVERT = torch.ops.prims.convert_element_type.default
_END = 9223372036854775807
"""The end of an axis, as torch writes it."""
_SAME_MEMORY = frozenset([operator.getitem, _aten._to_copy.default, _aten.lift_fresh_copy.default, _CONVERT])
"""Operations that Inductor may replace by their operand, though torch does not say that they give a view."""


class StoreInPlace(GraphPass):
    """The pass over a graph of torch's own operations, after those that drop copies."""

    def __call__(self, graph: Graph) -> None:
        """Turn arrays that are put together from two others into stores."""
        # From here on: generalized_scatter(array, value, views), where the views lead to the part.
        canonicalize_view_scatter_ops(graph)
        _drop_stores_of_own_elements(graph)
        _store_bools_as_bytes(graph)
        graph.eliminate_dead_code()
        _Stores(graph).make()


def _drop_stores_of_own_elements(graph: Graph) -> None:
    """``u[1:] += v`` stores twice: the sum in place, then that result into the part that it already is."""
    for store in graph.find_nodes(op="call_function", target=generalized_scatter):
        array, value, views = store.args
        for view in reversed(views):
            same = isinstance(value, torch.fx.Node) and value.target is view.target
            value = value.args[0] if same and value.args[1:] == view.args else None
        if value is array:
            store.replace_all_uses_with(array)
            graph.erase_node(store)


def _store_bools_as_bytes(graph: Graph) -> None:
    """Have what is stored into, and its targets, hold bytes where its elements are bools.

    Of bools, Inductor's vectors are masks, which differ with the size of what was compared. A store that
    stays a choice chooses between two masks, and the C++ for two that differ does not compile.
    """
    bytes_of: dict[Node, Node] = {}
    for store in graph.find_nodes(op="call_function", target=generalized_scatter):
        if store.meta["val"].dtype != torch.bool:
            continue
        array, value, views = store.args
        with graph.inserting_before(store):
            old, new = (bytes_of.get(each) or _as_bytes(graph, each) for each in (array, value))
            stored = graph_call_function(graph, generalized_scatter, old, new, views)
            bools = graph_call_function(graph, _aten.ne.Scalar, stored, 0)
        bytes_of[bools] = stored
        store.replace_all_uses_with(bools)
        graph.erase_node(store)
    for node in graph.find_nodes(op="call_function", target=_CONVERT):
        source = node.args[0]
        while source.target is _CONVERT:
            source = source.args[0]
        if node.args[1] == torch.uint8 and source in bytes_of:
            node.replace_all_uses_with(bytes_of[source])


def _as_bytes(graph: Graph, bools: Node) -> Node:
    # Through int32 for the reason that ``graph`` has for its results.
    numbers = graph_call_function(graph, _CONVERT, bools, torch.int32)
    return graph_call_function(graph, _CONVERT, numbers, torch.uint8)


class _Stores:
    """The stores of one graph: which of them share memory, and what is written where."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._order = {node: number for number, node in enumerate(graph.nodes)}
        found = graph.find_nodes(op="call_function", target=generalized_scatter)
        stores = [each for each in found if _is_of_parts(each)]
        # The array into which each one stores, as a value of the graph before anything changes.
        self._array = {store: store.args[0] for store in stores}
        self._next = {self._array[each]: each for each in stores if self._may_overwrite(each)}
        self._targets = {copy.args[1]: copy for copy in graph.nodes if _fills_target(copy)}

    def make(self) -> None:
        """Replace the stores, in their order."""
        memories: dict[Node, Node] = {}
        for store, array in self._array.items():
            if array in memories and self._next.get(array) is store:
                memory = memories[array]
            elif array not in memories and not self._pays(store):
                continue
            else:
                with self._graph.inserting_before(store):
                    memory = self._new_memory(store)
            memories[store] = memory
            self._write(store, memory)

    def _may_overwrite(self, store: Node) -> bool:
        """Whether the old array is not read after the store, nor what the store overwrites before it.

        Inductor may fuse a loop that reads with the store after it. It checks whether that loop reads other
        elements than are stored, but only for the first store into a memory. An iteration may read the
        elements that it stores itself.
        """
        array, _, views = store.args
        if not all(self._order[each] < self._order[store] for each in _readers(array) if each is not store):
            return False
        shape, own = array.meta["val"].shape, _part(views)
        return all(
            _are_apart(read.part, own, shape) or (read.in_order and read.part == own)
            for read in _reads(array)
            if (read.node, read.user) != (array, store)
        )

    def _versions(self, store: Node) -> Iterator[Node]:
        """The store, and the later ones into the same memory."""
        version: Node | None = store
        while version is not None:
            yield version
            version = self._next.get(version)

    def _pays(self, store: Node) -> bool:
        """Whether the result needs memory anyway, or would be computed again at each of several positions."""
        versions = list(self._versions(store))
        if any(each in self._targets for each in versions):
            return True
        own = {_part(each.args[2]) for each in versions}
        parts = {read.part for each in versions for read in _reads(each)}
        # What is read where it was stored is read at its own position, as the whole array is.
        return len({() if part in own else part for part in parts}) > 1

    def _new_memory(self, store: Node) -> Node:
        """Memory that holds what the store leaves unchanged."""
        (*_, last) = self._versions(store)
        array, _, views = store.args
        copy = self._targets.pop(last, None)
        if copy is None:
            return graph_call_function(self._graph, _aten.clone.default, array)
        target = copy.args[0]
        self._graph.erase_node(copy)
        self._copy_around(target, array, views)
        return target

    def _copy_around(self, target: Node, array: Node, views: Sequence[Any]) -> None:
        """Copy what is outside a part: axis by axis, the elements before it and those after it."""
        axes = list(range(array.meta["val"].ndim))
        for view in views:
            axis, first, end, step = _bounds(view.target, view.args)
            where = axes.pop(axis) if view.target is _SELECT else axes[axis]
            if step != 1:
                # The elements between those of the part have to be copied as well.
                self._call(_COPY, target, array)
                return
            for low, high in ((0, first), (end, _END)):
                if low != high:
                    self._call(
                        _COPY, *(self._call(_SLICE, each, where, low, high) for each in (target, array))
                    )
            target, array = (self._call(_SLICE, each, where, first, end) for each in (target, array))

    def _write(self, store: Node, memory: Node) -> None:
        _, value, views = store.args
        with self._graph.inserting_before(store):
            part = memory
            for view in views:
                part = self._call(view.target, part, *view.args)
            self._call(_COPY, part, value)
        store.replace_all_uses_with(memory)
        self._graph.erase_node(store)

    def _call(self, function: Any, *arguments: Any) -> Node:
        return graph_call_function(self._graph, function, *arguments)


def _is_of_parts(store: Node) -> bool:
    """Whether a store goes to slices or single indices that the text states."""
    return all(
        not view.kwargs and (view.target is _SLICE or (view.target is _SELECT and type(view.args[1]) is int))
        for view in store.args[2]
    )


def _bounds(target: Any, arguments: Sequence[Any]) -> tuple[int, Any, Any, Any]:
    """The axis of a view and which of its elements: the first, the one after the last, and the step."""
    if target is _SELECT:
        axis, index = arguments
        return axis, index, index + 1 if index != -1 else _END, 1
    given: list[Any] = [*arguments, *[0, None, None, 1][len(arguments) :]]
    axis, first, end, step = given
    return axis, 0 if first is None else first, _END if end is None else end, step


def _part(views: Sequence[Any]) -> Part:
    return tuple((view.target, *view.args) for view in views)


@dataclass(frozen=True)
class _Read:
    """A use of an array's part, directly (``node``) or through what is made of each of its elements."""

    part: Part
    node: Node
    user: Node

    @property
    def in_order(self) -> bool:
        """Whether a loop over the part reads one element in each iteration, as the store does."""
        return self.user.target in (generalized_scatter, _COPY)


def _reads(array: Node) -> Iterator[_Read]:
    pending: list[tuple[Node, Part]] = [(array, ())]
    seen = set(pending)
    while pending:
        node, part = pending.pop()
        for user in node.users:
            if user.target in (_SLICE, _SELECT):
                following = (user, (*part, (user.target, *user.args[1:])))
            elif is_elementwise(user) and user.meta["val"].shape == node.meta["val"].shape:
                following = (user, part)
            else:
                yield _Read(part, node, user)
                continue
            if following not in seen:
                seen.add(following)
                pending.append(following)


def _readers(array: Node) -> Iterator[Node]:
    """What reads an array, directly or through others in the same memory."""
    for user in array.users:
        yield user
        if is_view_op(user.target) or user.target in _SAME_MEMORY:
            yield from _readers(user)


def _are_apart(one: Part, other: Part, shape: Sequence[Any]) -> bool:
    """Whether two parts of an array have no element in common; False where lengths vary."""
    pairs = zip(_ranges(one, shape), _ranges(other, shape), strict=True)
    return any(not _meet(*pair) for pair in pairs)


def _ranges(part: Part, shape: Sequence[Any]) -> list[range | None]:
    """The indices along each axis of an array; None where they are not known."""
    ranges: list[range | None] = [range(length) if type(length) is int else None for length in shape]
    axes = list(range(len(shape)))
    for target, *arguments in part:
        axis, first, end, step = _bounds(target, arguments)
        where = axes.pop(axis) if target is _SELECT else axes[axis]
        known = ranges[where]
        literal = all(type(each) is int for each in (first, end, step))
        ranges[where] = known[first:end:step] if known is not None and literal else None
    return ranges


def _meet(one: range | None, other: range | None) -> bool:
    if one is None or other is None:
        return True
    if not one or not other or one[-1] < other[0] or other[-1] < one[0]:
        return False
    return one.step != other.step or (one[0] - other[0]) % one.step == 0


def _fills_target(node: Node) -> bool:
    """Whether a node is the copy of a result to memory that nothing else reads or writes."""
    if node.target is not _COPY or node.users:
        return False
    target, value = node.args
    return (
        target.op == "placeholder"
        and len(target.users) == 1
        and target.meta["val"].dtype == value.meta["val"].dtype
        and target.meta["val"].shape == value.meta["val"].shape
        # Further results must not share memory with the target, which a later call overwrites.
        and all(each.op != "output" for each in _readers(value))
    )

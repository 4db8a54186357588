"""Rolled rows as parts of a row with its own ends beside it.

``np.roll(x, 1, axis=-1)`` reads each element at a place modulo the length. Inductor makes vectors of such
elements one by one, and where a loop reads many, it uses no vectors at all: in the fluxes of a finite volume
scheme the divisions and roots then take most of the time. Here the rows are copied once, with the elements
beside them that are read beyond either end. Import this module only where torch is wanted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch

from nprewrite.runtime.torch.graph_nodes import Call, GraphPass, Node, calls
from nprewrite.runtime.torch.stored_once import divisions_from, divisions_in, store

_aten = torch.ops.aten
_MOST_BESIDE = 8
_LEAST_DIVISIONS = 3
"""Divisions, roots and costlier functions of an element that reading it in vectors has to serve."""


class RolledRows(GraphPass):
    """The pass over a graph of torch's own operations, before Inductor makes loops of it."""

    def __call__(self, graph: torch.fx.Graph) -> None:
        """Copy the rows that are rolled by a few places, and read parts of the copies."""
        rolled: dict[Node, dict[Node, int]] = {}
        for node in graph.find_nodes(op="call_function", target=_aten.index.Tensor):
            places = _places(node)
            if places is not None:
                rolled.setdefault(node.args[0], {})[node] = places
        for rows, by in rolled.items():
            if any(map(_is_worth, by)):
                _read_beside(graph, rows, by)


def _is_worth(node: Node) -> bool:
    """Whether what is made of rolled rows is costly, or the rows are, which two loops would compute."""
    return divisions_from(node, _LEAST_DIVISIONS) or divisions_in(node.args[0], _LEAST_DIVISIONS)


def _places(node: Node) -> int | None:
    """By how many places a row is rolled, if it is by few."""
    rows, indices = node.args
    *others, last = indices
    length = rows.meta["val"].shape[-1]
    if len(indices) != rows.meta["val"].dim() or any(each is not None for each in others):
        return None
    first = _first_of_rolled(last, length)
    if first is None or not isinstance(length, int):
        return None
    places = -first if first <= _MOST_BESIDE else length - first
    return places if abs(places) <= min(_MOST_BESIDE, length // 2) else None


def _first_of_rolled(index: Node | None, length: Any) -> int | None:
    """The place that an index begins with, if it is ``(arange(length) + first) % length``."""
    match index:
        case torch.fx.Node(target=_aten.fmod.Scalar, args=(torch.fx.Node() as added, modulus)):
            pass
        case _:
            return None
    match added:
        case torch.fx.Node(target=_aten.add.Tensor, args=(torch.fx.Node() as counted, int(first))):
            counts = counted.target is torch.ops.prims.iota.default and counted.args == (length,)
            plain = counted.kwargs.get("start") == 0 and counted.kwargs.get("step") == 1
            return first if counts and plain and modulus == length else None
    return None


def _read_beside(graph: torch.fx.Graph, rows: Node, by: Mapping[Node, int]) -> None:
    if rows.op == "call_function":
        rows = store(graph, rows, rows)
    call, length = calls(graph), rows.meta["val"].shape[-1]
    before, behind = max(0, *by.values()), max(0, *(-each for each in by.values()))
    # Parameters stand before everything else.
    last = rows if rows.op != "placeholder" else graph.find_nodes(op="placeholder")[-1]
    with graph.inserting_before(last.next):
        whole = call(_aten.cat.default, _with_ends(call, rows, length, before, behind), -1)
        for node, places in by.items():
            first = before - places
            part = call(_aten.slice.Tensor, whole, -1, first, first + length)
            node.replace_all_uses_with(part)
    for node in by:
        graph.erase_node(node)


def _with_ends(call: Call, rows: Node, length: int, before: int, behind: int) -> Sequence[Node]:
    """The rows, after their last elements and before their first ones."""
    made = [call(_aten.slice.Tensor, rows, -1, length - before, length)] if before else []
    made.append(rows)
    return [*made, call(_aten.slice.Tensor, rows, -1, 0, behind)] if behind else made

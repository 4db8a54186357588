"""Numbers of an iteration that are the same where they are computed after it: ``dx = L / n``."""

from __future__ import annotations

import ast
from typing import Protocol

from nprewrite.analysis.repeated_cost import is_pure
from nprewrite.base.syntax import name_nodes, stored_names, walk
from nprewrite.numpy_api.attributes import is_count
from nprewrite.regions.array_loops.body import LoopBody
from nprewrite.types.values import Array, Scalar


class Flow(Protocol):
    """The data flow of an iteration."""

    body: LoopBody
    rebound: list[str]
    scalars: dict[str, ast.expr]

    @property
    def alike(self) -> list[str]:
        """Arrays whose name the iteration binds again, to others of the same shape."""


def is_computed_anew(name: str, flow: Flow, inside: frozenset[str] = frozenset()) -> bool:
    """Whether what a name was bound to, once, gives the same number after the iteration.

    It is computed from numbers that the iteration does not bind, or binds so, and from shapes that are the
    same after it. ``inside`` are the names that lead here.
    """
    view, node = flow.body.view, flow.scalars[name]
    bound = sum(name in stored_names(each) for each in flow.body.statements)
    value = view.facts.value(node)
    if bound != 1 or name in inside or not isinstance(value, Scalar) or value.of_array:
        return False
    attributes = [each for each in walk(node) if isinstance(each, ast.Attribute)]
    shapes = {id(each.value) for each in attributes if each.attr == "shape" or is_count(each.attr)}
    return is_pure(node, view) and all(
        _stays(each, flow, inside | {name}, of_shape=id(each) in shapes) for each in name_nodes(node)
    )


def _stays(node: ast.Name, flow: Flow, inside: frozenset[str], *, of_shape: bool) -> bool:
    if node.id in flow.scalars:
        return is_computed_anew(node.id, flow, inside)
    if flow.body.view.dotted(node) is not None:
        return True
    value, is_rebound = flow.body.view.facts.value(node), node.id in flow.rebound
    if isinstance(value, Array):
        return of_shape and (not is_rebound or node.id in flow.alike)
    return isinstance(value, Scalar) and not (value.of_array or is_rebound)

"""Nodes that a pass puts into a graph of operations. Import this module only where torch is wanted."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import torch

from nprewrite.runtime.torch.private import CustomGraphPass, get_hash_for_files, tree_map_only

Node = Any
Call = Callable[..., Node]


class GraphPass(CustomGraphPass):  # type: ignore[misc]
    """A pass over a graph of torch's own operations, before Inductor makes loops of it."""

    def uuid(self) -> Any:
        """What Inductor's cache knows the pass by: the text of its module."""
        return get_hash_for_files((inspect.getfile(type(self)),))


class InTurn(GraphPass):
    """Several passes, one after the other."""

    def __init__(self, *passes: GraphPass) -> None:
        self._passes = passes

    def __call__(self, graph: torch.fx.Graph) -> None:
        """Apply them."""
        for each in self._passes:
            each(graph)

    def uuid(self) -> Any:
        """What Inductor's cache knows them by."""
        return tuple(each.uuid() for each in self._passes)


def calls(graph: torch.fx.Graph) -> Call:
    """A function that adds calls of operations to the graph, as nodes that know what they give."""

    def call(target: Any, *arguments: Any, **options: Any) -> Node:
        node = graph.call_function(target, arguments, options)
        values = tree_map_only(torch.fx.Node, lambda each: each.meta["val"], arguments)
        node.meta["val"] = target(*values, **options)
        return node

    return call

"""Nodes that a pass puts into a graph of operations. Import this module only where torch is wanted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from nprewrite.runtime.torch.private import tree_map_only

Node = Any
Call = Callable[..., Node]


def calls(graph: torch.fx.Graph) -> Call:
    """A function that adds calls of operations to the graph, as nodes that know what they give."""

    def call(target: Any, *arguments: Any) -> Node:
        node = graph.call_function(target, arguments)
        node.meta["val"] = target(*tree_map_only(torch.fx.Node, lambda each: each.meta["val"], arguments))
        return node

    return call

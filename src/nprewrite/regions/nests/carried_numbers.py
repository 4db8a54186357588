"""Numbers that a nest of loops carries from one iteration to the next."""

from __future__ import annotations

from collections.abc import Sequence

from nprewrite.base.syntax import names_in
from nprewrite.regions.nests.nest import Nest
from nprewrite.regions.nests.tree import Bind, Branch, Loop, Node, Store


def carrying_loops(name: str, loops: Sequence[Loop], nest: Nest) -> list[Loop]:
    """Those of the loops around a place whose iterations may read ``name`` from the one before."""
    first = next((at for at, loop in enumerate(loops) if not exposed(name, loop.body)), None)
    if first is None:
        return list(loops)
    inner = [loop for loop in loops[first + 1 :] if exposed(name, loop.body)]
    return [*loops[:first], *inner]


def exposed(name: str, block: Sequence[Node]) -> bool:
    """Whether ``block`` may read ``name`` before it has set it."""
    return _exposure(name, block) == "read"


def surely_sets(name: str, node: Node) -> bool:
    """Whether ``node`` sets ``name`` whenever it runs."""
    return _exposure(name, [node]) == "set"


def _exposure(name: str, block: Sequence[Node]) -> str:
    for node in block:
        found = _of_node(name, node)
        if found != "untouched":
            return found
    return "untouched"


def _of_node(name: str, node: Node) -> str:
    match node:
        case Loop() if node.name == name:
            return "untouched"
        case Loop():
            inside = _exposure(name, node.body)
            return inside if inside == "read" else "untouched"
        case Branch():
            if name in names_in(node.node.test):
                return "read"
            arms = {_exposure(name, node.body), _exposure(name, node.orelse)}
            if "read" in arms:
                return "read"
            return "set" if arms == {"set"} else "untouched"
        case Store():
            return "read" if name in names_in(node.value, node.target) else "untouched"
        case Bind():
            updated = node.name == name and node.operator is not None
            if updated or name in names_in(node.value):
                return "read"
            return "set" if node.name == name else "untouched"

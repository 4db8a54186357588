"""Which statements of a loop depend on each other, so that the others can have loops of their own.

The statements directly in a loop are the nodes of a graph, the dependences between them its edges. A strongly
connected component has to stay in one loop; the components can run one after the other, each over the
whole range, in a topological order (loop distribution by J. R. Allen and K. Kennedy, *Automatic translation
of Fortran programs to vector form*, 1987; M. Wolfe, *High Performance Compilers*, 1996, chapter 9).

A number that a statement sets for later ones of the same iteration does not tie them together: it can be
stored for each iteration. One that is read before it is set comes from the iteration before, and does.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from nprewrite.base.syntax import name_nodes, walk
from nprewrite.regions.nests.carried_numbers import exposed
from nprewrite.regions.nests.dependence import Dependence, feasible
from nprewrite.regions.nests.nest import Nest
from nprewrite.regions.nests.tree import Bind, Node


@dataclass(frozen=True)
class Fission:
    """The components of the statements directly in a loop, and which of them need others first.

    ``repeated`` are numbers that every component computes again from the loop variable and from what stays
    the same; they are in no component.
    """

    components: tuple[tuple[Node, ...], ...]
    needs: tuple[frozenset[int], ...]
    repeated: tuple[Bind, ...]


def fission(nest: Nest, found: Sequence[Dependence], live: Collection[str]) -> Fission:
    """The components of the outermost loop; ``found`` are the dependences between its iterations.

    ``live`` are the names whose values are read after the loop.
    """
    repeated = _repeated(nest, live)
    nodes = [each for each in nest.root.body if each not in repeated]
    at = {id(each.node): number for number, each in enumerate(nodes)}
    home = {id(part): at[id(each.node)] for each in nodes for part in walk(each.node)}
    edges = [set[int]() for _ in nodes]
    for each in found:
        first, second = home.get(id(each.first.leaf.node)), home.get(id(each.second.leaf.node))
        if first is not None and second is not None:
            edges[first].add(second)
    for first, second in (*_within_iterations(nest, home), *_by_numbers(nodes, live)):
        edges[first].add(second)
    reached = [_reached(start, edges) for start in range(len(nodes))]
    groups: list[list[int]] = []
    for number in range(len(nodes)):
        known = next(
            (each for each in groups if number in reached[each[0]] and each[0] in reached[number]), None
        )
        if known is None:
            groups.append([number])
        else:
            known.append(number)
    needs = [
        frozenset(
            other for other, theirs in enumerate(groups) if other != own and mine[0] in reached[theirs[0]]
        )
        for own, mine in enumerate(groups)
    ]
    components = tuple(tuple(nodes[number] for number in each) for each in groups)
    return Fission(components, tuple(needs), repeated)


def set_by(node: Node) -> frozenset[str]:
    """The names that a statement, or one inside it, binds."""
    return _names(node.node, ast.Store)


def read_by(node: Node) -> frozenset[str]:
    """The names that a statement reads, including those that it updates."""
    updated = {
        each.target.id
        for each in walk(node.node)
        if isinstance(each, ast.AugAssign) and isinstance(each.target, ast.Name)
    }
    return _names(node.node, ast.Load) | updated


def _names(node: ast.AST, context: type[ast.expr_context]) -> frozenset[str]:
    return frozenset(each.id for each in name_nodes(node) if isinstance(each.ctx, context))


def _repeated(nest: Nest, live: Collection[str]) -> tuple[Bind, ...]:
    """Numbers that are set once, from no calls or elements, before they are read in the same iteration."""
    found: dict[str, Bind] = {}
    for node in nest.root.body:
        if not isinstance(node, Bind) or node.operator is not None or node.name in live:
            continue
        touching = [each for each in nest.root.body if node.name in set_by(each) | read_by(each)]
        once = touching[0] is node and not any(node.name in set_by(each) for each in touching[1:])
        plain = not any(isinstance(each, ast.Subscript | ast.Call) for each in walk(node.value))
        if once and plain and read_by(node) & nest.bound <= {nest.root.name, *found}:
            found[node.name] = node
    return tuple(found.values())


def _within_iterations(nest: Nest, home: Mapping[int, int]) -> Iterator[tuple[int, int]]:
    """Pairs of statements the second of which accesses an element of the first in the same iteration."""
    accesses = [each for each in nest.accesses() if id(each.leaf.node) in home]
    for number, one in enumerate(accesses):
        for other in accesses[number + 1 :]:
            pair = home[id(one.leaf.node)], home[id(other.leaf.node)]
            if pair[0] != pair[1] and one.conflicts(other) and feasible(one, other, (0,), nest):
                yield pair


def _by_numbers(nodes: Sequence[Node], live: Collection[str]) -> Iterator[tuple[int, int]]:
    """Pairs of statements the second of which needs a number of the first."""
    names = frozenset[str]().union(*(set_by(each) for each in nodes))
    for name in sorted(names):
        setting = [number for number, each in enumerate(nodes) if name in set_by(each)]
        using = [number for number, each in enumerate(nodes) if exposed(name, [each])]
        if not using and name not in live:
            continue
        for one in setting:
            for other in {*setting, *using}:
                yield one, other
                if other < one or len(setting) > 1:
                    yield other, one


def _reached(start: int, edges: Sequence[set[int]]) -> frozenset[int]:
    """The nodes that can be reached, including the start."""
    found, ahead = {start}, [start]
    while ahead:
        for each in edges[ahead.pop()] - found:
            found.add(each)
            ahead.append(each)
    return frozenset(found)

"""Plans of loops that are split: whole arrays where statements allow it, a loop for what is sequential.

    for i in range(1, n):                        a[1:n] = b[1:n] * c[1:n]
        a[i] = b[i] * c[i]                       for i in range(1, n):
        y[i] = 0.5 * y[i - 1] + a[i]       ->        y[i] = 0.5 * y[i - 1] + a[i]
        z[i] = np.sin(y[i])                      z[1:n] = np.sin(y[1:n])

A number that one part sets and another one reads becomes an array over the loop.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np

from nprewrite.analysis.liveness import live_after
from nprewrite.base.syntax import name_nodes
from nprewrite.emit.array_code.guards import NotVectorizedError
from nprewrite.emit.array_code.nest_writer import NestWriter
from nprewrite.emit.array_code.plans import Plan, are_few, loops_of, order_of, planned
from nprewrite.emit.array_code.scene import Scene, Temporary
from nprewrite.emit.array_code.values import Values
from nprewrite.regions.nests.carried_numbers import exposed, surely_sets
from nprewrite.regions.nests.dependence import Dependence, carried
from nprewrite.regions.nests.fission import Fission, fission, read_by, set_by
from nprewrite.regions.nests.nest import Nest
from nprewrite.regions.nests.tree import Bind, Loop, Node, Store, nodes
from nprewrite.source.edits import Replace
from nprewrite.source.nodes import code, expression
from nprewrite.types.affine import symbol
from nprewrite.types.problems import Problem

_STATEMENTS = 24
"""Loops with more statements than this are not split: each attempt writes all of them."""


@dataclass(frozen=True, eq=False)
class Part:
    """A loop over some of the statements: whole arrays where ``independent``, else a loop that stays."""

    loop: Loop
    lanes: frozenset[Loop]
    independent: bool


@dataclass(kw_only=True)
class PartsWriter(NestWriter):
    """Writes a nest part by part.

    ``crossing`` are the numbers that statements of sequential parts set for other parts, ``repeated`` those
    that each part computes for itself.
    """

    parts: Sequence[Part]
    crossing: dict[Node, list[str]]
    repeated: Sequence[Bind]
    staying: dict[Node, ast.stmt | None]
    """The user's statements that stay as they are; each is written at the last of its nodes."""
    at: Node | None = None
    """The statement, directly in the loop, that is being written."""
    states: dict[Part, tuple[set[str], dict[str, frozenset[str]]]] = field(default_factory=dict)

    def settled(self) -> object:
        """What is known of the numbers of all parts so far."""
        return dict(self.types), [(set(names), dict(lanes)) for names, lanes in self.states.values()]

    def loops(self, scene: Scene) -> None:
        """Write the parts, one after the other."""
        for part in self.parts:
            self.allocated, self.varying = self.states.setdefault(part, (set(), {}))
            if part.independent:
                self.node(part.loop, scene)
                continue
            again = [each.name for each in self.repeated if each in part.loop.body]
            for name in again:
                scene.temporaries.pop(name, None)
            start = len(self.lines)
            self.node(part.loop, scene)
            self._become_arrays(part.loop, scene, start)
            for name in again:
                scene.temporaries.pop(name, None)

    def node(self, node: Node, scene: Scene) -> None:
        """Write one statement, unchanged where it stays, and the lines that store its numbers."""
        if len(scene.loops) != 1:
            super().node(node, scene)
            return
        self.at = node
        if node in self.repeated and scene.lanes and _is_array(set_by(node), scene):
            return
        start, triangles = len(self.lines), {**self.triangles}
        super().node(node, scene)
        if node in self.staying and not scene.lanes:
            self.lines[start:] = [f"{scene.indent}{line}" for line in _as_written(self.staying[node], scene)]
            self.triangles, self.cleared, self.tested = triangles, None, None
        for name in self.crossing.get(node, ()):
            loop = scene.loops[0]
            index = (symbol(loop.symbol) - loop.low).text(scene.texts)
            self.line(scene, f"{self._array(name)}[{index}] = {name}")

    def _become_arrays(self, loop: Loop, scene: Scene, start: int) -> None:
        """Turn the numbers that the loop has stored into arrays, which are made before it."""
        for node in loop.body:
            for name in self.crossing.get(node, ()):
                self.at = node
                self.lines.insert(start, self._made(name, node, loop, scene))

    def _made(self, name: str, node: Node, loop: Loop, scene: Scene) -> str:
        """The statement that makes the array of a number's values."""
        known = scene.temporaries.get(name)
        if known is None:
            text = f"`{name}` counts an inner loop, and is read after it"
            raise NotVectorizedError("scalar-carried", text, node.node)
        kind = known.type
        if loop.stride != 1 or not (surely_sets(name, node) or self.nest.is_set(name)):
            text = f"`{name}` has no value in some iterations"
            raise NotVectorizedError("scalar-carried", text, node.node)
        if kind.weak and kind.kind == "int":
            text = f"`{name}` is a Python integer, which may grow beyond int64"
            raise NotVectorizedError("value-out-of-range", text, node.node)
        length = loop.high - loop.low
        self.guards.require(length, (), node.node, f"the iterations of the loop over `{loop.name}`")
        array, dtype = self._array(name), kind.natural
        kind = replace(kind, literal=None)
        lanes = frozenset([loop.symbol])
        scene.temporaries[name] = Temporary(array, (loop.span,), lanes, kind, full=True)
        given = "" if dtype == np.float64 else f", dtype={self.numpy}.{dtype.name}"
        return f"{array} = {self.numpy}.empty({length.text(scene.texts)}{given})"

    def _array(self, name: str) -> str:
        return self.nest.function.names.free(f"{name}_values")


def split_plan(nest: Nest) -> Plan | Problem | None:
    """The plan of a loop in parts; None where there is nothing to split, or all of it is sequential."""
    root = nest.root
    if not 1 < len(root.body) <= _STATEMENTS or _may_be_unset(nest):
        return None
    live = {name for name in nest.bound - {root.name} if live_after(name, root.node, nest.function)}
    found = order_of(nest)
    split = fission(nest, found, live)
    choices = [[*_choices(each, nest, found)] for each in split.components]
    if len(choices) < 2 or not all(choices):
        return None
    while any(root in each[0] for each in choices):
        parts = _parts(split, [each[0] for each in choices], nest)
        made, at = _attempt(parts, split, nest)
        if isinstance(made, Plan):
            return made
        failing = next((own for own, each in zip(choices, split.components, strict=True) if at in each), None)
        if failing is None or len(failing) == 1:
            return made
        failing.pop(0)
    return None


def _may_be_unset(nest: Nest) -> bool:
    """Whether a statement may read a number that has no value yet, and raise between the others."""
    return any(exposed(name, [nest.root]) and not nest.is_set(name) for name in nest.bound)


def _pays(component: Sequence[Node], nest: Nest) -> bool:
    """Whether whole arrays save anything: if a component stores, or others need a number of it."""
    others = [each for each in nest.root.body if each not in component]
    names = frozenset[str]().union(*(set_by(each) for each in component))
    stores = any(isinstance(each, Store) for each in nodes(component))
    return stores or any(exposed(name, [each]) for name in names for each in others)


def _keeps(component: Sequence[Node], nest: Nest) -> bool:
    """Whether an iteration may leave a number as the one before set it: ``if i > k: t = 3.0``."""
    return any(
        exposed(name, nest.root.body) and not exposed(name, [node]) and not surely_sets(name, node)
        for node in component
        for name in set_by(node)
    )


def _tells_each(component: Sequence[Node], nest: Nest) -> bool:
    """Whether other statements read a number that goes on from one iteration to the next in each of them:
    ``s += x[i]`` before ``y[i] = s``."""
    others = [each for each in nest.root.body if each not in component]
    carried_on = {name for node in component for name in set_by(node) if exposed(name, nest.root.body)}
    return any(exposed(name, [each]) for name in carried_on for each in others)


def _choices(component: Sequence[Node], nest: Nest, found: Sequence[Dependence]) -> Iterator[frozenset[Loop]]:
    """The possible lanes of a component, those with the outermost loop and with most loops first."""
    loops = [loop for node in component for loop in loops_of(node)]
    made = frozenset(loop for loop in loops if loop.name in nest.made)
    own = [loop for loop in loops if loop not in made]
    own_nodes = set(nodes(component))
    inside = [each for each in found if {each.first.leaf, each.second.leaf} <= own_nodes]
    whole = _pays(component, nest) and not (_keeps(component, nest) or _tells_each(component, nest))
    for outer in ([nest.root], []) if whole else ([],):
        for size in range(len(own), -1, -1):
            for chosen in combinations(own, size):
                lanes = made.union(outer, chosen)
                few = bool(outer) and are_few([*lanes])
                if not few and carried(inside, lanes) is None:
                    yield lanes


def _parts(split: Fission, lanes: Sequence[frozenset[Loop]], nest: Nest) -> list[Part]:
    """The components in an order that dependences allow, the sequential ones in as few loops as possible."""
    ahead = set(range(len(lanes)))
    found: list[Part] = []
    while ahead:
        independent = [own for own in sorted(ahead) if nest.root in lanes[own]]
        ready = next((own for own in independent if not split.needs[own] & ahead), None)
        chosen = [ready] if ready is not None else _sequential(split, ahead, independent)
        ahead -= {*chosen}
        found.append(_part(chosen, split, lanes, nest))
    return found


def _sequential(split: Fission, ahead: set[int], independent: Collection[int]) -> list[int]:
    """The sequential components that need nothing that is ahead but each other."""
    chosen = {own for own in ahead if own not in independent}
    while True:
        waiting = {own for own in chosen if (split.needs[own] & ahead) - chosen}
        if not waiting:
            return sorted(chosen)
        chosen -= waiting


def _part(chosen: Sequence[int], split: Fission, lanes: Sequence[frozenset[Loop]], nest: Nest) -> Part:
    """The loop over the statements of some components, in order, with the numbers that they repeat."""
    root = nest.root
    inside = {node for own in chosen for node in split.components[own]}
    for each in reversed(split.repeated):
        if any(each.name in read_by(node) for node in inside):
            inside.add(each)
    loop = replace(root, body=tuple(node for node in root.body if node in inside))
    mine = frozenset[Loop]().union(*(lanes[own] for own in chosen))
    independent = root in mine
    return Part(loop, (mine - {root}) | ({loop} if independent else set()), independent)


def _crossing(parts: Sequence[Part]) -> dict[Node, list[str]]:
    """The numbers that each statement of a sequential part sets for other parts."""
    found: dict[Node, list[str]] = {}
    for part in parts:
        others = [node for each in parts if each is not part for node in each.loop.body]
        for node in () if part.independent else part.loop.body:
            names = [name for name in sorted(set_by(node)) if any(exposed(name, [each]) for each in others)]
            if names:
                found[node] = names
    return found


def _staying(parts: Sequence[Part], nest: Nest) -> dict[Node, ast.stmt | None]:
    """The nodes of sequential parts that form the user's statements, in loops that are not lanes."""
    found: dict[Node, ast.stmt | None] = {}
    for part in parts:
        for statement in () if part.independent else nest.root.node.body:
            mine = [each for each in nest.root.body if _stands_in(each, statement)]
            made = {loop for each in mine for loop in loops_of(each) if loop.name in nest.made}
            lanes = {loop for each in mine for loop in loops_of(each) if loop in part.lanes}
            if mine and {*mine} <= {*part.loop.body} and lanes <= made:
                found.update(dict.fromkeys(mine[:-1]))
                found[mine[-1]] = statement
    return found


def _stands_in(node: Node, statement: ast.stmt) -> bool:
    """Whether a node was made from a statement of the user's, or from part of it."""
    assert statement.end_lineno is not None
    assert statement.end_col_offset is not None
    start = (statement.lineno, statement.col_offset)
    end = (statement.end_lineno, statement.end_col_offset)
    return start <= (node.node.lineno, node.node.col_offset) < end


def _as_written(statement: ast.stmt | None, scene: Scene) -> list[str]:
    """The lines of a statement, with numbers of other parts as elements of their arrays."""
    if statement is None:
        return []
    document = scene.nest.function.document
    names = [*name_nodes(statement)]
    edits = [
        Replace(each, (expression(ast.unparse(Values(scene, ()).value(each).node)),))
        for each in names
        if isinstance(each.ctx, ast.Load) and _is_array({each.id}, scene)
    ]
    made = document.changed_statement(statement, edits, with_lines_above=False)
    return [line for each in made for line in code(each).splitlines()]


def _is_array(names: Collection[str], scene: Scene) -> bool:
    """Whether the numbers of these names are arrays over all iterations by now."""
    return all(name in scene.temporaries and scene.temporaries[name].lanes for name in names)


def _attempt(parts: Sequence[Part], split: Fission, nest: Nest) -> tuple[Plan | Problem, Node | None]:
    """The plan of these parts; or the problem, and the statement that was being written."""
    writers: list[PartsWriter] = []
    lanes = frozenset[Loop]().union(*(each.lanes for each in parts))
    repeated = {each.name for each in split.repeated}
    crossing = {
        node: kept
        for node, names in _crossing(parts).items()
        if (kept := [name for name in names if name not in repeated])
    }
    staying = _staying(parts, nest)

    def writing(nest: Nest) -> PartsWriter:
        made = PartsWriter(
            nest, lanes, parts=parts, crossing=crossing, repeated=split.repeated, staying=staying
        )
        writers.append(made)
        return made

    stays = any(not each.independent for each in parts)
    became = "a shorter loop and whole arrays" if stays else ""
    try:
        made = planned(nest, lanes if stays else lanes | {nest.root}, writing, became)
    except NotVectorizedError as error:
        return error.problem, writers[-1].at if writers else None
    return replace(made, lanes=(nest.root.name,)), None

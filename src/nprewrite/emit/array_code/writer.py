"""The text of a nest as it grows: its lines, its masks, and the types of its numbers."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce

from nprewrite.emit.array_code.guards import Guards, NotVectorizedError
from nprewrite.emit.array_code.scene import Scene, Temporary, Vec
from nprewrite.emit.array_code.stores import check_size, filled, to_dtype
from nprewrite.emit.array_code.syntax import call, cast, name_at
from nprewrite.emit.array_code.values import Values
from nprewrite.regions.nests.nest import Nest
from nprewrite.regions.nests.shortest_paths import Rounds
from nprewrite.regions.nests.tree import Bind, Loop, Node, Store
from nprewrite.types.loop_numbers import Type, join
from nprewrite.types.values import Array


@dataclass
class Writer(ABC):
    """A nest written with ``lanes`` in lockstep: ``lines`` is its text, ``guards`` what it rests on."""

    nest: Nest
    lanes: Collection[Loop]
    rounds: Rounds | None = None
    """Set for shortest paths, each of whose rounds runs at once under a condition of its own."""
    types: dict[str, Type] = field(default_factory=dict)
    allocated: set[str] = field(default_factory=set)
    varying: dict[str, frozenset[str]] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    guards: Guards = field(init=False)
    taken: int = 0
    """How many names have been made up."""
    cleared: tuple[str, int] | None = None
    """The number that the last line sets to 0, and the number of lines including it."""
    tested: int | None = None
    """The number of lines including that of the last mask that is the test of a branch."""
    triangles: dict[str, str] = field(default_factory=dict)
    """The names of the masks of triangles in this block, by their text."""
    lane_names: set[str] = field(default_factory=set)
    """Numbers of single lanes, which do not exist after the nest."""

    def __post_init__(self) -> None:
        self.numpy = self.nest.function.names.numpy_name(self.nest.function.node)

    def fresh(self, wanted: str) -> str:
        """A name that does not occur in the module; all but the first that is made up are numbered."""
        self.taken += 1
        return self.nest.function.names.free(wanted if self.taken == 1 else f"{wanted}_{self.taken}")

    def line(self, scene: Scene, text: str) -> None:
        """Write a line where a statement stands."""
        self.lines.append(f"{scene.indent}{text}")

    @abstractmethod
    def node(self, node: Node, scene: Scene) -> None:
        """Write one statement, and those inside it."""

    def block(self, nodes: Sequence[Node], scene: Scene) -> None:
        """Write the statements of a block, which may not run: what only it sets has no value after it."""
        count, before, triangles = len(self.lines), set(scene.temporaries), self.triangles
        self.triangles = {**triangles}
        for node in nodes:
            self.node(node, scene)
        self.triangles = triangles
        if len(self.lines) == count:
            self.line(scene, "pass")
        for name in scene.temporaries.keys() - before:
            if scene.temporaries[name].home:
                del scene.temporaries[name]

    def in_lanes(self, mask: Vec, values: Values, node: ast.expr | ast.stmt) -> Vec:
        """The mask for a statement with narrower bounds, or with its axes in another order."""
        assert isinstance(mask.node, ast.Name)
        return values.value(name_at(mask.node.id, node))

    def chosen(
        self, masks: Sequence[Vec], value: Vec, old: Vec, values: Values, node: Store, array: Array
    ) -> ast.expr:
        """What is stored: ``value`` where all masks hold, elsewhere what is there."""
        if not masks:
            return value.node
        tests = [self.in_lanes(each, values, node.node).node for each in masks]
        test = reduce(lambda left, right: ast.BinOp(left, ast.BitAnd(), right), tests)
        return call(f"{self.numpy}.where", [test, to_dtype(value, array, self.numpy), old.node])

    def put(self, target: Vec, value: ast.expr, scene: Scene, op: ast.operator | None = None) -> None:
        """Write one store; a whole array is stored into as ``A[...]``."""
        node = target.node
        # An attribute keeps its array: others could see that it is bound again.
        attribute = isinstance(node, ast.Name) and node.id in self.nest.function.module.spelling
        whole = not isinstance(node, ast.Subscript) and bool(target.lanes)
        if attribute if op is not None else whole:
            node = ast.Subscript(node, ast.Constant(...), ast.Store())
        if op is None:
            self.line(scene, f"{ast.unparse(node)} = {ast.unparse(value)}")
            return
        self.line(scene, ast.unparse(ast.AugAssign(node, op, value)))  # type: ignore[arg-type]  # any view

    def named(self, wanted: str, value: ast.expr, scene: Scene) -> ast.Name:
        """Bind a value to a name before the statement, and before a line that sets its number to 0."""
        name, line = self.fresh(wanted), len(self.lines)
        if self.cleared is not None and self.cleared[1] == line:
            line -= 1
            self.cleared = (self.cleared[0], len(self.lines) + 1)
        self.lines.insert(line, f"{scene.indent}{name} = {ast.unparse(value)}")
        return ast.Name(name, ast.Load())

    def settle(self, node: Bind, value: Vec, scene: Scene) -> None:
        """Write ``name = value`` with the type that the name has in all iterations."""
        name = node.name
        known = self.types.get(name)
        if known is None and not scene.lanes and name in scene.temporaries:
            known = scene.temporaries[name].type
        kind = value.type if known is None else join(known, value.type)
        if kind is None:
            text = f"`{name}` has another type in some iterations than in others"
            raise NotVectorizedError("dtype-changes", text, node.node)
        if kind.kind != value.type.kind or (known is not None and known.kind != kind.kind):
            self.guards.rounds = True
        self.types[name] = kind
        before = scene.temporaries.get(name)
        here = tuple(scene.span(each) for each in scene.order)
        home = before.home if before is not None and (before.home or not here) else None
        if home is not None and [each.name for each in home] != [each.name for each in here]:
            text = f"`{name}` is set in different loops"
            raise NotVectorizedError("scalar-carried", text, node.node)
        lanes = self.varying.get(name, frozenset()) | value.lanes
        check_size(node.node, lanes, scene)
        if home is not None and home != here:
            self._part(node, value, kind, scene)
            return
        bound = 2**45 if kind.weak and kind.kind == "int" and value.bound is not None else None
        made: ast.expr = value.node
        if value.lanes != lanes:
            # A name that is an array in some iterations must be one of the same shape in all.
            self.allocated.add(name)
        whole = value.lanes == set(scene.order) and value.type.natural == kind.natural
        if name in self.allocated and here:
            lanes = frozenset(scene.order)
        if name in self.allocated and here and not whole:
            made = filled(value, kind, here, scene, node)
        elif value.bare:
            made = ast.Call(ast.Attribute(value.node, "copy", ast.Load()), [], [])
        full = lanes == set(scene.order) and (value.lanes == lanes or name in self.allocated)
        self.varying[name] = lanes
        scene.temporaries[name] = Temporary(name, here, lanes, kind, full, bound)
        self.line(scene, f"{name} = {ast.unparse(made)}")
        self.cleared = (name, len(self.lines)) if value.type.literal == 0 and not value.lanes else None

    def _part(self, node: Bind, value: Vec, kind: Type, scene: Scene) -> None:
        """Write an update, within narrower bounds, of a number that is an array over all lanes."""
        self.allocated.add(node.name)
        known = scene.temporaries[node.name]
        scene.temporaries[node.name] = replace(known, lanes=frozenset(scene.order), full=True)
        target = Values(scene, scene.order).value(name_at(node.name, node.node))
        if not kind.weak and value.type.weak and value.lanes and value.type.natural != kind.natural:
            value = replace(value, node=cast(value.node, kind.natural, self.numpy))
        node_ = value.node
        again = isinstance(node_, ast.BinOp) and ast.dump(node_.left) == ast.dump(target.node)
        if isinstance(node_, ast.BinOp) and again and value.type.natural == kind.natural:
            self.put(target, node_.right, scene, node_.op)
            return
        self.put(target, node_, scene)

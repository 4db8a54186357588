"""The statements of a nest for all lanes at once: loops that are lanes vanish, the others stay."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce

import numpy as np

from nprewrite.emit.array_code import branches, reductions
from nprewrite.emit.array_code.guards import Guards, NotVectorizedError
from nprewrite.emit.array_code.reductions import Reduction, check_size
from nprewrite.emit.array_code.scene import Scene, Temporary, Vec
from nprewrite.emit.array_code.stores import check_growth, check_store, filled, in_place_operand, to_dtype
from nprewrite.emit.array_code.syntax import call, cast, name_at, read, symbol_of
from nprewrite.emit.array_code.triangles import check_rectangular, rectangle, within
from nprewrite.emit.array_code.values import Values
from nprewrite.regions.nests.carried_numbers import carrying_loops
from nprewrite.regions.nests.nest import Nest
from nprewrite.regions.nests.shortest_paths import Rounds
from nprewrite.regions.nests.tree import Bind, Branch, Loop, Node, Store
from nprewrite.types.loop_numbers import Type, join
from nprewrite.types.values import Array, Scalar


@dataclass
class Writer:
    """Writes a nest with ``lanes`` in lockstep; ``lines`` is the text, ``guards`` what has to hold.

    The nest is written several times: a number's type is known once all that it is set to was seen.
    """

    nest: Nest
    lanes: Collection[Loop]
    numpy: str
    fresh: Callable[[str], str]
    taken: dict[str, int]
    rounds: Rounds | None
    """Shortest paths, each of whose rounds runs at once under a condition of its own."""
    types: dict[str, Type] = field(default_factory=dict)
    allocated: set[str] = field(default_factory=set)
    varying: dict[str, frozenset[str]] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    guards: Guards = field(init=False)
    cleared: tuple[str, int] | None = None
    """The number that the last line sets to 0, and how many lines there are with it."""
    tested: tuple[int, str, ast.expr] | None = None
    """How many lines there are with that of the last mask, its name, and its test."""
    triangles: dict[str, str] = field(default_factory=dict)
    """The names of the masks of triangles in this block, by their text."""
    lane_names: set[str] = field(default_factory=set)
    """Numbers of single lanes, of which nothing is left after the nest."""

    def write(self) -> None:
        """Write the nest until the types of its numbers settle; raises ``NotVectorizedError``."""
        for _ in range(4):
            before = self.settled()
            self.lines, self.guards, self.triangles, self.tested = [], Guards(self.nest), {}, None
            self.taken["taken"] = 0
            scene = Scene(self.nest, self.guards, self.numpy, fresh=self.fresh)
            self._numbers_before(scene)
            for each in self.nest.required:
                self.guards.require(*each)
            self.loops(scene)
            if self.settled() == before:
                return
        raise NotVectorizedError("dtype-changes", "the types of the nest do not settle", self.nest.root.node)

    def settled(self) -> object:
        """What is known of the nest's numbers so far, to be compared."""
        return dict(self.types), set(self.allocated), dict(self.varying)

    def loops(self, scene: Scene) -> None:
        """The outermost loop."""
        self.node(self.nest.root, scene, None, "")

    def block(self, nodes: Sequence[Node], scene: Scene, mask: Vec | None, indent: str) -> None:
        """The statements of a block, which may not run: what only it sets has no value after it."""
        count, before, triangles = len(self.lines), set(scene.temporaries), self.triangles
        self.triangles = {**triangles}
        for node in nodes:
            self.node(node, scene, mask, indent)
        self.triangles = triangles
        if len(self.lines) == count:
            self.lines.append(f"{indent}pass")
        for name in scene.temporaries.keys() - before:
            if scene.temporaries[name].home:
                del scene.temporaries[name]

    def node(self, node: Node, scene: Scene, mask: Vec | None, indent: str) -> None:
        """One statement."""
        match node:
            case Loop():
                self.loop(node, scene, mask, indent)
            case Branch():
                branches.branch(self, node, scene, mask, indent)
            case Store():
                self.store(node, scene, mask, indent)
            case Bind():
                self.bind(node, scene, mask, indent)

    def loop(self, node: Loop, scene: Scene, mask: Vec | None, indent: str) -> None:
        """A lane, or a loop that stays."""
        span, forms = rectangle(node, scene)
        if forms and node not in self.lanes:
            text = f"the bounds of the loop over `{node.name}` depend on an outer loop"
            raise NotVectorizedError("lanes-unfit", text, node.node)
        inner = replace(scene, loops=(*scene.loops, node), spans=(*scene.spans, span))
        if node in self.lanes:
            inner = replace(inner, lanes=scene.lanes | {node.symbol})
            if forms:
                inner = within(forms, inner, self, indent)
            for each in node.body:
                self.node(each, inner, mask, indent)
            return
        document = self.nest.function.document
        self.lines.append(f"{indent}for {node.name} in {document.segment(node.node.iter)}:")
        inside = indent + "    "
        if self.rounds is None:
            self.block(node.body, inner, mask, inside)
            return
        self.lines.append(f"{inside}if {self.rounds.condition}:")
        self.block(node.body, inner, mask, inside + "    ")
        self.lines += self.rounds.otherwise(inside)

    def kept(self, name: str, own: Vec, mask: Vec | None, scene: Scene) -> Vec:
        """A mask under its name, to be sliced and turned as the statements under it need."""
        lanes = own.lanes | (mask.lanes if mask is not None else frozenset())
        home = tuple(scene.span(each) for each in scene.order)
        kind = Type("bool", np.dtype(bool))
        scene.temporaries[name] = Temporary(name, home, lanes, kind, full=lanes == set(scene.order))
        return Vec(ast.Name(name, ast.Load()), lanes, kind)

    def mask_name(self, mask: Vec) -> str:
        """The name of a mask."""
        assert isinstance(mask.node, ast.Name)
        return mask.node.id

    def in_lanes(self, mask: Vec, values: Values, node: ast.expr | ast.stmt) -> Vec:
        """The mask as a statement within narrower bounds, or with its axes in another order, needs it."""
        assert isinstance(mask.node, ast.Name)
        return values.value(name_at(mask.node.id, node))

    def store(self, node: Store, scene: Scene, mask: Vec | None, indent: str) -> None:
        """``A[...] = value``, in place, over the elements that the lanes store."""
        found = self.nest.element(node.target)
        assert found is not None
        array_name, indices = found
        array = self.nest.array(array_name)
        assert array is not None
        forms = [self.nest.affine(each, scene.loops) for each in indices]
        along = [
            each
            for form in forms
            for each in (sorted(form.symbols & scene.lanes) if form is not None else ())
        ]
        picked = any(form is None for form in forms)
        order = tuple(dict.fromkeys(along))
        if scene.triangles and picked:
            text = f"`{ast.unparse(node.target)}` is stored at positions from an array, in a triangle"
            raise NotVectorizedError("lanes-unfit", text, node.node)
        if node.operator is not None and picked:
            reductions.added_at(node, array_name, scene, self, mask, indent)
            return
        if node.operator is not None and set(along) != scene.lanes:
            reduced = tuple(each for each in scene.order if each not in along)
            check_rectangular(node.node, reduced, scene)
            reduction = Reduction(self, node, order, reduced, scene, mask, indent)
            reductions.into_array(node, array_name, reduction)
            return
        if set(order) != scene.lanes or picked:
            text = f"`{ast.unparse(node.target)}` is stored by several iterations"
            raise NotVectorizedError("loop-carried", text, node.node)
        values = Values(scene, order)
        target = values.value(read(node.target))
        old = target
        value = values.value(node.value)
        masks = [*([mask] if mask is not None else []), *scene.triangles]
        if node.operator is not None and not masks:
            result = values.binary(node.operator, old, value, node.node)
            check_store(result, array, node, in_place=True, scene=scene)
            self.put(target, in_place_operand(values, old, value, node), indent, node.operator)
            return
        if node.operator is not None:
            value = values.binary(node.operator, old, value, node.node)
        check_store(value, array, node, in_place=node.operator is not None and mask is None, scene=scene)
        if mask is not None:
            value = replace(value, node=branches.shared_with_test(self, value.node, indent))
        self.put(target, self.chosen(masks, value, old, values, node, array), indent)

    def chosen(
        self, masks: Sequence[Vec], value: Vec, old: Vec, values: Values, node: Store, array: Array
    ) -> ast.expr:
        """What is stored of ``value`` and of what is there, where all masks hold and where not."""
        if not masks:
            return value.node
        tests = [self.in_lanes(each, values, node.node).node for each in masks]
        test = reduce(lambda left, right: ast.BinOp(left, ast.BitAnd(), right), tests)
        return call(f"{self.numpy}.where", [test, to_dtype(value, array, self.numpy), old.node])

    def put(self, target: Vec, value: ast.expr, indent: str, op: ast.operator | None = None) -> None:
        """One store; the whole of an array is ``A[...]``."""
        node = target.node
        text = ast.unparse(value)
        # An attribute keeps its array: to bind it again could be seen.
        attribute = isinstance(node, ast.Name) and node.id in self.nest.function.module.spelling
        if op is not None:
            target_text = f"{ast.unparse(node)}[...]" if attribute else ast.unparse(node)
            self.lines.append(f"{indent}{target_text} {symbol_of(op)}= {text}")
            return
        whole = not isinstance(node, ast.Subscript) and bool(target.lanes)
        self.lines.append(f"{indent}{ast.unparse(node)}{'[...]' if whole else ''} = {text}")

    def named(self, wanted: str, value: ast.expr, indent: str) -> ast.Name:
        """A value under a name, bound before the statement, and before the line that sets its number to 0."""
        name, line = self.fresh(wanted), len(self.lines)
        if self.cleared is not None and self.cleared[1] == line:
            line -= 1
            self.cleared = (self.cleared[0], len(self.lines) + 1)
        self.lines.insert(line, f"{indent}{name} = {ast.unparse(value)}")
        return ast.Name(name, ast.Load())

    def bind(self, node: Bind, scene: Scene, mask: Vec | None, indent: str) -> None:
        """A number of each lane, or one that the lanes reduce to."""
        carrying = carrying_loops(node.name, scene.loops, self.nest)
        reduced = [loop.symbol for loop in carrying if loop.symbol in scene.lanes]
        home = [each for each in scene.order if each not in reduced]
        if reduced:
            check_rectangular(node.node, reduced, scene)
            reduction = Reduction(self, node, tuple(home), tuple(reduced), scene, mask, indent)
            reductions.into_number(node, reduction)
            return
        if scene.lanes:
            self.lane_names.add(node.name)
        known = scene.temporaries.get(node.name)
        if known is not None and not known.home and scene.lanes:
            known = None
        values = Values(scene, scene.order)
        value = values.value(node.value)
        if node.operator is not None or mask is not None:
            name = name_at(node.name, node.node)
            old = values.value(name) if node.operator is not None or known is not None else None
            if node.operator is not None:
                assert old is not None
                check_growth(old, value, node)
                value = values.binary(node.operator, old, value, node.node)
            if mask is not None and old is not None:
                value = values.where(self.in_lanes(mask, values, node.node), value, old, node.node)
        self.settle(node, value, scene, indent)

    def _numbers_before(self, scene: Scene) -> None:
        """Numbers that are set before the nest and by it."""
        for name in self.nest.bound:
            value = self.nest.before.get(name)
            if isinstance(value, Scalar) and value.proven:
                kind = self.types.get(name, Type(value.kind, value.dtype, value.constant))
                scene.temporaries[name] = Temporary(name, (), frozenset(), kind, full=True)

    def settle(self, node: Bind, value: Vec, scene: Scene, indent: str) -> None:
        """``name = value`` with the type that the name has in all iterations."""
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
            self._part(node, value, kind, scene, indent)
            return
        bound = 2**45 if kind.weak and kind.kind == "int" and value.bound is not None else None
        made: ast.expr = value.node
        if value.lanes != lanes:
            # A name that is an array in some iterations is one of the same shape in all of them.
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
        self.lines.append(f"{indent}{name} = {ast.unparse(made)}")
        self.cleared = (name, len(self.lines)) if value.type.literal == 0 and not value.lanes else None

    def _part(self, node: Bind, value: Vec, kind: Type, scene: Scene, indent: str) -> None:
        """An update of the lanes within narrower bounds: the number is an array over all of them."""
        self.allocated.add(node.name)
        known = scene.temporaries[node.name]
        scene.temporaries[node.name] = replace(known, lanes=frozenset(scene.order), full=True)
        target = Values(scene, scene.order).value(name_at(node.name, node.node))
        if not kind.weak and value.type.weak and value.lanes and value.type.natural != kind.natural:
            value = replace(value, node=cast(value.node, kind.natural, self.numpy))
        node_ = value.node
        again = isinstance(node_, ast.BinOp) and ast.dump(node_.left) == ast.dump(target.node)
        if isinstance(node_, ast.BinOp) and again and value.type.natural == kind.natural:
            self.put(target, node_.right, indent, node_.op)
            return
        self.put(target, node_, indent)

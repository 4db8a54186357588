"""The statements of a nest for all lanes at once: loops that are lanes vanish, the others stay.

Loops whose bounds depend on lanes run over the rectangle around a triangle, under the mask of the triangle.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence
from dataclasses import replace

from nprewrite.base.syntax import expression_tree
from nprewrite.emit.array_code.branches import branch, shared_with_test
from nprewrite.emit.array_code.guards import Guards, NotVectorizedError, comparison
from nprewrite.emit.array_code.reductions import Reduction, added_at, into_array, into_number
from nprewrite.emit.array_code.scene import Scene, Temporary, Vec
from nprewrite.emit.array_code.stores import check_growth, check_store, in_place_operand
from nprewrite.emit.array_code.syntax import name_at, read
from nprewrite.emit.array_code.values import Values
from nprewrite.emit.array_code.writer import Writer
from nprewrite.regions.nests.carried_numbers import carrying_loops
from nprewrite.regions.nests.tree import Bind, Branch, Loop, Node, Store
from nprewrite.types.affine import Affine, Span, symbol
from nprewrite.types.loop_numbers import Type
from nprewrite.types.values import Scalar


class NestWriter(Writer):
    """Writes a nest several times: the type of a number is known only after all its values."""

    def write(self) -> None:
        """Write the nest until the types of its numbers settle; raises ``NotVectorizedError``."""
        for _ in range(4):
            before = self.settled()
            self.lines, self.guards, self.triangles, self.tested = [], Guards(self.nest), {}, None
            self.taken = 0
            scene = Scene(self.nest, self.guards, self.numpy)
            self._numbers_before(scene)
            for each in self.nest.required:
                self.guards.require(*each)
            self.loops(scene)
            if self.settled() == before:
                return
        raise NotVectorizedError("dtype-changes", "the types of the nest do not settle", self.nest.root.node)

    def settled(self) -> object:
        """What is known of the nest's numbers so far, for comparison with the next round."""
        return dict(self.types), set(self.allocated), dict(self.varying)

    def loops(self, scene: Scene) -> None:
        """Write the outermost loop."""
        self.node(self.nest.root, scene)

    def node(self, node: Node, scene: Scene) -> None:
        """Write one statement."""
        match node:
            case Loop():
                self.loop(node, scene)
            case Branch():
                branch(self, node, scene)
            case Store():
                self.store(node, scene)
            case Bind():
                self.bind(node, scene)

    def loop(self, node: Loop, scene: Scene) -> None:
        """Write the body of a lane, or a loop that stays."""
        span, forms = rectangle(node, scene)
        if forms and node not in self.lanes:
            text = f"the bounds of the loop over `{node.name}` depend on an outer loop"
            raise NotVectorizedError("lanes-unfit", text, node.node)
        inner = replace(scene, loops=(*scene.loops, node), spans=(*scene.spans, span))
        if node in self.lanes:
            inner = replace(inner, lanes=scene.lanes | {node.symbol})
            if forms:
                inner = within(forms, inner, self)
            for each in node.body:
                self.node(each, inner)
            return
        document = self.nest.function.document
        self.line(scene, f"for {node.name} in {document.segment(node.node.iter)}:")
        inner = inner.inside
        if self.rounds is None:
            self.block(node.body, inner)
            return
        self.line(inner, f"if {self.rounds.condition}:")
        self.block(node.body, inner.inside)
        self.lines += self.rounds.otherwise(inner.indent)

    def store(self, node: Store, scene: Scene) -> None:
        """Write ``A[...] = value``, in place, over the elements that the lanes store."""
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
            added_at(node, array_name, scene, self)
            return
        if node.operator is not None and set(along) != scene.lanes:
            reduced = tuple(each for each in scene.order if each not in along)
            check_rectangular(node.node, reduced, scene)
            into_array(node, array_name, Reduction(self, node, order, reduced, scene))
            return
        if set(order) != scene.lanes or picked:
            text = f"`{ast.unparse(node.target)}` is stored by several iterations"
            raise NotVectorizedError("loop-carried", text, node.node)
        values = Values(scene, order)
        old, value = values.value(read(node.target)), values.value(node.value)
        masks = [*([scene.mask] if scene.mask is not None else []), *scene.triangles]
        if node.operator is not None and not masks:
            result = values.binary(node.operator, old, value, node.node)
            check_store(result, array, node, in_place=True, scene=scene)
            self.put(old, in_place_operand(values, old, value, node), scene, node.operator)
            return
        if node.operator is not None:
            value = values.binary(node.operator, old, value, node.node)
        in_place = node.operator is not None and scene.mask is None
        check_store(value, array, node, in_place=in_place, scene=scene)
        if scene.mask is not None:
            value = replace(value, node=shared_with_test(self, value.node, scene))
        self.put(old, self.chosen(masks, value, old, values, node, array), scene)

    def bind(self, node: Bind, scene: Scene) -> None:
        """Write a number of each lane, or one to which the lanes reduce."""
        carrying = carrying_loops(node.name, scene.loops, self.nest)
        reduced = [loop.symbol for loop in carrying if loop.symbol in scene.lanes]
        home = [each for each in scene.order if each not in reduced]
        if reduced:
            check_rectangular(node.node, reduced, scene)
            into_number(node, Reduction(self, node, tuple(home), tuple(reduced), scene))
            return
        if scene.lanes:
            self.lane_names.add(node.name)
        known = scene.temporaries.get(node.name)
        if known is not None and not known.home and scene.lanes:
            known = None
        values = Values(scene, scene.order)
        value = values.value(node.value)
        if node.operator is not None or scene.mask is not None:
            name = name_at(node.name, node.node)
            old = values.value(name) if node.operator is not None or known is not None else None
            if node.operator is not None:
                assert old is not None
                check_growth(old, value, node)
                value = values.binary(node.operator, old, value, node.node)
            if scene.mask is not None and old is not None:
                mask = self.in_lanes(scene.mask, values, node.node)
                value = values.where(mask, value, old, node.node)
        self.settle(node, value, scene)

    def _numbers_before(self, scene: Scene) -> None:
        """Note numbers that are set both before the nest and by it."""
        for name in self.nest.bound:
            value = self.nest.before.get(name)
            if isinstance(value, Scalar) and value.proven:
                kind = self.types.get(name, Type(value.kind, value.dtype, value.constant))
                scene.temporaries[name] = Temporary(name, (), frozenset(), kind, full=True)


def rectangle(loop: Loop, scene: Scene) -> tuple[Span, list[Affine]]:
    """The bounds of a loop over all lanes, and the forms that are not negative where it runs.

    There are no forms where the bounds are the same in all lanes. Raises ``NotVectorizedError`` where loops
    start at different places with a step, and where both bounds move: a band may be a small part of its
    rectangle.
    """
    low, high, lane = loop.low, loop.high, symbol(loop.symbol)
    forms = []
    if low.symbols & scene.lanes:
        forms.append(lane - low)
    if high.symbols & scene.lanes:
        forms.append(high - 1 - lane)
    if not forms:
        return loop.span, []
    if loop.stride != 1 or len(forms) > 1:
        steps = " in steps" if loop.stride != 1 else ""
        text = f"the bounds of the loop over `{loop.name}`{steps} depend on an outer loop"
        raise NotVectorizedError("lanes-unfit", text, loop.node)
    return replace(loop.span, lows=(_extreme(low, scene, 1),), highs=(_extreme(high, scene, -1),)), forms


def _extreme(form: Affine, scene: Scene, sign: int) -> Affine:
    """The smallest value of a form in all lanes (``sign`` 1), or the largest (-1)."""
    for span in reversed(scene.spans):
        if span.name in scene.lanes:
            first = sign * form.coefficient(span.name) > 0
            form = form.replaced(span.name, span.lows[0] if first else span.highs[0] - 1)
    return form


def within(forms: Sequence[Affine], scene: Scene, writer: Writer) -> Scene:
    """The scene with a named mask of the lanes in which no form is negative: ``j <= i``."""
    tests = [expression_tree(comparison(each, scene.texts)) for each in forms]
    order = tuple(each for each in scene.order if any(each in form.symbols for form in forms))
    own = Values(scene, order).test(tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests))
    text = ast.unparse(own.node)
    name = writer.triangles.get(text)
    if name is None or any(ast.unparse(each.node) == name for each in scene.triangles):
        name = writer.fresh("mask")
        writer.triangles[text] = name
        writer.line(scene, f"{name} = {text}")
    home = tuple(span for span in scene.spans if span.name in own.lanes)
    scene.temporaries[name] = Temporary(name, home, own.lanes, own.type, full=True)
    mask = Vec(ast.Name(name, ast.Load()), own.lanes, own.type)
    return replace(scene, triangles=(*scene.triangles, mask))


def check_rectangular(node: ast.stmt, reduced: Collection[str], scene: Scene) -> None:
    """Check that reduced lanes all start and end at the same place, so that no other element takes part."""
    if any(each.lanes & set(reduced) for each in scene.triangles):
        text = f"`{ast.unparse(node)}` runs over a range that depends on an outer loop"
        raise NotVectorizedError("lanes-unfit", text, node)

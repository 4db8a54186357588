"""Loops over rows and growing slices as nests of scalar loops.

``C[i, :i + 1] += alpha * A[i, k] * A[:i + 1, k]`` stores the elements ``C[i, j]`` for ``j`` up to ``i``: each
statement over slices is a loop over each axis that it stores, with the elements of its operands inside, and a
product of matrices is a sum. The dependences of such a nest are known, and it can be written for all
iterations at once.

A statement over slices reads everything before it stores anything. So does each statement of a nest whose
loops all run in lockstep: where lockstep is correct, the two are the same.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, replace

from nprewrite.analysis.liveness import live_after
from nprewrite.base.syntax import base_name, is_new_axis, names_bound, names_in, walk
from nprewrite.program.function import Function
from nprewrite.regions.nests.nest import Nest
from nprewrite.regions.nests.reader import filled, header
from nprewrite.regions.nests.row_operands import (
    EqualError,
    NotReadError,
    Operands,
    loop_over,
    own_positions,
)
from nprewrite.regions.nests.tree import Loop
from nprewrite.types.affine import Affine, number, symbol
from nprewrite.types.problems import Problem

_MOST_EQUALITIES = 8
"""How many lengths of axes may be assumed equal, one after the other."""


def read_array_loop(loop: ast.For, function: Function) -> Nest | Problem:
    """The nest of a loop over slices, or the problem with the first statement that does not fit."""
    nest = Nest(function, function.facts.before(loop))
    nest.bound = frozenset(names_bound(loop))
    for _ in range(_MOST_EQUALITIES):
        reader = _Reader(nest, function)
        try:
            made = reader.loop(loop, ())
        except NotReadError as error:
            return error.problem
        except EqualError as equal:
            nest = replace(nest, names=dict(nest.names), equal={**nest.equal, equal.name: equal.form})
            continue
        nest.required, nest.made = tuple(reader.required), frozenset(reader.made)
        found = filled(nest, made)
        if isinstance(found, Nest):
            found.root.node = loop
        return found
    return Problem("bounds-unknown", "too many lengths have to be the same", loop)


@dataclass
class _Reader(Operands):
    """Reads statements over slices as loops over elements."""

    def loop(self, node: ast.For, outer: tuple[Loop, ...]) -> ast.For:
        """The loop with its statements over slices as loops over elements."""
        found = header(node, outer, self.nest)
        if isinstance(found, Problem):
            raise NotReadError(found.code, found.message, found.node or node, found.parameter)
        body: list[ast.stmt] = []
        rows = dict(self.rows)
        for statement in node.body:
            self.loops = self.around = (*outer, found)
            body += self.statement(statement)
        unread = [name for name in self.rows.keys() - rows.keys() if name not in self.read]
        if unread:
            # An error in computing it would be lost, because nothing would compute it.
            raise NotReadError("not-array-code", f"`{unread[0]}` is an array that nothing reads", node)
        self.rows = rows
        made = ast.For(node.target, node.iter, body, [])
        return ast.copy_location(made, node)

    def statement(self, node: ast.stmt) -> list[ast.stmt]:
        """A statement as statements over elements."""
        match node:
            case ast.For():
                return [self.loop(node, self.loops)]
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                return []
            case ast.Assign(targets=[ast.Name(id=name)]):
                return self._number(node, name)
            case ast.Assign(targets=targets):
                stored = [each for each in targets if isinstance(each, ast.Subscript)]
                if len(stored) == len(targets):
                    return self._store(node, stored, None)
            case ast.AugAssign(target=ast.Subscript() as target):
                return self._store(node, [target], node.op)
            case ast.AugAssign(target=ast.Name(id=name)):
                self.named(ast.copy_location(ast.Name(name, ast.Load()), node))
                return self._number(node, name)
        text = ast.unparse(node).splitlines()[0]
        raise NotReadError("not-array-code", f"`{text}` neither stores slices nor binds a number", node)

    def _number(self, node: ast.Assign | ast.AugAssign, name: str) -> list[ast.stmt]:
        self.before, self.taken = [], {}
        value = self.operand(node.value)
        if value.lengths:
            self._check_row(node, name)
            self.rows[name], self.levels[name] = value, self.around
            return []
        self.numbers.add(name)
        target, number = ast.Name(name, ast.Store()), value.element(())
        bind: ast.stmt = ast.Assign([target], number)
        if isinstance(node, ast.AugAssign):
            bind = ast.AugAssign(target, node.op, number)
        return [_placed(each, node) for each in (*self.before, bind)]

    def _check_row(self, node: ast.Assign | ast.AugAssign, name: str) -> None:
        """Check that an array of an iteration's own can be computed where it is read, element by element."""
        root = self.loops[0].node
        targets = [each for each in walk(root) if isinstance(each, ast.Name | ast.Subscript)]
        stored = [base_name(each) for each in targets if isinstance(each.ctx, ast.Store)]
        variables = {loop.name for loop in self.loops}
        read = names_in(node.value)
        if isinstance(node, ast.AugAssign) or stored.count(name) > 1:
            raise NotReadError("not-array-code", f"`{name}` is an array that an iteration changes", node)
        if read & {*stored} - variables - self.rows.keys():
            text = f"`{name}` is an array of its own in each iteration, of what the loop changes"
            raise NotReadError("loop-carried", text, node)
        if live_after(name, root, self.function):
            raise NotReadError("scalar-carried", f"`{name}` is used after the loop", node)

    def _store(
        self,
        node: ast.Assign | ast.AugAssign,
        targets: Sequence[ast.Subscript],
        operator: ast.operator | None,
    ) -> list[ast.stmt]:
        """Loops over the axes of the target, with a store of one element inside."""
        self.before, self.taken = [], {}
        places = [self.elements(each) for each in targets]
        first, *others = places
        ranges = self._ranges(targets[0])
        names = [self.name("index") for _ in ranges]
        around = self.loops
        axes = []
        for name, (low, high) in zip(names, ranges, strict=True):
            loop = loop_over(name, low, high, self.texts(), node)
            found = header(loop, self.loops, self.nest)
            assert isinstance(found, Loop)
            self.loops = (*self.loops, found)
            axes.append(loop)
        positions = [
            symbol(loop.symbol) - low
            for loop, (low, _) in zip(self.loops[len(around) :], ranges, strict=True)
        ]
        value = self.operand(node.value)
        for each in (*others, value):
            self._fits(each.lengths, first.lengths, node)
        element = value.element(own_positions(positions, value))
        if len(places) > 1 and not isinstance(element, ast.Constant | ast.Name):
            name = self.name("value")
            self.before.append(ast.Assign([ast.Name(name, ast.Store())], element))
            element = ast.Name(name, ast.Load())
        stores: list[ast.stmt] = []
        for place in places:
            target = place.element(positions)
            assert isinstance(target, ast.Subscript)
            target = ast.Subscript(target.value, target.slice, ast.Store())
            stores.append(
                ast.Assign([target], element)
                if operator is None
                else ast.AugAssign(target, operator, element)
            )
        body = [*self.before, *stores]
        for loop in reversed(axes):
            loop.body, body = body, [loop]
        return [_placed(each, node) for each in body]

    def _fits(self, lengths: Sequence[Affine], wanted: Sequence[Affine], node: ast.stmt) -> None:
        """Check that a value has the shape of what it is stored into, or fewer axes."""
        if len(lengths) > len(wanted):
            text = f"`{ast.unparse(node)}` stores more axes than there are"
            raise NotReadError("shape-mismatch", text, node)
        for one, other in zip(reversed(lengths), reversed(wanted), strict=False):
            if one != number(1):
                self.same(one, other, node)

    def _ranges(self, target: ast.Subscript) -> list[tuple[Affine, Affine]]:
        """The bounds of the slices of a target."""
        assert isinstance(target.value, ast.Name)
        array = self.nest.array(target.value.id)
        assert array is not None
        items = self.items(target, array)
        if any(is_new_axis(each) for each in items):
            raise NotReadError("index-not-linear", f"`{ast.unparse(target)}` stores along a new axis", target)
        return [
            self.bounds(target.value.id, axis, item, target)
            for axis, item in enumerate(items)
            if isinstance(item, ast.Slice)
        ]


def _placed(node: ast.stmt, place: ast.AST) -> ast.stmt:
    """A statement, with all its parts, at the position of ``place``."""
    for each in walk(node):
        if not hasattr(each, "lineno") and isinstance(each, ast.stmt | ast.expr):
            ast.copy_location(each, place)
    return node

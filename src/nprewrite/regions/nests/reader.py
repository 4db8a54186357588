"""Reads a ``for`` statement as a nest of scalar loops."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from nprewrite.base.syntax import base_of, does_nothing, walk
from nprewrite.lowering.iterables import range_of
from nprewrite.program.function import Function
from nprewrite.program.loop_syntax import control_problem
from nprewrite.regions.nests.nest import Nest, unknown_array
from nprewrite.regions.nests.tree import Bind, Branch, Loop, Node, Store
from nprewrite.types.problems import Problem


def read_nest(loop: ast.For, function: Function) -> Nest | Problem:
    """The nest of a loop; the first statement that is not one of scalar loops is the problem."""
    return filled(Nest(function, function.facts.before(loop)), loop)


def filled(nest: Nest, loop: ast.For) -> Nest | Problem:
    """The nest with the tree of a loop."""
    targets = [node for node in walk(loop) if isinstance(node, ast.Name | ast.Subscript)]
    stores = [node for node in targets if isinstance(node.ctx, ast.Store)]
    nest.bound = frozenset(node.id for node in stores if isinstance(node, ast.Name))
    reader = _Reader(nest)
    root = reader.loop(loop, ())
    if isinstance(root, Problem):
        return root
    nest.root = root
    nest.stored = frozenset(access.array for access in nest.accesses() if access.write)
    return nest


@dataclass
class _Reader:
    nest: Nest
    position: int = 0

    def loop(self, node: ast.For, outer: tuple[Loop, ...]) -> Loop | Problem:
        found = header(node, outer, self.nest)
        if isinstance(found, Problem):
            return found
        body = self.block(node.body, (*outer, found))
        if isinstance(body, Problem):
            return body
        found.body = body
        return found

    def block(self, statements: Sequence[ast.stmt], loops: tuple[Loop, ...]) -> tuple[Node, ...] | Problem:
        found: list[Node] = []
        for statement in statements:
            if does_nothing(statement):
                continue
            node = self.statement(statement, loops)
            if isinstance(node, Problem):
                return node
            found.append(node)
        return tuple(found)

    def statement(self, node: ast.stmt, loops: tuple[Loop, ...]) -> Node | Problem:
        if isinstance(node, ast.For):
            return self.loop(node, loops)
        problem = control_problem(node)
        if problem is not None:
            return problem
        self.position += 1
        position = self.position
        match node:
            case ast.If():
                body, orelse = self.block(node.body, loops), self.block(node.orelse, loops)
                if isinstance(body, Problem):
                    return body
                if isinstance(orelse, Problem):
                    return orelse
                return Branch(node, position, body, orelse)
            case ast.Assign(targets=[ast.Name(id=name)]):
                return self._bind(Bind(node, position, name, None, node.value), loops)
            case ast.AugAssign(target=ast.Name(id=name)):
                return self._bind(Bind(node, position, name, node.op, node.value), loops)
            case ast.Assign(targets=[ast.Subscript() as target]):
                return self._store(Store(node, position, target, None, node.value))
            case ast.AugAssign(target=ast.Subscript() as target):
                return self._store(Store(node, position, target, node.op, node.value))
        text = ast.unparse(node).splitlines()[0]
        return Problem("not-a-scalar-nest", f"`{text}` neither stores an element nor binds a number", node)

    def _bind(self, node: Bind, loops: tuple[Loop, ...]) -> Bind | Problem:
        if any(loop.name == node.name for loop in loops):
            text = f"the loop variable `{node.name}` is assigned in the loop"
            return Problem("loop-variable-rebound", text, node.node)
        function = self.nest.function
        local = node.name in self.nest.made or function.is_local(node.name)
        if not local or isinstance(function.node, ast.Module):
            text = f"`{node.name}` is not a local variable"
            return Problem("not-local", text, node.node)
        return node

    def _store(self, node: Store) -> Store | Problem:
        base = base_of(node.target)
        text = f"`{ast.unparse(base)}`"
        if not isinstance(base, ast.Name) or not self.nest.function.is_local(base.id):
            return Problem("not-local", f"{text} is not a local variable", node.target)
        if self.nest.array(base.id) is None:
            return unknown_array(base, self.nest)
        return node


def header(node: ast.For, outer: tuple[Loop, ...], nest: Nest) -> Loop | Problem:
    """A loop over a range without its body."""
    ranged = range_of(node.iter, nest.function.dotted)
    if ranged is None:
        return Problem("not-a-range", f"the loop runs over `{ast.unparse(node.iter)}`", node)
    if node.orelse:
        return Problem("loop-control", "the loop has an `else`", node)
    if not isinstance(node.target, ast.Name) or any(loop.name == node.target.id for loop in outer):
        return Problem("loop-variable-rebound", "the loop variable is not a name of its own", node)
    low, high, step = _range(ranged, node.iter)
    stride = nest.affine(step, outer)
    first, last = nest.affine(low, outer), nest.affine(high, outer)
    if first is None or last is None or stride is None or stride.terms:
        text = f"the bounds in `{ast.unparse(node.iter)}` are not sums of loop variables and fixed integers"
        return Problem("bounds-unknown", text, node)
    name, unique = node.target.id, f"%{node.target.id}:{node.lineno}:{node.col_offset}"
    if stride.constant == -1:
        return Loop(node, name, unique, last + 1, first + 1, 1, descending=True)
    if stride.constant < 1:
        return Problem("bounds-unknown", f"the step of `{ast.unparse(node.iter)}`", node)
    return Loop(node, name, unique, first, last, stride.constant, descending=False)


def _range(arguments: list[ast.expr], call: ast.expr) -> tuple[ast.expr, ast.expr, ast.expr]:
    match arguments:
        case [high]:
            return ast.Constant(0), high, ast.Constant(1)
        case [low, high]:
            return low, high, ast.Constant(1)
        case [low, high, step]:
            return low, high, step
    # No arguments, too many or starred ones: the call raises, or nothing is known.
    return call, call, call

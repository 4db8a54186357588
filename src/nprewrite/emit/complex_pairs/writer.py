"""The statements of a step with its complex values in pairs."""

from __future__ import annotations

import ast

from nprewrite.base.syntax import walk
from nprewrite.emit.complex_pairs.arithmetic import NotInPairs, copied
from nprewrite.emit.complex_pairs.names import Pair
from nprewrite.emit.complex_pairs.reals import RealExpressions
from nprewrite.source.nodes import listed
from nprewrite.types.values import Array, Scalar, Value

_DEPTH = 12
"""Columns reserved for the indentation of a statement."""


class PairWriter(RealExpressions):
    """Writes the statements of one step, each in turn."""

    def statement(self, node: ast.stmt) -> str | None:
        """The statement's new text; None when nothing in it is complex."""
        if not any(self._is_complex(each) for each in walk(node) if isinstance(each, ast.expr)):
            return None
        self._prelude = []
        text = self._statement(node)
        return "\n".join(_merged(self._prelude, text))

    def _statement(self, node: ast.stmt) -> str:
        match node:
            case ast.Return(value=ast.Tuple() as value):
                return f"return {', '.join(ast.unparse(each) for each in self._flat(value.elts))}"
            case ast.Assign(targets=[ast.Tuple() as targets], value=ast.Tuple() as values):
                return self._assign([*targets.elts], [*values.elts])
            case ast.Assign(targets=[target]):
                return self._assign([target], [node.value])
            case ast.AugAssign():
                return self._augmented(node)
        raise TypeError(f"a step holds a statement that no pass emits: {ast.unparse(node)}")

    def _flat(self, nodes: list[ast.expr]) -> list[ast.expr]:
        flat: list[ast.expr] = []
        for node in nodes:
            flat += self.pair(node) if self._is_complex(node) else [self.real(node)]
        return flat

    def _assign(self, targets: list[ast.expr], values: list[ast.expr]) -> str:
        left: list[str] = []
        right: list[ast.expr] = []
        for target, value in zip(targets, values, strict=True):
            if not self._is_complex(target):
                left.append(ast.unparse(target))
                right.append(self.real(value))
                continue
            stored = self._target(target)
            right += self._own(self._wanted(value, self._value(target)), value, stored)
            left += stored
        return _assignment(left, right)

    def _own(self, pair: Pair, value: ast.expr, stored: list[str]) -> Pair:
        """The parts of a new array; a part that is that of another name must be copied."""
        known = self._value(value)
        if not isinstance(known, Array) or not known.fresh:
            return pair
        return self._apart(pair[0], stored[0]), self._apart(pair[1], stored[1])

    def _apart(self, part: ast.expr, stored: str) -> ast.expr:
        root = part
        while isinstance(root, ast.Subscript | ast.Attribute):
            root = root.value
        user = {ast.unparse(each) for names in self._names.values() for each in names}
        taken = isinstance(root, ast.Name) and root.id in user
        # Only in a step over whole arrays may there be a view of the old array.
        itself = self._lanewise and ast.unparse(part) == stored
        return copied(part) if taken and not itself else part

    def _target(self, target: ast.expr) -> list[str]:
        match target:
            case ast.Name(id=name):
                return [ast.unparse(each) for each in self._name(name)]
            case ast.Subscript(value=ast.Name(id=name), slice=index):
                parts = self._name(name)
                return [ast.unparse(ast.Subscript(each, index, ast.Store())) for each in parts]
        raise TypeError(f"a step stores into what no pass emits: {ast.unparse(target)}")

    def _augmented(self, node: ast.AugAssign) -> str:
        """``z op= e`` as ``z = z op e``, with the values that inference would give to the new nodes."""
        target = node.target
        if not self._is_complex(target):
            return ast.unparse(ast.AugAssign(target, node.op, self.real(node.value)))
        read: ast.expr = ast.Name(ast.unparse(target), ast.Load())
        if isinstance(target, ast.Subscript):
            read = ast.Subscript(target.value, target.slice, ast.Load())
        value = self._value(target)
        expressions = self._function.facts.expressions
        expressions.values[ast.copy_location(read, target)] = value
        operation = ast.copy_location(ast.BinOp(read, node.op, node.value), node)
        operands = [value, self._value(node.value)]
        if not self._lanewise and not _keeps_rank(operands):
            # An assignment drops leading axes of length 1, where the in-place operation raises.
            raise NotInPairs(f"nothing says that `{ast.unparse(node)}` keeps the dimensions of its target")
        expressions.values[operation] = expressions.binary(type(node.op).__name__, operands, operation)
        stored = self._target(target)
        if isinstance(target, ast.Name) and not self._lanewise:
            # In a step over whole arrays z may be a view, and the change must show in its array.
            stored = [f"{part}[...]" for part in stored]
        return _assignment(stored, [*self._wanted(operation, value)])


def _keeps_rank(operands: list[Value]) -> bool:
    """Whether the second operand has at most as many dimensions as the first."""
    target, operand = operands
    if isinstance(operand, Scalar):
        return True
    if not isinstance(target, Array) or not isinstance(operand, Array):
        return False
    if target.rank is None or operand.rank is None:
        return target.shape == operand.shape and target.shape is not None
    return operand.rank <= target.rank


def _merged(prelude: list[str], text: str) -> list[str]:
    """``t_re, t_im = f(z); dz_re, dz_im = t_re, t_im`` as ``dz_re, dz_im = f(z)``."""
    left, _, right = text.partition(" = ")
    if prelude and prelude[-1].startswith(f"{right} = "):
        return [*prelude[:-1], f"{left} = {prelude[-1].removeprefix(f'{right} = ')}"]
    return [*prelude, text]


def _assignment(left: list[str], right: list[ast.expr]) -> str:
    texts = [ast.unparse(each) for each in right]
    bound = f"{', '.join(left)} = "
    return bound + listed(texts, len(bound) + _DEPTH)

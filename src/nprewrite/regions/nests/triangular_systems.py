"""Loops that solve a triangular system row by row: forward and backward substitution.

    x[i] = (b[i] - L[i, :i] @ x[:i]) / L[i, i]

The statements of an iteration are followed in terms of the right side and of the sum of products with the
known unknowns, so that the steps in which these are computed do not matter.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace

from nprewrite.regions.nests.nest import Nest
from nprewrite.regions.nests.tree import Bind, Loop, Node, Store
from nprewrite.types.affine import Affine, symbol


@dataclass(frozen=True)
class Substitution:
    """The ``unknowns`` of the rows from ``low`` to ``high``, of which ``done`` are known before the loop.

    The known rows are the first of a lower triangle, the last of an upper one.
    """

    matrix: str
    right: str
    unknowns: str
    low: Affine
    high: Affine
    done: Affine
    upper: bool
    unit: bool


@dataclass(frozen=True)
class _Value:
    """``right - sum`` if ``sign`` is -1, ``sum`` if 1, ``right`` if 0; or that divided by the diagonal."""

    right: str | None
    sign: int = 0
    divided: bool = False


class _OtherError(Exception):
    """The loop computes something else."""


@dataclass
class _Reader:
    nest: Nest
    unknowns: str
    values: dict[str, _Value] = field(default_factory=dict)
    """The values of numbers by name; this row's unknown is under the name of the array."""
    matrix: str | None = None
    span: tuple[Affine, Affine] | None = None
    """The rows whose unknowns are in the sum."""

    def node(self, node: Node, loops: tuple[Loop, ...]) -> None:
        """Follow one statement, or those of a loop over columns or over the products of a row."""
        match node:
            case Loop(body=[(Bind() | Store()) as only]) if self._adds(only, (*loops, node)):
                return
            case Loop():
                if len(loops) > 1:
                    raise _OtherError
                for each in node.body:
                    self.node(each, (*loops, node))
            case Bind():
                self.values[node.name] = self._result(node, loops)
            case Store():
                if self._row(node.target, loops) != self.unknowns:
                    raise _OtherError
                self.values[self.unknowns] = self._result(node, loops)
            case _:
                raise _OtherError

    def _result(self, node: Bind | Store, loops: tuple[Loop, ...]) -> _Value:
        if node.operator is None:
            return self.value(node.value, loops)
        name = node.name if isinstance(node, Bind) else self.unknowns
        return self._combined(node.operator, self._known(name), node.value, loops)

    def value(self, node: ast.expr, loops: tuple[Loop, ...]) -> _Value:
        """An expression in terms of the right side and the sum."""
        match node:
            case ast.Constant(value=int() | float() as zero) if zero == 0:
                return _Value(None)
            case ast.Name(id=name):
                return self._known(name)
            case ast.Subscript():
                array = self._row(node, loops)
                return self._known(array) if array == self.unknowns else _Value(array)
            case ast.BinOp():
                return self._combined(node.op, self.value(node.left, loops), node.right, loops)
        raise _OtherError

    def _known(self, name: str) -> _Value:
        default = _Value(name) if name == self.unknowns else None
        found = self.values.get(name, default)
        if found is None:
            raise _OtherError
        return found

    def _combined(
        self, operator: ast.operator, left: _Value, right: ast.expr, loops: tuple[Loop, ...]
    ) -> _Value:
        """``right side - sum``, or that divided by the element on the diagonal."""
        if isinstance(operator, ast.Div) and left.sign == -1 and not left.divided:
            self._check_diagonal(right, loops)
            return replace(left, divided=True)
        other = self.value(right, loops)
        if isinstance(operator, ast.Sub) and (left.sign, other) == (0, _Value(None, 1)) and left.right:
            return replace(left, sign=-1)
        raise _OtherError

    def _check_diagonal(self, node: ast.expr, loops: tuple[Loop, ...]) -> None:
        here = symbol(loops[0].symbol)
        found = self._indices(node, loops)
        if found != (self.matrix, [here, here]):
            raise _OtherError

    def _row(self, node: ast.expr, loops: tuple[Loop, ...]) -> str:
        """The array from which an element of this row is taken: ``b[i]``, or with columns ``b[i, j]``."""
        array, indices = self._indices(node, loops)
        if indices != [symbol(each.symbol) for each in loops]:
            raise _OtherError
        return array

    def _indices(self, node: ast.expr, loops: tuple[Loop, ...]) -> tuple[str, list[Affine]]:
        found = self.nest.element(node)
        forms = [self.nest.affine(each, loops) for each in found[1]] if found is not None else []
        if found is None or any(each is None for each in forms):
            raise _OtherError
        return found[0], [each for each in forms if each is not None]

    def _adds(self, node: Bind | Store, loops: tuple[Loop, ...]) -> bool:
        """Whether a loop adds up the products of the matrix's row with the unknowns; if so, notes the sum."""
        operator, value = node.operator, node.value
        name = node.name if isinstance(node, Bind) else self.unknowns
        match value:
            case ast.BinOp(left=ast.Name(id=again), op=ast.Add() | ast.Sub()) if (
                again == name and not operator
            ):
                operator, value = value.op, value.right
        if not isinstance(value, ast.BinOp) or not isinstance(value.op, ast.Mult):
            return False
        if isinstance(node, Store) and self._row(node.target, loops[:-1]) != self.unknowns:
            raise _OtherError
        before = self._known(name)
        if isinstance(operator, ast.Add) and before == _Value(None):
            sign = 1
        elif isinstance(operator, ast.Sub) and before.right and before == _Value(before.right):
            sign = -1
        else:
            raise _OtherError
        self._note(value.left, value.right, loops)
        self.values[name] = replace(before, sign=sign)
        return True

    def _note(self, left: ast.expr, right: ast.expr, loops: tuple[Loop, ...]) -> None:
        """Note the product of an element of the matrix's row with the unknown of its column."""
        *around, last = loops
        one, other = self._indices(left, loops), self._indices(right, loops)
        if one[0] == self.unknowns:
            one, other = other, one
        column = other[1][0]
        shift = column - symbol(last.symbol)
        expected = [column, *(symbol(each.symbol) for each in around[1:])]
        rows = [symbol(around[0].symbol), column]
        fits = other == (self.unknowns, expected) and one[1] == rows and one[0] != self.unknowns
        if self.matrix is not None or not fits or last.symbol in shift.symbols or last.stride != 1:
            raise _OtherError
        self.matrix, self.span = one[0], (last.low + shift, last.high + shift)


def substitution(nest: Nest) -> Substitution | None:
    """The triangular system that a nest solves; None where it does something else."""
    root = nest.root
    if len(nest.stored) != 1 or root.stride != 1:
        return None
    (unknowns,) = nest.stored
    reader = _Reader(nest, unknowns)
    try:
        for node in root.body:
            reader.node(node, (root,))
    except _OtherError:
        return None
    value = reader.values.get(unknowns)
    if value is None or value.sign != -1 or value.right is None or reader.span is None:
        return None
    low, high = reader.span
    here = symbol(root.symbol)
    assert reader.matrix is not None
    made = Substitution(
        reader.matrix, value.right, unknowns, low, root.high, root.low - low, False, not value.divided
    )
    if not root.descending and high == here and root.symbol not in low.symbols:
        return made
    if root.descending and low == here + 1 and root.symbol not in high.symbols:
        return replace(made, low=root.low, high=high, done=high - root.high, upper=True)
    return None

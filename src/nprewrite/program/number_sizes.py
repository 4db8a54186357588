"""How large numbers in the text are: literals, what is computed from them, multiples of the data."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from nprewrite.base.syntax import assigned, base_name, walk
from nprewrite.numpy_api.elementwise import elementwise
from nprewrite.program.function import Function
from nprewrite.types.single_precision import is_double
from nprewrite.types.values import DtypeValue, Scalar, Value

_CONVERTED = {"numpy.float64", "numpy.float32"}
_SMALL = 2.0**-10
_LIMITS = {"eps", "epsneg", "resolution", "tiny", "smallest_normal"}
_DEEPEST = 8


@dataclass(frozen=True)
class Size:
    """The size of an expression where the data are of size 1.

    ``pure`` means that there are no data in it, ``said`` that the text states the number.
    """

    number: float = 1.0
    pure: bool = False
    said: bool = True


class Sizes:
    """The sizes of the expressions of one function."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self.bound: dict[str, list[ast.expr]] = {}
        """What is bound to each name or stored into it; loops and parameters bind names without a value."""
        for statement in function.statements():
            if isinstance(statement, ast.Assign):
                for target in statement.targets:
                    self._bind(target, statement.value)
            elif isinstance(statement, ast.AugAssign | ast.AnnAssign) and statement.value is not None:
                self._bind(statement.target, statement.value)

    def _bind(self, target: ast.expr, value: ast.expr) -> None:
        for each, part in assigned(target, value, apart=False):
            if name := base_name(each):
                self.bound.setdefault(name, []).append(part)

    def of(self, node: ast.expr, depth: int = 0) -> Size:
        """The size of an expression."""
        if depth > _DEEPEST:
            return Size()
        known = self._value(node)
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
            return Size(abs(float(node.value)), pure=True)
        if isinstance(known, Scalar) and isinstance(known.constant, float):
            return Size(abs(known.constant), pure=True)
        match node:
            case ast.UnaryOp():
                return self.of(node.operand, depth + 1)
            case ast.BinOp():
                return _combined(node.op, self.of(node.left, depth + 1), self.of(node.right, depth + 1))
            case ast.Attribute(value=ast.Call() as call, attr=attr) if attr in _LIMITS:
                return self._limit(call, attr)
            case ast.Call():
                return self._called(node, depth)
            case ast.Name() if len(self.bound.get(node.id, ())) == 1:
                return self.of(self.bound[node.id][0], depth + 1)
        # A Python float without data in it is a number that only a call shows.
        unsaid = self.is_float(node) and not any(is_double(self._value(each)) for each in self.parts(node))
        return Size(pure=unsaid, said=not unsaid)

    def is_float(self, node: ast.expr) -> bool:
        """Whether an expression is a Python float."""
        known = self._value(node)
        return isinstance(known, Scalar) and known.dtype is None and known.kind == "float"

    def parts(self, node: ast.expr, seen: frozenset[str] = frozenset()) -> Iterator[ast.expr]:
        """The expressions inside one, and inside those that its names for Python floats are bound to."""
        for each in walk(node):
            if isinstance(each, ast.expr):
                yield each
            if isinstance(each, ast.Name) and each.id not in seen and self.is_float(each):
                for value in self.bound.get(each.id, ()):
                    yield from self.parts(value, seen | {each.id})

    def _value(self, node: ast.expr) -> Value:
        return self._function.facts.value(node)

    def _called(self, node: ast.Call, depth: int) -> Size:
        dotted = self._function.dotted(node.func)
        sizes = [self.of(each, depth + 1) for each in node.args]
        kept = dotted == "builtins.float" or (elementwise(dotted) or ("",))[0] == "absolute"
        if kept and len(sizes) == 1:
            return sizes[0]
        if dotted in _CONVERTED and len(sizes) == 1 and sizes[0].number < _SMALL:
            # Others may be bounds of a sum, which in float32 may stop growing before it reaches them.
            return sizes[0]
        if dotted in ("numpy.sqrt", "math.sqrt") and len(sizes) == 1:
            return Size(sizes[0].number ** 0.5, sizes[0].pure, sizes[0].said)
        if dotted in ("builtins.max", "builtins.min") and len(sizes) > 1:
            chosen = (max if dotted == "builtins.max" else min)(each.number for each in sizes)
            return Size(chosen, all(each.pure for each in sizes), all(each.said for each in sizes))
        return Size()

    def _limit(self, call: ast.Call, attr: str) -> Size:
        """``np.finfo(float).eps``; that of ``x.dtype`` becomes float32's with ``x``."""
        if self._function.dotted(call.func) != "numpy.finfo" or len(call.args) != 1:
            return Size()
        (asked,) = call.args
        known = self._function.facts.value(asked)
        dtype = known.dtype if isinstance(known, DtypeValue) else np.dtype("f8")
        if isinstance(asked, ast.Attribute) and asked.attr == "dtype":
            dtype = np.dtype("f4")
        return Size(float(getattr(np.finfo(dtype), attr)), pure=True) if dtype.kind == "f" else Size()


def _combined(operator: ast.operator, left: Size, right: Size) -> Size:
    pure, said = left.pure and right.pure, left.said and right.said
    match operator:
        case ast.Mult():
            return Size(left.number * right.number, pure, said)
        case ast.Div() if right.number:
            return Size(left.number / right.number, pure, said)
        case ast.Add():
            return Size(left.number + right.number, pure, said)
        case ast.Sub() if pure:
            return Size(abs(left.number - right.number), pure, said)
        case ast.Pow() if right.pure and left.number:
            return Size(left.number**right.number, left.pure, said)
    # A difference of data may be anything.
    return Size(said=said)

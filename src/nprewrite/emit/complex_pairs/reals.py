"""Real and boolean expressions over complex ones: comparisons, absolute values, parts, tests."""

from __future__ import annotations

import ast

from nprewrite.base.syntax import walk
from nprewrite.emit.complex_pairs.arithmetic import ComplexArithmetic, NotInPairs, add, multiply
from nprewrite.numpy_api.elementwise import ELEMENTWISE, OPERATORS, Elementwise, elementwise
from nprewrite.program.function import Function
from nprewrite.types.values import Array, Scalar

_SQUARE_RANGE = {"float32": (2.0**-60, 2.0**63), "float64": (2.0**-500, 2.0**511)}
"""Where ``h * h`` neither overflows nor underflows, with room for the sum of two squares."""

_COMPARED = {"less": ast.Lt(), "less_equal": ast.LtE()}
_JOINED: dict[str, ast.operator] = {"or": ast.BitOr(), "and": ast.BitAnd()}


class RealExpressions(ComplexArithmetic):
    """Writes real expressions; ``bounds`` collects what squared comparisons rely on."""

    def __init__(self, function: Function) -> None:
        super().__init__(function)
        self.bounds: dict[str, tuple[float, float]] = {}

    def real(self, node: ast.expr) -> ast.expr:
        """A real (or boolean) expression with its complex parts written in pairs."""
        inside = (each for each in walk(node) if isinstance(each, ast.expr))
        if not any(self._is_complex(each) for each in inside):
            return node
        match node:
            case ast.Attribute(attr="real" | "imag") if self._is_complex(node.value):
                return self.pair(node.value)[node.attr == "imag"]
            case ast.Attribute():
                return ast.Attribute(self.real(node.value), node.attr)
            case ast.Subscript():
                return ast.Subscript(self.real(node.value), node.slice)
            case ast.Compare():
                name = OPERATORS[type(node.ops[0]).__name__]
                return self._compare(node, name, node.left, node.comparators[0])
            case ast.BinOp():
                return ast.BinOp(self.real(node.left), node.op, self.real(node.right))
            case ast.UnaryOp():
                return ast.UnaryOp(node.op, self.real(node.operand))
            case ast.Call():
                return self._real_call(node)
        raise NotInPairs(f"`{ast.unparse(node)}` has no real form")

    def _real_call(self, node: ast.Call) -> ast.expr:
        dotted = self._function.dotted(node.func)
        found = elementwise(dotted)
        name, entry = found or ((dotted or "").removeprefix("numpy."), None)
        if entry is not None and entry.mirrored:
            return self._compare(node, name, *node.args)
        of_complex = len(node.args) == 1 and self._is_complex(node.args[0])
        if of_complex and name == "absolute":
            return self._numpy_call("hypot", *self.pair(node.args[0]))
        if of_complex and name in {"real", "imag"}:
            return self.pair(node.args[0])[name == "imag"]
        if of_complex and entry is not None and entry.of_parts:
            first, second = (self._numpy_call(name, part) for part in self.pair(node.args[0]))
            return ast.BinOp(first, _JOINED[entry.of_parts], second)
        if name == "where":
            return ast.Call(node.func, [self._truth(node.args[0]), *map(self.real, node.args[1:])], [])
        if name.startswith("logical_"):
            return ast.Call(node.func, [self._truth(each) for each in node.args], [])
        if any(self._is_complex(each) for each in node.args):
            return self._whole(node)
        if isinstance(node.func, ast.Attribute) and dotted is None:
            return self._method_call(node, node.func)
        return ast.Call(node.func, [self.real(each) for each in node.args], node.keywords)

    def _method_call(self, node: ast.Call, method: ast.Attribute) -> ast.expr:
        """A call of a method with a real result; for a complex array that is ``astype``.

        ``z.astype(bool)`` tests whether z is zero; to another real dtype ``astype`` keeps the real part.
        """
        value, complex_receiver = self._value(node), self._is_complex(method.value)
        if complex_receiver and isinstance(value, Array) and value.dtype.kind == "b":
            return self._truth(method.value)
        receiver = self.pair(method.value)[0] if complex_receiver else self.real(method.value)
        return ast.Call(ast.Attribute(receiver, method.attr), node.args, node.keywords)

    def _compare(self, node: ast.Compare | ast.Call, name: str, left: ast.expr, right: ast.expr) -> ast.expr:
        mirrored = ELEMENTWISE[name].mirrored
        squared = self._squared(name, left, right) or self._squared(mirrored, right, left)
        if squared is not None:
            return squared
        if self._is_complex(left) or self._is_complex(right):
            if ELEMENTWISE[name].ordered:
                return self._ordered(ELEMENTWISE[name], left, right)
            same = ast.Eq() if name == "equal" else ast.NotEq()
            both = ast.BitAnd() if name == "equal" else ast.BitOr()
            first, second = self._parts(left), self._parts(right)
            halves = [ast.Compare(a, [same], [b]) for a, b in zip(first, second, strict=True)]
            return ast.BinOp(halves[0], both, halves[1])
        if isinstance(node, ast.Compare):
            return ast.Compare(self.real(left), node.ops, [self.real(right)])
        return ast.Call(node.func, [self.real(left), self.real(right)], [])

    def _ordered(self, comparison: Elementwise, left: ast.expr, right: ast.expr) -> ast.expr:
        """The order by the real parts, and where these are equal by the imaginary ones, neither of them nan.

        As NumPy has it (``npy_clt`` and its like in loops.c.src); torch does not order complex numbers.
        """
        strict, own = (getattr(ast, each)() for each in (comparison.ordered, comparison.operator))
        one, other = self._simple(left), self._simple(right)
        by_real: ast.expr = ast.Compare(one[0], [strict], [other[0]])
        for part in (one[1], other[1]):
            if not isinstance(part, ast.Constant):
                by_real = ast.BinOp(by_real, ast.BitAnd(), ast.Compare(part, [ast.Eq()], [part]))
        same = ast.Compare(one[0], [ast.Eq()], [other[0]])
        by_imaginary = ast.BinOp(same, ast.BitAnd(), ast.Compare(one[1], [own], [other[1]]))
        return ast.BinOp(by_real, ast.BitOr(), by_imaginary)

    def _squared(self, name: str, left: ast.expr, right: ast.expr) -> ast.expr | None:
        """``abs(z) < h`` as a comparison of squares, if ``h`` is a constant of the loop in a safe range."""
        argument = self._absolute_of(left)
        part = self._part_dtype(self._value(argument)) if argument is not None else None
        if argument is None or part is None or name not in _COMPARED:
            return None
        low, high = _SQUARE_RANGE[part]
        limit, constants = self._value(right), self._function.as_step()[1].constants
        if isinstance(limit, Scalar) and isinstance(limit.constant, int | float):
            if not low <= limit.constant <= high:
                return None
            square: ast.expr = ast.Constant(float(limit.constant) * float(limit.constant))
        elif isinstance(right, ast.Name) and (box := constants.get(right.id)) and box.dtype == part:
            self.bounds[right.id] = (low, high)
            square = multiply(right, right)
        else:
            return None
        re, im = self._simple(argument)
        return ast.Compare(add(multiply(re, re), multiply(im, im)), [_COMPARED[name]], [square])

    def _absolute_of(self, node: ast.expr) -> ast.expr | None:
        if not isinstance(node, ast.Call) or len(node.args) != 1:
            return None
        found = elementwise(self._function.dotted(node.func))
        return node.args[0] if found and found[0] == "absolute" and self._is_complex(node.args[0]) else None

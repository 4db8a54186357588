"""Complex expressions as pairs of real ones.

The formulas are those of NumPy's own loops (``loops.c.src``, ``npy_math_complex``), so that infinities and
nans come out alike: a real factor is a complex one with a zero imaginary part, division is Smith's
(R. L. Smith, Algorithm 116: Complex division, CACM 5(8), 1962).
"""

from __future__ import annotations

import ast
import math
from abc import ABC, abstractmethod
from typing import Any

from nprewrite.base.syntax import expression_tree
from nprewrite.emit.complex_pairs.names import Pair, PairNames
from nprewrite.numpy_api.creation import creation
from nprewrite.numpy_api.elementwise import ELEMENTWISE, OPERATORS, elementwise
from nprewrite.numpy_api.methods import METHODS
from nprewrite.program.function import Function
from nprewrite.types.values import Array, Scalar, Value

_SMALLEST_DIVISOR = 2.0**-100
"""Far from where NumPy's scaling by the inverse overflows, in single precision too."""


class NotInPairs(Exception):
    """An expression over complex arrays cannot be written in pairs: too little is known of it."""


class ComplexArithmetic(PairNames, ABC):
    """Writes complex expressions; ``split`` and ``rebuilt`` tell whether any was in parts, or not."""

    def __init__(self, function: Function) -> None:
        super().__init__(function)
        self.split = False
        self.rebuilt = False
        self._lanewise = function.as_step()[1].lanewise

    @abstractmethod
    def real(self, node: ast.expr) -> ast.expr:
        """A real (or boolean) expression with its complex parts written in pairs."""

    def pair(self, node: ast.expr) -> Pair:
        """The real and imaginary part of a complex expression."""
        match node:
            case ast.Constant(value=complex() | float() | int() as number):
                return ast.Constant(number.real), ast.Constant(number.imag)
            case ast.Name():
                return self._name(node.id)
            case ast.Attribute(attr="T"):
                re, im = self.pair(node.value)
                return ast.Attribute(re, "T"), ast.Attribute(im, "T")
            case ast.Subscript() if self._is_complex(node.value):
                self.split = True
                re, im = self.pair(node.value)
                return ast.Subscript(re, node.slice), ast.Subscript(im, node.slice)
            case ast.BinOp():
                name = OPERATORS.get(type(node.op).__name__, "")
                return self._operation(name, [node.left, node.right], node)
            case ast.UnaryOp():
                return self._operation(OPERATORS[type(node.op).__name__], [node.operand], node)
            case ast.Call():
                return self._call(node)
        return self._rebuilt(node)

    def _call(self, node: ast.Call) -> Pair:
        dotted = self._function.dotted(node.func)
        found = elementwise(dotted)
        if found is not None:
            return self._operation(found[0], [*node.args], node)
        if dotted == "numpy.where":
            return self._where(node)
        made = creation(dotted)
        alike = made is not None and made.rule == "like" and made.fills == 0
        if (alike or dotted == "numpy.roll") and self._is_complex(node.args[0]):
            self.split = True
            re, im = self.pair(node.args[0])
            return _with_first(node, re), _with_first(node, im)
        if not isinstance(node.func, ast.Attribute) or dotted is not None:
            return self._rebuilt(node)
        method = METHODS.get(node.func.attr)
        match method.gives if method is not None else None:
            case "conjugate":
                return self._operation("conjugate", [node.func.value], node)
            case "copy":
                re, im = self.pair(node.func.value)
                return copied(re), copied(im)
            case "dtype":
                return self._full(node.func.value, self._value(node))
        return self._rebuilt(node)

    def _operation(self, name: str, operands: list[ast.expr], node: ast.expr) -> Pair:
        """An elementwise function of ``operands``, ``node`` being the whole expression."""
        entry = ELEMENTWISE.get(name)
        if entry is None or not entry.pairs:
            return self._rebuilt(node)
        self.split = True
        value, first = self._value(node), operands[0]
        match entry.pairs:
            case "operator":
                return self._sum(getattr(ast, entry.operator)(), operands, value)
            case "product":
                return self._product(self._simple(first, value), self._simple(operands[-1], value))
            case "quotient":
                return self._quotient(operands, value, node)
            case "power":
                return self._power(operands, value, node)
        re, im = self._wanted(first, value)
        match entry.pairs:
            case "negated":
                return _negative(re), _negative(im)
            case "same":
                return re, im
            case "conjugate":
                return re, _negative(im)
        return self._helper(name, (re, im), [])

    def _sum(self, operator: ast.operator, operands: list[ast.expr], value: Value) -> Pair:
        left, right = operands
        if self._broadcasts(operands):
            first, second = self._full(left, value), self._full(right, value)
            return ast.BinOp(first[0], operator, second[0]), ast.BinOp(first[1], operator, second[1])
        # A real operand has an imaginary part of +0.0, which decides the sign of a zero and so the branch of
        # a square root: -0.0 + 0.0 is 0.0, but -0.0 - 0.0 is -0.0.
        zero = ast.Constant(0.0)
        if not self._is_complex(right):
            re, im = self._wanted(left, value)
            lone = add(im, zero) if isinstance(operator, ast.Add) and not _is_nonzero(im) else im
            return ast.BinOp(re, operator, self._wanted(right, value)[0]), lone
        if not self._is_complex(left):
            re, im = self._wanted(right, value)
            lone = im if isinstance(operator, ast.Add) and _is_nonzero(im) else ast.BinOp(zero, operator, im)
            return ast.BinOp(self._wanted(left, value)[0], operator, re), lone
        first, second = self._wanted(left, value), self._wanted(right, value)
        return ast.BinOp(first[0], operator, second[0]), ast.BinOp(first[1], operator, second[1])

    def _product(self, left: Pair, right: Pair) -> Pair:
        re = ast.BinOp(multiply(left[0], right[0]), ast.Sub(), multiply(left[1], right[1]))
        return re, add(multiply(left[0], right[1]), multiply(left[1], right[0]))

    def _quotient(self, operands: list[ast.expr], value: Value, node: ast.expr) -> Pair:
        known = _known(self._value(operands[1]))
        if isinstance(known, int | float) and _SMALLEST_DIVISOR <= abs(known) <= 1 / _SMALLEST_DIVISOR:
            re, im = self._simple(operands[0], value)
            zero, over = ast.Constant(math.copysign(0.0, known)), ast.Constant(known)
            real = ast.BinOp(add(re, multiply(im, zero)), ast.Div(), over)
            return real, ast.BinOp(ast.BinOp(im, ast.Sub(), multiply(re, zero)), ast.Div(), over)
        parts = [part for each in operands for part in self._simple_or_known(each, value)]
        model = next((each for each in parts if isinstance(each, ast.Name)), None)
        if model is None:
            # ``1 / (3 + 4j)`` is a number of Python's, which keeps complex64.
            numbers: list[float] = [ast.literal_eval(each) for each in parts]
            divisor = complex(*numbers[2:])
            if divisor == 0:
                return self._rebuilt(node)
            quotient = complex(*numbers[:2]) / divisor
            return ast.Constant(quotient.real), ast.Constant(quotient.imag)
        parts = [self._filled(each, model) for each in parts]
        return self._helper("divide", parts, [])

    def _power(self, operands: list[ast.expr], value: Value, node: ast.expr) -> Pair:
        exponent = self._value(operands[1])
        literal = exponent.constant if isinstance(exponent, Scalar) else None
        if type(literal) is not int or not self._is_complex(operands[0]):
            return self._rebuilt(node)
        base = self._simple(operands[0], value)
        if literal == 2:
            return self._product(base, base)
        return self._helper("power", base, [ast.Constant(literal)])

    def _where(self, node: ast.Call) -> Pair:
        mask, left, right = node.args
        value = self._value(node)
        first, second = self._full(left, value), self._full(right, value)
        condition = self._truth(mask)
        if not isinstance(condition, ast.Name):
            name = self._fresh("mask")
            self._prelude.append(f"{name} = {ast.unparse(condition)}")
            condition = ast.Name(name)
        return (
            ast.Call(node.func, [condition, first[0], second[0]], []),
            ast.Call(node.func, [condition, first[1], second[1]], []),
        )

    def _simple(self, node: ast.expr, value: Value | None = None) -> Pair:
        """Parts that may be written twice: names and constants; anything longer is bound to a name first."""
        pair = self._parts(node) if value is None else self._wanted(node, value)
        if all(isinstance(each, ast.Name | ast.Constant) for each in pair):
            return pair
        return self._named(f"{ast.unparse(pair[0])}, {ast.unparse(pair[1])}")

    def _simple_or_known(self, node: ast.expr, value: Value) -> Pair:
        known = _known(self._value(node))
        if known is None:
            return self._simple(node, value)
        return ast.Constant(known.real), ast.Constant(float(known.imag))

    def _parts(self, node: ast.expr) -> Pair:
        """The parts of a complex or real operand."""
        return self.pair(node) if self._is_complex(node) else (self.real(node), ast.Constant(0.0))

    def _wanted(self, node: ast.expr, value: Value) -> Pair:
        """The parts in the precision of ``value``, the result that they go into."""
        re, im = self._parts(node)
        have, want = self._value(node), self._part_dtype(value)
        if not isinstance(have, Array) or want is None or self._part_dtype(have) == want:
            return re, im
        return self._astype(re, want), im if isinstance(im, ast.Constant) else self._astype(im, want)

    def _broadcasts(self, operands: list[ast.expr]) -> bool:
        """Whether a real array among the operands may have other axes than the complex ones."""
        shapes = [value.shape for each in operands if isinstance(value := self._value(each), Array)]
        return not self._lanewise and any(shape is None or shape != shapes[0] for shape in shapes)

    def _full(self, node: ast.expr, value: Value) -> Pair:
        """The parts of an operand, both with its shape, which a zero lacks in a step over whole arrays."""
        re, im = self._wanted(node, value)
        bare = isinstance(im, ast.Constant) and isinstance(self._value(node), Array)
        return (re, self._numpy_call("zeros_like", re)) if bare and not self._lanewise else (re, im)

    def _filled(self, part: ast.expr, model: ast.expr) -> ast.expr:
        """A part as an array, for the runtime's helpers."""
        return self._numpy_call("full_like", model, part) if isinstance(part, ast.Constant) else part

    def _truth(self, node: ast.expr) -> ast.expr:
        """An operand where NumPy tests whether it is zero."""
        if not self._is_complex(node):
            return self.real(node)
        re, im = (ast.Compare(part, [ast.NotEq()], [ast.Constant(0)]) for part in self.pair(node))
        return ast.BinOp(re, ast.BitOr(), im)

    def _rebuilt(self, node: ast.expr) -> Pair:
        """The operation on complex arrays that are rebuilt from their parts, with its result split again."""
        return self._named(f"{self._runtime}.split({ast.unparse(self._whole(node))})")

    def _whole(self, node: ast.expr) -> ast.expr:
        """The expression with each complex operand rebuilt from its parts."""
        self.rebuilt = True
        return self._with_joined(node)

    def _with_joined(self, node: ast.expr) -> ast.expr:
        join = _Join(self)
        fields = {name: _visited(join, getattr(node, name)) for name in node._fields}
        return ast.fix_missing_locations(type(node)(**fields))

    def joined(self, node: ast.expr) -> ast.expr:
        """An operand of an operation on complex arrays, a complex one rebuilt from its parts."""
        if isinstance(node, ast.Constant):
            return node
        if not self._is_complex(node):
            # Complex arrays may stand in a list of them, or in what asks for a length.
            return self.real(node) if isinstance(self._value(node), Array) else self._with_joined(node)
        re, im = self.pair(node)
        text = f"{self._runtime}.join({ast.unparse(re)}, {ast.unparse(im)})"
        return expression_tree(text)


class _Join(ast.NodeTransformer):
    """Puts ``joined`` operands into an expression."""

    def __init__(self, writer: ComplexArithmetic) -> None:
        self._writer = writer

    def visit(self, node: ast.AST) -> Any:
        """The operand to put in place of ``node``; in other nodes, those of the expressions inside."""
        return self._writer.joined(node) if isinstance(node, ast.expr) else self.generic_visit(node)


def _visited(visitor: ast.NodeTransformer, item: Any) -> Any:
    if isinstance(item, list):
        return [visitor.visit(each) if isinstance(each, ast.AST) else each for each in item]
    return visitor.visit(item) if isinstance(item, ast.AST) else item


def _known(value: Value) -> complex | None:
    return value.constant if isinstance(value, Scalar) else None


def multiply(left: ast.expr, right: ast.expr) -> ast.expr:
    """``left * right``."""
    return ast.BinOp(left, ast.Mult(), right)


def add(left: ast.expr, right: ast.expr) -> ast.expr:
    """``left + right``."""
    return ast.BinOp(left, ast.Add(), right)


def _with_first(call: ast.Call, argument: ast.expr) -> ast.expr:
    return ast.Call(call.func, [argument, *call.args[1:]], call.keywords)


def _is_nonzero(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value != 0


def _negative(node: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.USub(), node)


def copied(node: ast.expr) -> ast.expr:
    """``node.copy()``."""
    return ast.Call(ast.Attribute(node, "copy"), [], [])

"""A scalar function's values in all lanes at once: array expressions for what Python would compute.

Arithmetic of Python numbers differs from that of arrays where it raises (division by zero, powers that
overflow or turn complex), and where integers outgrow 64 bits. Each operation here gives the array expression
and the condition under which Python raises.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from nprewrite.base.syntax import expression_tree
from nprewrite.types.problems import ProblemError
from nprewrite.types.values import Kind

Kinds = frozenset[Kind]
Condition = ast.expr | None
BOOL: Kinds = frozenset(["bool"])
INT: Kinds = frozenset(["int"])
FLOAT: Kinds = frozenset(["float"])
NUMBER: Kinds = INT | FLOAT

_EXACT_BITS = 53
"""Integers below 2**53 are the same in int64 and float64."""


class Unconverted(ProblemError):
    """A scalar function has no array form; carries the problem."""


class NeedsSmaller(Exception):
    """The array form is correct only for smaller integers, or only for floats."""


@dataclass(frozen=True)
class Lane:
    """A scalar value in all lanes: ``node`` is the array expression.

    ``kinds`` are the Python types that it may have in a lane, ``bits`` bounds the magnitude of integers.
    ``numpy`` is True for NumPy scalars, False for Python numbers, None where it may be either.
    ``constant`` is the value of an expression of literals. ``mixed`` is set where some lanes hold an int and
    others a float: in an array all are floats, and a zero there may have a sign.
    """

    node: ast.expr
    kinds: Kinds
    bits: int = 0
    numpy: bool | None = False
    constant: int | float | None = None
    mixed: bool = False


NUMPY, RESULT = "$numpy", "$result"
"""Stand for NumPy's name and, in a condition, for the result; they are never names of the user's."""


def parsed(text: str, **parts: ast.expr) -> ast.expr:
    """The expression ``text`` with names replaced by expressions; ``np`` and ``r`` have special meanings."""
    known = {"np": ast.Name(NUMPY, ast.Load()), "r": ast.Name(RESULT, ast.Load())}
    return exchanged(expression_tree(text), {**known, **parts})


def exchanged(node: ast.expr, parts: Mapping[str, ast.expr]) -> ast.expr:
    """``node`` with names replaced by expressions, as a new tree, because lanes share their parts."""
    made = _rebuilt(node, parts)
    assert isinstance(made, ast.expr)
    return made


def _rebuilt(node: Any, parts: Mapping[str, ast.expr]) -> Any:
    if isinstance(node, list):
        return [_rebuilt(each, parts) for each in node]
    if isinstance(node, ast.Name):
        return parts.get(node.id, node)
    if not isinstance(node, ast.AST):
        return node
    return type(node)(**{name: _rebuilt(value, parts) for name, value in ast.iter_fields(node)})


def literal(node: ast.expr, value: bool | int | float) -> Lane:
    """A literal number, or an expression of literals."""
    kinds: dict[type, Kinds] = {bool: BOOL, int: INT, float: FLOAT}
    bits = value.bit_length() if isinstance(value, int) else 0
    return _fitting(Lane(node, kinds[type(value)], bits, constant=value))


def _fitting(lane: Lane) -> Lane:
    if "int" in lane.kinds and lane.bits > _EXACT_BITS:
        raise NeedsSmaller
    return lane


def joined(left: Lane, right: Lane, node: ast.expr) -> Lane:
    """``node`` as a lane that has one of two values."""
    numpy = left.numpy if left.numpy == right.numpy else None
    mixed = left.mixed or right.mixed or left.kinds | right.kinds > FLOAT
    return Lane(node, left.kinds | right.kinds, max(left.bits, right.bits), numpy, mixed=mixed)


def _number(lane: Lane) -> Lane:
    """The lane with booleans as 0 and 1, because NumPy's booleans have another arithmetic."""
    if "bool" not in lane.kinds:
        return lane
    if lane.numpy is not False:
        raise Unconverted("no-array-form", "arithmetic of NumPy's truth values", lane.node)
    node = parsed("x * 1", x=lane.node) if lane.kinds == BOOL else lane.node
    return replace(lane, node=node, kinds=lane.kinds - BOOL | INT, bits=max(1, lane.bits))


def truth(lane: Lane) -> ast.expr:
    """The truth value of a number, as an array of bool."""
    return lane.node if lane.kinds == BOOL else parsed("x != 0", x=lane.node)


def compared(symbol: ast.cmpop, left: Lane, right: Lane) -> Lane:
    """``left < right`` and so on."""
    numpy = True if left.numpy is True or right.numpy is True else None
    return Lane(ast.Compare(left.node, [symbol], [right.node]), BOOL, 1, numpy)


_FOLDED: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}


def arithmetic(symbol: ast.operator, left: Lane, right: Lane, place: ast.expr) -> tuple[Lane, Condition]:
    """``left symbol right`` and where Python would raise; ``Unconverted`` for other operators."""
    if isinstance(symbol, ast.BitAnd | ast.BitOr | ast.BitXor) and left.kinds == right.kinds == BOOL:
        return joined(left, right, ast.BinOp(left.node, symbol, right.node)), None
    if type(symbol) not in _FOLDED:
        raise Unconverted("no-array-form", f"`{ast.unparse(place)}` is not arithmetic", place)
    if left.constant is not None and right.constant is not None:
        return _folded(symbol, left, right, place), None
    if isinstance(symbol, ast.Pow):
        return power(left, right, place)
    if "bool" in left.kinds & right.kinds:
        left, right = _number(left), _number(right)
    node = ast.BinOp(left.node, symbol, right.node)
    numpy = True if left.numpy or right.numpy else None if None in (left.numpy, right.numpy) else False
    kinds: Kinds = FLOAT if isinstance(symbol, ast.Div) else _promoted(left.kinds, right.kinds)
    mixed = (left.mixed or right.mixed) and kinds > FLOAT
    made = _fitting(Lane(node, kinds, _bits(symbol, left, right), numpy, mixed=mixed))
    # A remainder by 0 is 0 for NumPy's integers, and nan for its floats.
    defined = right.constant or (numpy and not left.mixed and not right.mixed)
    if not isinstance(symbol, ast.Div | ast.FloorDiv | ast.Mod) or defined:
        return made, None
    return made, parsed("y == 0", y=right.node)


def _folded(symbol: ast.operator, left: Lane, right: Lane, place: ast.expr) -> Lane:
    """An expression of literals, which Python still computes."""
    try:
        value = _FOLDED[type(symbol)](left.constant, right.constant)
    except ArithmeticError as error:
        raise Unconverted("may-raise", f"`{ast.unparse(place)}` raises {error}", place) from error
    if type(value) not in (int, float):
        raise Unconverted("dtype-unsupported", f"`{ast.unparse(place)}` is complex", place)
    return literal(ast.BinOp(left.node, symbol, right.node), value)


def _promoted(left: Kinds, right: Kinds) -> Kinds:
    """The types of a sum: an int only where both may be."""
    kinds: Kinds = frozenset()
    if left & {"int", "bool"} and right & {"int", "bool"}:
        kinds = kinds | INT
    return kinds | FLOAT if "float" in left | right else kinds


def _bits(symbol: ast.operator, left: Lane, right: Lane) -> int:
    match symbol:
        case ast.Mult():
            return left.bits + right.bits
        case ast.Mod():
            return right.bits
    return max(left.bits, right.bits) + 1


def power(base: Lane, exponent: Lane, place: ast.expr) -> tuple[Lane, Condition]:
    """``base ** exponent``, and where Python overflows, divides by zero or gives a complex number."""
    base, exponent = _number(base), _number(exponent)
    certainly_numpy = base.numpy is True or exponent.numpy is True
    finite = "~np.isfinite(r) & np.isfinite(x) & np.isfinite(y)"
    count = exponent.constant
    if isinstance(count, int):
        if count < 0 and "int" in base.kinds and base.numpy is not False:
            raise Unconverted("may-raise", f"`{ast.unparse(place)}`: an integer to a negative power", place)
        kinds = base.kinds if count >= 0 else FLOAT
        # NumPy has no negative powers of integers; Python computes them as floats.
        node = exponent.node if count >= 0 else ast.Constant(float(count))
        whole = ast.BinOp(base.node, ast.Pow(), node)
        mixed = base.mixed and kinds > FLOAT
        made = _fitting(Lane(whole, kinds, base.bits * abs(count), base.numpy, mixed=mixed))
        raises = "float" in kinds and count not in (0, 1) and not certainly_numpy
        return made, parsed("~np.isfinite(r) & np.isfinite(x)", x=base.node) if raises else None
    if FLOAT not in (base.kinds, exponent.kinds):
        raise NeedsSmaller
    # For 0.5 NumPy takes the square root, and the root of -0.0 is -0.0, where Python's power is 0.0.
    left = parsed("x + 0.0", x=base.node) if count == 0.5 else base.node
    numpy = certainly_numpy or (False if base.numpy is exponent.numpy is False else None)
    made = Lane(ast.BinOp(left, ast.Pow(), exponent.node), FLOAT, 0, numpy)
    condition = "(x < 0) | " + f"({finite})" if count == 0.5 else finite
    return made, None if certainly_numpy else parsed(condition, x=base.node, y=exponent.node)


def negative(lane: Lane, symbol: ast.unaryop) -> Lane:
    """``-x`` and ``+x``."""
    if lane.constant is not None:
        sign = -1 if isinstance(symbol, ast.USub) else 1
        return literal(ast.UnaryOp(symbol, lane.node), sign * lane.constant)
    lane = _number(lane)
    return replace(lane, node=ast.UnaryOp(symbol, lane.node))


def absolute(lane: Lane) -> Lane:
    """``abs(x)``."""
    lane = _number(lane)
    return replace(lane, node=parsed("np.abs(x)", x=lane.node), constant=None)


def as_float(lane: Lane) -> Lane:
    """``float(x)``."""
    if lane.constant is not None:
        return literal(ast.Constant(float(lane.constant)), float(lane.constant))
    node = lane.node if lane.kinds == FLOAT else parsed("x * 1.0", x=lane.node)
    return Lane(node, FLOAT)


_INTEGER_BITS = 31


def as_integer(function: str, lane: Lane) -> tuple[Lane, Condition]:
    """``int``, ``round``, ``math.floor`` and so on by NumPy's function: an integer of less than 32 bits."""
    lane = _number(lane)
    if lane.kinds == INT:
        return replace(lane, numpy=False), None
    node = parsed(f"np.{function}(x).astype(np.int64)", x=lane.node)
    bits = max(_INTEGER_BITS, lane.bits)
    condition = parsed(f"~(np.abs(x) < {2**_INTEGER_BITS})", x=lane.node)
    return Lane(node, INT, bits), condition


Path = tuple[ast.expr, ...]
"""The tests that hold where an expression is evaluated."""


@dataclass
class Record:
    """What a conversion has written so far: assignments in order, and where a lane would raise."""

    assignments: list[tuple[str, ast.expr]] = field(default_factory=list)
    raises: list[ast.expr] = field(default_factory=list)
    free: dict[str, Lane] = field(default_factory=dict)
    exact: bool = True
    bools: bool = True
    """Whether booleans may count as 0 and 1, which NumPy's functions treat differently."""
    taken: set[str] = field(default_factory=set)
    stems: dict[str, str] = field(default_factory=dict)

    def bound(self, stem: str, node: ast.expr) -> ast.Name:
        """``node`` under a name of its own."""
        name = free_name(stem, self.taken)
        self.taken.add(name)
        self.stems[name] = stem
        self.assignments.append((name, node))
        return ast.Name(name, ast.Load())

    def raise_where(self, path: Path, condition: ast.expr) -> None:
        """Note that Python raises in the lanes of ``path`` where ``condition`` holds."""
        self.raises.append(conjunction((*path, condition)))


def free_name(stem: str, taken: Collection[str]) -> str:
    """The first of ``stem``, ``stem_1``, ... that is not taken."""
    name, count = stem, 1
    while name in taken:
        name, count = f"{stem}_{count}", count + 1
    return name


def conjunction(tests: Sequence[ast.expr]) -> ast.expr:
    """``a & b & c``."""
    made = tests[0]
    for test in tests[1:]:
        made = ast.BinOp(made, ast.BitAnd(), test)
    return made


def select(test: ast.expr, left: ast.expr, right: ast.expr) -> ast.expr:
    """``np.where(test, left, right)``."""
    return parsed("np.where(c, a, b)", c=test, a=left, b=right)


def inverted(test: ast.expr) -> ast.expr:
    """``~test`` for an array of bool."""
    return ast.UnaryOp(ast.Invert(), test)

"""A scalar function's expressions as array expressions, under the tests that lead to them."""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from nprewrite.facts.lane_record import Path, Record, inverted, select
from nprewrite.facts.lane_values import (
    BOOL,
    FLOAT,
    RESULT,
    Kinds,
    Lane,
    NeedsSmaller,
    Unconverted,
    absolute,
    arithmetic,
    as_float,
    as_integer,
    compared,
    exchanged,
    joined,
    literal,
    negative,
    parsed,
    power,
    truth,
)
from nprewrite.facts.numpy_table import elementwise
from nprewrite.facts.values import Kind, kind_of
from nprewrite.source.names import ModuleNames, Scope

MATH_FUNCTIONS: dict[str, tuple[str, str | None]] = {
    "sqrt": ("sqrt", "x < 0"),
    "exp": ("exp", "np.isinf(r) & np.isfinite(x)"),
    "expm1": ("expm1", "np.isinf(r) & np.isfinite(x)"),
    "log": ("log", "x <= 0"),
    "log2": ("log2", "x <= 0"),
    "log10": ("log10", "x <= 0"),
    "log1p": ("log1p", "x <= -1"),
    "sin": ("sin", "np.isinf(x)"),
    "cos": ("cos", "np.isinf(x)"),
    "tan": ("tan", "np.isinf(x)"),
    "asin": ("arcsin", "np.abs(x) > 1"),
    "acos": ("arccos", "np.abs(x) > 1"),
    "atan": ("arctan", None),
    "sinh": ("sinh", "np.isinf(r) & np.isfinite(x)"),
    "cosh": ("cosh", "np.isinf(r) & np.isfinite(x)"),
    "tanh": ("tanh", None),
    "asinh": ("arcsinh", None),
    "acosh": ("arccosh", "x < 1"),
    "atanh": ("arctanh", "np.abs(x) >= 1"),
    "fabs": ("fabs", None),
    "degrees": ("degrees", None),
    "radians": ("radians", None),
    "atan2": ("arctan2", None),
    "hypot": ("hypot", None),
    "copysign": ("copysign", None),
    "fmod": ("fmod", "(y == 0) | np.isinf(x)"),
    "isnan": ("isnan", None),
    "isinf": ("isinf", None),
    "isfinite": ("isfinite", None),
}
"""Functions of ``math``: NumPy's function, and where ``math`` raises ValueError or OverflowError."""

_TESTS = frozenset(["isnan", "isinf", "isfinite"])
_TWO_OPERANDS = frozenset(["atan2", "hypot", "copysign", "fmod"])
_EXACT = frozenset(["sqrt", "fabs", "copysign", "fmod", *_TESTS])
_INTEGERS = {
    "builtins.int": "trunc",
    "builtins.round": "rint",
    "math.floor": "floor",
    "math.ceil": "ceil",
    "math.trunc": "trunc",
}
_KEEPS_INTEGERS = frozenset(
    [
        "absolute",
        "negative",
        "positive",
        "sign",
        "maximum",
        "minimum",
        "fmax",
        "fmin",
        "floor",
        "ceil",
        "trunc",
    ]
)
_CONSTANTS = {
    **{f"math.{name}": getattr(math, name) for name in ("pi", "e", "tau", "inf", "nan")},
    **{f"numpy.{name}": getattr(math, name) for name in ("pi", "e", "inf", "nan")},
}

Environment = dict[str, Lane]


class LaneExpressions:
    """Converts the expressions of one scalar function."""

    def __init__(
        self, names: ModuleNames, scopes: Sequence[Scope], record: Record, number: Kinds, bits: int
    ) -> None:
        """``scopes`` are the function and those around it, ``number`` the types of values from outside.

        Integers from outside have ``bits`` bits.
        """
        self.names = names
        self.record = record
        self._scopes = scopes
        self._outside = number, bits

    def dotted(self, node: ast.expr) -> str | None:
        """The dotted name of a function or constant that the module imports, defines or has built in."""
        base = node
        while isinstance(base, ast.Attribute):
            base = base.value
        if not isinstance(base, ast.Name) or any(self.names.is_local(base.id, each) for each in self._scopes):
            return None
        return self.names.dotted(node, self._scopes[0])

    def inline(self, name: str, arguments: list[Lane], path: Path, call: ast.Call) -> Lane:
        """What a function of the module gives; those that follow calls say how."""
        raise Unconverted("unknown-call", f"`{ast.unparse(call)}` is not followed", call)

    def value(self, node: ast.expr, env: Environment, path: Path) -> Lane:
        """The value of ``node`` in all lanes; ``Unconverted`` where it has no array form."""
        match node:
            case ast.Constant(value=bool() | int() | float() as value):
                return literal(node, value)
            case ast.Name() if node.id in env:
                return env[node.id]
            case ast.Name() | ast.Attribute():
                return self._outer(node)
            case ast.BinOp():
                operands = [self.value(each, env, path) for each in (node.left, node.right)]
                return self._arithmetic(node.op, operands, node, path)
            case ast.UnaryOp(op=ast.Not()):
                return Lane(inverted(self.test(node.operand, env, path)), BOOL, 1)
            case ast.UnaryOp(op=ast.USub() | ast.UAdd()):
                operand = self.value(node.operand, env, path)
                self.record.exact &= not operand.mixed
                return negative(operand, node.op)
            case ast.Compare():
                return self._compare(node, env, path)
            case ast.BoolOp():
                return self._choice(node, env, path)
            case ast.IfExp():
                test = self.test(node.test, env, path)
                left = self.value(node.body, env, (*path, test))
                right = self.value(node.orelse, env, (*path, inverted(test)))
                return joined(left, right, select(test, left.node, right.node))
            case ast.Call():
                return self._call(node, env, path)
        raise Unconverted("no-array-form", f"`{ast.unparse(node)}` has no array form", node)

    def test(self, node: ast.expr, env: Environment, path: Path) -> ast.expr:
        """The truth of ``node`` in all lanes, as an array of bool."""
        match node:
            case ast.UnaryOp(op=ast.Not()):
                return inverted(self.test(node.operand, env, path))
            case ast.BoolOp():
                return self._truth_of(node, env, path)
        lane = self.value(node, env, path)
        if lane.constant is not None:
            raise Unconverted("no-array-form", f"`{ast.unparse(node)}` is the same in every lane", node)
        return truth(lane)

    def _truth_of(self, node: ast.BoolOp, env: Environment, path: Path) -> ast.expr:
        """``and`` and ``or``: the later operands are evaluated where the earlier ones ask for it."""
        made = self.test(node.values[0], env, path)
        for operand in node.values[1:]:
            both = isinstance(node.op, ast.And)
            test = self.test(operand, env, (*path, made if both else inverted(made)))
            made = ast.BinOp(made, ast.BitAnd() if both else ast.BitOr(), test)
        return made

    def _choice(self, node: ast.BoolOp, env: Environment, path: Path) -> Lane:
        """The operand that ``and`` or ``or`` gives."""
        first, *others = node.values
        left = self.value(first, env, path)
        for operand in others:
            test = self._not_constant(left, first)
            stays = isinstance(node.op, ast.Or)
            right = self.value(operand, env, (*path, inverted(test) if stays else test))
            both = (left, right) if stays else (right, left)
            made = select(test, both[0].node, both[1].node)
            if left.kinds == right.kinds == BOOL:
                made = ast.BinOp(left.node, ast.BitOr() if stays else ast.BitAnd(), right.node)
            left = joined(left, right, made)
        return left

    def _not_constant(self, lane: Lane, node: ast.expr) -> ast.expr:
        if lane.constant is not None:
            raise Unconverted("no-array-form", f"`{ast.unparse(node)}` is the same in every lane", node)
        return truth(lane)

    def _compare(self, node: ast.Compare, env: Environment, path: Path) -> Lane:
        """A comparison; of a chain each part is evaluated where the earlier ones hold."""
        left, made = self.value(node.left, env, path), None
        for symbol, operand in zip(node.ops, node.comparators, strict=True):
            if not isinstance(symbol, ast.Lt | ast.LtE | ast.Gt | ast.GtE | ast.Eq | ast.NotEq):
                raise Unconverted("no-array-form", f"`{ast.unparse(node)}` is no comparison of numbers", node)
            right = self.value(operand, env, path if made is None else (*path, made.node))
            if left.constant is not None and right.constant is not None:
                raise Unconverted("no-array-form", f"`{ast.unparse(node)}` compares literals", node)
            part = compared(symbol, left, right)
            both = made and joined(made, part, ast.BinOp(made.node, ast.BitAnd(), part.node))
            left, made = right, both or part
        assert made is not None
        return made

    def _outer(self, node: ast.Name | ast.Attribute) -> Lane:
        """A name from around the function, or a constant of ``math`` and NumPy."""
        dotted = self.dotted(node)
        if dotted in _CONSTANTS:
            short = dotted.rpartition(".")[2]
            return literal(parsed("2 * np.pi" if short == "tau" else f"np.{short}"), _CONSTANTS[dotted])
        own = isinstance(node, ast.Name) and self.names.is_local(node.id, self._scopes[0])
        if dotted is not None or not isinstance(node, ast.Name) or own:
            raise Unconverted("no-array-form", f"`{ast.unparse(node)}` is no number that is always set", node)
        kinds, bits = self._outside
        if node.id in self.record.taken and node.id not in self.record.free:
            raise Unconverted("name-unclear", f"`{node.id}` has two meanings", node)
        self.record.taken.add(node.id)
        return self.record.free.setdefault(node.id, Lane(ast.Name(node.id, ast.Load()), kinds, bits))

    def _arithmetic(self, symbol: ast.operator, operands: list[Lane], place: ast.expr, path: Path) -> Lane:
        left, right = operands
        made, raises = arithmetic(symbol, left, right, place)
        folded = made.constant is not None
        exact = isinstance(symbol, ast.Add | ast.Sub | ast.Div) or not (left.mixed or right.mixed)
        self.record.exact &= folded or (exact and not isinstance(symbol, ast.Pow))
        return self._checked(made, raises, path, "power")

    def _checked(self, lane: Lane, raises: ast.expr | None, path: Path, stem: str) -> Lane:
        """``lane``, with a name of its own where ``raises`` speaks of the result ``r``."""
        if raises is None:
            return lane
        if any(isinstance(each, ast.Name) and each.id == RESULT for each in ast.walk(raises)):
            lane = replace(lane, node=self.record.bound(stem, lane.node))
        self.record.raise_where(path, exchanged(raises, {RESULT: lane.node}))
        return lane

    def _call(self, node: ast.Call, env: Environment, path: Path) -> Lane:
        dotted = self.dotted(node.func) or ""
        if node.keywords or any(isinstance(each, ast.Starred) for each in node.args) or not node.args:
            raise Unconverted("unknown-call", f"`{ast.unparse(node)}` is not followed", node)
        operands = [self.value(each, env, path) for each in node.args]
        count, first = len(operands), operands[0]
        if dotted.startswith(".") and dotted.removeprefix(".") in self.names.definitions:
            return self.inline(dotted.removeprefix("."), operands, path, node)
        match dotted, count:
            case "builtins.abs", 1:
                return absolute(first)
            case "builtins.float", 1:
                return as_float(first)
            case "builtins.bool", 1:
                return Lane(self._not_constant(first, node), BOOL, 1)
            case (("builtins.min" | "builtins.max"), _) if count > 1:
                return self._extreme(operands, ast.Lt() if dotted.endswith("min") else ast.Gt(), node)
            case (("builtins.pow" | "math.pow"), 2):
                made, raises = (
                    arithmetic(ast.Pow(), first, operands[1], node)
                    if dotted == "builtins.pow"
                    else power(as_float(first), as_float(operands[1]), node)
                )
                self.record.exact = False
                return self._checked(made, raises, path, "power")
        if dotted in _INTEGERS and count == 1:
            made, raises = as_integer(_INTEGERS[dotted], first)
            return self._checked(made, raises, path, "whole")
        if dotted.startswith("math."):
            return self._math(dotted.removeprefix("math."), operands, node, path)
        if dotted.startswith("numpy."):
            return self._numpy(dotted, operands, node)
        raise Unconverted("unknown-call", f"`{ast.unparse(node)}` is not followed", node)

    def _extreme(self, operands: list[Lane], symbol: ast.cmpop, node: ast.Call) -> Lane:
        """``min`` and ``max``: the later operand where it is strictly less, which it is not beside nan."""
        made = operands[0]
        for each in operands[1:]:
            if made.constant is not None and each.constant is not None:
                raise Unconverted("no-array-form", f"`{ast.unparse(node)}` compares literals", node)
            test = ast.Compare(each.node, [symbol], [made.node])
            made = joined(made, each, select(test, each.node, made.node))
        return made

    def _math(self, name: str, operands: list[Lane], node: ast.Call, path: Path) -> Lane:
        known = MATH_FUNCTIONS.get(name)
        # NumPy has a remainder of integers of its own, and square roots of truth values in half precision.
        operands = [as_float(each) if name == "fmod" or each.kinds == BOOL else each for each in operands]
        if known is None or len(operands) != 1 + (name in _TWO_OPERANDS):
            raise Unconverted("unknown-call", f"`{ast.unparse(node)}` has no array form", node)
        function, condition = known
        self.record.exact &= name in _EXACT
        parts = dict(zip("xy", (each.node for each in operands), strict=False))
        call = ast.Call(parsed(f"np.{function}"), [each.node for each in operands], [])
        raises = parsed(condition, **parts) if condition is not None else None
        kinds = BOOL if name in _TESTS else FLOAT
        return self._checked(Lane(call, kinds, 0), raises, path, function)

    def _numpy(self, dotted: str, operands: list[Lane], node: ast.Call) -> Lane:
        """A function of NumPy's: the same for a scalar as for an array."""
        found = elementwise(dotted)
        if found is None or found[1].ufunc.nin != len(operands) or BOOL in [each.kinds for each in operands]:
            raise Unconverted("unknown-call", f"`{ast.unparse(node)}` has no array form", node)
        name, entry = found
        self.record.exact &= entry.same_bits
        self.record.bools = False
        kinds = _result_kinds(entry.ufunc, [each.kinds for each in operands])
        if "int" in kinds and name not in _KEEPS_INTEGERS:
            raise NeedsSmaller
        call = ast.Call(parsed(f"np.{dotted.removeprefix('numpy.')}"), [each.node for each in operands], [])
        mixed = any(each.mixed for each in operands) and kinds > FLOAT
        return Lane(call, kinds, max(each.bits for each in operands), numpy=True, mixed=mixed)


def _result_kinds(ufunc: np.ufunc, operands: Sequence[Kinds]) -> Kinds:
    """What a function gives for Python numbers of these types, over all combinations."""
    kinds: set[Kind] = set()
    for combination in itertools.product(*operands):
        dtypes = [np.dtype(float if kind == "float" else int) for kind in combination]
        try:
            kind = kind_of(ufunc.resolve_dtypes((*dtypes, *(None,) * ufunc.nout))[-1])
        except TypeError as error:
            raise NeedsSmaller from error
        if kind is not None:
            kinds.add(kind)
    return frozenset(kinds)

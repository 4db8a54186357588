"""A scalar function's expressions as array expressions, under the tests that lead to them."""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from nprewrite.base.syntax import names_in
from nprewrite.emit.branches.values import (
    BOOL,
    FLOAT,
    RESULT,
    Kinds,
    Lane,
    NeedsSmaller,
    Path,
    Record,
    Unconverted,
    absolute,
    arithmetic,
    as_float,
    as_integer,
    compared,
    exchanged,
    inverted,
    joined,
    literal,
    negative,
    parsed,
    power,
    select,
    truth,
)
from nprewrite.numpy_api.elementwise import elementwise
from nprewrite.numpy_api.python import MathFunction, math_function, python_function
from nprewrite.source.names import ModuleNames, Scope
from nprewrite.types.values import Kind, kind_of

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
        """The value of a call of a function of the module; subclasses that follow calls override this."""
        raise Unconverted("unknown-call", f"`{ast.unparse(call)}` is not supported", call)

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
        """``and`` and ``or``, whose later operands are evaluated where the earlier ones do not decide."""
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
        """A comparison; in a chain, each part is evaluated only where the earlier ones hold."""
        left, made = self.value(node.left, env, path), None
        for symbol, operand in zip(node.ops, node.comparators, strict=True):
            if not isinstance(symbol, ast.Lt | ast.LtE | ast.Gt | ast.GtE | ast.Eq | ast.NotEq):
                raise Unconverted(
                    "no-array-form", f"`{ast.unparse(node)}` is not a comparison of numbers", node
                )
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
            raise Unconverted(
                "no-array-form", f"`{ast.unparse(node)}` is not a number that is always set", node
            )
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
        """``lane``, with a name of its own where ``raises`` mentions the result ``r``."""
        if raises is None:
            return lane
        if RESULT in names_in(raises):
            lane = replace(lane, node=self.record.bound(stem, lane.node))
        self.record.raise_where(path, exchanged(raises, {RESULT: lane.node}))
        return lane

    def _call(self, node: ast.Call, env: Environment, path: Path) -> Lane:
        dotted = self.dotted(node.func) or ""
        if node.keywords or any(isinstance(each, ast.Starred) for each in node.args) or not node.args:
            raise Unconverted("unknown-call", f"`{ast.unparse(node)}` is not supported", node)
        operands = [self.value(each, env, path) for each in node.args]
        count, first = len(operands), operands[0]
        if dotted.startswith(".") and dotted.removeprefix(".") in self.names.definitions:
            return self.inline(dotted.removeprefix("."), operands, path, node)
        builtin, of_math = python_function(dotted), math_function(dotted)
        match builtin.computes if builtin is not None else "", count:
            case "magnitude", 1:
                return absolute(first)
            case "real", 1:
                return as_float(first)
            case "truth", 1:
                return Lane(self._not_constant(first, node), BOOL, 1)
            case ("least" | "greatest" as kind, _) if count > 1:
                return self._extreme(operands, ast.Lt() if kind == "least" else ast.Gt(), node)
            case "integer", 1:
                return self._checked(*as_integer("trunc", first), path, "whole")
            case "nearest", 1:
                return self._checked(*as_integer("rint", first), path, "whole")
            case "power", 2:
                self.record.exact = False
                return self._checked(*arithmetic(ast.Pow(), first, operands[1], node), path, "power")
        if dotted == "math.pow" and count == 2:
            self.record.exact = False
            return self._checked(*power(as_float(first), as_float(operands[1]), node), path, "power")
        if of_math is not None and of_math.gives == "int" and count == 1:
            return self._checked(*as_integer(of_math.twin, first), path, "whole")
        if of_math is not None and of_math.lanes and count == of_math.arguments:
            return self._math(of_math, operands, path)
        if dotted.startswith("numpy."):
            return self._numpy(dotted, operands, node)
        raise Unconverted("unknown-call", f"`{ast.unparse(node)}` is not supported", node)

    def _extreme(self, operands: list[Lane], symbol: ast.cmpop, node: ast.Call) -> Lane:
        """``min`` and ``max``: the later operand where it is strictly less or greater, as nan never is."""
        made = operands[0]
        for each in operands[1:]:
            if made.constant is not None and each.constant is not None:
                raise Unconverted("no-array-form", f"`{ast.unparse(node)}` compares literals", node)
            test = ast.Compare(each.node, [symbol], [made.node])
            made = joined(made, each, select(test, each.node, made.node))
        return made

    def _math(self, known: MathFunction, operands: list[Lane], path: Path) -> Lane:
        # NumPy computes remainders of integers in another way, and square roots of booleans in half
        # precision.
        whole = known.twin == "fmod"
        operands = [as_float(each) if whole or each.kinds == BOOL else each for each in operands]
        self.record.exact &= known.exact
        parts = dict(zip("xy", (each.node for each in operands), strict=False))
        call = ast.Call(parsed(f"np.{known.twin}"), [each.node for each in operands], [])
        raises = parsed(known.raises, **parts) if known.raises else None
        kinds = BOOL if known.gives == "bool" else FLOAT
        return self._checked(Lane(call, kinds, 0), raises, path, known.twin)

    def _numpy(self, dotted: str, operands: list[Lane], node: ast.Call) -> Lane:
        """A NumPy function, which is the same for scalars and for arrays."""
        found = elementwise(dotted)
        if found is None or found[1].ufunc.nin != len(operands) or BOOL in [each.kinds for each in operands]:
            raise Unconverted("unknown-call", f"`{ast.unparse(node)}` has no array form", node)
        entry = found[1]
        self.record.exact &= entry.same_bits
        self.record.bools = False
        kinds = _result_kinds(entry.ufunc, [each.kinds for each in operands])
        if "int" in kinds and not entry.keeps_integers:
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

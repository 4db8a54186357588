"""The expressions of a function in single precision: where a cast, or another dtype, has to be written.

Every expression that NumPy computes in float64 or complex128 becomes one of float32 or complex64. Types are
found from the operands up: where float32 operands give float32 by NumPy's own rules nothing is written;
integers next to them are cast, and what would still be in double precision is cast as a whole.

The memory of some names stays in double precision: those that the user names, arrays of the caller that are
stored into, globals, attributes, and numbers that a loop adds to. Reads of them are cast. What is computed
for the user's names is computed as written (``wide``), where reads of all others are cast.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from nprewrite.analysis.caller_arrays import caller_arrays, root
from nprewrite.base.syntax import children, name_nodes
from nprewrite.numpy_api.attributes import ATTRIBUTES, is_of_layout
from nprewrite.program.function import Function
from nprewrite.regions.nests.scalar_sums import scalar_sums
from nprewrite.source.edits import NodeEdit, Replace, Wrap
from nprewrite.source.names import EXPRESSION_SCOPES
from nprewrite.source.nodes import expression
from nprewrite.types.precision import Precision
from nprewrite.types.problems import ProblemError
from nprewrite.types.single_precision import holds_double, in_single, is_double, same_type, single
from nprewrite.types.values import Array, DtypeValue, Items, Scalar, ShapeOf, Unknown, Value

_VIEWS = frozenset(["T", "real", "imag"])
_RANGE = np.finfo(np.float32)


Natural = Callable[[list[Value]], Value]
"""Gives NumPy's result for operands of given types."""


class NotNarrowed(ProblemError):
    """An expression cannot be computed in single precision."""


class Narrowing:
    """Edits for the expressions of one function; a subclass adds calls."""

    def __init__(self, function: Function, precision: Precision) -> None:
        self.function = function
        self.precision = precision
        self.numpy = function.names.numpy_name(function.node)
        self.callers = caller_arrays(function)
        self.sums = scalar_sums(function) if precision.accumulate == "float64" else frozenset()
        self.copies: dict[str, str] = {}
        """The names of single-precision copies, by the parameter that stays in double precision."""
        self.copied: set[str] = set()
        """The parameters whose copies are read."""

    def value(self, node: ast.expr) -> Value:
        """What the expression is as written."""
        return self.function.facts.value(node)

    def keeps(self, name: str) -> bool:
        """Whether the memory behind a name stays in double precision."""
        named = name in self.precision.keep_float64 or name in self.callers or name in self.sums
        return named or not self.function.is_local(name) or self.function.is_shared(name)

    def reads_double(self, node: ast.expr) -> bool:
        """Whether an expression is a name whose memory stays in double precision, or a part of it."""
        base = root(node)
        return isinstance(base, ast.Attribute) or (isinstance(base, ast.Name) and self.keeps(base.id))

    def is_named(self, node: ast.expr) -> bool:
        """Whether an expression is one of the user's names for double precision, or a part of it."""
        base = root(node)
        return isinstance(base, ast.Name) and base.id in self.precision.keep_float64

    def narrow(self, node: ast.expr) -> Value:
        """What the expression is in single precision."""
        return in_single(self.value(node))

    def expression(self, node: ast.expr, wide: bool = False, cast: bool = False) -> list[NodeEdit]:
        """The edits inside an expression.

        ``wide`` asks for double precision; ``cast`` means that the text casts the result itself.
        """
        match node:
            case ast.Constant():
                self._check_constant(node, wide)
                return []
            case ast.Name() | ast.Attribute() | ast.Subscript():
                return self._read(node, wide, cast)
            case ast.BinOp():
                operator = type(node.op).__name__
                return self.operation(
                    node, [node.left, node.right], lambda known: self._binary(operator, known), wide, cast
                )
            case ast.Call():
                return self.call(node, wide, cast)
            case ast.Compare(ops=[ast.Is() | ast.IsNot()]):
                return []
            case ast.Compare():
                compared = [node.left, *node.comparators]
                self._check_known(node, compared)
                return self.each(compared, wide or any(map(self.is_named, compared)))
            case ast.UnaryOp() | ast.BoolOp() | ast.IfExp() | ast.Tuple() | ast.List() | ast.Starred():
                return self.each(_children(node), wide)
            case ast.Slice():
                return self.each(_children(node), wide)
            case ast.Dict():
                return self.each([each for each in (*node.keys, *node.values) if each is not None], wide)
        self._check_untouched(node)
        return []

    def each(self, nodes: Sequence[ast.expr], wide: bool) -> list[NodeEdit]:
        """The edits of several expressions."""
        return [edit for node in nodes for edit in self.expression(node, wide)]

    def call(self, node: ast.Call, wide: bool, cast: bool) -> list[NodeEdit]:
        """The edits of a call."""
        raise NotImplementedError

    def operation(
        self, node: ast.expr, operands: Sequence[ast.expr], natural: Natural, wide: bool, cast: bool
    ) -> list[NodeEdit]:
        """The edits of an operation whose dtype, given by ``natural``, follows from its operands."""
        edits = [self.expression(each, wide) for each in operands]
        plain = [edit for found in edits for edit in found]
        self._check_known(node, operands)
        value = self.value(node)
        if wide or not is_double(value):
            return plain
        wanted = in_single(value)
        known = [self.narrow(each) for each in operands]
        if cast or same_type(natural(known), wanted):
            return plain
        kinds = [_kind(each) for each in known]
        floats = "f" in kinds or "c" in kinds
        integers = [number for number, kind in enumerate(kinds) if floats and kind in {"b", "i", "u"}]
        for number in integers:
            edits[number].append(self.cast(operands[number], known[number], np.dtype("f4")))
            known[number] = _as_float32(known[number])
        if integers and same_type(natural(known), wanted):
            return [edit for found in edits for edit in found]
        return self.narrowed(node, plain)

    def narrowed(self, node: ast.expr, edits: list[NodeEdit]) -> list[NodeEdit]:
        """The result of an expression cast to single precision."""
        value = self.value(node)
        assert isinstance(value, Array | Scalar)
        assert value.dtype is not None
        return [*edits, self.cast(node, value, single(value.dtype))]

    def cast(self, node: ast.expr, value: Value, dtype: np.dtype[Any]) -> Wrap:
        """``x.astype(np.float32)``, or ``np.float32(x)`` for a number that is not an array."""
        number = isinstance(value, Scalar) and not value.of_array
        template = "{np}.{dtype}({made})" if number else "{made}.astype({np}.{dtype})"
        return Wrap(node, lambda made: expression(template, np=self.numpy, dtype=str(dtype), made=made))

    def raw(self, node: ast.expr) -> list[NodeEdit]:
        """The edits of an expression that stands for memory, in which only indices are computed."""
        edits: list[NodeEdit] = []
        while isinstance(node, ast.Subscript | ast.Attribute):
            if isinstance(node, ast.Subscript):
                edits += self.expression(node.slice)
            node = node.value
        return edits if isinstance(node, ast.Name) else edits + self.expression(node)

    def _read(self, node: ast.Name | ast.Attribute | ast.Subscript, wide: bool, cast: bool) -> list[NodeEdit]:
        value = self.value(node)
        if isinstance(node, ast.Attribute) and is_of_layout(node.attr) and not ATTRIBUTES[node.attr].in_bytes:
            return self.raw(node.value)
        if isinstance(value, DtypeValue) or self.function.dotted(node) is not None:
            return []
        if (
            isinstance(node, ast.Attribute)
            and holds_double(self.value(node.value))
            and node.attr not in _VIEWS
        ):
            raise NotNarrowed("unknown-call", f"`{ast.unparse(node)}` depends on the dtype", node)
        base = root(node)
        named = isinstance(base, ast.Name) or (
            isinstance(base, ast.Attribute) and is_double(self.value(base))
        )
        edits = self.raw(node)
        if isinstance(base, ast.Name) and base.id in self.copies:
            if wide or cast:
                return edits
            self.copied.add(base.id)
            return [Replace(base, (expression(self.copies[base.id]),)), *edits]
        if isinstance(node, ast.Subscript) and self._is_grid(node):
            self._check_known(node, [])
            return self.narrowed(node, edits) if is_double(value) and not (wide or cast) else edits
        if not is_double(value):
            return edits
        kept = self.reads_double(node) if named else not isinstance(self.value(base), Array)
        if kept and not (wide or cast):
            return self.narrowed(node, edits)
        if wide and not kept:
            assert isinstance(value, Array | Scalar)
            assert value.dtype is not None
            return [*edits, self.cast(node, value, value.dtype)]
        return edits

    def _is_grid(self, node: ast.Subscript) -> bool:
        """Whether it is ``np.mgrid[...]`` or ``np.ogrid[...]``."""
        dotted = self.function.dotted(node.value) or ""
        if dotted.startswith("numpy.") and isinstance(self.value(node), Items | Unknown):
            raise NotNarrowed(
                "dtype-unknown", f"the types that `{ast.unparse(node)}` gives are not known", node
            )
        return dotted.startswith("numpy.")

    def _binary(self, operator: str, operands: list[Value]) -> Value:
        return self.function.facts.expressions.binary(operator, operands)

    def _check_constant(self, node: ast.Constant, wide: bool) -> None:
        value = node.value
        if wide or not isinstance(value, float | complex) or value == 0 or not np.isfinite(value):
            return
        parts = [abs(each) for each in (complex(value).real, complex(value).imag) if each]
        # NumPy compares in float32, and would warn of what is out of its range.
        with np.errstate(over="ignore"):
            fits = all(_RANGE.tiny <= each <= _RANGE.max for each in parts)
        if not fits:
            message = f"{value!r} is out of the range of float32"
            raise NotNarrowed("value-out-of-range", message, node)

    def _check_known(self, node: ast.expr, operands: Sequence[ast.expr]) -> None:
        """Refuse an operation whose result does not follow from the types of its operands."""
        value = self.value(node)
        if not isinstance(value, Unknown):
            return
        known = [self.value(each) for each in operands]
        sequences = all(isinstance(each, ShapeOf | Items) for each in known)
        numbers = all(isinstance(each, Scalar) and each.dtype is None for each in known)
        texts = any(isinstance(each, ast.JoinedStr) or _is_text(each) for each in operands)
        if known and (sequences or numbers or texts) and not any(map(holds_double, known)):
            return
        raise NotNarrowed("dtype-unknown", f"`{ast.unparse(node)}`: {value.because}", node, value.parameter)

    def _check_untouched(self, node: ast.expr) -> None:
        """Refuse what is evaluated in another scope, or at another time, from values of the function."""
        arrays = [each for each in name_nodes(node) if self._may_be_double(each.id)]
        if arrays and not isinstance(node, ast.JoinedStr):
            kind = "a comprehension or function" if isinstance(node, EXPRESSION_SCOPES) else "an expression"
            message = f"{kind} that uses `{arrays[0].id}` is not supported"
            raise NotNarrowed("closure", message, node)

    def _may_be_double(self, name: str) -> bool:
        """Whether a local name is anywhere an array or a scalar of double precision."""
        values = self.function.facts.expressions.values.items()
        return any(
            isinstance(node, ast.Name) and node.id == name and is_double(value) for node, value in values
        )


def _kind(value: Value) -> str:
    """The kind of a dtype (``f``, ``c``, ``i``), and of a Python number that may promote integers."""
    if isinstance(value, Array):
        return value.dtype.kind
    if isinstance(value, Scalar) and value.dtype is not None:
        return value.dtype.kind
    return value.kind[0] if isinstance(value, Scalar) and value.kind in ("float", "complex") else ""


def _as_float32(value: Value) -> Value:
    assert isinstance(value, Array | Scalar)
    if isinstance(value, Scalar):
        return replace(value, kind="float", dtype=np.dtype("f4"), constant=None)
    return replace(value, dtype=np.dtype("f4"))


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _children(node: ast.AST) -> list[ast.expr]:
    return [each for each in children(node) if isinstance(each, ast.expr)]

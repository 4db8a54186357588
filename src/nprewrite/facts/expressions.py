"""What is known of one expression, given what is known of the names in it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nprewrite.facts import constructors
from nprewrite.facts.numpy_table import OPERATORS, REDUCTIONS, elementwise
from nprewrite.facts.values import (
    Array,
    DtypeValue,
    Items,
    Kind,
    Scalar,
    Shape,
    ShapeOf,
    Unknown,
    Value,
    broadcast,
    constant,
    join,
    kind_of,
)
from nprewrite.syntax.names import ModuleNames, Scope

_KINDS: tuple[Kind, ...] = ("bool", "int", "float", "complex")
_PROBE: dict[str, Any] = {"bool": True, "int": 0, "float": 0.0, "complex": 0j}


@dataclass(frozen=True)
class MaskedAccess:
    """``x[m]`` with a boolean array ``m``, read or stored."""

    array: Array
    mask: Array
    key: str


class Expressions:
    """Evaluates expressions to what is known of them, and keeps the answers by node."""

    def __init__(
        self,
        names: ModuleNames,
        scope: Scope,
        module_values: Mapping[str, Value],
        call: Callable[[str, list[Value]], Value] | None = None,
    ) -> None:
        """``call`` gives what a function of the module returns for these arguments."""
        self.names = names
        self.scope = scope
        self.values: dict[ast.expr, Value] = {}
        self.loops: dict[ast.expr, tuple[np.dtype[Any], ...]] = {}
        self.masked: dict[ast.Subscript, MaskedAccess] = {}
        self._module_values = module_values
        self._call_own = call
        self._versions: dict[str, int] = {}
        self._clock = 0

    def changed(self, name: str) -> None:
        """Note that ``name`` was bound or its array stored into: masks that mention it are new ones."""
        self._clock += 1
        self._versions[name] = self._clock

    def evaluate(self, node: ast.expr, environment: Mapping[str, Value]) -> Value:
        """What is known of ``node``; the answer is also kept in ``values``."""
        value = self._evaluate(node, environment)
        self.values[node] = value
        return value

    def element(self, node: ast.expr, environment: Mapping[str, Value]) -> Value:
        """What one element of the iterable ``node`` is."""
        self.evaluate(node, environment)
        if isinstance(node, ast.Call):
            for argument in node.args:
                self.evaluate(argument, environment)
            if self.is_range(node):
                return Scalar("int", symbol=f"element@{node.lineno}:{node.col_offset}")
        return Unknown("the loop is not over range(...)")

    def is_range(self, call: ast.Call) -> bool:
        """Whether a call is ``range(...)``, the builtin."""
        return self.names.dotted(call.func, self.scope) == "builtins.range"

    def _evaluate(self, node: ast.expr, env: Mapping[str, Value]) -> Value:
        match node:
            case ast.Constant():
                named = constructors.dtype_of(None, node)
                return DtypeValue(named) if named is not None else constant(node.value)
            case ast.Name():
                return self._name(node, env)
            case ast.Tuple() | ast.List():
                return Items(tuple(self.evaluate(element, env) for element in node.elts))
            case ast.BinOp():
                operands = [self.evaluate(node.left, env), self.evaluate(node.right, env)]
                return self.binary(type(node.op).__name__, operands, node)
            case ast.UnaryOp():
                return self._unary(node, self.evaluate(node.operand, env))
            case ast.Compare():
                return self._compare(
                    node, [self.evaluate(each, env) for each in (node.left, *node.comparators)]
                )
            case ast.BoolOp():
                values = [self.evaluate(each, env) for each in node.values]
                return _first_unknown(values) or (
                    values[0]
                    if all(v == values[0] for v in values)
                    else Unknown("`and`/`or` of different types")
                )
            case ast.IfExp():
                self.evaluate(node.test, env)
                return join(self.evaluate(node.body, env), self.evaluate(node.orelse, env))
            case ast.Attribute():
                return self._attribute(node, env)
            case ast.Subscript():
                return self.evaluate_subscript(node, env)
            case ast.Call():
                return self._call(node, env)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.evaluate(child, env)
        return Unknown(f"a {type(node).__name__} expression is not followed")

    def _name(self, node: ast.Name, env: Mapping[str, Value]) -> Value:
        if node.id in env:
            known = env[node.id]
            return replace(known, fresh=False) if isinstance(known, Array) else known
        if self.names.binding(node.id, self.scope) in {"assignment"} and node.id in self._module_values:
            return self._module_values[node.id]
        dtype = constructors.dtype_named(self.names.dotted(node, self.scope))
        return DtypeValue(dtype) if dtype is not None else Unknown(f"nothing is known of `{node.id}`")

    def binary(self, operator: str, operands: Sequence[Value], node: ast.expr | None = None) -> Value:
        """The value of ``left operator right``."""
        if operator == "MatMult":
            return Unknown("a matrix product is not elementwise")
        weak = [each for each in operands if isinstance(each, Scalar) and each.dtype is None]
        if len(weak) == 2:
            return _python_arithmetic(operator, weak[0], weak[1])
        if all(isinstance(each, ShapeOf | Items) for each in operands):
            return Unknown("an operation on sequences")
        name = OPERATORS.get(operator)
        if name is None:
            return Unknown(f"operator {operator} is not elementwise")
        return self.apply(f"numpy.{name}", operands, node)

    def apply(self, function: str, operands: Sequence[Value], node: ast.expr | None = None) -> Value:
        """The value of an elementwise function of ``operands``."""
        found = elementwise(function)
        unknown = _first_unknown(operands)
        if unknown is not None or found is None:
            return unknown or Unknown(f"`{function}` is not an elementwise function")
        ufunc = found[1].ufunc
        if len(operands) != ufunc.nin or not all(isinstance(each, Array | Scalar) for each in operands):
            return Unknown(f"`{function}` of these operands is not followed")
        try:
            kinds = [each.dtype if isinstance(each, Array) else each.operand for each in operands]  # type: ignore[union-attr]
            dtypes = ufunc.resolve_dtypes((*kinds, *(None,) * ufunc.nout))
        except TypeError:
            return Unknown(f"`{function}` raises TypeError for these types")
        if node is not None:
            self.loops[node] = dtypes
        return _combined(dtypes[-1], operands, node)

    def _unary(self, node: ast.UnaryOp, operand: Value) -> Value:
        if isinstance(node.op, ast.Not):
            return Scalar("bool") if isinstance(operand, Scalar) else Unknown("`not` of an array")
        if isinstance(operand, Scalar) and operand.dtype is None:
            negated = isinstance(node.op, ast.USub) and operand.constant is not None
            value = -operand.constant if negated and operand.constant is not None else None
            kind: Kind = "int" if operand.kind == "bool" else operand.kind
            return Scalar(kind, constant=value, proven=operand.proven)
        return self.apply(f"numpy.{OPERATORS[type(node.op).__name__]}", [operand], node)

    def _compare(self, node: ast.Compare, operands: list[Value]) -> Value:
        unknown = _first_unknown(operands)
        if unknown is not None:
            return replace(unknown, comparison=True)
        if all(isinstance(each, Scalar) and each.dtype is None for each in operands):
            return Scalar("bool")
        name = OPERATORS.get(type(node.ops[0]).__name__)
        if len(node.ops) > 1 or name is None:
            return Unknown("a chained comparison of arrays has no truth value")
        return self.apply(f"numpy.{name}", operands, node)

    def _attribute(self, node: ast.Attribute, env: Mapping[str, Value]) -> Value:
        dotted = self.names.dotted(node, self.scope)
        if dotted is not None:
            dtype = constructors.dtype_named(dotted)
            if dtype is not None:
                return DtypeValue(dtype)
            number = getattr(np, dotted.removeprefix("numpy."), None) if dotted.startswith("numpy.") else None
            if dotted in {"math.pi", "math.e", "math.inf", "math.nan", "math.tau"}:
                return Scalar("float")
            return Scalar("float", constant=number) if type(number) is float else Unknown(f"`{dotted}`")
        value = self.evaluate(node.value, env)
        if not isinstance(value, Array):
            return value if isinstance(value, Unknown) else Unknown(f"attribute `{node.attr}`")
        real = np.dtype(value.dtype.type(0).real.dtype) if value.dtype.kind == "c" else value.dtype
        reverse = value.shape[::-1] if isinstance(value.shape, tuple) else None
        answers: dict[str, Value] = {
            "shape": ShapeOf(value.shape) if value.shape is not None else Unknown("the shape is not known"),
            "dtype": DtypeValue(value.dtype),
            "real": replace(value, dtype=real, fresh=False),
            "imag": replace(value, dtype=real, fresh=False),
            "T": replace(value, shape=reverse, fresh=False),
            "size": Scalar("int"),
            "ndim": Scalar("int"),
        }
        return answers.get(node.attr, Unknown(f"attribute `{node.attr}` of an array"))

    def evaluate_subscript(self, node: ast.Subscript, env: Mapping[str, Value]) -> Value:
        """``x[...]``, read or stored; masked accesses are noted in ``masked``."""
        base = self.evaluate(node.value, env)
        index = self.evaluate(node.slice, env) if not isinstance(node.slice, ast.Slice) else None
        value = self._subscript(node, base, index)
        if isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name):
            self.changed(node.value.id)
        self.values[node] = value
        return value

    def _subscript(self, node: ast.Subscript, base: Value, index: Value | None) -> Value:
        if isinstance(base, ShapeOf):
            return Scalar("int", symbol=f"{base.shape}[{ast.unparse(node.slice)}]")
        if not isinstance(base, Array):
            return base if isinstance(base, Unknown) else Unknown("a subscript of something not an array")
        if isinstance(index, Array) and index.dtype == np.bool_:
            key = self._mask_key(node.slice)
            self.masked[node] = MaskedAccess(base, index, key)
            return Array(base.dtype, f"active({key})", under=key, fresh=True, assumed=base.assumed)
        if isinstance(index, Unknown) and not isinstance(node.slice, ast.Tuple | ast.Constant):
            return index
        return constructors.basic_index(node, base, self.values)

    def _mask_key(self, node: ast.expr) -> str:
        names = sorted({each.id for each in ast.walk(node) if isinstance(each, ast.Name)})
        versions = ",".join(f"{name}:{self._versions.get(name, 0)}" for name in names)
        return f"{ast.unparse(node)} ({versions})"

    def _call(self, node: ast.Call, env: Mapping[str, Value]) -> Value:
        arguments = [self.evaluate(each, env) for each in node.args]
        keywords = {each.arg: self.evaluate(each.value, env) for each in node.keywords}
        dotted = self.names.dotted(node.func, self.scope)
        if dotted is None and isinstance(node.func, ast.Attribute):
            return self._method(node, self.evaluate(node.func.value, env), arguments, keywords)
        if dotted is None or any(isinstance(each, ast.Starred) for each in node.args) or None in keywords:
            return Unknown(f"nothing is known of `{ast.unparse(node.func)}(...)`")
        if dotted.startswith(".") and self._call_own is not None and not keywords:
            return self._call_own(dotted.removeprefix("."), arguments)
        if elementwise(dotted) and not keywords:
            weak = all(isinstance(each, Scalar) and each.dtype is None for each in arguments)
            if dotted == "builtins.abs" and weak and len(arguments) == 1:
                return Scalar("float" if arguments[0].kind == "complex" else arguments[0].kind)  # type: ignore[union-attr]
            return self.apply(dotted, arguments, node)
        if dotted == "numpy.where" and len(arguments) == 3 and not keywords:
            return self._where(arguments, node)
        short = dotted.removeprefix("numpy.")
        if dotted.startswith("numpy.") and short in REDUCTIONS and arguments:
            return self._reduction(short, arguments[0], len(arguments) > 1 or bool(keywords))
        if short in {"real", "imag"} and dotted.startswith("numpy.") and isinstance(arguments[0], Array):
            kept = arguments[0]
            real = np.dtype(kept.dtype.type(0).real.dtype) if kept.dtype.kind == "c" else kept.dtype
            return replace(kept, dtype=real, fresh=False)
        position = f"@{node.lineno}:{node.col_offset}"
        return constructors.construct(dotted, arguments, {k: v for k, v in keywords.items() if k}, position)

    def _method(
        self, node: ast.Call, value: Value, arguments: list[Value], keywords: Mapping[str | None, Value]
    ) -> Value:
        assert isinstance(node.func, ast.Attribute)
        method = node.func.attr
        if not isinstance(value, Array):
            return value if isinstance(value, Unknown) else Unknown(f"method `{method}`")
        if method in REDUCTIONS:
            return self._reduction(method, value, bool(arguments or keywords))
        no_arguments: dict[str, Callable[[], Value]] = {
            "copy": lambda: replace(value, fresh=True),
            "conj": lambda: replace(value, fresh=True),
            "conjugate": lambda: replace(value, fresh=True),
        }
        if method in no_arguments and not arguments and not keywords:
            return no_arguments[method]()
        if method == "reshape" and arguments and not keywords:
            asked = arguments[0] if len(arguments) == 1 else Items(tuple(arguments))
            return self._reshaped(node, value, asked)
        if method == "astype" and len(arguments) == 1 and not keywords:
            dtype = constructors.dtype_of(arguments[0], node.args[0])
            return (
                replace(value, dtype=dtype, fresh=True)
                if dtype is not None
                else Unknown("the dtype of astype")
            )
        return Unknown(f"method `{method}` of an array is not followed")

    def _reshaped(self, node: ast.Call, value: Array, asked: Value) -> Value:
        shape = constructors.shape_of(asked, f"@{node.lineno}:{node.col_offset}")
        if isinstance(shape, tuple):
            shape = tuple(f"rest@{node.lineno}:{node.col_offset}" if each == -1 else each for each in shape)
        return replace(value, shape=shape)

    def _reduction(self, name: str, value: Value, with_arguments: bool) -> Value:
        if not isinstance(value, Array):
            return value if isinstance(value, Unknown) else Unknown(f"`{name}` of something not an array")
        if with_arguments:
            return Unknown(f"`{name}` with an axis or other arguments")
        result = getattr(np, name)(np.ones(1, value.dtype))
        kind = kind_of(np.asarray(result).dtype)
        if kind is None:
            return Unknown(f"`{name}` of dtype {value.dtype}")
        return Scalar(kind, result.dtype if isinstance(result, np.generic) else None)

    def _where(self, operands: list[Value], node: ast.expr) -> Value:
        unknown = _first_unknown(operands)
        if unknown is not None or not all(isinstance(each, Array | Scalar) for each in operands):
            return unknown or Unknown("`np.where` of these operands")
        probes = [
            each.dtype if each.dtype is not None else _PROBE[each.kind]  # type: ignore[union-attr]
            for each in operands[1:]
        ]
        dtype = np.result_type(*probes)
        self.loops[node] = (np.dtype(bool), dtype, dtype, dtype)
        return _combined(dtype, operands, node)


def _first_unknown(values: Sequence[Value]) -> Unknown | None:
    unknown = [each for each in values if isinstance(each, Unknown)]
    return next((each for each in unknown if each.parameter), unknown[0] if unknown else None)


def _combined(dtype: np.dtype[Any], operands: Sequence[Value], node: ast.expr | None) -> Value:
    """The result of an elementwise operation: broadcast shape, one common mask."""
    arrays = [each for each in operands if isinstance(each, Array)]
    kind = kind_of(dtype)
    if kind is None:
        return Unknown(f"dtype {dtype} is not numeric")
    if not arrays:
        return Scalar(kind, dtype)
    masks = {each.under for each in arrays}
    if len(masks) > 1:
        return Unknown("elements selected by a mask meet elements that are not selected by the same mask")
    shape: Shape | None = arrays[0].shape
    for each in arrays[1:]:
        shape = broadcast(shape, each.shape)
    assumed = any(each.assumed for each in arrays)
    return Array(dtype, shape, under=masks.pop(), fresh=True, assumed=assumed)


def _python_arithmetic(operator: str, left: Scalar, right: Scalar) -> Value:
    """The type of an operation on two Python numbers."""
    proven = left.proven and right.proven
    order = max(_KINDS.index(left.kind), _KINDS.index(right.kind), 1)
    kind = _KINDS[order]
    if operator == "Div" and kind == "int":
        kind = "float"
    if operator == "Pow" and kind == "int":
        natural = type(right.constant) is int and right.constant >= 0
        return Scalar("int", proven=proven) if natural else Unknown("an integer power of unknown sign")
    if operator == "Pow" and kind == "float" and type(right.constant) is not int:
        return Unknown("a float power may be complex")
    if operator in {"Add", "Sub", "Mult", "Div", "Pow", "FloorDiv", "Mod"}:
        folded = _folded(operator, left, right)
        return Scalar(kind, proven=proven, constant=folded)
    return Scalar("int", proven=proven) if kind == "int" else Unknown(f"operator {operator} of these numbers")


def _folded(operator: str, left: Scalar, right: Scalar) -> int | float | complex | None:
    """The exact value of ``2 * 3``: folded for the three operators that cannot raise."""
    if left.constant is None or right.constant is None or isinstance(left.constant, bool):
        return None
    match operator:
        case "Add":
            return left.constant + right.constant
        case "Sub":
            return left.constant - right.constant
        case "Mult":
            return left.constant * right.constant
    return None

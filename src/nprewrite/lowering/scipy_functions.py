"""SciPy's functions in lowered code: special functions of a number, and the normal distribution."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from nprewrite.lowering import operators
from nprewrite.lowering.numbers import NUMPY, Number
from nprewrite.lowering.plans import Plan, apply
from nprewrite.lowering.problems import Event, NotNative, not_followed
from nprewrite.lowering.values import Code, Value
from nprewrite.numpy_api.scipy import DENSITIES, NORMAL, of_normal, special_function

_FLOAT64 = NUMPY["float64"]
_PARAMETERS = ("x", "loc", "scale")


def arguments_of(dotted: str, node: ast.Call) -> list[ast.expr]:
    """The arguments in their order, also those given by name; raises ``NotNative`` for others."""
    parameters = _PARAMETERS if of_normal(dotted) else _PARAMETERS[:1]
    given: Mapping[str | None, ast.expr] = {each.arg: each.value for each in node.keywords}
    rest = parameters[len(node.args) :]
    starred = any(isinstance(each, ast.Starred) for each in node.args)
    if starred or not {*given} <= {*rest} or not node.args or len(node.args) > len(parameters):
        raise not_followed(node)
    found = [*node.args]
    for position, name in enumerate(rest):
        if name in given:
            found.append(given[name])
        elif not {*rest[position + 1 :]}.isdisjoint(given):
            found.append(ast.copy_location(ast.Constant(0), node))
    return found


def call(code: Code, dotted: str, values: Sequence[Value], node: ast.Call) -> Value | None:
    """The value of ``dotted(*values)``; None for other functions."""
    record = special_function(dotted)
    if record is not None and record.native and len(values) == 1:
        return _computed(code, record.native, values[0], node, positive=record.positive)
    method = of_normal(dotted)
    return _of_normal(code, method, values, node) if method else None


def _computed(code: Code, function: str, value: Value, node: ast.Call, *, positive: bool = False) -> Value:
    code.rounds = True

    def rule(number: Number) -> Plan:
        # SciPy computes other integers, and narrower floats, in narrower floats.
        if number.dtype not in (np.float64, np.int64):
            raise NotNative("dtype-unsupported", f"`{ast.unparse(node)}` is of {number}", node)
        return Plan(_FLOAT64, (_FLOAT64.dtype,), write, (function,))

    def write(code: Code, texts: Sequence[str]) -> str:
        if positive:
            code.end_if(f"{texts[0]} <= 0.0", Event.REPLAY)
        return f"np.float64({function}({texts[0]}))"

    return apply(code, (value,), rule, None)


def _of_normal(code: Code, method: str, values: Sequence[Value], node: ast.Call) -> Value:
    """A method of ``scipy.stats.norm``, for a mean and a deviation."""
    value, *parameters = values

    def combined(kind: Callable[[], ast.operator], one: Value, other: Value) -> Value:
        return operators.binary(code, kind(), one, other, node)

    if parameters:
        value = combined(ast.Sub, _computed(code, "", value, node), parameters[0])
    scale = _computed(code, "", parameters[1], node) if len(parameters) > 1 else None
    if scale is not None:
        # SciPy gives nan.
        code.end_if(f"not {scale.code} > 0.0", Event.REPLAY)
        value = combined(ast.Div, value, scale)
    found = _computed(code, NORMAL[method], value, node)
    if scale is None or method not in DENSITIES:
        return found
    if method == "pdf":
        return combined(ast.Div, found, scale)
    return combined(ast.Sub, found, _computed(code, "np.log", scale, node))

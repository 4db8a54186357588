"""Functions of scalars: builtins, ``math``, NumPy's conversions and elementwise functions."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

import numpy as np

from nprewrite.lowering import complex_numbers, extremes, operators, scipy_functions
from nprewrite.lowering.forms import Form
from nprewrite.lowering.numbers import BOOL, CHARACTER, FLOAT, INT, INT64, NUMPY, Number, of_dtype
from nprewrite.lowering.numpy_scalars import resolved, strong
from nprewrite.lowering.plans import Plan, apply, fitted
from nprewrite.lowering.problems import Event, NotNative, Operation, not_followed
from nprewrite.lowering.values import (
    Code,
    Value,
    as_float,
    cast,
    cast_to,
    comparable,
    truncated,
    truth,
)
from nprewrite.numpy_api.elementwise import elementwise
from nprewrite.numpy_api.python import CMATH, MathFunction, math_function, python_function


def call(code: Code, dotted: str, arguments: Sequence[Value], node: ast.Call) -> Value:
    """The value of ``dotted(*arguments)``."""
    module, _, name = dotted.rpartition(".")
    code.node, count = node, len(arguments)
    builtin, of_math = python_function(dotted), math_function(dotted)
    found = None
    if builtin is not None and builtin.computes in _BUILTINS and count == 1:
        found = _BUILTINS[builtin.computes](code, arguments[0], node)
    elif builtin is not None and builtin.computes == "code point" and count == 1:
        found = _code_point(code, arguments[0], node)
    elif builtin is not None and builtin.computes == "complex" and count in (1, 2):
        found = complex_numbers.joined(code, arguments, node)
    elif builtin is not None and builtin.computes in _CHOICES and count > 1:
        found = extremes.chosen(code, _CHOICES[builtin.computes], arguments, node)
    elif of_math is not None and of_math.native and of_math.arguments == count:
        found = _math(code, name, of_math, arguments)
    elif module == "cmath" and name in CMATH and count == 1:
        found = complex_numbers.of_cmath(code, CMATH[name], arguments[0])
    elif dotted in ("numpy.real", "numpy.imag") and count == 1:
        found = complex_numbers.part(code, name, arguments[0])
    elif dotted in ("numpy.angle", "cmath.phase") and count == 1:
        parts = [complex_numbers.part(code, each, arguments[0]) for each in ("imag", "real")]
        found = call(code, "math.atan2" if module == "cmath" else "numpy.arctan2", parts, node)
    elif module == "numpy":
        found = _numpy(code, name, arguments, node)
    else:
        found = scipy_functions.call(code, dotted, arguments, node)
    if found is not None:
        return found
    raise NotNative("unknown-call", f"`{ast.unparse(node.func)}(...)` is not supported", node)


def nearest(code: Code, value: Value, node: ast.Call) -> Value:
    """``np.round(x)``, which for bools is a float16."""
    if value.only is None or value.only.dtype.kind == "b":
        raise not_followed(node)
    if value.only.is_integer:
        return strong(code, value, np.absolute, node)
    return call(code, "numpy.rint", [value], node)


def _to_int(code: Code, value: Value, node: ast.Call) -> Value:
    def write(number: Number) -> Callable[[Code, Sequence[str]], str]:
        def one(code: Code, texts: Sequence[str]) -> str:
            if number.is_complex:
                raise NotNative("unsupported-operation", f"`{ast.unparse(node)}` of a complex number", node)
            if number.dtype.kind == "f":
                return truncated(code, texts[0], number, INT.dtype)
            if number.dtype == np.uint64 and code.bounds(value.form, number)[1] > INT64[1]:
                code.end_if(f"{texts[0]} > {comparable(INT64[1], number)}", Event.REPLAY)
            return f"np.int64({texts[0]})"

        return one

    return apply(
        code, (value,), lambda number: Plan(INT, None, write(number), (number,)), _whole(code, value)
    )


def _whole(code: Code, value: Value) -> Form:
    return value.form if value.form is not None else code.symbols.between(*INT64)


def _to_float(code: Code, value: Value, node: ast.Call) -> Value:
    return apply(code, (value,), lambda _: Plan(FLOAT, (FLOAT.dtype,), lambda _, texts: texts[0], ()), None)


def _to_bool(code: Code, value: Value, node: ast.Call) -> Value:
    return Value({BOOL: code.temporary(truth(code, value))}, form=code.symbols.between(0, 1))


def _code_point(code: Code, value: Value, node: ast.Call) -> Value | None:
    if value.only != CHARACTER:
        return None
    return Value({INT: f"np.int64({value.code})"}, form=code.symbols.between(0, 0x10FFFF))


def magnitude(code: Code, value: Value, node: ast.Call) -> Value:
    """``abs(x)``."""
    low, high = _bounds(code, value)
    form = code.symbols.between(max(low, -high, 0), max(-low, high)) if value.form is not None else None

    def rule(number: Number) -> Plan:
        if number.is_complex:
            return complex_numbers.magnitude(number)
        if number == FLOAT:
            return Plan(FLOAT, (FLOAT.dtype,), lambda _, texts: f"abs({texts[0]})", (FLOAT,))
        if number.weak:
            return Plan(INT, (INT.dtype,), write_integer, (INT,))
        kind = number.dtype.kind
        text = "{}" if kind in "ub" else cast("abs({})", number.dtype)
        return Plan(number, (number.dtype,), lambda _, texts: text.format(texts[0]), (number,))

    def write_integer(code: Code, texts: Sequence[str]) -> str:
        if low <= INT64[0]:
            code.end_if(f"{texts[0]} == {INT64[0]}", Event.REPLAY)
        return f"abs({texts[0]})"

    return apply(code, (value,), rule, form)


def _bounds(code: Code, value: Value) -> tuple[float, float]:
    """The bounds of a value over all integer types that it may have."""
    found = [code.bounds(value.form, each) for each in value.codes if each.dtype.kind in "iub"]
    return min((low for low, _ in found), default=0), max((high for _, high in found), default=0)


def _round(code: Code, value: Value, node: ast.Call) -> Value:
    def rule(number: Number) -> Plan:
        if number.dtype.kind != "f":
            raise NotNative("unsupported-operation", f"`{ast.unparse(node)}` of an integer", node)
        return Plan(
            INT,
            None,
            lambda code, texts: truncated(code, f"np.rint({texts[0]})", number, INT.dtype),
            (number,),
        )

    return apply(code, (value,), rule, code.symbols.between(*INT64))


_BUILTINS: dict[str, Callable[[Code, Value, ast.Call], Value]] = {
    "integer": _to_int,
    "real": _to_float,
    "truth": _to_bool,
    "magnitude": magnitude,
    "nearest": _round,
}
_CHOICES: dict[str, ast.cmpop] = {"least": ast.Lt(), "greatest": ast.Gt()}


def _math(code: Code, name: str, record: MathFunction, arguments: Sequence[Value]) -> Value:
    if record.gives == "int":
        value = arguments[0]

        def whole(number: Number) -> Plan:
            def write(code: Code, _: Sequence[str]) -> str:
                operand = as_float(code, value, number, exactly=True)
                return truncated(code, f"np.{record.twin}({operand})", FLOAT, INT.dtype)

            return Plan(INT, None, write, (number,))

        return apply(code, (value,), whole, code.symbols.between(*INT64))
    if record.gives == "bool":
        plan = Plan(BOOL, (FLOAT.dtype,), lambda _, texts: f"np.{record.twin}({texts[0]})", (name,))
        return apply(code, arguments, lambda _: plan, code.symbols.between(0, 1))
    code.rounds |= not record.exact

    def write(code: Code, texts: Sequence[str]) -> str:
        # Numba has one remainder of floats.
        module = "np" if name == "fmod" else "math"
        result = code.temporary(f"{module}.{name}({', '.join(texts)})")
        given = ", ".join(f"_{position}" for position in range(len(texts)))
        itself = Operation(f"math.{name}({given})", tuple((FLOAT, each) for each in texts))
        # As in Python's math: not-a-number from numbers is a domain error, infinity a range error.
        unclear = " and ".join(f"not np.isnan({each})" for each in texts)
        code.end_if(f"np.isnan({result}) and {unclear}", itself)
        finite = " and ".join(f"np.isfinite({each})" for each in texts)
        code.end_if(f"np.isinf({result}) and {finite}", itself)
        return result

    plan = Plan(FLOAT, (FLOAT.dtype,) * len(arguments), write, (name,))
    return apply(code, arguments, lambda *_: plan, None)


def _numpy(code: Code, name: str, arguments: Sequence[Value], node: ast.Call) -> Value | None:
    scalar = getattr(np, name, None)
    if isinstance(scalar, type) and issubclass(scalar, np.generic) and len(arguments) == 1:
        return _conversion(code, np.dtype(scalar), arguments[0], node)
    found = elementwise(f"numpy.{name}")
    if found is None or found[1].ufunc.nin != len(arguments):
        return None
    name, record = found
    ufunc = record.ufunc
    # NumPy's loops may fuse the products of complex numbers and take other roots of sums, unlike scalars.
    code.rounds |= any(number.is_complex for value in arguments for number in value.codes)
    match record.native:
        case "":
            return None
        case "magnitude":
            return magnitude(code, strong(code, arguments[0], ufunc, node), node)
        case "squared":
            factor = strong(code, arguments[0], ufunc, node)
            return operators.binary(code, ast.Mult(), factor, factor, node)
        case "operator":
            return _as_operator(code, getattr(ast, record.operator)(), arguments, node)
        case "extreme":
            kind = "least" if ufunc in (np.minimum, np.fmin) else "greatest"
            return extremes.extreme(code, kind, arguments, node, skips_nan=ufunc in (np.fmin, np.fmax))
        case "conjugate":
            return complex_numbers.conjugate(code, strong(code, arguments[0], ufunc, node))
        case "bounded":
            return extremes.bounded(code, ufunc, arguments, node)
        case "truth":
            return _of_truths(code, name, arguments)
    code.rounds |= record.native == "rounded"

    def rule(*numbers: Number) -> Plan:
        *inputs, out = resolved(ufunc, numbers, node)
        whole = inputs[0].dtype.kind not in "fc"
        if inputs[0].is_complex and not record.native_complex:
            raise NotNative("unsupported-operation", f"`{ast.unparse(node)}` of a complex number", node)
        if whole and record.native == "exact for floats":
            raise NotNative("unsupported-operation", f"`{ast.unparse(node)}` of an integer", node)

        def write(code: Code, texts: Sequence[str]) -> str:
            if record.native == "sign":
                return cast(_SIGN.format(texts[0]), out.dtype)
            # Integers are whole already, and finite; `floor` of a truth value is one, as `isnan` of it is.
            if whole:
                return str(name == "isfinite") if "d->?" in ufunc.types else cast(texts[0], out.dtype)
            text = f"np.{name}({', '.join(texts)})"
            return text if out.dtype.kind == "b" else cast(text, out.dtype)

        return Plan(out, tuple(each.dtype for each in inputs), write, (name,))

    return apply(code, arguments, rule, None)


_SIGN = "(1 if {0} > 0 else -1 if {0} < 0 else 0 if {0} == 0 else {0})"


def _of_truths(code: Code, name: str, arguments: Sequence[Value]) -> Value:
    """``np.logical_and(x, y)``."""
    truths = ", ".join(truth(code, each) for each in arguments)
    text = f"np.bool_(np.{name}({truths}))"
    return Value({NUMPY["bool"]: code.temporary(text)}, form=code.symbols.between(0, 1))


def _conversion(code: Code, dtype: np.dtype[np.generic], value: Value, node: ast.Call) -> Value:
    number = of_dtype(dtype)
    if number is None:
        raise NotNative("dtype-unsupported", f"`{ast.unparse(node)}` is a scalar of {dtype}", node)
    form = fitted(code, value.form, number) if number.is_integer else None
    return Value({number: code.temporary(cast_to(code, value, number.dtype))}, form=form)


def _as_operator(
    code: Code, operator: ast.operator | ast.unaryop, arguments: Sequence[Value], node: ast.Call
) -> Value | None:
    """``np.add(x, y)`` as ``x + y`` of NumPy scalars."""
    strong = any(number.weak for value in arguments for number in value.codes)
    if isinstance(operator, ast.unaryop):
        return (
            operators.unary(code, operator, arguments[0], node)
            if len(arguments) == 1 and not strong
            else None
        )
    if len(arguments) != 2 or all(number.weak for value in arguments for number in value.codes):
        return None
    left, right = arguments
    one_is_strong = any(all(not number.weak for number in value.codes) for value in arguments)
    return operators.binary(code, operator, left, right, node) if one_is_strong else None

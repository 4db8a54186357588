"""The greatest and the least of numbers, as Python and NumPy choose them, and numbers between bounds."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from itertools import product

import numpy as np

from nprewrite.base.syntax import items_of, walk
from nprewrite.lowering import operators
from nprewrite.lowering.numbers import INT, INT64, Number, limits, of_dtype
from nprewrite.lowering.numpy_scalars import resolved, strong
from nprewrite.lowering.plans import Plan, apply
from nprewrite.lowering.problems import NotNative
from nprewrite.lowering.values import Code, Value, set_union, settled, truth, union


def chosen(code: Code, operator: ast.cmpop, arguments: Sequence[Value], node: ast.Call) -> Value:
    """``min`` and ``max`` keep the type of the argument they choose, and the first of equal ones."""
    kind = arguments[0].only
    if kind is not None and kind.is_integer and all(each.only == kind for each in arguments):
        # The order does not matter for integers of one type. In a table, what the trip before has stored is
        # compared last, so that only one comparison has to wait for that trip.
        order = sorted(range(len(arguments)), key=lambda k: _reads_beside(node.args[k]))
        arguments = [arguments[k] for k in order]
    best = arguments[0]
    for each in arguments[1:]:
        better = truth(code, operators.compare(code, operator, each, best, node))
        best = _picked(code, better, each, best, least=isinstance(operator, ast.Lt))
    return best


def _reads_beside(node: ast.expr) -> bool:
    """Whether an element is read at ``[i, j - 1]``: in this trip's row, next to this trip's element."""
    indices = (items_of(each) for each in walk(node) if isinstance(each, ast.Subscript))
    return any(
        isinstance(last, ast.BinOp) and all(isinstance(each, ast.Name) for each in outer)
        for *outer, last in indices
    )


def _picked(code: Code, condition: str, then: Value, otherwise: Value, *, least: bool) -> Value:
    form = None
    if then.form is not None and otherwise.form is not None:
        pick = min if least else max
        forms = (then.form, otherwise.form)
        form = code.symbols.between(
            pick(map(code.symbols.lower, forms)), pick(map(code.symbols.upper, forms))
        )
    if then.only is not None and then.only == otherwise.only:
        text = code.temporary(f"{then.code} if {condition} else {otherwise.code}")
        return Value({then.only: text}, form=form)
    result = union(code)
    with code.block(f"if {condition}:"):
        set_union(code, result, then)
    with code.block("else:"):
        set_union(code, result, otherwise)
    return settled(result, form)


def extreme_of(code: Code, kind: str, values: Sequence[Value], node: ast.Call) -> Value:
    """``np.min([x, y, z])`` of numbers, all in the dtype of the array that these make."""
    dtypes = {
        np.result_type(*each) for each in product(*([n.dtype for n in value.codes] for value in values))
    }
    number = of_dtype(dtypes.pop())
    if dtypes or number is None or number.dtype.kind not in "iuf":
        raise NotNative("unknown-call", f"`{ast.unparse(node)}` joins numbers of several types", node)
    as_items = Plan(number, (number.dtype,), lambda _, texts: texts[0], (number,))
    items = [
        strong(code, apply(code, (each,), lambda _: as_items, each.form), np.absolute, node)
        for each in values
    ]
    found = items[0]
    for each in items[1:]:
        found = extreme(code, kind, [found, each], node)
    return found


def bounded(code: Code, ufunc: np.ufunc, arguments: Sequence[Value], node: ast.Call) -> Value | None:
    """``np.clip``, which ignores a bound that its integers cannot reach, where ``np.minimum`` would raise."""
    value, *bounds = strong(code, arguments[0], np.absolute, node), *arguments[1:]
    reached = [code.bounds(each.form, INT) for each in bounds if INT in each.codes]
    for number in value.codes:
        low, high = limits(number) if number.is_integer else INT64
        if any(least < low or greatest > high for least, greatest in reached):
            return None

    def rule(*numbers: Number) -> Plan:
        *inputs, out = resolved(ufunc, numbers, node)

        def write(code: Code, texts: Sequence[str]) -> str:
            raised = code.temporary(_one_of("greatest", out, *texts[:2]))
            return _one_of("least", out, raised, texts[2])

        return Plan(out, tuple(each.dtype for each in inputs), write, (ufunc,))

    return apply(code, (value, *bounds), rule, None)


def extreme(
    code: Code, kind: str, arguments: Sequence[Value], node: ast.Call, *, skips_nan: bool = False
) -> Value:
    """The greater or the lesser of two numbers; if one of them is not-a-number, that or the other one."""

    def rule(first: Number, second: Number) -> Plan:
        *inputs, out = resolved(np.minimum if kind == "least" else np.maximum, (first, second), node)
        dtypes = tuple(each.dtype for each in inputs)
        return Plan(
            out, dtypes, lambda _, texts: _one_of(kind, out, *texts, skips_nan=skips_nan), (kind, skips_nan)
        )

    return apply(code, arguments, rule, None)


def _one_of(kind: str, number: Number, left: str, right: str, *, skips_nan: bool = False) -> str:
    """The code of the greater or the lesser of two numbers of one type."""
    kept = f"{left} {'<' if kind == 'least' else '>'}= {right}"
    if number.dtype.kind == "f":
        kept += f" or np.isnan({right if skips_nan else left})"
    return f"{left} if {kept} else {right}"

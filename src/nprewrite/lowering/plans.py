"""Operations on scalars that may have several types: a plan for each combination of types."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from nprewrite.lowering.forms import Form
from nprewrite.lowering.numbers import CHARACTER, DType, Number, limits
from nprewrite.lowering.problems import NotNative
from nprewrite.lowering.values import Code, Value, converted, set_union, settled, union

SYMBOLS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}


def wrapped(kind: type[ast.AST], left: str, right: str) -> str:
    """The code of a sum, difference or product of int64 that wraps around.

    Numba tells LLVM that signed integers never do, so that ``x * 2 // 2`` becomes ``x``.
    """
    return f"np.int64(np.uint64({left}) {SYMBOLS[kind]} np.uint64({right}))"


@dataclass(frozen=True)
class Plan:
    """How an operation on operands of given types is done; equal plans are written once."""

    result: Number
    inputs: tuple[DType, ...] | None
    """The dtypes that the operands are converted to; None where ``write`` takes them as they are."""
    write: Callable[[Code, Sequence[str]], str]
    key: tuple[Any, ...]


def apply(code: Code, operands: Sequence[Value], rule: Callable[..., Plan], form: Form | None) -> Value:
    """An operation on values that may have several types each; ``form`` is that of an integer result."""
    if any(CHARACTER in each.codes for each in operands):
        raise NotNative("unsupported-operation", "it is computed with characters", code.node)
    combinations = [*product(*(each.codes for each in operands))]
    if not combinations:
        raise NotNative("not-scalar", "it is computed with a whole array", code.node)
    plans = {each: rule(*each) for each in combinations}
    first = plans[combinations[0]]
    alike = {(each.result, each.inputs, each.key) for each in plans.values()}
    if len(alike) == 1 and (first.inputs is not None or len(combinations) == 1):
        return _written(code, operands, first, form)
    result = union(code)

    def narrow(chosen: tuple[Value, ...]) -> None:
        if len(chosen) == len(operands):
            plan = plans[tuple(next(iter(each.codes)) for each in chosen)]
            set_union(code, result, _written(code, chosen, plan, form))
            return
        value = operands[len(chosen)]
        code.by_tag(value, lambda each: narrow((*chosen, Value({each: value.codes[each]}, form=value.form))))

    narrow(())
    return settled(result, form)


def _written(code: Code, operands: Sequence[Value], plan: Plan, form: Form | None) -> Value:
    if plan.inputs is None:
        texts = [each.code for each in operands]
    else:
        texts = [converted(code, *each) for each in zip(operands, plan.inputs, strict=True)]
    text = code.temporary(plan.write(code, texts))
    kept = form if plan.result.dtype.kind in "iub" else None
    return Value({plan.result: text}, form=fitted(code, kept, plan.result))


def fitted(code: Code, form: Form | None, number: Number) -> Form | None:
    """The form of a NumPy integer, which wraps around where it would leave its dtype."""
    if form is None or number.weak:
        return form
    low, high = limits(number)
    fits = code.symbols.lower(form) >= low and code.symbols.upper(form) <= high
    return form if fits else code.symbols.between(low, high)

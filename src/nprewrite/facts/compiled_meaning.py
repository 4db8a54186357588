"""Operations of a step that torch.compile computes in another way than NumPy."""

from __future__ import annotations

import ast

from nprewrite.facts.function import Function
from nprewrite.facts.numpy_table import ELEMENTWISE, OPERATORS, elementwise
from nprewrite.facts.values import Array

_NOT_TRACED = frozenset(f"numpy.{name}" for name in ("fabs", "fmod", "degrees", "radians"))


def other_meaning(function: Function) -> ast.expr | None:
    """The first operation on arrays of a step that the table marks as not compiled."""
    nodes = (each for each in ast.walk(function.node) if isinstance(each, ast.BinOp | ast.Call))
    return next((each for each in nodes if _differs(each, function)), None)


def _differs(node: ast.BinOp | ast.Call, function: Function) -> bool:
    if isinstance(node, ast.BinOp):
        known = ELEMENTWISE.get(OPERATORS.get(type(node.op).__name__, ""))
        array = isinstance(function.facts.value(node), Array)
        return array and known is not None and not known.compiled
    dotted = function.dotted(node.func)
    found = elementwise(dotted)
    return dotted in _NOT_TRACED or (found is not None and not found[1].compiled)

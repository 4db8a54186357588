"""Operations of a step that torch.compile does not compute as NumPy does."""

from __future__ import annotations

import ast

from nprewrite.analysis.elementwise_steps import elementwise_problem, has_other_words
from nprewrite.base.syntax import walk
from nprewrite.numpy_api.elementwise import OPERATORS, elementwise
from nprewrite.program.function import Function
from nprewrite.types.values import Array


def other_meaning(function: Function) -> ast.expr | None:
    """The first operation on arrays in a step that does not compile to the same, or must be replaced."""
    nodes = (each for each in walk(function.node) if isinstance(each, ast.BinOp | ast.Call))
    return next((each for each in nodes if _differs(each, function)), None)


def _differs(node: ast.BinOp | ast.Call, function: Function) -> bool:
    if not isinstance(function.facts.value(node), Array):
        return False
    if isinstance(node, ast.BinOp):
        name, operands = OPERATORS.get(type(node.op).__name__, ""), [node.left, node.right]
    else:
        found = elementwise(function.dotted(node.func))
        name, operands = found[0] if found else "", [*node.args]
    if not name:
        return False
    problem = elementwise_problem(name, node, operands, function)
    return problem is not None or has_other_words(name, node, operands, function)

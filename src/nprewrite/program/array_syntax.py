"""Syntax that only arrays allow: what a text shows about values whose types it does not tell.

``u[2:] - u[:-2]`` is an error for lists and strings, and so is ``0.5 * u[1:]``, while ``u[1:] + v[1:]`` and
``2 * u[1:]`` are not. No container of Python's own takes the index ``[1:, 0]``.
"""

from __future__ import annotations

import ast
from collections.abc import Collection

from nprewrite.program.function import Function
from nprewrite.types.parameters import parameters

_NOT_OF_SEQUENCES = (ast.Sub, ast.Div, ast.FloorDiv, ast.Pow)
"""Operators that sequences do not have; ``%`` is missing because its left side may be a format string."""
_INDEXERS = {"loc", "iloc"}
"""Attributes of data frames, which are indexed by rows and columns as arrays are."""


def array_parameters(function: Function) -> frozenset[str]:
    """The parameters that are annotated as arrays without a dtype."""
    if isinstance(function.node, ast.Module):
        return frozenset()
    every = parameters(function.node.args)
    return frozenset(each.arg for each in every if _is_array(each.annotation, function))


def shows_arrays(node: ast.AST, known: Collection[str]) -> bool:
    """Whether ``node`` computes as only arrays allow; ``known`` are names of arrays."""
    match node:
        case ast.BinOp(left=left, op=operator, right=right):
            return _of_arrays(left, operator, right, known)
        case ast.AugAssign(target=target, op=operator, value=value):
            return _of_arrays(target, operator, value, known)
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() | ast.Invert(), operand=operand):
            return _is_slice(operand)
        case ast.Subscript(value=base, slice=ast.Tuple(elts=elements)):
            indexer = isinstance(base, ast.Attribute) and base.attr in _INDEXERS
            return not indexer and any(isinstance(each, ast.Slice) for each in elements)
    return False


def _of_arrays(left: ast.expr, operator: ast.operator, right: ast.expr, known: Collection[str]) -> bool:
    """Whether no sequence allows the operator with these operands."""
    if isinstance(operator, ast.MatMult):
        return True
    if any(isinstance(each, ast.Name) and each.id in known for each in (left, right)):
        return True
    sliced = _is_slice(left), _is_slice(right)
    if isinstance(operator, ast.Mult):
        return all(sliced) or (any(sliced) and (_is_float(left) or _is_float(right)))
    return any(sliced) and isinstance(operator, _NOT_OF_SEQUENCES)


def _is_slice(node: ast.expr) -> bool:
    """Whether an expression is a slice, or one computed from slices."""
    match node:
        case ast.Subscript(slice=ast.Slice()):
            return True
        case ast.BinOp(left=left, right=right):
            return _is_slice(left) or _is_slice(right)
        case ast.UnaryOp(operand=operand):
            return _is_slice(operand)
    return False


def _is_float(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, float)


def _is_array(annotation: ast.expr | None, function: Function) -> bool:
    """Whether an annotation says ``np.ndarray`` or ``NDArray``, with a dtype or without."""
    node = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    if not isinstance(node, ast.Name | ast.Attribute):
        return False
    return function.dotted(node) in ("numpy.ndarray", "numpy.typing.NDArray")

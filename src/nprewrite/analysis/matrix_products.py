"""Products of matrices as written: the factors from left to right, and what scales them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from nprewrite.base.syntax import children
from nprewrite.numpy_api.linear_algebra import MATRIX_PRODUCTS
from nprewrite.program.function import Function
from nprewrite.source.names import EXPRESSION_SCOPES
from nprewrite.types.values import Array, Scalar, Value

_FUNCTIONS = tuple(f"numpy.{name}" for name in MATRIX_PRODUCTS)


@dataclass(frozen=True)
class MatrixProduct:
    """``factors[0] @ factors[1] @ ...``, where ``number`` scales the product of the first ``scaled``.

    ``negated`` means that the product of these is negated.
    """

    node: ast.expr
    factors: tuple[ast.expr, ...]
    number: ast.expr | None = None
    divides: bool = False
    scaled: int = 0
    negated: bool = False

    @property
    def operands(self) -> tuple[ast.expr, ...]:
        """All operands, in no particular order."""
        return (*self.factors, *([self.number] if self.number is not None else []))


def matrix_products(node: ast.AST, function: Function) -> Iterator[MatrixProduct]:
    """The outermost products of an expression, or in a part of the tree, that could be reordered."""
    found = matrix_product(node, function) if isinstance(node, ast.expr) else None
    if found is not None and _has_orders(found, function):
        yield found
        return
    yield from products_inside(node, function)


def products_inside(node: ast.AST, function: Function) -> Iterator[MatrixProduct]:
    """The outermost products in the parts of a node, except in scopes and statements inside it."""
    for child in children(node):
        if not isinstance(child, (ast.stmt, ast.ExceptHandler, ast.match_case, *EXPRESSION_SCOPES)):
            yield from matrix_products(child, function)


def matrix_product(node: ast.expr, function: Function) -> MatrixProduct | None:
    """A product with all factors to its left; None for other expressions."""
    sides = _sides(node, function)
    if sides is None:
        return None
    left, right = sides
    before = _scaled(left, function) or matrix_product(left, function) or MatrixProduct(left, (left,))
    return replace(before, node=node, factors=(*before.factors, right))


def _sides(node: ast.expr, function: Function) -> tuple[ast.expr, ast.expr] | None:
    """Both sides of ``A @ B``, of ``np.dot(A, B)`` and of ``A.dot(B)``."""
    match node:
        case ast.BinOp(left=left, op=ast.MatMult(), right=right):
            return left, right
        case ast.Call(args=[left, right], keywords=[]) if function.dotted(node.func) in _FUNCTIONS:
            return _exact(left, right, function)
        case ast.Call(func=ast.Attribute(value=left, attr="dot") as called, args=[right], keywords=[]):
            return _exact(left, right, function) if function.dotted(called) is None else None
    return None


def _exact(left: ast.expr, right: ast.expr, function: Function) -> tuple[ast.expr, ast.expr] | None:
    """Sides that are arrays of one or two axes: ``np.dot`` takes lists and numbers too."""
    values = [function.facts.value(each) for each in (left, right)]
    given = _is_given(function)
    known = (
        isinstance(each, Array) and each.rank in (1, 2) and (given or not each.assumed) for each in values
    )
    return (left, right) if all(known) else None


def _scaled(node: ast.expr, function: Function) -> MatrixProduct | None:
    """``c * A``, ``A * c``, ``A / c`` and ``-A``, where ``A`` may be a product that is not scaled itself."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return MatrixProduct(node, _unscaled(node.operand, function).factors, negated=True)
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Mult | ast.Div):
        return None
    divides = isinstance(node.op, ast.Div)
    first = not divides and not _is_number(function.facts.value(node.right))
    number, matrix = (node.left, node.right) if first else (node.right, node.left)
    factors = _unscaled(matrix, function).factors
    return MatrixProduct(node, factors, number, divides, len(factors))


def _unscaled(node: ast.expr, function: Function) -> MatrixProduct:
    """The factors of a product that is not scaled; any other expression is a single factor."""
    found = matrix_product(node, function)
    if found is None or found.number is not None or found.negated:
        return MatrixProduct(node, (node,))
    return found


def _is_number(value: Value) -> bool:
    return isinstance(value, Scalar) or (isinstance(value, Array) and value.rank == 0)


def _has_orders(product: MatrixProduct, function: Function) -> bool:
    """Whether another order could be cheaper: a vector takes one matrix after the other from its right."""
    values = [function.facts.value(each) for each in product.factors]
    ranks = [each.rank if isinstance(each, Array) else None for each in values]
    if ranks[0] == 1 or any(isinstance(each, Scalar) for each in values):
        return False
    # A list cannot be negated, but multiplied with an array.
    exact = isinstance(values[0], Array) and (_is_given(function) or not values[0].assumed)
    if product.negated and not exact:
        return False
    # Compiled, a matrix that is computed in place is multiplied by a further factor in the same loop.
    computed = isinstance(product.factors[0], ast.BinOp | ast.UnaryOp | ast.Call | ast.Compare)
    return len(values) > 2 or ((product.number is not None or product.negated) and not computed)


def _is_given(function: Function) -> bool:
    """Whether the types are those of the actual call."""
    return function.name == function.module.jitted

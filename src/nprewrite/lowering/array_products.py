"""Products of vectors and matrices in lowered code, and what small systems of equations need."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

import numpy as np

from nprewrite.lowering import array_ranks, array_reductions, functions, operators
from nprewrite.lowering.array_making import listed, named_arguments
from nprewrite.lowering.array_walk import ArrayWalk
from nprewrite.lowering.arrays import ArrayValue, array_value
from nprewrite.lowering.complex_numbers import conjugate, part
from nprewrite.lowering.elements import (
    Elements,
    Length,
    check_equal,
    elements_of,
    flattened,
    in_dtype,
    in_memory,
    strong,
)
from nprewrite.lowering.forms import Form
from nprewrite.lowering.numbers import NUMPY
from nprewrite.lowering.numpy_scalars import resolved
from nprewrite.lowering.problems import Event, NotNative, not_followed
from nprewrite.lowering.values import Value, cast, converted

_MAGNITUDES = {"1": "total", "inf": "greatest"}
"""By the order of a norm, what is taken of the magnitudes of the elements."""
_CONDITION = {"float64": 2.0**42, "float32": 2.0**13}
"""Matrices with a larger condition number may be singular for LAPACK, which rounds differently."""


def _dot(walk: ArrayWalk, name: str, arguments: Sequence[ast.expr], node: ast.Call) -> Value | Elements:
    _two(arguments, node)
    if name in ("inner", "vdot") and max(map(walk.rank, arguments)) > 1:
        raise not_followed(node)
    operands = [walk.evaluate(each) for each in arguments]
    if name == "vdot" and isinstance(operands[0], Elements):
        left = in_memory(walk.code, operands[0])
        operands[0] = elements_of(walk.code, left)
        if left.array.element.is_complex:
            operands[0] = walk.elementwise([operands[0]], lambda one: conjugate(walk.code, one), node)
    return product(walk, operands, node)


def _outer(walk: ArrayWalk, name: str, arguments: Sequence[ast.expr], node: ast.Call) -> Elements:
    left, right = (walk.evaluate(each) for each in _two(arguments, node))
    if not isinstance(left, Elements) or not isinstance(right, Elements) or left.rank + right.rank != 2:
        raise not_followed(node)
    lengths = (*left.lengths, *right.lengths)
    walk.account(lengths, 0.0)

    def at(indices: Sequence[str]) -> Value:
        factors = left.at(indices[:1]), right.at(indices[1:])
        return operators.binary(walk.code, ast.Mult(), *factors, node)

    return Elements(lengths, at)


def product(walk: ArrayWalk, operands: Sequence[Value | Elements], node: ast.expr) -> Value | Elements:
    """The product of vectors and matrices, which adds in another order than BLAS."""
    pair = [each for each in operands if isinstance(each, Elements)]
    if len(pair) < 2 or not all(each.rank in (1, 2) for each in pair):
        raise NotNative("not-scalar", f"`{ast.unparse(node)}` is not a product of vectors or matrices", node)
    code = walk.code
    solid = [in_memory(code, each) for each in pair]
    *_, out = resolved(np.multiply, [each.array.element for each in solid], node)
    if out.dtype.kind == "b":
        raise NotNative("dtype-unsupported", f"`{ast.unparse(node)}` is a product of booleans", node)
    left, right = (in_dtype(walk.code, each, out) for each in solid)
    rows, columns = left.lengths or (), right.lengths or ()
    inner = [
        Length(f"{left.text}.shape[{len(rows) - 1}]", rows[-1]),
        Length(f"{right.text}.shape[0]", columns[0]),
    ]
    check_equal(code, *inner)
    code.rounds |= out.dtype.kind in "fc"
    outer = [
        *(Length(f"{left.text}.shape[0]", each) for each in rows[:-1]),
        *(Length(f"{right.text}.shape[1]", each) for each in columns[1:]),
    ]
    walk.account([*outer, inner[0]], 0.2)

    def at(indices: Sequence[str]) -> Value:
        row = f"{left.text}[np.uint64({indices[0]})]" if len(rows) == 2 else left.text
        column = f"{right.text}[:, np.uint64({indices[-1]})]" if len(columns) == 2 else right.text
        text = cast(f"dot({row}, {column}, np.{out.kept}(0))", out.dtype)
        return Value({out: code.temporary(text)})

    return Elements(tuple(outer), at) if outer else at([])


def _two(arguments: Sequence[ast.expr], node: ast.Call) -> Sequence[ast.expr]:
    if len(arguments) != 2 or node.keywords:
        raise not_followed(node)
    return arguments


def _alone(walk: ArrayWalk, arguments: Sequence[ast.expr], node: ast.Call) -> Elements:
    if len(arguments) != 1 or node.keywords:
        raise not_followed(node)
    return walk.elements(arguments[0])


def _floats(walk: ArrayWalk, held: ArrayValue) -> ArrayValue:
    """The array, of float64 where it holds integers."""
    element = held.array.element
    return held if element.dtype.kind == "f" else in_dtype(walk.code, held, NUMPY["float64"])


def _norm(walk: ArrayWalk, name: str, arguments: Sequence[ast.expr], node: ast.Call) -> Value:
    """The root of the sum of squares, which NumPy computes as a product; for a vector also the sum of the
    magnitudes (``ord=1``), or the largest one (``ord=np.inf``)."""
    given = named_arguments(("x", "ord"), arguments, node)
    if "x" not in given:
        raise not_followed(node)
    whole = walk.elements(given["x"])
    order = _order(walk, given["ord"], whole.rank) if "ord" in given else "2"
    if order in _MAGNITUDES:
        return array_reductions.of_magnitudes(walk, _MAGNITUDES[order], whole, node)
    if order != "2":
        raise not_followed(node)
    walk.account(whole.lengths, 0.2)
    walk.code.rounds = True
    kept = (whole.kept if whole.rank == 1 else None) or flattened(walk.code, whole)
    if kept.array.element.is_complex:
        return _root_of_squares(walk, elements_of(walk.code, kept), node)
    held = _floats(walk, kept)
    number = held.array.element
    squares = walk.code.temporary(f"dot({held.text}, {held.text}, np.{number.kept}(0))")
    return Value({number: walk.code.temporary(f"np.{number.kept}(np.sqrt({squares}))")})


def _root_of_squares(walk: ArrayWalk, whole: Elements, node: ast.Call) -> Value:
    """The norm of complex numbers, from their parts."""
    code = walk.code

    def squared(indices: Sequence[str]) -> Value:
        parts = [part(code, each, whole.at(indices)) for each in ("real", "imag")]
        first, second = (operators.binary(code, ast.Mult(), each, each, node) for each in parts)
        return operators.binary(code, ast.Add(), first, second, node)

    code.rounds = True
    total = array_reductions.total(walk, Elements(whole.lengths, squared), node)
    return functions.call(code, "numpy.sqrt", [total], node)


def _order(walk: ArrayWalk, node: ast.expr, rank: int) -> str:
    """The order of the norm of a vector; of matrices they are others."""
    if rank != 1:
        return ""
    is_infinite = walk.resolve(node) in ("numpy.inf", "math.inf")
    return "inf" if is_infinite else ast.unparse(node) if isinstance(node, ast.Constant) else ""


def _median(walk: ArrayWalk, name: str, arguments: Sequence[ast.expr], node: ast.Call) -> Value:
    """The median of all elements: of integers a float, as in NumPy."""
    whole = _alone(walk, arguments, node)
    walk.account(whole.lengths, 4.0)

    def at(indices: Sequence[str]) -> Value:
        value = whole.at(indices)
        kind = strong(value).dtype.kind
        if kind == "b":
            raise not_followed(node)
        float64 = NUMPY["float64"]
        return value if kind == "f" else Value({float64: converted(walk.code, value, float64.dtype)})

    held = flattened(walk.code, Elements(whole.lengths, at))
    # NumPy warns that there are no elements.
    walk.code.end_if(f"{held.text}.size < 1", Event.REPLAY)
    # Which of two zeros is the middle one depends on the order in which elements change places.
    walk.code.rounds = True
    number = held.array.element
    two = f"np.{number.kept}(2)"
    return Value({number: walk.code.temporary(f"np.{number.kept}(median_of({held.text}, {two}))")})


def _cross(walk: ArrayWalk, name: str, arguments: Sequence[ast.expr], node: ast.Call) -> Elements:
    """The cross product of two vectors of three elements."""
    code = walk.code
    solid = [walk.solid(each) for each in _two(arguments, node)]
    if any(len(each.lengths or ()) != 1 for each in solid):
        raise not_followed(node)
    *_, out = resolved(np.multiply, [each.array.element for each in solid], node)
    if out.dtype.kind == "b":
        raise not_followed(node)
    for each in solid:
        check_equal(code, _rows(each), Length("3", Form(3)))
    left, right = (elements_of(code, in_dtype(walk.code, each, out)) for each in solid)

    def product_of(i: int, j: int) -> Value:
        return operators.binary(code, ast.Mult(), left.at([str(i)]), right.at([str(j)]), node)

    pairs = [(1, 2), (2, 0), (0, 1)]
    values = [operators.binary(code, ast.Sub(), product_of(i, j), product_of(j, i), node) for i, j in pairs]
    return elements_of(code, listed(walk, values, (3,), out))


def _rows(held: ArrayValue) -> Length:
    """The length of the first axis."""
    assert held.lengths is not None
    return Length(f"{held.text}.shape[0]", held.lengths[0])


def _trace(walk: ArrayWalk, name: str, arguments: Sequence[ast.expr], node: ast.Call) -> Value:
    """The sum of the diagonal of a square matrix."""
    whole = _alone(walk, arguments, node)
    if whole.rank != 2:
        raise not_followed(node)
    check_equal(walk.code, *whole.lengths)
    diagonal = Elements(whole.lengths[:1], lambda indices: whole.at([*indices, *indices]))
    walk.account(diagonal.lengths, 0.3)
    return array_reductions.total(walk, diagonal, node)


def _inverse(walk: ArrayWalk, name: str, arguments: Sequence[ast.expr], node: ast.Call) -> Elements:
    """The inverse of a small matrix, by elimination with row exchanges."""
    matrix, both = _alone_eliminated(walk, arguments, node)
    assert matrix.lengths is not None
    size = f"{matrix.text}.shape[0]"
    text = walk.code.temporary(f"{both}[:, {size}:2 * {size}].copy()")
    return elements_of(walk.code, array_value(text, matrix.array.element, matrix.lengths, frozenset()))


def _solution(walk: ArrayWalk, name: str, arguments: Sequence[ast.expr], node: ast.Call) -> Elements:
    """The solution of a small system, by elimination with row exchanges."""
    matrix, right = (_floats(walk, walk.solid(each)) for each in _two(arguments, node))
    *_, out = resolved(np.multiply, [matrix.array.element, right.array.element], node)
    matrix, right = in_dtype(walk.code, matrix, out), in_dtype(walk.code, right, out)
    check_equal(walk.code, *(_rows(each) for each in (matrix, right)))
    if right.lengths is None or len(right.lengths) > 2:
        raise not_followed(node)
    column = right.array.rank == 1
    sides = walk.code.temporary(f"{right.text}[:, np.newaxis]") if column else right.text
    both = _eliminated(walk, matrix, sides, node)
    columns = f"2 * {matrix.text}.shape[0]{'' if column else ':'}"
    text = walk.code.temporary(f"{both}[:, {columns}].copy()")
    return elements_of(walk.code, array_value(text, out, right.lengths, frozenset()))


def _determinant(walk: ArrayWalk, name: str, arguments: Sequence[ast.expr], node: ast.Call) -> Value:
    """The determinant of a small matrix: the product of the pivots of an elimination with row exchanges."""
    return _of_pivots(walk, "product", *_alone_eliminated(walk, arguments, node))


def sign_and_logarithm(walk: ArrayWalk, node: ast.expr) -> list[Value] | None:
    """The sign of a determinant, and the logarithm of its magnitude; None for other expressions."""
    if not isinstance(node, ast.Call):
        return None
    name, arguments = array_ranks.named(walk, node)
    if name is None or array_ranks.native(name) != "sign and logarithm":
        return None
    found = _alone_eliminated(walk, arguments, node)
    return [_of_pivots(walk, each, *found) for each in ("sign", "logarithm")]


def _of_pivots(walk: ArrayWalk, what: str, matrix: ArrayValue, both: str) -> Value:
    element = matrix.array.element
    return Value({element: walk.code.temporary(f"{what}_of_pivots({both}, np.{element.kept}(1))")})


def _alone_eliminated(
    walk: ArrayWalk, arguments: Sequence[ast.expr], node: ast.Call
) -> tuple[ArrayValue, str]:
    """A small matrix, and the name of what elimination gives for it."""
    matrix = _floats(walk, in_memory(walk.code, _alone(walk, arguments, node)))
    nothing = walk.code.temporary(f"np.empty(({matrix.text}.shape[0], 0), np.{matrix.array.element.kept})")
    return matrix, _eliminated(walk, matrix, nothing, node)


def _eliminated(walk: ArrayWalk, matrix: ArrayValue, sides: str, node: ast.Call) -> str:
    """The name of what elimination gives for a matrix and right-hand sides."""
    code, element = walk.code, matrix.array.element
    if matrix.lengths is None or len(matrix.lengths) != 2:
        raise not_followed(node)
    lengths = [Length(f"{matrix.text}.shape[{axis}]", each) for axis, each in enumerate(matrix.lengths)]
    check_equal(code, *lengths)
    walk.account([*lengths, lengths[0]], 0.5)
    code.rounds = True
    both = code.temporary(f"eliminated({matrix.text}, {sides}, np.{element.kept}(1))")
    limit = _CONDITION[element.kept]
    code.end_if(f"not condition({matrix.text}, {both}) < {limit!r}", Event.REPLAY)
    return both


PRODUCTS: dict[str, Callable[..., Value | Elements]] = {
    "product": _dot,
    "pairs": _outer,
    "crossed": _cross,
    "traced": _trace,
    "norm": _norm,
    "middle": _median,
    "inverse": _inverse,
    "determinant": _determinant,
    "solution": _solution,
}

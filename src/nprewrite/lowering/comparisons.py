"""Comparisons of tuples of numbers, and tests whether a number or a character is among several.

In tests of ``abs(z) > bound``, as every program has them that follows a number until it escapes, the sum of
the squares decides without a root. Near the bound, and where the squares leave the floats, the magnitude
itself does.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

import numpy as np

from nprewrite.lowering import list_rows, operators
from nprewrite.lowering.access import Access
from nprewrite.lowering.numbers import CHARACTER, Number
from nprewrite.lowering.problems import Event, NotNative
from nprewrite.lowering.values import Code, Value, cast_to, truth


def is_one_of(walk: Access, one: ast.expr, several: ast.Tuple | ast.List | ast.Set, positive: bool) -> str:
    """``x in (1, 2)``: whether one of the numbers is equal to it.

    A variable float could be the same not-a-number, which Python finds although it is not equal.
    """
    value, found = walk.value(one), [walk.value(each) for each in several.elts]
    for node, other in zip(several.elts, found, strict=True):
        alone = any(isinstance(each, ast.Constant) or _is_new(walk, each) for each in (one, node))
        if not alone and any(each.dtype.kind not in "iub" for each in other.codes):
            text = f"`{ast.unparse(node)}` may be the same not-a-number as `{ast.unparse(one)}`"
            raise NotNative("unsupported-operation", text, node)
    equal = [operators.compare(walk.code, ast.Eq(), value, other, several) for other in found]
    tests = " or ".join(truth(walk.code, each) for each in equal) or "False"
    return walk.code.temporary(f"({tests})" if positive else f"not ({tests})")


def _is_new(walk: Access, node: ast.expr) -> bool:
    """Whether it is read from an array, which makes a new object each time."""
    return (
        isinstance(node, ast.Subscript)
        and isinstance(node.value, ast.Name)
        and walk.held(node.value.id) is not None
    )


def ordered(walk: Access, left: ast.Tuple, operator: ast.cmpop, right: ast.Tuple, node: ast.expr) -> str:
    """``(a, b) < (c, d)``: the first numbers that differ decide."""
    if len(left.elts) != len(right.elts):
        raise NotNative("unsupported-operation", f"`{ast.unparse(node)}` compares other lengths", node)
    sides = [[walk.value(each) for each in side.elts] for side in (left, right)]
    name = walk.code.declare(walk.code.fresh(), "bool")

    def rest(position: int) -> None:
        if position == len(left.elts):
            walk.code.line(f"{name} = {isinstance(operator, ast.LtE | ast.GtE | ast.Eq)}")
            return
        pair = sides[0][position], sides[1][position]
        # In tuples, Python takes a not-a-number to be equal to itself if it is the same object.
        if all(any(number.dtype.kind == "f" for number in each.codes) for each in pair):
            itself = [operators.compare(walk.code, ast.NotEq(), each, each, node) for each in pair]
            unclear = " and ".join(truth(walk.code, each) for each in itself)
            walk.code.end_if(unclear, Event.REPLAY)
        same = truth(walk.code, operators.compare(walk.code, ast.Eq(), *pair, node))
        with walk.code.block(f"if {same}:"):
            rest(position + 1)
        with walk.code.block("else:"):
            decided = truth(walk.code, operators.compare(walk.code, operator, *pair, node))
            walk.code.line(f"{name} = {decided}")

    rest(0)
    return name


def is_in_range(walk: Access, node: ast.Compare, bounds: list[ast.expr]) -> str:
    """``c in range(2, 4)``: whether an integer lies between two others."""
    value, ends = walk.value(node.left), [walk.value(each) for each in bounds]
    # A range holds a float that is equal to one of its numbers, too.
    if not all(each.dtype.kind in "iub" for each in value.codes):
        raise NotNative("unsupported-operation", f"`{ast.unparse(node)}` looks for a float", node)
    if not all(number.is_integer for each in ends for number in each.codes):
        raise NotNative("unsupported-operation", f"`{ast.unparse(node)}` has bounds of another type", node)
    first = ends[0] if len(ends) > 1 else walk.value(ast.Constant(0))
    pairs = (ast.GtE(), first), (ast.Lt(), ends[-1])
    compared = (operators.compare(walk.code, each, value, end, node) for each, end in pairs)
    tests = " and ".join(truth(walk.code, each) for each in compared)
    return walk.code.temporary(f"({tests})" if isinstance(node.ops[0], ast.In) else f"not ({tests})")


def is_in_list(walk: Access, node: ast.Compare) -> str:
    """``j in xs``: whether one of some integers in a list is equal to another one.

    A float could be the same not-a-number.
    """
    value, found = walk.kept_number(walk.value(node.left)), walk.code.declare(walk.code.fresh(), "bool")
    held, first, last, items = list_rows.searched(walk, node.comparators[0])
    walk.code.line(f"{found} = False")
    columns = items.columns
    numbers = [*value.codes, *(number for each in columns for number in each.numbers)]
    if len(columns) > 1 or any(each.dtype.kind not in "ib" for each in numbers):
        raise NotNative("unsupported-operation", f"`{ast.unparse(node)}` does not look for an integer", node)
    if columns:
        wanted = walk.code.temporary(f"np.int64({cast_to(walk.code, value, np.dtype(np.int64))})")
        counter = walk.code.fresh()
        with walk.code.block(f"for {counter} in range({first}, {last}):"):
            walk.code.line(f"{found} = int_in({held.text}, {counter} * {columns[0].width}) == {wanted}")
            with walk.code.block(f"if {found}:"):
                walk.code.line("break")
    return walk.code.temporary(found if isinstance(node.ops[0], ast.In) else f"not {found}")


def is_in_string(walk: Access, node: ast.Compare, letters: str) -> str:
    """``c in "AEIOU"``: whether a character is one of these."""
    value = walk.value(node.left)
    if value.only != CHARACTER:
        raise NotNative("unsupported-operation", f"`{ast.unparse(node)}` looks for a string", node)
    tests = " or ".join(f"{value.code} == np.uint32({ord(each)})" for each in letters) or "False"
    return walk.code.temporary(f"({tests})" if isinstance(node.ops[0], ast.In) else f"not ({tests})")


_MARGIN = 1e-14
"""The sum of the squares and the magnitude are within a few units of 2**-53 of the real numbers."""
_BOUNDS = (1e-100, 1e100)
"""For these, squares that leave the floats are on the right side: too small below, infinite above."""


def squares_decide(operator: ast.cmpop, value: Value, bound: Value) -> bool:
    """Whether squares can decide the test for some type that the number may have."""
    literal = bound.literal
    if literal is None or not _BOUNDS[0] < literal < _BOUNDS[1]:
        return False
    ordered = isinstance(operator, ast.Lt | ast.LtE | ast.Gt | ast.GtE)
    return ordered and any(_is_double(each) for each in value.codes)


def _is_double(number: Number) -> bool:
    return number.is_complex and number.dtype.itemsize == 16


def bounded(
    code: Code,
    magnitude: Callable[[Value], Value],
    operator: ast.cmpop,
    value: Value,
    bound: Value,
    node: ast.AST,
) -> str:
    """The code of whether ``magnitude(value) operator bound``; ``magnitude`` writes that of ``abs``."""
    assert bound.literal is not None
    square = float(bound.literal) ** 2
    low, high = square * (1 - _MARGIN), square * (1 + _MARGIN)
    above = isinstance(operator, ast.Gt | ast.GtE)
    result = code.declare(code.fresh(), "bool")

    def exactly(one: Value) -> None:
        made = operators.compare(code, operator, magnitude(one), bound, node)
        code.line(f"{result} = {truth(code, made)}")

    def write(number: Number) -> None:
        text = value.codes[number]
        one = Value({number: text}, form=value.form)
        if not _is_double(number):
            exactly(one)
            return
        size = code.temporary(f"{text}.real * {text}.real + {text}.imag * {text}.imag")
        code.line(f"{result} = {size} {'>' if above else '<'} {(high if above else low)!r}")
        # Python raises where the magnitude of finite parts is infinite.
        with code.block(f"if not ({size} < {low!r} or {high!r} < {size} < np.inf):"):
            exactly(one)

    code.by_tag(value, write)
    return result

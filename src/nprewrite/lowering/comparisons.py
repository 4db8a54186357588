"""Comparisons of tuples of numbers, and tests whether a number or a character is among several."""

from __future__ import annotations

import ast

from nprewrite.lowering import operators
from nprewrite.lowering.access import Access
from nprewrite.lowering.numbers import CHARACTER
from nprewrite.lowering.problems import Event, NotNative
from nprewrite.lowering.values import truth


def is_one_of(walk: Access, one: ast.expr, several: ast.Tuple | ast.List | ast.Set, positive: bool) -> str:
    """``x in (1, 2)``: whether one of the numbers is equal to it.

    A variable float could be the same not-a-number, which Python finds although it is not equal.
    """
    value, found = walk.value(one), [walk.value(each) for each in several.elts]
    for node, other in zip(several.elts, found, strict=True):
        if not isinstance(node, ast.Constant) and any(each.dtype.kind not in "iub" for each in other.codes):
            text = f"`{ast.unparse(node)}` may be the same not-a-number as `{ast.unparse(one)}`"
            raise NotNative("unsupported-operation", text, node)
    equal = [operators.compare(walk.code, ast.Eq(), value, other, several) for other in found]
    tests = " or ".join(truth(walk.code, each) for each in equal) or "False"
    return walk.code.temporary(f"({tests})" if positive else f"not ({tests})")


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


def is_in_string(walk: Access, node: ast.Compare, letters: str) -> str:
    """``c in "AEIOU"``: whether a character is one of these."""
    value = walk.value(node.left)
    if value.only != CHARACTER:
        raise NotNative("unsupported-operation", f"`{ast.unparse(node)}` looks for a string", node)
    tests = " or ".join(f"{value.code} == np.uint32({ord(each)})" for each in letters) or "False"
    return walk.code.temporary(f"({tests})" if isinstance(node.ops[0], ast.In) else f"not ({tests})")

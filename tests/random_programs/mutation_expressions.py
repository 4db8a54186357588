"""Mistakes in expressions: operators that yield edits of one node of the rewritten text."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from mutation_place import Edit, Operator, Place, binary, expression, is_call, statement, stored


def _comparison(to: dict[type[ast.cmpop], type[ast.cmpop]]) -> Callable[[Place, ast.AST], Iterator[Edit]]:
    def operator(place: Place, node: ast.AST) -> Iterator[Edit]:
        if isinstance(node, ast.Compare) and type(node.ops[0]) in to:
            other = to[type(node.ops[0])]()
            yield [(node, ast.Compare(node.left, [other, *node.ops[1:]], node.comparators))]

    return operator


def swapped_operands(place: Place, node: ast.AST) -> Iterator[Edit]:
    """``b - a`` for ``a - b``, whose sign counts."""
    if not isinstance(node, ast.BinOp) or node in place.vanishing or node in place.unsigned:
        return
    if isinstance(node.op, ast.Sub | ast.Div | ast.MatMult | ast.Pow):
        yield [(node, ast.BinOp(node.right, node.op, node.left))]


def negation_lost(place: Place, node: ast.AST) -> Iterator[Edit]:
    """``a`` for ``-a`` or ``~a``, outside of subscripts."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.Invert):
        yield [(node, node.operand)]


def constant_changed(place: Place, node: ast.AST) -> Iterator[Edit]:
    """3 for 2, 0.26 for 0.25: a unit of the last digit as written; neutral operands may be any number."""
    if not isinstance(node, ast.Constant) or type(node.value) not in (int, float) or node in place.neutral:
        return
    if node in place.vanishing and node.value == 0:
        return
    text = repr(node.value)
    if "e" in text or "inf" in text or "nan" in text:
        yield [(node, ast.Constant(node.value * 2))]
        return
    digits = len(text.partition(".")[2])
    yield [(node, ast.Constant(round(node.value + 10**-digits, digits) if digits else node.value + 1))]


def slice_moved(place: Place, node: ast.AST) -> Iterator[Edit]:
    """``x[2:-1]`` for ``x[1:-1]``."""
    if not isinstance(node, ast.Slice):
        return
    for bound in (node.lower, node.upper):
        if bound is not None:
            moved = ast.BinOp(bound, ast.Add() if bound is node.lower else ast.Sub(), ast.Constant(1))
            yield [(bound, moved)]


def select_swapped(place: Place, node: ast.AST) -> Iterator[Edit]:
    """``np.where(m, b, a)`` for ``np.where(m, a, b)``."""
    if isinstance(node, ast.Call) and is_call("where", 3, node):
        mask, a, b = node.args
        yield [(node, ast.Call(node.func, [mask, b, a], []))]


def select_lost(place: Place, node: ast.AST) -> Iterator[Edit]:
    """``a`` for ``np.where(m, a, b)``: every lane is stored; a neutral operand is no select."""
    if (
        isinstance(node, ast.Call)
        and is_call("where", 3, node)
        and not isinstance(node.args[2], ast.Constant)
    ):
        yield [(node, node.args[1])]


def mask_wrong(place: Place, node: ast.AST) -> Iterator[Edit]:
    """``np.where(~m, a, b)`` for ``np.where(m, a, b)``."""
    if isinstance(node, ast.Call) and is_call("where", 3, node):
        yield [(node.args[0], ast.UnaryOp(ast.Invert(), node.args[0]))]


def cast_lost(place: Place, node: ast.AST) -> Iterator[Edit]:
    """``a`` for ``a.astype(...)`` and ``np.float32(a)``."""
    if not isinstance(node, ast.Call):
        return
    name = ast.unparse(node.func)
    if name.endswith(".astype") and isinstance(node.func, ast.Attribute):
        yield [(node, node.func.value)]
    if name.startswith(("np.float", "np.int", "np.uint", "np.complex")) and len(node.args) == 1:
        yield [(node, node.args[0])]


def copy_lost(place: Place, node: ast.AST) -> Iterator[Edit]:
    """``a`` for ``a.copy()``."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "copy":
        yield [(node, node.func.value)]


def count_lost(place: Place, node: ast.AST) -> Iterator[Edit]:
    """A mean that is not divided by the number of selected lanes."""
    if not isinstance(node, ast.BinOp):
        return
    if isinstance(node.op, ast.Div) and "np.sum(" in ast.unparse(node.right):
        yield [(node, node.left)]


_OTHER = {
    "sum": "mean",
    "mean": "sum",
    "max": "min",
    "min": "max",
    "any": "all",
    "all": "any",
    "maximum": "minimum",
    "minimum": "maximum",
    "sin": "cos",
    "cos": "sin",
    "exp": "expm1",
    "hypot": "maximum",
    "masked_min": "masked_max",
    "masked_max": "masked_min",
    "std": "var",
    "cumsum": "cumprod",
    "prod": "sum",
    "logical_and": "logical_or",
}


def other_function(place: Place, node: ast.AST) -> Iterator[Edit]:
    """``max`` for ``min``, ``cos`` for ``sin`` and so on."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return
    masked = node.func.attr.startswith("masked_")
    if node.func.attr in _OTHER and (masked or ast.unparse(node.func.value) != "npr"):
        other = ast.Attribute(node.func.value, _OTHER[node.func.attr], ast.Load())
        yield [(node, ast.Call(other, node.args, node.keywords))]


def other_part(place: Place, node: ast.AST) -> Iterator[Edit]:
    """The imaginary part of a pair for its real one."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and _part(place, node, "_re"):
        yield [(node, expression(f"{node.id[:-3]}_im"))]


def _part(place: Place, node: ast.Name, ending: str) -> bool:
    return node.id.endswith(ending) and node not in place.vanishing


def imaginary_part_lost(place: Place, node: ast.AST) -> Iterator[Edit]:
    """The imaginary part of a pair is taken for 0."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and _part(place, node, "_im"):
        yield [(node, expression(f"({node.id} * 0)"))]


def stale_array(place: Place, node: ast.AST) -> Iterator[Edit]:
    """The value that a parameter of the step had at its start, where it was bound anew since."""
    if not place.is_step or not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
        return
    first = next(each for each in place.function.body if not isinstance(each, ast.Expr))
    changed = [each for each in place.function.body if node.id in stored(each)]
    if node.id in place.parameters and changed and changed[0].end_lineno < node.lineno:  # type: ignore[operator]
        yield [(first, [*statement(f"stale = {node.id}.copy()"), first]), (node, expression("stale"))]


_STRICTER: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
}
_REVERSED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt,
    ast.LtE: ast.GtE,
    ast.Gt: ast.Lt,
    ast.GtE: ast.LtE,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}

EXPRESSIONS: dict[str, Operator] = {
    "comparison strict or not": _comparison(_STRICTER),
    "comparison reversed": _comparison(_REVERSED),
    "sign of a term": binary({ast.Add: ast.Sub, ast.Sub: ast.Add}),
    "product for a sum": binary({ast.Mult: ast.Add, ast.Div: ast.Mult}),
    "| for &": binary({ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitOr}),
    "operands swapped": swapped_operands,
    "negation lost": negation_lost,
    "constant changed": constant_changed,
    "slice off by one": slice_moved,
    "select swapped": select_swapped,
    "select lost": select_lost,
    "mask wrong": mask_wrong,
    "cast lost": cast_lost,
    "copy lost": copy_lost,
    "mean without count": count_lost,
    "other function": other_function,
    "other part": other_part,
    "imaginary part lost": imaginary_part_lost,
    "stale array": stale_array,
}

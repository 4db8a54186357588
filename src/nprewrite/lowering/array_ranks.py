"""How many axes an expression has in lowered code: 0 for a number, or if its parts do not tell."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import get_args

import numpy as np

from nprewrite.base.syntax import children, is_ellipsis, is_new_axis, items_of
from nprewrite.lowering.access import Access
from nprewrite.lowering.draws import Source
from nprewrite.lowering.held_lists import held_by
from nprewrite.lowering.problems import NotNative
from nprewrite.lowering.values import Value
from nprewrite.numpy_api.creation import CREATION
from nprewrite.numpy_api.effects import changes_its_array
from nprewrite.numpy_api.elementwise import ALIASES, ELEMENTWISE
from nprewrite.numpy_api.functions import array_function
from nprewrite.numpy_api.methods import METHODS
from nprewrite.numpy_api.random import drawing, native_drawing
from nprewrite.numpy_api.record import Picked, Reduced
from nprewrite.numpy_api.scipy import is_lowered

REDUCTIONS = frozenset((*get_args(Reduced), *get_args(Picked)))
"""The lowerings of functions that reduce axes."""
_DRAWN_FOR_EACH = (
    *("span", "normal", "exponential", "events"),
    *("gamma", "standard gamma", "chi square", "beta"),
)
"""What is drawn for an array of parameters as one number after the other; bounded integers are not."""
SPREADS = ("variance", "deviation")
"""Those that take ``ddof``."""


def native(name: str) -> str:
    """How a function or method of arrays (``sum``, ``linalg.norm``) is lowered; empty if it is not."""
    of_arrays = METHODS.get(name) or CREATION.get(name) or array_function(name)
    record = of_arrays or ELEMENTWISE.get(ALIASES.get(name, name))
    return record.native if record is not None else ""


def named(walk: Access, node: ast.Call) -> tuple[str | None, list[ast.expr]]:
    """The name of a function of NumPy, and its arguments; a method's object is the first."""
    function = node.func
    if isinstance(function, ast.Attribute) and _is_method(function.attr) and rank(walk, function.value):
        return function.attr, [function.value, *node.args]
    dotted = walk.resolve(function) or ""
    known = dotted.startswith("numpy.") or dotted == "builtins.abs"
    return (dotted.partition(".")[2] if known else None), [*node.args]


def _is_method(name: str) -> bool:
    return hasattr(np.ndarray, name) and native(name) != "" and not changes_its_array(name)


def axis_of(arguments: Sequence[ast.expr], node: ast.Call, *, also: str = "") -> ast.expr | None:
    """The axis over which a reduction is asked for; None for all axes. It may have one more argument."""
    if len(arguments) > 2 or any(each.arg not in ("axis", also) for each in node.keywords):
        raise NotNative("unknown-call", f"`{ast.unparse(node)}` is followed with an axis only", node)
    given = [*arguments[1:], *(each.value for each in node.keywords if each.arg == "axis")]
    if not given or (isinstance(given[0], ast.Constant) and given[0].value is None):
        return None
    return given[0]


def rank(walk: Access, node: ast.expr) -> int:
    match node:
        case ast.Name():
            held = walk.held(node.id)
            return len(held.lengths or ()) if held is not None else 0
        case ast.Attribute(attr="T"):
            return rank(walk, node.value)
        case ast.Subscript():
            return _of_part(walk, node)
        case ast.Call():
            return _of_call(walk, node)
        case ast.BinOp(op=ast.MatMult()):
            return _of_product(rank(walk, node.left), rank(walk, node.right))
        case ast.BinOp() if is_with_list(walk, node):
            return max(rank(walk, node.left), rank(walk, node.right), 1)
        case ast.BinOp() | ast.UnaryOp() | ast.Compare():
            parts = (each for each in children(node) if isinstance(each, ast.expr))
            return max(rank(walk, each) for each in parts)
        case ast.IfExp():
            return max(rank(walk, node.body), rank(walk, node.orelse))
    return 0


def is_with_list(walk: Access, node: ast.BinOp) -> bool:
    """Whether an operand is a list of which NumPy makes an array: the other is an array, or its number.

    A number repeats a list, or raises where it is a float.
    """
    pairs = ((node.left, node.right), (node.right, node.left))
    others = [other for each, other in pairs if held_by(walk, each) is not None]
    of_numbers = not isinstance(node.op, ast.Mult)
    return any(rank(walk, each) or (of_numbers and _is_float_of_numpy(walk, each)) for each in others)


def _is_float_of_numpy(walk: Access, node: ast.expr) -> bool:
    value = walk.environment.get(node.id) if isinstance(node, ast.Name) else None
    if not isinstance(value, Value):
        return False
    return all(not each.weak and each.dtype.kind == "f" for each in value.codes)


def _of_part(walk: Access, node: ast.Subscript) -> int:
    """The axes from which no number picks an element, and new ones."""
    if is_first_positions(walk, node):
        return 1
    whole = rank(walk, node.value)
    if not whole:
        return 0
    found = items_of(node)
    if len(found) == 1 and is_mask(walk, found[0]):
        return 1
    axes = (each for each in found if not is_new_axis(each) and not is_ellipsis(each))
    plain = [each for each in axes if not isinstance(each, ast.Slice)]
    gone = sum(not rank(walk, each) for each in plain)
    return max(whole - gone + sum(map(is_new_axis, found)), 0)


def is_first_positions(walk: Access, node: ast.Subscript) -> bool:
    """Whether it is ``np.where(test)[0]``, or another axis of what such functions find."""
    if not isinstance(node.value, ast.Call) or not isinstance(node.slice, ast.Constant):
        return False
    name, arguments = named(walk, node.value)
    if type(node.slice.value) is not int or name is None or len(arguments) != 1 or node.value.keywords:
        return False
    return native(name) in ("found", "chosen") and rank(walk, arguments[0]) > 0


def is_mask(walk: Access, node: ast.expr) -> bool:
    """Whether an index is an array of booleans, which selects elements."""
    match node:
        case ast.Name():
            held = walk.held(node.id)
            return held is not None and held.array.element.dtype.kind == "b"
        case ast.Compare():
            return rank(walk, node) > 0
        case ast.UnaryOp(op=ast.Invert(), operand=inner):
            return is_mask(walk, inner)
        case ast.BinOp(op=ast.BitAnd() | ast.BitOr() | ast.BitXor(), left=one, right=other):
            return is_mask(walk, one) or is_mask(walk, other)
    return False


def _of_product(left: int, right: int) -> int:
    return left + right - 2 if left and right else 0


def drawn_size(walk: Access, node: ast.Call) -> ast.expr | None:
    """The shape of the array that a call draws; None for a number, and for other calls."""
    found = walk.source(node) if walk.drawer is not None else None
    if found is None or found[0].of == "python":
        return None
    rest = node.args[len(before_size(node, *found)) :]
    record = drawing(found[1], found[0].of)
    if record is None or (len(rest) > 1 and record.size is not None):
        return None
    given = [*rest, *(each.value for each in node.keywords if each.arg == "size")]
    if not given or (isinstance(given[0], ast.Constant) and given[0].value is None):
        return None
    return given[0] if record.size is not None else ast.Tuple(given, ast.Load())


def before_size(node: ast.Call, source: Source, name: str) -> list[ast.expr]:
    """The arguments of a call that draws, up to the size; all where there is no argument for a size."""
    record = drawing(name, source.of)
    return node.args if record is None else node.args[: record.size or 0]


def _draws_for_each(walk: Access, node: ast.Call) -> bool:
    """Whether it draws a number for each element of its parameters, or only one if these are numbers."""
    found = walk.source(node) if walk.drawer is not None else None
    if found is None or found[0].of == "python" or not (node.args or node.keywords):
        return False
    return native_drawing(found[1], found[0].of)[0] in _DRAWN_FOR_EACH


def is_of_scipy(walk: Access, node: ast.Call) -> bool:
    """Whether a call applies a function of SciPy to the elements of arrays."""
    return is_lowered(walk.resolve(node.func)) and any(rank(walk, each) for each in _given(node))


def _given(node: ast.Call) -> list[ast.expr]:
    return [*node.args, *(each.value for each in node.keywords)]


def _of_call(walk: Access, node: ast.Call) -> int:
    size = drawn_size(walk, node)
    if size is not None:
        return _of_shape(walk, size)
    if _draws_for_each(walk, node):
        return max(rank(walk, each) for each in _given(node))
    if is_of_scipy(walk, node):
        return max(rank(walk, each) for each in _given(node))
    name, arguments = named(walk, node)
    if name is None:
        return 0
    ranks = [rank(walk, each) for each in arguments]
    match native(name), arguments:
        case (("counted" | "spaced" | "in a row"), _):
            return 1
        case (("identity" | "pairs"), _):
            return 2
        case (("traced" | "norm" | "middle" | "trues" | "determinant"), _):
            return 0
        case (("running" | "repeated" | "positions"), _):
            return 1
        case "joined", _:
            return _of_joined(walk, name, arguments)
        case (("rolled" | "turned" | "differences" | "interpolated"), _):
            return ranks[0]
        case "insertion", [_, _, *_]:
            return ranks[1]
        case "filled", [shape, *_]:
            return _of_shape(walk, shape)
        case "copied", [ast.List() | ast.Tuple() as display, *_]:
            return _depth(display)
        case "copied", [ast.Name() as given] if held_by(walk, given) is not None:
            return 1
        case "product", [_, _]:
            return _of_product(*ranks)
        case "solution", [_, _]:
            return ranks[1]
        case kind, _ if kind in REDUCTIONS:
            axis = axis_of(arguments, node, also="ddof" if kind in SPREADS else "")
            return max([*ranks, 1]) - 1 if axis is not None else 0
    return max(ranks, default=0)


def _of_joined(walk: Access, name: str, arguments: Sequence[ast.expr]) -> int:
    """The axes of what is made of several arrays; 0 where none is known to be one."""
    parts = arguments
    if name != "append":
        parts = arguments[0].elts if arguments and isinstance(arguments[0], ast.Tuple | ast.List) else []
    most = max((rank(walk, each) for each in parts), default=0)
    if not most:
        return 0
    return most + 1 if name == "stack" else max(most, 2 if name in ("vstack", "column_stack") else 1)


def _of_shape(walk: Access, node: ast.expr) -> int:
    lengths = walk.shape(node)
    if lengths is not None:
        return len(lengths)
    return len(node.elts) if isinstance(node, ast.Tuple | ast.List) else 1


def _depth(node: ast.expr) -> int:
    """How deep the displays of numbers are nested."""
    if not isinstance(node, ast.List | ast.Tuple):
        return 0
    return 1 + max((_depth(each) for each in node.elts), default=0)

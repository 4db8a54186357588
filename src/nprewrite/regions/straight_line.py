"""What must be known of a masked store outside a step, where no guard checks its arrays."""

from __future__ import annotations

import ast
from collections.abc import Sequence

import numpy as np

from nprewrite.analysis.elementwise_steps import DIVISIONS
from nprewrite.analysis.stores import Store
from nprewrite.base.syntax import name_nodes, walk
from nprewrite.numpy_api.elementwise import ELEMENTWISE, OPERATORS, elementwise
from nprewrite.program.function import Function
from nprewrite.types.expressions import MaskedAccess
from nprewrite.types.problems import Problem
from nprewrite.types.values import Array, Scalar

_WITH_DTYPE = "convert it first, with its dtype: `A = np.asarray(A, dtype=...)`"


def masked_reads(statement: ast.stmt, function: Function) -> list[ast.Subscript]:
    """The selections that a statement reads."""
    masked = function.facts.expressions.masked
    inner = [each for each in walk(statement) if isinstance(each, ast.Subscript) and each in masked]
    return [each for each in inner if isinstance(each.ctx, ast.Load)]


def straight_line_problem(
    statement: Store, target: ast.Subscript, loops: tuple[ast.stmt, ...], function: Function
) -> Problem | None:
    """Why a store is refused: what a step's guards would check at run time must be known here."""
    access = function.facts.expressions.masked[target]
    believed = _believed([target, target.slice, statement.value], function)
    if believed is not None:
        text = f"`{ast.unparse(believed)}` may be of another dtype or of a subclass of ndarray"
        return Problem("not-plain-array", text, statement, help=_WITH_DTYPE)
    if loops:
        return Problem("loop-not-extracted", "the loop around it is not rewritten", statement)
    unclear = function.names.unclear_numpy(function.node)
    if unclear is not None:
        return Problem("name-unclear", f"`{unclear}` may not be NumPy here", statement)
    for read in [target, *masked_reads(statement, function)]:
        problem = _shape_problem(read, access, function)
        if problem is not None:
            return problem
    unproved = next((each for each in _scalars(statement, function) if not _is_scalar(each, function)), None)
    if unproved is not None:
        text = f"nothing proves that `{ast.unparse(unproved)}` is a number and no array"
        return Problem("shape-unknown", text, statement)
    number = next((each for each in _scalars(statement, function) if _may_be_numpys(each, function)), None)
    if number is not None and isinstance(statement, ast.AugAssign) and access.array.dtype.kind in "iu":
        text = f"`{number.id}` may be one of NumPy's integers, and NumPy could not cast the result"
        return Problem("cast-raises", text, statement)
    if _divides_integers(statement, function):
        text = "a divisor of 0 in an element that is not selected could raise under np.errstate"
        return Problem("floating-point-flags", text, statement)
    value, computes = function.facts.value(statement.value), computes_floats(statement, access, function)
    # Where floats become integers, nan and large values in unselected lanes set a flag.
    casts = isinstance(value, Array) and value.dtype.kind in "fc" and access.array.dtype.kind in "iub"
    if casts or (computes and _may_set_flags(statement, access, function)):
        text = "elements that are not selected could raise under np.errstate"
        return Problem("floating-point-flags", text, statement)
    return None


def _believed(nodes: Sequence[ast.expr], function: Function) -> ast.expr | None:
    """An array among the nodes or in them whose type is only an annotation's, and which no guard checks."""
    values = function.facts.expressions.values
    inner = name_nodes(*nodes)
    return next((each for each in inner if isinstance(v := values.get(each), Array) and v.assumed), None)


def _shape_problem(read: ast.Subscript, access: MaskedAccess, function: Function) -> Problem | None:
    """Why the mask does not select from the first axes of what is read, an array like the one stored into."""
    array, mask = function.facts.expressions.masked[read].array.shape, access.mask.shape
    stored = access.array.shape
    text = f"`{ast.unparse(read)}`"
    unknown = Problem("shape-unknown", f"the shapes in {text} are not known to fit", read)
    if isinstance(array, tuple) and isinstance(mask, tuple) and isinstance(stored, tuple):
        numbers = all(isinstance(axis, int) for axis in (*array, *mask, *stored))
        fits = array == stored and array[: len(mask)] == mask
        if (len(array) != len(stored) or numbers) and not fits:
            seen = (
                f"mask, array and target have shapes {mask}, {array} and {stored}"
                if numbers
                else f"mask, array and target have {len(mask)}, {len(array)} and {len(stored)} axes"
            )
            return Problem("shape-mismatch", f"{text}: {seen}", read)
    if array is None or mask is None or array != stored:
        return unknown
    if array == mask:
        return None
    if not isinstance(array, tuple) or not isinstance(mask, tuple):
        return unknown
    if len(mask) < len(array) and array[: len(mask)] == mask:
        return None
    return Problem(
        "shape-mismatch", f"{text}: the axes of the mask are not the first axes of the array", read
    )


def _scalars(statement: ast.stmt, function: Function) -> list[ast.Name]:
    names = [each for each in name_nodes(statement) if isinstance(each.ctx, ast.Load)]
    return [each for each in names if isinstance(function.facts.expressions.values.get(each), Scalar)]


def _is_scalar(node: ast.Name, function: Function) -> bool:
    value = function.facts.value(node)
    return isinstance(value, Scalar) and value.proven


def _may_be_numpys(node: ast.Name, function: Function) -> bool:
    """Whether what is annotated as an ``int`` may be an ``np.int64``, which other integers do not absorb."""
    value = function.facts.value(node)
    return isinstance(value, Scalar) and (value.kind, value.dtype, value.constant) == ("int", None, None)


def computes_floats(statement: Store, access: MaskedAccess, function: Function) -> bool:
    """Whether the stored value is computed with floating point from selected elements."""
    arithmetic = [
        each for each in walk(statement.value) if isinstance(each, ast.BinOp | ast.UnaryOp | ast.Call)
    ]
    values = [function.facts.expressions.values.get(each) for each in arithmetic]
    if isinstance(statement, ast.AugAssign):
        values.append(access.array)
    return any(isinstance(value, Array) and value.dtype.kind in "fc" for value in values)


def _divides_integers(statement: Store, function: Function) -> bool:
    """Whether integers are divided for the stored value."""
    nodes = [each for each in walk(statement.value) if isinstance(each, ast.expr)]
    values, loops = function.facts.expressions.values, function.facts.expressions.loops
    divided = [each for each in nodes if _operation(each, function) in DIVISIONS]
    arrays = [each for each in divided if isinstance(values.get(each), Array)]
    return any(loops[each][0].kind in "iu" for each in arrays if each in loops)


def _operation(node: ast.expr, function: Function) -> str:
    """The ufunc that a node calls, by operator or by name."""
    if isinstance(node, ast.BinOp):
        return OPERATORS.get(type(node.op).__name__, "")
    found = elementwise(function.dotted(node.func)) if isinstance(node, ast.Call) else None
    return found[0] if found else ""


def _may_set_flags(statement: Store, access: MaskedAccess, function: Function) -> bool:
    """Whether the value, computed from ones, sets a floating-point flag."""
    try:
        with np.errstate(all="raise"):
            _stored_of_ones(statement, access, function)
    except (FloatingPointError, ValueError, TypeError, KeyError):
        return True
    return False


def _stored_of_ones(statement: Store, access: MaskedAccess, function: Function) -> np.ndarray | complex:
    value = _of_ones(statement.value, function)
    if isinstance(statement, ast.Assign):
        return value
    return np.asarray(_ufunc(statement.op)(np.ones(1, access.array.dtype), value))


def _ufunc(operator: ast.operator | ast.unaryop) -> np.ufunc:
    return ELEMENTWISE[OPERATORS[type(operator).__name__]].ufunc


def _of_ones(node: ast.expr, function: Function) -> np.ndarray | complex:
    """The value of a lanewise expression where every element is 1; ``KeyError`` where it needs a variable."""
    value = function.facts.value(node)
    if isinstance(value, Scalar) and value.constant is not None:
        return value.constant
    if not isinstance(value, Array):
        raise KeyError(ast.unparse(node))
    match node:
        case ast.BinOp():
            ufunc, operands = _ufunc(node.op), [node.left, node.right]
        case ast.UnaryOp():
            ufunc, operands = _ufunc(node.op), [node.operand]
        case ast.Call() if found := elementwise(function.dotted(node.func)):
            ufunc, operands = found[1].ufunc, [*node.args]
        case _:
            return np.ones(1, value.dtype)
    return np.asarray(ufunc(*[_of_ones(each, function) for each in operands]))

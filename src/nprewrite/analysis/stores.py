"""Does a select or a cast compute the same as a store through a mask or into a whole array?"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

import numpy as np

from nprewrite.analysis.lanewise import UNKNOWN_CODES, expression_problem
from nprewrite.analysis.mask_syntax import maybe_mask
from nprewrite.numpy_api.elementwise import COMPILED_DTYPES
from nprewrite.program.function import Function
from nprewrite.types.expressions import MaskedAccess
from nprewrite.types.problems import Problem
from nprewrite.types.values import MAYBE_NUMBERS, Array, Scalar, Unknown, Value

Store = ast.Assign | ast.AugAssign


def masked_target(statement: ast.stmt, function: Function) -> ast.Subscript | None:
    """The target of ``A[m] = v`` or ``A[m] op= v`` where the index may be a mask."""
    match statement:
        case ast.AugAssign() | ast.Assign(targets=[ast.Subscript()]):
            return next(masked_targets(statement, function), None)
    return None


def masked_targets(statement: ast.stmt, function: Function) -> Iterator[ast.Subscript]:
    """The targets of a statement, also of ``A[m] = B[m] = v``, whose index may be a mask."""
    targets: list[ast.expr] = []
    if isinstance(statement, ast.Assign):
        targets = statement.targets
    elif isinstance(statement, ast.AugAssign | ast.AnnAssign):
        targets = [statement.target]
    masked = function.facts.expressions.masked
    for target in (each for outer in targets for each in _parts(outer)):
        if isinstance(target, ast.Subscript) and (
            target in masked or target.value in masked or _looks_masked(target, function)
        ):
            yield target


def _parts(target: ast.expr) -> Iterator[ast.expr]:
    """The targets inside ``a, *b = ...``."""
    if isinstance(target, ast.Tuple | ast.List):
        yield from (part for each in target.elts for part in _parts(each))
    else:
        yield target.value if isinstance(target, ast.Starred) else target


def _looks_masked(target: ast.Subscript, function: Function) -> bool:
    """Whether an index that is not known to be a mask may be one, or is any array."""
    if isinstance(target.slice, ast.Slice | ast.Constant):
        return False
    if isinstance(target.slice, ast.Tuple):
        values = map(function.facts.value, target.slice.elts)
        return any(isinstance(each, Array) and each.dtype == np.bool_ for each in values)
    if isinstance(target.slice, ast.Call) and isinstance(function.facts.value(target.value), Array):
        return True
    return isinstance(function.facts.value(target.slice), Array) or maybe_mask(target, function)


def store_problem(
    statement: Store, target: ast.Subscript, function: Function, whole: bool = False
) -> Problem | None:
    """Why ``A[m] = v`` is not a select, apart from shapes; None when it is one."""
    facts = function.facts
    access = facts.expressions.masked.get(target)
    if isinstance(target.value, ast.Subscript):
        return Problem("second-index", "the store goes through two subscripts", target)
    if not isinstance(target.value, ast.Name):
        return Problem("not-local", f"`{ast.unparse(target.value)}` is not a local variable", target.value)
    if not function.is_local(target.value.id):
        return Problem("not-local", f"`{target.value.id}` is not local to the function", target.value)
    if access is None:
        return _unknown_target(target, function)
    if access.array.dtype.name not in COMPILED_DTYPES:
        return Problem("dtype-unsupported", f"`{target.value.id}` has dtype {access.array.dtype}", target)
    if access.array.under is not None:
        return Problem("second-index", f"`{target.value.id}` is itself a selection", target)
    problem = expression_problem(target.slice, function, None, whole) or expression_problem(
        statement.value, function, access.key, whole
    )
    return problem or _cast_problem(statement, access, function)


def _unknown_target(target: ast.Subscript, function: Function) -> Problem:
    value, index = function.facts.value(target.value), function.facts.value(target.slice)
    name = ast.unparse(target.value)
    if isinstance(target.slice, ast.Tuple):
        return Problem("second-index", f"`{ast.unparse(target)}` is indexed by more than a mask", target)
    if isinstance(value, Unknown):
        code = next(
            (code for words, code in UNKNOWN_CODES.items() if words in value.because), "dtype-unknown"
        )
        return Problem(code, f"the dtype of `{name}` is not known: {value.because}", target, value.parameter)
    unclear = function.names.unclear_numpy(function.node)
    if isinstance(index, Unknown) and unclear is not None:
        return Problem("name-unclear", f"`{unclear}` may not be NumPy here", target)
    if isinstance(index, Unknown):
        text = f"`{ast.unparse(target.slice)}` may be a mask: {index.because}"
        return Problem("dtype-unknown", text, target, index.parameter)
    if isinstance(index, Array):
        text = f"the index `{ast.unparse(target.slice)}` has dtype {index.dtype}, so it picks positions"
        return Problem("mask-not-bool", text, target)
    return Problem("second-index", f"`{ast.unparse(target)}` is indexed by more than a mask", target)


def _cast_problem(statement: Store, access: MaskedAccess, function: Function) -> Problem | None:
    """What NumPy's assignment would do with the value: raise, wrap or convert."""
    target = access.array.dtype
    if isinstance(statement, ast.AugAssign):
        return augmented_problem(statement, target, access.key, function)
    return assignment_problem(function.facts.value(statement.value), target, statement.value)


def augmented_problem(
    statement: ast.AugAssign, target: np.dtype[np.generic], key: str | None, function: Function
) -> Problem | None:
    """Why ``A op= v`` on an array of dtype ``target`` raises, or means something else when compiled."""
    if isinstance(statement.op, ast.FloorDiv | ast.Mod | ast.LShift | ast.RShift | ast.MatMult):
        return Problem("may-raise", "the operation gives another result when compiled", statement)
    value = function.facts.value(statement.value)
    literal = value.constant if isinstance(value, Scalar) else None
    if isinstance(statement.op, ast.Pow) and not (type(literal) is int and literal >= 0):
        return Problem("may-raise", "integers to a negative power raise", statement)
    operands = [Array(target, under=key), value]
    result = function.facts.expressions.binary(type(statement.op).__name__, operands)
    if isinstance(result, Array) and np.can_cast(result.dtype, target, "same_kind"):
        return None
    return Problem("cast-raises", "NumPy cannot cast the result to the array's dtype", statement)


def assignment_problem(value: Value, target: np.dtype[np.generic], node: ast.expr) -> Problem | None:
    """Why storing ``value`` into an array of dtype ``target`` is not a plain cast."""
    text = ast.unparse(node)
    if isinstance(value, Array):
        if value.dtype.kind == "c" and target.kind != "c":
            return Problem(
                "cast-raises", f"storing complex `{text}` into {target} drops imaginary parts", node
            )
        return None
    if not isinstance(value, Scalar):
        return Problem("dtype-unknown", f"`{text}` is not known", node, getattr(value, "parameter", None))
    if value.kind == "complex" and target.kind != "c":
        return Problem("cast-raises", f"storing complex `{text}` into {target} raises TypeError", node)
    if value.constant is not None:
        return _literal_problem(value.constant, target, text, node)
    if value.kind == "float" and target.kind in "iub":
        return Problem("value-out-of-range", f"`{text}` may be nan or out of the range of {target}", node)
    return None


def number_problem(
    statement: Store, target: ast.Subscript, function: Function, bound: Collection[str]
) -> Problem | None:
    """Why ``A[1:] = v`` or ``A[1] op= v`` may store a number for which NumPy raises, where torch casts it.

    NumPy stores a number into signed integers as ``int(number)``, while arrays wrap around. ``bound`` are the
    names that the step binds; the other arrays that it takes have axes.
    """
    array, value = function.facts.value(target.value), function.facts.value(statement.value)
    assert isinstance(array, Array)
    stored = [statement.value]
    if isinstance(statement, ast.AugAssign):
        value = function.facts.expressions.binary(type(statement.op).__name__, [array, value])
        stored.append(target)
    dtype = value.dtype if isinstance(value, Array | Scalar) else None
    if dtype is None or array.dtype.kind != "i" or np.can_cast(dtype, array.dtype):
        return None
    if not all(_may_be_number(each, function, bound) for each in stored):
        return None
    text = f"`{ast.unparse(statement.value)}` may be a number of {dtype} that {array.dtype} cannot hold"
    return Problem("value-out-of-range", text, statement)


def _may_be_number(node: ast.expr, function: Function, bound: Collection[str]) -> bool:
    """Whether a value may have no axes."""
    value = function.facts.value(node)
    if not isinstance(value, Array):
        return True
    if value.rank is not None or value.shape is None:
        return not value.rank
    if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.MatMult):
        return all(_may_be_number(each, function, bound) for each in (node.left, node.right))
    is_taken = isinstance(node, ast.Name) and node.id not in bound
    return not is_taken and any(word in value.shape for word in MAYBE_NUMBERS)


def _literal_problem(
    literal: object, target: np.dtype[np.generic], text: str, node: ast.expr
) -> Problem | None:
    probe = np.zeros(1, target)
    try:
        with np.errstate(all="ignore"):
            probe[...] = literal
    except (OverflowError, ValueError, TypeError) as error:
        return Problem("value-out-of-range", f"`{text}` into {target}: {error}", node)
    return None

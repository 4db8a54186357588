"""What a step of whole arrays may contain: slices, reductions, shifts, matrix products."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from nprewrite.analysis.made_arrays import is_position, length_problem, made, making_problem, models
from nprewrite.base.syntax import items_of, name_nodes, names_in, walk
from nprewrite.numpy_api.functions import array_function
from nprewrite.numpy_api.linear_algebra import MATRIX_PRODUCTS
from nprewrite.numpy_api.record import ArrayFunction
from nprewrite.numpy_api.reductions import REDUCTIONS
from nprewrite.program.function import Definition, Function
from nprewrite.source.kept import kept
from nprewrite.types import array_functions
from nprewrite.types.problems import Problem
from nprewrite.types.values import Array, DtypeValue, Scalar, Value

_SEQUENCES = ast.Tuple | ast.List
_POSITIONS = frozenset([np.dtype("int32"), np.dtype("int64")])


def takes_whole_arrays(call: ast.Call, function: Function) -> bool:
    """Whether a call is of a function that computes an element from elements at other places."""
    name = function_name(call, function)
    # `x.copy()` keeps a selection, and `np.where(m, x, y)` is a select.
    elementwise = (name == "copy" and _is_method(call, function)) or (name == "where" and len(call.args) == 3)
    return not elementwise and (made(call, function) is not None or array_function(name) is not None)


def operands(call: ast.Call, function: Function) -> list[ast.expr]:
    """The arrays that such a function takes."""
    making = made(call, function)
    if making is not None:
        return models(call, making, function)
    name = function_name(call, function)
    every = [*call.args[1:]] if name == "einsum" else [*call.args]
    if isinstance(call.func, ast.Attribute) and _is_method(call, function):
        every = [call.func.value, *every]
    line = array_function(name)
    if line is None or line.arrays == 1 or not every:
        return every if line is not None and line.takes_numbers else every[:1]
    if line.arrays > 1:
        return every if name == "einsum" else every[: line.arrays]
    return [*every[0].elts] if isinstance(every[0], _SEQUENCES) else every[:1]


def keeps_shape(call: ast.Call, function: Function) -> bool:
    """Whether the result of such a function has the shape of the array that it takes."""
    line, making = array_function(function_name(call, function)), made(call, function)
    return (making is not None and making.rule == "like") or (line is not None and line.keeps_shape)


def changes_shape(value: ast.expr, name: str, function: Function) -> bool:
    """Whether a value joins, repeats or turns the whole array ``name``: ``np.append(x, y)``, ``x.T``."""
    calls = [each for each in walk(value) if isinstance(each, ast.Call)]
    lines = [(each, array_function(function_name(each, function))) for each in calls]
    changed = [each for each, line in lines if line is not None and line.changes_shape]
    taken = [operand for each in changed for operand in operands(each, function)]
    if any(isinstance(each, ast.Name) and each.id == name for each in taken):
        return True
    after, reads = function.facts.value(value), (each for each in name_nodes(value) if each.id == name)
    return any(_is_turned(function.facts.value(each), after) for each in reads)


def _is_turned(before: Value | None, after: Value | None) -> bool:
    """Whether an array has the axes of another one in another order."""
    if not isinstance(before, Array) or not isinstance(after, Array) or not before.shape or not after.shape:
        return False
    one, other = [*map(str, before.shape)], [*map(str, after.shape)]
    return one != other and sorted(one) == sorted(other)


def is_true_view(call: ast.Call, function: Function) -> bool:
    """Whether a function always gives a view of its array, and torch does as well."""
    line = array_function(function_name(call, function))
    return line is not None and line.view in ("", "always")


def call_problem(call: ast.Call, function: Function) -> Problem | None:
    """Why a call of such a function does not become part of a step."""
    text = ast.unparse(call)
    making = made(call, function)
    if making is not None:
        return making_problem(call, making, function)
    line = array_function(function_name(call, function))
    assert line is not None
    if not line.compiled:
        return Problem("stays-in-numpy", f"`{text}`: {line.because}", call)
    numbers = call.args[1:] if line.takes_numbers else []
    taken = [each for each in operands(call, function) if each not in numbers]
    result = function.facts.value(call)
    values = [function.facts.value(each) for each in taken]
    if _reduces_a_number(call, line, values, function):
        return None
    arrays = [each for each in values if isinstance(each, Array)]
    number = isinstance(result, Scalar) and result.dtype is None
    outer = is_outer(call, function)
    mixed = (line.arrays == 0 or outer) and len({each.dtype for each in arrays}) > 1
    product = bool(factors(call, function))
    fits = all(
        each.dtype.kind in line.kinds or (product and _is_factor(each)) or widens_to_float(each, call, line)
        for each in arrays
    )
    if len(arrays) < len(values):
        return Problem("stays-in-numpy", f"`{text}` takes something that is not an array", call)
    if number or mixed or not fits:
        dtypes = " and ".join(str(getattr(each, "dtype", "unknown")) for each in values)
        return Problem(
            "stays-in-numpy", f"`{text}` of dtype {dtypes} means something else when compiled", call
        )
    if any(line.has_too_many(each.rank) for each in arrays):
        most = f"arrays of at most {line.most_axes} axes"
        return Problem(
            "stays-in-numpy", f"`{text}` means something else when compiled, unless of {most}", call
        )
    strange = next((each for each in numbers if not _is_of_dtype(each, arrays[0], function)), None)
    if strange is not None:
        return Problem("stays-in-numpy", f"`{ast.unparse(strange)}` in `{text}`: {line.because}", call)
    if outer and any(each.rank != 1 for each in arrays):
        return Problem("stays-in-numpy", f"`{text}` is not of two arrays of one axis", call)
    option = _options_problem(call, line, function)
    if option is not None:
        # The call as a whole can be computed before the step; naming its argument would change nothing.
        return replace(option, node=call)
    return _selection_problem(call, taken[0], arrays[0], line)


def is_outer(call: ast.Call, function: Function) -> bool:
    """Whether it is a ufunc's ``outer``, which is the ufunc of a column and a row."""
    return function_name(call, function).endswith(".outer")


def widens_to_float(array: Array, call: ast.Call, line: ArrayFunction) -> bool:
    """Whether NumPy computes a function of integers in float64, which a step has to say."""
    plain = array.under is None and all(each.arg in ("axis", "keepdims") for each in call.keywords)
    return line.in_float64 and plain and array.dtype.kind in "iub" and len(call.args) <= 2


def _reduces_a_number(
    call: ast.Call, line: ArrayFunction, values: Sequence[Value], function: Function
) -> bool:
    """Whether a number that a step computes is reduced once more, and stays: ``np.sum(np.sum(x))``."""
    alone = len(call.args) == 1 and not call.keywords and function_name(call, function) in REDUCTIONS
    value, result = values[0] if alone and values else None, function.facts.value(call)
    if not isinstance(value, Scalar) or value.dtype is None or line.error == "spread":
        return False
    return value.of_array and value.dtype.kind == "f" and result == value


def gives_several(call: ast.expr, function: Function) -> bool:
    """Whether a call that a step may hold may give several new arrays: ``np.meshgrid``, ``np.gradient``."""
    if not isinstance(call, ast.Call):
        return False
    making, line = made(call, function), array_function(function_name(call, function))
    return (making is not None and making.rule == "grid") or (line is not None and line.takes_numbers)


def _is_of_dtype(node: ast.expr, array: Array, function: Function) -> bool:
    """Whether a number is computed with in the dtype of an array, however it is computed before."""
    value = function.facts.value(node)
    if not isinstance(value, Scalar) or value.kind not in ("int", "float"):
        return False
    # A number of Python's is computed with in float64 first.
    plain = array.dtype == np.float64 or array_functions.literal(node) is not None
    return plain if value.dtype is None else value.dtype == array.dtype


def _selection_problem(call: ast.Call, taken: ast.expr, array: Array, line: ArrayFunction) -> Problem | None:
    """Why a function of selected elements does not become part of a step."""
    if array.under is None:
        return None
    if not isinstance(taken, ast.Subscript):
        return Problem("selection-escapes", f"`{ast.unparse(taken)}` holds the selected elements only", call)
    if not line.masked_in_step:
        return Problem("may-raise", f"`{ast.unparse(call)}` raises where nothing is selected", call)
    return None


def _options_problem(call: ast.Call, line: ArrayFunction, function: Function) -> Problem | None:
    """Why the arguments after the arrays are not literals that torch.compile takes as NumPy does."""
    method = _is_method(call, function)
    count = len(call.args) if line.takes_numbers else max(line.arrays, 1) - method
    # `x.transpose(1, 0)` and `x.reshape(2, -1)` take any number of axes and lengths.
    variadic = method and len(line.positions.split()) == 1 and line.options == line.positions
    names = line.positions.split()
    behind = call.args[count:] if function_name(call, function) != "einsum" else []
    for number, each in enumerate(behind):
        name = names[0] if variadic else (names[number] if number < len(names) else "")
        problem = _option_problem(name, each, line, function)
        if problem is not None:
            return problem
    problems = (_option_problem(each.arg or "", each.value, line, function) for each in call.keywords)
    return next((problem for problem in problems if problem is not None), None)


def _option_problem(name: str, node: ast.expr, line: ArrayFunction, function: Function) -> Problem | None:
    word = f"{name}={node.value}" if isinstance(node, ast.Constant) and isinstance(node.value, str) else name
    if not {name, word} & {*line.options.split()}:
        return Problem("stays-in-numpy", f"the argument `{name or ast.unparse(node)}`: {line.because}", node)
    if name == "dtype" and isinstance(function.facts.value(node), DtypeValue):
        return None
    if _is_literal(node):
        return None
    if name == "shape":
        lengths = node.elts if isinstance(node, _SEQUENCES) else [node]
        return next((each for each in (length_problem(one, function) for one in lengths) if each), None)
    text = f"`{ast.unparse(node)}` is not a literal number"
    return Problem("index-not-literal", text, node)


def _is_literal(node: ast.expr) -> bool:
    """``-1``, ``True``, ``None``, ``(0, 1)``."""
    if isinstance(node, _SEQUENCES):
        return all(map(_is_literal, node.elts))
    return isinstance(node, ast.Constant) or array_functions.literal(node) is not None


def factors(node: ast.expr, function: Function) -> list[ast.expr]:
    """The factors of a matrix product of floats; empty for other expressions."""
    if not _is_float(function.facts.value(node)):
        return []
    match node:
        case ast.BinOp(op=ast.MatMult()):
            return [node.left, node.right]
        case ast.Call() if function_name(node, function) in MATRIX_PRODUCTS:
            return operands(node, function)
    return []


def _is_factor(array: Array) -> bool:
    """Whether a step can convert a factor to the dtype of a product of floats, as NumPy does."""
    return array.dtype.kind in "fib" and array.under is None


def _is_float(value: Value) -> bool:
    """Whether a value is an array of floats, or an element of one."""
    return isinstance(value, Array | Scalar) and value.dtype is not None and value.dtype.kind == "f"


def product_problem(node: ast.expr, function: Function) -> Problem | None:
    """Why a matrix product does not become part of a step: only those of floats are fast."""
    values = [function.facts.value(each) for each in factors(node, function)]
    if values and all(isinstance(each, Array) and _is_factor(each) for each in values):
        return None
    return Problem("stays-in-numpy", f"`{ast.unparse(node)}` is not a product of float arrays", node)


def is_reversed(node: ast.Slice) -> bool:
    """Whether a slice may run backwards."""
    step = None if node.step is None else array_functions.literal(node.step)
    return node.step is not None and not (isinstance(step, int) and step > 0)


def has_literal_index(node: ast.Subscript) -> bool:
    """Whether an index is made of literal numbers, slices between such, ``None`` and ``...``."""
    return all(map(_is_literal_index, items_of(node)))


def index_problem(node: ast.Subscript, function: Function) -> Problem | None:
    """Why an index is neither literal nor made of sizes (``u[1:n]``), integers that a step is given."""
    items = items_of(node)
    backwards = any(is_reversed(each) for each in items if isinstance(each, ast.Slice))
    if backwards and isinstance(node.ctx, ast.Store):
        text = f"`{ast.unparse(node)}` stores backwards, which gives another result when compiled"
        return Problem("stays-in-numpy", text, node)
    if all(_is_literal_index(each) or _is_of_sizes(each, function) for each in items):
        return None
    text = f"`{ast.unparse(node.slice)}` in `{ast.unparse(node)}` is not a literal number"
    return Problem("index-not-literal", text, node)


def picks(node: ast.Subscript, positions: Sequence[Value | None], function: Function) -> bool:
    """Whether compiled code picks such elements: it refuses a call with positions that are out of range."""
    array = function.facts.value(node.value)
    real = isinstance(array, Array) and array.dtype.kind in "biuf" and array.under is None
    # To torch, an array of uint8 is a mask.
    return (
        real
        and isinstance(node.ctx, ast.Load)
        and all(isinstance(each, Array) and each.dtype in _POSITIONS for each in positions)
    )


def needs_rank(node: ast.AST, function: Function) -> bool:
    """Whether a node gives an array or a number depending on the number of dimensions of its operands."""
    match node:
        case ast.Subscript():
            return any(is_position(each, function) for each in items_of(node))
        case (
            ast.BinOp(op=ast.MatMult()) | ast.Assign(targets=[ast.Tuple()], value=ast.Attribute(attr="shape"))
        ):
            return True
        case ast.AugAssign(target=ast.Subscript(), op=ast.Add() | ast.Sub()):
            # Whether a sum into a part broadcasts, or raises.
            return True
        case ast.AugAssign(target=target):
            value = function.facts.value(target)
            return isinstance(value, Array | Scalar) and value.dtype is not None and value.dtype.kind == "c"
        case ast.Call():
            return takes_whole_arrays(node, function) and len(node.args) + len(node.keywords) > 0
    return False


def _is_of_sizes(node: ast.expr, function: Function) -> bool:
    """Whether an index is made of integers for each of which there is a graph, as for each shape.

    That is so for a position only where slices end there as well: `u[n + 1]` beside `u[1 : n + 1]`. Others
    may be anywhere at the next call, and a view that is taken before the step serves them all.
    """
    if not isinstance(node, ast.Slice):
        named = names_in(node)
        bounding = is_position(node, function) and named <= _names_in_slices(function.node)
        return bounding and length_problem(node, function) is None
    literal_step = node.step is None or type(array_functions.literal(node.step)) is int
    bounds = [each for each in (node.lower, node.upper) if each is not None]
    return literal_step and all(length_problem(each, function) is None for each in bounds)


@kept
def _names_in_slices(scope: Definition | ast.Module) -> frozenset[str]:
    """The names in the bounds of slices."""
    return frozenset(names_in(*(each for each in walk(scope) if isinstance(each, ast.Slice))))


def _is_literal_index(node: ast.expr) -> bool:
    if isinstance(node, ast.Slice):
        bounds = [each for each in (node.lower, node.upper, node.step) if each is not None]
        return all(type(array_functions.literal(each)) is int for each in bounds)
    if isinstance(node, ast.Attribute):
        return node.attr == "newaxis"
    value = array_functions.literal(node)
    return type(value) is int or (isinstance(node, ast.Constant) and value in (None, Ellipsis))


def _is_method(call: ast.Call, function: Function) -> bool:
    return isinstance(call.func, ast.Attribute) and function.dotted(call.func) is None


def function_name(call: ast.Call, function: Function) -> str:
    """``sum`` of ``x.sum()`` and ``np.sum(x)``; empty for a function that is not NumPy's."""
    if _is_method(call, function) and isinstance(call.func, ast.Attribute):
        return call.func.attr
    dotted = function.dotted(call.func) or ""
    return dotted.removeprefix("numpy.") if dotted.startswith("numpy.") else ""

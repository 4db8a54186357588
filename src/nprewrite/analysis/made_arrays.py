"""Arrays that a step makes, ``np.zeros((n, x.shape[1]))``, and the integers that say how long they are."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from nprewrite.analysis.filled_arrays import is_filled_first
from nprewrite.analysis.scalar_leaves import bound_in_loops
from nprewrite.base.syntax import items_of, walk
from nprewrite.numpy_api.attributes import is_count
from nprewrite.numpy_api.creation import Creation, creation
from nprewrite.program.function import Function
from nprewrite.source.kept import names_in_scope
from nprewrite.types.array_functions import literal
from nprewrite.types.problems import Problem
from nprewrite.types.values import Array, DtypeValue, Scalar, ShapeOf, Unknown

_DISPLAYS = ast.Tuple | ast.List
_LITERALS = ("indexing", "endpoint")
"""Parameters that are literals where a step has them; the others, but for numbers and models, are lengths."""


def made(call: ast.expr, function: Function) -> Creation | None:
    """The record of a call that makes an array, where a step could make it too."""
    found = creation(function.dotted(call.func)) if isinstance(call, ast.Call) else None
    return found if found is not None and found.step else None


def making_problem(call: ast.Call, record: Creation, function: Function) -> Problem | None:
    """Why an array is not made in a step, its models left out."""
    text = ast.unparse(call)
    given = [*_arguments(call, record)]
    strange = next((each for name, each in given if name not in record.step.split()), None)
    if strange is not None:
        return Problem("stays-in-numpy", f"`{text}` takes `{ast.unparse(strange)}`", call)
    value = function.facts.value(call)
    dtype = value.dtype if isinstance(value, Array) else None
    if record.rule in ("counted", "spaced") and dtype not in ("i8", "f8"):
        return Problem("stays-in-numpy", f"`{text}` counts in other steps when compiled", call)
    if record.rule != "like" and dtype is not None and dtype.kind == "c":
        return Problem("stays-in-numpy", f"`{text}` is complex", call)
    if record.undefined and not is_filled_first(call, function):
        return Problem("stays-in-numpy", f"`{text}`: elements may be read before they are set", call)
    problems = (
        _number_problem(each, call, record, function)
        if name in record.numbers.split()
        else _argument_problem(name, each, function)
        for name, each in given
    )
    found = next((each for each in problems if each is not None), None)
    # The array as a whole can be made before the step, a part of the call cannot.
    return None if found is None else replace(found, node=call)


def models(call: ast.Call, record: Creation, function: Function) -> list[ast.expr]:
    """The arrays that a call takes which makes one, and its numbers that are not written out."""
    if record.rule == "grid":
        return call.args
    if record.rule == "converted":
        listed = (each for each in walk(call.args[0]) if isinstance(each, ast.expr))
        return [each for each in listed if isinstance(function.facts.expressions.values.get(each), Array)]
    numbers = [each for name, each in _arguments(call, record) if name in record.numbers.split()]
    taken = [each for each in numbers if not _is_written_out(each, function)]
    return [*(call.args[:1] if record.rule == "like" else []), *taken]


def lengths(call: ast.Call, record: Creation) -> Iterator[ast.expr]:
    """The integers, or shapes, that say how long the array is."""
    for name, node in _arguments(call, record):
        if name in ("dtype", "prototype", "object", "a", *_LITERALS, *record.numbers.split()):
            continue
        yield from node.elts if isinstance(node, _DISPLAYS) else [node]


def sizes(node: ast.AST, function: Function) -> Iterator[ast.expr]:
    """The lengths of arrays, the indices and bounds of slices in an expression that are not literal."""
    for each in walk(node):
        parts: Iterable[ast.expr | None] = ()
        if isinstance(each, ast.Slice):
            parts = (each.lower, each.upper)
        elif isinstance(each, ast.Subscript) and _computed(each.value, function):
            parts = (item for item in items_of(each) if is_position(item, function))
        elif isinstance(each, ast.Call) and (record := made(each, function)) is not None:
            parts = lengths(each, record)
        elif isinstance(each, ast.Call):
            parts = _asked_lengths(each, function)
        yield from (part for part in parts if part is not None and type(literal(part)) is not int)


def is_position(node: ast.expr, function: Function) -> bool:
    """Whether an index is one integer, which takes away an axis."""
    value = function.facts.expressions.values.get(node)
    written = type(literal(node)) is int
    return written or (isinstance(value, Scalar) and value.kind == "int" and value.dtype is None)


def _asked_lengths(call: ast.Call, function: Function) -> Iterator[ast.expr]:
    """The lengths in ``x.reshape(n, m)`` and ``np.reshape(x, (n, m))``."""
    match call:
        case ast.Call(func=ast.Attribute(value=array, attr="reshape"), args=shape) if _computed(
            array, function
        ):
            pass
        case ast.Call(func=called, args=[_, *shape]) if function.dotted(called) == "numpy.reshape":
            pass
        case _:
            return
    for each in shape:
        yield from each.elts if isinstance(each, _DISPLAYS) else [each]


def _computed(node: ast.expr, function: Function) -> bool:
    return isinstance(function.facts.value(node), Array)


def length_problem(node: ast.expr, function: Function) -> Problem | None:
    """Why an integer is not one that a step knows while it is compiled.

    Literals are, shapes of arrays, and names of integers that no loop binds: for others each trip would
    bring its own shapes.
    """
    value = function.facts.value(node)
    shape = isinstance(node, ast.Attribute) and isinstance(value, ShapeOf) and _is_array(node.value, function)
    if shape or (isinstance(node, ast.Constant) and node.value is None):
        return None
    integer = isinstance(value, Scalar) and value.kind == "int" and value.dtype is None
    if integer and is_known_in_step(node, function):
        return None
    values = (function.facts.value(each) for each in walk(node) if isinstance(each, ast.Name))
    awaited = (each.parameter for each in values if isinstance(each, Unknown))
    parameter = next((each for each in awaited if each), None)
    return Problem(
        "index-not-literal", f"`{ast.unparse(node)}` is not a literal number", node, parameter=parameter
    )


def is_known_in_step(node: ast.expr, function: Function) -> bool:
    """Whether an expression computes with such integers only."""
    match node:
        case ast.Constant():
            return True
        case ast.Name():
            elsewhere = bound_in_loops(node.id, function) and not _is_length(node.id, function)
            return _is_integer(node, function) and not elsewhere
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return is_known_in_step(operand, function)
        case ast.BinOp(op=ast.Add() | ast.Sub() | ast.Mult(), left=left, right=right):
            return is_known_in_step(left, function) and is_known_in_step(right, function)
        case ast.BinOp(op=ast.FloorDiv() | ast.Mod(), left=left, right=right):
            return is_known_in_step(left, function) and literal(right) not in (None, 0)
        case ast.Subscript(value=ast.Attribute(value=array, attr="shape"), slice=axis):
            return type(literal(axis)) is int and _is_array(array, function)
        case ast.Attribute(value=array, attr=name) if is_count(name):
            return _is_array(array, function)
        case ast.Call(func=called, args=[array], keywords=[]):
            return function.dotted(called) == "builtins.len" and _is_array(array, function)
    return False


def _is_integer(node: ast.Name, function: Function) -> bool:
    value = function.facts.value(node)
    return isinstance(value, Scalar) and value.kind == "int" and value.dtype is None and not value.of_array


def _is_length(name: str, function: Function) -> bool:
    """Whether a name stands for nothing but ``x.shape[0]`` or ``len(x)``: shapes change with it anyway."""
    scope = function.node
    bound = [each for each in names_in_scope(scope).get(name, ()) if isinstance(each.ctx, ast.Store)]
    lengths = 0
    for each in walk(scope):
        match each:
            case ast.Assign(
                targets=[ast.Name(id=target)],
                value=ast.Subscript(
                    value=ast.Attribute(value=ast.Name(), attr="shape"), slice=ast.Constant()
                ),
            ):
                lengths += target == name
            case ast.Assign([ast.Name(id=target)], ast.Call(func=called, args=[ast.Name()])):
                lengths += target == name and function.dotted(called) == "builtins.len"
    return lengths == len(bound) > 0


def _is_array(node: ast.expr, function: Function) -> bool:
    """Whether a name stands for an array with all its elements."""
    value = function.facts.value(node)
    return isinstance(node, ast.Name) and isinstance(value, Array) and value.under is None


def _arguments(call: ast.Call, record: Creation) -> Iterator[tuple[str, ast.expr]]:
    """The arguments by the names of the parameters; empty for one too many, and for stars."""
    names = record.step.split()
    if record.rule != "grid":
        for number, node in enumerate(call.args):
            yield names[number] if number < len(names) else "", node
    for keyword in call.keywords:
        yield keyword.arg or "", keyword.value


def _argument_problem(name: str, node: ast.expr, function: Function) -> Problem | None:
    match name:
        case "prototype":
            return None
        case "dtype" if isinstance(function.facts.value(node), DtypeValue):
            return None
        case "object" | "a" if _is_listed(node, function):
            return None
        case "indexing" | "endpoint" if isinstance(node, ast.Constant):
            return None
        case "dtype" | "object" | "a" | "indexing" | "endpoint":
            return Problem("stays-in-numpy", f"`{ast.unparse(node)}` is not written out", node)
    items = node.elts if isinstance(node, _DISPLAYS) else [node]
    return next((each for each in (length_problem(item, function) for item in items) if each), None)


def takes_parameter(call: ast.Call, record: Creation, function: Function) -> bool:
    """Whether torch makes the array by one of nprewrite's functions, for which numbers are parameters."""
    numbers = [each for name, each in _arguments(call, record) if name in record.numbers.split()]
    return record.rule == "spaced" or not all(_is_written_out(each, function) for each in numbers)


def _is_written_out(node: ast.expr, function: Function) -> bool:
    """Whether it is a number such as ``0.5``, ``np.inf``, ``math.pi``."""
    return literal(node) is not None or (function.dotted(node) or "").startswith(("numpy.", "math."))


def _number_problem(node: ast.expr, call: ast.Call, record: Creation, function: Function) -> Problem | None:
    """Why a number among the arguments of a call that makes an array is not one of a step."""
    if _is_written_out(node, function):
        return None
    value, array = function.facts.value(node), function.facts.value(call)
    text = ast.unparse(node)
    if not isinstance(value, Scalar) or not isinstance(array, Array) or node not in call.args:
        parameter = value.parameter if isinstance(value, Unknown) else None
        words = f"`{text}` is not known to be a number, or not given by position"
        return Problem("stays-in-numpy", words, node, parameter)
    if record.rule == "spaced":
        known = value.kind in ("int", "float") and value.dtype in (None, "i8", "f8")
        return None if known else Problem("stays-in-numpy", f"`{text}` is no float64", node)
    spelt = record.rule == "like" or any(
        isinstance(function.facts.value(each), DtypeValue)
        for each in (*call.args, *(keyword.value for keyword in call.keywords))
    )
    seen = value.proven and function.name in function.module.given
    if not spelt and value.dtype is None and not seen:
        # Where a float is announced, an integer may come, and make an array of integers.
        return Problem("stays-in-numpy", f"`{text}` may be a number of another type", node)
    own = value.dtype if value.dtype is not None else np.dtype(value.kind)
    if own.kind == array.dtype.kind or (own.kind in "iu" and array.dtype.kind == "f"):
        return None
    return Problem("stays-in-numpy", f"`{text}` is stored as {array.dtype}", node)


def _is_listed(node: ast.expr, function: Function) -> bool:
    """Whether a display holds numbers only that are written out, or arrays of one dtype only."""
    if not isinstance(node, _DISPLAYS):
        return False
    values = [function.facts.value(each) for each in node.elts]
    dtypes = {each.dtype for each in values if isinstance(each, Array) and each.under is None}
    return all(map(_is_number, node.elts)) or (
        len(dtypes) == 1 and all(isinstance(each, Array) for each in values)
    )


def _is_number(node: ast.expr) -> bool:
    if isinstance(node, _DISPLAYS):
        return bool(node.elts) and all(map(_is_number, node.elts))
    number = literal(node)
    fits = not isinstance(number, int) or abs(number) <= np.iinfo(np.int64).max
    return isinstance(number, int | float) and fits

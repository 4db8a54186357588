"""What a native loop raises, in Python's words and at the user's line.

Python repeats the operation that failed, on the same operands.
"""

from __future__ import annotations

import ast
import copy
import ctypes
import dis
import math
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any

import numpy as np

from nprewrite.base.syntax import text_tree, walk
from nprewrite.lowering.problems import Fault, Place
from nprewrite.runtime.api.numbers import SCALAR_ERRORS

Array = np.ndarray[Any, Any]

_LEFT_OUT = frozenset(map(dis.opname.index, ("COPY_FREE_VARS", "MAKE_CELL", "CACHE")))
"""What only closures have, and room for what the interpreter notes, of which there is more or less."""


def raise_fault(
    fault: Fault, integers: Array, floats: Array, function: Callable[..., Any], tree: ast.FunctionDef
) -> None:
    """Raise what the function as written raises; ``integers`` and ``floats`` hold the operands.

    ``tree`` is the text that was lowered.
    """
    code = function.__code__
    node, place = text_tree("raise found.pop()"), _place(fault, code, tree)
    for each in walk(node):
        if isinstance(each, ast.expr | ast.stmt):
            each.lineno, each.end_lineno, each.col_offset, each.end_col_offset = place
    made = compile(node, code.co_filename, "exec", dont_inherit=True)
    made = made.replace(co_name=code.co_name, co_qualname=code.co_qualname)
    # Emptied as it is raised: an exception held by a frame of its own traceback would never be freed.
    found = [_from_signal(integers) if fault.operation is None else _done_again(fault, integers, floats)]
    exec(made, function.__globals__, {"found": found})


def _done_again(fault: Fault, integers: Array, floats: Array) -> BaseException:
    assert fault.operation is not None
    operands = {
        f"_{position}": number.scalar(integers, floats, position)
        for position, number in enumerate(fault.operands)
    }
    try:
        exec(fault.operation, {"np": np, "math": math, **operands})
    except (*SCALAR_ERRORS, MemoryError) as error:
        return error.with_traceback(None)
    raise AssertionError(f"{fault.operation} raises nothing for {operands}")


def _from_signal(integers: Array) -> BaseException:
    """The exception that a signal handler has raised; ``kernels.has_raised`` kept it."""
    restore = ctypes.pythonapi.PyErr_Restore
    restore.argtypes, restore.restype = [ctypes.c_void_p] * 3, None
    try:
        restore(*(int(each) or None for each in integers[:3]))
    except BaseException as error:  # noqa: BLE001 - whatever the user's handler raises
        trace = error.__traceback__
        return error.with_traceback(trace.tb_next if trace is not None else None)
    raise AssertionError("no handler of a signal has raised")


def _place(fault: Fault, code: CodeType, tree: ast.FunctionDef) -> tuple[int, int, int, int]:
    """Where the fault lies in the user's file, which need not be the text that was lowered."""
    places = _places(tree, code)
    place = places.get(fault.place) if fault.place is not None else None
    if place is None:
        line = fault.place[0] if fault.place is not None else None
        place = next((found for text, found in places.items() if text[0] == line), None)
    first, last, start, end = place or (None,) * 4
    first = first or code.co_firstlineno
    # Without a part of the line that is known, nothing is underlined.
    span = (start, end) if start is not None and end is not None else (-1, -1)
    return first, last or first, *span


def _places(tree: ast.FunctionDef, code: CodeType) -> dict[Place, Place]:
    """The places in a function's code, by those in its text: both have the same instructions."""
    bare = copy.copy(tree)
    bare.decorator_list, bare.returns = [], None
    module = compile(ast.Module([bare], []), code.co_filename, "exec", dont_inherit=True)
    (text,) = (each for each in module.co_consts if isinstance(each, CodeType))
    return dict(zip(_instructions(text), _instructions(code), strict=False))


def _instructions(code: CodeType) -> Iterator[Place]:
    """Where each instruction lies that a function has in any module."""
    operations = zip(code.co_code[::2], code.co_positions(), strict=True)
    return (place for operation, place in operations if operation not in _LEFT_OUT)

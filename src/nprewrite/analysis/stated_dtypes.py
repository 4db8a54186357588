"""How the dtype of an array is written where a number may have made it wider than the types say.

An annotation ``float`` is satisfied by ``np.float64``, and a default value by any number; an array that is
computed from float32 and such a number is float64 then.
"""

from __future__ import annotations

import ast

import numpy as np

from nprewrite.base.syntax import walk
from nprewrite.program.function import Function
from nprewrite.types.values import Scalar

_WIDEST = {"b": 1, "i": 8, "u": 8, "f": 8, "c": 16}
"""The size of the widest dtype of each kind: arithmetic with another number makes it no wider."""


def dtype_code(array: ast.expr, dtype: np.dtype[np.generic], function: Function) -> str:
    """The text of an array's dtype, which is known to be ``dtype`` if the numbers are what they seem to be.

    A step's guards have checked the numbers, and the decorator has seen them.
    """
    checked = function.step is not None or function.name == function.module.jitted
    widest = dtype.itemsize >= _WIDEST[dtype.kind]
    if checked or widest or not _takes_numbers(function) or _is_stated(array, function):
        return f"{function.names.numpy_name(function.node)}.{dtype.name}"
    return f"{function.document.code(array)}.dtype"


def _takes_numbers(function: Function) -> bool:
    """Whether a parameter is a Python number, as far as its annotation or default tells."""
    values = function.parameter_values.values()
    return any(isinstance(each, Scalar) and each.dtype is None and each.kind != "bool" for each in values)


def _is_stated(array: ast.expr, function: Function) -> bool:
    """Whether the text states the dtype wherever the name is bound, or it only stands for an argument."""
    if not isinstance(array, ast.Name):
        return False
    bound, stated = 0, 0
    for node in walk(function.node):
        if isinstance(node, ast.Name) and node.id == array.id and isinstance(node.ctx, ast.Store):
            bound += 1
        # In place, the dtype stays.
        if isinstance(node, ast.AugAssign) and ast.unparse(node.target) == array.id:
            stated += 1
        if isinstance(node, ast.Assign) and [ast.unparse(each) for each in node.targets] == [array.id]:
            stated += _states_dtype(node.value)
    return bound == stated


def _states_dtype(value: ast.expr) -> bool:
    """``np.zeros(n, dtype=np.int8)``, ``x.astype(np.int8)``."""
    if not isinstance(value, ast.Call):
        return False
    casts = isinstance(value.func, ast.Attribute) and value.func.attr == "astype"
    return casts or any(each.arg == "dtype" for each in value.keywords)

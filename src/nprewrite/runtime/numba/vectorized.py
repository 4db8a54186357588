"""``np.vectorize``d functions computed for all elements at once, where guards allow it.

``np.vectorize`` first calls the function with the first elements as NumPy scalars, to find the dtype of the
result, and then with Python numbers for every element. The first call is made here too; the rest is array
code.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from functools import partial
from types import FunctionType
from typing import Any

import numpy as np

from nprewrite.runtime.api.guards import Array, check_errstate, check_warnings
from nprewrite.runtime.api.refusal import Place, Refused
from nprewrite.runtime.api.step import Step

LEAST_ELEMENTS = 64
"""Below so many elements, calling the function takes less time than the guards."""

COMPILE_AFTER = 1 << 26
"""Elements that NumPy computes before the array code is compiled; calls for so many would take seconds."""


def vectorized(function: Any, lanes: Step, *, bits: int = 31, bools: bool = True) -> Callable[..., Any]:
    """Return a function that gives the same as ``function``, which ``np.vectorize`` made.

    ``lanes`` computes all elements: its inputs are the parameters of the function, its constants the names
    that the function reads from around itself, its results those of the function and, where it has a result
    ``raises``, whether any element would raise. Elements are taken as float64, or int64 where integers are
    below ``2**bits`` in magnitude; 0 allows none. ``bools`` allows truth values, as 0 and 1. Where a guard
    refuses, ``function`` itself is called.
    """
    kinds = f"f{'iu' if bits else ''}{'b' if bits and bools else ''}"
    place, taken = Place.of(sys._getframe(1)), partial(_operand, kinds, bits)

    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return _results(function, lanes, taken, args, kwargs, place)
        except Refused as refusal:
            lanes.refused(refusal, place, f"`{getattr(function, '__name__', 'np.vectorize')}`")
        result = function(*args, **kwargs)
        lanes.tell()
        return result

    return call


def _results(
    function: Any,
    lanes: Step,
    taken: Callable[[Any], Array],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    place: Place,
) -> Any:
    inner = _checked(function, kwargs)
    values = _with_defaults(inner, args, len(lanes.signature.inputs))
    operands = [*map(taken, values)]
    try:
        shape = np.broadcast_shapes(*(each.shape for each in operands))
    except ValueError as error:
        raise Refused("shapes do not fit", silent=True) from error
    size = math.prod(shape)
    if size < LEAST_ELEMENTS:
        raise Refused("few elements", silent=True)
    check_errstate()
    check_warnings()
    constants = [taken(_outer(inner, slot.name)) for slot in lanes.signature.constants]
    dtypes, several = _result_types(function, args)
    found = _compiled(lanes, constants, operands, place)
    with np.errstate(all="ignore"):
        if found is None:
            found = [*lanes.function(*constants, *operands)]
            lanes.elements += size
            lanes.runs["numpy"] += 1
        if lanes.signature.out[-1].name.startswith("raises") and found.pop():
            text = "the function may raise for some elements, so it is called for each of them"
            raise Refused("an element may raise", text)
        if len(found) != len(dtypes):
            raise Refused("number of results", f"otypes has {len(dtypes)} dtypes, expected {len(found)}")
        made = [_cast(np.broadcast_to(each, shape), to) for each, to in zip(found, dtypes, strict=True)]
    return tuple(made) if several else made[0]


def _compiled(
    lanes: Step, constants: Sequence[Array], operands: Sequence[Array], place: Place
) -> list[Any] | None:
    """The results of the compiled step; None where NumPy is done sooner, or has integers."""
    numbers = (*constants, *operands)
    if (
        not lanes.compiles
        or lanes.elements < COMPILE_AFTER
        or any(each.dtype.kind != "f" for each in numbers)
    ):
        return None
    arguments: dict[str, Any] = {
        slot.name: float(each) for slot, each in zip(lanes.signature.constants, constants, strict=True)
    }
    for slot, each in zip(lanes.signature.inputs, operands, strict=True):
        arguments[slot.name] = each if each.ndim else each.reshape(1)
    results = lanes.run(range(1), None, arguments, place)
    return None if results is None else [*results]


def _checked(function: Any, kwargs: dict[str, Any]) -> FunctionType:
    """The function of numbers, if ``np.vectorize`` was given nothing but it and ``otypes``."""
    if type(function) is not np.vectorize or not isinstance(function.pyfunc, FunctionType):
        raise Refused("no np.vectorize", f"{function!r} is not np.vectorize of a Python function")
    if kwargs or function.excluded or function.signature is not None or function.cache:
        raise Refused(
            "arguments of np.vectorize", "np.vectorize was given keywords, excluded, signature or cache"
        )
    return function.pyfunc


def _with_defaults(inner: FunctionType, args: tuple[Any, ...], count: int) -> tuple[Any, ...]:
    """The arguments, followed by the default values of those not given."""
    defaults = inner.__defaults__ or ()
    missing = count - len(args)
    if not args or not 0 <= missing <= len(defaults):
        raise Refused("number of arguments", silent=True)
    return (*args, *defaults[len(defaults) - missing :])


def _operand(kinds: str, bits: int, value: Any) -> Array:
    """The elements of an argument as Python would see them: float64, or int64 below ``2**bits``.

    Others than floats must have a dtype of one of the ``kinds``.
    """
    plain = type(value) in (float, int, bool, np.float64)
    if not plain and type(value) is not np.ndarray:
        raise Refused(
            "type of an argument",
            f"an argument is {type(value).__name__}, expected an array or a number",
            passing=True,
        )
    array = np.asarray(value)
    if array.dtype.kind == "f" and array.dtype.itemsize <= 8:
        return array.astype(np.float64, copy=False)
    if array.dtype.kind not in kinds:
        # A call alone shows it: the program may have its reasons.
        raise Refused(
            "dtype of an argument",
            f"an argument has dtype {array.dtype}, expected floats; use astype",
            passing=True,
        )
    bound = 2**bits
    if array.size and array.dtype.kind != "b" and not -bound < int(array.min()) <= int(array.max()) < bound:
        text = f"an argument has integers of {bound} or more, which are too large for array code"
        raise Refused("large integers", text)
    return array.astype(np.int64, copy=False)


def _outer(inner: FunctionType, name: str) -> Any:
    """The value of a name that a function reads from the scopes around it."""
    code = inner.__code__
    try:
        if name in code.co_freevars:
            assert inner.__closure__ is not None
            return inner.__closure__[code.co_freevars.index(name)].cell_contents
        return inner.__globals__[name]
    except (KeyError, ValueError) as error:
        raise Refused(f"{name} is not set", silent=True) from error


def _result_types(function: Any, args: Sequence[Any]) -> tuple[list[np.dtype[Any]], bool]:
    """The dtypes of the results, and whether they are a tuple, found as ``np.vectorize`` does."""
    if function.otypes is not None:
        return [np.dtype(each) for each in function.otypes], len(function.otypes) > 1
    outputs = function.pyfunc(*[np.asarray(each).flat[0] for each in args])
    several = isinstance(outputs, tuple)
    every = outputs if several else (outputs,)
    # np.vectorize keeps the type code only: native byte order.
    return [np.dtype(np.asarray(each).dtype.char) for each in every], several


def _cast(values: Array, dtype: np.dtype[Any]) -> Array:
    """A new array of ``dtype``, as from Python numbers."""
    if dtype.kind not in "biufc":
        raise Refused("dtype of the result", f"the result has dtype {dtype}, expected numbers")
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        inside = (values > info.min - 1.0) & (values < info.max + 1.0)
        if values.dtype.kind != "b" and not inside.all():
            raise Refused("range of the result", f"{dtype} does not hold every result")
    return values.astype(dtype)

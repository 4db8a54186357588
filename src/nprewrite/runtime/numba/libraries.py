"""Compiled loops as they lie on disk: a library with one function, which is loaded without Numba."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from nprewrite.base import cachedir, notes
from nprewrite.lowering.numbers import of_dtype

ENTRY = "nprewrite_loop"
COMPLEX = ("complex64", "complex128")
"""The kinds of arguments that are passed as two float64."""
NONE = "none"
"""The kind of the argument ``None``, which is not passed."""


class NoLibrary(Exception):
    """A loop cannot be made a library; the message is the reason."""


def kind_of(argument: Any) -> str:
    """What a library is made for: ``float64`` is a number, ``float64,2,C`` an array. Raises ``NoLibrary``.

    Of a part of an array, ``float64,2,R``, the elements of a row lie side by side. A field of packed records
    lies where its elements are not aligned: ``float64,1,A,packed``.
    """
    if argument is None:
        return NONE
    if type(argument) is np.ndarray:
        flags = argument.flags
        layout = (
            "C" if flags.c_contiguous else "F" if flags.f_contiguous else "R" if has_rows(argument) else "A"
        )
        return f"{argument.dtype.name},{argument.ndim},{layout}{'' if flags.aligned else ',packed'}"
    kind = np.dtype(type(argument))
    if of_dtype(kind) is None:
        raise NoLibrary(f"an argument is {type(argument).__name__}")
    if type(argument) is int and not is_small(argument):
        raise NoLibrary("an integer needs more than 63 bits")
    return kind.name


def has_rows(array: np.ndarray[Any, Any]) -> bool:
    """Whether the elements along the last axis lie side by side."""
    return array.strides[-1:] == (array.itemsize,)


def is_small(number: int) -> bool:
    """Whether it is an int64 beyond doubt: ctypes would wrap larger ones around."""
    return number.bit_length() < 64


def save(library: bytes, path: Path) -> None:
    """Write a library, and last what is known of it: without that there is none. Raises ``OSError``."""
    cachedir.place(path.with_suffix(".so"), library)
    cachedir.place(path, json.dumps({"library": notes.digest(library)}).encode())


def save_reason(problem: NoLibrary, path: Path) -> None:
    """Remember why there can be no library. Raises ``OSError``."""
    cachedir.place(path, json.dumps({"reason": str(problem)}).encode())


def load(path: Path, arguments: Sequence[Any], *, nogil: bool) -> Callable[..., int]:
    """The function of a library for arguments of such types; it returns the event in which the loop ended.

    Raises ``NoLibrary`` where there can be none, ``OSError`` or ``ValueError`` where files are damaged.
    """
    known = json.loads(path.read_text(encoding="utf-8"))
    if "reason" in known:
        raise NoLibrary(known["reason"])
    place = path.with_suffix(".so")
    for each in (path, place):
        cachedir.used(each)
    # The process would die of a library that is not whole.
    if known.get("library") != notes.digest(place.read_bytes()):
        raise ValueError(f"{place} is not the library that was written")
    # Handlers of signals run within a loop, which needs the interpreter lock for that.
    library = (ctypes.CDLL if nogil else ctypes.PyDLL)(str(place))
    function = getattr(library, ENTRY)
    passed = [passed for each in arguments if each is not None for passed in _passed(kind_of(each))]
    function.argtypes = [ctypes.POINTER(ctypes.c_int64), ctypes.c_void_p, *passed]
    function.restype = ctypes.c_int
    simple = not any(
        each is None or isinstance(each, np.integer | complex | np.complex64) for each in arguments
    )
    return _calling(function, simple=simple)


def _calling(function: Any, *, simple: bool) -> Callable[..., int]:
    """The function of a library; arguments are ``simple`` where ctypes takes all of them as they are."""

    def call(*arguments: Any) -> int:
        given = arguments if simple else [part for each in arguments for part in _parts(each)]
        event = ctypes.c_int64()
        if function(event, _unread, *given):
            # Nothing else is raised by what is lowered.
            raise MemoryError("a loop has no memory for its arrays")
        return event.value

    return call


_unread = ctypes.byref(ctypes.c_void_p())
"""Where Numba says what a function raises; all functions may write it."""


def _parts(argument: Any) -> tuple[Any, ...]:
    """What is passed for an argument: a complex number as its parts, ``None`` not at all."""
    if argument is None:
        return ()
    if isinstance(argument, complex | np.complex64):
        return float(argument.real), float(argument.imag)
    return (int(argument) if isinstance(argument, np.integer) else argument,)


def _passed(kind: str) -> tuple[Any, ...]:
    dtype, *array = kind.split(",")
    if array:
        return (ctypes.py_object,)
    if dtype in COMPLEX:
        return ctypes.c_double, ctypes.c_double
    return (np.ctypeslib.as_ctypes_type(np.dtype(dtype)),)

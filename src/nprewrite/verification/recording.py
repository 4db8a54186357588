"""Calls as files: the arguments of one call, copied so that a replay meets the same memory.

A plain pickle of an array keeps its values and loses what a program may depend on: strides, memory shared by
two views, the read-only flag. So a view is stored as its base and the view's place in it.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

_SUFFIX = ".call"

# What pickling raises for an argument that cannot be copied; some classes deliberately raise other errors.
NOT_COPIED = (
    pickle.PicklingError,
    AttributeError,
    TypeError,
    ValueError,
    RuntimeError,
    NotImplementedError,
    RecursionError,
)


@dataclass(frozen=True)
class Call:
    """One call of ``function``, a function of the module that was called ``module``."""

    function: str
    module: str
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]


def copied(call: Call) -> bytes:
    """The call as bytes. Raises one of ``NOT_COPIED`` where an argument cannot be copied."""
    stream = BytesIO()
    _Pickler(stream, protocol=5).dump((call.args, dict(call.kwargs)))
    return pickle.dumps((call.function, call.module, stream.getvalue()))


def restored(data: bytes, module: str) -> Call:
    """The call restored from its bytes; what its module defined is looked up in ``module``.

    Raises whatever the classes of its arguments raise when they are restored.
    """
    function, recorded, arguments = pickle.loads(data)
    args, kwargs = _Unpickler(BytesIO(arguments), recorded, module).load()
    return Call(function, module, args, kwargs)


def save(folder: Path, number: int, data: bytes) -> None:
    """Put a call into the folder, where readers find it whole or not at all."""
    path = folder / f"{number:06d}{_SUFFIX}"
    partial = path.with_suffix(".partial")
    partial.write_bytes(data)
    os.replace(partial, path)


def saved(folder: Path) -> list[Path]:
    """The files of the calls, in the order in which they were made."""
    return sorted(folder.glob(f"*{_SUFFIX}"))


class _Pickler(pickle.Pickler):
    def reducer_override(self, value: Any) -> Any:
        if type(value) is not np.ndarray or value.dtype.hasobject:
            return NotImplemented
        owner = _owner(value)
        if owner is not None:
            offset = _address(value) - _address(owner) if value.size else 0
            return _view, (owner, value.shape, value.dtype, offset, value.strides, value.flags.writeable)
        return NotImplemented if value.flags.writeable else (_read_only, (value.copy(order="K"),))


class _Unpickler(pickle.Unpickler):
    def __init__(self, stream: BytesIO, recorded: str, module: str) -> None:
        super().__init__(stream)
        self._recorded = recorded
        self._module = module

    def find_class(self, module: str, name: str) -> Any:
        return super().find_class(self._module if module == self._recorded else module, name)


def _address(array: Array) -> int:
    address: int = array.__array_interface__["data"][0]
    return address


def _owner(array: Array) -> Array | None:
    """The array that owns a view's memory; None where the array owns it, or something else does."""
    base = array.base
    while isinstance(base, np.ndarray) and base.base is not None:
        base = base.base
    plain = type(base) is np.ndarray and not base.dtype.hasobject
    return base if plain else None


def _view(
    owner: Array,
    shape: tuple[int, ...],
    dtype: np.dtype[Any],
    offset: int,
    strides: tuple[int, ...],
    writeable: bool,
) -> Array:
    # An owner is one block of memory, in C or in Fortran order, so this is a view of it.
    block = owner.reshape(-1, order="A")
    if writeable and not block.flags.writeable:
        # The owner was frozen after the view was taken.
        owner.flags.writeable = block.flags.writeable = True
        array = np.ndarray(shape, dtype, buffer=block, offset=offset, strides=strides)
        owner.flags.writeable = False
        return array
    array = np.ndarray(shape, dtype, buffer=block, offset=offset, strides=strides)
    array.flags.writeable = writeable
    return array


def _read_only(array: Array) -> Array:
    array.flags.writeable = False
    return array

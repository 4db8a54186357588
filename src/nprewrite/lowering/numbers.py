"""The types of scalars: Python's own numbers, and NumPy's scalars by dtype."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

DType = np.dtype[Any]
Buffer = np.ndarray[Any, np.dtype[Any]]
"""What a lowered function returns is kept in one of int64 and one of float64."""

_NUMPY = (
    "bool",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float32",
    "float64",
    "complex64",
    "complex128",
)


@dataclass(frozen=True)
class Number:
    """A scalar type: ``weak`` for Python's own; values are kept in ``dtype``.

    A Python integer is kept as int64. Where one leaves that range, the lowered code stops and the loop as
    written runs.
    """

    dtype: DType
    weak: bool = False

    @property
    def kept(self) -> str:
        """The name of the dtype that the lowered code keeps it in."""
        return {"V": "bool", "U": "uint32"}.get(self.dtype.kind, self.dtype.name)

    @property
    def in_arrays(self) -> str:
        """The name in NumPy of the dtype of its arrays in lowered code."""
        return "bool_" if self.dtype.kind == "b" else self.kept

    @property
    def is_integer(self) -> bool:
        """Whether it is an integer type other than a boolean."""
        return self.dtype.kind in "iu"

    @property
    def is_complex(self) -> bool:
        """Whether it is a complex type."""
        return self.dtype.kind == "c"

    @property
    def operand(self) -> Any:
        """What ``np.ufunc.resolve_dtypes`` takes for it; a Python bool promotes like NumPy's."""
        return (
            {"i": int, "f": float, "c": complex}.get(self.dtype.kind, self.dtype) if self.weak else self.dtype
        )

    def scalar(self, integers: Buffer, floats: Buffer, position: int) -> object:
        """The value of this type that is kept in one of the buffers, imaginary parts from the end."""
        if self == NONE:
            return None
        if self == CHARACTER:
            return chr(integers[position])
        value: int | float | complex = int(integers[position])
        if self.dtype == np.uint64:
            value = int(integers[position]) % 2**64
        elif self.dtype.kind == "f":
            value = float(floats[position])
        elif self.is_complex:
            value = complex(floats[position], floats[-1 - position])
        if not self.weak:
            return self.dtype.type(value)
        return bool(value) if self.dtype.kind == "b" else value

    def __str__(self) -> str:
        names = {"b": "bool", "i": "int", "f": "float", "c": "complex", "V": "None", "U": "str"}
        return names[self.dtype.kind] if self.weak else f"np.{self.dtype.name}"


INT = Number(np.dtype(np.int64), weak=True)
FLOAT = Number(np.dtype(np.float64), weak=True)
BOOL = Number(np.dtype(bool), weak=True)
COMPLEX = Number(np.dtype(np.complex128), weak=True)
CHARACTER = Number(np.dtype("U1"), weak=True)
"""A string of one character, kept as its code point; an array of them stands for a string."""
NUMPY = {name: Number(np.dtype(name)) for name in _NUMPY}
# By dtype, not by its name: each call looks here, and NumPy composes the name anew every time.
_OF_DTYPE = {number.dtype: number for number in NUMPY.values()}
UNSET = Number(np.dtype("V"))
"""The type of a name that has no value yet."""
NONE = Number(np.dtype("V"), weak=True)
"""The type of ``None``, which a name may hold where no number was found; it has a tag, but no value."""

NUMBERS = (UNSET, BOOL, INT, FLOAT, COMPLEX, *NUMPY.values(), NONE, CHARACTER)
TAGS = {number: tag for tag, number in enumerate(NUMBERS)}
"""If a name may hold several types, the lowered code keeps the tag of the one that it holds."""

INT64 = (-(2**63), 2**63 - 1)
EXACT_IN_FLOAT = 2**53
"""Integers up to this magnitude are exact as float64."""


def number_of(value: object) -> Number | None:
    """The scalar type of a value; None for anything else, int64 overflow and subclasses included."""
    if type(value) is int:
        return INT if INT64[0] <= value <= INT64[1] else None
    for python, number in ((bool, BOOL), (float, FLOAT), (complex, COMPLEX)):
        if type(value) is python:
            return number
    if isinstance(value, np.generic):
        return of_dtype(value.dtype)
    return None


def of_dtype(dtype: DType) -> Number | None:
    """The type of the elements of an array; None for a dtype that is not followed."""
    number = _OF_DTYPE.get(dtype)
    # Two C types may have the same size: np.longlong is not np.int64 by type.
    return number if number is not None and number.dtype.char == dtype.char else None


def of_real_dtype(dtype: DType) -> Number | None:
    """As ``of_dtype``; None for complex numbers, which only loops over single elements take."""
    number = of_dtype(dtype)
    return number if number is not None and not number.is_complex else None


def limits(number: Number) -> tuple[int, int]:
    """The least and the greatest value of an integer or boolean type, as it is kept."""
    if number.dtype.kind == "b":
        return 0, 1
    info = np.iinfo(number.dtype)
    return int(info.min), int(info.max)

"""Types of numbers in a scalar loop: a dtype for NumPy's, a kind for Python's, which are weak."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nprewrite.numpy_api.elementwise import ELEMENTWISE
from nprewrite.types.arithmetic import python_arithmetic
from nprewrite.types.values import PYTHON, Kind, Scalar, Unknown, kind_of, same_dtype


@dataclass(frozen=True)
class Type:
    """``dtype`` None: a Python number of the kind; ``literal`` is its value where it is written out.

    ``mixed`` means a NumPy scalar in some iterations and a Python number in others.
    """

    kind: Kind
    dtype: np.dtype[np.generic] | None = None
    literal: int | float | complex | bool | None = None
    mixed: bool = False

    def __eq__(self, other: object) -> bool:
        """Equal in every field; to NumPy, no dtype is the same as float64."""
        return (
            isinstance(other, Type)
            and same_dtype(self.dtype, other.dtype)
            and (self.kind, self.literal, self.mixed) == (other.kind, other.literal, other.mixed)
        )

    @property
    def weak(self) -> bool:
        """Whether it is a Python number."""
        return self.dtype is None

    @property
    def natural(self) -> np.dtype[np.generic]:
        """The dtype of an array of such numbers."""
        return self.dtype if self.dtype is not None else np.dtype(PYTHON[self.kind])


def weak(kind: Kind) -> Type:
    """The type of a Python number that is not written out."""
    return Type(kind)


def strong(dtype: np.dtype[np.generic]) -> Type | None:
    """The type of a NumPy scalar; None for objects, strings, dates and records."""
    kind = kind_of(dtype)
    return Type(kind, dtype) if kind is not None else None


def operation(name: str, operands: Sequence[Type]) -> tuple[tuple[np.dtype[np.generic], ...], Type] | None:
    """The dtypes in which NumPy computes the function ``name``, and the result's type; None: it raises."""
    ufunc = ELEMENTWISE[name].ufunc
    if ufunc.nin != len(operands):
        return None
    asked = [each.dtype if each.dtype is not None else PYTHON[each.kind] for each in operands]
    try:
        dtypes = ufunc.resolve_dtypes((*asked, None))
    except TypeError:
        return None
    result = strong(dtypes[-1])
    return (tuple(dtypes[:-1]), result) if result is not None else None


def python_operation(operator: str, left: Type, right: Type) -> Type | None:
    """The type of an operation on two Python numbers."""
    one, other = Scalar(left.kind, constant=left.literal), Scalar(right.kind, constant=right.literal)
    value = python_arithmetic(operator, one, other)
    return None if isinstance(value, Unknown) or not isinstance(value, Scalar) else weak(value.kind)


def join(left: Type, right: Type) -> Type | None:
    """The type of a number that is one or the other; None where an array of one dtype would change it."""
    if left == right:
        return left
    if left.weak and right.weak:
        return weak(left.kind) if left.kind == right.kind else _wider(left, right)
    if left.weak or right.weak:
        number, array = (left, right) if left.weak else (right, left)
        return Type(array.kind, array.dtype, mixed=True) if _holds(array.natural, number) else None
    same = left.dtype == right.dtype
    return Type(left.kind, left.dtype, mixed=left.mixed or right.mixed) if same else None


def _wider(left: Type, right: Type) -> Type | None:
    """The type of a number that may be an int or a float: ``0`` before a loop of floats serves as ``0.0``."""
    number, other = (left, right) if left.kind == "int" else (right, left)
    small = isinstance(number.literal, int) and abs(number.literal) < 2**53
    return weak("float") if small and {left.kind, right.kind} == {"int", "float"} and other else None


def _holds(dtype: np.dtype[np.generic], number: Type) -> bool:
    """Whether an array of ``dtype`` keeps the value of a Python number."""
    order = "biufc"
    rank = {"bool": 0, "int": 1, "float": 3, "complex": 4}[number.kind]
    if order.index(dtype.kind) < rank:
        return False
    if number.literal is not None:
        # In Python, because NumPy would round the literal before it compares.
        return bool(np.asarray(number.literal).astype(dtype).item() == number.literal)
    return dtype == number.natural

"""Python scalars as 0-d arrays of a fixed dtype.

A compiled function that takes Python numbers is compiled again for every value; one that takes a 0-d array of
the dtype that weak promotion would give is compiled once. Boxing must not change a value's meaning, so each
value is checked first.
"""

from __future__ import annotations

import dis
import functools
import reprlib
from collections.abc import Callable, Sequence
from itertools import chain
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from nprewrite.runtime.api.backend import Array
from nprewrite.runtime.api.numbers import SCALAR_ERRORS, Conversation, refused_by_scalars
from nprewrite.runtime.api.refusal import Refused
from nprewrite.runtime.api.spec import Signature, Slot, parts

Scalars = Callable[[int], Sequence[Any]]
_STEADY = frozenset(
    [
        *("RESUME", "COPY_FREE_VARS", "LOAD_DEREF", "LOAD_GLOBAL", "LOAD_CONST", "LOAD_SMALL_INT"),
        *("LOAD_ATTR", "BINARY_OP", "UNARY_NEGATIVE", "UNARY_POSITIVE", "BUILD_TUPLE", "RETURN_VALUE"),
    ]
)
"""What a function is compiled to that neither reads its parameter nor calls anything."""
_KINDS: dict[str, tuple[type, ...]] = {"b": (bool,), "i": (int,), "u": (int,), "f": (int, float)}
_COMPLEX_KINDS: tuple[type, ...] = (int, float, complex)


def expected_kinds(slot: Slot) -> tuple[type, ...]:
    """The types of numbers that stand for ``slot`` as NumPy would take them."""
    if slot.typed:
        return (slot.dtype.type,)
    if slot.exact:
        return (complex,) if slot.dtype.kind == "c" else (float, np.float64)[: 1 + (slot.dtype == np.float64)]
    if slot.dtype == np.float64 and not slot.is_pair:
        # Where everything else is float64 already, a NumPy float64 widens nothing.
        return (int, float, np.float64)
    return _COMPLEX_KINDS if slot.is_pair else _KINDS.get(slot.dtype.kind, _COMPLEX_KINDS)


def check(slot: Slot, value: Any) -> tuple[Any, ...]:
    """Return the values for ``slot``'s parts; raise ``Refused`` where boxing would change the meaning.

    NumPy scalars are refused where none was declared, and Python numbers where one was: a NumPy scalar
    widens the arrays that it meets, a Python number does not.
    """
    expected = expected_kinds(slot)
    if type(value) not in expected:
        names = " or ".join(kind.__name__ for kind in expected)
        whose = "NumPy" if slot.typed else "Python"
        text = (
            f"{slot.name!r} is {reprlib.repr(value)} of type {type(value).__name__}, expected a {whose} "
            f"{names}; convert it before the loop"
        )
        # An attribute that is a number in one call, and an array in the next, is no fault of the program.
        raise Refused(f"type of {slot.name}", text, passing=isinstance(value, np.ndarray))
    if slot.dtype.kind in "iu" and not slot.typed:
        info = np.iinfo(slot.dtype)
        if not info.min <= value <= info.max:
            text = f"{slot.name!r} is {value}, expected a value that fits into {slot.dtype}"
            raise Refused(f"range of {slot.name}", text)
    if not slot.is_pair:
        return (value,)
    try:
        number = complex(value)
    except OverflowError as error:
        raise _too_large(slot) from error
    return (number.real, number.imag)


def _too_large(slot: Slot) -> Refused:
    return Refused(f"range of {slot.name}", f"{slot.name!r} is an int too large for {slot.dtype}")


def _fill(target: Array, slot: Slot, values: Sequence[Any]) -> None:
    try:
        if target.dtype.char not in "ef":
            target[...] = values
            return
        # A float too large for float32 is inf as a weak scalar too.
        with np.errstate(all="ignore"):
            target[...] = values
    except OverflowError as error:
        raise _too_large(slot) from error


def box_constants(signature: Signature, arguments: dict[str, Any]) -> list[Array]:
    """Arrays for the constants and sizes, in the order of the step's parameters.

    Constants have one axis of one element, because torch specialises on the value of a 0-d float64. A size
    is passed as the length of an array without elements, which torch can compile for any length.
    """
    boxes = []
    for slot in signature.constants:
        for part, value in zip(slot.parts, check(slot, arguments[slot.name]), strict=True):
            box = np.empty(1, part)
            _fill(box, slot, value)
            boxes.append(box)
    return [*boxes, *(np.empty((0, arguments[name]), np.int64) for name in signature.sizes)]


def check_counter(signature: Signature, trips: range) -> None:
    """Refuse a range of numbers that do not fit the declared dtype of the loop variable."""
    # A range is monotonic: if both ends fit, everything between them does.
    slot = signature.scalars[0]
    for n in (trips[0], trips[-1]):
        _fill(np.empty((), slot.dtype), slot, check(slot, n)[0])


@functools.cache
def _is_steady(code: CodeType) -> bool:
    """Whether scalars are the same in each iteration: computed of variables around the loop, calling nothing.

    Between two iterations of a step no code of the user's runs.
    """
    return all(each.opname in _STEADY for each in dis.get_instructions(code))


class ScalarBoxes:
    """The scalars of a loop, chunk by chunk, as one 1-D box for each of the step's parameters.

    The boxes are refilled for each chunk and never replaced.
    """

    def __init__(self, signature: Signature, trips: range, scalars: Scalars | None) -> None:
        self._slots = signature.scalars
        self._dtypes = parts(signature.scalars)
        self._range = trips
        self.trips = len(trips)
        self._scalars = scalars
        self._is_steady = (
            isinstance(scalars, FunctionType) and not signature.received and _is_steady(scalars.__code__)
        )
        self.conversation = scalars if isinstance(scalars, Conversation) else None
        self._boxes: dict[int, list[Array]] = {}
        self._types_decide = not any(
            each.is_pair or (each.dtype.kind in "iu" and not each.typed) for each in self._slots
        )
        """Whether values of types that were right once are always right, and boxed as they are."""
        self._right: set[tuple[type, ...]] = set()

    def fill(self, first: int, size: int) -> list[Array]:
        """Check and box the scalars of iterations ``first`` to ``first + size``; raises ``Refused``."""
        known = self._boxes.get(size)
        if known is None or not self._is_steady:
            known = known or [np.zeros(size, dtype) for dtype in self._dtypes]
            if known:
                self._fill_all(known, self._range[first : first + size])
            self._boxes[size] = known
        return known

    def _fill_all(self, arrays: list[Array], chunk: range) -> None:
        if self._scalars is None:
            # Both ends of the range were checked before the loop.
            arrays[0][...] = chunk
            return
        rows = [self._values(chunk[0])] * len(chunk) if self._is_steady else [self._values(n) for n in chunk]
        owners = [slot for slot in self._slots for _ in slot.parts]
        for array, slot, column in zip(arrays, owners, zip(*rows, strict=True), strict=True):
            _fill(array, slot, column)

    def check_from(self, first: int) -> None:
        """Check the values of iterations that need not run: the loop as written would compute them too."""
        if self._scalars is None:
            return
        for n in self._range[first:][: 1 if self._is_steady else None]:
            self._values(n)

    def _values(self, n: int) -> Sequence[Any]:
        assert self._scalars is not None
        try:
            values = self._scalars(n)
        except SCALAR_ERRORS as error:
            raise refused_by_scalars(error, f"a scalar of iteration {n}") from error
        # A short iteration takes less time than to check its values one by one.
        types = tuple(map(type, values))
        if types in self._right:
            return values
        checked = [check(slot, value) for slot, value in zip(self._slots, values, strict=True)]
        if self._types_decide:
            self._right.add(types)
        return list(chain.from_iterable(checked))

"""What ``heapq`` does with lists that lie in slots, compiled into loops. Importing this imports Numba.

The algorithm is that of CPython's ``Modules/_heapqmodule.c``, so that equal items keep their places.
"""

from __future__ import annotations

import numpy as np

from nprewrite.lowering.heaps import BITS, OF_FLOATS, OF_INTEGERS
from nprewrite.lowering.numbers import EXACT_IN_FLOAT, NUMBERS
from nprewrite.runtime.numba.kernels import compiled
from nprewrite.runtime.numba.memory_kernels import float_in, int_in, put_int

_KIND = (1 << BITS) - 1
_LESS, _NOT_LESS, _UNCLEAR = 1, 0, -1
_FLOATS = sum(1 << tag for tag, number in enumerate(NUMBERS) if number.dtype.kind == "f")


@compiled
def _compared(first, second):  # type: ignore[no-untyped-def]
    """Whether one number is less than another; whether they are equal."""
    return (_LESS if first < second else _NOT_LESS), first == second


@compiled
def _compared_floats(first, second):  # type: ignore[no-untyped-def]
    if first != first or second != second:
        return _UNCLEAR, False
    return _compared(first, second)


@compiled
def _as_float(state, slot):  # type: ignore[no-untyped-def]
    """A number with its type behind it; not-a-number for integers that no float is equal to."""
    if _FLOATS >> int_in(state, slot + 1) & 1:
        return float_in(state, slot)
    number = int_in(state, slot)
    return np.float64(number) if abs(number) <= EXACT_IN_FLOAT else np.nan


@compiled
def _is_less(state, first, second, width, kinds):  # type: ignore[no-untyped-def]
    """Whether an item is less than another one; ``kinds`` says what its numbers are."""
    one, other = first * width, second * width
    while kinds:
        kind = kinds & _KIND
        kinds >>= BITS
        if kind == OF_INTEGERS:
            less, same = _compared(int_in(state, one), int_in(state, other))
        elif kind == OF_FLOATS:
            less, same = _compared_floats(float_in(state, one), float_in(state, other))
        else:
            less, same = _compared_floats(_as_float(state, one), _as_float(state, other))
        if not same:
            return less
        step = 1 if kind in (OF_INTEGERS, OF_FLOATS) else 2
        one += step
        other += step
    return _NOT_LESS


@compiled
def _swap(state, first, second, width):  # type: ignore[no-untyped-def]
    for k in range(width):
        kept = int_in(state, first * width + k)
        put_int(state, first * width + k, int_in(state, second * width + k))
        put_int(state, second * width + k, kept)


@compiled
def _sift_down(state, place, width, kinds):  # type: ignore[no-untyped-def]
    """Bring an item towards the first one, as long as it is less than the one above it."""
    while place > 0:
        parent = (place - 1) >> 1
        less = _is_less(state, place, parent, width, kinds)
        if less == _UNCLEAR:
            return False
        if less == _NOT_LESS:
            break
        _swap(state, place, parent, width)
        place = parent
    return True


@compiled
def heap_took(state, width, kinds):  # type: ignore[no-untyped-def]
    """Bring the last item of a heap to its place; False where nobody can compare it."""
    return _sift_down(state, state[1] - 1, width, kinds)


@compiled
def heap_gave(state, width, kinds):  # type: ignore[no-untyped-def]
    """Take the first item out of a heap; False where nobody can compare others."""
    state[1] -= 1
    last = state[1]
    if last == 0:
        return True
    for k in range(width):
        put_int(state, k, int_in(state, last * width + k))
    place = 0
    while place < last >> 1:
        child = 2 * place + 1
        if child + 1 < last:
            less = _is_less(state, child, child + 1, width, kinds)
            if less == _UNCLEAR:
                return False
            child += less == _NOT_LESS
        _swap(state, place, child, width)
        place = child
    return _sift_down(state, place, width, kinds)

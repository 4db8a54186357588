"""Arithmetic that lowered loops call, compiled by Numba into them. Importing this module imports Numba.

Divisions follow NumPy: an integer divided by zero gives 0, floor division rounds down, and a remainder has
the sign of the divisor. Floor division and remainder of floats are those of CPython's float_divmod, which
NumPy's npy_divmod follows.
"""

from __future__ import annotations

import math
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

_fetch = types.ExternalFunction("PyErr_Fetch", types.void(types.uintp, types.uintp, types.uintp))

compiled = numba.njit(error_model="numpy")


def _called(builder: Any, name: str, result: ir.Type, *values: Any) -> Any:
    """Write the call of a function of Python's that is rarely called."""
    kind = ir.FunctionType(result, [each.type for each in values])
    function = cgutils.get_or_insert_function(builder.module, kind, name)
    function.attributes.add("cold")
    return builder.call(function, values)


@intrinsic
def _check_signals(context):  # type: ignore[no-untyped-def]
    """Let other threads run, and call ``PyErr_CheckSignals``; all this is marked as rare for LLVM."""

    def written(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        state = _called(builder, "PyEval_SaveThread", ir.IntType(8).as_pointer())
        _called(builder, "PyEval_RestoreThread", ir.VoidType(), state)
        return _called(builder, "PyErr_CheckSignals", ir.IntType(32))

    return types.intc(), written


@compiled
def has_raised(kept):  # type: ignore[no-untyped-def]
    """Run the handlers of pending signals; whether one raises, with type, value and traceback in ``kept``.

    Python handles signals in its main thread, which holds the interpreter lock here. Threads that wait for
    the lock, a watchdog or a display of progress, get it in between, as they do between bytecodes.
    """
    if _check_signals() == 0:
        return False
    place = kept.ctypes.data
    _fetch(place, place + 8, place + 16)
    return True


@compiled
def trips_of(first, stop, step):  # type: ignore[no-untyped-def]
    """The number of trips of ``range(first, stop, step)``, to within 2**10; 0 for more than 2**62."""
    if step == 1:
        return stop - first if stop > first else np.int64(0)
    trips = (np.float64(stop) - np.float64(first)) / np.float64(step)
    return np.int64(trips) if 0.0 < trips < 4e18 else np.int64(0)


@compiled
def floor_divide(a, b):  # type: ignore[no-untyped-def]
    """``a // b`` of int64 as NumPy has it."""
    if b == 0:
        return np.int64(0)
    # -2**63 // -1 wraps around, where the machine's division would trap.
    return np.int64(-a) if b == -1 else np.int64(a // b)


@compiled
def remainder(a, b):  # type: ignore[no-untyped-def]
    """``a % b`` of int64 as NumPy has it."""
    return np.int64(0) if b == 0 or b == -1 else np.int64(a % b)


@numba.njit(error_model="numpy", fastmath={"reassoc"})
def dot(a, b, zero):  # type: ignore[no-untyped-def]
    """The product of two vectors of one length, summed in an order that suits the processor."""
    total = zero
    for k in range(a.size):
        total += a[k] * b[k]
    return total


def _floor_division(one):  # type: ignore[no-untyped-def]
    """``a // b`` of floats of the dtype of ``one``; a literal 1 would make float32 float64."""

    @compiled
    def float_floor_divide(a, b):  # type: ignore[no-untyped-def]
        if b == 0:
            return a / b
        modulus = np.fmod(a, b)
        quotient = (a - modulus) / b
        if modulus != 0 and (b < 0) != (modulus < 0):
            quotient -= one
        if quotient == 0:
            return math.copysign(quotient, a / b)
        floored = np.floor(quotient)
        return floored + one if quotient - floored > one / (one + one) else floored

    return float_floor_divide


float64_floor_divide = _floor_division(np.float64(1))  # type: ignore[no-untyped-call]
float32_floor_divide = _floor_division(np.float32(1))  # type: ignore[no-untyped-call]


@compiled
def float_remainder(a, b):  # type: ignore[no-untyped-def]
    """``a % b`` of floats of one dtype."""
    modulus = np.fmod(a, b)
    if modulus == 0:
        return math.copysign(modulus, b)
    return modulus + b if (b < 0) != (modulus < 0) else modulus


@compiled
def left_shift(a, b, bits):  # type: ignore[no-untyped-def]
    """``a << b`` of an integer of ``bits`` bits: 0 where all of them are shifted out."""
    return np.int64(a << b) if 0 <= b < bits else np.int64(0)


@compiled
def right_shift(a, b, bits):  # type: ignore[no-untyped-def]
    """``a >> b`` of an integer of ``bits`` bits: 0 or -1, by its sign, where all of them are shifted out."""
    return np.int64(a >> b) if 0 <= b < bits else np.int64(a >> np.int64(63))


@compiled
def integer_power(a, b):  # type: ignore[no-untyped-def]
    """``a ** b`` of int64, ``b >= 0``, by squaring; wraps around."""
    # Numba assumes that signed integers never wrap around.
    result, base, exponent = np.uint64(1), np.uint64(a), np.int64(b)
    while exponent > 0:
        if exponent & 1:
            result *= base
        base *= base
        exponent >>= 1
    return np.int64(result)


@compiled
def sum_of_eight(x, start, count):  # type: ignore[no-untyped-def]
    """The sum of ``count`` elements: eight sums side by side, then the rest one by one."""
    i = np.uint64(start)
    a, b, c, d = x[i], x[i + np.uint64(1)], x[i + np.uint64(2)], x[i + np.uint64(3)]
    e, f, g, h = x[i + np.uint64(4)], x[i + np.uint64(5)], x[i + np.uint64(6)], x[i + np.uint64(7)]
    whole = count - count % 8
    for k in range(start + 8, start + whole, 8):
        j = np.uint64(k)
        a += x[j]
        b += x[j + np.uint64(1)]
        c += x[j + np.uint64(2)]
        d += x[j + np.uint64(3)]
        e += x[j + np.uint64(4)]
        f += x[j + np.uint64(5)]
        g += x[j + np.uint64(6)]
        h += x[j + np.uint64(7)]
    total = ((a + b) + (c + d)) + ((e + f) + (g + h))
    for k in range(start + whole, start + count):
        total += x[np.uint64(k)]
    return total


@compiled
def sum_of_halves(x, zero):  # type: ignore[no-untyped-def]
    """The sum of more than 128 elements as the sum of the sums of its halves, and so on.

    The halves wait on a stack, because Numba does not load recursive functions from its cache.
    """
    starts, counts = np.empty(64, np.int64), np.empty(64, np.int64)
    lefts, has_left = np.empty(64, x.dtype), np.zeros(64, np.bool_)
    starts[0], counts[0] = 0, x.shape[0]
    depth, result, ready = 0, zero, False
    while depth >= 0:
        half = counts[depth] // 2
        half -= half % 8
        if ready and has_left[depth]:
            result = lefts[depth] + result
            depth -= 1
        elif ready:
            lefts[depth], has_left[depth] = result, True
            starts[depth + 1], counts[depth + 1] = starts[depth] + half, counts[depth] - half
            depth += 1
            has_left[depth], ready = False, False
        elif counts[depth] <= 128:
            result, ready = sum_of_eight(x, starts[depth], counts[depth]), True
            depth -= 1
        else:
            starts[depth + 1], counts[depth + 1] = starts[depth], half
            depth += 1
            has_left[depth] = False
    return result


@compiled
def pairwise_sum(x, zero):  # type: ignore[no-untyped-def]
    """The sum of a row in the order of NumPy's ``pairwise_sum``."""
    count = x.shape[0]
    if count < 8:
        total = zero
        for i in range(count):
            total += x[np.uint64(i)]
        return total
    return sum_of_eight(x, 0, count) if count <= 128 else sum_of_halves(x, zero)


@compiled
def median_of(x, two):  # type: ignore[no-untyped-def]
    """The median of a vector, whose elements change places: Hoare's FIND (CACM 4, 7, 1961)."""
    for each in x:
        if each != each:
            return each
    middle = x.size // 2
    first, last = 0, x.size - 1
    while first < last:
        pivot, i, j = x[middle], first, last
        while i <= j:
            while x[i] < pivot:
                i += 1
            while pivot < x[j]:
                j -= 1
            if i <= j:
                x[i], x[j] = x[j], x[i]
                i += 1
                j -= 1
        if j < middle:
            first = i
        if middle < i:
            last = j
    if x.size % 2:
        return x[middle]
    below = x[0]
    for k in range(1, middle):
        below = max(below, x[k])
    return (below + x[middle]) / two


@compiled
def sort_in_place(x):  # type: ignore[no-untyped-def]
    """Heapsort (J. W. J. Williams, CACM 7, 6, 1964); not-a-number comes last, as in NumPy."""
    last = x.size - 1
    start = x.size // 2
    while last > 0:
        if start > 0:
            start -= 1
        else:
            x[0], x[last] = x[last], x[0]
            last -= 1
        root = start
        while 2 * root + 1 <= last:
            child = 2 * root + 1
            if child < last and is_before(x[child], x[child + 1]):
                child += 1
            if not is_before(x[root], x[child]):
                break
            x[root], x[child] = x[child], x[root]
            root = child


@compiled
def is_before(a, b):  # type: ignore[no-untyped-def]
    """The order of NumPy's sorting: not-a-number comes last."""
    return a < b or (b != b and a == a)


@compiled
def place_of(x, value, right):  # type: ignore[no-untyped-def]
    """The place in a sorted vector before the elements that are as large, or behind them."""
    first, end = 0, x.size
    while first < end:
        middle = first + (end - first) // 2
        if (not is_before(value, x[middle])) if right else is_before(x[middle], value):
            first = middle + 1
        else:
            end = middle
    return first


@compiled
def interpolated(value, x, y):  # type: ignore[no-untyped-def]
    """The straight line between two points, with the operations of ``np.interp``."""
    last = x.size - 1
    if last == 0:
        return y[0]
    if value != value:
        return value
    if value < x[0]:
        return y[0]
    if value >= x[last]:
        return y[last]
    j = place_of(x, value, True) - 1
    if x[j] == value:
        return y[j]
    slope = (y[j + 1] - y[j]) / (x[j + 1] - x[j])
    result = slope * (value - x[j]) + y[j]
    if result != result:
        result = slope * (value - x[j + 1]) + y[j + 1]
        if result != result and y[j] == y[j + 1]:
            return y[j]
    return result


@compiled
def eliminated(a, b, one):  # type: ignore[no-untyped-def]
    """Gauss-Jordan elimination with row exchanges.

    The result has the pivots on a diagonal, each exchange turning the sign of one, then the columns of the
    inverse of ``a``, and those of the solutions for ``b``.
    """
    n = a.shape[0]
    m = np.zeros((n, 2 * n + b.shape[1]), a.dtype)
    # Element by element: storing a part needs functions that only a process with Numba has.
    for k in range(n):
        for j in range(n):
            m[k, j] = a[k, j]
        for j in range(b.shape[1]):
            m[k, 2 * n + j] = b[k, j]
        m[k, n + k] = one
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if abs(m[i, k]) > abs(m[best, k]):
                best = i
        if best != k:
            for j in range(m.shape[1]):
                m[k, j], m[best, j] = m[best, j], m[k, j]
        pivot = m[k, k]
        for j in range(m.shape[1]):
            m[k, j] /= pivot
        for i in range(n):
            factor = m[i, k]
            if i != k:
                for j in range(m.shape[1]):
                    m[i, j] -= factor * m[k, j]
        # From here on, the column has zeros elsewhere, and nothing reads the one.
        m[k, k] = pivot if best == k else -pivot
    return m


@compiled
def product_of_pivots(m, one):  # type: ignore[no-untyped-def]
    """The determinant, from what ``eliminated`` gives."""
    result = one
    for k in range(m.shape[0]):
        result *= m[k, k]
    return result


@compiled
def sign_of_pivots(m, one):  # type: ignore[no-untyped-def]
    """The sign of the determinant, none of whose factors is 0."""
    result = one
    for k in range(m.shape[0]):
        if m[k, k] < 0:
            result = -result
    return result


@compiled
def logarithm_of_pivots(m, one):  # type: ignore[no-untyped-def]
    """The logarithm of the magnitude of the determinant."""
    result = one - one
    for k in range(m.shape[0]):
        result += np.log(abs(m[k, k]))
    return result


@compiled
def condition(a, both):  # type: ignore[no-untyped-def]
    """An upper bound of a matrix's condition number, from what ``eliminated`` gives."""
    n = a.shape[0]
    own, inverse = 0.0, 0.0
    for i in range(n):
        for j in range(n):
            own += abs(a[i, j])
            inverse += abs(both[i, n + j])
    return own * inverse

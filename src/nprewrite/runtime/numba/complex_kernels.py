"""Arithmetic of complex numbers that lowered loops call. Importing this module imports Numba.

Quotients are by R. L. Smith's algorithm (CACM 5, 1962), which CPython's ``_Py_c_quot`` and NumPy's loops
follow, each with its own roundings. Powers with small integers are products, in the order of CPython's
``c_powu`` and of NumPy's ``npy_cpow``; others are taken in polar form.
"""

from __future__ import annotations

import math

import numpy as np

from nprewrite.runtime.numba.kernels import compiled


@compiled
def complex_quotient(a, b):  # type: ignore[no-untyped-def]
    """``a / b`` of complex128 as CPython has it, ``b != 0``."""
    if abs(b.real) >= abs(b.imag):
        ratio = b.imag / b.real
        below = b.real + b.imag * ratio
        return complex((a.real + a.imag * ratio) / below, (a.imag - a.real * ratio) / below)
    if abs(b.imag) >= abs(b.real):
        ratio = b.real / b.imag
        below = b.real * ratio + b.imag
        return complex((a.real * ratio + a.imag) / below, (a.imag * ratio - a.real) / below)
    return complex(np.nan, np.nan)


@compiled
def complex_power(a, b):  # type: ignore[no-untyped-def]
    """``a ** b`` of complex128 as CPython has it, where that does not raise."""
    if b.imag == 0.0 and b.real == np.floor(b.real) and abs(b.real) <= 100.0:
        count = np.int64(abs(b.real))
        result, factor, bit = complex(1.0, 0.0), a, np.int64(1)
        while bit <= count:
            if count & bit:
                result = result * factor
            bit <<= 1
            factor = factor * factor
        return result if b.real > 0.0 else complex_quotient(complex(1.0, 0.0), result)
    return _polar_power(a, b)


@compiled
def _polar_power(a, b):  # type: ignore[no-untyped-def]
    if a == 0:
        return complex(0.0, 0.0)
    size, angle = math.hypot(a.real, a.imag), math.atan2(a.imag, a.real)
    length, phase = size**b.real, angle * b.real
    if b.imag != 0.0:
        length /= math.exp(angle * b.imag)
        phase += b.imag * math.log(size)
    return complex(length * math.cos(phase), length * math.sin(phase))


def _quotient(one):  # type: ignore[no-untyped-def]
    """``a / b`` of complex numbers whose parts have the dtype of ``one``, as NumPy has it."""

    @compiled
    def quotient(a, b):  # type: ignore[no-untyped-def]
        if abs(b.real) >= abs(b.imag):
            if b.real == 0 and b.imag == 0:
                return complex(a.real / abs(b.real), a.imag / abs(b.real))
            ratio = b.imag / b.real
            scale = one / (b.real + b.imag * ratio)
            return complex((a.real + a.imag * ratio) * scale, (a.imag - a.real * ratio) * scale)
        ratio = b.real / b.imag
        scale = one / (b.imag + b.real * ratio)
        return complex((a.real * ratio + a.imag) * scale, (a.imag * ratio - a.real) * scale)

    return quotient


complex128_quotient = _quotient(np.float64(1))  # type: ignore[no-untyped-call]
complex64_quotient = _quotient(np.float32(1))  # type: ignore[no-untyped-call]


def _power(one, quotient):  # type: ignore[no-untyped-def]
    """``a ** b`` of complex numbers whose parts have the dtype of ``one``, as NumPy has it, ``a != 0``."""
    kept = np.float32 if isinstance(one, np.float32) else np.float64

    @compiled
    def power(a, b):  # type: ignore[no-untyped-def]
        if b.imag != 0 or b.real != np.floor(b.real) or abs(b.real) >= 100:
            wide = _polar_power(complex(np.float64(a.real), np.float64(a.imag)), np.complex128(b))
            return complex(kept(wide.real), kept(wide.imag))
        count = np.int64(abs(b.real))
        if b.real == 1:
            return a
        if b.real == 2:
            return a * a
        if b.real == 3:
            return a * (a * a)
        result, factor, bit = complex(one, one - one), a, np.int64(1)
        while bit <= count:
            if count & bit:
                result = result * factor
            bit <<= 1
            if bit <= count:
                factor = factor * factor
        return result if b.real >= 0 else quotient(complex(one, one - one), result)

    return power


complex128_power = _power(np.float64(1), complex128_quotient)  # type: ignore[no-untyped-call]
complex64_power = _power(np.float32(1), complex64_quotient)  # type: ignore[no-untyped-call]

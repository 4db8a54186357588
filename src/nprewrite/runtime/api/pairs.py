"""Complex arithmetic on two real arrays, as NumPy's complex loops do it.

Every function takes and returns real and imaginary parts of one float dtype (scalars and arrays
broadcast), is written in NumPy functions that torch.compile traces, and agrees with NumPy's complex
function up to rounding, infinities, nan and zeros included. No value makes it warn or raise.
"""

from __future__ import annotations

import functools
import sys
from typing import Any

import numpy as np

Real = Any
Parts = tuple[Real, Real]
# np.power multiplies for integer exponents up to this, and calls the C library beyond.
LARGEST_POWER = 99
# From here on exp is computed in two halves; float32 and float64 overflow well above it.
_LARGE_EXPONENT = 80.0


def divide(a_re: Real, a_im: Real, b_re: Real, b_im: Real) -> Parts:
    """``a / b`` by Smith's method, which does not overflow where the quotient does not.

    Division by ``0+0j`` divides both parts by zero.
    """
    by_real = np.abs(b_re) >= np.abs(b_im)
    larger: Real = np.where(by_real, b_re, b_im)
    smaller: Real = np.where(by_real, b_im, b_re)
    ratio = smaller / larger
    scale = 1.0 / (larger + smaller * ratio)
    re = np.where(by_real, a_re + a_im * ratio, a_re * ratio + a_im) * scale
    im = np.where(by_real, a_im - a_re * ratio, a_im * ratio - a_re) * scale
    by_zero = (b_re == 0) & (b_im == 0)
    zero = np.abs(b_re)
    return np.where(by_zero, a_re / zero, re), np.where(by_zero, a_im / zero, im)


def reciprocal(re: Real, im: Real) -> Parts:
    """``np.reciprocal``; also what NumPy computes for ``z ** -1``."""
    by_real = np.abs(im) <= np.abs(re)
    larger: Real = np.where(by_real, re, im)
    smaller: Real = np.where(by_real, im, re)
    ratio = smaller / larger
    scale = larger + smaller * ratio
    return np.where(by_real, 1.0, ratio) / scale, np.where(by_real, -ratio, -1.0) / scale


def power(re: Real, im: Real, exponent: int) -> Parts:
    """``z ** exponent`` for a Python int of at most 99 in magnitude; ``ValueError`` beyond.

    ``z ** 0`` is 1 everywhere, a negative power of zero is ``nan+nanj``, except that ``z ** -1`` is
    ``np.reciprocal(z)``.
    """
    if abs(exponent) > LARGEST_POWER:
        raise ValueError(f"power {exponent} is beyond {LARGEST_POWER}, where NumPy calls the C library")
    if exponent == -1:
        return reciprocal(re, im)
    if exponent == 0:
        return np.ones_like(re), np.zeros_like(im)
    if exponent == 2:
        return _multiply(re, im, re, im)
    result_re, result_im = _positive_power(re, im, abs(exponent))
    of_zero = 0.0
    if exponent < 0:
        one_re, one_im = np.ones_like(re), np.zeros_like(im)
        result_re, result_im = divide(one_re, one_im, result_re, result_im)
        of_zero = np.nan
    is_zero = (re == 0) & (im == 0)
    return np.where(is_zero, of_zero, result_re), np.where(is_zero, of_zero, result_im)


def _multiply(a_re: Real, a_im: Real, b_re: Real, b_im: Real) -> Parts:
    return a_re * b_re - a_im * b_im, a_re * b_im + a_im * b_re


def _positive_power(re: Real, im: Real, exponent: int) -> Parts:
    """Repeated squaring in NumPy's order, which decides where ``inf`` becomes ``nan``."""
    if exponent == 1:
        return re, im
    if exponent == 3:
        return _multiply(re, im, *_multiply(re, im, re, im))
    result: Parts = (np.ones_like(re), np.zeros_like(im))
    square: Parts = (re, im)
    while True:
        if exponent & 1:
            result = _multiply(*result, *square)
        exponent >>= 1
        if exponent == 0:
            return result
        square = _multiply(*square, *square)


def exp(re: Real, im: Real) -> Parts:
    """``np.exp``, with C's results for infinite parts and no overflow where a small cosine prevents it."""
    whole = np.exp(re)
    half = np.exp(re * 0.5)
    large = re > _LARGE_EXPONENT
    cos = np.cos(im)
    sin = np.sin(im)
    exp_re = np.where(large, cos * half * half, cos * whole)
    exp_im = np.where(large, sin * half * half, sin * whole)
    # An angle that is infinite or nan has no direction; exp(-inf) is 0 all the same, and exp(inf) infinite.
    no_angle = ~np.isfinite(im)
    vanishes = no_angle & (re == -np.inf)
    exp_re = np.where(no_angle & (re == np.inf), np.inf, np.where(vanishes, 0.0, exp_re))
    exp_im = np.where(vanishes, np.copysign(0.0, im), exp_im)
    real = im == 0
    return np.where(real, whole, exp_re), np.where(real, im, exp_im)


def absolute(re: Real, im: Real) -> Real:
    """``np.abs``: infinite where a part is, even beside nan."""
    return np.hypot(re, im)


def join(re: Real, im: Real) -> Any:
    """The complex array of these parts, bit for bit: complex64 of float32, complex128 of float64.

    A Python float takes the dtype of the other part, and is float64 beside another one.
    """
    if _compiling():
        return _join_compiled(re, im)
    result = np.empty(np.broadcast_shapes(np.shape(re), np.shape(im)), np.result_type(re, im, 1j))
    result.real = re
    result.imag = im
    return result


def split(z: Any) -> Parts:
    """New arrays of the real and the imaginary parts of ``z``, bit for bit."""
    return z.real.copy(), z.imag.copy()


def _compiling() -> bool:
    # Only a program that has imported torch can be tracing this.
    torch: Any = sys.modules.get("torch")
    # torch lacks the name while another thread is importing it.
    return hasattr(torch, "compiler") and torch.compiler.is_compiling()


def _join_compiled(re: Real, im: Real) -> Any:
    import torch

    # Stores into .real do not trace, and torch makes float32 of Python's floats.
    known = [torch.as_tensor(each).dtype for each in (re, im) if not isinstance(each, float)]
    dtype = functools.reduce(torch.promote_types, known, torch.float32 if known else torch.float64)
    parts = (torch.as_tensor(each, dtype=dtype) for each in (re, im))
    return torch.complex(*torch.broadcast_tensors(*parts)).numpy()

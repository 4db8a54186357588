"""Whether values are the same: bit for bit, or against the oracle.

Against the oracle, element by element: the rewritten program passes where its error is at most twice
NumPy's own plus one unit in the last place (of the modulus, for complex numbers; log2(n) units of the sum
of |x| for a sum of n terms). Integers and booleans are numbers without a unit. Elements on which the two
programs agree always pass.

That rule alone would reject correct programs: where NumPy happens to be exact, or where an iteration has
amplified its roundings until no digit is left (the Mandelbrot set near its boundary), another order of
rounding gives other digits. So an element that exceeds it is *explained* if the original itself shows as
large an error there when its inexact operations are rounded at random (module ``arithmetic``; W. Kahan, How
futile are mindless assessments of roundoff, 2006, uses the rounding modes for the same purpose): the error
may be at most twice that of the perturbed run. Exact operations are never perturbed, so that ``<=`` in place
of ``<`` is found where both sides are equal, and a well-conditioned element is explained by a few units at
most.

- Perturbed runs are made one after the other, at most ``RUNS``, until everything is explained. Every
  ``FEW_RUNS`` the amplitude doubles; if after the first of these many elements are still unexplained, the
  programs differ. An element in which rounding decides a branch stays unexplained with a probability that
  falls with the sum of amplitudes.
- Elements in which a run leaves no digit are noise, whose size has heavy tails: they share the largest
  noise among them.
- In an array, one unexplained element is accepted for every ``SHARE`` that the runs show to be
  ill-conditioned, if it is a flip or its own noise is amplified. A well-conditioned element is never excused.
- There may be twice as many flips (integers and booleans that differ from the oracle's) as in NumPy's own
  result, plus four standard deviations of that count, plus a few; both counts are shown.

Arrays whose shape depends on a comparison that rounding decides are not covered. If all results of a program
are noise, only the counts are compared.

Without an oracle, floats are compared with NumPy's to half of their digits relative to the largest of the
array, and integers must be equal.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nprewrite.comparison.arithmetic import AMPLITUDE

RUNS = 32
FEW_RUNS = 8
SHARE = 256
# Units in the last place: more than the roundings of a few perturbed operations add up to.
_AMPLIFIED = 16 * AMPLITUDE
_FEW = 4
_FLIPS = 8

Array = NDArray[Any]


def as_number(value: Any) -> Array | None:
    """The value as an array of numbers; None for text, objects, records, dates and huge integers."""
    if isinstance(value, np.ma.MaskedArray):
        return None
    if not isinstance(value, np.ndarray | np.generic | int | float | complex):
        return None
    made = np.asarray(value)
    return made if made.dtype.kind in "biufc" else None


def identical(before: Array, after: Array) -> Array:
    """Where two arrays of one dtype hold the same bits; all NaN count as equal, -0.0 is not 0.0."""
    if before.dtype.kind == "c":
        return identical(before.real, after.real) & identical(before.imag, after.imag)
    if before.dtype.kind != "f":
        return np.asarray(before == after)
    same = (before == after) & (np.signbit(before) == np.signbit(after))
    return np.asarray(same | (np.isnan(before) & np.isnan(after)))


def agreeing(before: Array, after: Array) -> Array:
    """Where two arrays hold the same value; -0.0 equals 0.0, and non-finite complex numbers agree."""
    with np.errstate(all="ignore"):
        same = (before == after) | (np.isnan(before) & np.isnan(after))
        if before.dtype.kind == "c":
            # Which part of an overflowing product is inf and which nan depends on fused multiplications.
            same |= ~np.isfinite(before) & ~np.isfinite(after)
    return np.asarray(same)


def near_half(before: Array, after: Array) -> Array:
    """The comparison without an oracle, where the values do not agree."""
    if before.dtype.kind not in "fc":
        return np.zeros(before.shape, bool)
    with np.errstate(all="ignore"):
        finite = np.isfinite(before)
        size = np.max(np.abs(before), where=finite, initial=0)
        near = np.abs(before - after) <= math.sqrt(np.finfo(before.dtype).eps) * size
    return np.asarray(near & finite & np.isfinite(after))


@dataclass
class Judged:
    """One array of numbers at one place on both sides, its oracle, and what perturbed runs have explained.

    ``noise`` is the largest error of NumPy and of the perturbed runs; ``shaky`` is where a run loses half of
    its digits.
    """

    place: str
    before: Array
    after: Array
    truth: Array
    unit: Array
    error_before: Array
    error_after: Array
    agree: Array
    noise: Array
    shaky: Array

    @classmethod
    def of(cls, place: str, before: Array, after: Array, truth: Array, sum_size: Array | None) -> Judged:
        """Judge ``after`` against ``truth``, the oracle's value in a wider dtype."""
        truth = _in_range(truth, before.dtype)
        unit = _unit(truth, before.dtype)
        if sum_size is not None:
            unit = np.maximum(unit, np.finfo(before.dtype).eps * sum_size)
        errors = error(before, truth), error(after, truth)
        noise = np.where(np.isfinite(errors[0]), errors[0], 0)
        shaky = np.zeros(before.shape, bool)
        return cls(place, before, after, truth, unit, *errors, agreeing(before, after), noise, shaky)

    @property
    def exceeding(self) -> Array:
        """Where the rule does not hold, with the noise known so far."""
        with np.errstate(all="ignore"):
            close = error(self.after, self.before) <= self.unit
            return np.asarray(~(self.agree | close | (self.error_after <= 2 * self._noise() + self.unit)))

    def _noise(self) -> Array:
        """The noise; elements in which no digit is left share the largest finite noise among them."""
        half = np.abs(self.truth) / 2 if self.before.dtype.kind in "fc" else 0
        lost = (self.noise > half) & np.isfinite(self.noise)
        pooled = np.max(self.noise, where=lost, initial=0)
        return np.asarray(np.where(lost, pooled, self.noise))

    def explain(self, run: Array) -> None:
        """Take in a perturbed run of the original."""
        wrong = error(_in_range(run, self.before.dtype), self.truth)
        # A run that gives inf where the truth is nan explains other non-finite values, but no number.
        lost = ~np.isfinite(run) & ~np.isfinite(self.truth) & (wrong > 0)
        self.agree |= lost & ~np.isfinite(self.after)
        wrong = np.where(lost, 0, wrong)
        self.shaky |= wrong > self._half
        self.noise = np.maximum(self.noise, wrong)

    @property
    def _half(self) -> Array:
        """An error that leaves half of the digits, far beyond that of one operation; 0 for integers."""
        if self.before.dtype.kind not in "fc":
            return self.unit
        half = math.sqrt(np.finfo(self.before.dtype).eps) * np.abs(self.truth)
        return np.asarray(np.maximum(half, _AMPLIFIED * self.unit))

    @property
    def different(self) -> bool:
        """Whether there are elements that neither rounding nor chance explains."""
        wrong = self.exceeding
        if self.before.dtype.kind in "fc":
            with np.errstate(all="ignore"):
                sound = wrong & (self.noise <= _AMPLIFIED * self.unit)
            if np.any(sound):
                return True
        return bool(np.count_nonzero(wrong) > np.count_nonzero(self.shaky) // SHARE)

    @property
    def hopeless(self) -> bool:
        """Whether so many are unexplained that more runs are a waste."""
        return bool(np.count_nonzero(self.exceeding) > _FEW + np.count_nonzero(self.shaky) // 16)

    @property
    def flips(self) -> tuple[int, int]:
        """How many integers and booleans differ from the oracle's, in NumPy and in the rewritten program."""
        if self.before.dtype.kind in "fc":
            return 0, 0
        return int(np.count_nonzero(self.error_before)), int(np.count_nonzero(self.error_after))

    def largest(self, errors: Array) -> float:
        """The largest of the errors, in units in the last place."""
        return largest(errors, self.truth, self.before.dtype)


def too_many_flips(numpy: int, rewritten: int) -> bool:
    """Whether the rewritten program's count of flips is beyond what chance would make of NumPy's."""
    return rewritten > 2 * numpy + 4 * math.sqrt(numpy) + _FLIPS


def largest(errors: Array, truth: Array, dtype: np.dtype[Any]) -> float:
    """The largest of the errors, in units in the last place of ``dtype`` at ``truth``; 0 without any."""
    with np.errstate(all="ignore"):
        return float(np.max(np.where(errors == 0, 0, errors / _unit(truth, dtype)), initial=0.0))


def error(value: Array, truth: Array) -> Array:
    """|value - truth|; 0 where both are the same infinity or NaN, inf where one of them is not finite."""
    with np.errstate(all="ignore"):
        wide = np.promote_types(np.promote_types(value.dtype, truth.dtype), np.longdouble)
        difference = np.abs(value.astype(wide) - truth.astype(wide))
        return np.where(agreeing(value, truth), 0, np.where(np.isnan(difference), np.inf, difference))


def _in_range(truth: Array, dtype: np.dtype[Any]) -> Array:
    """The oracle's value in the range of ``dtype``: infinite where it overflows."""
    if dtype.kind not in "fc":
        return truth
    with np.errstate(all="ignore"):
        return np.where(np.isfinite(truth) & ~np.isfinite(truth.astype(dtype)), truth.astype(dtype), truth)


def _unit(truth: Array, dtype: np.dtype[Any]) -> Array:
    """One unit in the last place of ``dtype`` at ``truth``, of the modulus; 0 for integers and booleans."""
    if dtype.kind not in "fc":
        return np.zeros(truth.shape)
    real = np.empty(0, dtype).real.dtype
    with np.errstate(all="ignore"):
        # The spacing at the largest number itself is infinite.
        below = np.nextafter(np.finfo(real).max, real.type(0))
        size = np.minimum(np.abs(truth), below).astype(real)
        unit = np.spacing(size)
        if dtype.kind == "c":
            unit = np.maximum(unit, np.finfo(real).eps * size)
        return np.asarray(np.where(np.isfinite(truth), unit, 0).astype(np.longdouble))

"""Special functions for lowered loops: the normal distribution, the logistic function, digamma."""

from __future__ import annotations

import math

from nprewrite.runtime.numba.kernels import compiled

_ROOT_OF_TWO = math.sqrt(2.0)
_LOG_ROOT_OF_TWO_PI = 0.5 * math.log(2.0 * math.pi)
_LARGE = 10.0
"""From here on the asymptotic series of ``digamma`` is exact to the last bits with the terms below."""


@compiled
def normal_below(x):  # type: ignore[no-untyped-def]
    """The probability that a normal number of mean 0 and deviation 1 is at most ``x``."""
    z = x / _ROOT_OF_TWO
    if abs(z) < 1.0:
        return 0.5 + 0.5 * math.erf(z)
    upper = 0.5 * math.erfc(abs(z))
    return 1.0 - upper if z > 0.0 else upper


@compiled
def normal_above(x):  # type: ignore[no-untyped-def]
    """The probability that it is larger than ``x``."""
    return normal_below(-x)


@compiled
def normal_density(x):  # type: ignore[no-untyped-def]
    """The density of the normal distribution of mean 0 and deviation 1."""
    return math.exp(-(x * x) / 2.0) / math.sqrt(2.0 * math.pi)


@compiled
def log_normal_density(x):  # type: ignore[no-untyped-def]
    """Its logarithm."""
    return -(x * x) / 2.0 - _LOG_ROOT_OF_TWO_PI


@compiled
def logistic(x):  # type: ignore[no-untyped-def]
    """``1 / (1 + exp(-x))``."""
    return 1.0 / (1.0 + math.exp(-x))


@compiled
def log_odds(p):  # type: ignore[no-untyped-def]
    """``log(p / (1 - p))``, exact near a half too; nan outside of 0 to 1, and infinite at its ends."""
    if p == 0.0:
        return -math.inf
    if p == 1.0:
        return math.inf
    if not 0.0 < p < 1.0:
        return math.nan
    if p < 0.3 or p > 0.65:
        return math.log(p / (1.0 - p))
    s = 2.0 * (p - 0.5)
    return math.log1p(s) - math.log1p(-s)


@compiled
def log_gamma(x):  # type: ignore[no-untyped-def]
    """The logarithm of the magnitude of the gamma function, with SciPy's value at minus infinity."""
    return x if x == -math.inf else math.lgamma(x)


@compiled
def digamma(x):  # type: ignore[no-untyped-def]
    """The derivative of ``lgamma`` at a positive number.

    By recurrence to a large number, and there by the asymptotic series (M. Abramowitz, I. A. Stegun,
    *Handbook of Mathematical Functions*, 1964, 6.3.5 and 6.3.18).
    """
    before = 0.0
    while x < _LARGE:
        before -= 1.0 / x
        x += 1.0
    r = 1.0 / (x * x)
    series = r * (1 / 12 - r * (1 / 120 - r * (1 / 252 - r * (1 / 240 - r * (1 / 132 - r * 691 / 32760)))))
    return before + math.log(x) - 0.5 / x - series

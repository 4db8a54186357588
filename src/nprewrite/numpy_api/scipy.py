"""SciPy's functions of numbers, which apply to arrays element by element: their dtypes are known.

None is compiled: they stay where they are, and what is computed from their results does not have to.
"""

from __future__ import annotations

SPECIAL = frozenset(
    {
        *("gamma", "gammaln", "loggamma", "digamma", "psi", "rgamma"),
        *("erf", "erfc", "erfcx", "erfinv", "erfcinv", "dawsn", "ndtr", "ndtri", "log_ndtr"),
        *("j0", "j1", "y0", "y1", "i0", "i0e", "i1", "i1e", "k0", "k0e", "k1", "k1e"),
        *("ellipk", "ellipe", "exp1", "expi", "expit", "logit", "log_expit", "sinc", "zeta", "spence"),
        *("cbrt", "exp2", "exp10", "expm1", "log1p", "cosm1", "entr", "exprel"),
    }
)
"""Functions of ``scipy.special`` that give floats for floats."""


def is_special(dotted: str | None) -> bool:
    """Whether a dotted name is that of such a function."""
    owner, _, name = (dotted or "").rpartition(".")
    return owner == "scipy.special" and name in SPECIAL

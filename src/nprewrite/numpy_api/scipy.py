"""SciPy's functions of numbers, which apply to arrays element by element: their dtypes are known.

Compiled steps hold none: they stay where they are, and what is computed from their results does not have to.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Special:
    """A function that gives floats for floats.

    - ``native``: the function by which a lowered loop computes it: one of ``math``, or a kernel of the
      runtime; empty where it does not.
    - ``positive``: that is right for positive numbers only.
    """

    native: str = ""
    positive: bool = False


_OTHERS = (
    *("gamma", "loggamma", "rgamma", "erfcx", "erfinv", "erfcinv", "dawsn", "ndtri", "log_ndtr"),
    *("j0", "j1", "y0", "y1", "i0", "i0e", "i1", "i1e", "k0", "k0e", "k1", "k1e"),
    *("ellipk", "ellipe", "exp1", "expi", "log_expit", "sinc", "zeta", "spence"),
    *("cbrt", "exp2", "exp10", "cosm1", "entr", "exprel"),
)
_DIGAMMA = Special("digamma", positive=True)
SPECIAL: dict[str, Special] = {
    **dict.fromkeys(_OTHERS, Special()),
    "erf": Special("math.erf"),
    "erfc": Special("math.erfc"),
    "expm1": Special("math.expm1"),
    "log1p": Special("math.log1p"),
    "gammaln": Special("log_gamma"),
    "digamma": _DIGAMMA,
    "psi": _DIGAMMA,
    "ndtr": Special("normal_below"),
    "expit": Special("logistic"),
    "logit": Special("log_odds"),
}
"""Those of ``scipy.special``."""

NORMAL = {
    "pdf": "normal_density",
    "logpdf": "log_normal_density",
    "cdf": "normal_below",
    "sf": "normal_above",
}
"""The methods of ``scipy.stats.norm`` that lowered loops compute, by the kernels that do: of a number, its
mean and its deviation, by default 0 and 1."""
DENSITIES = ("pdf", "logpdf")
"""Those that are for a length, and change with the scale."""
_NORM = "scipy.stats.norm"


def special_function(dotted: str | None) -> Special | None:
    """The record for a dotted name such as ``scipy.special.erf``."""
    owner, _, name = (dotted or "").rpartition(".")
    return SPECIAL.get(name) if owner == "scipy.special" else None


def of_normal(dotted: str | None) -> str:
    """``cdf`` for ``scipy.stats.norm.cdf``; empty for other names."""
    owner, _, name = (dotted or "").rpartition(".")
    return name if owner == _NORM and name in NORMAL else ""


def only_computes(dotted: str | None) -> bool:
    """Whether a dotted name is that of one of these functions, all of which only compute."""
    return special_function(dotted) is not None or of_normal(dotted) != ""


def is_lowered(dotted: str | None) -> bool:
    """Whether a dotted name is that of a function of SciPy that lowered loops compute."""
    found = special_function(dotted)
    return (found is not None and found.native != "") or of_normal(dotted) != ""

"""Functions of ``numpy.random`` and methods of its generators that draw numbers, a record for each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Drawing:
    """A function or method that draws numbers of one distribution.

    - ``size``: the position of the argument ``size``; None where all arguments are lengths.
    - ``whole``: it draws integers; otherwise floats.
    - ``takes_dtype``: the argument after ``size`` may ask for another dtype.
    - ``of``: what has it: a "generator", a legacy "state" (and ``numpy.random`` itself), or both.
    """

    size: int | None
    whole: bool = False
    takes_dtype: bool = False
    of: Literal["both", "generator", "state"] = "both"


RANDOM: dict[str, Drawing] = {
    "standard_cauchy": Drawing(0),
    **dict.fromkeys(
        ["chisquare", "exponential", "pareto", "power", "rayleigh", "standard_t", "weibull"], Drawing(1)
    ),
    **dict.fromkeys(["beta", "f", "gamma", "gumbel", "laplace", "logistic", "lognormal"], Drawing(2)),
    **dict.fromkeys(["noncentral_chisquare", "normal", "uniform", "vonmises", "wald"], Drawing(2)),
    "triangular": Drawing(3),
    **dict.fromkeys(["geometric", "logseries", "poisson", "zipf"], Drawing(1, whole=True)),
    **dict.fromkeys(["binomial", "negative_binomial"], Drawing(2, whole=True)),
    "hypergeometric": Drawing(3, whole=True),
    # Those of a legacy state raise TypeError for `dtype`.
    **dict.fromkeys(["random", "standard_exponential", "standard_normal"], Drawing(0, takes_dtype=True)),
    "standard_gamma": Drawing(1, takes_dtype=True),
    "integers": Drawing(2, whole=True, takes_dtype=True, of="generator"),
    "randint": Drawing(2, whole=True, takes_dtype=True, of="state"),
    **dict.fromkeys(["random_sample", "ranf", "sample"], Drawing(0, of="state")),
    **dict.fromkeys(["rand", "randn"], Drawing(None, of="state")),
}


def drawing(name: str, *, legacy: bool) -> Drawing | None:
    """The record of a method of a generator, or of a ``legacy`` state."""
    found = RANDOM.get(name)
    return found if found is not None and found.of in ("both", "state" if legacy else "generator") else None

"""Functions of ``numpy.random`` and of ``random``, and methods of NumPy's generators, a record for each."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Literal

import numpy as np

Of = Literal["generator", "state", "python"]
"""What draws: a ``Generator``, a ``RandomState`` (also ``numpy.random`` itself), or a ``random.Random`` (also
the module ``random``)."""
Native = Literal[
    "",
    "unit",
    "span",
    "normal",
    "standard normal",
    "exponential",
    "standard exponential",
    "rate",
    "events",
    "successes",
    "gamma",
    "standard gamma",
    "chi square",
    "beta",
    "whole",
    "whole below",
    "pick",
]
"""Single numbers that lowered loops draw: floats from 0 to 1 or from a span, normal ones, waiting times of a
mean or a rate, numbers of events and of successes, those of the gamma, chi-square and beta distributions,
integers up to a last one ("whole") or below a bound, and one of several values."""


@dataclass(frozen=True)
class Drawing:
    """A function or method that draws numbers of one distribution.

    - ``size``: the position of the argument ``size``; None where all arguments are lengths.
    - ``whole``: it draws integers; otherwise floats.
    - ``takes_dtype``: the argument after ``size`` may ask for another dtype.
    - ``of``: what has it: a "generator", a legacy "state" (and ``numpy.random`` itself), or both.
    - ``native``: what a lowered loop computes where a single number is drawn; empty where it cannot.
    - ``parameters``: the names of the distribution's parameters, where lowered loops take them by name.
    """

    size: int | None
    whole: bool = False
    takes_dtype: bool = False
    of: Literal["both", "generator", "state"] = "both"
    native: Native = ""
    parameters: tuple[str, ...] = ()


RANDOM: dict[str, Drawing] = {
    "standard_cauchy": Drawing(0),
    "chisquare": Drawing(1, native="chi square", parameters=("df",)),
    **dict.fromkeys(["pareto", "power", "rayleigh", "standard_t", "weibull"], Drawing(1)),
    "exponential": Drawing(1, native="exponential", parameters=("scale",)),
    "beta": Drawing(2, native="beta", parameters=("a", "b")),
    "gamma": Drawing(2, native="gamma", parameters=("shape", "scale")),
    **dict.fromkeys(["f", "gumbel", "laplace", "logistic", "lognormal"], Drawing(2)),
    **dict.fromkeys(["noncentral_chisquare", "vonmises", "wald"], Drawing(2)),
    "normal": Drawing(2, native="normal", parameters=("loc", "scale")),
    "uniform": Drawing(2, native="span", parameters=("low", "high")),
    "triangular": Drawing(3),
    **dict.fromkeys(["geometric", "logseries", "zipf"], Drawing(1, whole=True)),
    "poisson": Drawing(1, whole=True, native="events", parameters=("lam",)),
    "binomial": Drawing(2, whole=True, native="successes", parameters=("n", "p")),
    "negative_binomial": Drawing(2, whole=True),
    "hypergeometric": Drawing(3, whole=True),
    # Those of a legacy state raise TypeError for `dtype`.
    "random": Drawing(0, takes_dtype=True, native="unit"),
    "standard_normal": Drawing(0, takes_dtype=True, native="standard normal"),
    "standard_exponential": Drawing(0, takes_dtype=True, native="standard exponential"),
    "standard_gamma": Drawing(1, takes_dtype=True, native="standard gamma", parameters=("shape",)),
    "integers": Drawing(2, True, True, "generator", "whole below", ("low", "high")),
    "randint": Drawing(2, True, True, "state", "whole below", ("low", "high")),
    "random_sample": Drawing(0, of="state", native="unit"),
    **dict.fromkeys(["ranf", "sample"], Drawing(0, of="state")),
    "rand": Drawing(None, of="state", native="unit"),
    "randn": Drawing(None, of="state", native="standard normal"),
}

PYTHON_RANDOM: dict[str, tuple[Native, tuple[str, ...]]] = {
    "random": ("unit", ()),
    "uniform": ("span", ("a", "b")),
    "gauss": ("normal", ("mu", "sigma")),
    "expovariate": ("rate", ("lambd",)),
    "randint": ("whole", ("a", "b")),
    "randrange": ("whole below", ()),
}
"""Functions of the module ``random``: what they draw, and the names of their parameters."""


def of_generator(value: object) -> Of | None:
    """What an object draws as; None for what is no generator of random numbers, or of a class of its own."""
    kind = type(value)
    if kind is random.Random:
        return "python"
    if not kind.__module__.startswith("numpy.random"):
        # A program that has one has imported its module, which costs milliseconds.
        return None
    return "generator" if kind is np.random.Generator else "state" if kind is np.random.RandomState else None


def drawing(name: str, of: Of) -> Drawing | None:
    """The record of a method of one of NumPy's generators."""
    found = RANDOM.get(name)
    return found if found is not None and found.of in ("both", of) else None


def native_drawing(name: str, of: Of) -> tuple[Native, tuple[str, ...]]:
    """What a lowered loop computes for a function that draws a single number, and its parameters' names."""
    if name == "choice":
        return "pick", ()
    if of == "python":
        return PYTHON_RANDOM.get(name, ("", ()))
    found = drawing(name, of)
    return (found.native, found.parameters) if found is not None else ("", ())

"""Functions and methods that do more than compute their result, a record for each."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Effect:
    """What changes an array and returns nothing: ``x.sort()``, ``np.copyto(x, y)``.

    ``method``: a method that changes its array; ``function``: a function that changes its first argument;
    ``device``: a device does it; ``calls_back``: a function that itself changes no array, but calls one that
    it is given.
    """

    method: bool = False
    function: bool = False
    device: bool = False
    calls_back: bool = False


EFFECTS: dict[str, Effect] = {
    "sort": Effect(method=True, device=True),
    "partition": Effect(method=True),
    "fill": Effect(method=True, device=True),
    "put": Effect(method=True, function=True),
    "resize": Effect(method=True),
    "copyto": Effect(function=True, device=True),
    "place": Effect(function=True),
    "putmask": Effect(function=True),
    "fill_diagonal": Effect(function=True),
    "put_along_axis": Effect(function=True),
    "vectorize": Effect(calls_back=True),
    "frompyfunc": Effect(calls_back=True),
    "apply_along_axis": Effect(calls_back=True),
    "apply_over_axes": Effect(calls_back=True),
    "fromfunction": Effect(calls_back=True),
    "piecewise": Effect(calls_back=True),
}


def has_effect(dotted: str) -> bool:
    """Whether a function of NumPy's does more than compute its result: ``numpy.copyto``, ``numpy.add.at``."""
    name = dotted.removeprefix("numpy.")
    return dotted.startswith("numpy.") and (name in EFFECTS or changes_its_first(name))


def changes_its_array(method: str) -> bool:
    """Whether ``x.method(...)`` changes ``x`` and returns nothing."""
    return method in EFFECTS and EFFECTS[method].method


def calls_back(function: str) -> bool:
    """Whether ``np.function(...)`` may call a function of the user's."""
    return function in EFFECTS and EFFECTS[function].calls_back


def changes_its_first(function: str) -> bool:
    """Whether ``np.function(x, ...)`` changes ``x`` and returns nothing: ``copyto``, ``add.at``."""
    return function.endswith(".at") or (function in EFFECTS and EFFECTS[function].function)

"""Cases made from a function's annotations, with hypothesis.

Most have ordinary values: an array program that overflows everywhere shows little. A few draw from all values
that the dtypes can hold, nan and infinities included. All arrays of a case have the same shape, since nothing
tells how the shapes are related. The same function gets the same cases in every run.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from nprewrite.comparison.case import Case
from nprewrite.verification.labels import describe
from nprewrite.verification.problems import CannotVerify

ORDINARY = 20
SPECIAL = 5

LARGEST = 100
"""The largest magnitude of an ordinary number, so that products of several stay finite in float32."""
LARGEST_INT = 64
"""The largest Python integer: it may be a size or a number of iterations."""
LONGEST_SIDE = 8


@dataclass(frozen=True)
class _Kind:
    """What values a parameter gets: arrays or scalars of a dtype, or Python numbers of a type."""

    dtype: np.dtype[Any]
    is_array: bool = False
    python: type | None = None


_PYTHON: dict[Any, _Kind] = {kind: _Kind(np.dtype(kind), python=kind) for kind in (bool, int, float, complex)}
_SCALARS = {np.dtype(code).type for code in "?bBhHiIlLqQefdgFDG"}
_BY_NAME = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
_VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def generated(function: Callable[..., Any], name: str) -> Iterator[Case]:
    """Cases for a function whose parameters without defaults are all annotated.

    float, int, bool, complex, NumPy's scalar types and ``npt.NDArray`` of one are understood. A parameter
    with a default keeps it if its annotation is not. Raises ``CannotVerify`` where a case cannot be made, or
    hypothesis is not installed.
    """
    kinds = _kinds(function, name)
    if not kinds:
        yield Case(f"{name}()")
        return
    for values in _examples(kinds, ORDINARY, special=False):
        yield Case(describe(name, (), values), kwargs=values)
    if any(kind.is_array and kind.dtype.kind in "fc" for kind in kinds.values()):
        for values in _examples(kinds, SPECIAL, special=True):
            yield Case(f"{describe(name, (), values)}, any values", kwargs=values)


def _kinds(function: Callable[..., Any], name: str) -> dict[str, _Kind]:
    """What each parameter gets, except those that keep their default."""
    try:
        hints = typing.get_type_hints(function)
    except (NameError, TypeError, AttributeError) as error:
        raise CannotVerify(f"{name}: its annotations cannot be evaluated ({error})") from error
    found: dict[str, _Kind] = {}
    for parameter in inspect.signature(function).parameters.values():
        kind = _kind(hints.get(parameter.name))
        if kind is not None and parameter.kind in _BY_NAME:
            found[parameter.name] = kind
        elif parameter.default is parameter.empty and parameter.kind not in _VARIADIC:
            raise CannotVerify(f"{name}: {_missing(parameter)}")
    return found


def _missing(parameter: inspect.Parameter) -> str:
    if parameter.annotation is parameter.empty:
        return f"parameter {parameter.name} has no annotation"
    if parameter.kind not in _BY_NAME:
        return f"parameter {parameter.name} is positional only"
    shown = inspect.formatannotation(parameter.annotation)
    return f"parameter {parameter.name} is annotated {shown}, and no values can be made for that"


def _kind(hint: Any) -> _Kind | None:
    if isinstance(hint, type) and hint in _PYTHON:
        return _PYTHON[hint]
    is_array = typing.get_origin(hint) is np.ndarray
    inner = typing.get_args(typing.get_args(hint)[1]) if is_array else (hint,)
    scalar = inner[0] if inner else None
    concrete = isinstance(scalar, type) and scalar in _SCALARS
    return _Kind(np.dtype(scalar), is_array=is_array) if concrete else None


def _examples(kinds: dict[str, _Kind], count: int, *, special: bool) -> list[dict[str, Any]]:
    try:
        import hypothesis
        from hypothesis import strategies
        from hypothesis.extra import numpy as arrays
    except ImportError as error:
        raise CannotVerify(
            f"cases are made with hypothesis, which is not installed ({error}): pip install hypothesis, "
            "or give the cases yourself"
        ) from error
    found: list[dict[str, Any]] = []

    def values(kind: _Kind, shape: tuple[int, ...]) -> Any:
        if kind.python is int:
            return strategies.integers(0, LARGEST_INT)
        # Scalars stay ordinary: a single nan among them makes most results nan.
        bounds = _bounds(kind.dtype, special=special and kind.is_array)
        drawn = arrays.from_dtype(kind.dtype, **bounds)
        if kind.is_array:
            return arrays.arrays(kind.dtype, shape, elements=drawn, fill=strategies.nothing())
        return drawn.map(kind.python or kind.dtype.type)

    # Without elements there would be no special value.
    shortest = 1 if special else 0
    shapes = arrays.array_shapes(min_dims=1, max_dims=2, min_side=shortest, max_side=LONGEST_SIDE)
    cases = shapes.flatmap(
        lambda shape: strategies.fixed_dictionaries(
            {name: values(kind, shape) for name, kind in kinds.items()}
        )
    )

    @hypothesis.settings(
        max_examples=count,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.given(cases)
    def collect(case: dict[str, Any]) -> None:
        found.append({name: case[name] for name in kinds})

    collect()
    return found


def _bounds(dtype: np.dtype[Any], *, special: bool) -> dict[str, Any]:
    if special or dtype.kind == "b":
        return {}
    if dtype.kind in "iu":
        return {"min_value": 0 if dtype.kind == "u" else -LARGEST, "max_value": LARGEST}
    if dtype.kind == "c":
        return {"max_magnitude": LARGEST, "allow_nan": False, "allow_infinity": False}
    return {"min_value": -LARGEST, "max_value": LARGEST, "allow_nan": False, "allow_subnormal": False}

"""What a call did, and where two calls differ: results, types, mutation, shared memory, exceptions."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

# Relative to the larger of 1 and the value: room for an iteration that amplifies a rounding.
TOLERANCE = {2: 1e-2, 4: 1e-3, 8: 1e-10}


@dataclass(frozen=True)
class Closeness:
    """How near is near enough; the default is the same bits."""

    rounding: bool = False
    differing_lanes: float = 0.0
    single: bool = False
    """float32 may stand for float64, and complex64 for complex128."""


@dataclass(frozen=True)
class Observation:
    """What one call gave back or raised, and its arguments afterwards."""

    result: Any
    exception: Exception | None
    arguments: tuple[Any, ...]

    def leaves(self) -> dict[str, Any]:
        """Every array, scalar and other plain value that the caller can see, by its place."""
        found = dict(_leaves(self.result, "result"))
        found.update(_leaves(self.arguments, "arguments"))
        return found


def observe(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Observation:
    """Call the function; every exception that a program may raise is part of what is observed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return Observation(function(*arguments), None, arguments)
        except (
            ArithmeticError,
            AssertionError,
            AttributeError,
            LookupError,
            NameError,
            TypeError,
            ValueError,
            Warning,
        ) as error:
            return Observation(None, error, arguments)


def differences(left: Observation, right: Observation, closeness: Closeness) -> list[str]:
    """Sentences about everything in which the two calls differ; empty where nothing does."""
    if type(left.exception) is not type(right.exception):
        return [f"raises {left.exception!r} against {right.exception!r}"]
    ours, theirs = left.leaves(), right.leaves()
    if ours.keys() != theirs.keys():
        return [f"structure {sorted(ours)} against {sorted(theirs)}"]
    found = [
        f"{place}: {difference}"
        for place, leaf in ours.items()
        if (difference := leaf_difference(leaf, theirs[place], closeness))
    ]
    return found + _sharing_differences(ours, theirs)


def leaf_difference(left: Any, right: Any, closeness: Closeness) -> str | None:
    """Why two plain values are not the same, or None."""
    if closeness.single and type(getattr(left, "dtype", None)) is not type(getattr(right, "dtype", None)):
        narrow = getattr(left, "dtype", None), getattr(right, "dtype", None)
        if narrow not in ((np.dtype("f8"), np.dtype("f4")), (np.dtype("c16"), np.dtype("c8"))):
            return f"dtype {narrow[0]} against {narrow[1]}"
        left, right = np.asarray(left), np.asarray(right)
        left = left.astype(right.dtype)
    if type(left) is not type(right):
        return f"type {type(left).__name__} against {type(right).__name__}"
    if isinstance(left, np.ndarray):
        return _array_difference(left, right, closeness)
    if isinstance(left, np.generic) and left.dtype != right.dtype:
        return f"dtype {left.dtype} against {right.dtype}"
    if isinstance(left, np.generic | float | complex):
        return _value_difference(np.asarray(left), np.asarray(right), closeness)
    return None if left == right else f"{left!r} against {right!r}"


def _array_difference(left: np.ndarray, right: np.ndarray, closeness: Closeness) -> str | None:
    for what in ("dtype", "shape"):
        if getattr(left, what) != getattr(right, what):
            return f"{what} {getattr(left, what)} against {getattr(right, what)}"
    if left.flags.writeable != right.flags.writeable:
        return f"writeable {left.flags.writeable} against {right.flags.writeable}"
    if isinstance(left, np.ma.MaskedArray):
        if not np.array_equal(np.ma.getmaskarray(left), np.ma.getmaskarray(right)):
            return "masks differ"
        return _value_difference(left.data, right.data, closeness)
    return _value_difference(np.asarray(left), np.asarray(right), closeness)


def _value_difference(left: np.ndarray, right: np.ndarray, closeness: Closeness) -> str | None:
    if left.dtype.kind not in "fc":
        same = left == right if left.dtype.names is None else np.array(left.tolist() == right.tolist())
    elif closeness.rounding:
        same = _near(left, right, closeness)
    else:
        same = _identical(left, right)
    wrong = np.flatnonzero(~np.atleast_1d(np.asarray(same, dtype=bool)))
    allowed = closeness.differing_lanes * left.size if closeness.rounding else 0
    if len(wrong) <= allowed:
        return None
    first = tuple(int(k) for k in np.unravel_index(wrong[0], left.shape)) if left.shape else ()
    return f"{len(wrong)} of {left.size} differ, first at {first}: {left[first]!r} against {right[first]!r}"


def _identical(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    if left.dtype.kind == "c":
        return _identical(left.real, right.real) & _identical(left.imag, right.imag)
    both_nan = np.isnan(left) & np.isnan(right)
    return both_nan | ((left == right) & (np.signbit(left) == np.signbit(right)))


def _near(left: np.ndarray, right: np.ndarray, closeness: Closeness) -> np.ndarray:
    """Near in norm; nan and inf at the same places.

    Which part of an overflowing complex number is inf and which is nan depends on fused
    multiplication in NumPy's own loops, so that only "finite or not" is compared there.
    """
    tolerance = TOLERANCE[4 if closeness.single else min(left.real.dtype.itemsize, 8)]
    with np.errstate(all="ignore"):
        size = np.maximum(1, np.abs(left))
        near = np.abs(left - right) <= tolerance * size
    finite = np.isfinite(left) & np.isfinite(right)
    if left.dtype.kind == "c":
        return np.where(finite, near, ~np.isfinite(left) & ~np.isfinite(right))
    return np.where(finite, near, (np.isnan(left) & np.isnan(right)) | (left == right))


def _sharing_differences(ours: dict[str, Any], theirs: dict[str, Any]) -> list[str]:
    places = [place for place, leaf in ours.items() if isinstance(leaf, np.ndarray)]
    pairs = [(a, b) for index, a in enumerate(places) for b in places[:index]]
    return [
        f"{a} and {b} share memory on one side only"
        for a, b in pairs
        if _relation(ours[a], ours[b]) != _relation(theirs[a], theirs[b])
    ]


def _relation(a: np.ndarray, b: np.ndarray) -> tuple[bool, bool]:
    return a is b, np.shares_memory(a, b)


def _leaves(value: Any, place: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, np.ndarray):
        yield place, value
    elif isinstance(value, list | tuple):
        yield f"{place} (length)", len(value)
        for index, item in enumerate(value):
            yield from _leaves(item, f"{place}[{index}]")
    elif isinstance(value, dict):
        yield f"{place} (keys)", list(value)
        for key, item in value.items():
            yield from _leaves(item, f"{place}[{key!r}]")
    elif hasattr(value, "__dict__") and not callable(value):
        yield f"{place} (class)", type(value).__name__
        yield from _leaves(vars(value), f"{place}.__dict__")
    elif not callable(value):
        yield place, value

"""Arguments for random programs: usual ones, and those that guards are there for."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from random_scope import Variable

_TRIPS = [7, 0, 1, 9, 17, 2, 8]
CASES = len(_TRIPS)
# The first two of a program are plain, so that its steps run.
_KINDS = ["plain", "plain", "views", "aliased", "special", "mismatched", "empty", "read-only", "other dtype"]
_SIZES = [6, 5, 4, 3, 2, 1, 11]


def arguments(seed: int, index: int, parameters: tuple[Variable, ...], rank: int) -> tuple[Any, ...]:
    """The arguments of a case; the numbers of trips and the sizes go through small and odd ones."""
    rng = np.random.default_rng([seed, index])
    kind = _KINDS[index] if index < 2 else str(rng.choice(_KINDS))
    size = 6 if index < 2 else int(rng.choice(_SIZES))
    shape = _shape(rng, rank, size, square=bool(rng.random() < 0.5))
    # Casts of nan, inf and imaginary parts are what is wanted here.
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore", np.exceptions.ComplexWarning)
        return _arguments(rng, kind, parameters, shape, _TRIPS[index])


def _shape(rng: np.random.Generator, rank: int, size: int, square: bool) -> tuple[int, ...]:
    if rank == 1:
        return (size,)
    last = size if square else int(rng.choice(_SIZES))
    return (2, size, last) if rank == 3 else (size, last)


def _arguments(
    rng: np.random.Generator,
    kind: str,
    parameters: tuple[Variable, ...],
    shape: tuple[int, ...],
    trips: int,
) -> tuple[Any, ...]:
    made: list[Any] = []
    empty = kind == "empty"
    if empty:
        shape = (*shape[:-1], 0)
    for each in parameters:
        if each.shape == "number":
            made.append(_number(rng, each, shape, trips))
            continue
        alike = [other for other in made if isinstance(other, np.ndarray) and other.dtype == each.dtype]
        if kind == "aliased" and alike:
            made.append(_alias(rng, alike[0]))
            continue
        smaller = kind == "mismatched" and bool(made) and bool(rng.random() < 0.7)
        wanted = _other_shape(rng, shape) if smaller else shape
        array = _array(rng, each.dtype, wanted, special=kind == "special")
        made.append(_treated(rng, kind, array))
    return tuple(made)


def _number(rng: np.random.Generator, each: Variable, shape: tuple[int, ...], trips: int) -> Any:
    named = {"trips": trips, "size": shape[-1], "rows": shape[-2] if len(shape) > 1 else 1}
    if each.name in named:
        return named[each.name]
    choices: dict[str, list[Any]] = {
        "float": [0.3, 0.1, -0.5, 1.0, 2, np.float64(0.3), np.float32(0.3), 0.0, 1e-9],
        "int": [2, 1, 3, -1, np.int64(2), 300],
        "complex": [0.1 + 0.2j, -0.3j, 0.5, np.complex64(0.1 - 0.1j)],
    }
    among = choices[each.dtype]
    return among[int(rng.choice(len(among)))] if rng.random() < 0.4 else among[0]


def _array(rng: np.random.Generator, dtype: str, shape: tuple[int, ...], special: bool) -> Any:
    kind = np.dtype(dtype).kind
    if kind == "b":
        return rng.random(shape) < 0.5
    if kind in "iu":
        small = rng.integers(0, 9, shape).astype(dtype)
        ends = np.iinfo(dtype)
        return np.where(small % 4 == 3, rng.choice([ends.min, ends.max], shape), small) if special else small
    values = np.asarray(rng.uniform(-1.5, 1.5, shape))
    if kind == "c":
        values = values + 1j * rng.uniform(-1.5, 1.5, shape)
    values = values.astype(dtype)
    if special:
        chosen = rng.random(shape) < 0.5
        values[chosen] = rng.choice([np.nan, np.inf, -np.inf, -0.0, 0.0, 1.0, 1e300], int(chosen.sum()))
    return values


def _alias(rng: np.random.Generator, array: Any) -> Any:
    """The same array, or a view of the same memory and shape."""
    return [array, array[::-1], array[:], array.T if array.shape == array.T.shape else array][
        int(rng.integers(4))
    ]


def _other_shape(rng: np.random.Generator, shape: tuple[int, ...]) -> tuple[int, ...]:
    others = [(*shape[:-1], shape[-1] + 1), (*shape[:-1], 1), (1, *shape), shape[1:], (*shape[:-1], 3)]
    return others[int(rng.integers(len(others)))]


def _treated(rng: np.random.Generator, kind: str, array: Any) -> Any:
    """The array as a view of another layout, read-only, or of another dtype."""
    if kind == "views":
        return _laid_out(rng, array)
    if kind == "read-only":
        array.flags.writeable = False
    if kind == "other dtype":
        return array.astype(rng.choice(["float64", "float32", "int64", "complex128"]))
    return array


def _laid_out(rng: np.random.Generator, array: Any) -> Any:
    choice = int(rng.integers(4))
    if choice == 0:
        return np.asfortranarray(array)
    if choice == 1:
        return np.repeat(array, 2, axis=-1)[..., ::2]
    if choice == 2:
        return array[::-1]
    return np.flip(array, axis=-1)

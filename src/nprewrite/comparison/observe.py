"""What a call did: its result or exception, its arguments afterwards, shared memory, random generators."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from nprewrite.comparison.leaves import PLAIN, Leaves, type_name
from nprewrite.types.single_precision import single

# Whether arrays with odd strides overlap is a hard integer problem; NumPy gives up after this much work.
_SHARING_WORK = 10_000

_GENERATORS = ("numpy.random", "random")


@dataclass(frozen=True)
class RandomState:
    """The states of the global generators of NumPy and of the standard library."""

    numpy: Any
    python: Any

    @classmethod
    def now(cls) -> RandomState:
        return cls(np.random.get_state(legacy=False), random.getstate())

    def comparable(self) -> tuple[Any, Any]:
        """The two states as values that compare equal if the generators will give the same numbers."""
        inner = {**self.numpy["state"], "key": self.numpy["state"]["key"].tobytes()}
        return {**self.numpy, "state": inner}, self.python

    def restore(self) -> None:
        np.random.set_state(self.numpy)
        random.setstate(self.python)


@dataclass(frozen=True)
class Observation:
    """What one call did; ``exception`` is what it raised."""

    leaves: Leaves
    exception: BaseException | None

    def arrays(self) -> dict[str, Any]:
        """The arrays of any type, by place."""
        return {place: value for place, value in self.leaves.values.items() if isinstance(value, np.ndarray)}


def observe(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any], start: RandomState
) -> Observation:
    """Call the function with the random generators in state ``start``, and restore them afterwards.

    Whatever the program raises is part of the observation, ``SystemExit`` too; only KeyboardInterrupt and
    MemoryError are raised. Warnings are ignored.
    """
    before = RandomState.now()
    start.restore()
    leaves = Leaves()
    exception: BaseException | None = None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            leaves.add("result", function(*args, **kwargs))
    except MemoryError:
        raise
    except (Exception, SystemExit) as error:  # noqa: BLE001 - the program under test may raise anything
        exception = error
    state = RandomState.now()
    before.restore()
    places = {f"args[{k}]": value for k, value in enumerate(args)}
    places |= {f"kwargs[{name!r}]": value for name, value in kwargs.items()}
    for place, value in places.items():
        # The call cannot change a number or text.
        if not isinstance(value, PLAIN):
            leaves.add(place, value)
    leaves.structure.update(zip(_GENERATORS, state.comparable(), strict=True))
    return Observation(leaves, exception)


def structural_differences(before: Observation, after: Observation, narrowed: bool = False) -> list[str]:
    """Sentences about types, dtypes, shapes, lengths, identity and sharing; values are not looked at.

    ``narrowed`` allows float32 for float64 and complex64 for complex128.
    """
    if type_name(before.exception) != type_name(after.exception):
        return [f"before: {_outcome(before)}; after: {_outcome(after)}"]
    ours, theirs = before.leaves, after.leaves
    identity = _identity_differences(ours, theirs)
    if identity:
        return identity
    found = _mapping_differences(ours.structure, theirs.structure)
    if ours.values.keys() != theirs.values.keys() and not found:
        places = sorted(ours.values.keys() ^ theirs.values.keys())
        found.append(f"{places[0]}: on one side only")
    found += [
        f"{place}: {difference}"
        for place, value in ours.values.items()
        if place in theirs.values and (difference := _kind_difference(value, theirs.values[place], narrowed))
    ]
    return found or _sharing_differences(before, after)


def not_comparable(before: Observation, after: Observation) -> list[str]:
    """Sentences about values that cannot be compared at all."""
    places = {**before.leaves.opaque, **after.leaves.opaque}
    return [f"{place}: a value of type {name} cannot be compared" for place, name in places.items()]


def _outcome(observation: Observation) -> str:
    error = observation.exception
    return "returns" if error is None else f"raises {type_name(error)}: {error}".removesuffix(": ")


def _mapping_differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    found = []
    for place in before:
        if place not in after or before[place] == after[place]:
            continue
        if place in _GENERATORS:
            found.append(f"{place}: the global generator is left in another state")
        else:
            found.append(f"{place}: {before[place]} before, {after[place]} after")
    only = sorted(before.keys() ^ after.keys())
    return found or [f"{place}: on one side only" for place in only]


def _kind_difference(before: Any, after: Any, narrowed: bool) -> str | None:
    """How two plain values differ; values of numbers are not compared."""
    if narrowed and _is_narrowed(before, after):
        return None if before.shape == after.shape else f"shape {before.shape} before, {after.shape} after"
    if type_name(before) != type_name(after):
        return f"type {type_name(before)} before, {type_name(after)} after"
    if isinstance(before, np.generic) and before.dtype != after.dtype:
        return f"dtype {before.dtype} before, {after.dtype} after"
    if not isinstance(before, np.ndarray):
        return None
    if before.dtype != after.dtype:
        return f"dtype {before.dtype} before, {after.dtype} after"
    if before.shape != after.shape:
        return f"shape {before.shape} before, {after.shape} after"
    if before.flags.writeable != after.flags.writeable:
        return f"writeable {before.flags.writeable} before, {after.flags.writeable} after"
    return None


def _is_narrowed(before: Any, after: Any) -> bool:
    """Whether the second array or NumPy scalar has the single-precision counterpart of the first's dtype."""
    kinds = [
        each for each in (np.ndarray, np.generic) if isinstance(before, each) and isinstance(after, each)
    ]
    return bool(kinds) and before.dtype != after.dtype and single(before.dtype) == after.dtype


def _identity_differences(before: Leaves, after: Leaves) -> list[str]:
    found = []
    for place, first in before.identity.items():
        other = after.identity.get(place, place)
        if first != other:
            told = [
                f"the same object as {each}" if each != place else "an object of its own"
                for each in (first, other)
            ]
            found.append(f"{place}: {told[0]} before, {told[1]} after")
    return found


def _sharing_differences(before: Observation, after: Observation) -> list[str]:
    ours, theirs = before.arrays(), after.arrays()
    return [
        f"{a} and {b} share memory {'before' if shared else 'after'} only"
        for a, b in combinations(ours, 2)
        if (shared := _shared(ours[a], ours[b])) != _shared(theirs[a], theirs[b])
    ]


def _shared(a: Any, b: Any) -> bool:
    try:
        return np.shares_memory(a, b, max_work=_SHARING_WORK)  # type: ignore[arg-type]  # NumPy's stub
    except np.exceptions.TooHardError:
        return np.may_share_memory(a, b)

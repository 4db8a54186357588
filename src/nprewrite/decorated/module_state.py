"""What the variables of a module hold, to be put back after a run that nobody is to see.

Arrays, lists, dictionaries, sets, generators of random numbers, and objects of the module's own classes are
followed. What else a run changes, files and other modules among it, stays changed.
"""

from __future__ import annotations

import copy
import functools
import random
from collections.abc import Callable, Iterator
from typing import Any, ParamSpec, TypeVar

import numpy as np

P = ParamSpec("P")
R = TypeVar("R")


class ModuleState:
    """The variables of a module as they are now."""

    def __init__(self, variables: dict[str, Any]) -> None:
        self._variables = variables
        self._bound = dict(variables)
        self._arrays: list[tuple[np.ndarray, np.ndarray]] = []
        self._containers: list[tuple[Any, Any]] = []
        self._of_generators: list[Callable[[], None]] = []
        self._seen: set[int] = set()
        waiting = [each for name, each in variables.items() if not name.startswith("__")]
        while waiting:
            waiting += self._note(waiting.pop())

    def restore(self) -> None:
        """Bind the variables, and fill what they held, as they were."""
        # Never without those that other threads read.
        self._variables.update(self._bound)
        for name in self._variables.keys() - self._bound.keys():
            del self._variables[name]
        for held, saved in self._containers:
            _fill(held, saved)
        for array, values in self._arrays:
            if array.flags.writeable:
                array[...] = values
        for set_state in self._of_generators:
            set_state()

    def apart(self, result: R) -> R:
        """A result that will not change when the variables are restored; itself where it cannot be copied."""
        arrays = [each for each in _within(result) if issubclass(type(each), np.ndarray)]
        shared = any(np.may_share_memory(each, held) for each in arrays for held, _ in self._arrays)
        held = self._seen.intersection(map(id, _within(result)))
        try:
            return copy.deepcopy(result) if shared or held else result
        except Exception:  # noqa: BLE001 - objects may raise anything when they are copied
            return result

    def _note(self, value: Any) -> list[Any]:
        """Note what a value holds; the values in it."""
        if id(value) in self._seen:
            return []
        # By its type: of an object that stands in for another, `isinstance` would ask what that is.
        kind = type(value)
        if issubclass(kind, np.ndarray):
            if not value.dtype.hasobject:
                self._arrays.append((value, value.copy()))
            return []
        if kind is np.random.Generator:
            bits = value.bit_generator
            self._of_generators.append(functools.partial(setattr, bits, "state", bits.state))
            return []
        if kind is random.Random:
            self._of_generators.append(functools.partial(value.setstate, value.getstate()))
            return []
        if issubclass(kind, list | dict | set):
            self._seen.add(id(value))
            self._containers.append((value, copy.copy(value)))
        elif kind.__module__ == self._bound.get("__name__") and kind.__dictoffset__:
            self._seen.add(id(value))
            self._containers.append((vars(value), dict(vars(value))))
            return [*vars(value).values()]
        return [*_inside(value)]


def _inside(value: Any) -> Iterator[Any]:
    """The items of a container."""
    kind = type(value)
    if issubclass(kind, dict):
        yield from value.values()
    elif issubclass(kind, list | tuple | set):
        yield from value


def _within(result: Any) -> Iterator[Any]:
    """A result, and what it holds."""
    waiting, seen = [result], set()
    while waiting:
        value = waiting.pop()
        if id(value) not in seen:
            seen.add(id(value))
            yield value
            waiting += _inside(value)


def _fill(held: Any, saved: Any) -> None:
    if isinstance(held, list):
        held[:] = saved
        return
    held.clear()
    held.update(saved)


def leaving_no_trace(function: Callable[P, R], state: ModuleState) -> Callable[P, R]:
    """A function whose runs leave the variables of its module as they are in ``state``."""

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return state.apart(function(*args, **kwargs))
        finally:
            state.restore()

    return call

"""Methods that are called where a loop runs: private names, methods that are replaced, and odd names."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import nprewrite

pytestmark = pytest.mark.usefixtures("rewritten_in_numpy")


class Base:
    def __init__(self) -> None:
        self.__k = 1.0

    def relax(self, u: np.ndarray) -> np.ndarray:
        return 0.5 * (np.roll(u, 1) + u) + self.__k

    def twice(self, u: np.ndarray, steps: int) -> np.ndarray:
        for _ in range(steps):
            u = self.__once(self.__once(u))
        return u

    def __once(self, u: np.ndarray) -> np.ndarray:
        return u * 0.5 + self.__k


class Derived(Base):
    def __init__(self) -> None:
        super().__init__()
        self.__k = 1000.0

    def run(self, u: np.ndarray, steps: int) -> Any:
        for _ in range(steps):
            u = self.relax(u)
        return u, self.__k


def of_an_object(owner: Any, u: np.ndarray, steps: int) -> np.ndarray:
    for _ in range(steps):
        u = owner.relax(u)
    return u


def _both(function: Callable[..., Any], *args: Any) -> None:
    decorated = nprewrite.jit(function)
    for _ in range(3):
        np.testing.assert_equal(decorated(*args), function(*args))


@pytest.mark.parametrize("steps", [0, 1, 5])
def test_private_names_are_those_of_their_class(steps: int) -> None:
    u = np.linspace(0, 1, 50)
    _both(Derived.run, Derived(), u, steps)
    _both(Derived.twice, Derived(), u, steps)
    _both(of_an_object, Derived(), u, steps)


class Scheme:
    def relax(self, u: np.ndarray) -> np.ndarray:
        return 0.5 * (np.roll(u, 1) + u) + 2.0

    def other(self, u: np.ndarray) -> np.ndarray:
        return u + 3.0

    def run(self, u: np.ndarray, steps: int) -> np.ndarray:
        for _ in range(steps):
            u = self.relax(u)
        return u

    def switching(self, u: np.ndarray, steps: int) -> np.ndarray:
        for n in range(steps):
            u = self.relax(u)
            if n == 1:
                self.relax = self.other  # type: ignore[method-assign]
        vars(self).pop("relax", None)
        return u

    def by_class(self, u: np.ndarray, steps: int) -> np.ndarray:
        for n in range(steps):
            u = self.relax(u)
            if n == 1:
                self.__class__ = Changed
        self.__class__ = Scheme
        return u

    def by_name(self, u: np.ndarray, steps: int, name: str) -> np.ndarray:
        for n in range(steps):
            u = self.relax(u)
            if n == 1:
                setattr(self, name, self.other)
        delattr(self, name)
        return u


class Changed(Scheme):
    def relax(self, u: np.ndarray) -> np.ndarray:
        return u - 7.0


def test_a_method_that_an_object_hides_is_not_called() -> None:
    u, plain, hiding = np.linspace(0, 1, 50), Scheme(), Scheme()
    hiding.relax = lambda u: u + 3.0  # type: ignore[method-assign]
    run = nprewrite.jit(Scheme.run)
    for owner in (plain, hiding, plain, hiding):
        np.testing.assert_array_equal(run(owner, u, 4), Scheme.run(owner, u, 4))


def test_a_method_that_is_replaced_while_the_loop_runs() -> None:
    u = np.linspace(0, 1, 50)
    _both(Scheme.switching, Scheme(), u, 4)
    _both(Scheme.by_class, Scheme(), u, 4)
    _both(Scheme.by_name, Scheme(), u, 4, "relax")


class Registered:
    @functools.singledispatchmethod
    def total(self, x: Any) -> Any:
        raise TypeError(x)

    @total.register
    @nprewrite.jit
    def _(self, x: int) -> int:
        s = 0
        for i in range(x):
            s ^= i
        return s

    @total.register
    @nprewrite.jit
    def _(self, x: np.ndarray) -> float:
        s = 0.0
        for i in range(len(x)):
            s += x[i]
        return s


def test_methods_that_are_called_underscore() -> None:
    for _ in range(3):
        assert (Registered().total(1000), Registered().total(np.ones(100))) == (0, 100.0)

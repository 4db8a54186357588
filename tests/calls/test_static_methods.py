"""Static methods that are called by the names of their classes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import nprewrite

pytestmark = pytest.mark.usefixtures("rewritten_in_numpy")


def _both(function: Callable[..., Any], *args: Any) -> None:
    decorated = nprewrite.jit(function)
    for _ in range(3):
        np.testing.assert_equal(decorated(*args), function(*args))


class Shapes:
    order = 3

    @staticmethod
    def moved(u: Any) -> Any:
        return u * 0.5 + 1.0

    @staticmethod
    def twice(u: Any) -> Any:
        return Shapes.moved(Shapes.moved(u)) * Shapes.order

    @classmethod
    def of_class(cls, u: Any) -> Any:
        return u - cls.order

    def run(self, u: np.ndarray, steps: int) -> np.ndarray:
        for _ in range(steps):
            u = Shapes.twice(u)
        return u


class Others(Shapes):
    @staticmethod
    def moved(u: Any) -> Any:
        return u * 0.25 - 1.0


Chosen: type[Shapes] = Shapes


def choose(kind: type[Shapes]) -> None:
    global Chosen
    Chosen = kind


def of_static_methods(u: np.ndarray, steps: int) -> np.ndarray:
    for _ in range(steps):
        u = Shapes.moved(u) + Others.moved(u) + Others.twice(u)
    return u


def of_another_class_by_then(u: np.ndarray, steps: int) -> np.ndarray:
    for k in range(steps):
        u = Chosen.moved(u)
        if k == 2:
            choose(Others)
    return u


def of_a_class_method(u: np.ndarray, steps: int) -> np.ndarray:
    for _ in range(steps):
        u = Shapes.of_class(u)
    return u


@pytest.mark.parametrize("steps", [0, 1, 5])
def test_static_methods_by_the_names_of_their_classes(steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    u = np.linspace(0, 1, 50)
    _both(Shapes.run, Shapes(), u, steps)
    _both(of_static_methods, u, steps)
    _both(of_a_class_method, u, steps)
    for _ in range(2):
        choose(Shapes)
        expected = of_another_class_by_then(u, steps)
        choose(Shapes)
        np.testing.assert_equal(nprewrite.jit(of_another_class_by_then)(u, steps), expected)
    decorated = nprewrite.jit(of_static_methods)
    np.testing.assert_equal(decorated(u, steps), of_static_methods(u, steps))
    monkeypatch.setattr(Shapes, "moved", staticmethod(np.negative))
    for _ in range(2):
        np.testing.assert_equal(decorated(u, steps), of_static_methods(u, steps))


def test_static_methods_are_inlined() -> None:
    decorated: Any = nprewrite.jit(of_static_methods)
    for _ in range(2):
        decorated(np.ones(9), 3)
    assert "the statements of `moved` stand in the place of its call" in str(decorated.report())

"""A version that is kept is not run for calls that hold other objects, or other functions, inside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import nprewrite

N = 20000


class Motor:
    gain = 2.0

    def __init__(self) -> None:
        self.speed = 0.0

    def update(self, voltage: float) -> float:
        self.speed += 0.01 * (self.gain * voltage - self.speed)
        return self.speed


class Worn(Motor):
    def update(self, voltage: float) -> float:
        self.speed += 0.005 * (self.gain * voltage - self.speed)
        return self.speed


class Loop:
    def __init__(self, motor: Motor) -> None:
        self.motor = motor

    def run(self, n: int) -> Any:
        out = np.zeros(n)
        for k in range(n):
            out[k] = self.motor.update(1.0)
        return out


def summed(f: Any, n: int) -> Any:
    total = 0.0
    for k in range(n):
        total += 0.5 * f(k)
    return total


def with_another(inner: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def outer(k: Any) -> Any:
        return inner(k) + 1.0

    return outer


def halved(k: Any) -> Any:
    return 0.5 * k


def squared(k: Any) -> Any:
    return k * k


def of_objects(*kinds: type[Motor]) -> list[tuple[Any, ...]]:
    return [(Loop(each()), N) for each in kinds]


spare = Motor()


def of_a_global(n: int) -> Any:
    out = np.zeros(n)
    for k in range(n):
        out[k] = spare.update(1.0)
    return out


def assert_same(function: Any, calls: Callable[[], list[tuple[Any, ...]]]) -> None:
    """The first call is made until a side is kept, the others follow."""
    decorated: Any = nprewrite.jit(function)
    for _ in range(12):
        decorated(*calls()[0])
    assert "rewritten" in {each.kept for each in decorated.choices}
    for _ in range(3):
        for given, wanted in zip(calls(), calls(), strict=True):
            np.testing.assert_allclose(decorated(*given), function(*wanted), rtol=1e-12)


@pytest.fixture(autouse=True)
def _waits(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    monkeypatch.setenv("NPREWRITE_WAIT", "1")


def test_objects_in_objects() -> None:
    assert_same(Loop.run, lambda: of_objects(Motor, Worn, Worn, Motor))


def test_functions_that_functions_see() -> None:
    functions = [with_another(each) for each in (halved, squared, halved)]
    assert_same(summed, lambda: [(each, N) for each in functions])


def test_lambdas_on_one_line() -> None:
    k = 3.0
    pair = lambda x: x + k, lambda x: x * k, lambda x: x + k * 2
    assert_same(summed, lambda: [(each, N) for each in pair])


def test_methods_of_several_classes() -> None:
    calls: Callable[[], list[tuple[Any, ...]]] = lambda: [  # noqa: E731
        (each.update, N) for each in (Motor(), Worn(), Motor())
    ]
    assert_same(summed, calls)


def test_a_global_object_of_another_class(monkeypatch: pytest.MonkeyPatch) -> None:
    decorated: Any = nprewrite.jit(of_a_global)
    for kind in (*[Motor] * 12, Worn, Motor, Worn, Worn):
        found = []
        for each in (decorated, of_a_global):
            monkeypatch.setitem(globals(), "spare", kind())
            found.append(each(N))
        np.testing.assert_allclose(found[0], found[1], rtol=1e-12)

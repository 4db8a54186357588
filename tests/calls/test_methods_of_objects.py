"""Methods of objects that others hold, and of those whose methods are handed to functions, are inlined."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import nprewrite

pytestmark = pytest.mark.usefixtures("rewritten_in_numpy")


class Motor:
    def __init__(self) -> None:
        self.gain, self.speed = 2.0, 0.0

    def update(self, voltage: float, dt: float) -> float:
        self.speed += dt * self.slope(voltage)
        return self.speed

    def slope(self, voltage: float) -> float:
        return self.gain * voltage - self.speed


class Worn(Motor):
    def slope(self, voltage: float) -> float:
        return 0.5 * self.gain * voltage - self.speed


class Loop:
    def __init__(self, motor: Any) -> None:
        self.motor, self.other = motor, Motor()

    def run(self, n: int) -> Any:
        out = np.zeros(n)
        for k in range(n):
            out[k] = self.motor.update(1.0 - self.motor.speed, 0.01)
        return out


def run_of_two(loop: Loop, n: int) -> Any:
    out = np.zeros(n)
    for k in range(n):
        out[k] = loop.motor.update(1.0, 0.01) + loop.other.update(out[k - 1], 0.01)
    return out


def run_with_another(loop: Loop, n: int) -> Any:
    out = np.zeros(n)
    for k in range(n):
        if k == 5:
            loop.motor = Worn()
        out[k] = loop.motor.update(1.0, 0.01)
    return out


def _of_a_loop(function: Callable[..., Any], loop: Loop) -> Any:
    return function(loop, 30), loop.motor.speed, loop.other.speed, type(loop.motor)


@pytest.mark.parametrize("function", [Loop.run, run_of_two])
@pytest.mark.parametrize("kind", [Motor, Worn])
def test_objects_in_objects(function: Callable[..., Any], kind: Callable[[], Any]) -> None:
    decorated: Any = nprewrite.jit(function)
    for _ in range(2):
        found, wanted = (_of_a_loop(each, Loop(kind())) for each in (decorated, function))
        np.testing.assert_equal(found[0], wanted[0])
        assert found[1:] == wanted[1:]
    assert "`update`" in str(decorated.report())


def test_one_object_under_two_names() -> None:
    decorated: Any = nprewrite.jit(run_of_two)
    for _ in range(2):
        results = []
        for each in (decorated, run_of_two):
            loop = Loop(Motor())
            loop.other = loop.motor
            results.append(_of_a_loop(each, loop))
        np.testing.assert_equal(results[0][0], results[1][0])
        assert results[0][1:] == results[1][1:]


def test_an_object_that_is_exchanged_while_the_function_runs() -> None:
    decorated: Any = nprewrite.jit(run_with_another)
    for _ in range(2):
        found, wanted = (_of_a_loop(each, Loop(Motor())) for each in (decorated, run_with_another))
        np.testing.assert_equal(found[0], wanted[0])
        assert found[1:] == wanted[1:]


def test_another_class_at_a_later_call() -> None:
    decorated: Any = nprewrite.jit(Loop.run)
    for kind in (Motor, Worn, Worn, Motor, Worn):
        np.testing.assert_equal(decorated(Loop(kind()), 20), Loop.run(Loop(kind()), 20))


class Model:
    """What a solver is handed as a method, or as a function that sees the object."""

    rate = 0.4

    def __init__(self, pull: Any) -> None:
        self.pull, self.calls = pull, 0
        self.weights = np.array([0.5, -1.0])

    def slope(self, t: Any, y: Any) -> Any:
        self.calls += 1
        return np.array([y[1], -self.force(y[0])]) * self.rate + self.weights

    def force(self, x: Any) -> Any:
        return self.pull * x

    def as_a_function(self, scale: float) -> Any:
        def slope(t: Any, y: Any) -> Any:
            return scale * np.array([y[1], -self.force(y[0])])

        return slope


class Stronger(Model):
    def force(self, x: Any) -> Any:
        return 2 * self.pull * x


def integrated(f: Any, y: Any, n: int) -> Any:
    path = np.zeros((n, 2))
    for k in range(n):
        y = y + 0.01 * f(k, y)
        path[k] = y
    return path


@pytest.mark.parametrize("kind", [Model, Stronger])
@pytest.mark.parametrize("as_a_function", [False, True])
def test_what_is_handed_sees_an_object(kind: Callable[[Any], Model], as_a_function: bool) -> None:
    decorated: Any = nprewrite.jit(integrated)
    for pull in (1.0, 1.0, 2, np.float32(0.3)):
        results = []
        for called in (decorated, integrated):
            model = kind(pull)
            handed = model.as_a_function(0.5) if as_a_function else model.slope
            results.append((called(handed, np.array([1.0, 0.0]), 25), model.calls))
        np.testing.assert_equal(results[0][0], results[1][0])
        assert results[0][1] == results[1][1]
    assert "statements of `force`" in str(decorated.report())


class Image:
    """An object with methods that need no object."""

    def __init__(self, pixels: Any) -> None:
        self.pixels = pixels
        self.grey = np.zeros(pixels.shape[:2])

    @staticmethod
    def mean(red: Any, green: Any, blue: Any) -> Any:
        return (red + green + blue) / 3

    @classmethod
    def weighted(cls, red: Any, green: Any, blue: Any) -> Any:
        return 0.2126 * red + 0.587 * green + 0.114 * blue

    @classmethod
    def of_its_class(cls, red: Any, green: Any, blue: Any) -> Any:
        return len(cls.__name__) + red + green + blue

    def by_mean(self) -> None:
        for y in range(self.pixels.shape[0]):
            for x in range(self.pixels.shape[1]):
                red, green, blue = self.pixels[y, x]
                self.grey[y, x] = self.mean(red, green, blue)

    def by_weights(self) -> None:
        for y in range(self.pixels.shape[0]):
            for x in range(self.pixels.shape[1]):
                red, green, blue = self.pixels[y, x]
                self.grey[y, x] = self.weighted(red, green, blue)

    def by_class(self) -> None:
        for y in range(self.pixels.shape[0]):
            for x in range(self.pixels.shape[1]):
                red, green, blue = self.pixels[y, x]
                self.grey[y, x] = self.of_its_class(red, green, blue)


@pytest.mark.parametrize(
    ("function", "inlined"), [(Image.by_mean, True), (Image.by_weights, True), (Image.by_class, False)]
)
def test_methods_that_need_no_object(function: Callable[[Image], None], inlined: bool) -> None:
    decorated: Any = nprewrite.jit(function)
    for _ in range(3):
        one, other = (Image(np.arange(36.0).reshape(3, 4, 3)) for _ in range(2))
        decorated(one)
        function(other)
        np.testing.assert_equal(one.grey, other.grey)
    assert ("stand in the place of its call" in str(decorated.report())) == inlined


def test_a_static_method_that_is_exchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    decorated: Any = nprewrite.jit(Image.by_mean)
    for method in (Image.mean, lambda red, green, blue: red, Image.mean):
        monkeypatch.setattr(Image, "mean", staticmethod(method))
        for _ in range(2):
            one, other = (Image(np.arange(36.0).reshape(3, 4, 3)) for _ in range(2))
            decorated(one)
            Image.by_mean(other)
            np.testing.assert_equal(one.grey, other.grey)


def test_methods_of_one_class_for_objects_of_another() -> None:
    decorated: Any = nprewrite.jit(integrated)
    start = np.array([1.0, 0.0])
    for model in (Model(1.0), Model(1.0), Stronger(1.0), Model(1.0), Stronger(1.0)):
        np.testing.assert_equal(decorated(model.slope, start, 9), integrated(model.slope, start, 9))

"""Functions that a call hands to another are inlined there, with what they see around them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import nprewrite

Handed = Callable[[], Any]
RATE = 0.3


def integrated(f: Any, y: Any, n: int) -> Any:
    for k in range(n):
        y = y + 0.1 * f(k, y)
    return y


def summed(f: Any, n: int) -> Any:
    total = 0.0
    for k in range(n):
        total += (4 if k % 2 else 2) * f(k)
    return total


def found(f: Any, start: Any, end: Any) -> Any:
    """The middle of an interval in which a function changes its sign."""
    while end - start > 1e-9:
        middle = 0.5 * (start + end)
        if f(start) * f(middle) <= 0:
            end = middle
        else:
            start = middle
    return start


def a_closure() -> Any:
    g, length = 9.81, 0.5

    def slope(t: Any, y: Any) -> Any:
        return np.array([y[1], -g / length * np.sin(y[0])])

    return integrated, (slope, np.array([1.0, 0.0]), 40)


def a_closure_over_arrays() -> Any:
    a = np.array([[0.0, 1.0], [-2.0, -0.1]])

    def slope(t: Any, y: Any) -> Any:
        pull = a @ y
        return pull + t

    return integrated, (slope, np.array([1.0, 0.0]), 40)


def a_closure_on_one_line() -> Any:
    def slope(t: Any, y: Any) -> Any: return RATE * y - t  # fmt: skip

    return integrated, (slope, np.array([1.0, 0.0]), 40)


def renamed(k: Any) -> Any:
    return 0.25 * k


first_of_the_name = renamed


def renamed(k: Any) -> Any:  # type: ignore[no-redef]
    return 0.5 * k


def a_function_whose_name_another_has() -> Any:
    return summed, (first_of_the_name, 40)


def a_closure_that_calls_another() -> Any:
    stiffness, mass = 2.0, 0.7

    def force(x: Any) -> Any:
        return -stiffness * x

    def slope(t: Any, y: Any) -> Any:
        return np.array([y[1], force(y[0]) / mass])

    return integrated, (slope, np.array([1.0, 0.0]), 40)


def a_lambda() -> Any:
    return summed, (lambda k: k * RATE, 50)


def two_lambdas_on_a_line() -> Any:
    k = 2.0
    pair = lambda x: x - k, lambda x: k * x
    return summed, (pair[1], 50)


def a_lambda_over_lines() -> Any:
    scale, shift = 3.0, 1.0
    return summed, (
        lambda k: scale * k
        + shift,
        50,
    )  # fmt: skip


def a_root() -> Any:
    k = 0.4
    return found, (lambda x: np.tanh(x) - k * x, 0.5, 20.0)


def what_is_made_by_another() -> Any:
    def made(rate: float) -> Any:
        def slope(t: Any, y: Any) -> Any:
            return -rate * y

        return slope

    return integrated, (made(0.5), np.array([1.0, 0.0]), 40)


def what_sets_what_it_sees() -> Any:
    calls = 0

    def slope(t: Any, y: Any) -> Any:
        nonlocal calls
        calls += 1
        return -y * calls

    return integrated, (slope, np.array([1.0, 0.0]), 40)


def what_another_sets() -> Any:
    fall = 0.5

    def slope(t: Any, y: Any) -> Any:
        slow()
        return -fall * y

    def slow() -> None:
        nonlocal fall
        fall *= 0.9

    return integrated, (slope, np.array([1.0, 0.0]), 40)


def what_calls_itself() -> Any:
    depth = 3

    def power(k: Any) -> Any:
        return 1.0 if k < depth else k * power(k - 1)

    return summed, (power, 9)


def defaults_that_are_computed() -> Any:
    scale = np.sqrt(2.0)
    return summed, (lambda k, by=scale: k * by, 9)


def what_raises() -> Any:
    limit = 7

    def inverse(k: Any) -> Any:
        return 1 / (limit - k)

    return summed, (inverse, 9)


MOVED = (
    *(a_closure_on_one_line, a_function_whose_name_another_has),
    *(a_closure, a_closure_over_arrays, a_closure_that_calls_another, a_lambda, two_lambdas_on_a_line),
    *(a_lambda_over_lines, a_root, what_is_made_by_another, what_calls_itself, what_raises),
)


@pytest.mark.parametrize("handed", [*MOVED, defaults_that_are_computed])
@pytest.mark.usefixtures("rewritten_in_numpy")
def test_the_answers_are_the_same(handed: Handed) -> None:
    function, _ = handed()

    def outcome(called: Callable[..., Any]) -> Any:
        try:
            return called(*handed()[1])
        except ArithmeticError as error:
            return type(error), str(error)

    decorated: Any = nprewrite.jit(function)
    for _ in range(2):
        np.testing.assert_equal(outcome(decorated), outcome(function))
    assert ("the statements of `f`" in str(decorated.report())) == (handed in MOVED)


@pytest.mark.parametrize("handed", [what_sets_what_it_sees, what_another_sets])
def test_variables_that_are_set_meanwhile(handed: Handed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NPREWRITE_WAIT", "1")
    function, _ = handed()
    decorated: Any = nprewrite.jit(function)
    for _ in range(3):
        np.testing.assert_equal(decorated(*handed()[1]), function(*handed()[1]))
    assert "the statements of `f`" not in str(decorated.report())


@pytest.mark.usefixtures("rewritten_in_numpy")
def test_variables_are_read_at_each_call() -> None:
    rate: Any = 0.5

    def slope(t: Any, y: Any) -> Any:
        return -rate * y

    decorated: Any = nprewrite.jit(integrated)
    for each in (0.5, 0.25, 2, np.float32(0.1), np.array([1.0, 3.0])):
        rate = each
        start = np.array([1.0, 2.0])
        np.testing.assert_equal(decorated(slope, start, 9), integrated(slope, start, 9))


@pytest.mark.usefixtures("rewritten_in_numpy")
def test_functions_of_other_definitions_are_told_apart() -> None:
    k = 2.0
    decorated: Any = nprewrite.jit(summed)
    for each in (lambda x: k * x, lambda x: k + x, np.sin, abs, float):
        for _ in range(2):
            assert decorated(each, 20) == summed(each, 20)


@pytest.mark.usefixtures("rewritten_in_numpy")
def test_a_variable_that_is_not_bound_yet() -> None:
    def late(x: Any) -> Any:
        return x * later

    decorated: Any = nprewrite.jit(summed)
    with pytest.raises(NameError):
        decorated(late, 3)
    later = 2.0
    assert decorated(late, 3) == summed(late, 3)


class Pendulum:
    """An object whose method is handed to an integrator."""

    def __init__(self) -> None:
        self.state, self.pull = np.array([1.0, 0.0]), 9.81

    def slope(self, state: Any, torque: float) -> Any:
        angle, speed = state
        return np.array([speed, torque - self.pull * np.sin(angle)])

    def step(self, torque: float, dt: float) -> Any:
        self.state = stepped(self.slope, self.state, torque, dt)
        return self.state


def stepped(f: Any, x: Any, u: float, dt: float) -> Any:
    first = f(x, u)
    second = f(x + dt / 2 * first, u)
    return x + dt * second


def simulate(pendulum: Pendulum, n: int) -> Any:
    history = np.zeros((n, 2))
    for k in range(n):
        history[k] = pendulum.step(-pendulum.state[0], 0.01)
    return history


@pytest.mark.usefixtures("rewritten_in_numpy")
def test_methods() -> None:
    decorated: Any = nprewrite.jit(simulate)
    for _ in range(2):
        one, other = Pendulum(), Pendulum()
        np.testing.assert_equal(decorated(one, 30), simulate(other, 30))
        np.testing.assert_equal(one.state, other.state)
    assert "`slope`" in str(decorated.report())


@pytest.mark.usefixtures("rewritten_in_numpy")
def test_a_method_that_is_set_on_the_object() -> None:
    decorated: Any = nprewrite.jit(simulate)
    for _ in range(2):
        one, other = Pendulum(), Pendulum()
        for each in (one, other):
            vars(each)["slope"] = lambda state, torque: 0.5 * state
        np.testing.assert_equal(decorated(one, 30), simulate(other, 30))

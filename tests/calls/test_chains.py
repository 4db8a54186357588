"""Attributes of attributes, and what objects, classes and dictionaries of the module hold."""

from __future__ import annotations

import copy
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

import nprewrite

COMPILED = "NPR407 rewritten: the loop can run compiled"


pytestmark = pytest.mark.usefixtures("rewritten_side", "small_stands_for_large")


class Grid:
    weight = 0.25

    def __init__(self, n: int) -> None:
        self.n = n
        self.dx = 1.0 / n
        self.reads = 0

    @property
    def counted(self) -> float:
        self.reads += 1
        return self.reads / 64


class Plate:
    def __init__(self, n: int) -> None:
        self.grid = Grid(n)
        self.other: Any = Grid(n)
        self.options: dict[str, Any] = {"source": 0.5, "rates": (0.5, 0.25)}
        self.fields = {"u": np.linspace(0, 1, n * n).reshape(n, n), "v": np.zeros((n, n))}
        self.u = self.fields["u"].copy()


P: dict[str, Any] = {"dx": 0.1, "n": 9}
G = Grid(9)
M: Any = G


class Config:
    rate = 0.125
    n = 9


def relax(plate: Plate) -> None:
    for i in range(1, plate.grid.n - 1):
        for j in range(1, plate.grid.n - 1):
            plate.u[i, j] = plate.grid.weight * (
                plate.u[i - 1, j] + plate.u[i + 1, j] + plate.u[i, j - 1] + plate.u[i, j + 1]
            )
            plate.u[i, j] -= plate.grid.dx**2 * plate.options["source"] * plate.options["rates"][1]


def spread(plate: Plate) -> None:
    for i in range(1, plate.grid.n - 1):
        plate.fields["v"][i] = plate.fields["u"][i - 1] + plate.fields["u"][i + 1]
        for j in range(plate.grid.n):
            plate.fields["v"][i, j] -= plate.fields["u"][i, j] * plate.fields["v"][i - 1, j]
    plate.fields["u"], plate.fields["v"] = plate.fields["v"], plate.fields["u"]


def of_module(u: np.ndarray) -> None:
    for i in range(1, P["n"] - 1):
        for j in range(1, Config.n - 1):
            u[i, j] = G.weight * (u[i - 1, j] + u[i, j - 1]) + P["dx"] * Config.rate


def of_another(u: np.ndarray) -> None:
    for i in range(1, M.n - 1):
        for j in range(1, M.n - 1):
            u[i, j] = (u[i - 1, j] + u[i, j - 1]) * M.dx


def counting(u: np.ndarray) -> None:
    for i in range(1, G.n):
        for j in range(1, G.n):
            u[i, j] = (u[i - 1, j] + u[i, j - 1]) / 2 + G.counted


def lattice(f: list[np.ndarray], steps: int) -> None:
    directions = (0, 1, -1)
    for _ in range(steps):
        for k in range(3):
            f[k] = np.roll(f[k], directions[k], axis=0)
        rho = f[0] + f[1] + f[2]
        flow = sum(directions[k] * f[k] for k in range(3)) / rho
        for k in range(3):
            f[k] += 0.5 * (rho * (1 + directions[k] * flow) / 3 - f[k])


def added(f: list[np.ndarray], steps: int) -> None:
    for k in range(steps):
        f[0] += k
        f[1] += f[0] * 0.5


def layers(plate: Plate) -> None:
    for k in range(4):
        plate.other[0] = plate.other[0] + plate.grid.dx * np.sin(plate.other[1])
        plate.other[1] -= k * plate.other[0]


def replaced(plate: Plate) -> None:
    for i in range(1, plate.grid.n):
        for j in range(1, 3):
            plate.u[i, j] = plate.u[i - 1, j] * plate.grid.dx
    plate.grid = Grid(5)
    for i in range(1, plate.grid.n):
        for j in range(1, 3):
            plate.u[i, j] = plate.u[i - 1, j] + plate.grid.dx


def shared(plate: Plate) -> float:
    total = 0.0
    for i in range(9):
        for j in range(9):
            plate.other.dx = plate.other.dx + 0.5
            total += plate.grid.dx * plate.u[i, j]
    return total


def run_both(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function as written and rewritten, compare what becomes of all, and give the latter."""
    rewritten = nprewrite.jit(wait=True)(function)
    found: list[Any] = []
    for each in (function, rewritten):
        given = copy.deepcopy(arguments)
        found.append((each(*given), [_state(one) for one in given]))
    np.testing.assert_equal(found[0], found[1])
    return rewritten


def _state(value: Any) -> Any:
    """The attributes of an object, and of objects in it."""
    if isinstance(value, Plate | Grid | SimpleNamespace):
        return {name: _state(each) for name, each in vars(value).items()}
    return value


@pytest.mark.parametrize(("function", "done"), [(relax, COMPILED), (spread, "became whole arrays")])
def test_loops_over_what_an_object_in_an_object_holds(function: Callable[..., Any], done: str) -> None:
    made = run_both(function, Plate(9))
    assert done in str(made.report())


def test_loops_over_what_the_module_holds() -> None:
    made = run_both(of_module, np.ones((9, 9)))
    assert COMPILED in str(made.report())


def test_lists_of_arrays_are_state() -> None:
    made = run_both(lattice, [np.linspace(1, 2, 12) ** k for k in range(3)], 4)
    assert "NPR608 rewritten" in str(made.report())
    assert "NPR609 rewritten" in str(made.report())
    assert "NPR401 rewritten: the loop can run compiled" in str(made.report())


def test_a_list_of_other_arrays_later() -> None:
    rewritten = nprewrite.jit(wait=True)(lattice)
    others: list[Any] = [np.ones(12), np.ones(12, np.float32), np.ones((12, 1))]
    given: Any
    for given in ([np.ones(12)] * 3, others, [np.ones(12), np.ones(12), 2.0], [np.ones(5)] * 4):
        first, second = copy.deepcopy(given), copy.deepcopy(given)
        try:
            lattice(first, 2)
        except Exception as error:  # noqa: BLE001 - the same is to be raised
            with pytest.raises(type(error)):
                rewritten(second, 2)
        else:
            rewritten(second, 2)
        np.testing.assert_equal(first, second)
    with pytest.raises(IndexError):
        rewritten([np.ones(5)], 2)


def test_a_list_of_arrays_in_an_object() -> None:
    plate = Plate(9)
    plate.other = [np.ones((9, 9)), np.full((9, 9), 0.5)]
    made = run_both(layers, plate)
    assert "NPR401 rewritten" in str(made.report())
    twice = np.ones((9, 9))
    plate.other = [twice, twice]
    run_both(layers, plate)
    run_both(added, [twice, twice], 3)


def test_what_the_module_holds_may_change(monkeypatch: pytest.MonkeyPatch) -> None:
    rewritten = nprewrite.jit(wait=True)(of_module)
    for settings in ({"dx": 0.1, "n": 9}, {"dx": 2, "n": 5}, {"dx": np.float32(3), "n": 7}):
        monkeypatch.setitem(globals(), "P", settings)
        u, v = np.ones((9, 9)), np.ones((9, 9))
        rewritten(u)
        of_module(v)
        np.testing.assert_array_equal(u, v)
    monkeypatch.setitem(globals(), "P", {"n": 9})
    with pytest.raises(KeyError, match="dx"):
        rewritten(np.ones((9, 9)))


def test_a_module_beside_the_file_holds_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = ModuleType("settings")
    vars(settings).update(n=9, dx=0.5, __file__=__file__)
    monkeypatch.setitem(globals(), "M", settings)
    made = run_both(of_another, np.ones((9, 9)))
    assert COMPILED in str(made.report())


def test_a_property_is_asked_as_often_as_in_the_text() -> None:
    before = G.reads
    u, v = np.ones((9, 9)), np.ones((9, 9))
    counting(u)
    G.reads = before
    nprewrite.jit(wait=True)(counting)(v)
    np.testing.assert_array_equal(u, v)
    assert G.reads == before + 64


def test_an_object_that_the_function_replaces() -> None:
    run_both(replaced, Plate(9))


def test_an_object_under_two_names() -> None:
    plate = Plate(9)
    plate.other = plate.grid
    run_both(shared, plate)
    run_both(shared, Plate(9))

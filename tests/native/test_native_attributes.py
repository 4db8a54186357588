"""Loops that set attributes of objects, and entries of dictionaries, compiled."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from sources import function_of

import nprewrite
from nprewrite.runtime import native

LOOPS: dict[str, tuple[str, tuple[str, ...]]] = {
    "a sum": ("me.total += a[i]", ("me.total",)),
    "a count": ("if a[i] > 0.3:\n            me.count += 1", ("me.count",)),
    "two": ("me.total, me.count = me.total + a[i], i", ("me.total", "me.count")),
    "a number of another kind": ("me.count = a[i] > 0.5", ("me.count",)),
    "what it finds": ("if a[i] > 0.6:\n            me.found = i\n            break", ("me.found",)),
    "read by the next trip": ("a[i] = me.total\n        me.total = a[i] * 0.5 + i", ("me.total",)),
    "of what it holds": ("me.inner.count += i", ("me.inner.count",)),
    "an entry": ("me.state['sum'] += a[i] * i", ("me.state['sum']",)),
    "entries by numbers": ("other[0] += a[i]\n        other[1] -= 1", ("other[0]", "other[1]")),
    "of two objects": ("me.count += 1\n        other['best'] = a[i]", ("me.count", "other['best']")),
    "a loop's variable": ("for me.count in range(i):\n            me.total += 1", ("me.count", "me.total")),
    "out of range": ("me.total += a[i + 3]\n        me.count = i", ("me.total", "me.count")),
    "divides by zero": ("me.count += 1\n        me.total = 1 / (5 - i)", ("me.total", "me.count")),
    "raises itself": (
        "me.count += 1\n        if i > 4:\n            raise ValueError(me.count)",
        ("me.count",),
    ),
    "leaves 64 bits": ("me.count = me.count * 1000 + 1\n        a[i] = 7", ("me.count",)),
    "returns in the middle": ("me.count += 2\n        if i > 4:\n            return me.count", ("me.count",)),
    "a name like the new one": ("me_total = i\n        me.total += me_total", ("me.total",)),
    "beside a list": ("me.count += 1\n        xs.append(me.count)", ("me.count",)),
}  # fmt: skip
RUN_AGAIN = {"raises itself", "leaves 64 bits"}


@pytest.mark.parametrize("name", LOOPS)
def test_same_attributes(name: str) -> None:
    body, sets = LOOPS[name]
    names = [each for each in ("me", "other", "xs") if each in f"{sets} {body}"]
    start = f"def f(a, {', '.join(names)}):\n    y = 0\n"
    compiled = native(
        function_of(f"{start}    for i in range(9):\n        {body}\n    return y\n"), sets=sets
    )
    assert _outcome(compiled, names, name) == _outcome(compiled.function, names, name)
    assert ("compiled" in compiled.runs) == (name not in RUN_AGAIN)


def _outcome(function: Callable[..., Any], names: list[str], name: str) -> str:
    given: dict[str, Any] = {
        "me": SimpleNamespace(
            total=0.5, count=3, found=None, inner=SimpleNamespace(count=1), state={"sum": 1}
        ),
        "other": [0, 5.0] if name == "entries by numbers" else {"best": None},
        "xs": [1],
    }
    a = np.linspace(0, 1, 9)
    try:
        result = function(a, *(given[each] for each in names))
    except (ArithmeticError, LookupError, ValueError) as error:
        result = error
    return repr((result, a, given))


class Ising:
    """Metropolis sampling of a chain, with its energy kept up to date."""

    accepted = 0

    def __init__(self, size: int) -> None:
        self.spins = np.where(np.arange(size) % 3 > 0, 1, -1)
        self.energy = 0

    def sweep(self, beta: float) -> None:
        size = len(self.spins)
        for k in range(size):
            beside = self.spins[k - 1] + self.spins[(k + 1) % size]
            change = 2 * self.spins[k] * beside
            if change <= 0 or np.random.random() < np.exp(-beta * change):
                self.spins[k] *= -1
                self.energy += change
                self.accepted += 1


class Watched(Ising):
    """Who sets an attribute is told of each value."""

    def __init__(self, size: int) -> None:
        self.seen: list[Any] = []
        super().__init__(size)

    @property
    def energy(self) -> Any:
        return self.seen[-1]

    @energy.setter
    def energy(self, value: Any) -> None:
        self.seen.append(value)


class Private:
    def __init__(self, size: int) -> None:
        self.x = np.linspace(0, 1, size)
        self.__total = 0.0

    def sweep(self, weight: float) -> None:
        for i in range(1, len(self.x)):
            self.x[i] = weight * self.x[i - 1] + self.x[i]
            self.__total += self.x[i]


def add_up(a: np.ndarray, left: Any, right: Any) -> None:
    for i in range(1, len(a)):
        a[i] = 0.5 * (a[i] + a[i - 1])
        left.total += a[i]
        right.total -= 2 * a[i]


@pytest.mark.parametrize("kind", [Ising, Watched, Private])
def test_methods_that_keep_numbers(kind: Callable[[int], Any]) -> None:
    sweep = nprewrite.jit(vars(kind).get("sweep", Ising.sweep), wait=True)
    expected, found = kind(400), kind(400)
    for each, method in ((expected, type(expected).sweep), (found, sweep)):
        np.random.seed(4)
        for _ in range(6):
            method(each, 0.7)
    np.testing.assert_equal(vars(found), vars(expected))
    assert [type(each) for each in vars(found).values()] == [type(each) for each in vars(expected).values()]
    ran = str(sweep.report())
    assert ("compiled" in ran) == (kind is Ising), ran


def test_one_object_under_two_names() -> None:
    decorated = nprewrite.jit(add_up, wait=True)
    pair = SimpleNamespace(total=0.0), SimpleNamespace(total=1.0)
    for left, right in (pair, pair[::-1], (pair[0], pair[0])):
        for function in (decorated, decorated, add_up):
            mine = copy.copy(left)
            other = mine if left is right else copy.copy(right)
            function(np.linspace(0, 1, 500), mine, other)
            if function is not add_up:
                seen = mine.total, other.total
        assert seen == (mine.total, other.total)


@dataclass(frozen=True)
class Setting:
    rate: float = 0.25
    total: float = 0.0


def smoothed(x: Any, by: Setting) -> float:
    last = 0.0
    for i in range(1, len(x)):
        last = last * by.rate + x[i]
        x[i - 1] = last
    return last


def summed(x: Any, by: Any) -> float:
    for i in range(1, len(x)):
        x[i - 1] = x[i] * by.rate
        by.total += x[i - 1]
    return float(by.total)


@pytest.mark.parametrize("function", [smoothed, summed])
def test_attributes_of_frozen_objects_are_read_and_never_set(function: Callable[..., Any]) -> None:
    decorated: Any = nprewrite.jit(function)
    for rate in (0.25, 0.5, 0.75):
        outcomes = []
        for each in (decorated, function):
            x = np.linspace(0, 1, 9)
            try:
                found: Any = each(x, Setting(rate))
            except FrozenInstanceError as error:
                found = str(error)
            outcomes.append((found, x.tolist()))
        assert outcomes[0] == outcomes[1]
    assert ("_smoothed_loop(" in decorated.source) is (function is smoothed)


def test_a_frozen_object_raises_at_the_first_store() -> None:
    compiled = native(
        function_of("def f(a, me):\n    for i in range(9):\n        a[i] = i\n        me.total += i"),
        sets=("me.total",),
    )
    a = np.full(9, -1.0)
    with pytest.raises(FrozenInstanceError):
        compiled(a, Setting())
    assert a.tolist() == [0.0] + [-1.0] * 8

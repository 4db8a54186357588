"""What a call costs beyond the original where ``@nprewrite.jit`` keeps NumPy.

    python benchmarks/overhead.py

For none to four arrays: microseconds a call of the original and of the decorated function, best of several
rounds in turns. Then the same for short functions that are settled after many calls, called by their name in
the module and through an object that was taken before; last, compiled code on so few elements that most of
its time is the call. Exit status 1: a difference is over the bar, of 3 microseconds or, by name, of a
twentieth for settled functions.
"""

from __future__ import annotations

import sys
import time
import timeit
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

import nprewrite
from nprewrite.decorated.turns import call_class

BAR_US = 3.0
SETTLED_BAR = 1.05
CALLS = 20_000
ROUNDS = 15
SHORT_ROUNDS = 100
UNTIL_SETTLED_S = 300.0


@nprewrite.jit
def nothing(*arrays: Any) -> None:
    """What is left is the price of the call."""


@nprewrite.jit
def none_above(x: Any) -> bool:
    """A loop that may end early."""
    for each in x:
        if each > 100:
            break
    else:
        return True
    return False


@nprewrite.jit
def bubble(x: list[int]) -> list[int]:
    """A sort of few numbers."""
    for i in range(len(x)):
        for j in range(len(x) - 1 - i):
            if x[j] > x[j + 1]:
                x[j], x[j + 1] = x[j + 1], x[j]
    return x


@nprewrite.jit
def total(x: Any) -> Any:
    """A call of NumPy."""
    return x.sum()


@nprewrite.jit
def combined(a: float, x: Any, y: Any) -> Any:
    """Two operations on few elements."""
    return a * x + y


@nprewrite.jit
def fibonacci(n: int) -> int:
    """A recursion."""
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


@nprewrite.jit(wait=True)
def limited(q: Any) -> Any:
    """Fluxes with a slope limiter: array code."""
    left, right = q - np.roll(q, 1), np.roll(q, -1) - q
    slope = np.where(left * right > 0, np.where(np.abs(left) < np.abs(right), left, right), 0.0)
    low, high = q + 0.5 * slope, np.roll(q - 0.5 * slope, -1)
    return 0.25 * (low**2 + high**2) - 0.5 * np.maximum(np.abs(low), np.abs(high)) * (high - low)


@nprewrite.jit(wait=True)
def filtered(x: Any) -> Any:
    """A recursive filter: a loop over elements."""
    for i in range(1, len(x)):
        x[i] = 0.5 * x[i] + 0.25 * x[i - 1]
    return x


SHORT: tuple[tuple[Any, tuple[Any, ...]], ...] = (
    (none_above, ([1.0] * 10,)),
    (bubble, ([3, 1, 2, 0],)),
    (total, (np.ones(300, np.float32),)),
    (combined, (2.0, np.ones(10), np.ones(10))),
    (fibonacci, (10,)),
)


def microseconds(function: Callable[..., Any], arrays: tuple[Any, ...]) -> float:
    """A call of the function, in one round."""
    return timeit.timeit(lambda: function(*arrays), number=CALLS) / CALLS * 1e6


def main() -> int:
    """Print the table; the exit status."""
    print(f"{'arrays':>6}{'original':>12}{'decorated':>12}{'more':>12}")
    worst = 0.0
    for count in range(5):
        arrays = tuple(np.ones(10) for _ in range(count))
        nothing._kept[call_class(arrays, {})] = nothing.original
        rounds = [
            (microseconds(nothing.original, arrays), microseconds(nothing, arrays)) for _ in range(ROUNDS)
        ]
        original, decorated = (min(side) for side in zip(*rounds, strict=True))
        worst = max(worst, decorated - original)
        print(f"{count:>6}{original:>9.2f} µs{decorated:>9.2f} µs{decorated - original:>9.2f} µs")
    settled = _settled()
    _compiled()
    return int(settled > SETTLED_BAR or worst > BAR_US)


def _compiled() -> None:
    """Print what calls of compiled code on few elements take."""
    print("".join(f"{each:>12}" for each in ("compiled", "elements", "original", "decorated")))
    for function in (limited, filtered):
        for count in (256, 1024, 4096):
            arguments = (np.linspace(0.0, 1.0, count),)
            for _ in range(SHORT_ROUNDS):
                function(*arguments)
            rounds = [
                [_few(side, arguments) for side in (function.original, function)] for _ in range(ROUNDS)
            ]
            original, decorated = map(min, zip(*rounds, strict=True))
            print(f"{function.original.__name__:>12}{count:>12}{original:>9.2f} µs{decorated:>9.2f} µs")


def _settled() -> float:
    """Print what settled calls take; the largest relation of a call by name to one of the original."""
    columns = ("settled", "original", "by name", "object", "by name", "object")
    print("".join(f"{each:>12}" for each in columns))
    worst = 0.0
    for function, arguments in SHORT:
        name = function.__name__
        sides = (_undecorated(function), _when_settled(name, function, arguments), function)
        rounds = [[_few(each, arguments) for each in sides] for _ in range(SHORT_ROUNDS)]
        original, by_name, held = map(min, zip(*rounds, strict=True))
        worst = max(worst, by_name / original)
        times = "".join(f"{each:>9.2f} µs" for each in (original, by_name, held))
        print(f"{name:>12}{times}{by_name / original:>12.3f}{held / original:>12.3f}")
    return worst


def _undecorated(function: Any) -> Callable[..., Any]:
    """The function as if it had never been decorated, also where it calls itself."""
    plain = function.original
    home = {**plain.__globals__}
    home[plain.__name__] = FunctionType(plain.__code__, home, plain.__name__, plain.__defaults__)
    made: Callable[..., Any] = home[plain.__name__]
    return made


def _when_settled(name: str, function: Any, arguments: tuple[Any, ...]) -> Callable[..., Any]:
    """What stands for the function in this module once it is settled: it is rewritten in the background."""
    started = time.perf_counter()
    while globals()[name] is function:
        if time.perf_counter() - started > UNTIL_SETTLED_S:
            raise SystemExit(f"{name} is not settled after {UNTIL_SETTLED_S:.0f} s")
        function(*arguments)
    standing: Callable[..., Any] = globals()[name]
    return standing


def _few(function: Callable[..., Any], arguments: tuple[Any, ...]) -> float:
    names = [f"x{number}" for number in range(len(arguments))]
    given = {"f": function, **dict(zip(names, arguments, strict=True))}
    return timeit.timeit(f"f({', '.join(names)})", globals=given, number=CALLS // 40) / (CALLS // 40) * 1e6


if __name__ == "__main__":
    sys.exit(main())

"""What a call costs beyond the original where ``@nprewrite.jit`` keeps NumPy.

    python benchmarks/overhead.py

For none to four arrays: microseconds a call of the original and of the decorated function, best of several
rounds in turns. Exit status 1: the difference is over the bar of 3 microseconds.
"""

from __future__ import annotations

import sys
import timeit
from collections.abc import Callable
from typing import Any

import numpy as np

import nprewrite
from nprewrite.decorated.turns import call_class

BAR_US = 3.0
CALLS = 20_000
ROUNDS = 15


@nprewrite.jit
def nothing(*arrays: Any) -> None:
    """What is left is the price of the call."""


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
    return int(worst > BAR_US)


if __name__ == "__main__":
    sys.exit(main())

"""Several sides measured in turns, so that disturbances of the machine affect all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

Side = TypeVar("Side")


def alternate(
    sides: Mapping[str, Side],
    rounds: int,
    progress: Callable[[int, int], None],
    timed: Callable[[Side], float],
) -> dict[str, list[float]]:
    """Seconds of each side, as ``timed`` measures it, over ``rounds`` rounds in which every side runs once.

    The order changes from round to round after a Williams square: for an even number of sides, each side
    follows each other side equally often, so that none is always the one to run after a single-threaded side
    has let the other cores go to sleep.
    """
    names = list(sides)
    count = len(names)
    zigzag = [index // 2 if index % 2 == 0 else count - (index + 1) // 2 for index in range(count)]
    times: dict[str, list[float]] = {name: [] for name in names}
    for number in range(rounds):
        for offset in zigzag:
            name = names[(offset + number) % count]
            times[name].append(timed(sides[name]))
        progress(number + 1, rounds)
    return times

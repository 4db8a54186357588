"""What the tests of measuring share: figures made up by hand, and a child that answers from a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from nprewrite.benching.measurement import ORIGINAL, REWRITTEN, Measurement, Side
from nprewrite.benching.messages import Listed, Request, Round, Started, Turned
from nprewrite.benching.spread import Spread
from nprewrite.verification.messages import Finished

PROGRAM = """
import numpy as np
import nprewrite


def damp(x, n):
    for k in range(n):
        m = np.abs(x) > 0.1
        x[m] = x[m] * 0.9
    return x


def settle(size, n):
    x = np.linspace(0.0, 1.0, size)
    for k in range(n):
        m = np.abs(x) > 0.1
        x[m] = x[m] * 0.9
    return x


def fails(n):
    x = np.zeros(n)
    x[x < 1] = 2
    raise ArithmeticError("on purpose")


def untouched(n):
    return n + 1
"""


def spread(*values: float) -> Spread:
    """The spread of these values."""
    return Spread.of(list(values))


def measurement(
    times: list[float],
    rewritten: list[float],
    *,
    cold: tuple[float, ...] = (10.0,),
    warm: tuple[float, ...] = (2.0,),
    ran: tuple[str, ...] = ("compiled",),
    **others: Any,
) -> Measurement:
    """A measurement of two sides with these times by round."""
    ratios = [slow / fast for slow, fast in zip(times, rewritten, strict=True)]
    sides = {
        ORIGINAL: Side(cold=(times[0],), warm=(times[0],), steady=Spread.of(times), memory=1 << 20),
        REWRITTEN: Side(cold, warm, Spread.of(rewritten), Spread.of(ratios)),
    }
    given = {"threads": 2, "rounds": len(times), "import_torch": 0.9, "ran": ran, "sides": sides, **others}
    return Measurement(0, "f", "f(n)", **given)


def of_sizes(sizes: list[int], times: list[float], rewritten: list[float]) -> list[Measurement]:
    """Measurements of one call at several sizes."""
    return [
        measurement([slow] * 3, [fast] * 3, size=size)
        for size, slow, fast in zip(sizes, times, rewritten, strict=True)
    ]


class Children:
    """In place of ``conversation.ask``: answers by task, and notes what was asked in which environment."""

    def __init__(self, answers: Mapping[str, Callable[[Request], Any]]) -> None:
        self._answers = {**_ANSWERS, **answers}
        self.asked: list[tuple[str, Any, Mapping[str, str]]] = []

    def ask(
        self, worker: str, request: Request, limits: object, folder: Path, extra: Mapping[str, str]
    ) -> Iterator[Any]:
        """The messages of a worker that does nothing."""
        kind = type(request.task).__name__
        self.asked.append((kind, request, extra))
        yield from self._answers[kind](request)
        yield Finished()

    def kinds(self) -> list[str]:
        """The tasks in the order in which they were given."""
        return [kind for kind, _, _ in self.asked]


def _turned(request: Request) -> Iterator[Any]:
    yield Round(1, 1)
    sides = (ORIGINAL, REWRITTEN, *request.task.peers)  # type: ignore[union-attr]
    times = {side: [1.0 / (place + 1)] * 3 for place, side in enumerate(sides)}
    yield Turned(times, dict.fromkeys(sides, 5), 1, 2, ("compiled",))


_ANSWERS: dict[str, Callable[[Request], Any]] = {
    "Listing": lambda request: [Listed(0, "damp", "damp(np.ones(9), 4)", "one kind")],
    "Starting": lambda request: [Started(0.5, 1.0, (10.0, 0.5))],
    "Trial": lambda request: [],
    "Turning": _turned,
}

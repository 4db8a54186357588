"""One side of the measurement: a function, its arguments, and the clock around it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from nprewrite.comparison.memory import copy_arguments
from nprewrite.decorated.jitted import decorated
from nprewrite.verification.labels import told
from nprewrite.verification.problems import CannotVerify

LEAST_CALLS, MOST_CALLS = 3, 30
"""How many calls are made until a side counts as steady: at least, and at most."""
MOST_SECONDS = 60.0
_BATCH_S = 2e-4
"""Calls are timed in batches of this length: the clock and cold caches disturb shorter times."""
_LARGEST_BATCH = 200
_SHORT_S = 1e-3


@dataclass(frozen=True)
class Player:
    """A function that is called on fresh copies of its arguments; ``enter`` restores its module's state.

    ``who`` is its name in errors.
    """

    who: str
    enter: Callable[[], None]
    function: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]

    def seconds(self, calls: int = 1) -> float:
        """Mean wall time of several calls, without copying their arguments and freeing their results.

        Raises ``CannotVerify`` where the function raises, or the arguments cannot be copied.
        """
        run = self.ready(calls)
        start = time.perf_counter()
        result = run()
        elapsed = time.perf_counter() - start
        del result
        return elapsed / calls

    def ready(self, calls: int = 1) -> Callable[[], Any]:
        """A function that only makes the calls: their arguments are copied already."""
        try:
            copies = [copy_arguments(self.args, self.kwargs) for _ in range(calls)]
        except Exception as error:
            # Copying may run code of the user's classes.
            raise CannotVerify(f"the arguments cannot be copied: {told(error)}") from error
        self.enter()
        return lambda: self._calls(copies)

    def _calls(self, copies: list[tuple[tuple[Any, ...], dict[str, Any]]]) -> Any:
        function, result = self.function, None
        try:
            for args, kwargs in copies:
                result = function(*args, **kwargs)
        except (Exception, SystemExit) as error:
            raise CannotVerify(f"{self.who} raises {told(error)}") from error
        return result


def decided() -> bool:
    """Whether every decorated function of the process has decided on a version for its calls so far."""
    return all(choice.kept is not None for each in decorated() for choice in each.choices)


def until_steady(player: Player, decided: Callable[[], bool], *, least: int = LEAST_CALLS) -> list[float]:
    """Seconds of the calls until ``decided`` says that further calls will run alike."""
    seconds: list[float] = []
    while len(seconds) < least or (
        not decided() and len(seconds) < MOST_CALLS and sum(seconds) < MOST_SECONDS
    ):
        seconds.append(player.seconds())
    return seconds


def pace(player: Player, decided: Callable[[], bool]) -> float:
    """Roughly the seconds of a call once it is steady."""
    seconds = until_steady(player, decided, least=2)[-1]
    # A processor needs several short calls to predict their branches.
    return min(player.seconds() for _ in range(10)) if seconds < _SHORT_S else seconds


def batch(seconds: float) -> int:
    """How many calls that take ``seconds`` each are timed together."""
    return min(_LARGEST_BATCH, max(1, round(_BATCH_S / max(seconds, 1e-9))))

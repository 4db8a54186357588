"""Calls that differ in the magnitudes of integers only.

Each magnitude makes a class of calls of its own, as the number of steps or rows may be what decides. A
function of two positions has hundreds of them, and what is known of some serves for all.
"""

from __future__ import annotations

from typing import Any, Generic, ParamSpec, TypeVar

from nprewrite.decorated.turns import CallClass, Meanwhile

P = ParamSpec("P")
R = TypeVar("R")

_ENOUGH = 4
"""Where the original was kept for so many classes, it is tried first for further ones."""


class AlikeCalls(Generic[P, R]):
    """What is known of the calls of a function, whatever its integers are."""

    def __init__(self) -> None:
        self._meanwhile: dict[CallClass, Meanwhile[P, R]] = {}
        self._kept: dict[CallClass, dict[CallClass, float]] = {}

    def meanwhile(self, kind: CallClass) -> Meanwhile[P, R] | None:
        """What runs for such calls while the function is being rewritten, if that is so."""
        return self._meanwhile.get(_alike(kind))

    def wait(self, kind: CallClass, function: Meanwhile[P, R]) -> None:
        """Let such calls run that way."""
        self._meanwhile[_alike(kind)] = function

    def waited(self, kind: CallClass) -> Meanwhile[P, R] | None:
        """What such calls have run, and are to run no longer."""
        return self._meanwhile.pop(_alike(kind), None)

    def keep_original(self, kind: CallClass, seconds: float) -> None:
        """Note that the original was kept for calls that take so long."""
        self._kept.setdefault(_alike(kind), {})[kind] = seconds

    def longest_kept(self, kind: CallClass) -> float | None:
        """The seconds of the longest calls for which the original was kept, where many of them were tried."""
        kept = self._kept.get(_alike(kind), {})
        return max(kept.values()) if len(kept) >= _ENOUGH else None

    def clear(self) -> None:
        """Forget everything."""
        self._meanwhile.clear()
        self._kept.clear()


def _alike(kind: CallClass) -> CallClass:
    return tuple([_without_magnitude(each) for each in kind])


def _without_magnitude(argument: Any) -> Any:
    match argument:
        case int():
            return int
        case (str() as name, int()):
            return name, int
    return argument

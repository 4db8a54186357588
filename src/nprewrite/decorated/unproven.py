"""A function that has the decorator because its calls may turn out to be long, which most never do."""

from __future__ import annotations

import linecache
import sys
import types
from collections.abc import Callable
from time import perf_counter
from typing import Any, ParamSpec, TypeVar

from nprewrite.decorated.building import filename
from nprewrite.decorated.definitions import definition_of
from nprewrite.decorated.jitted import SHORT_CALLS, WORTH_ASKING_S, Jitted, turn_into
from nprewrite.decorated.recursion import DEEP, leave_room, nesting
from nprewrite.decorated.report import Report
from nprewrite.decorated.versions import Settings
from nprewrite.types.observed import Observed

P = ParamSpec("P")
R = TypeVar("R")

_WORTH_READING_S = 0.15
"""So much its calls have to take in a process. To read its text, and to load what it became, takes a tenth of
that in each run, and whoever decorates a function by hand has chosen it."""
_TOO_LITTLE = "runs as written: its calls have taken too little time to be rewritten"


def _has_torch() -> bool:
    return "torch" in sys.modules


class Loaded(Jitted[P, R]):
    """A function that got the decorator as its module was loaded: to ``isinstance`` it is a function still.

    Whoever decorates one knows of it; a program that collects its functions, or asks for one, does not.
    """

    __slots__ = ()

    __class__ = property(lambda _: types.FunctionType)

    def __repr__(self) -> str:
        return repr(self.original)


class Unproven(Loaded[P, R]):
    """It runs as written, and becomes a `Loaded` once its calls have taken long enough to be worth reading.

    Its text is not read before: that takes longer than the calls of most functions of a package.
    """

    __slots__ = ()

    def __init__(self, function: Callable[P, R], settings: Settings, then: Callable[[str], None]) -> None:
        """``then`` gets the qualified name when that is so."""
        super().__init__(function, settings)
        self._calls, self._spent, self._then = 0, 0.0, then
        self._since: float | None = None
        # Its text is read later, when the file may be another one.
        linecache.getlines(filename(function), function.__globals__)

    def _begin(self) -> None:
        """Nothing is read yet."""

    def forget(self) -> None:
        """Nothing is known yet."""

    def __getattr__(self, name: str) -> Any:
        # Someone asks for what only reading the text tells.
        if name not in Jitted.__slots__:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        self._become_loaded()
        return getattr(self, name)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the function; raises what it raises."""
        leave_room()
        if _has_torch():
            # Tensors are computed where they lie.
            self._become_loaded()
            return self(*args, **kwargs)
        # The time of a recursion is that of its outermost call.
        outermost, since = self._since is None, self._since or perf_counter()
        self._since = since
        nesting.calls += 1
        try:
            if nesting.calls > DEEP:
                return self._as_written(args, kwargs)
            result = self.original(*args, **kwargs)
        finally:
            nesting.calls -= 1
            if outermost:
                self._since = None
        self._calls += 1
        spent = self._spent + (perf_counter() - since)
        if outermost:
            self._spent = spent
        if self._calls == SHORT_CALLS and spent < WORTH_ASKING_S:
            # Others that call it may inline it.
            definition_of(self.original, self._settings).note_brief()
        if spent >= _WORTH_READING_S and type(self) is Unproven:
            self._become_loaded()
            self._then(self.original.__qualname__)
            self.specializations.ask(args, kwargs)
        return result

    def _become_loaded(self) -> None:
        # Another thread calls it as soon as it is one.
        Jitted._begin(self)
        turn_into(self, Loaded)

    @property
    def is_awaited(self) -> bool:
        """Nothing was asked for."""
        return False

    @property
    def shown(self) -> Observed:
        """Nothing, as far as is known without its text."""
        return {}

    def report(self) -> Report:
        """That it is brief."""
        return Report(filename(self.original), (), (_TOO_LITTLE,))

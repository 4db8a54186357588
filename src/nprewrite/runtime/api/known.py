"""The steps and native loops of the process: what is told of them when a program ends."""

from __future__ import annotations

import functools
import weakref
from collections import Counter
from collections.abc import Callable
from typing import Any, cast

from nprewrite.base.allocator import keep_freed_memory
from nprewrite.runtime.choosing.choice import Choice


class Part:
    """A step or a native loop; the docstring of its ``function`` ends with the name of the user's.

    ``runs`` counts how it ran.
    """

    def __init__(self, function: Callable[..., Any], on_fallback: str, *, tune: bool = False) -> None:
        self.function = function
        self.on_fallback = on_fallback
        self.tune = tune
        # Whether a loop waits until it is compiled.
        self.is_waited_for = tune
        # Whether its loops run as written and compiled in turns, until one is known to be faster.
        self.takes_turns = False
        self.choices: dict[tuple[int, ...], Choice] = {}
        self.runs: Counter[str] = Counter()
        functools.update_wrapper(cast("Any", self), function)
        PARTS.add(self)
        # For the arrays between kernels.
        keep_freed_memory()


PARTS: weakref.WeakSet[Part] = weakref.WeakSet()
"""Those that still exist."""

"""The steps and native loops of the process: what is told of them when a program ends."""

from __future__ import annotations

import weakref
from collections import Counter
from collections.abc import Callable
from typing import Any, Protocol

from nprewrite.base.allocator import keep_freed_memory
from nprewrite.runtime.choosing.choice import Choice


class Part(Protocol):
    """A step or a native loop; the docstring of its ``function`` ends with the name of the user's."""

    function: Callable[..., Any]
    runs: Counter[str]
    choices: dict[tuple[int, ...], Choice]


PARTS: weakref.WeakSet[Part] = weakref.WeakSet()
"""Those that still exist."""


def register(part: Part) -> None:
    """Note a new part; the first one has the process keep freed memory, for the arrays between kernels."""
    PARTS.add(part)
    keep_freed_memory()

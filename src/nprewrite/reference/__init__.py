"""The reference kernels in C++, where the distribution ``nprewrite-reference`` is installed (``cpp/``)."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any

_EXTENSION = "nprewrite_reference"


class ReferenceUnavailable(RuntimeError):
    """A kernel was asked for, but there is none; ``reason`` says why, in words."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"reference unavailable: {reason}")
        self.reason = reason


def available() -> bool:
    """Whether the kernels are installed."""
    return unavailable_because() is None


def unavailable_because() -> str | None:
    """Why there are no kernels, in words; None if they are installed."""
    try:
        _extension()
    except ReferenceUnavailable as missing:
        return missing.reason
    return None


def kernel(name: str) -> Callable[..., Any]:
    """The kernel of this name.

    Raises ReferenceUnavailable if there are no kernels, ValueError if none has this name.
    """
    extension = _extension()
    names = [each for each in vars(extension) if not each.startswith("_")]
    if name not in names:
        raise ValueError(f"no reference kernel is called {name!r}; there are: {', '.join(sorted(names))}")
    found: Callable[..., Any] = getattr(extension, name)
    return found


def _extension() -> ModuleType:
    try:
        return import_module(_EXTENSION)
    except ModuleNotFoundError as missing:
        if missing.name != _EXTENSION:
            raise
        raise ReferenceUnavailable(
            "the C++ kernels are not installed (pip install nprewrite-reference)"
        ) from missing
    except ImportError as reason:
        raise ReferenceUnavailable(str(reason)) from reason

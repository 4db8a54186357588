"""The reference kernels in C++, if this installation has them; ``_reference.pyi`` describes each."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any

_EXTENSION = "nprewrite._reference"


class ReferenceUnavailable(RuntimeError):
    """A kernel was asked for, but this installation has none; ``reason`` says why, in words."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"reference unavailable: {reason}")
        self.reason = reason


def available() -> bool:
    """Whether this installation has the kernels."""
    return unavailable_because() is None


def unavailable_because() -> str | None:
    """Why this installation has no kernels, in words; None if it has them."""
    try:
        _extension()
    except ReferenceUnavailable as missing:
        return missing.reason
    return None


def kernel(name: str) -> Callable[..., Any]:
    """The kernel of this name.

    Raises ReferenceUnavailable if the installation has no kernels, ValueError if none has this name.
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
            "nprewrite runs from its source tree; install it (pip install --editable .) to build the kernels"
        ) from missing
    except ImportError as reason:
        raise ReferenceUnavailable(str(reason)) from reason

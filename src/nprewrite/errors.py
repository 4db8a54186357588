"""Warnings and errors that nprewrite gives at run time."""

from __future__ import annotations


class NprewriteWarning(UserWarning):
    """A rewritten function runs in another way than asked for; its results are still right."""


class MismatchWarning(NprewriteWarning):
    """A rewritten function gave other answers than the original, which runs from then on."""


class NprewriteError(RuntimeError):
    """Base of the errors that were asked for in place of warnings."""


class FallbackError(NprewriteError):
    """A function runs as written, and ``on_fallback="raise"`` was asked for."""


class DeviceError(NprewriteError):
    """A call cannot be computed on the device that its arguments lie on, or that was asked for."""


class MismatchError(NprewriteError):
    """A rewritten function gave other answers than the original; the message is the report."""

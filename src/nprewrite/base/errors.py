"""Warnings and errors that nprewrite gives at run time."""

from __future__ import annotations

import contextlib
import re
import sys
import warnings
from collections.abc import Iterator


class NprewriteWarning(UserWarning):
    """A rewritten function does not run in the way that was asked for; its results are still right."""


class MismatchWarning(NprewriteWarning):
    """A rewritten function gave other answers than the original, which runs from then on."""


_hears_nothing = False
"""Whether the program that runs is not to hear of nprewrite."""


def warn(text: str, file: str, line: int, category: type[NprewriteWarning] = NprewriteWarning) -> None:
    """Warn at the user's line; on stderr where filters make warnings errors, because nothing has failed."""
    if _hears_nothing:
        if not _is_ignored(text, line, category):
            _print(text, file, line, category)
        return
    try:
        warnings.warn_explicit(text, category, file, line)
    except category:
        _print(text, file, line, category)


@contextlib.contextmanager
def unheard_by_the_program() -> Iterator[None]:
    """Let warnings go to the user alone: a program may collect its own, or print them elsewhere."""
    global _hears_nothing
    before, _hears_nothing = _hears_nothing, True
    try:
        yield
    finally:
        _hears_nothing = before


def _is_ignored(text: str, line: int, category: type[Warning]) -> bool:
    """Whether the first filter that fits ignores a warning."""
    for action, message, kind, module, number in warnings.filters:
        fits = issubclass(category, kind) and (message is None or re.match(message, text) is not None)
        if fits and module is None and number in (0, line):
            return action == "ignore"
    return False


def _print(text: str, file: str, line: int, category: type[Warning]) -> None:
    tell(warnings.formatwarning(text, category, file, line))


def tell(text: str) -> None:
    """Write to the user's standard error; a program may have put another file in its place, or closed it."""
    stream = sys.__stderr__ if _hears_nothing else sys.stderr
    if stream is not None:
        with contextlib.suppress(OSError, ValueError):
            stream.write(text)


FAULTS = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    NameError,
    RuntimeError,
    StopIteration,
    SyntaxError,
    TypeError,
    ValueError,
)
"""What a mistake of nprewrite's own raises, where no code of the user's runs."""


def reported(fault: object) -> str:
    """What to do about a fault of nprewrite."""
    return f"{fault}. This is a fault of nprewrite: please report it to its maintainers, with the code"


def summary(error: BaseException) -> str:
    """The first line of what it says, and the next where that has the cause: ``backend='…' raised:``."""
    first, *others = str(error).strip().split("\n")
    return " ".join([first, *others[:1]]) if first.endswith(":") else first


@contextlib.contextmanager
def unheard(*categories: type[Warning]) -> Iterator[None]:
    """Suppress warnings, which filters may make errors.

    ``warnings.catch_warnings`` makes Python forget its warnings: places that warn once would do so again.
    """
    filters: list[object] = warnings.filters  # type: ignore[assignment]  # a list, which C code asks for
    added = [("ignore", None, each, None, 0) for each in categories]
    filters[:0] = added
    try:
        yield
    finally:
        for each in added:
            # Another thread may have reset them.
            with contextlib.suppress(ValueError):
                filters.remove(each)


OF_SYNTAX = (SyntaxWarning, DeprecationWarning)
"""Warnings of parsing and compiling the user's text, which Python gives when it reads the text itself."""


class NprewriteError(RuntimeError):
    """Base class of the errors that were asked for in place of warnings."""


class FallbackError(NprewriteError):
    """A function runs as written, and ``on_fallback="raise"`` was asked for."""


class DeviceError(NprewriteError):
    """A call cannot be computed on the device that its arguments lie on, or that was asked for."""


class MismatchError(NprewriteError):
    """A rewritten function gave other answers than the original; the message is the report."""

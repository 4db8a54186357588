"""A call on one short line, as the table shows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

_LONGEST = 72
_LONGEST_ARGUMENT = 24


def describe(name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> str:
    """``f(2.0, float64[3, 4], n=7)``: numbers as they are, arrays by dtype and shape, shortened."""
    words = [_word(value) for value in args]
    words += [f"{key}={_word(value)}" for key, value in kwargs.items()]
    return shortened(f"{name}({', '.join(words)})", _LONGEST)


def shortened(text: str, longest: int = _LONGEST) -> str:
    """The text on one line, cut with an ellipsis after ``longest`` characters."""
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


def told(error: BaseException) -> str:
    """An error of the user's code, on one line."""
    return shortened(f"{type(error).__name__}: {error}", 300)


def _word(value: object) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{list(value.shape)}"
    if isinstance(value, np.generic):
        return f"{value.dtype}({value.item()!r})"
    if value is None or isinstance(value, bool | int | float | complex | str):
        return shortened(repr(value), _LONGEST_ARGUMENT)
    return getattr(value, "__name__", type(value).__name__)

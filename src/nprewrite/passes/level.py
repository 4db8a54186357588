"""How far a rewrite may move from the original."""

from __future__ import annotations

import enum


class Level(enum.IntEnum):
    """How far a rewrite may move from the original, judged NumPy against NumPy.

    ``EXACT`` keeps every bit, ``ROUNDING`` keeps the real-number function, ``FAST`` may drop
    overflow and NaN corners.
    """

    EXACT = 0
    ROUNDING = 1
    FAST = 2

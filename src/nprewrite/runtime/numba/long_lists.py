"""Whether it pays to copy the long lists that a loop reads, of which nobody knows how much it does with them.

A search in a large network may be over at once, or look at all of it many times. How long the loop took as
written decides, also in a later process.
"""

from __future__ import annotations

import contextlib

from nprewrite.base import notes
from nprewrite.lowering.lowered import Lowered

_FOLDER, _STEM = "lowered", "long"
_COPY_S = 1e-6
"""Copying an item takes less than a quarter of this, there and back."""
_LEAST_S = 0.05
"""The time of a run from which on a later process is told."""


class LongLists:
    """The runs as written of one loop that would have had to copy long lists."""

    def __init__(self) -> None:
        self._pays: dict[str, bool] = {}
        self._text, self._items = "", 0

    def pays(self, lowered: Lowered, items: int) -> bool:
        """Whether to copy so many items."""
        self._text, self._items = lowered.text, items
        if lowered.text not in self._pays:
            self._pays[lowered.text] = notes.read(_FOLDER, _STEM, _name(lowered.text)) is not None
        return self._pays[lowered.text]

    def ran_as_written(self, seconds: float) -> None:
        """Note how long the loop took where it has just not paid."""
        pays = seconds > self._items * _COPY_S
        if pays and seconds > _LEAST_S and not self._pays[self._text]:
            with contextlib.suppress(OSError):
                notes.write(_FOLDER, _STEM, _name(self._text), {})
        self._pays[self._text] = pays


def _name(text: str) -> str:
    return notes.name_of(["long lists", text])

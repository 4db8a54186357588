"""What a function was lowered to: its text, and how what it gives is read from its buffers."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from nprewrite.lowering.draws import Draws
from nprewrite.lowering.held_lists import HeldList
from nprewrite.lowering.list_items import Items
from nprewrite.lowering.numbers import NUMBERS, Number
from nprewrite.lowering.problems import Event, Fault

Layout = tuple["Layout", ...]
"""Empty for a number or an array; for a tuple, the layouts of what it holds."""


class OrNone(tuple["Layout", ...]):
    """The layout of a tuple after a flag that says whether it is there, or ``None`` in its place."""

    __slots__ = ()


@dataclass(frozen=True)
class Lowered:
    """A lowered function.

    Its ``text`` defines ``lowered``, which takes the parameters in order, then buffers for what it returns:
    integers, floats, and tags with the number of the ``return`` statement last, then ``r_arrays`` where it
    returns arrays. A tuple becomes one parameter for each of its numbers. ``returns`` holds what each
    statement returns (None for ``None``). Where it checks for signals, three integers take an
    exception; see ``kernels.has_raised``.

    After what it returns, or the operands of a fault, the buffers hold the values of ``kept`` parameters.
    """

    text: str
    returns: tuple[Layout | None, ...]
    faults: tuple[Fault, ...]
    stores: frozenset[str]
    replays: bool
    stops: bool
    """Whether it may end otherwise than in ``Event.DONE``, not counting signals."""
    rounds: bool
    work: float
    """An estimate of the number of statements that run."""
    seen_work: float
    """The same, of loops whose trips are known: a ``while`` loop counts as one."""
    saved: float
    """An estimate of the nanoseconds by which loops over small arrays are faster than NumPy's calls."""
    calls: int
    """The number of calls of NumPy on arrays that have become loops."""
    draws: tuple[Draws, ...]
    """What it draws from: ``r_random0`` and ``r_normal0`` of the first, and those of the others,
    are its last parameters."""
    lists: Mapping[str, tuple[HeldList, Items]]
    """What it does with each list that it is given, and what the items of that are."""
    arrays: tuple[tuple[Number, int], ...]
    """The types of the elements, and the ranks, of the arrays that it returns: ``r_arrays`` tells of them."""
    kept: tuple[Layout, ...] = ()
    """What the parameters are, the last ones, whose values the caller keeps."""
    made: tuple[str, ...] = ()
    """The lists that it makes for itself, and takes after its parameters; the last one of what it prints."""
    prints: tuple[tuple[str, str], ...] = ()
    """Functions that print, of the numbers that are kept with the number of one of them.

    Where a name stands beside one, it gives such a function, that appends, for the parameter of that name.
    """

    @functools.cached_property
    def width(self) -> int:
        """The number of values for which the buffers need room, that of floats twice."""
        results = [_count(each) for each in self.returns if each is not None]
        return max([0, *results, *(each.width for each in self.faults)]) + sum(map(_count, self.kept))

    def fault(self, ended: int) -> Fault | None:
        """The fault in which a run has ended; None where it ended in an ``Event``."""
        return self.faults[ended - len(Event)] if ended >= len(Event) else None

    def result(
        self,
        integers: np.ndarray,
        floats: np.ndarray,
        tags: np.ndarray,
        arrays: Sequence[np.ndarray] = (),
        listed: Callable[[str], np.ndarray] | None = None,
    ) -> object:
        """What the function returned, from its buffers; each value has the type that the original gives.

        Negative tags stand for arrays: -1 for the first of ``arrays``, further on for those that ``listed``
        makes of lists.
        """
        layout = self.returns[int(tags[-1])]
        if layout is None:
            return None
        lists = [*self.lists]

        def value(k: int) -> object:
            place = -int(tags[k]) - 1
            if place < 0:
                return NUMBERS[int(tags[k])].scalar(integers, floats, k)
            if place < len(arrays):
                return arrays[place]
            assert listed is not None
            return listed(lists[place - len(arrays)])

        return _folded(layout, map(value, range(_count(layout))))

    def values_kept(
        self,
        integers: np.ndarray,
        floats: np.ndarray,
        tags: np.ndarray,
        arrays: Sequence[np.ndarray],
        fault: Fault | None,
    ) -> list[object]:
        """The ``kept`` parameters when the function ended, in a fault or by returning."""
        layout = self.returns[int(tags[-1])] if fault is None else None
        first = fault.width if fault is not None else 0 if layout is None else _count(layout)
        values = (
            arrays[-int(tags[k]) - 1] if tags[k] < 0 else NUMBERS[int(tags[k])].scalar(integers, floats, k)
            for k in range(first, first + sum(map(_count, self.kept)))
        )
        return [_folded(each, values) for each in self.kept]


def _count(layout: Layout) -> int:
    return sum(map(_count, layout)) if layout else 1


def _folded(layout: Layout, values: Iterator[object]) -> object:
    if not layout:
        return next(values)
    made = tuple(_folded(each, values) for each in layout)
    if isinstance(layout, OrNone):
        return made[1:] if made[0] else None
    return made

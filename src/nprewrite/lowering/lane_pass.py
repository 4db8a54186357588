"""What one loop over lanes runs, and the parts of arrays that it accesses."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(frozen=True)
class LaneView:
    """A view of an array that is taken once, before the loops: ``name`` stands for ``node``."""

    name: str
    array: str
    node: ast.Subscript


Offset = tuple[str, int]
"""An index: an expression, and an integer that is added to it."""


@dataclass(frozen=True)
class Access:
    """An array that a statement accesses: through which view, and along which of its axes the lanes lie.

    ``lanes`` is the text of the slices, ``index`` that of the whole subscript; ``offsets`` are the indices,
    None for the axes of lanes. Without lanes it is an element that is read before the statement.
    """

    array: str
    view: str
    axes: tuple[int, ...]
    lanes: str
    index: str
    offsets: tuple[Offset | None, ...]
    store: bool
    lengths: tuple[int, ...] | None = None
    """How many lanes there are along each axis, where that is known."""

    def distance(self, other: Access) -> tuple[int, int] | None:
        """An axis along which the two accesses are a fixed number of places apart, and that number."""
        for axis, (mine, theirs) in enumerate(zip(self.offsets, other.offsets, strict=True)):
            if mine is not None and theirs is not None and mine[0] == theirs[0] and mine[1] != theirs[1]:
                return axis, abs(mine[1] - theirs[1])
        return None


@dataclass
class Pass:
    """Statements that one loop over lanes of ``axes`` axes runs.

    ``before`` reads the elements of arrays that are the same for all lanes; ``rows`` are the names that stand
    for a value in each lane.
    """

    axes: int
    statements: list[ast.stmt] = field(default_factory=list)
    before: list[ast.stmt] = field(default_factory=list)
    accesses: list[Access] = field(default_factory=list)
    rows: set[str] = field(default_factory=set)

    @property
    def alike(self) -> list[Access]:
        """The accesses with lanes, those along the most axes first; their lengths have to agree."""
        return sorted((each for each in self.accesses if each.axes), key=lambda each: -len(each.axes))

    @property
    def lengths(self) -> tuple[int, ...] | None:
        """How many lanes there are along each axis, where that is known."""
        return self.alike[0].lengths if self.alike else None

    @property
    def stored(self) -> set[str]:
        """The arrays into which it stores."""
        return {each.array for each in self.accesses if each.store}

    @property
    def met(self) -> set[str]:
        """The arrays that it reads or into which it stores."""
        return {each.array for each in self.accesses}

    def conflict(self) -> Access | None:
        """An access at other lanes, perhaps in the same row, to an array into which there are stores."""
        return next((each for store, each in self._other_lanes() if store.distance(each) is None), None)

    def distances(self) -> Iterator[tuple[str, int, int]]:
        """Arrays with rows stored, and read at other lanes, a fixed number of places apart on an axis.

        If the axis is longer than that, these are different rows, although an index may count from the end.
        """
        for store, each in self._other_lanes():
            found = store.distance(each)
            assert found is not None
            yield (store.array, *found)

    def _other_lanes(self) -> Iterator[tuple[Access, Access]]:
        """Each store with the accesses to the same array at other lanes."""
        for store in self.accesses:
            if store.store:
                others = (each for each in self.accesses if each.axes and each.array == store.array)
                yield from ((store, each) for each in others if each.lanes != store.lanes)

    def joined(self, other: Pass) -> Pass | None:
        """Both passes as one; None if lanes of the second need others of the first, or differ in number."""
        if None not in (self.lengths, other.lengths) and self.lengths != other.lengths:
            return None
        made = Pass(
            self.axes,
            [*self.statements, *other.statements],
            [*self.before, *other.before],
            [*self.accesses, *other.accesses],
            self.rows | other.rows,
        )
        changed = any(each.array in self.stored for each in other.accesses if not each.axes)
        return made if self.axes == other.axes and not changed and made.conflict() is None else None

"""What the items of a list are: numbers, or tuples or lists of numbers, and how they lie in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from nprewrite.lowering.numbers import Number
from nprewrite.lowering.problems import NotNative


@dataclass(frozen=True)
class Column:
    """The types that a number of an item has, in one item or another."""

    numbers: tuple[Number, ...]

    @staticmethod
    def of(numbers: Iterable[Number]) -> Column:
        """The column of these types, whatever their order."""
        return Column(tuple(sorted({*numbers}, key=str)))

    @property
    def is_tagged(self) -> bool:
        """Whether the last of its slots says of which type the number is."""
        return len(self.numbers) > 1

    @property
    def width(self) -> int:
        """The number of its slots: a complex number takes two."""
        return 1 + any(each.is_complex for each in self.numbers) + self.is_tagged


MAP, ROWS = "map", "rows"
MOST_KEYS = 3
"""So many numbers a key may have."""


@dataclass(frozen=True)
class Items:
    """Items of a list: each a "number", a "tuple" or a "list" of numbers, or a row, an "array" of one axis.

    Those of a "grid" are lists of one length, and have one column. Of "" nothing is known.

    A "map" is a dictionary or a set: the first columns are those of its ``keys``. What is ``made`` is a
    "dict", a "set", a "counter" or, for keys that are not there, one of "int", "float" or "list";
    values of which nothing is known are taken for a ``guess``.

    Items of "rows", and what may stand under keys, are lists of any length with such items as ``rows``
    says, or where "tuple" is ``made`` tuples; ``nested`` are rows in lists of lists of lists.
    """

    kind: str = ""
    columns: tuple[Column, ...] = ()
    keys: int = 0
    made: str = ""
    guess: Number | None = None
    rows: Items | None = None
    nested: bool = False

    @property
    def width(self) -> int:
        """The number of slots of an item, or of a number of a row."""
        return sum(each.width for each in self.columns)

    def placed(self) -> Iterator[tuple[int, Column]]:
        """The columns, each with its first slot in an item."""
        slot = 0
        for each in self.columns:
            yield slot, each
            slot += each.width

    def joined(self, other: Items) -> Items:
        """Items that are one or the other. Raises ``NotNative`` where they are of different kinds."""
        if not self.kind or not other.kind:
            return self if self.kind else other
        rows = self.rows.joined(other.rows) if self.rows and other.rows else self.rows or other.rows
        if self.kind == other.kind == MAP and not (self.columns and other.columns):
            known = self if self.columns else other
            return replace(self, columns=known.columns, keys=known.keys, rows=rows)
        if (self.kind, len(self.columns), self.keys) != (other.kind, len(other.columns), other.keys):
            raise NotNative("not-plain-array", "a list holds numbers, and something else")
        pairs = zip(self.columns, other.columns, strict=True)
        columns = tuple(Column.of((*a.numbers, *b.numbers)) for a, b in pairs)
        return replace(self, columns=columns, rows=rows, nested=self.nested or other.nested)

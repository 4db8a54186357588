"""What is known of names while statements are followed, and what was known before each statement.

Each change is stored once, with the number of changes before it. To keep what was known before a statement,
that number is enough; copies would grow with the square of a function's length.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from operator import itemgetter

from nprewrite.types.values import Items, Scalar, Value


class Past(Mapping[str, Value]):
    """An environment as it was after some changes."""

    __slots__ = ("_changes", "_environment", "_outside")

    def __init__(self, environment: Environment, changes: int, outside: bool = False) -> None:
        self._environment = environment
        self._changes = changes
        self._outside = outside

    def __getitem__(self, name: str) -> Value:
        value = self._environment.value(name, self._changes)
        if value is None:
            raise KeyError(name)
        return _known_outside(value) if self._outside else value

    def __iter__(self) -> Iterator[str]:
        return (each for each in self._environment.ever if each in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def outside(self) -> Past:
        """The environment as a loop that starts here sees it."""
        return Past(self._environment, self._changes, outside=True)

    def replaced(self, values: Mapping[str, Value]) -> Past:
        """The environment with other values for some names."""
        made = Environment(self)
        for name, value in values.items():
            made[name] = value
        return made.past()

    def ever_lists(self) -> set[str]:
        """The names of lists at any time whose items were known."""
        return {*self._environment.ever_lists}

    def of_arrays(self) -> set[str]:
        """The names of numbers that are computed from arrays."""
        return set() if self._outside else _of_arrays(self, self._environment.ever_of_arrays)


class Environment(Mapping[str, Value]):
    """What is known of names now."""

    def __init__(self, start: Mapping[str, Value]) -> None:
        self._start = start
        self._changed: list[str] = []
        """The name that each change was about."""
        self._values: dict[str, list[tuple[int, Value | None]]] = {}
        """The values of each name, with the number of changes before; None where the change was undone."""
        self._of_arrays = start.of_arrays() if isinstance(start, Past) else _of_arrays(start, start)
        self.ever_of_arrays = set(self._of_arrays)
        self.ever_lists = start.ever_lists() if isinstance(start, Past) else _lists(start)
        """The names of lists at any time whose items were known."""

    def __getitem__(self, name: str) -> Value:
        written = self._values.get(name)
        value = written[-1][1] if written else self._start.get(name)
        if value is None:
            raise KeyError(name)
        return value

    def __iter__(self) -> Iterator[str]:
        return (each for each in self.ever if each in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    @property
    def ever(self) -> Iterator[str]:
        """The names of which something was known at any time."""
        yield from self._start
        yield from (each for each in self._values if each not in self._start)

    @property
    def changes(self) -> int:
        """How many changes there were: what ``undo`` goes back to."""
        return len(self._changed)

    def past(self) -> Past:
        """The environment as it is now, unaffected by later changes."""
        return Past(self, self.changes)

    def value(self, name: str, changes: int) -> Value | None:
        """What was known of a name after so many changes."""
        written = self._values.get(name)
        if not written:
            return self._start.get(name)
        if written[-1][0] < changes:
            return written[-1][1]
        last = bisect_left(written, changes, key=itemgetter(0))
        return written[last - 1][1] if last else self._start.get(name)

    def undo(self, changes: int) -> dict[str, Value]:
        """Go back to what was known after so many changes; returns the values that the later ones had set."""
        names = dict.fromkeys(self._changed[changes:])
        undone = {name: self[name] for name in names if name in self}
        for name in names:
            self[name] = self.value(name, changes)
        return undone

    def enter_loop(self) -> None:
        """Forget in a loop that numbers were computed from arrays before it: they are fixed while it runs."""
        for name in [*self._of_arrays]:
            self[name] = _known_outside(self[name])

    def __setitem__(self, name: str, value: Value | None) -> None:
        self._values.setdefault(name, []).append((self.changes, value))
        self._changed.append(name)
        if is_list(value):
            self.ever_lists.add(name)
        if isinstance(value, Scalar) and value.of_array:
            self._of_arrays.add(name)
            self.ever_of_arrays.add(name)
        else:
            self._of_arrays.discard(name)


def is_list(value: Value | None) -> bool:
    """Whether a value is a list whose items are known, until something changes it."""
    return isinstance(value, Items) and value.changes


def _lists(known: Mapping[str, Value]) -> set[str]:
    return {name for name, value in known.items() if is_list(value)}


def _of_arrays(known: Mapping[str, Value], names: Iterable[str]) -> set[str]:
    values = ((name, known.get(name)) for name in names)
    return {name for name, value in values if isinstance(value, Scalar) and value.of_array}


def _known_outside(value: Value) -> Value:
    return replace(value, of_array=False) if isinstance(value, Scalar) and value.of_array else value


NOTHING = Environment({}).past()

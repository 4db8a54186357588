"""What small tables hold when a function of loops is called, for which it is compiled."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from nprewrite.lowering.tables import are_only_picked_of, is_nested, names_of_rows, table_of

_CONTENTS = 3
"""What a loop is compiled for: so many contents of its tables."""


@dataclass(frozen=True)
class Table:
    """What a table holds, in place of the argument.

    The ``kinds`` tell ``(1, 0)`` from ``(True, False)``, and ``0.0`` from ``-0.0``.
    """

    rows: tuple[Any, ...]
    kinds: tuple[Any, ...]


class Tables:
    """The parameters of a function, ``tree``, that are tables."""

    def __init__(
        self, tree: ast.FunctionDef, names: Sequence[str], resolve: Callable[[ast.expr], str | None]
    ) -> None:
        self._positions = [k for k, each in enumerate(tree.args.args) if each.arg in names]
        self._named = [each.arg for each in tree.args.args]
        self._picked_of = {
            name for name in names if are_only_picked_of(names_of_rows(name, tree.body, resolve), tree.body)
        }
        self._held: set[tuple[Table, ...]] = set()

    def taken(self, arguments: Sequence[Any]) -> Sequence[Any]:
        """The arguments with what the tables hold.

        What is no table, and tables that hold something else at each call, are taken for what they are.
        """
        if not self._positions:
            return arguments
        taken = [*arguments]
        for k in self._positions:
            rows, name = table_of(taken[k]), self._named[k]
            if rows is not None and (not is_nested(rows) or name in self._picked_of):
                taken[k] = Table(rows, _kinds(rows))
        held = tuple(each for each in taken if isinstance(each, Table))
        if held not in self._held and len(self._held) >= _CONTENTS:
            return arguments
        self._held.add(held)
        return taken


def _kinds(rows: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(_kinds(each) if isinstance(each, tuple) else _kind(each) for each in rows)


def _kind(value: Any) -> Any:
    signed = isinstance(value, complex) or (isinstance(value, float) and not value)
    return (type(value), repr(value)) if signed else type(value)

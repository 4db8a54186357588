"""Small tables of numbers that a loop only runs over, neighbours or weights, as displays of literals.

``for di, dj in NEIGHBOURS`` becomes ``for di, dj in ((-1, 0), (1, 0), (0, -1), (0, 1))``: the loop is
compiled for what the table holds.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from nprewrite.base.syntax import expression_tree, name_nodes, twin, walk
from nprewrite.lowering.arrays import Entry, NumberArgument, TableArgument
from nprewrite.lowering.numbers import NONE

Resolve = Callable[[ast.expr], str | None]
Table = tuple[Any, ...]
"""Numbers, or tuples of numbers of one length."""
_MOST_ROWS = 32
_MOST_NUMBERS = 64


def table_of(held: object) -> Table | None:
    """The numbers in a small list or tuple, or in lists or tuples in it; None for all else."""
    numbers = _numbers_in(held)
    if numbers is not None or not isinstance(held, list | tuple) or len(held) > _MOST_ROWS:
        return numbers
    rows = [row for each in held if (row := _numbers_in(each)) is not None]
    alike = len(rows) == len(held) and len({*map(len, rows)}) == 1
    return tuple(rows) if alike and len(rows) * len(rows[0]) <= _MOST_NUMBERS else None


def _numbers_in(held: object) -> Table | None:
    if type(held) not in (list, tuple):
        return None
    assert isinstance(held, list | tuple)
    plain = 0 < len(held) <= _MOST_ROWS and all(type(each) in (int, float, bool) for each in held)
    return tuple(held) if plain else None


def is_nested(table: Table) -> bool:
    """Whether it holds rows."""
    return isinstance(table[0], tuple)


def only_run_over(names: Sequence[str], statements: Sequence[ast.stmt], resolve: Resolve) -> list[str]:
    """The names that statements only run over, or take the length of."""
    nodes = [node for each in statements for node in walk(each)]
    taken = {id(name) for node in nodes for name in _taken(node, resolve)}
    other = {each.id for each in name_nodes(*statements) if id(each) not in taken}
    return [each for each in names if each not in other]


def _taken(node: ast.AST, resolve: Resolve) -> Iterator[ast.Name]:
    match node:
        case ast.For(target=target, iter=over):
            yield from (name for _, name in _pairs(target, over, resolve))
        case ast.Call(func=called, args=[ast.Name() as measured]) if resolve(called) == "builtins.len":
            yield measured


def _pairs(target: ast.expr, over: ast.expr, resolve: Resolve) -> Iterator[tuple[ast.expr, ast.Name]]:
    """The names that a loop runs over, each with what takes its items."""
    match target, over:
        case _, ast.Name():
            yield target, over
        case ast.Tuple(elts=[_, inner]), ast.Call(func=called, args=[given], keywords=[]) if (
            resolve(called) == "builtins.enumerate"
        ):
            yield from _pairs(inner, given, resolve)
        case ast.Tuple(elts=targets), ast.Call(func=called, args=several, keywords=[]) if resolve(
            called
        ) == "builtins.zip" and len(targets) == len(several):
            pairs = zip(targets, several, strict=True)
            yield from ((each, given) for each, given in pairs if isinstance(given, ast.Name))


def names_of_rows(name: str, statements: Sequence[ast.stmt], resolve: Resolve) -> set[str]:
    """The names that loops give to the rows of a table."""
    loops = [node for each in statements for node in walk(each) if isinstance(node, ast.For)]
    pairs = (pair for each in loops for pair in _pairs(each.target, each.iter, resolve))
    return {target.id for target, over in pairs if over.id == name and isinstance(target, ast.Name)}


def are_only_picked_of(names: set[str], statements: Sequence[ast.stmt]) -> bool:
    """Whether nothing but numbers of rows is read: a row may be a list, which is not what a tuple is."""
    nodes = [node for each in statements for node in walk(each)]
    picked = {
        id(each.value) for each in nodes if isinstance(each, ast.Subscript) and isinstance(each.ctx, ast.Load)
    }
    read = (each for each in name_nodes(*statements) if isinstance(each.ctx, ast.Load))
    return all(id(each) in picked for each in read if each.id in names)


def with_tables(function: ast.FunctionDef, entry: Entry, resolve: Resolve) -> tuple[ast.FunctionDef, Entry]:
    """The function with displays for its tables, of which the parameters are no longer looked at."""
    tables = {name: each.rows for name, each in entry.items() if isinstance(each, TableArgument)}
    if not tables:
        return function, entry
    made = _Displayed(tables, resolve).visit(twin(function))
    return ast.fix_missing_locations(made), {**entry, **dict.fromkeys(tables, NumberArgument(NONE))}


class _Displayed(ast.NodeTransformer):
    def __init__(self, tables: Mapping[str, Table], resolve: Resolve) -> None:
        self._tables = tables
        self._resolve = resolve

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """``len(NEIGHBOURS)``."""
        match node:
            case ast.Call(args=[ast.Name(id=name)]) if (
                name in self._tables and self._resolve(node.func) == "builtins.len"
            ):
                return ast.copy_location(ast.Constant(len(self._tables[name])), node)
        return self.generic_visit(node)  # type: ignore[return-value]

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """What a loop runs over."""
        if node.id not in self._tables:
            return node
        return ast.copy_location(expression_tree(repr(self._tables[node.id])), node)

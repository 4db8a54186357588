"""Which lists, rows and dictionaries have tuples for items or keys, and what loops take of them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from nprewrite.lowering.arrays import Entry, ListArgument
from nprewrite.lowering.row_uses import numbered, owner_of, rows_of

_FIRST = ast.Constant(0)


def taken(nodes: Iterable[ast.AST]) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What loops over lists, rows and dictionaries bind, each with an item, or the keys, of these."""
    for each in nodes:
        match each:
            case ast.For(target, over) | ast.comprehension(target, over):
                given, first = numbered(over)
            case _:
                continue
        pair = isinstance(target, ast.Tuple) and len(target.elts) == 2
        match given:
            case ast.Call(ast.Attribute(ast.Name(), "keys"), [], []):
                yield target, given
            case ast.Call(ast.Attribute(ast.Name() as owner, "items"), [], []) if pair and first is None:
                assert isinstance(target, ast.Tuple)
                yield target.elts[0], ast.Subscript(owner, _FIRST, ast.Load())
            case ast.Name() | ast.Subscript() if first is None or pair:
                item = target.elts[1] if first is not None and isinstance(target, ast.Tuple) else target
                yield item, ast.Subscript(given, _FIRST, ast.Load())


def tuples_in(function: ast.FunctionDef, entry: Entry) -> Iterator[tuple[str, int | None]]:
    """The rows, ``xs[]``, and keys, ``xs.keys()``, of arguments, each with the numbers of a tuple.

    None where they are no tuples.
    """
    rows = rows_of(*function.body)
    for name, each in entry.items():
        if not isinstance(each, ListArgument):
            continue
        if each.items.keys > 1:
            yield f"{name}.keys()", each.items.keys
        inside = each.items.rows
        if inside is None or name not in rows.owners:
            continue
        count = len(inside.columns) if inside.columns else rows.owners[name].width
        for row in (f"{name}[]", *(row for row, owner in rows.names.items() if owner == name)):
            yield row, (count or None) if inside.kind in ("", "tuple") else None


def length_of(value: ast.expr, known: Mapping[str, int]) -> int | None:
    """How many numbers an item of a list or a row, or a key, has; None where it is no tuple."""
    match value:
        case ast.Call(ast.Attribute(ast.Name(name), "keys"), [], []):
            return known.get(f"{name}.keys()")
        case ast.Subscript(ast.Name(name), ast.Constant(0)) if name not in known:
            # No tuple is looked up by a number.
            return known.get(f"{name}.keys()")
        case ast.Subscript(ast.Name(name), index) if not isinstance(index, ast.Slice):
            return known.get(name)
        case ast.Subscript(row, index) if not isinstance(index, ast.Slice):
            return known.get(f"{owner_of(row)}[]")
    return None

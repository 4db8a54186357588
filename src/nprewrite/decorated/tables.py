"""Tables of numbers that are written out in the text of a function, and of which nothing is ever changed.

    cx = [0, 1, -1]                     cx[k]             is a number
    e = np.array([[0, 1], [1, 0]])      for x, y in e     takes numbers too; a row is a part of the table

What goes on from one of the function's loops makes them anew.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator, Sequence

from nprewrite.base.syntax import items_of, walk


def is_literal(node: ast.expr, known: Container[str]) -> bool:
    """Whether an expression is a number that is written out, or computed of ``known`` ones."""
    match node:
        case ast.Constant():
            return True
        case ast.Name(id=name):
            return name in known
        case ast.UnaryOp(operand=operand):
            return is_literal(operand, known)
        case ast.BinOp(left=left, right=right):
            return is_literal(left, known) and is_literal(right, known)
    return False


def is_table(node: ast.expr, numpy: Container[str], known: Container[str]) -> bool:
    """Whether an expression makes an array, list or tuple of such numbers; ``numpy`` are NumPy's names."""
    match node:
        case ast.Call(ast.Attribute(ast.Name(id=module), "array" | "arange"), args, keywords=[]):
            return module in numpy and all(_is_literal_list(each, known) for each in args)
        case ast.List(elts=[_, *_]) | ast.Tuple(elts=[_, *_]):
            return _is_literal_list(node, known)
    return False


def _is_literal_list(node: ast.expr, known: Container[str]) -> bool:
    if isinstance(node, ast.List | ast.Tuple):
        return all(_is_literal_list(each, known) for each in node.elts)
    return is_literal(node, known)


def depth_of(node: ast.expr) -> int:
    """How many positions a number in a table has."""
    match node:
        case ast.Call(args=[inner, *_]):
            return max(depth_of(inner), 1)
        case ast.List(elts=elements) | ast.Tuple(elts=elements):
            return 1 + max(map(depth_of, elements), default=0)
    return 0


def is_only_read(name: str, body: Sequence[ast.stmt], depth: int) -> bool:
    """Whether the name of a table is only looped over and computed with: nothing else refers to the table.

    A number, which has ``depth`` positions, may be taken; a row is part of the table, by another name.
    """
    read: set[int] = set()
    nodes = [each for statement in body for each in walk(statement)]
    for each in nodes:
        match each:
            case ast.BinOp(left=left, right=right):
                read |= {id(left), id(right)}
            case ast.For(target=target, iter=over) | ast.comprehension(target=target, iter=over):
                pairs = _looped_over(target, over)
                read |= {id(table) for row, table in pairs if _is_read_by_rows(row, body, depth - 1)}
            case ast.Subscript(ctx=ast.Load()):
                table, positions = _taken(each)
                read |= {id(table)} if positions == depth else set()
    uses = (each for each in nodes if isinstance(each, ast.Name) and each.id == name)
    return all(id(each) in read for each in uses if isinstance(each.ctx, ast.Load))


def _looped_over(target: ast.expr, over: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What a loop takes its values from, and what they are bound to."""
    match over, target:
        case ast.Call(func=ast.Name(id="zip"), args=tables), ast.Tuple(elts=rows):
            yield from zip(rows, tables, strict=False)
        case ast.Call(func=ast.Name(id="enumerate"), args=[table]), ast.Tuple(elts=[_, row]):
            yield row, table
        case _:
            yield target, over


def _is_read_by_rows(row: ast.expr, body: Sequence[ast.stmt], depth: int) -> bool:
    """Whether what a row is bound to is only read; numbers may be."""
    if isinstance(row, ast.Tuple):
        return all(_is_read_by_rows(each, body, depth - 1) for each in row.elts)
    return depth < 1 or (isinstance(row, ast.Name) and is_only_read(row.id, body, depth))


def _taken(node: ast.expr) -> tuple[ast.expr, int]:
    """What an element is taken of, and by how many positions."""
    if not isinstance(node, ast.Subscript):
        return node, 0
    table, before = _taken(node.value)
    return table, before + sum(not isinstance(each, ast.Slice) for each in items_of(node))

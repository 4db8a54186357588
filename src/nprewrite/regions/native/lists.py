"""The lists of numbers in a loop for Numba: which names they are, and what is known of their items.

Of some that a loop fills only an array is made after it: ``return np.array(xs)``.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from itertools import chain

from nprewrite.base.syntax import assigned, names_in, walk
from nprewrite.lowering.arrays import ListArgument
from nprewrite.lowering.filled_lists import filled_in
from nprewrite.lowering.grids import grids_of
from nprewrite.lowering.heaps import heaps_in, pushed
from nprewrite.lowering.list_items import MAP, ROWS, Column, Items
from nprewrite.lowering.numbers import BOOL, COMPLEX, FLOAT, INT, Number, of_dtype
from nprewrite.lowering.row_uses import RowUse, rows_of
from nprewrite.lowering.tables import is_nested
from nprewrite.lowering.tuple_items import taken
from nprewrite.program.function import Function
from nprewrite.regions.native.maps import map_guessed, maps_of
from nprewrite.regions.native.tables import written_table
from nprewrite.source.kept import kept
from nprewrite.source.names import ALL_SCOPES
from nprewrite.types.values import Array, Scalar, Unknown, Value
from nprewrite.types.values import Items as TypeItems

_OF_LISTS = ("append", "pop", "popleft")
_OF_MAPS = ("get", "setdefault", "add", "keys", "values", "items")
_WEAK = {"bool": BOOL, "int": INT, "float": FLOAT, "complex": COMPLEX}


def lists_of(loop: ast.stmt, function: Function) -> frozenset[str]:
    """The names that a loop appends to, or picks items of where the function makes or is given lists."""
    nodes, before = [*walk(loop)], function.facts.before(loop)
    changed = {each.value.id for each in _methods(nodes) if isinstance(each.value, ast.Name)}
    changed |= {*heaps_in(loop, function.dotted)}
    picked, made = _picked(nodes), made_as_lists(function.node)
    given = {each for each in picked if _is_given(before.get(each)) or _is_written(each, function)}
    return frozenset(changed | (picked & made) | given | maps_of(loop, function).keys())


def _is_written(name: str, function: Function) -> bool:
    """Whether the text shows a list of numbers, or a tuple of tuples."""
    written = written_table(name, function)
    return written is not None and (isinstance(written[0], ast.List) or is_nested(written[1]))


def _is_given(value: Value | None) -> bool:
    """Whether a call has shown a list."""
    return isinstance(value, Unknown) and value.listed


def is_of_list(node: ast.AST, lists: Collection[str]) -> bool:
    """Whether it is ``xs.append``, ``xs.pop`` or ``counts.get``, or ``xs[i]``, of one of the lists."""
    match node:
        case ast.Attribute(value=ast.Name(id=name), attr=attr):
            return attr in _OF_LISTS or (attr in _OF_MAPS and name in lists)
        case ast.Subscript(value=ast.Subscript(value=ast.Name(id=name)) | ast.Name(id=name)):
            return name in lists
    return False


def _methods(nodes: list[ast.AST]) -> Iterator[ast.Attribute]:
    called = (each.func for each in nodes if isinstance(each, ast.Call))
    return (each for each in called if isinstance(each, ast.Attribute) and each.attr in _OF_LISTS)


def _picked(nodes: list[ast.AST]) -> set[str]:
    """Names of which a loop takes items, or over which it runs."""
    found = set()
    for each in nodes:
        match each:
            case (
                ast.Subscript(value=ast.Name(id=name))
                | ast.For(iter=ast.Name(id=name))
                | ast.comprehension(iter=ast.Name(id=name))
            ):
                found.add(name)
            case (
                ast.For(iter=ast.Call(args=given))
                | ast.comprehension(iter=ast.Call(args=given))
                | ast.Call(func=ast.Attribute(attr="choice") | ast.Name(id="choice"), args=given)
            ):
                found |= {part.id for part in given if isinstance(part, ast.Name)}
    return found


@kept
def made_as_lists(scope: ast.AST) -> frozenset[str]:
    """The names that a function, or a module, binds to lists and nothing else."""
    made: dict[str, bool] = {}
    for each in walk(scope):
        match each:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                made[name] = made.get(name, True) and _is_list(value)
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                for target, value in zip(targets, values, strict=False):
                    if isinstance(target, ast.Name):
                        made[target.id] = made.get(target.id, True) and _is_list(value)
    return frozenset(name for name, is_list in made.items() if is_list)


def _is_list(value: ast.expr) -> bool:
    """Whether an expression makes a list: ``[]``, ``[0.0] * n``, ``[f(x) for x in y]``, ``list(x)``."""
    if isinstance(value, ast.Call):
        return isinstance(value.func, ast.Name) and value.func.id in ("list", "sorted")
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mult):
        return isinstance(value.left, ast.List) or isinstance(value.right, ast.List)
    return isinstance(value, ast.List | ast.ListComp)


def list_argument(name: str, value: Value, loop: ast.stmt, guess: Number, function: Function) -> ListArgument:
    """What a loop may find in a list; numbers of unknown types are taken for ``guess``."""
    written = written_table(name, function)
    if written is not None and is_nested(written[1]):
        columns = (
            Column.of(_WEAK[type(each).__name__] for each in column)
            for column in zip(*written[1], strict=True)
        )
        return ListArgument(Items("tuple", tuple(columns)))
    rows = _rows_guessed(rows_of(loop).owners.get(name), guess)
    if (made := maps_of(loop, function).get(name)) is not None:
        return ListArgument(map_guessed(name, loop, Items(MAP, made=made, guess=guess, rows=rows)))
    if name in filled_in(loop):
        return ListArgument(Items())
    nodes = [*walk(loop)]
    pushes = (pushed(each, function.dotted) for each in nodes)
    put_in = chain(_appended(nodes), ((found[0], [found[1]]) for found in pushes if found is not None))
    appended = [items for owner, items in put_in if owner == name]
    if rows is not None:
        return ListArgument(Items(ROWS, rows=rows, nested=rows_of(loop).owners[name].nested))
    if name in grids_of(loop):
        return ListArgument(Items("grid", (Column.of([guess]),)))
    several = any(isinstance(part, ast.Tuple | ast.List) for parts in appended for part in parts)
    if several or name not in {*_picked(nodes), *heaps_in(loop, function.dotted)}:
        return ListArgument(Items())
    if width := _width(name, nodes):
        return ListArgument(Items("tuple", (Column.of([guess]),) * width))
    found = value.values if isinstance(value, TypeItems) else ()
    numbers = {number_of(each) or guess for each in found} or {guess}
    return ListArgument(Items("number", (Column.of(numbers),)))


def _rows_guessed(use: RowUse | None, guess: Number) -> Items | None:
    """What rows are taken to hold that are used so."""
    if use is None:
        return None
    columns = (Column.of([guess]),) * max(use.width, 1)
    return Items("tuple" if use.width else "number", columns)


def _width(name: str, nodes: list[ast.AST]) -> int:
    """How many numbers a loop takes of an item: ``x, y = cities[i]``, ``cities[i][1]``; 0 if only one.

    A call shows how many there are.
    """
    assignments = (each for each in nodes if isinstance(each, ast.Assign))
    pairs = (pair for each in assignments for pair in assigned(each.targets[0], each.value, apart=False))
    bound = [*pairs, *taken(nodes)]
    items = {target.id for target, value in bound if isinstance(target, ast.Name) and _is_item(value, name)}
    widths = [0]
    for target, value in bound:
        if isinstance(target, ast.Tuple) and (_is_item(value, name) or _is_named(value, items)):
            widths.append(len(target.elts))
    for each in nodes:
        match each:
            case ast.Subscript(value, ast.Constant(int() as place)) if _is_named(value, items) or _is_item(
                value, name
            ):
                widths.append(place + 1)
    return max(widths)


def _is_named(node: ast.expr, names: Collection[str]) -> bool:
    return isinstance(node, ast.Name) and node.id in names


def _is_item(node: ast.expr, name: str) -> bool:
    """Whether an expression is an item of a list."""
    match node:
        case ast.Subscript(ast.Name(id=owner), index):
            return owner == name and not isinstance(index, ast.Slice)
    return False


def _appended(nodes: list[ast.AST]) -> Iterator[tuple[str, list[ast.expr]]]:
    """The names that are appended to, each with what a call appends."""
    for each in nodes:
        match each:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append"), args=items):
                yield name, items


def number_of(value: Value) -> Number | None:
    """The scalar type of a number; None where it is not known, or no number."""
    if not isinstance(value, Array | Scalar):
        return None
    if isinstance(value, Scalar) and value.dtype is None:
        return _WEAK[value.kind]
    return of_dtype(value.dtype) if value.dtype is not None else None


_MAKERS = ("numpy.array", "numpy.asarray")


def spent_after(loop: ast.stmt, function: Function) -> Mapping[str, str]:
    """The lists of which only an array is made after the loop, and the functions that do it.

    Nobody can tell such a list from the array.
    """
    once = all(isinstance(each, ast.If) for each in function.outer(loop))
    leaves = any(isinstance(each, ast.Return) for each in walk(loop))
    appended = {name for name, _ in _appended([*walk(loop)])}
    if not appended or not isinstance(function.node, ast.FunctionDef) or not once or leaves:
        return {}
    makers = dict(_makers(loop, function))
    filled = appended & made_as_lists(function.node)
    return {name: made for name, made in makers.items() if name in filled and _is_spent(name, loop, function)}


def _makers(loop: ast.stmt, function: Function) -> Iterator[tuple[str, str]]:
    """The names of which arrays are made after a loop, and the functions that do it."""
    for each in walk(function.node):
        match each:
            case ast.Call(func=called, args=[ast.Name(id=name)], keywords=[]) if each.lineno > (
                loop.end_lineno or loop.lineno
            ):
                if function.names.dotted(called, function.document.tree) in _MAKERS:
                    yield name, ast.unparse(called)


def _is_spent(name: str, loop: ast.stmt, function: Function) -> bool:
    """Whether a list has one name, is only filled before the loop, and makes one array after it."""
    inside, filled = {id(each) for each in walk(loop)}, {*_filled(function)}
    after = 0
    for each in walk(function.node):
        if isinstance(each, ALL_SCOPES) and each is not function.node and name in names_in(each):
            return False
        if not isinstance(each, ast.Name) or each.id != name or id(each) in inside:
            continue
        is_before = each.lineno < loop.lineno
        if is_before and isinstance(each.ctx, ast.Load) and id(each) not in filled:
            return False
        after += not is_before
    return function.is_local(name) and not function.is_shared(name) and after == 1


def _filled(function: Function) -> Iterator[int]:
    """Where a list is filled, or asked for its length."""
    for each in walk(function.node):
        match each:
            case ast.Call(func=ast.Attribute(value=ast.Name() as used, attr="append" | "extend")):
                yield id(used)
            case ast.Call(func=ast.Name(id="len"), args=[ast.Name() as used]):
                yield id(used)

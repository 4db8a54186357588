"""Names that hold a tuple of numbers, as one name for each number.

``best = (score, i, j)`` becomes ``best_0, best_1, best_2 = score, i, j``. A tuple never changes, so nobody
can tell the numbers from the tuple that held them. A name that may hold ``None`` has one more, a flag:
``where = None`` becomes ``where_0, where_1, where_2 = None, None, False``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from nprewrite.base.syntax import assigned, bindings, is_none, name_nodes, names_in, parts_of, twin, walk
from nprewrite.lowering.arrays import Argument, Entry, ListArgument, NumberArgument, TupleArgument
from nprewrite.lowering.list_items import MAP, ROWS
from nprewrite.lowering.numbers import NONE
from nprewrite.lowering.optional_tuples import (
    TupleOrNone,
    as_number,
    bound_names,
    first_value,
    flag_for,
    optional_tuples,
    pairs_of,
)
from nprewrite.lowering.problems import NotNative
from nprewrite.lowering.queues import queue_made
from nprewrite.lowering.tuple_items import length_of, taken, tuples_in
from nprewrite.lowering.written_lists import Resolve, as_tuple, literal_index, numbered

_LOOPS = ast.For | ast.comprehension


def without_tuples(
    function: ast.FunctionDef, entry: Entry, resolve: Resolve
) -> tuple[ast.FunctionDef, Entry, Mapping[str, str]]:
    """The function with one name for each number of its tuples, and the arguments that it then takes.

    The last result holds the names of the tuples by those of the numbers. Raises ``NotNative`` where a name
    holds tuples of several lengths, or something else as well.
    """
    found: dict[str, str] = {}
    if any(map(_takes_pairs, walk(function))):
        function = ast.fix_missing_locations(_Unfolding({}, {}, resolve).visit(twin(function)))
    # What a tuple of tuples holds are tuples with names.
    while True:
        function, entry, parts = _unfolded(function, entry, resolve)
        if not parts:
            return function, entry, found
        found = {**found, **{part: found.get(name, name) for part, name in parts.items()}}


def _takes_pairs(node: ast.AST) -> bool:
    """Whether it is a loop such as ``for k, (x, y) in ...``."""
    if not isinstance(node, ast.For) or not isinstance(node.target, ast.Tuple):
        return False
    return any(isinstance(each, ast.Tuple) for each in node.target.elts)


def _unfolded(
    function: ast.FunctionDef, entry: Entry, resolve: Resolve
) -> tuple[ast.FunctionDef, Entry, Mapping[str, str]]:
    lengths = _lengths(function, entry, resolve)
    if not lengths:
        return function, entry, {}
    taken = names_in(function) | {*entry}
    names = {name: _names(name, count, taken) for name, count in lengths.items()}
    optional = optional_tuples(function, entry, lengths)
    flags = {name: _names(name, lengths[name] + 1, taken)[-1] for name in optional}
    names |= {name: _names(name, lengths[name] + 1, taken)[:-1] for name in optional}
    made = _Unfolding(names, flags, resolve).visit(twin(function))
    tuples_given = {name for name, each in entry.items() if isinstance(each, TupleArgument)}
    first = [each for each in entry if each in optional]
    made.body[:0] = [first_value(names[each], flags[each], given=each in tuples_given) for each in first]
    made.args.args = [
        ast.arg(part)
        for each in function.args.args
        for part in (names[each.arg] if each.arg in tuples_given else (each.arg,))
    ]
    given: dict[str, Argument] = {}
    for name, each in entry.items():
        if isinstance(each, TupleArgument):
            given.update(zip(names[name], each.items, strict=True))
        else:
            given[name] = each
    tuples = {part: name for name, parts in names.items() for part in parts}
    tuples |= {flag: name for name, flag in flags.items()}
    return ast.fix_missing_locations(made), given, tuples


def tuple_lengths(function: ast.FunctionDef | ast.stmt) -> dict[str, int]:
    """The names that are bound to tuples in a function or a loop, with the lengths of the first of these."""
    found: dict[str, int] = {}
    for target, value in bindings(walk(function)):
        if isinstance(value, ast.Tuple):
            found.setdefault(target.id, len(value.elts))
    return found


def _names(name: str, count: int, taken: set[str]) -> tuple[str, ...]:
    stem = name
    while any(f"{stem}_{position}" in taken for position in range(count)):
        stem += "_"
    return tuple(f"{stem}_{position}" for position in range(count))


def _lengths(function: ast.FunctionDef, entry: Entry, resolve: Resolve) -> dict[str, int]:
    """The names that hold tuples, also by taking the value of another name, with their lengths."""
    found = {name: len(each.items) for name, each in entry.items() if isinstance(each, TupleArgument)}
    numbers = {name for name, each in entry.items() if each != NumberArgument(NONE)}.difference(found)
    bound = [*bindings(walk(function)), *_taken(function)]
    lists = _lists(function, entry, found, resolve)
    while new := {
        target.id: count
        for target, value in bound
        if target.id not in found and (count := _length(value, found, lists)) is not None
    }:
        found.update(new)
        lists = _lists(function, entry, found, resolve)
    for target, value in bound:
        mixed = target.id in numbers or _length(value, found, lists) != found.get(target.id)
        if target.id in found and mixed and not is_none(value):
            first = "no tuple" if target.id in numbers else f"a tuple of {found[target.id]} numbers"
            text = f"`{target.id}` is {first} first, then `{ast.unparse(value)}`"
            raise NotNative("unsupported-operation", text, value)
    known = [target for target, _ in bound]
    for each in name_nodes(function):
        stored = not isinstance(each.ctx, ast.Load) and each.id in found
        if stored and not any(each is target for target in known):
            raise NotNative("unsupported-operation", f"`{each.id}` is a tuple, and something else", each)
    return found


def _lists(
    function: ast.FunctionDef, entry: Entry, known: Mapping[str, int], resolve: Resolve
) -> dict[str, int]:
    """The lists whose items are tuples of one length, with that length."""
    found: dict[str, set[int | None]] = {}
    for name, each in entry.items():
        if isinstance(each, ListArgument) and each.items.kind not in ("", MAP, ROWS):
            kind, count = each.items.kind, len(each.items.columns)
            apart = kind == "tuple" or (kind == "list" and _is_taken_apart(name, function))
            found[name] = {count if apart else None}
    found |= {name: {count} for name, count in tuples_in(function, entry)}
    for name, item in _items(function, resolve):
        # A name may hold an item of the list itself, which is put back.
        if not isinstance(item, ast.Name) or item.id in known:
            found.setdefault(name, set()).add(_length(item, known, {}))
    return {name: count for name, (count, *others) in found.items() if count is not None and not others}


def _is_taken_apart(name: str, function: ast.FunctionDef) -> bool:
    """Whether of the items of a list of lists only numbers are read: nobody can tell these from tuples."""
    bound = [*bindings(walk(function)), *_taken(function)]
    items = {target.id for target, value in bound if _length(value, {}, {name: 1}) is not None}
    apart = set()
    for each in walk(function):
        match each:
            case ast.Subscript(ast.Subscript(ast.Name(id=owner)), _, ast.Store()) if owner == name:
                return False
            case ast.Subscript(ast.Name() as item, ast.Constant(), ast.Load()):
                apart.add(item)
            case ast.Assign([ast.Tuple()], ast.Name() as item):
                apart.add(item)
    uses = (each for each in name_nodes(function) if each.id in items and isinstance(each.ctx, ast.Load))
    return all(each in apart for each in uses)


def _items(function: ast.FunctionDef, resolve: Resolve) -> Iterator[tuple[str, ast.expr]]:
    """What a function puts into lists, each with the name of the list."""
    for node in walk(function):
        match node:
            case ast.Call(func=ast.Attribute(ast.Name(id=name), "append" | "appendleft"), args=[item]):
                yield name, item
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.List(elts=items)):
                yield from ((name, item) for item in items)
            case ast.Assign() if (queue := queue_made(node, resolve)) is not None:
                name, items = queue
                yield from ((name, item) for item in items)


def _taken(function: ast.FunctionDef) -> Iterator[tuple[ast.Name, ast.expr]]:
    """The names to which loops over displays and lists bind tuples, each with what it is bound to."""
    of_lists = taken(walk(function))
    yield from ((target, item) for target, item in of_lists if isinstance(target, ast.Name))
    for loop in walk(function):
        if not isinstance(loop, _LOOPS) or not isinstance(loop.iter, ast.Tuple | ast.List):
            continue
        pairs = (
            pair for each in loop.iter.elts for pair in assigned(loop.target, as_tuple(each), apart=False)
        )
        yield from ((target, value) for target, value in pairs if isinstance(target, ast.Name))


def _length(value: ast.expr, known: Mapping[str, int], lists: Mapping[str, int]) -> int | None:
    match value:
        case ast.Tuple(elts=parts):
            return len(parts)
        case ast.Name(id=name):
            return known.get(name)
        case ast.Call(func=ast.Attribute(ast.Name(id=name), "pop" | "popleft")):
            return lists.get(name)
    return length_of(value, lists)


class _Unfolding(ast.NodeTransformer):
    """Replaces tuples by their numbers."""

    def __init__(
        self, names: Mapping[str, tuple[str, ...]], flags: Mapping[str, str], resolve: Resolve
    ) -> None:
        self._names = names
        self._flags = flags
        self._resolve = resolve

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """The name of a tuple as the tuple of its numbers."""
        if node.id not in self._names:
            return node
        parts: list[ast.expr] = [ast.Name(each, node.ctx) for each in self._names[node.id]]
        if node.id in self._flags:
            parts = [*map(as_number, self._names[node.id])]
        return ast.copy_location(ast.Tuple(parts, node.ctx), node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """``best[0]`` as the name of the number."""
        position = literal_index(node.slice)
        if not isinstance(node.value, ast.Name) or node.value.id not in self._names:
            made = self.generic_visit(node)
            assert isinstance(made, ast.expr)
            columns = _columns(node.value)
            inside = position is not None and -len(columns) <= position < len(columns)
            return columns[position] if position is not None and inside else made
        numbers = self._names[node.value.id]
        if not isinstance(node.ctx, ast.Load) or isinstance(node.slice, ast.Slice):
            raise NotNative("unsupported-operation", f"`{ast.unparse(node)}` picks from a tuple", node)
        if position is None or not -len(numbers) <= position < len(numbers):
            return self.generic_visit(node)  # type: ignore[return-value]
        if node.value.id in self._flags:
            return ast.copy_location(as_number(numbers[position]), node)
        return ast.copy_location(ast.Name(numbers[position], node.ctx), node)

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        """``where is None`` as a flag."""
        flag = flag_for(node, self._flags)
        if flag is not None:
            return ast.copy_location(flag, node)
        made = self.generic_visit(node)
        assert isinstance(made, ast.expr)
        return made

    def visit_Return(self, node: ast.Return) -> ast.stmt:
        """``return best, where``: the caller gets ``None`` where that is what it holds."""
        if node.value is not None:
            node.value = self._given(node.value)
        return node

    def _given(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.Tuple) and not isinstance(node, TupleOrNone):
            node.elts = [*map(self._given, node.elts)]
            return node
        if not isinstance(node, ast.Name) or node.id not in self._flags:
            made = self.visit(node)
            assert isinstance(made, ast.expr)
            return made
        names = (self._flags[node.id], *self._names[node.id])
        parts: list[ast.expr] = [ast.Name(each, ast.Load()) for each in names]
        return ast.copy_location(TupleOrNone(parts, ast.Load()), node)

    def visit_For(self, node: ast.For) -> ast.stmt:
        """``for k, place in ((0, (x, y)), ...)`` with all numbers side by side."""
        made = self.generic_visit(node)
        assert isinstance(made, ast.For)
        over = made.iter = numbered(made.iter, self._resolve)
        if isinstance(over, ast.Tuple | ast.List):
            over.elts = [*map(as_tuple, over.elts)]
            if over.elts and all(_alike(made.target, each) for each in over.elts):
                made.target, over.elts = _flat(made.target), [*map(_flat, over.elts)]
        return made

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        """``a, best = x, (y, z)`` with all numbers side by side."""
        pairs = pairs_of(node)
        if any(isinstance(target, ast.Name) and target.id in self._flags for target, _ in pairs):
            bound = [part for pair in pairs for part in self._assigned(*pair)]
            return ast.copy_location(bound_names(*zip(*bound, strict=True)), node)
        made = self.generic_visit(node)
        assert isinstance(made, ast.Assign)
        columns = _columns(made.value)
        # A call would be made for each number.
        calls = any(isinstance(each, ast.Call) for each in walk(made.value))
        fits = isinstance(made.targets[0], ast.Tuple) and len(columns) == len(made.targets[0].elts)
        if fits and not calls:
            made.value = ast.copy_location(ast.Tuple(columns, ast.Load()), made.value)
        if len(made.targets) == 1 and _alike(made.targets[0], made.value):
            made.targets[0], made.value = _flat(made.targets[0]), _flat(made.value)
        return made

    def _assigned(self, target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
        """The names that an assignment binds in place of one, with their values."""
        if not isinstance(target, ast.Name) or target.id in self._names.keys() - self._flags.keys():
            raise NotNative(
                "unsupported-operation", f"`{ast.unparse(target)}` is bound beside a tuple", target
            )
        if target.id not in self._flags:
            yield target.id, self.visit(value)
            return
        flag: ast.expr = ast.Constant(not is_none(value))
        match value:
            case ast.Constant(value=None):
                parts: list[ast.expr] = [ast.Constant(None) for _ in self._names[target.id]]
            case ast.Tuple(elts=given):
                parts = [*map(self.visit, given)]
            case ast.Name(other):
                parts = [ast.Name(each, ast.Load()) for each in self._names[other]]
                flag = ast.Name(self._flags[other], ast.Load()) if other in self._flags else flag
            case _:
                raise NotNative("unsupported-operation", f"`{target.id}` is None, and a tuple", value)
        yield from zip((*self._names[target.id], self._flags[target.id]), (*parts, flag), strict=True)


def _columns(node: ast.expr) -> list[ast.expr]:
    """The numbers of the tuple that is picked from tuples of one length, ``((a, b), (c, d))[k]``."""
    match node:
        case ast.Subscript(ast.Tuple(elts=rows), index) if not isinstance(index, ast.Slice):
            if not all(isinstance(each, ast.Tuple | ast.List) for each in rows):
                return []
        case _:
            return []
    numbers = [parts_of(as_tuple(each)) for each in rows]
    if len({len(each) for each in numbers}) != 1:
        return []
    picked = (ast.Tuple([*column], ast.Load()) for column in zip(*numbers, strict=True))
    return [ast.copy_location(ast.Subscript(column, index, ast.Load()), node) for column in picked]


def _alike(target: ast.expr, value: ast.expr) -> bool:
    """Whether tuples stand in the same places on both sides."""
    if not isinstance(target, ast.Tuple) or not isinstance(value, ast.Tuple):
        return not isinstance(target, ast.Tuple) and not isinstance(value, ast.Tuple)
    same = len(target.elts) == len(value.elts)
    return same and all(_alike(*each) for each in zip(target.elts, value.elts, strict=True))


def _flat(node: ast.expr) -> ast.expr:
    if not isinstance(node, ast.Tuple):
        return node
    parts = [_flat(each) for each in node.elts]
    numbers = [part for each in parts for part in parts_of(each)]
    return ast.copy_location(ast.Tuple(numbers, node.ctx), node)

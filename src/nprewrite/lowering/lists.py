"""What lowered code does with lists: numbers that a loop appends, reads, stores and takes away."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from nprewrite.base import syntax
from nprewrite.lowering import grids, heaps, held_lists
from nprewrite.lowering.arrays import LONGEST
from nprewrite.lowering.elements import Elements, Length, materialised
from nprewrite.lowering.held_lists import (
    EMPTY,
    NO_PLACE,
    OUT_OF_RANGE,
    HeldList,
    Walk,
    held_by,
    is_empty,
    put,
    put_number,
    read,
)
from nprewrite.lowering.list_items import ROWS, Column, Items
from nprewrite.lowering.numbers import INT, NONE, of_dtype
from nprewrite.lowering.problems import Event, NotNative, Operation, Unreachable
from nprewrite.lowering.queues import first_of
from nprewrite.lowering.values import Value, cast_to
from nprewrite.lowering.written_lists import Resolve, literal_index


def emptied(walk: Walk, node: ast.expr) -> bool:
    """Write ``xs.clear()`` of such a list; False for other expressions."""
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr="clear"), args=[], keywords=[]):
            held = held_by(walk, owner)
        case _:
            return False
    if held is None or not held.is_own:
        return False
    walk.code.line(f"{held.text}[1] = 0")
    if held.is_queue:
        walk.code.line(f"{held.text}[5] = 0")
    return True


def rearranged(walk: Walk, node: ast.expr) -> bool:
    """Write ``xs.sort()``, ``xs.sort(reverse=True)`` or ``xs.reverse()``; False for other expressions."""
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr="sort" | "reverse" as method), args=[]):
            held = held_by(walk, owner)
        case _:
            return False
    backwards = _is_backwards(node)
    if held is None or backwards is None or (method == "reverse" and node.keywords):
        return False
    held.reads = held.changes = True
    _check_no_queue(held, node)
    if is_empty(walk, held):
        raise Unreachable
    (column, *others) = walk.memory.lists[held.name].columns
    number = column.numbers[0]
    is_known = number.dtype.kind in "bif" and not column.is_tagged and not others
    if walk.memory.lists[held.name].kind != "number" or not is_known:
        raise NotNative("not-scalar", f"`{ast.unparse(node)}` is of several types", node)
    if method == "reverse":
        walk.code.line(f"turn_list({held.text})")
        return True
    walk.code.node = node
    floats = number.dtype.kind == "f"
    walk.code.end_if(f"not sort_list({held.text}, {floats}, {backwards})", Event.REPLAY)
    return True


def _is_backwards(node: ast.Call) -> bool | None:
    """Whether it sorts backwards; None where that is not written out, or sorts by a key."""
    match node.keywords:
        case []:
            return False
        case [ast.keyword(arg="reverse", value=ast.Constant(value=bool(backwards)))]:
            return backwards
    return None


def as_array(walk: Walk, held: HeldList, node: ast.expr) -> Elements:
    """``np.array(xs)`` of numbers."""
    held.reads = True
    items = walk.memory.lists[held.name]
    _check_no_queue(held, node)
    if is_empty(walk, held):
        raise Unreachable
    dtypes = {each.dtype for column in items.columns for each in column.numbers}
    element = of_dtype(dtypes.pop())
    if items.kind != "number" or dtypes or element is None or NONE in items.columns[0].numbers:
        raise NotNative("not-scalar", f"`{ast.unparse(node)}` makes an array of several types", node)
    # An empty array is one of floats.
    walk.code.end_if(f"{held.text}[1] == 0", Event.REPLAY)
    length = Length(walk.code.temporary(f"{held.text}[1]"), walk.code.symbols.between(1, LONGEST))

    def at(indices: Sequence[str]) -> Value:
        (value,) = unpacked_at(walk, held, indices[0])
        return Value({element: cast_to(walk.code, value, element.dtype)})

    return Elements((length,), at)


def picked(walk: Walk, node: ast.expr) -> HeldList | None:
    """The list of which ``xs[i]``, or ``path[i][0]``, is an item or a number of one."""
    inner = node.value if isinstance(node, ast.Subscript) else None
    if isinstance(inner, ast.Subscript):
        inner = inner.value
    return held_by(walk, inner) if inner is not None else None


def appended(walk: Walk, node: ast.expr) -> bool:
    """Write ``xs.append(x)``; False for other expressions."""
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr="append"), args=[item], keywords=[]):
            held = held_by(walk, owner)
        case _:
            return False
    if held is None or isinstance(item, ast.Starred):
        return False
    if isinstance(item, ast.Tuple | ast.List):
        _append_numbers(walk, held, *held_lists.parts_of(walk, item), node)
        return True
    value = walk.assigned(item)
    if isinstance(value, Elements):
        _append_row(walk, held, value, item, node)
    else:
        _append_numbers(walk, held, "number", [value], node)
    return True


def pushed(walk: Walk, node: ast.expr) -> bool:
    """Write ``heapq.heappush(xs, x)``; False for other expressions."""
    found = heaps.pushed(node, walk.resolve)
    held = walk.lists.get(found[0]) if found is not None else None
    if found is None or held is None:
        return False
    held.reads = held.changes = True
    _append_numbers(walk, held, *held_lists.parts_of(walk, found[1]), node)
    heaps.sift_in(walk, held, node)
    return True


def _append_numbers(walk: Walk, held: HeldList, kind: str, values: Sequence[Value], node: ast.expr) -> None:
    columns = tuple(Column.of(each.codes) for each in values)
    items = walk.memory.add_items(held.name, Items(kind, columns))
    code = walk.code
    code.node = node
    code.end_if(f"not has_room({held.text}, {items.width})", Operation("raise MemoryError"))
    put(code, held, f"{held.text}[1]", items, values)
    code.line(f"{held.text}[1] += 1")


def _append_row(walk: Walk, held: HeldList, row: Elements, item: ast.expr, node: ast.expr) -> None:
    """``track.append(position.copy())``: a new array, or one with a name, which nothing changes any more."""
    unseen = held.name in walk.spent or (isinstance(item, ast.Name) and item.id in walk.appended_once)
    named = row.kept if isinstance(item, ast.Name) and item.id in walk.only_read and unseen else None
    if row.rank != 1 or (row.kept is not None and (named is None or named.roots)):
        raise NotNative("not-scalar", f"`{ast.unparse(node)}` appends an array that has a name", node)
    code, array = walk.code, named or materialised(walk.code, row)
    items = walk.memory.add_items(held.name, Items("array", (Column((array.array.element,)),)))
    if items.columns[0].is_tagged:
        raise NotNative("dtype-unsupported", f"`{ast.unparse(node)}` appends arrays of several dtypes", node)
    size = code.temporary(f"np.int64({array.text}.shape[0])")
    with code.block(f"if {held.text}[1] == 0:"):
        code.line(f"{held.text}[4] = {size}")
    code.end_if(f"{size} == 0 or {size} != {held.text}[4]", Event.REPLAY)
    code.node = node
    code.end_if(f"not has_room({held.text}, {size})", Operation("raise MemoryError"))
    start, counter = code.temporary(f"{held.text}[1] * {size}"), code.fresh()
    with code.block(f"for {counter} in range({size}):"):
        number = Value({array.array.element: f"{array.text}[{counter}]"})
        put_number(code, held, f"{start} + {counter}", number)
    code.line(f"{held.text}[1] += 1")
    if named is not None and isinstance(item, ast.Name) and item.id in walk.outlasting:
        code.line(f"{held.text}[6] = {held.text}[1]")


def element(walk: Walk, held: HeldList, node: ast.Subscript) -> Value:
    """``xs[i]``, or ``path[i][0]``."""
    if not isinstance(node.value, ast.Subscript):
        return number_at(walk, held, held_lists.place(walk, held, node, OUT_OF_RANGE), node)
    position = literal_index(node.slice)
    if position is None or walk.memory.lists[held.name].kind == "grid":
        return grids.element(walk, held, node)
    columns = unpacked_at(walk, held, held_lists.place(walk, held, node.value, OUT_OF_RANGE))
    if walk.memory.lists[held.name].kind == "number":
        raise NotNative("not-scalar", f"`{ast.unparse(node)}` is not a number of an item", node)
    if not -len(columns) <= position < len(columns):
        raise NotNative("unsupported-operation", f"`{ast.unparse(node)}` raises", node)
    return columns[position]


def item_of(walk: Walk, node: ast.expr, count: int) -> list[Value] | None:
    """What is unpacked: the numbers of ``path[i]``, ``path.pop()`` or a list; None for anything else."""
    found = _taken_away(walk, node)
    if found is not None:
        return found[1]
    whole = held_by(walk, node)
    if whole is not None:
        _check_no_queue(whole, node)
        walk.code.end_if(f"{whole.text}[1] != {count}", Event.REPLAY)
        return [number_at(walk, whole, str(k), node) for k in range(count)]
    held = held_by(walk, node.value) if isinstance(node, ast.Subscript) else None
    if held is None or not isinstance(node, ast.Subscript):
        return None
    if walk.memory.lists[held.name].kind == "number":
        return None
    return unpacked_at(walk, held, held_lists.place(walk, held, node, OUT_OF_RANGE))


def _check_no_queue(held: HeldList, node: ast.AST | None) -> None:
    if held.is_queue:
        raise NotNative("not-scalar", f"all items of `{held.name}` are read, whose first one is taken", node)


def taken(walk: Walk, held: HeldList, place: str, target: ast.expr) -> Value | list[Value]:
    """The item that a trip of a loop takes: a number, or several; a row is told by its number."""
    _check_no_queue(held, walk.code.node)
    if walk.memory.lists[held.name].kind == ROWS and is_name_of_row(walk, held, target):
        return Value({INT: place})
    values = unpacked_at(walk, held, place)
    return values[0] if walk.memory.lists[held.name].kind == "number" else values


def is_name_of_row(walk: Walk, held: HeldList, target: ast.expr) -> bool:
    """Whether it is bound to nothing but rows of a list or a dictionary, and used as such."""
    return isinstance(target, ast.Name) and walk.row_uses.names.get(target.id) == held.name


def resized_in(loop: ast.stmt, resolve: Resolve) -> set[str]:
    """The lists that a loop may append to or take items from."""
    called = (each.func for each in syntax.walk(loop) if isinstance(each, ast.Call))
    owners = (each.value for each in called if isinstance(each, ast.Attribute))
    return {each.id for each in owners if isinstance(each, ast.Name)} | {*heaps.heaps_in(loop, resolve)}


def unpacked_at(walk: Walk, held: HeldList, place: str) -> list[Value]:
    """The numbers of the item at a place that is in range."""
    held.reads = True
    items = walk.memory.lists[held.name]
    if items.kind in ("array", "grid", ROWS):
        raise NotNative("not-scalar", f"a row of `{held.name}` is read", walk.code.node)
    if is_empty(walk, held):
        raise Unreachable
    start = walk.code.temporary(f"np.int64({place}) * {items.width}")
    return [read(walk.code, held, start, *each) for each in items.placed()]


def store(walk: Walk, held: HeldList, node: ast.Subscript, value: Value) -> None:
    """``xs[i] = x``, or ``grid[i][j] = x``."""
    if isinstance(node.value, ast.Subscript):
        grids.store(walk, held, node, value)
        return
    _store_at(walk, held, held_lists.place(walk, held, node, NO_PLACE), value)


def augment(walk: Walk, node: ast.Subscript, changed: Callable[[Value], Value]) -> None:
    """``xs[i] += x``, or ``grid[i][j] += x``; ``changed`` gives the new number for the old one."""
    held = picked(walk, node)
    assert held is not None
    if isinstance(node.value, ast.Subscript):
        grids.augment(walk, held, node, changed)
        return
    place = walk.code.temporary(held_lists.place(walk, held, node, OUT_OF_RANGE))
    old = number_at(walk, held, place, node)
    _store_at(walk, held, place, changed(old))


def _store_at(walk: Walk, held: HeldList, place: str, value: Value) -> None:
    held.reads = held.changes = True
    items = walk.memory.add_items(held.name, Items("number", (Column.of(value.codes),)))
    put(walk.code, held, place, items, [value])


def number_at(walk: Walk, held: HeldList, place: str, node: ast.AST) -> Value:
    """The item at a place that is in range, if items are numbers."""
    values = unpacked_at(walk, held, place)
    if walk.memory.lists[held.name].kind != "number":
        raise NotNative("not-scalar", "an item of several numbers is taken for one", node)
    return values[0]


def popped(walk: Walk, node: ast.Call) -> Value | None:
    """``stack.pop()`` or ``queue.popleft()`` of numbers; None for other calls."""
    found = _taken_away(walk, node)
    if found is None:
        return None
    held, values = found
    if walk.memory.lists[held.name].kind != "number":
        raise NotNative("not-scalar", "an item of several numbers is taken for one", node)
    return values[0]


def dropped(walk: Walk, node: ast.expr) -> bool:
    """Write ``stack.pop()``, whose item nobody takes; False for other expressions."""
    return _taken_away(walk, node) is not None


def _taken_away(walk: Walk, node: ast.expr) -> tuple[HeldList, list[Value]] | None:
    """The list of which a call takes the first or the last item, with its numbers; None for all else."""
    heap = walk.lists.get(heaps.popped(node, walk.resolve) or "")
    if heap is not None:
        return heap, _least_of(walk, heap, node)
    match node:
        case ast.Call(ast.Attribute(owner, "pop" | "popleft" as method), args=given, keywords=[]):
            held = held_by(walk, owner)
        case _:
            return None
    is_first = first_of(node) is not None
    if held is None or (given and not is_first):
        return None
    if method != (held.taken_by if is_first else "pop"):
        raise NotNative("unknown-call", f"`{ast.unparse(node)}` is not supported", node)
    held.reads = held.changes = True
    walk.code.node = node
    walk.code.end_if(f"{held.present} == 0", Operation(held.raising(EMPTY)))
    values = unpacked_at(walk, held, f"{held.text}[5]" if is_first else f"{held.text}[1] - 1")
    walk.code.line(f"{held.text}[5] += 1" if is_first else f"{held.text}[1] -= 1")
    return held, values


def _least_of(walk: Walk, held: HeldList, node: ast.expr) -> list[Value]:
    """``heapq.heappop(xs)``."""
    held.reads = held.changes = True
    walk.code.node = node
    heaps.check_not_empty(walk, held)
    values = unpacked_at(walk, held, "0")
    heaps.sift_out(walk, held, node)
    return values


EFFECTS = (appended, pushed, dropped, emptied, rearranged)
"""What a call of a list's method is written by, where it is one that is followed."""

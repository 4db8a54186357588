"""Lists in lowered code: the numbers that a loop appends to them, reads and stores.

They lie in memory that the runtime lends, one item after the other, in slots of eight bytes. An item is a
number, a tuple or a list of numbers, ``path.append((x, y))``, or a row, ``track.append(position.copy())``.
``p_xs`` holds the address, the number of items there, for how many there is room, how many more the list has
before these, the length of rows, those of a grid, too, ``grid[i][j]``, and how many of the items there are
gone, as the first ones of a queue are.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from nprewrite.base.syntax import names_bound
from nprewrite.lowering.arrays import LONGEST, ListArgument
from nprewrite.lowering.elements import Elements, Length, materialised
from nprewrite.lowering.environment import Memory
from nprewrite.lowering.forms import Form
from nprewrite.lowering.list_items import Column, Items
from nprewrite.lowering.numbers import INT, NONE, Number, limits, of_dtype
from nprewrite.lowering.problems import Event, NotNative, Operation, Unreachable
from nprewrite.lowering.values import Code, Value, cast_to
from nprewrite.lowering.written_lists import literal_index

_OUT_OF_RANGE = "raise IndexError('list index out of range')"
_NO_PLACE = "raise IndexError('list assignment index out of range')"
_EMPTY = "raise IndexError('pop from empty list')"
_OF_QUEUES = {
    **dict.fromkeys((_OUT_OF_RANGE, _NO_PLACE), "raise IndexError('deque index out of range')"),
    _EMPTY: "raise IndexError('pop from an empty deque')",
}


@dataclass
class HeldList:
    """A parameter that is a list: ``text`` is its name in lowered code."""

    name: str
    text: str
    reads: bool = False
    """Whether items are read or changed, so that those from before are needed too."""
    changes: bool = False
    """Whether items are stored or taken away, not only appended."""
    is_own: bool = False
    """Whether the loop makes it for itself."""
    cells: bool = False
    """Whether numbers of its items, which are lists, are stored."""
    taken_by: str = ""
    """What takes its first item, "pop" or "popleft"; so many of the items there are gone."""

    @property
    def length(self) -> str:
        """The code of its length."""
        return f"({self.text}[3] + {self.present})"

    @property
    def is_queue(self) -> bool:
        """Whether its first item may be taken."""
        return bool(self.taken_by)

    def raising(self, text: str) -> str:
        """What raises an exception of a list, or of the queue that stands behind it."""
        return _OF_QUEUES[text] if self.taken_by == "popleft" else text

    @property
    def present(self) -> str:
        """The code of the number of items that lie in memory."""
        return f"({self.text}[1] - {self.text}[5])" if self.is_queue else f"{self.text}[1]"


class Walk(Protocol):
    """A walk over a loop that has lists."""

    code: Code
    memory: Memory
    lists: dict[str, HeldList]
    only_read: frozenset[str]

    def assigned(self, node: ast.expr) -> Value | Elements:
        """What a name would be bound to: a number, ``None``, or an array."""

    def index(self, node: ast.expr, whole: ast.expr) -> Value:
        """The value of an index, which is an integer."""

    def in_range(self, size: str, known: Form, index: Value, axis: int, raising: str = "") -> str:
        """The code of an index that is in range."""


def begin(walk: Walk, name: str, given: ListArgument, function: ast.FunctionDef) -> None:
    """A parameter that is a list, which has this one name."""
    if name in names_bound(*function.body):
        raise NotNative("not-plain-array", f"`{name}` is bound to another list in the loop")
    walk.lists[name] = HeldList(name, f"p_{name}", taken_by=queues_of(*function.body).get(name, ""))
    walk.memory.add_items(name, given.items)


def begin_own(walk: Walk, name: str, function: ast.FunctionDef) -> None:
    """A list that the loop makes for itself."""
    taken_by = queues_of(*function.body).get(name, "")
    walk.lists[name] = HeldList(name, f"p_{name}", is_own=True, taken_by=taken_by)
    walk.memory.add_items(name, Items())


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


def held_by(walk: Walk, node: ast.expr) -> HeldList | None:
    """The list that an expression names."""
    return walk.lists.get(node.id) if isinstance(node, ast.Name) else None


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
        _append_numbers(walk, held, *_parts(walk, item), node)
        return True
    value = walk.assigned(item)
    if isinstance(value, Elements):
        _append_row(walk, held, value, item, node)
    else:
        _append_numbers(walk, held, "number", [value], node)
    return True


def _append_numbers(walk: Walk, held: HeldList, kind: str, values: Sequence[Value], node: ast.expr) -> None:
    columns = tuple(Column.of(each.codes) for each in values)
    items = walk.memory.add_items(held.name, Items(kind, columns))
    code = walk.code
    code.node = node
    code.end_if(f"not has_room({held.text}, {items.width})", Operation("raise MemoryError"))
    _put(code, held, f"{held.text}[1]", items, values)
    code.line(f"{held.text}[1] += 1")


def _parts(walk: Walk, node: ast.Tuple | ast.List) -> tuple[str, list[Value]]:
    """What an item is, and its numbers."""
    values = [walk.assigned(each) for each in node.elts]
    numbers = [each for each in values if isinstance(each, Value)]
    if not numbers or len(numbers) < len(values):
        raise NotNative("not-scalar", f"`{ast.unparse(node)}` is empty, or holds an array", node)
    return "tuple" if isinstance(node, ast.Tuple) else "list", numbers


def _append_row(walk: Walk, held: HeldList, row: Elements, item: ast.expr, node: ast.expr) -> None:
    """``track.append(position.copy())``: a new array, or one with a name, which nothing changes any more."""
    named = row.kept if isinstance(item, ast.Name) and item.id in walk.only_read else None
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
        _put_number(code, held, f"{start} + {counter}", number)
    code.line(f"{held.text}[1] += 1")


def element(walk: Walk, held: HeldList, node: ast.Subscript) -> Value:
    """``xs[i]``, or ``path[i][0]``."""
    inner = node.value if isinstance(node.value, ast.Subscript) else None
    place = _place(walk, held, inner or node, _OUT_OF_RANGE)
    if inner is None:
        return _number_at(walk, held, place, node)
    position = literal_index(node.slice)
    if position is None or walk.memory.lists[held.name].kind == "grid":
        return _read_cell(walk, held, _cell(walk, held, place, node, _OUT_OF_RANGE))
    columns = unpacked_at(walk, held, place)
    if walk.memory.lists[held.name].kind == "number":
        raise NotNative("not-scalar", f"`{ast.unparse(node)}` is not a number of an item", node)
    if not -len(columns) <= position < len(columns):
        raise NotNative("unsupported-operation", f"`{ast.unparse(node)}` raises", node)
    return columns[position]


def _cell(walk: Walk, held: HeldList, place: str, node: ast.Subscript, raising: str) -> str:
    """The number of the first slot of ``grid[i][j]``, of the row at a place that is in range."""
    if is_empty(walk, held):
        raise Unreachable
    items = walk.memory.lists[held.name]
    if items.kind != "grid":
        raise NotNative("not-scalar", f"`{ast.unparse(node)}` is not a number of an item", node)
    index = walk.index(node.slice, node)
    walk.code.node = node
    length = f"{held.text}[4]"
    column = walk.in_range(length, walk.code.symbols.between(1, LONGEST), index, 0, raising)
    return walk.code.temporary(f"(np.int64({place}) * {length} + {column}) * {items.width}")


def _read_cell(walk: Walk, held: HeldList, start: str) -> Value:
    return _read(walk.code, held, start, 0, walk.memory.lists[held.name].columns[0])


def _put_cell(walk: Walk, held: HeldList, start: str, value: Value) -> None:
    held.cells = True
    items = walk.memory.add_items(held.name, Items("grid", (Column.of(value.codes),)))
    _put_column(walk.code, held, start, items.columns[0], value)


def row_length(walk: Walk, node: ast.Subscript) -> Value | None:
    """``len(grid[i])``; None where the list is no grid."""
    held = held_by(walk, node.value)
    if held is None or walk.memory.lists[held.name].kind != "grid":
        return None
    _place(walk, held, node, _OUT_OF_RANGE)
    length = walk.code.temporary(f"{held.text}[4]")
    return Value({INT: length}, form=walk.code.symbols.between(1, LONGEST))


def grids_of(*body: ast.stmt) -> frozenset[str]:
    """The names under which statements store into items, or compute places in them: ``grid[i][j]``."""
    found = set()
    for each in (node for statement in body for node in ast.walk(statement)):
        match each:
            case ast.Subscript(ast.Subscript(ast.Name(id=name)), place, context):
                if isinstance(context, ast.Store) or literal_index(place) is None:
                    found.add(name)
    return frozenset(found)


def item_of(walk: Walk, node: ast.expr, count: int) -> list[Value] | None:
    """What is unpacked: the numbers of ``path[i]``, ``path.pop()`` or a list; None for anything else."""
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr="pop"), args=[], keywords=[]):
            held = held_by(walk, owner)
            return None if held is None else _popped_item(walk, held, node)
        case ast.Call() if (first := first_of(node)) is not None:
            held = walk.lists.get(first)
            return None if held is None else _first_item(walk, held, node)
    whole = held_by(walk, node)
    if whole is not None:
        _check_no_queue(whole, node)
        walk.code.end_if(f"{whole.text}[1] != {count}", Event.REPLAY)
        return [_number_at(walk, whole, str(k), node) for k in range(count)]
    held = held_by(walk, node.value) if isinstance(node, ast.Subscript) else None
    if held is None or not isinstance(node, ast.Subscript):
        return None
    if walk.memory.lists[held.name].kind == "number":
        return None
    return unpacked_at(walk, held, _place(walk, held, node, _OUT_OF_RANGE))


def is_empty(walk: Walk, held: HeldList) -> bool:
    """Whether nothing is known to be put into a list."""
    return not walk.memory.lists[held.name].columns


def _check_no_queue(held: HeldList, node: ast.AST) -> None:
    if held.is_queue:
        raise NotNative("not-scalar", f"all items of `{held.name}` are read, whose first one is taken", node)


def taken(walk: Walk, held: HeldList, place: str) -> Value | list[Value]:
    """The item that a trip of a loop takes: a number, or several."""
    _check_no_queue(held, walk.code.node or ast.Pass())
    values = unpacked_at(walk, held, place)
    return values[0] if walk.memory.lists[held.name].kind == "number" else values


def resized_in(loop: ast.stmt) -> set[str]:
    """The lists that a loop may append to or take items from."""
    called = (each.func for each in ast.walk(loop) if isinstance(each, ast.Call))
    owners = (each.value for each in called if isinstance(each, ast.Attribute))
    return {each.id for each in owners if isinstance(each, ast.Name)}


def unpacked_at(walk: Walk, held: HeldList, place: str) -> list[Value]:
    """The numbers of the item at a place that is in range."""
    held.reads = True
    items = walk.memory.lists[held.name]
    if items.kind in ("array", "grid"):
        raise NotNative("not-scalar", f"a row of `{held.name}` is read", walk.code.node)
    if is_empty(walk, held):
        raise Unreachable
    start = walk.code.temporary(f"np.int64({place}) * {items.width}")
    return [_read(walk.code, held, start, *each) for each in items.placed()]


def store(walk: Walk, held: HeldList, node: ast.Subscript, value: Value) -> None:
    """``xs[i] = x``, or ``grid[i][j] = x``."""
    if isinstance(node.value, ast.Subscript):
        place = _place(walk, held, node.value, _OUT_OF_RANGE)
        _put_cell(walk, held, _cell(walk, held, place, node, _NO_PLACE), value)
        return
    _store_at(walk, held, _place(walk, held, node, _NO_PLACE), value)


def augment(walk: Walk, node: ast.Subscript, changed: Callable[[Value], Value]) -> None:
    """``xs[i] += x``, or ``grid[i][j] += x``; ``changed`` gives the new number for the old one."""
    held = picked(walk, node)
    assert held is not None
    if isinstance(node.value, ast.Subscript):
        place = _place(walk, held, node.value, _OUT_OF_RANGE)
        start = _cell(walk, held, place, node, _OUT_OF_RANGE)
        _put_cell(walk, held, start, changed(_read_cell(walk, held, start)))
        return
    place = walk.code.temporary(_place(walk, held, node, _OUT_OF_RANGE))
    old = _number_at(walk, held, place, node)
    _store_at(walk, held, place, changed(old))


def _store_at(walk: Walk, held: HeldList, place: str, value: Value) -> None:
    held.reads = held.changes = True
    items = walk.memory.add_items(held.name, Items("number", (Column.of(value.codes),)))
    _put(walk.code, held, place, items, [value])


def _number_at(walk: Walk, held: HeldList, place: str, node: ast.AST) -> Value:
    """The item at a place that is in range, if items are numbers."""
    values = unpacked_at(walk, held, place)
    if walk.memory.lists[held.name].kind != "number":
        raise NotNative("not-scalar", "an item of several numbers is taken for one", node)
    return values[0]


def popped(walk: Walk, held: HeldList, node: ast.Call) -> Value:
    """``stack.pop()``, ``queue.pop(0)`` or ``queue.popleft()``."""
    is_first = first_of(node) is not None
    values = _first_item(walk, held, node) if is_first else _popped_item(walk, held, node)
    if walk.memory.lists[held.name].kind != "number":
        raise NotNative("not-scalar", "an item of several numbers is taken for one", node)
    return values[0]


def _popped_item(walk: Walk, held: HeldList, node: ast.Call) -> list[Value]:
    held.reads = held.changes = True
    walk.code.node = node
    walk.code.end_if(f"{held.present} == 0", Operation(held.raising(_EMPTY)))
    values = unpacked_at(walk, held, f"{held.text}[1] - 1")
    walk.code.line(f"{held.text}[1] -= 1")
    return values


def first_of(node: ast.Call) -> str | None:
    """The name of the list of which ``queue.pop(0)``, or ``queue.popleft()``, takes the first item."""
    match node:
        case ast.Call(func=ast.Attribute(ast.Name(id=name), "popleft"), args=[], keywords=[]):
            return name
        case ast.Call(func=ast.Attribute(ast.Name(id=name), "pop"), args=[ast.Constant(0)], keywords=[]):
            return name
    return None


def queues_of(*body: ast.stmt) -> dict[str, str]:
    """The names of lists of which statements may take the first item, with the method that does."""
    nodes = (node for statement in body for node in ast.walk(statement) if isinstance(node, ast.Call))
    named = ((first_of(each), each.func) for each in nodes)
    return {name: func.attr for name, func in named if name and isinstance(func, ast.Attribute)}


def _first_item(walk: Walk, held: HeldList, node: ast.Call) -> list[Value]:
    assert isinstance(node.func, ast.Attribute)
    if held.taken_by != node.func.attr:
        raise NotNative("unknown-call", f"`{ast.unparse(node)}` is not supported", node)
    held.reads = held.changes = True
    walk.code.node = node
    walk.code.end_if(f"{held.present} == 0", Operation(held.raising(_EMPTY)))
    values = unpacked_at(walk, held, f"{held.text}[5]")
    walk.code.line(f"{held.text}[5] += 1")
    return values


def _place(walk: Walk, held: HeldList, node: ast.Subscript, raising: str) -> str:
    held.reads = True
    index = walk.index(node.slice, node)
    walk.code.node = node
    length = walk.code.symbols.between(0, LONGEST)
    place = walk.in_range(held.present, length, index, 0, held.raising(raising))
    return f"({held.text}[5] + np.int64({place}))" if held.is_queue else place


def _read(code: Code, held: HeldList, start: str, slot: int, column: Column) -> Value:
    """A number of an item whose slots begin at ``start``."""

    def word(kind: str, k: int) -> str:
        return f"{kind}_in({held.text}, {start} + {k})"

    def kept(number: Number) -> str:
        if number == NONE:
            return "False"
        if number.is_complex:
            parts = f"complex({word('float', slot)}, {word('float', slot + 1)})"
            return code.temporary(f"np.{number.kept}({parts})")
        if number.dtype.kind == "b":
            return code.temporary(f"{word('int', slot)} != 0")
        kind = "float" if number.dtype.kind == "f" else "int"
        return code.temporary(f"np.{number.kept}({word(kind, slot)})")

    tag = code.temporary(word("int", slot + column.width - 1)) if column.is_tagged else None
    integers = all(each.dtype.kind in "iub" for each in column.numbers)
    bounds = [limits(each) for each in column.numbers] if integers else []
    form = (
        code.symbols.between(min(low for low, _ in bounds), max(high for _, high in bounds))
        if bounds
        else None
    )
    return Value({each: kept(each) for each in column.numbers}, tag, form)


def _put(code: Code, held: HeldList, place: str, items: Items, values: Sequence[Value]) -> None:
    """Write the numbers of an item to its slots."""
    start = code.temporary(f"np.int64({place}) * {items.width}")
    for value, (slot, column) in zip(values, items.placed(), strict=True):
        _put_column(code, held, f"{start} + {slot}", column, value)


def _put_column(code: Code, held: HeldList, slot: str, column: Column, value: Value) -> None:
    """Write a number to the slots from this one on."""
    _put_number(code, held, slot, value)
    if column.is_tagged:
        code.line(f"put_int({held.text}, {slot} + {column.width - 1}, {value.tag_code()})")


def _put_number(code: Code, held: HeldList, slot: str, value: Value) -> None:
    def write(number: Number) -> None:
        text = value.codes[number]
        if number.is_complex:
            code.line(f"put_float({held.text}, {slot}, np.float64({text}.real))")
            code.line(f"put_float({held.text}, {slot} + 1, np.float64({text}.imag))")
        elif number.dtype.kind == "f":
            code.line(f"put_float({held.text}, {slot}, np.float64({text}))")
        elif number != NONE:
            code.line(f"put_int({held.text}, {slot}, np.int64({text}))")

    code.by_tag(value, write)


def length(code: Code, held: HeldList) -> Value:
    """``len(xs)``."""
    return Value({INT: code.temporary(held.length)}, form=code.symbols.between(0, LONGEST))

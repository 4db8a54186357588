"""Lists in lowered code: the numbers that a loop appends to them, reads and stores.

They lie in memory that the runtime lends, one item after the other, in slots of eight bytes. An item is a
number, a tuple or a list of numbers, ``path.append((x, y))``, or a row, ``track.append(position.copy())``.
``p_xs`` holds the address, the number of items there, for how many there is room, how many more the list has
before these, the length of rows, those of a grid, too, ``grid[i][j]``, and how many of the items there are
gone, as the first ones of a queue are; then which item, counted from one, is the array that a name has, and
which of the arrays that the loop returns is that of the name. An index lies at the address ``p_xs[8]``: of
the keys of a dictionary, followed by its size and how many keys it has, or of rows of any length.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from nprewrite.base.syntax import names_bound
from nprewrite.lowering.arrays import LONGEST, ListArgument
from nprewrite.lowering.elements import Elements
from nprewrite.lowering.environment import Environment, Memory
from nprewrite.lowering.forms import Form
from nprewrite.lowering.list_items import ROWS, Column, Items
from nprewrite.lowering.numbers import INT, NONE, Number, limits
from nprewrite.lowering.problems import NotNative
from nprewrite.lowering.queues import queues_of
from nprewrite.lowering.row_uses import Rows
from nprewrite.lowering.values import Code, Value
from nprewrite.lowering.written_lists import Resolve

OUT_OF_RANGE = "raise IndexError('list index out of range')"
NO_PLACE = "raise IndexError('list assignment index out of range')"
EMPTY = "raise IndexError('pop from empty list')"
_OF_QUEUES = {
    **dict.fromkeys((OUT_OF_RANGE, NO_PLACE), "raise IndexError('deque index out of range')"),
    EMPTY: "raise IndexError('pop from an empty deque')",
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
    grows: bool = False
    """Whether something is appended to its items, which are lists."""
    is_added_to: bool = False
    """Whether a set may get more items."""
    run_over: int = 0
    """How many of the loops that are being written run over it."""
    rows_run_over: int = 0
    """The same of its items, which are lists."""
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
    environment: Environment
    lists: dict[str, HeldList]
    maps: dict[str, HeldList]
    row_uses: Rows
    resolve: Resolve
    only_read: frozenset[str]
    appended_once: Mapping[str, str]
    outlasting: Mapping[str, str]
    spent: frozenset[str]

    def assigned(self, node: ast.expr) -> Value | Elements:
        """What a name would be bound to: a number, ``None``, or an array."""

    def value(self, node: ast.expr) -> Value:
        """The value of an expression, which is a number."""

    def count_lookup(self) -> None:
        """Take one lookup in a dictionary or a set into account."""

    def bind(self, name: str, value: Value, node: ast.AST) -> None:
        """``name = value``."""

    def kept_number(self, value: Value) -> Value:
        """A copy of a number that later stores do not change."""

    def row_number(self, node: ast.Name) -> str:
        """The code of the number that the name of a row is bound to."""

    def index(self, node: ast.expr, whole: ast.expr) -> Value:
        """The value of an index, which is an integer."""

    def in_range(self, size: str, known: Form, index: Value, axis: int, raising: str = "") -> str:
        """The code of an index that is in range."""


def begin(walk: Walk, name: str, given: ListArgument, function: ast.FunctionDef) -> None:
    """A parameter that is a list, which has this one name."""
    if name in names_bound(*function.body):
        raise NotNative("not-plain-array", f"`{name}` is bound to another list in the loop")
    items = (
        Items(ROWS, rows=Items()) if name in walk.row_uses.owners and not given.items.kind else given.items
    )
    _hold(walk, name, items, function)


def begin_own(walk: Walk, name: str, function: ast.FunctionDef) -> None:
    """A list that the loop makes for itself."""
    _hold(walk, name, Items(), function, is_own=True)


def _hold(walk: Walk, name: str, items: Items, function: ast.FunctionDef, *, is_own: bool = False) -> None:
    taken_by = queues_of(*function.body).get(name, "")
    walk.lists[name] = HeldList(name, f"p_{name}", is_own=is_own, taken_by=taken_by)
    walk.memory.add_items(name, items)


def held_by(walk: Walk, node: ast.expr) -> HeldList | None:
    """The list that an expression names."""
    return walk.lists.get(node.id) if isinstance(node, ast.Name) else None


def rows_in(code: Code, held: HeldList) -> HeldList:
    """The rows of a list or a dictionary as the list in which their items lie."""
    text = f"{held.text}_rows"
    code.declared[text] = f"{held.text}[11:]"
    return HeldList(held.name, text, reads=True)


def parts_of(walk: Walk, item: ast.expr) -> tuple[str, list[Value]]:
    """What an item is that is put into a list, and its numbers."""
    parts = item.elts if isinstance(item, ast.Tuple | ast.List) else [item]
    values = [each for each in map(walk.assigned, parts) if isinstance(each, Value)]
    if not values or len(values) < len(parts):
        raise NotNative("not-scalar", f"`{ast.unparse(item)}` is empty, or holds an array", item)
    return {ast.Tuple: "tuple", ast.List: "list"}.get(type(item), "number"), values


def note_bound(walk: Walk, name: str) -> None:
    """Note that a name has another array than the item that was it, if one was."""
    held = walk.lists.get(walk.outlasting.get(name, ""))
    if held is not None:
        walk.code.line(f"{held.text}[6] = 0")


def is_empty(walk: Walk, held: HeldList) -> bool:
    """Whether nothing is known to be put into a list."""
    items = walk.memory.lists[held.name]
    return not items.columns and items.kind != ROWS


def place(walk: Walk, held: HeldList, node: ast.Subscript, raising: str) -> str:
    """Where the item ``xs[i]`` lies, in a list that has so many."""
    held.reads = True
    index = walk.index(node.slice, node)
    walk.code.node = node
    length = walk.code.symbols.between(0, LONGEST)
    found = walk.in_range(held.present, length, index, 0, held.raising(raising))
    return f"({held.text}[5] + np.int64({found}))" if held.is_queue else found


def length(code: Code, held: HeldList) -> Value:
    """``len(xs)``."""
    return Value({INT: code.temporary(held.length)}, form=code.symbols.between(0, LONGEST))


def read(code: Code, held: HeldList, start: str, slot: int, column: Column) -> Value:
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


def put(code: Code, held: HeldList, place: str, items: Items, values: Sequence[Value]) -> None:
    """Write the numbers of an item to its slots."""
    start = code.temporary(f"np.int64({place}) * {items.width}")
    for value, (slot, column) in zip(values, items.placed(), strict=True):
        put_column(code, held, f"{start} + {slot}", column, value)


def put_column(code: Code, held: HeldList, slot: str, column: Column, value: Value) -> None:
    """Write a number to the slots from this one on."""
    put_number(code, held, slot, value)
    if column.is_tagged:
        code.line(f"put_int({held.text}, {slot} + {column.width - 1}, {value.tag_code()})")


def put_number(code: Code, held: HeldList, slot: str, value: Value) -> None:
    """Write a number to the slots from this one on, without its type."""

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

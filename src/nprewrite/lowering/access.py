"""The arrays of a loop in lowered code: their elements, with indices that are in range, and their lengths."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence

from nprewrite.base.syntax import items_of
from nprewrite.lowering import list_rows, lists, maps
from nprewrite.lowering.arrays import LONGEST, ArrayArgument, ArrayValue
from nprewrite.lowering.draws import Drawer, Source, source_of_module
from nprewrite.lowering.elements import Elements
from nprewrite.lowering.environment import Environment, Memory
from nprewrite.lowering.forms import Facts, Form
from nprewrite.lowering.held_lists import HeldList
from nprewrite.lowering.numbers import CHARACTER, INT, INT64, DType, Number, limits
from nprewrite.lowering.problems import Event, NotNative, Operation
from nprewrite.lowering.row_uses import Rows
from nprewrite.lowering.values import Code, Ending, Value, of_each_type, one_of
from nprewrite.lowering.written_lists import literal_index


class Access(ABC):
    """Reads arrays where the walk over the loop stands."""

    calls: int = 0
    """Calls of NumPy that become loops here."""

    def __init__(self, code: Code, memory: Memory, resolve: Callable[[ast.expr], str | None]) -> None:
        self.code = code
        self.memory = memory
        self.resolve = resolve
        self.environment: Environment = {}
        self.alive = True
        """Whether what comes next is reached."""
        self.drawer: Drawer | None = None
        """Set where the loop may draw random numbers, because its iterations run in their order."""
        self.generators: dict[str, Source] = {}
        """Parameters that are generators of random numbers."""
        self.lists: dict[str, HeldList] = {}
        """Parameters that are lists."""
        self.maps: dict[str, HeldList] = {}
        """Those that are dictionaries or sets."""
        self.row_uses = Rows({}, {})
        """Which of them hold lists, and the names of these."""
        self.only_read = frozenset[str]()
        """The names of arrays that no statement changes, and that have no other names."""
        self.appended_once: Mapping[str, str] = {}
        """Names of arrays of which a list gets each once."""
        self.outlasting: Mapping[str, str] = {}
        """Those of them whose arrays the caller gets too."""
        self.columns = frozenset[str]()
        """Parameters whose rows are the arrays of objects."""
        self.rebound = frozenset[str]()
        """Parameters whose rows become other arrays."""
        self.spent = frozenset[str]()
        """Lists of which only an array is made."""
        self._reads: dict[tuple[str, tuple[Form, ...]], Form] = {}

    def held(self, name: str) -> ArrayValue | None:
        """The array that a name stands for here."""
        value = self.environment.get(name)
        return value if isinstance(value, ArrayValue) else None

    def surely_held(self, name: str) -> ArrayValue:
        """The array that a name is known to stand for here."""
        held = self.held(name)
        assert held is not None
        return held

    def array(self, name: str) -> ArrayArgument:
        """What is known of the array that a name stands for here."""
        return self.surely_held(name).array

    def memory_of(self, name: str) -> str:
        """The name in lowered code of the array that a name stands for here."""
        return self.surely_held(name).text

    def source(self, node: ast.Call) -> tuple[Source, str] | None:
        """Where a call draws random numbers from, and its function; None for other calls."""
        match node.func:
            case ast.Attribute(ast.Name(generator), name) if generator in self.generators:
                return self.generators[generator], name
        dotted = self.resolve(node.func) or ""
        source = source_of_module(dotted)
        return None if source is None else (source, dotted.rpartition(".")[2])

    @abstractmethod
    def test(self, node: ast.expr) -> tuple[str, Facts, Facts]:
        """The code of the truth of ``node``, and what is known of integers if it holds and if it fails."""

    @abstractmethod
    def body(self, statements: list[ast.stmt]) -> None:
        """Consecutive statements, as far as they are reached."""

    @abstractmethod
    def value(self, node: ast.expr) -> Value:
        """What ``node`` evaluates to."""

    @abstractmethod
    def bind(self, name: str, value: Value, node: ast.AST) -> None:
        """``name = value``."""

    @abstractmethod
    def row_number(self, node: ast.Name) -> str:
        """The code of the number that the name of a row is bound to."""

    @abstractmethod
    def count_lookup(self) -> None:
        """Take one lookup in a dictionary or a set into account."""

    @abstractmethod
    def assigned(self, node: ast.expr) -> Value | Elements:
        """What a name is bound to: a number, ``None``, or an array."""

    def kept_number(self, value: Value) -> Value:
        """A copy of a number that later stores do not change."""
        names = {text: self.code.temporary(text) for text in dict.fromkeys(value.codes.values())}
        tag = self.code.temporary(value.tag) if len(value.codes) > 1 and value.tag else None
        return Value({each: names[text] for each, text in value.codes.items()}, tag, value.form)

    def shape(self, node: ast.expr) -> list[Value] | None:
        """The values of ``x.shape``, where ``node`` is that of an array."""
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr="shape") if (
                held := self.held(name)
            ) is not None:
                if held.array.rank is not None and held.array.element != CHARACTER:
                    return [self.axis(name, axis) for axis in range(held.array.rank)]
        return None

    def _array(self, node: ast.expr) -> str:
        if isinstance(node, ast.Name) and self.held(node.id) is not None:
            return node.id
        raise NotNative("unsupported-operation", f"`{ast.unparse(node)}` is not an array of the loop", node)

    def axis(self, name: str, axis: int) -> Value:
        """The length of an axis of an array."""
        known = self.surely_held(name).lengths
        form = known[axis] if known is not None else self.code.symbols.between(0, LONGEST)
        return Value({INT: f"np.int64({self.memory_of(name)}.shape[{axis}])"}, form=form)

    def _subscript(self, node: ast.Subscript) -> Value:
        if isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
            return self._shape_item(node, node.value)
        if isinstance(node.value, ast.Tuple | ast.List):
            return self._item_of(node.value.elts, node)
        if (item := self.item(node)) is not None:
            return item
        name, indices = self.place(node)
        positions = self.positions(name, indices, node)
        array = self.array(name)
        return Value(
            {array.element: self.code.temporary(f"{self.memory_of(name)}[{positions}]")},
            form=self.element_form(name, indices),
        )

    def item(self, node: ast.Subscript) -> Value | None:
        """A number of a list, of a list in one, or of a dictionary; None for all else."""
        if (rows := list_rows.owner(self, node.value)) is not None:
            return list_rows.element(self, rows, node)
        if (held := lists.picked(self, node)) is not None:
            return lists.element(self, held, node)
        found = maps.picked(self, node)
        return None if found is None else maps.element(self, found, node)

    def _item_of(self, items: Sequence[ast.expr], node: ast.Subscript) -> Value:
        """``(x, y, z)[k]``."""
        values = [self.value(each) for each in items]
        index, count = self.index(node.slice, node), len(values)
        position = self.code.temporary(self.integer(index))
        low, high = self.code.bounds(index.form, INT)
        if low < -count or high >= count:
            self.code.end_if(f"not (-{count} <= {position} < {count})", Event.REPLAY)
        if low < 0:
            position = self.code.temporary(f"{position} + {count} if {position} < 0 else {position}")
        return one_of(self.code, position, values, self.code.symbols.one_of([each.form for each in values]))

    def _shape_item(self, node: ast.Subscript, shape: ast.Attribute) -> Value:
        name = self._array(shape.value)
        axis, rank = literal_index(node.slice), self.array(name).rank
        is_text = self.array(name).element == CHARACTER
        if is_text or axis is None or (rank is not None and not -rank <= axis < rank):
            raise NotNative("unsupported-operation", f"`{ast.unparse(node)}` is not supported", node)
        return self.axis(name, axis)

    def element_form(self, name: str, indices: Sequence[Value]) -> Form | None:
        """What an element can be: one form for each element of an array that does not change."""
        array, symbols = self.array(name), self.code.symbols
        if array.element.dtype.kind not in "iub":
            return None
        if array.contents is None or array.element.dtype.kind == "b":
            return symbols.between(*limits(array.element))
        key = (name, tuple(each.form for each in indices if each.form is not None))
        if len(key[1]) < len(indices):
            return symbols.between(*array.contents())
        if key not in self._reads:
            self._reads[key] = symbols.between(*array.contents())
        return self._reads[key]

    def place(self, node: ast.Subscript) -> tuple[str, list[Value]]:
        """The array and the indices of ``x[i, j]`` or ``x[i][j]``."""
        chain: list[ast.expr] = []
        inner: ast.expr = node
        while isinstance(inner, ast.Subscript):
            chain = [*items_of(inner), *chain]
            inner = inner.value
        if not isinstance(inner, ast.Name) or self.held(inner.id) is None:
            raise NotNative("not-plain-array", f"`{ast.unparse(inner)}` is not a known array", node)
        indices = [self.index(each, node) for each in chain]
        rank = self.array(inner.id).rank
        if rank is not None and rank != len(indices):
            raise NotNative("not-scalar", f"`{ast.unparse(node)}` is not a single element", node)
        return inner.id, indices

    def index(self, node: ast.expr, whole: ast.expr) -> Value:
        """The value of an index, which is an integer."""
        if isinstance(node, ast.Slice | ast.Starred) or (
            isinstance(node, ast.Constant) and type(node.value) is not int
        ):
            raise NotNative("not-scalar", f"`{ast.unparse(whole)}` is not a single element", whole)
        value = self.value(node)
        if not all(number.is_integer for number in value.codes):
            raise NotNative("not-scalar", f"`{ast.unparse(node)}` is not an integer index", whole)
        return value

    def positions(self, name: str, indices: Sequence[Value], node: ast.AST) -> str:
        """The code of indices that are in range, counted from the start of each axis."""
        held = self.surely_held(name)
        lengths = held.lengths or [self.code.symbols.between(0, LONGEST)] * len(indices)
        sizes = [f"{self.memory_of(name)}.shape[{axis}]" for axis in range(len(indices))]
        self.code.node = node
        axes = _axes(node, len(indices))
        if held.array.element == CHARACTER:
            return self.in_range(
                sizes[0], lengths[0], indices[0], 0, "raise IndexError('string index out of range')"
            )
        return ", ".join(self.in_range(*each) for each in zip(sizes, lengths, indices, axes, strict=True))

    def in_range(self, size: str, known: Form, index: Value, axis: int, raising: str = "") -> str:
        """The code of an index on an axis of this length, in range and counted from the start.

        ``raising`` is what the original does for others, where that is not what arrays do.
        """
        length = known.constant if not known.terms else None
        low, high = _reach(self.code, index)
        picked = f"[{'0, ' * axis}_0]"
        text = self.integer(index, f"np.empty(({'1, ' * (axis + 1)})){picked}")
        below = index.form is not None and self.code.symbols.upper(index.form.minus(known)) < 0
        if low >= 0 and (below or (length is not None and high < length)):
            return f"np.uint64({text})"
        position = self.code.declare(self.code.fresh(), "int64")
        self.code.line(f"{position} = {text}")
        if low < 0:
            with self.code.block(f"if {position} < 0:"):
                self.code.line(f"{position} += {size}")
        if length is None or low < -length or high >= length:
            element = raising or f"np.broadcast_to(0, ({'1, ' * axis}_1,)){picked}"
            self.code.end_if(
                f"{position} < 0 or {position} >= {size}", Operation(element, ((INT, text), (INT, size)))
            )
        return f"np.uint64({position})"

    def integer(self, value: Value, too_large: str | None = None) -> str:
        """The code of an integer of any type as int64.

        For a larger one the operation ``too_large`` raises; without an operation the loop as written runs.
        """

        def one(code: Code, text: str, number: Number, form: Form | None, dtype: DType) -> str:
            if number.dtype.name == "uint64":
                ending: Ending = Operation(too_large, ((number, text),)) if too_large else Event.REPLAY
                code.end_if(f"{text} > np.uint64({INT64[1]})", ending)
            return text if number == INT else f"np.int64({text})"

        return of_each_type(self.code, value, INT.dtype, one)


def _axes(node: ast.AST, count: int) -> Iterator[int]:
    """The axes of the indices of ``x[i, j]`` or ``x[i][j]``; each link of a chain counts from 0."""
    chain: list[int] = []
    while isinstance(node, ast.Subscript):
        chain.append(len(items_of(node)))
        node = node.value
    for each in reversed(chain):
        yield from range(each)


def _reach(code: Code, value: Value) -> tuple[float, float]:
    bounds = [code.bounds(value.form, number) for number in value.codes]
    return min(low for low, _ in bounds), max(high for _, high in bounds)

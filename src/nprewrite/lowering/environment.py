"""What each name holds at the current point of a walk over a loop, and what one walk leaves to the next.

The loop is walked until the types at the start of every iteration settle (they only grow), and then again to
narrow the ranges of integers (each walk proves ranges from those that the walk before has proved).
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from nprewrite.base.syntax import fresh_name
from nprewrite.lowering.arrays import LONGEST, UNCLEAR, ArrayValue, MaybeArray, Unclear, array_value
from nprewrite.lowering.forms import Bound, Form
from nprewrite.lowering.list_items import Items
from nprewrite.lowering.numbers import NONE, UNSET, Number
from nprewrite.lowering.values import Code, Value

Environment = dict[str, Value]


@dataclass
class Range:
    """What an integer can be at the end of an iteration, and how far one iteration can move it."""

    low: Bound = math.inf
    high: Bound = -math.inf
    least_step: Bound = math.inf
    greatest_step: Bound = -math.inf

    def include(self, value: tuple[Bound, Bound], step: tuple[Bound, Bound]) -> None:
        """Take one more way to end the iteration into account."""
        self.low, self.high = min(self.low, value[0]), max(self.high, value[1])
        self.least_step = min(self.least_step, step[0])
        self.greatest_step = max(self.greatest_step, step[1])


@dataclass
class Memory:
    """What one walk leaves to the next."""

    tuples: Mapping[str, str]
    """The user's names of tuples, by the names of the numbers in them."""
    types: dict[tuple[int, str], frozenset[Number]] = field(default_factory=dict)
    """The types of a name at the start of an iteration, by loop and name."""
    tagged: set[str] = field(default_factory=set)
    """Names that hold several types somewhere."""
    ranges: dict[tuple[int, str], Range] = field(default_factory=dict)
    mixed: set[tuple[int, str]] = field(default_factory=set)
    """Names that hold an array in some iterations of a loop, and a number or another kind in others."""
    optional: dict[tuple[int, str], MaybeArray] = field(default_factory=dict)
    """What a name holds at the start of an iteration that is an array, or else ``None`` or nothing."""
    views: dict[tuple[int, str], frozenset[str]] = field(default_factory=dict)
    """The parameters whose memory the array of a name may share at the start of an iteration."""
    varying: set[tuple[int, str, int]] = field(default_factory=set)
    """Axes of such an array whose length may change from one iteration to the next."""
    returned: tuple[tuple[Number, int], ...] | None = None
    """The element types and ranks of the arrays that are returned."""
    unlike: ast.AST | None = None
    """A ``return`` that gives other arrays than the first, as far as this walk has seen."""
    array_work: dict[int, int] = field(default_factory=dict)
    """What the expressions of arrays in an iteration count as, by loop."""
    made: dict[int, list[ast.stmt]] = field(default_factory=dict)
    """The statements for ``sum(x[k] for k in ...)`` and its like, by node: the same in all walks."""
    taken: set[str] = field(default_factory=set)
    """The names of the function, and further ones that are made."""
    lists: dict[str, Items] = field(default_factory=dict)
    """What the items of each list are."""
    keeps_arrays: bool = False
    """Whether a parameter whose value the caller gets may hold an array when the function ends."""
    none_read: str = ""
    """A name that surely holds ``None``, and is read as an array or a number."""
    grown: bool = False
    """Whether this walk has seen a type, or a tag, that the walk before has not."""

    def fresh(self, word: str) -> str:
        """A new name."""
        return fresh_name(word, self.taken)

    def add_types(self, loop: int, name: str, numbers: Iterable[Number]) -> None:
        """Note the types that a name has at the end of an iteration."""
        known = self.types.get((loop, name), frozenset())
        self.grown |= not known.issuperset(numbers)
        self.types[loop, name] = known.union(numbers)

    def mix(self, loop: int, name: str) -> None:
        """Note that a name sometimes holds an array and sometimes something else."""
        self.grown |= (loop, name) not in self.mixed
        self.mixed.add((loop, name))

    def make_optional(self, loop: int, name: str, ends: Sequence[Value | None], code: Code) -> None:
        """Note that a name holds, at the start of an iteration, an array or nothing, as the values tell."""
        known = self.optional.get((loop, name))
        found = _maybe(name, [known, *ends] if known is not None else ends, code, self)
        if not isinstance(found, MaybeArray):
            self.mix(loop, name)
            return
        held = found.array
        lengths = tuple([unknown_length(code) for _ in held.lengths or ()])
        array = array_value(held.text, held.array.element, lengths, held.roots)
        self.grown |= known is None or {*known.codes} != {*found.codes} or known.array.roots != held.roots
        self.optional[loop, name] = replace(found, array=array)

    def hand_on(self, loop: int, name: str, start: ArrayValue, end: ArrayValue, code: Code) -> None:
        """Note how the array of a name at the end of an iteration differs from that at its start."""
        known = self.views.get((loop, name), frozenset())
        self.grown |= not known.issuperset(end.roots)
        self.views[loop, name] = known | end.roots
        for axis, (before, after) in enumerate(zip(start.lengths or (), end.lengths or (), strict=True)):
            if before == after or (loop, name, axis) in self.varying:
                continue
            self.grown = True
            self.varying.add((loop, name, axis))

    def give(self, arrays: Sequence[ArrayValue], node: ast.AST, *, first: bool) -> None:
        """Note the arrays that a ``return`` gives, the ``first`` one of this walk or another."""
        kinds = tuple((each.array.element, len(each.lengths or ())) for each in arrays)
        if first:
            self.grown |= (self.returned or ()) != kinds
            self.returned, self.unlike = kinds, None
        elif self.returned != kinds:
            self.unlike = node

    def add_items(self, name: str, items: Items) -> Items:
        """Note what a list holds; gives what all of its items may be."""
        known = self.lists.get(name, Items())
        found = self.lists[name] = known.joined(items)
        self.grown |= found != known
        return found

    def keep_array(self) -> None:
        """Note that a parameter whose value the caller gets may hold an array."""
        self.grown |= not self.keeps_arrays
        self.keeps_arrays = True

    def tag(self, name: str) -> None:
        """Note that a name holds several types."""
        self.grown |= name not in self.tagged
        self.tagged.add(name)


def variable(name: str, numbers: Iterable[Number], form: Form | None, code: Code, memory: Memory) -> Value:
    """The value of a name that may hold these types."""
    codes = {each: storage(name, each, code) for each in numbers}
    if len(codes) > 1:
        memory.tag(name)
    integers = all(each.dtype.kind in "iub" for each in codes)
    return Value(codes, tag_storage(name, code), form if integers else None)


def storage(name: str, number: Number, code: Code) -> str:
    """The name in lowered code for the values of this type that a user's name holds."""
    return code.declare(f"v_{name}_{number.kept}", number.kept) if number != UNSET else ""


def tag_storage(name: str, code: Code) -> str:
    """The name in lowered code of the tag of a user's name."""
    return code.declare(f"v_{name}_tag", "int64")


def joined(ends: list[Environment], code: Code, memory: Memory) -> Environment | None:
    """What holds where several paths meet; None if none arrives."""
    if not ends:
        return None
    if len(ends) == 1:
        return ends[0]
    return {name: _joined(name, ends, code, memory) for name in {name: 0 for end in ends for name in end}}


def _joined(name: str, ends: list[Environment], code: Code, memory: Memory) -> Value:
    """What a name holds where several paths meet."""
    values = [end.get(name) for end in ends]
    arrays = [each for each in values if isinstance(each, ArrayValue)]
    if len(arrays) == len(values):
        return _one_of(arrays, code)
    if arrays or any(isinstance(each, Unclear) for each in values):
        return _maybe(name, values, code, memory)
    numbers = dict.fromkeys(
        number for each in values for number in (each.codes if each is not None else (UNSET,))
    )
    forms = [each.form for each in values if each is not None and UNSET not in each.codes]
    form = code.symbols.one_of(forms) if len(forms) == len(values) else None
    return variable(name, numbers, form, code, memory)


def _maybe(name: str, values: Sequence[Value | None], code: Code, memory: Memory) -> Value:
    """What a name holds that is an array on some paths only."""
    arrays: list[ArrayValue] = []
    others: dict[Number, str] = {}
    for each in values:
        if isinstance(each, ArrayValue):
            arrays.append(each)
            continue
        if isinstance(each, MaybeArray):
            arrays.append(each.array)
        codes = each.codes if each is not None else (UNSET,)
        if (isinstance(each, Unclear) and not codes) or not {NONE, UNSET}.issuperset(codes):
            return UNCLEAR
        others.update({number: storage(name, number, code) for number in codes})
    held = _one_of(arrays, code)
    if not isinstance(held, ArrayValue):
        return UNCLEAR
    memory.tag(name)
    if held.text != f"p_{name}":
        shape = "0, " * len(held.lengths or ())
        code.declared[held.text] = f"np.empty(({shape}), np.{held.array.element.in_arrays})"
    return MaybeArray(others, tag_storage(name, code), array=held)


def alike(left: ArrayValue, right: ArrayValue) -> bool:
    """Whether one name may hold either array."""
    return (left.array.element, left.array.rank, left.text) == (
        right.array.element,
        right.array.rank,
        right.text,
    )


def _one_of(arrays: list[ArrayValue], code: Code) -> ArrayValue | Unclear:
    first, *others = arrays
    if all(each == first for each in others):
        return first
    if first.lengths is None or not all(alike(first, each) for each in others):
        return UNCLEAR
    lengths = [
        each
        if all(each == other.lengths[axis] for other in others if other.lengths)
        else unknown_length(code)
        for axis, each in enumerate(first.lengths)
    ]
    return array_value(
        first.text, first.array.element, tuple(lengths), frozenset().union(*(each.roots for each in arrays))
    )


def unknown_length(code: Code) -> Form:
    """The length of an axis of which nothing is known."""
    return code.symbols.between(0, LONGEST)

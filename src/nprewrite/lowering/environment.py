"""What each name holds where the walk over a loop stands, and what is remembered from one walk to the next.

The loop is walked until the types at the start of every iteration settle (they only grow), and then again to
narrow the ranges of integers (each walk proves ranges from those that the walk before has proved).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

from nprewrite.lowering.forms import Bound, Form
from nprewrite.lowering.numbers import UNSET, Number
from nprewrite.lowering.values import Code, Value

Environment = dict[str, Value]


@dataclass
class Range:
    """What an integer can be at the end of an iteration, and how far an iteration moves it."""

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

    types: dict[tuple[int, str], frozenset[Number]] = field(default_factory=dict)
    """The types of a name at the start of an iteration, by loop and name."""
    tagged: set[str] = field(default_factory=set)
    """Names that hold several types somewhere."""
    ranges: dict[tuple[int, str], Range] = field(default_factory=dict)
    grown: bool = False
    """Whether this walk has seen a type, or a tag, that the walk before has not."""

    def add_types(self, loop: int, name: str, numbers: Iterable[Number]) -> None:
        """Note the types that a name has at the end of an iteration."""
        known = self.types.get((loop, name), frozenset())
        self.grown |= not known.issuperset(numbers)
        self.types[loop, name] = known.union(numbers)

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
    """The name in lowered code of what a user's name holds as this type."""
    return code.declare(f"v_{name}_{number.kept}", number.kept) if number != UNSET else ""


def tag_storage(name: str, code: Code) -> str:
    """The name in lowered code of the tag of a user's name."""
    return code.declare(f"v_{name}_tag", "int64")


def joined(ends: list[Environment], code: Code, memory: Memory) -> Environment | None:
    """What holds where several paths meet; None where none arrives."""
    if not ends:
        return None
    if len(ends) == 1:
        return ends[0]
    return {name: _joined(name, ends, code, memory) for name in {name: 0 for end in ends for name in end}}


def _joined(name: str, ends: list[Environment], code: Code, memory: Memory) -> Value:
    values = [end.get(name) for end in ends]
    numbers = dict.fromkeys(
        number for each in values for number in (each.codes if each is not None else (UNSET,))
    )
    forms = [each.form for each in values if each is not None and UNSET not in each.codes]
    form = forms[0] if forms else None
    for other in forms[1:]:
        form = code.symbols.joined(form, other) if form is not None and other is not None else None
    return variable(name, numbers, form if len(forms) == len(values) else None, code, memory)

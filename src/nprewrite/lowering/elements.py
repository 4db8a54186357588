"""Array expressions in lowered code: the lengths of their axes, and each element when it is needed."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from nprewrite.lowering.arrays import ArrayValue, array_value
from nprewrite.lowering.environment import unknown_length
from nprewrite.lowering.forms import Form
from nprewrite.lowering.numbers import CHARACTER, NUMPY, DType, Number, limits
from nprewrite.lowering.problems import Event, NotNative
from nprewrite.lowering.values import Code, Value, cast_to, converted, truth

ONE = Form(1)


@dataclass(frozen=True)
class Length:
    """The length of an axis: its code, an int64, and what it can be."""

    text: str
    form: Form


@dataclass(frozen=True)
class Elements:
    """An array expression: ``at`` writes the code that computes an element, at indices that are in range.

    ``kept`` is the array itself if it exists already: a name, or a view.
    """

    lengths: tuple[Length, ...]
    at: Callable[[Sequence[str]], Value]
    kept: ArrayValue | None = None

    @property
    def rank(self) -> int:
        return len(self.lengths)


def elements_of(code: Code, held: ArrayValue) -> Elements:
    """The elements of an array that exists."""
    assert held.lengths is not None
    element = held.array.element
    if element == CHARACTER:
        raise NotNative("unsupported-operation", "a string is used as a whole", code.node)
    # NumPy's own loops over complex numbers may fuse a product and a sum.
    code.rounds |= element.is_complex

    def at(indices: Sequence[str]) -> Value:
        text = code.temporary(f"{held.text}[{subscript(indices)}]")
        if element.dtype.kind not in "iub":
            return Value({element: text})
        known = held.array.contents
        bounds = known() if known is not None and element.is_integer else limits(element)
        return Value({element: text}, form=code.symbols.between(*bounds))

    lengths = [Length(f"{held.text}.shape[{axis}]", form) for axis, form in enumerate(held.lengths)]
    return Elements(tuple(lengths), at, held)


def subscript(indices: Sequence[str]) -> str:
    """The code of indices that are in range."""
    return ", ".join(f"np.uint64({each})" for each in indices)


def over(code: Code, lengths: Sequence[Length], body: Callable[[list[str]], None]) -> None:
    """Write loops over all indices, the last axis innermost."""

    def loop(indices: list[str]) -> None:
        if len(indices) == len(lengths):
            body(indices)
            return
        length = lengths[len(indices)]
        if length.form == ONE:
            loop([*indices, "0"])
            return
        counter = code.fresh()
        with code.block(f"for {counter} in range({length.text}):"):
            loop([*indices, counter])

    loop([])


def fresh_array(
    code: Code, lengths: Sequence[Length], position: int, element: Number, name: str
) -> ArrayValue:
    """The array ``name``, made before the line at ``position``."""
    shape = ", ".join(each.text for each in lengths)
    indented = code.indented(f"{name} = np.empty(({shape},), np.{element.in_arrays})")
    code.lines.insert(position, indented)
    return array_value(name, element, tuple(each.form for each in lengths), frozenset())


def materialised(code: Code, elements: Elements) -> ArrayValue:
    """The expression as a new array, computed here."""
    name, position = code.fresh(), len(code.lines)
    found: list[Number] = []

    def one(indices: list[str]) -> None:
        value = elements.at(indices)
        element = strong(value)
        found.append(element)
        code.line(f"{name}[{subscript(indices)}] = {cast_to(code, value, element.dtype)}")

    over(code, elements.lengths, one)
    code.rounds |= found[0].is_complex
    return fresh_array(code, elements.lengths, position, found[0], name)


def in_memory(code: Code, elements: Elements) -> ArrayValue:
    """The array itself if it exists already, or a new one."""
    return elements.kept or materialised(code, elements)


def in_dtype(code: Code, held: ArrayValue, number: Number) -> ArrayValue:
    """The array, or a copy with elements of another type."""
    if held.array.element == number:
        return held
    elements = elements_of(code, held)

    def at(indices: Sequence[str]) -> Value:
        return Value({number: converted(code, elements.at(indices), number.dtype)})

    return materialised(code, Elements(elements.lengths, at))


def true_count(code: Code, tests: Elements) -> str:
    """How many elements are true."""
    count = code.temporary("np.int64(0)")

    def one(indices: list[str]) -> None:
        with code.block(f"if {truth(code, tests.at(indices))}:"):
            code.line(f"{count} += 1")

    over(code, tests.lengths, one)
    return count


def where_true(
    code: Code, tests: Elements, element: Number, value: Callable[[Sequence[str]], str]
) -> ArrayValue:
    """A new vector with the code that ``value`` gives for the indices at which the elements are true."""
    count, place, name = true_count(code, tests), code.temporary("np.int64(0)"), code.fresh()
    length = Length(count, unknown_length(code))
    made = fresh_array(code, [length], len(code.lines), element, name)

    def one(indices: list[str]) -> None:
        with code.block(f"if {truth(code, tests.at(indices))}:"):
            code.line(f"{name}[np.uint64({place})] = {value(indices)}")
            code.line(f"{place} += 1")

    over(code, tests.lengths, one)
    return made


def flattened(code: Code, elements: Elements) -> ArrayValue:
    """The elements in the order of rows as a new vector, computed here.

    Not by ``reshape``, for which Numba calls a function of its own, so that only Numba can load the library.
    """
    name, position, place = code.fresh(), len(code.lines), code.temporary("0")
    found: list[Number] = []

    def one(indices: list[str]) -> None:
        value = elements.at(indices)
        found.append(strong(value))
        code.line(f"{name}[{place}] = {cast_to(code, value, found[-1].dtype)}")
        code.line(f"{place} += 1")

    over(code, elements.lengths, one)
    count = Length(" * ".join(each.text for each in elements.lengths), code.symbols.between(0, math.inf))
    return fresh_array(code, [count], position, found[0], name)


def strong(value: Value) -> Number:
    """The type of the elements of an array of such values."""
    if value.only is None:
        raise NotNative("dtype-unknown", "an array is computed from a number of several types")
    return NUMPY[value.only.kept]


def real(value: Value, node: ast.AST) -> Number:
    """The same for what is added up or compared, which is not followed for complex numbers."""
    number = strong(value)
    if number.is_complex:
        raise NotNative("dtype-unsupported", f"`{ast.unparse(node)}` is of complex numbers", node)
    return number


def store(code: Code, target: Elements, dtype: DType, value: Callable[[Sequence[str]], Value]) -> None:
    """Store what ``value`` gives for each index into an existing array, cast as arrays are."""
    assert target.kept is not None
    text = target.kept.text

    def one(indices: list[str]) -> None:
        kept = cast_to(code, value(indices), dtype)
        code.line(f"{text}[{subscript(indices)}] = {kept}")

    over(code, target.lengths, one)


def broadcast(code: Code, operands: Sequence[Elements]) -> tuple[tuple[Length, ...], list[Elements]]:
    """The common lengths of operands, and the operands as functions of indices on all of these axes.

    Where lengths differ at run time the loop is left to NumPy, which raises or repeats an axis of length one.
    """
    rank = max(each.rank for each in operands)
    # An element that is needed in many places is computed once.
    solid = [
        each if each.kept is not None or each.rank == rank else elements_of(code, materialised(code, each))
        for each in operands
    ]
    lengths: list[Length] = []
    for axis in range(rank):
        here = [each.lengths[axis - rank + each.rank] for each in solid if axis - rank + each.rank >= 0]
        long = [each for each in here if each.form != ONE]
        chosen = long[0] if long else here[0]
        for other in long[1:]:
            check_equal(code, chosen, other)
        lengths.append(chosen)
    return tuple(lengths), [_spread(each, lengths) for each in solid]


def _spread(operand: Elements, lengths: Sequence[Length]) -> Elements:
    if all(each.form == ONE for each in operand.lengths) and any(each.form != ONE for each in lengths):
        # Read once: the compiler does not see that what a loop stores is other memory.
        only = operand.at(["0"] * operand.rank)
        return Elements(tuple(lengths), lambda _: only)
    skipped = len(lengths) - operand.rank
    repeated = [
        own.form == ONE and whole.form != ONE
        for own, whole in zip(operand.lengths, lengths[skipped:], strict=True)
    ]

    def at(indices: Sequence[str]) -> Value:
        own = indices[skipped:]
        return operand.at(["0" if once else each for once, each in zip(repeated, own, strict=True)])

    return Elements(tuple(lengths), at)


def check_equal(code: Code, left: Length, right: Length) -> None:
    """Leave the loop to NumPy where two lengths differ at run time."""
    difference = left.form.minus(right.form)
    if code.symbols.lower(difference) == 0 == code.symbols.upper(difference):
        return
    code.end_if(f"{left.text} != {right.text}", Event.REPLAY)

"""Stores into the elements of an array that a mask, or an array of positions, picks."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

import numpy as np

from nprewrite.base.syntax import items_of
from nprewrite.lowering import operators
from nprewrite.lowering.array_stores import everywhere, memory_of, spread
from nprewrite.lowering.array_walk import ArrayWalk
from nprewrite.lowering.elements import (
    Elements,
    Length,
    check_equal,
    elements_of,
    materialised,
    over,
    subscript,
    true_count,
)
from nprewrite.lowering.environment import unknown_length
from nprewrite.lowering.numbers import NUMPY
from nprewrite.lowering.problems import NotNative
from nprewrite.lowering.values import Value, cast_to, stored


def picks(walk: ArrayWalk, target: ast.Subscript) -> bool:
    """Whether one array is the whole index."""
    items = items_of(target)
    return len(items) == 1 and walk.is_array(items[0])


class Picked:
    """The elements that ``x[m]`` picks, which may be stored."""

    def __init__(self, walk: ArrayWalk, target: ast.Subscript) -> None:
        self._walk, self._code, self._target = walk, walk.code, target
        self._whole = walk.elements(target.value)
        self._held = memory_of(self._whole, target)
        (index,) = items_of(target)
        self._index = elements_of(walk.code, walk.solid(index))
        assert self._index.kept is not None
        self._is_mask = self._index.kept.array.element.dtype.kind == "b"
        if self._index.rank != (self._whole.rank if self._is_mask else 1) or (
            not self._is_mask and (self._whole.rank != 1 or not self._index.kept.array.element.is_integer)
        ):
            raise NotNative("not-scalar", f"`{ast.unparse(target)}` is stored into", target)

    def store(self, value: Value | Elements, operator: ast.operator | None = None) -> frozenset[str]:
        """Store numbers, or what an operator makes of the elements and them; returns whose memory it is."""
        self._walk.account(self._index.lengths, 0.3)
        element = self._held.array.element
        if isinstance(value, Elements):
            given: Value | Elements = elements_of(self._code, materialised(self._code, value))
        elif operator is None:
            given = Value({element: self._code.temporary(stored(self._code, value, element.dtype))})
        else:
            given = value
        (self._by_mask if self._is_mask else self._by_positions)(given, operator)
        return self._held.roots

    def _by_mask(self, given: Value | Elements, operator: ast.operator | None) -> None:
        code, tests = self._code, self._index
        for own, other in zip(self._whole.lengths, tests.lengths, strict=True):
            check_equal(code, own, other)
        several = isinstance(given, Elements)
        if isinstance(given, Elements):
            values = self._in_order(given, Length(true_count(code, tests), unknown_length(code)))
        else:
            values = everywhere(given)
        place = code.temporary("np.int64(0)")

        def one(indices: list[str]) -> None:
            with code.block(f"if {tests.at(indices).code}:"):
                made = self._changed(self._whole.at(indices), values([place]), operator)
                text = cast_to(code, made, self._held.array.element.dtype)
                code.line(f"{self._held.text}[{subscript(indices)}] = {text}")
                if several:
                    code.line(f"{place} += 1")

        over(code, tests.lengths, one)

    def _in_order(self, given: Elements, count: Length) -> Callable[[Sequence[str]], Value]:
        """The numbers that are stored, one for each element that is picked, or one for all."""
        model = Elements((count,), lambda _: Value({}))
        return spread(self._code, given, model, self._target)

    def _by_positions(self, given: Value | Elements, operator: ast.operator | None) -> None:
        """NumPy reads all elements before it stores one: of positions that are the same the last counts."""
        code, index, element = self._code, self._index, self._held.array.element
        assert index.kept is not None

        def place(indices: Sequence[str]) -> Value:
            code.node = self._target
            text = self._walk.place_on(self._held, 0, index.at(indices))
            return Value({NUMPY["int64"]: code.temporary(f"np.int64({text})")})

        places = elements_of(code, materialised(code, Elements(index.lengths, place)))
        values = self._in_order(given, index.lengths[0]) if isinstance(given, Elements) else everywhere(given)

        def at(indices: Sequence[str]) -> Value:
            own = self._whole.at([places.at(indices).code])
            return self._changed(own, values(indices), operator)

        if operator is not None:
            values = elements_of(code, materialised(code, Elements(index.lengths, at))).at

        def one(indices: list[str]) -> None:
            text = cast_to(code, values(indices), element.dtype)
            code.line(f"{self._held.text}[{subscript([places.at(indices).code])}] = {text}")

        over(code, index.lengths, one)

    def _changed(self, own: Value, value: Value, operator: ast.operator | None) -> Value:
        if operator is None:
            return value
        made = operators.binary(self._code, operator, own, value, self._target)
        if made.only is None or not np.can_cast(made.only.dtype, self._held.array.element.dtype, "same_kind"):
            text = f"`{ast.unparse(self._target)}` is given a number that does not fit"
            raise NotNative("unsupported-operation", text, self._target)
        return made

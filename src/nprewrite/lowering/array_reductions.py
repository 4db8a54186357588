"""Sums, extremes and the places of extremes over the axes of arrays, in lowered code."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from nprewrite.lowering import extremes, functions, operators
from nprewrite.lowering.array_ranks import SPREADS, axis_of
from nprewrite.lowering.array_walk import ArrayWalk
from nprewrite.lowering.elements import (
    Elements,
    Length,
    elements_of,
    flattened,
    materialised,
    over,
    real,
    strong,
)
from nprewrite.lowering.forms import Form
from nprewrite.lowering.numbers import INT, NUMPY, Number
from nprewrite.lowering.problems import Event, NotNative, Operation, not_followed
from nprewrite.lowering.values import Ending, Value, converted, truth

_PLACES = {"greatest place": ">", "least place": "<"}
_FOLDS: dict[str, ast.operator] = {"total": ast.Add(), "average": ast.Add(), "factors": ast.Mult()}
_SLOWER = {"greatest": 2.0, "least": 2.0, **dict.fromkeys(_PLACES, 1.0)}
"""By how many nanoseconds an element NumPy is faster, which has vectorised these."""
_WIDE = {"f": "float64", "c": "complex128"}
"""By the kind of a number, the type in which its like are added up."""
_TESTS = {"some": "or", "every": "and"}


def reduction(
    walk: ArrayWalk, kind: str, name: str, arguments: Sequence[ast.expr], node: ast.Call
) -> Value | Elements:
    """A reduction over all axes, which gives a number, or over one."""
    axis, whole = (
        axis_of(arguments, node, also="ddof" if kind in SPREADS else ""),
        walk.elements(arguments[0]),
    )
    walk.account(whole.lengths, _SLOWER.get(kind, 0.3))
    itself = Operation(f"np.{name}(np.empty(0))")
    if kind in SPREADS and whole.kept is None:
        # Its elements are needed twice.
        whole = elements_of(walk.code, materialised(walk.code, whole))
    if axis is None:
        return _Reducer(walk, kind, node, whole.lengths, itself).of(whole)
    number = walk.value(axis).form
    if number is None or number.terms or not -whole.rank <= number.constant < whole.rank:
        raise NotNative("not-scalar", f"`{ast.unparse(axis)}` is not a known axis", node)
    along = number.constant % whole.rank
    if whole.rank == 1:
        return _Reducer(walk, kind, node, whole.lengths, itself).of(whole)
    # Each element of the result reduces a column or a row of its own.
    lengths = (*whole.lengths[:along], *whole.lengths[along + 1 :])
    reducer = _Reducer(walk, kind, node, whole.lengths[along : along + 1])
    reducer.check()

    def at(indices: Sequence[str]) -> Value:
        part = Elements(
            whole.lengths[along : along + 1],
            lambda place: whole.at([*indices[:along], *place, *indices[along:]]),
        )
        return reducer.folded(part)

    return Elements(lengths, at)


def total(walk: ArrayWalk, elements: Elements, node: ast.Call) -> Value:
    """The sum of a vector."""
    return _Reducer(walk, "total", node, elements.lengths).of(elements)


def of_magnitudes(walk: ArrayWalk, kind: str, elements: Elements, node: ast.Call) -> Value:
    """The sum of the magnitudes of the floats in a vector, or the largest one."""
    walk.account(elements.lengths, _SLOWER.get(kind, 0.3))

    def magnitude(value: Value) -> Value:
        if real(value, node).dtype.kind != "f":
            raise not_followed(node)
        return functions.magnitude(walk.code, value, node)

    return _Reducer(walk, kind, node, elements.lengths).of(walk.elementwise([elements], magnitude, node))


class _Reducer:
    """One reduction over some axes, written wherever its result is needed; ``ending`` is for no elements."""

    def __init__(
        self,
        walk: ArrayWalk,
        kind: str,
        node: ast.Call,
        lengths: Sequence[Length],
        ending: Ending = Event.REPLAY,
    ) -> None:
        self.code, self.kind, self.node, self.lengths = walk.code, kind, node, lengths
        self.walk = walk
        self._ending = ending
        if kind in _PLACES and len(lengths) > 1:
            raise NotNative("not-scalar", f"`{ast.unparse(node)}` counts over several axes", node)

    def check(self) -> None:
        """End the run where an extreme of no elements is asked for."""
        if self.kind not in _SLOWER:
            return
        for each in self.lengths:
            if self.code.symbols.lower(each.form) < 1:
                self.code.node = self.node
                self.code.end_if(f"{each.text} < 1", self._ending)

    def of(self, whole: Elements) -> Value:
        """The reduction of a whole array; floats are added pairwise, as in NumPy."""
        self.check()
        if self.kind in SPREADS:
            return self._spread(whole, _Reducer.of)
        if self.kind not in ("total", "average"):
            return self.folded(whole)
        solid = (whole.kept if whole.rank == 1 else None) or flattened(self.code, whole)
        if solid.array.element.dtype.kind != "f":
            return self.folded(elements_of(self.code, solid))
        # NumPy's order over several axes depends on the layout.
        self.code.rounds |= whole.rank > 1
        element = solid.array.element
        text = f"np.{element.kept}(pairwise_sum({solid.text}, np.{element.kept}(0)))"
        total = Value({element: self.code.temporary(text)})
        return self._mean(total, element) if self.kind == "average" else total

    def folded(self, part: Elements) -> Value:
        """The reduction one element after the other."""
        if self.kind in SPREADS:
            return self._spread(part, _Reducer.folded)
        if self.kind in _PLACES:
            return self._place(part)
        if self.kind in _SLOWER:
            return self._extreme(part)
        if self.kind in _TESTS:
            return self._tested(part)
        return self._fold(part)

    def _first(self, part: Elements) -> Value:
        value = part.at(["0"] * part.rank)
        real(value, self.node)
        return value

    def _extreme(self, part: Elements) -> Value:
        first = self._first(part)
        number = NUMPY[first.only.kept] if first.only is not None else INT
        best = self.code.temporary(first.code)

        def one(indices: list[str]) -> None:
            pair = Value({number: best}), part.at(indices)
            better = extremes.extreme(self.code, self.kind, pair, self.node)
            self.code.line(f"{best} = {better.code}")

        over(self.code, part.lengths, one)
        return Value({number: best})

    def _place(self, part: Elements) -> Value:
        """The first place of the extreme, or that of the first not-a-number."""
        first = self._first(part)
        best, where = self.code.temporary(first.code), self.code.temporary("np.int64(0)")
        float_ = first.only is not None and first.only.dtype.kind == "f"

        def one(indices: list[str]) -> None:
            value = part.at(indices).code
            better = f"{value} {_PLACES[self.kind]} {best}"
            if float_:
                better += f" or ({value} != {value} and {best} == {best})"
            with self.code.block(f"if {better}:"):
                self.code.line(f"{best} = {value}")
                self.code.line(f"{where} = {indices[0]}")

        over(self.code, part.lengths, one)
        last = self.lengths[0].form.plus(Form(-1))
        return Value({NUMPY["int64"]: where}, form=self.code.symbols.new(Form(0), last))

    def _tested(self, part: Elements) -> Value:
        every = self.kind == "every"
        found = self.code.temporary(str(every))

        def add(indices: list[str]) -> None:
            one = truth(self.code, part.at(indices))
            self.code.line(f"{found} = {found} {_TESTS[self.kind]} {one}")

        over(self.code, part.lengths, add)
        return Value({NUMPY["bool"]: found}, form=self.code.symbols.between(0, 1))

    def _fold(self, part: Elements) -> Value:
        """A sum or a product; for float32 in float64, which is more accurate than NumPy's pairwise sum, and
        alike for complex numbers."""
        position, indent = len(self.code.lines), self.code.indent
        total = self.code.fresh()
        numbers: list[Number] = []

        def one(indices: list[str]) -> None:
            value = part.at(indices)
            number = self._result(strong(value))
            wide = NUMPY[_WIDE.get(number.dtype.kind, number.kept)]
            numbers.append(number)
            pair = Value({wide: total}), Value({wide: converted(self.code, value, wide.dtype)})
            self.code.line(
                f"{total} = {operators.binary(self.code, _FOLDS[self.kind], *pair, self.node).code}"
            )

        over(self.code, part.lengths, one)
        (number,) = numbers
        wide = _WIDE.get(number.dtype.kind, number.kept)
        self.code.rounds |= number.dtype.kind in _WIDE
        start = f"{total} = np.{wide}({int(self.kind == 'factors')})"
        assert indent == self.code.indent
        self.code.lines.insert(position, self.code.indented(start))
        made = Value({number: self.code.temporary(f"np.{number.kept}({total})")})
        return self._mean(made, number) if self.kind == "average" else made

    def _spread(self, part: Elements, reduced: Callable[[_Reducer, Elements], Value]) -> Value:
        """The variance, or its root: the mean of the squares of what differs from the mean."""
        code, node = self.code, self.node
        freedom = next((each.value for each in node.keywords if each.arg == "ddof"), ast.Constant(0))
        if not isinstance(freedom, ast.Constant) or type(freedom.value) is not int or freedom.value < 0:
            raise not_followed(node)
        mean, added = (_Reducer(self.walk, each, node, self.lengths) for each in ("average", "total"))
        middle = reduced(mean, part)

        def squared(indices: Sequence[str]) -> Value:
            apart = operators.binary(code, ast.Sub(), part.at(indices), middle, node)
            real(apart, node)
            return operators.binary(code, ast.Mult(), apart, apart, node)

        total = reduced(added, Elements(part.lengths, squared))
        count = code.temporary(
            f"np.int64({' * '.join(each.text for each in self.lengths)}) - {freedom.value}"
        )
        # NumPy warns, and may divide by zero.
        code.end_if(f"{count} < 1", Event.REPLAY)
        variance = operators.binary(code, ast.Div(), total, Value({INT: count}), node)
        if self.kind == "variance":
            return variance
        return functions.call(code, "numpy.sqrt", [variance], node)

    def _result(self, number: Number) -> Number:
        """The type of the sum of elements of a type."""
        if number.dtype.kind in _WIDE:
            return NUMPY[number.kept]
        if self.kind == "average":
            return NUMPY["float64"]
        return NUMPY["uint64" if number.dtype.kind == "u" else "int64"]

    def _mean(self, total: Value, number: Number) -> Value:
        texts = [each.text for each in self.lengths]
        count = Value({INT: self.code.temporary(f"np.int64({' * '.join(texts)})")})
        return operators.binary(self.code, ast.Div(), total, count, self.node)

"""Sums, extremes and their places over the axes of arrays, in lowered code."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from nprewrite.lowering import functions, operators
from nprewrite.lowering.elements import Elements, Length, elements_of, materialised, over, strong
from nprewrite.lowering.forms import Form
from nprewrite.lowering.numbers import INT, NUMPY, Number
from nprewrite.lowering.problems import Event, NotNative, Operation
from nprewrite.lowering.values import Ending, Value, converted

if TYPE_CHECKING:
    from nprewrite.lowering.array_expressions import ArrayExpressions

_EXTREMES = {"max": "maximum", "amax": "maximum", "min": "minimum", "amin": "minimum"}
_PLACES = {"argmax": ">", "argmin": "<"}
_FOLDS: dict[str, ast.operator] = {"sum": ast.Add(), "mean": ast.Add(), "prod": ast.Mult()}
_SLOWER = {**dict.fromkeys(_EXTREMES, 2.0), **dict.fromkeys(_PLACES, 1.0)}
"""By how many nanoseconds an element NumPy, which has these vectorised, is faster."""
_TESTS = {"any": "or", "all": "and"}
NAMES = frozenset({*_EXTREMES, *_PLACES, *_FOLDS, *_TESTS})


def axis_of(arguments: Sequence[ast.expr], node: ast.Call) -> ast.expr | None:
    """The axis that a reduction is asked for; None for all of them."""
    if len(arguments) > 2 or any(each.arg != "axis" for each in node.keywords):
        raise NotNative("unknown-call", f"`{ast.unparse(node)}` is followed with an axis only", node)
    given = [*arguments[1:], *(each.value for each in node.keywords)]
    if not given or (isinstance(given[0], ast.Constant) and given[0].value is None):
        return None
    return given[0]


def reduction(
    walk: ArrayExpressions, name: str, arguments: Sequence[ast.expr], node: ast.Call
) -> Value | Elements:
    """A reduction over all axes, which is a number, or over one."""
    axis, whole = axis_of(arguments, node), walk.elements(arguments[0])
    walk.account(whole.lengths, _SLOWER.get(name, 0.3))
    if axis is None:
        return _Reducer(walk, name, node, whole.lengths).of(whole)
    number = walk.value(axis).form
    if number is None or number.terms or not -whole.rank <= number.constant < whole.rank:
        raise NotNative("not-scalar", f"`{ast.unparse(axis)}` is not a known axis", node)
    along = number.constant % whole.rank
    if whole.rank == 1:
        return _Reducer(walk, name, node, whole.lengths).of(whole)
    # Each element of the result walks along a column or a row of its own.
    lengths = (*whole.lengths[:along], *whole.lengths[along + 1 :])
    reducer = _Reducer(walk, name, node, whole.lengths[along : along + 1], replays=True)
    reducer.check()

    def at(indices: Sequence[str]) -> Value:
        part = Elements(
            whole.lengths[along : along + 1],
            lambda place: whole.at([*indices[:along], *place, *indices[along:]]),
        )
        return reducer.folded(part)

    return Elements(lengths, at)


def total(walk: ArrayExpressions, elements: Elements, node: ast.Call) -> Value:
    """The sum of a vector."""
    return _Reducer(walk, "sum", node, elements.lengths).of(elements)


class _Reducer:
    """One reduction over some axes, written wherever its result is needed."""

    def __init__(
        self,
        walk: ArrayExpressions,
        name: str,
        node: ast.Call,
        lengths: Sequence[Length],
        *,
        replays: bool = False,
    ) -> None:
        self.code, self.name, self.node, self.lengths = walk.code, name, node, lengths
        self._ending: Ending = Event.REPLAY if replays else Operation(f"np.{name}(np.empty(0))")
        if name in _PLACES and len(lengths) > 1:
            raise NotNative("not-scalar", f"`{ast.unparse(node)}` counts over several axes", node)

    def check(self) -> None:
        """End where an extreme of nothing is asked for."""
        if self.name not in _EXTREMES and self.name not in _PLACES:
            return
        for each in self.lengths:
            if self.code.symbols.lower(each.form) < 1:
                self.code.node = self.node
                self.code.end_if(f"{each.text} < 1", self._ending)

    def of(self, whole: Elements) -> Value:
        """The reduction of a whole array: sums of floats are NumPy's pairwise ones."""
        self.check()
        if self.name not in ("sum", "mean"):
            return self.folded(whole)
        kept = whole.kept if whole.rank == 1 else None
        solid = kept or materialised(self.code, whole)
        if solid.array.element.dtype.kind != "f":
            return self.folded(elements_of(self.code, solid))
        # NumPy's order over several axes depends on the layout.
        self.code.rounds |= whole.rank > 1
        flat = f"{solid.text}.reshape(-1)" if whole.rank > 1 else solid.text
        element = solid.array.element
        text = f"np.{element.kept}(pairwise_sum({flat}, np.{element.kept}(0)))"
        total = Value({element: self.code.temporary(text)})
        return self._mean(total, element) if self.name == "mean" else total

    def folded(self, part: Elements) -> Value:
        """The reduction one element after the other."""
        if self.name in _PLACES:
            return self._place(part)
        if self.name in _EXTREMES:
            return self._extreme(part)
        if self.name in _TESTS:
            return self._tested(part)
        return self._fold(part)

    def _first(self, part: Elements) -> Value:
        value = part.at(["0"] * part.rank)
        strong(value)
        return value

    def _extreme(self, part: Elements) -> Value:
        first = self._first(part)
        number = NUMPY[first.only.kept] if first.only is not None else INT
        best = self.code.temporary(first.code)

        def one(indices: list[str]) -> None:
            pair = Value({number: best}), part.at(indices)
            better = functions.call(self.code, f"numpy.{_EXTREMES[self.name]}", pair, self.node)
            self.code.line(f"{best} = {better.code}")

        over(self.code, part.lengths, one)
        return Value({number: best})

    def _place(self, part: Elements) -> Value:
        """The first place of the extreme; the first not-a-number wins."""
        first = self._first(part)
        best, where = self.code.temporary(first.code), self.code.temporary("np.int64(0)")
        float_ = first.only is not None and first.only.dtype.kind == "f"

        def one(indices: list[str]) -> None:
            value = part.at(indices).code
            better = f"{value} {_PLACES[self.name]} {best}"
            if float_:
                better += f" or ({value} != {value} and {best} == {best})"
            with self.code.block(f"if {better}:"):
                self.code.line(f"{best} = {value}")
                self.code.line(f"{where} = {indices[0]}")

        over(self.code, part.lengths, one)
        last = self.lengths[0].form.plus(Form(-1))
        return Value({NUMPY["int64"]: where}, form=self.code.symbols.new(Form(0), last))

    def _tested(self, part: Elements) -> Value:
        every = self.name == "all"
        found = self.code.temporary(str(every))

        def one(indices: list[str]) -> None:
            truth = functions.truth(self.code, part.at(indices))
            self.code.line(f"{found} = {found} {_TESTS[self.name]} {truth}")

        over(self.code, part.lengths, one)
        return Value({NUMPY["bool"]: found}, form=self.code.symbols.between(0, 1))

    def _fold(self, part: Elements) -> Value:
        """A sum or a product; of float32 in float64, which is closer than NumPy's pairwise sum."""
        position, indent = len(self.code.lines), self.code.indent
        total = self.code.fresh()
        numbers: list[Number] = []

        def one(indices: list[str]) -> None:
            value = part.at(indices)
            number = self._result(strong(value))
            wide = NUMPY["float64"] if number.dtype.kind == "f" else number
            numbers.append(number)
            pair = Value({wide: total}), Value({wide: converted(self.code, value, wide.dtype)})
            self.code.line(
                f"{total} = {operators.binary(self.code, _FOLDS[self.name], *pair, self.node).code}"
            )

        over(self.code, part.lengths, one)
        (number,) = numbers
        wide = "float64" if number.dtype.kind == "f" else number.kept
        self.code.rounds |= number.dtype.kind == "f"
        start = f"{total} = np.{wide}({int(self.name == 'prod')})"
        assert indent == self.code.indent
        self.code.lines.insert(position, self.code.indented(start))
        made = Value({number: self.code.temporary(f"np.{number.kept}({total})")})
        return self._mean(made, number) if self.name == "mean" else made

    def _result(self, number: Number) -> Number:
        """The type of the sum of elements of a type."""
        if number.dtype.kind == "f":
            return NUMPY[number.kept]
        if self.name == "mean":
            return NUMPY["float64"]
        return NUMPY["uint64" if number.dtype.kind == "u" else "int64"]

    def _mean(self, total: Value, number: Number) -> Value:
        texts = [each.text for each in self.lengths]
        count = Value({INT: self.code.temporary(f"np.int64({' * '.join(texts)})")})
        return operators.binary(self.code, ast.Div(), total, count, self.node)

"""Expressions of whole arrays in lowered code: their elements are computed in loops.

Numbers in them, indices and lengths are computed first, each element when a loop needs it. An array that is
bound to a name has memory of its own, so that views and other names see the same as in NumPy.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from nprewrite.base.syntax import is_ellipsis, is_new_axis, items_of
from nprewrite.lowering import array_functions, array_ranks, operators
from nprewrite.lowering.array_products import product
from nprewrite.lowering.array_searches import first_positions
from nprewrite.lowering.array_walk import ArrayWalk
from nprewrite.lowering.arrays import ArrayValue, array_value
from nprewrite.lowering.elements import (
    ONE,
    Elements,
    Length,
    check_equal,
    elements_of,
    in_memory,
    materialised,
    where_true,
)
from nprewrite.lowering.environment import unknown_length
from nprewrite.lowering.forms import Form
from nprewrite.lowering.held_lists import held_by
from nprewrite.lowering.lists import as_array
from nprewrite.lowering.numbers import INT
from nprewrite.lowering.problems import NotNative
from nprewrite.lowering.values import Value


class ArrayExpressions(ArrayWalk):
    """Evaluates expressions whose value may be an array."""

    def evaluate(self, node: ast.expr) -> Value | Elements:
        """What ``node`` evaluates to: a number, or the elements of an array."""
        match node:
            case ast.BinOp(op=ast.MatMult()):
                return product(self, self._operands(node), node)
            case ast.BinOp():
                return self._binary(node, node.op, *self._operands(node))
            case ast.Call():
                return self._called(node)
            case ast.Name() if self.is_array(node):
                held = self.held(node.id)
                assert held is not None
                return elements_of(self.code, held)
            case ast.UnaryOp(op=ast.USub() | ast.UAdd() | ast.Invert()) if self.is_array(node.operand):
                op = node.op
                return self.elementwise(
                    [self.evaluate(node.operand)], lambda one: operators.unary(self.code, op, one, node), node
                )
            case ast.Compare(ops=[operator], comparators=[right]) if self.is_array(node):
                return self.elementwise(
                    [self.evaluate(node.left), self.evaluate(right)],
                    lambda one, other: operators.compare(self.code, operator, one, other, node),
                    node,
                )
            case ast.Attribute(attr="T") if self.is_array(node.value):
                return self._transposed(self.elements(node.value))
            case ast.Subscript() if self.is_array(node):
                return self.part(node)
            case ast.Subscript() if self._is_computed_element(node):
                return self._computed_element(node)
        return super().evaluate(node)

    def _operands(self, node: ast.BinOp) -> list[Value | Elements]:
        sides = (node.left, node.right)
        if not array_ranks.is_with_list(self, node):
            return [self.evaluate(each) for each in sides]
        found = [held_by(self, each) for each in sides]
        pairs = zip(sides, found, strict=True)
        return [self.evaluate(each) if held is None else as_array(self, held, node) for each, held in pairs]

    def _is_computed_element(self, node: ast.Subscript) -> bool:
        """Whether a number is picked from an array that has no name: ``(a @ b)[0]``, ``x[1:][i]``."""
        base = node.value
        while isinstance(base, ast.Subscript) and all(map(self._is_place, items_of(base))):
            base = base.value
        return not isinstance(base, ast.Name) and self.is_array(node.value) and not self.is_array(node)

    def _is_place(self, item: ast.expr) -> bool:
        adds = isinstance(item, ast.Slice) or is_new_axis(item) or is_ellipsis(item)
        return not adds and not self.is_array(item)

    def _computed_element(self, node: ast.Subscript) -> Value:
        """An element of an array without a name, which is computed whole because other elements may raise."""
        held = self.solid(node.value)
        indices = [self.index(each, node) for each in items_of(node)]
        if len(indices) != len(held.lengths or ()):
            raise NotNative("not-scalar", f"`{ast.unparse(node)}` has too many indices", node)
        self.code.node = node
        places = [self.place_on(held, axis, each) for axis, each in enumerate(indices)]
        return elements_of(self.code, held).at(places)

    def _binary(
        self, node: ast.BinOp, op: ast.operator, left: Value | Elements, right: Value | Elements
    ) -> Value | Elements:
        if not isinstance(left, Elements) and not isinstance(right, Elements):
            return operators.binary(self.code, op, left, right, node)
        if isinstance(op, ast.Pow) and isinstance(left, Elements) and _is_two(right):
            return self.elementwise(
                [left], lambda one: operators.binary(self.code, ast.Mult(), one, one, node), node
            )
        return self.elementwise(
            [left, right],
            lambda one, other: operators.binary(self.code, op, one, other, node),
            node,
            slower=12.0 if isinstance(op, ast.Pow) else 0.0,
        )

    def _called(self, node: ast.Call) -> Value | Elements:
        match node:
            case ast.Call(args=[sized], keywords=[]) if self._is_length(node, sized):
                length = self.elements(sized).lengths[0]
                return Value({INT: self.code.temporary(f"np.int64({length.text})")}, form=length.form)
        found = array_functions.call(self, node)
        return found if found is not None else self._call(node)

    def _is_length(self, node: ast.Call, sized: ast.expr) -> bool:
        """Whether a call is the ``len`` of an array without a name."""
        unnamed = not isinstance(sized, ast.Name) and self.is_array(sized)
        return unnamed and self.resolve(node.func) == "builtins.len"

    def _transposed(self, elements: Elements) -> Elements:
        held = in_memory(self.code, elements)
        if held.lengths is None or len(held.lengths) < 2:
            return elements
        name = self.code.temporary(f"{held.text}.T")
        return elements_of(self.code, array_value(name, held.array.element, held.lengths[::-1], held.roots))

    def stored_in(self, node: ast.Name | ast.Subscript) -> Elements:
        """What ``x[i, :] = value`` stores into: ``x[k]`` of an array ``k`` would be a copy."""
        if isinstance(node, ast.Subscript) and any(map(self.is_array, items_of(node))):
            raise NotNative("not-scalar", f"`{ast.unparse(node)}` is stored into", node)
        return self.elements(node)

    def part(self, node: ast.Subscript) -> Elements:
        """``x[i]``, ``x[:, j]``, ``x[a:b]``, ``x[:, None]`` as a view."""
        if array_ranks.is_first_positions(self, node):
            return first_positions(self, node)
        base = self.solid(node.value)
        assert base.lengths is not None
        items = items_of(node)
        taken = sum(not is_new_axis(each) and not is_ellipsis(each) for each in items)
        if len(items) == 1 and array_ranks.is_mask(self, items[0]):
            return self._selected(base, items[0], node)
        if any(map(self.is_array, items)):
            return self._gathered(base, items, node)
        if taken > len(base.lengths):
            raise NotNative("not-scalar", f"`{ast.unparse(node)}` has too many indices", node)
        place = next((k for k, each in enumerate(items) if is_ellipsis(each)), len(items))
        items[place : place + 1] = [ast.Slice()] * (len(base.lengths) - taken)
        codes: list[str] = []
        kept: list[Form | None] = []
        axis = 0
        for each in items:
            if is_new_axis(each):
                kept.append(None)
                continue
            if isinstance(each, ast.Slice):
                text, length = self._slice(
                    each, Length(f"{base.text}.shape[{axis}]", base.lengths[axis]), node
                )
                kept.append(length)
            else:
                index = self.index(each, node)
                self.code.node = node
                text = self.place_on(base, axis, index)
            codes.append(text)
            axis += 1
        name = base.text
        if any(each != ":" for each in codes):
            name = self.code.temporary(f"{base.text}[{', '.join(codes)}]")
        lengths = tuple(each for each in kept if each is not None)
        array = array_value(name, base.array.element, lengths, base.roots)
        view = elements_of(self.code, array)
        if None not in kept:
            return view
        spread = iter(view.lengths)
        whole = tuple(Length("np.int64(1)", ONE) if each is None else next(spread) for each in kept)
        return Elements(
            whole,
            lambda indices: view.at([at for at, each in zip(indices, kept, strict=True) if each is not None]),
        )

    def _selected(self, base: ArrayValue, mask: ast.expr, node: ast.Subscript) -> Elements:
        """``x[m]`` for a mask of the shape of ``x``: a vector as long as elements are true."""
        code, whole, chosen = self.code, elements_of(self.code, base), self.solid(mask)
        tests = elements_of(code, chosen)
        if chosen.array.element.dtype.kind != "b" or tests.rank != whole.rank:
            raise NotNative("not-scalar", f"`{ast.unparse(node)}` selects by a mask of another shape", node)
        for own, other in zip(whole.lengths, tests.lengths, strict=True):
            check_equal(code, own, other)
        made = where_true(code, tests, base.array.element, lambda indices: whole.at(indices).code)
        self.account(whole.lengths, 0.0)
        return elements_of(code, made)

    def _gathered(self, base: ArrayValue, items: Sequence[ast.expr], node: ast.Subscript) -> Elements:
        """``x[k]`` for an array ``k`` of integers, each of which is checked."""
        if len(items) != 1 or base.lengths is None or len(base.lengths) != 1:
            raise NotNative("not-scalar", f"`{ast.unparse(node)}` picks elements of several axes", node)
        # NumPy checks all indices before it reads an element.
        indices = elements_of(self.code, self.solid(items[0]))
        assert indices.kept is not None
        if not indices.kept.array.element.is_integer:
            raise NotNative("not-scalar", f"`{ast.unparse(node)}` selects elements by a mask", node)

        def at(where: Sequence[str]) -> Value:
            index = indices.at(where)
            self.code.node = node
            position = self.place_on(base, 0, index)
            return Value({base.array.element: self.code.temporary(f"{base.text}[{position}]")})

        self.account(indices.lengths, 0.5)
        made = materialised(self.code, Elements(indices.lengths, at))
        return elements_of(self.code, made)

    def _slice(self, node: ast.Slice, whole: Length, place: ast.expr) -> tuple[str, Form]:
        """The code of a slice, and its length."""
        step = 1
        if node.step is not None:
            found = self.value(node.step).form
            if found is None or found.terms or not found.constant:
                raise NotNative("not-scalar", f"`{ast.unparse(place)}` has a step of unknown size", place)
            step = found.constant
        if node.lower is None and node.upper is None:
            text = ":" if step == 1 else f"::{step}"
            return text, whole.form if abs(step) == 1 else unknown_length(self.code)
        bounds = [self._bound(each, place) for each in (node.lower, node.upper)]
        codes = [self.integer(each) if each is not None else "" for each in bounds]
        text = ":".join([*codes, *([str(step)] if step != 1 else [])])
        if step != 1:
            return text, unknown_length(self.code)
        forms = [
            self._from_start(each.form, whole) if each is not None else default
            for each, default in zip(bounds, (Form(0), whole.form), strict=True)
        ]
        return text, self._distance(forms[0], forms[1])

    def _bound(self, node: ast.expr | None, place: ast.expr) -> Value | None:
        if node is None or (isinstance(node, ast.Constant) and node.value is None):
            return None
        value = self.value(node)
        if not all(number.is_integer for number in value.codes):
            raise NotNative("not-scalar", f"`{ast.unparse(place)}` has a bound that is not an integer", place)
        return value

    def _from_start(self, form: Form | None, whole: Length) -> Form | None:
        """A bound counted from the start of the axis; None where it may lie outside it."""
        symbols = self.code.symbols
        if form is None:
            return None
        if symbols.upper(form) < 0:
            form = form.plus(whole.form)
        inside = symbols.lower(form) >= 0 and symbols.lower(whole.form.minus(form)) >= 0
        return form if inside else None

    def _distance(self, start: Form | None, stop: Form | None) -> Form:
        if start is None or stop is None or self.code.symbols.lower(stop.minus(start)) < 0:
            return unknown_length(self.code)
        return stop.minus(start)


def _is_two(value: Value | Elements) -> bool:
    """Whether a power is the square that NumPy computes as a product."""
    return isinstance(value, Value) and value.literal == 2

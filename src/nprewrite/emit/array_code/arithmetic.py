"""Slices along lanes, and operations on the values of all lanes, with the types that single elements have."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from nprewrite.base.syntax import expression_tree, name_nodes
from nprewrite.emit.array_code.guards import NotVectorizedError
from nprewrite.emit.array_code.scene import Scene, Vec
from nprewrite.emit.array_code.syntax import call, cast, subscript, transposed
from nprewrite.numpy_api.elementwise import OPERATORS
from nprewrite.types.affine import Affine, number, symbol
from nprewrite.types.integer_sizes import LARGEST, bounded, limit_for, magnitude
from nprewrite.types.loop_numbers import Type, join, operation, python_operation

_NARROW = {"float32", "complex64"}

_MOST_EXPONENT = 4
"""The largest exponent followed for Python numbers: powers of floats below 1e75 are then finite."""

_TOGETHER: dict[type[ast.boolop], ast.operator] = {ast.And: ast.BitAnd(), ast.Or: ast.BitOr()}

BOOLEAN = Type("bool", np.dtype(bool))


@dataclass(frozen=True)
class Arithmetic:
    """Operators, selects and comparisons of a statement's values, whose axes are the lanes in ``order``."""

    scene: Scene
    order: tuple[str, ...]

    def slice(self, form: Affine, lane: str, length: Affine, node: ast.expr) -> ast.expr:
        """``lo:hi`` for an index that grows with its lane, on an axis of ``length`` elements."""
        scene, span = self.scene, self.scene.span(lane)
        factor = form.coefficient(lane)
        start = form.replaced(lane, span.lows[0])
        last = form.replaced(lane, span.highs[0] - 1)
        stop = last + 1
        what = f"nothing proves that `{ast.unparse(node)}` stays inside of the array"
        scene.require(start, node, what)
        scene.require(length - stop, node, what)
        behind = stop - length
        step = factor * span.stride
        if behind.terms:
            scene.require(stop, node, what)
        texts = scene.texts
        upper = expression_tree(stop.text(texts)) if behind.terms else None
        if not behind.terms and behind.constant:
            upper = expression_tree(str(behind.constant))
        lower = None if start == number(0) else expression_tree(start.text(texts))
        return ast.Slice(lower, upper, ast.Constant(step) if step != 1 else None)

    def arranged(self, base: ast.expr, items: Sequence[ast.expr], lanes: Sequence[str]) -> ast.expr:
        """``base[items]`` with its axes in the order of the scene; ``lanes`` are those of the slices."""
        wanted = [each for each in self.order if each in lanes]
        slices = [each for each in items if isinstance(each, ast.Slice)]
        if len(slices) == len(lanes) and list(lanes) == wanted:
            return subscript(base, self._with_new_axes(items, wanted))
        view = subscript(base, items)
        if list(lanes) != wanted:
            axes = [list(lanes).index(each) for each in wanted]
            view = transposed(view, axes)
        return self.aligned(view, wanted)

    def aligned(self, view: ast.expr, lanes: Sequence[str]) -> ast.expr:
        """An array whose axes are ``lanes``, with new axes for the other lanes after the first of them."""
        items: list[ast.expr] = [ast.Slice() for _ in lanes]
        return subscript(view, self._with_new_axes(items, lanes))

    def _with_new_axes(self, items: Sequence[ast.expr], lanes: Sequence[str]) -> list[ast.expr]:
        missing = [each for each in self.order if each not in lanes]
        if not lanes:
            return list(items)
        found: list[ast.expr] = []
        slices = iter(lanes)
        rank = {lane: place for place, lane in enumerate(self.order)}
        previous = rank[lanes[0]]
        for item in items:
            if isinstance(item, ast.Slice):
                here = rank[next(slices)]
                found += [ast.Constant(None) for each in missing if previous < rank[each] < here]
                previous = here
            found.append(item)
        return found + [ast.Constant(None) for each in missing if rank[each] > previous]

    def binary(self, op: ast.operator, left: Vec, right: Vec, node: ast.expr | ast.stmt) -> Vec:
        """``left op right`` with the dtype that the elements would have."""
        name = OPERATORS.get(type(op).__name__)
        if name is None:
            raise NotVectorizedError("unsupported-operation", f"`{ast.unparse(node)}` is not supported", node)
        if left.type.weak and right.type.weak:
            return self._python(op, left, right, node)
        self._check_power(op, left, right, node)
        python = all(each.type.mixed or each.type.weak for each in (left, right))
        if isinstance(op, ast.Div | ast.FloorDiv | ast.Mod) and python:
            self._nonzero(right, node)
        if isinstance(op, ast.Pow) and python:
            self._check_python_power(left, right, node)
        return self.applied(name, [left, right], node, lambda parts: ast.BinOp(parts[0], op, parts[1]))

    def applied(
        self,
        name: str,
        operands: Sequence[Vec],
        node: ast.expr | ast.stmt,
        build: Callable[[list[ast.expr]], ast.expr],
    ) -> Vec:
        found = operation(name, [each.type for each in operands])
        if found is None:
            text = f"`{ast.unparse(node)}` raises TypeError for these types"
            raise NotVectorizedError("unsupported-operation", text, node)
        dtypes, result = found
        narrow = any(each.type.dtype is not None and each.type.dtype.name in _NARROW for each in operands)
        if narrow and any(each.type.mixed and each.type.natural == np.float64 for each in operands):
            text = f"`{ast.unparse(node)}` is float32 for a Python number and float64 for one of NumPy"
            raise NotVectorizedError("dtype-changes", text, node)
        self.scene.guards.computes = True
        self._check_range(operands, dtypes, node)
        parts = [
            _in_dtype(each, dtype, self.scene.numpy) for each, dtype in zip(operands, dtypes, strict=True)
        ]
        lanes = frozenset[str]().union(*(each.lanes for each in operands))
        mixed = any(each.type.mixed for each in operands) and all(
            each.type.mixed or each.type.weak for each in operands
        )
        return Vec(build(parts), lanes, replace(result, mixed=mixed))

    def _check_range(
        self, operands: Sequence[Vec], dtypes: Sequence[np.dtype[np.generic]], node: ast.expr | ast.stmt
    ) -> None:
        """Check that Python integers fit the integers of an array next to them, as NumPy would."""
        for each, dtype in zip(operands, dtypes, strict=True):
            if not each.type.weak or each.type.kind != "int" or dtype.kind not in "iu":
                continue
            limits = np.iinfo(dtype.name)
            if isinstance(each.type.literal, int) and limits.min <= each.type.literal <= limits.max:
                continue
            form = self.scene.nest.affine(each.node, self.scene.loops) if not each.lanes else None
            if each.lanes and dtype == np.int64:
                continue
            if form is None or isinstance(each.type.literal, int):
                text = f"`{ast.unparse(each.node)}` may not fit into {dtype}"
                raise NotVectorizedError("value-out-of-range", text, node)
            self._within(form, int(limits.min), int(limits.max), node)

    def _within(self, form: Affine, low: int, high: int, node: ast.expr | ast.stmt) -> None:
        what = f"nothing bounds `{form.text(self.scene.texts)}`"
        self.scene.require(form - low, node, what)
        self.scene.require(number(high) - form, node, what)

    def _python(self, op: ast.operator, left: Vec, right: Vec, node: ast.expr | ast.stmt) -> Vec:
        """An operation on two Python numbers: integers are exact, and some results raise."""
        lanes = left.lanes | right.lanes
        kind = python_operation(type(op).__name__, left.type, right.type)
        text = f"`{ast.unparse(node)}`"
        if kind is None or "complex" in (left.type.kind, right.type.kind):
            raise NotVectorizedError("unsupported-operation", f"{text} on Python numbers", node)
        if lanes and "bool" in (left.type.kind, right.type.kind):
            raise NotVectorizedError("unsupported-operation", f"{text} counts with truth values", node)
        if isinstance(op, ast.Div | ast.FloorDiv | ast.Mod):
            self._nonzero(right, node)
            if lanes and not isinstance(op, ast.Div) and kind.kind == "float":
                raise NotVectorizedError("unsupported-operation", f"{text} on floats", node)
        if isinstance(op, ast.Pow):
            self._check_python_power(left, right, node)
        bound = bounded(op, left.bound, right.bound, right.type.literal)
        if lanes:
            bound = self._small(op, left, right, kind, bound, node)
        result = ast.BinOp(left.node, op, right.node)
        return Vec(result, lanes, kind, bound=bound)

    def _small(
        self,
        op: ast.operator,
        left: Vec,
        right: Vec,
        kind: Type,
        bound: int | None,
        node: ast.expr | ast.stmt,
    ) -> int | None:
        """The bound of a result, checked so that integers along lanes stay exact in int64 and float64."""
        integers = [each for each in (left, right) if each.type.kind == "int"]
        fits = all(each.bound is not None and each.bound <= LARGEST for each in integers)
        if kind.kind == "int":
            fits = fits and bound is not None and bound <= LARGEST
        if fits:
            return bound
        limit = limit_for(node)
        if limit is None:
            text = f"`{ast.unparse(node)}` may be larger than 2**53"
            raise NotVectorizedError("value-out-of-range", text, node)
        for form in self._leaves(node):
            self._within(form, -limit, limit, node)
        return magnitude(node, limit) if kind.kind == "int" else None

    def _leaves(self, node: ast.expr | ast.stmt) -> list[Affine]:
        """The ends of the loop variables and the fixed integers in ``node``."""
        found: list[Affine] = []
        for each in name_nodes(node):
            form = self.scene.nest.affine(each, self.scene.loops)
            for name in form.symbols if form is not None else ():
                if not name.startswith("%"):
                    found.append(symbol(name))
                    continue
                span = self.scene.span(name)
                found += [span.lows[0], span.highs[0] - 1]
        return found

    def _nonzero(self, divisor: Vec, node: ast.expr | ast.stmt) -> None:
        if divisor.type.literal is not None and divisor.type.literal != 0:
            return
        if divisor.type.literal == 0 or divisor.lanes or not self._is_fixed(divisor.node):
            text = f"`{ast.unparse(divisor.node)}` may be 0, where Python raises"
            raise NotVectorizedError("may-raise", text, node)
        form = self.scene.nest.affine(divisor.node, self.scene.loops)
        if form is not None and form.terms and not any(name.startswith("%") for name in form.symbols):
            known = self.scene.nest.known
            if known.nonnegative(form) or known.nonnegative(form + 1):
                self.scene.guards.require(form - 1, (), node, "the divisor may be 0")
                return
        if form is None or not self.scene.nest.known.nonnegative(form - 1):
            self.scene.guards.ask(f"{ast.unparse(divisor.node)} != 0")

    def _is_fixed(self, node: ast.expr) -> bool:
        """Whether an expression can be evaluated before the nest, and cannot raise there.

        For powers of floats a condition has been asked before: ``abs(dx) < 1e75`` for ``dx**2``.
        """
        match node:
            case ast.Constant():
                return True
            case ast.Name(id=name):
                return name not in self.scene.nest.bound
            case ast.BinOp(op=ast.Add() | ast.Sub() | ast.Mult()):
                return self._is_fixed(node.left) and self._is_fixed(node.right)
            case ast.BinOp(op=ast.Pow(), right=ast.Constant(value=int() as exponent)):
                return 0 <= exponent <= _MOST_EXPONENT and self._is_fixed(node.left)
            case ast.BinOp(op=ast.Div(), right=ast.Constant(value=int() | float() as divisor)):
                return divisor != 0 and self._is_fixed(node.left)
            case ast.Subscript() | ast.Call():
                # The length of an axis.
                return self.scene.nest.affine(node, ()) is not None
        return False

    def _check_python_power(self, left: Vec, right: Vec, node: ast.expr | ast.stmt) -> None:
        exponent = right.type.literal
        if not isinstance(exponent, int) or not 0 <= exponent <= _MOST_EXPONENT:
            text = f"`{ast.unparse(node)}` may overflow, where Python raises"
            raise NotVectorizedError("may-raise", text, node)
        if left.type.kind != "float" or left.type.literal is not None or exponent < 2:
            return
        if left.lanes or not self._is_fixed(left.node):
            text = f"`{ast.unparse(node)}` may overflow, where Python raises"
            raise NotVectorizedError("may-raise", text, node)
        self.scene.guards.ask(f"abs({ast.unparse(left.node)}) < 1e75")

    def _check_power(self, op: ast.operator, left: Vec, right: Vec, node: ast.expr | ast.stmt) -> None:
        """Check for negative exponents, for which NumPy's integers raise."""
        integers = {left.type.kind, right.type.kind} <= {"int", "bool"}
        exponent = right.type.literal
        if isinstance(op, ast.Pow) and integers and not (isinstance(exponent, int) and exponent >= 0):
            text = f"`{ast.unparse(node)}` raises for a negative exponent"
            raise NotVectorizedError("may-raise", text, node)

    def where(self, test: Vec, yes: Vec, no: Vec, node: ast.expr | ast.stmt) -> Vec:
        """``np.where(test, yes, no)`` in the common type; a Python conditional where nothing varies."""
        kind = join(yes.type, no.type)
        if kind is None:
            text = f"`{ast.unparse(node).splitlines()[0]}` has another type in some iterations than in others"
            raise NotVectorizedError("dtype-changes", text, node)
        if yes.type.kind != no.type.kind:
            self.scene.guards.rounds = True
        lanes = test.lanes | yes.lanes | no.lanes
        bounds = [yes.bound, no.bound]
        bound = max(each for each in bounds if each is not None) if None not in bounds else None
        if not test.lanes:
            result: ast.expr = ast.IfExp(test.node, yes.node, no.node)
            return Vec(result, lanes, kind, bound=bound)
        parts = [self._arm(each, kind) for each in (yes, no)]
        result = call(f"{self.scene.numpy}.where", [test.node, *parts])
        return Vec(result, lanes, kind, bound=bound)

    def _arm(self, arm: Vec, kind: Type) -> ast.expr:
        """An arm of a select whose Python integers do not widen the dtype."""
        if arm.type.weak and arm.lanes and not kind.weak and arm.type.natural != kind.natural:
            return cast(arm.node, kind.natural, self.scene.numpy)
        return arm.node

    def together(self, op: ast.boolop, tests: Sequence[Vec]) -> Vec:
        lanes = frozenset[str]().union(*(each.lanes for each in tests))
        if len(tests) == 1 or not lanes:
            nodes = [each.node for each in tests]
            return tests[0] if len(tests) == 1 else Vec(ast.BoolOp(op, nodes), lanes, Type("bool"))
        together = tests[0].node
        for each in tests[1:]:
            together = ast.BinOp(together, _TOGETHER[type(op)], each.node)
        return Vec(together, lanes, BOOLEAN)

    def compared(self, name: str, op: ast.cmpop, left: Vec, right: Vec, node: ast.Compare) -> Vec:
        def build(parts: list[ast.expr]) -> ast.expr:
            return ast.Compare(parts[0], [op], [parts[1]])

        if left.type.weak and right.type.weak:
            for each in (left, right):
                if each.type.kind == "int" and each.lanes and (each.bound is None or each.bound > LARGEST):
                    text = f"`{ast.unparse(each.node)}` may be larger than 2**53"
                    raise NotVectorizedError("value-out-of-range", text, node)
            return Vec(build([left.node, right.node]), left.lanes | right.lanes, Type("bool"))
        if "complex" in (left.type.kind, right.type.kind) and not isinstance(op, ast.Eq | ast.NotEq):
            # NumPy's scalars and arrays disagree where a part is not a number.
            text = f"`{ast.unparse(node)}` orders complex numbers"
            raise NotVectorizedError("unsupported-operation", text, node)
        return self.applied(name, [left, right], node, build)


def _in_dtype(operand: Vec, dtype: np.dtype[np.generic], numpy: str) -> ast.expr:
    """An operand; Python numbers along lanes are cast, because as an array they would be promoted."""
    if operand.type.weak and operand.lanes and operand.type.natural != dtype:
        return cast(operand.node, dtype, numpy)
    return operand.node

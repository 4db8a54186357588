"""Expressions over rows and slices as the elements that they stand for.

An expression has a length for each of its axes, and an element for each choice of positions along them. A
product of matrices, a sum and a mean are numbers that a loop before the statement computes.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from nprewrite.base.syntax import expression_tree, is_new_axis, items_of, names_in
from nprewrite.numpy_api.elementwise import elementwise
from nprewrite.numpy_api.linear_algebra import MATRIX_PRODUCTS
from nprewrite.program.function import Function
from nprewrite.regions.nests.nest import Nest, unknown_array
from nprewrite.regions.nests.reader import header
from nprewrite.regions.nests.tree import Loop, Required
from nprewrite.types.affine import Affine, number, symbol
from nprewrite.types.problems import ProblemError
from nprewrite.types.values import Array, Scalar

_PRODUCTS = {f"numpy.{name}" for name in MATRIX_PRODUCTS}


class NotReadError(ProblemError):
    """A statement is not a store of slices; carries the problem."""


class EqualError(Exception):
    """Two lengths must be the same: that with the symbol ``name`` must equal ``form``."""

    def __init__(self, name: str, form: Affine):
        super().__init__(name)
        self.name, self.form = name, form


@dataclass(frozen=True)
class Operand:
    """An expression: the lengths of its axes, its element at given positions, whether it holds integers."""

    lengths: tuple[Affine, ...]
    element: Callable[[Sequence[Affine]], ast.expr]
    whole: bool = False


@dataclass
class Operands:
    """Reads the expressions of a loop; ``required`` is what must hold for them."""

    nest: Nest
    function: Function
    required: list[Required] = field(default_factory=list)
    made: list[str] = field(default_factory=list)
    """Names that are not the user's."""
    numbers: set[str] = field(default_factory=set)
    """Numbers that the loop has set so far."""
    rows: dict[str, Operand] = field(default_factory=dict)
    """Arrays that each iteration makes for itself from arrays that the loop does not change."""
    around: tuple[Loop, ...] = ()
    """The user's loops around the current statement."""
    levels: dict[str, tuple[Loop, ...]] = field(default_factory=dict)
    """The user's loops around the statement that makes a row."""
    read: set[str] = field(default_factory=set)
    """The rows that are read in each iteration that makes them."""
    before: list[ast.stmt] = field(default_factory=list)
    """What must be computed before the current statement."""
    taken: dict[tuple[str, tuple[Affine, ...]], ast.expr] = field(default_factory=dict)
    """The elements of rows that ``before`` computes, and their names."""
    loops: tuple[Loop, ...] = ()

    def name(self, wanted: str) -> str:
        """A name that does not occur elsewhere in the function."""
        count = sum(each.startswith(wanted) for each in self.made)
        self.made.append(self.function.names.free(f"{wanted}_{count + 1}" if count else wanted))
        return self.made[-1]

    def texts(self) -> dict[str, str]:
        """How the symbols of linear forms are written here."""
        return {**self.nest.names, **{loop.symbol: loop.name for loop in self.loops}}

    def _expression(self, form: Affine) -> ast.expr:
        return expression_tree(form.text(self.texts()))

    def same(self, one: Affine, other: Affine, node: ast.expr | ast.stmt) -> None:
        """Require two lengths to be the same, by proof or by a condition on the lengths of arrays."""
        gap = one - other
        if gap == number(0):
            return
        if any(name.startswith("%") for name in gap.symbols) or not gap.terms:
            text = f"nothing proves that the slices of `{ast.unparse(node)}` are of one length"
            raise NotReadError("shape-mismatch", text, node)
        numbers = {each.symbol for each in self.nest.before.values() if isinstance(each, Scalar)}
        for name, factor in gap.terms:
            if abs(factor) == 1 and name in self.nest.lengths - numbers:
                raise EqualError(name, symbol(name) - gap * factor)
        self.required += [(form, (), node, "slices of two lengths") for form in (gap, -gap)]

    def operand(self, node: ast.expr) -> Operand:
        """An expression as its elements. Raises ``NotReadError``."""
        match node:
            case ast.Constant(value=bool() | int() | float() | complex() as value):
                return Operand((), lambda _: node, isinstance(value, int))
            case ast.Name():
                return self.named(node)
            case ast.Attribute(attr="T", value=value) if self._is_array(value):
                inner = self.operand(value)
                return replace(
                    inner, lengths=inner.lengths[::-1], element=lambda at: inner.element([*reversed(at)])
                )
            case ast.Attribute():
                return Operand((), lambda _: node, False)
            case ast.Subscript():
                return self.elements(node)
            case ast.BinOp(op=ast.MatMult()):
                return self._product(node.left, node.right, node)
            case ast.BinOp():
                return self._broadcast(
                    [node.left, node.right], lambda parts: ast.BinOp(parts[0], node.op, parts[1]), node
                )
            case ast.UnaryOp(op=ast.USub() | ast.UAdd()):
                return self._broadcast([node.operand], lambda parts: ast.UnaryOp(node.op, parts[0]), node)
            case ast.Call():
                return self._called(node)
        raise NotReadError("not-array-code", f"`{ast.unparse(node)}` is not supported", node)

    def _is_array(self, node: ast.expr) -> bool:
        base = node.value if isinstance(node, ast.Subscript) else node
        return isinstance(base, ast.Name) and self.nest.array(base.id) is not None

    def named(self, node: ast.Name) -> Operand:
        """The operand of a name: a number, or a whole array."""
        if node.id in self.rows:
            row = self.rows[node.id]
            if self.levels[node.id] == self.around:
                # Read in an inner loop, which may have no iterations, it may not be computed at all.
                self.read.add(node.id)
            return replace(row, element=lambda at: self._of_row(node.id, at))
        array = self.nest.array(node.id)
        if array is not None and array.rank is None:
            text = f"the number of axes of `{node.id}` is not known"
            raise NotReadError("shape-unknown", text, node)
        if array is not None:
            return self.elements(ast.copy_location(ast.Subscript(node, ast.Slice(), ast.Load()), node))
        variable = any(loop.name == node.id for loop in self.loops)
        known = variable or node.id in self.numbers or isinstance(self.nest.before.get(node.id), Scalar)
        if node.id in self.nest.bound and not known:
            text = f"`{node.id}` is carried from one iteration to the next"
            raise NotReadError("scalar-carried", text, node)
        value = self.nest.before.get(node.id)
        return Operand((), lambda _: node, variable or (isinstance(value, Scalar) and value.kind == "int"))

    def _of_row(self, name: str, at: Sequence[Affine]) -> ast.expr:
        """An element of a row, computed once before the statement that reads it."""
        key = name, tuple(at)
        if key not in self.taken:
            value = self.rows[name].element(at)
            bound = self.name(name)
            self.before.append(ast.Assign([ast.Name(bound, ast.Store())], value))
            self.taken[key] = ast.Name(bound, ast.Load())
        return self.taken[key]

    def _called(self, node: ast.Call) -> Operand:
        dotted = self.function.dotted(node.func)
        if not node.keywords and dotted in _PRODUCTS and len(node.args) == 2:
            return self._product(node.args[0], node.args[1], node)
        if not node.keywords and dotted == "numpy.outer" and len(node.args) == 2:
            return self._outer(node.args[0], node.args[1], node)
        if not node.keywords and elementwise(dotted) is not None and node.args:
            return self._broadcast(node.args, lambda parts: ast.Call(node.func, [*parts], []), node)
        match node:
            case ast.Call(
                func=ast.Attribute(value=summed, attr="sum" | "mean" as name), args=[], keywords=[]
            ) if dotted is None:
                return self._sum(summed, node, name == "mean")
            case ast.Call(args=[summed], keywords=[]) if dotted in {"numpy.sum", "numpy.mean"}:
                return self._sum(summed, node, dotted == "numpy.mean")
        text = f"`{ast.unparse(node.func)}` is not known to be elementwise"
        raise NotReadError("unknown-call", text, node)

    def elements(self, node: ast.Subscript) -> Operand:
        """The operand of a part of an array: positions and slices along its axes."""
        if not isinstance(node.value, ast.Name):
            # The length of an axis, or an index inside an index, which the nest knows.
            if self.nest.affine(node, self.loops) is not None:
                return Operand((), lambda _: node, True)
            raise NotReadError("not-local", f"`{ast.unparse(node)}` is not a part of a local array", node)
        array = self.nest.array(node.value.id)
        if array is None:
            unknown = unknown_array(node.value, self.nest)
            raise NotReadError(unknown.code, unknown.message, node, unknown.parameter)
        items = self.items(node, array)
        axes: list[tuple[Affine, Affine] | None] = []
        axis = 0
        for item in items:
            if is_new_axis(item):
                axes.append(None)
                continue
            if isinstance(item, ast.Slice):
                axes.append(self.bounds(node.value.id, axis, item, node))
            else:
                self._check_index(item, node)
            axis += 1
        lengths = tuple(each[1] - each[0] if each is not None else number(1) for each in axes)
        base = node.value

        def element(at: Sequence[Affine]) -> ast.expr:
            # One position for each slice and new axis, in order; a new axis has none in the array.
            positions = iter(zip(axes, at, strict=True))
            found: list[ast.expr] = []
            for item in items:
                if not isinstance(item, ast.Slice) and not is_new_axis(item):
                    found.append(item)
                    continue
                bounds, position = next(positions)
                if bounds is not None:
                    found.append(self._expression(bounds[0] + position))
            inner = found[0] if len(found) == 1 else ast.Tuple(found, ast.Load())
            made = ast.Subscript(base, inner, ast.Load())
            self.nest.written[made] = node
            return made

        return Operand(lengths, element, array.dtype.kind in "iu")

    def items(self, node: ast.Subscript, array: Array) -> list[ast.expr]:
        """The indices of a part, one for each axis and new axis."""
        items = items_of(node)
        given = sum(not is_new_axis(each) for each in items)
        text = f"`{ast.unparse(node)}`"
        if array.dtype.kind == "b" or array.under is not None:
            raise NotReadError("dtype-unsupported", f"{text} holds no numbers", node)
        rank = array.rank if array.rank is not None else given
        if given > rank or any(isinstance(each, ast.Constant) and each.value is ... for each in items):
            raise NotReadError("index-not-linear", f"{text} is not made of positions and slices", node)
        return [*items, *(ast.Slice() for _ in range(rank - given))]

    def _check_index(self, item: ast.expr, node: ast.expr) -> None:
        names = names_in(item)
        loops = {loop.name for loop in self.loops}
        known = (self.nest.before.get(each) for each in names - loops)
        numbers = all(isinstance(each, Scalar) and each.kind == "int" for each in known)
        if not numbers or self.nest.affine(item, self.loops) is None:
            text = (
                f"`{ast.unparse(item)}` in `{ast.unparse(node)}` is not a sum of loop variables and integers"
            )
            raise NotReadError("index-not-linear", text, node)

    def bounds(self, name: str, axis: int, item: ast.Slice, node: ast.expr) -> tuple[Affine, Affine]:
        """The first position of a slice and the one after its last, both required to lie within the axis."""
        length = self.nest.length(name, axis)
        low = self._end(item.lower, number(0), length, node)
        high = self._end(item.upper, length, length, node)
        if item.step is not None and self.nest.affine(item.step, self.loops) != number(1):
            raise NotReadError("index-not-linear", f"`{ast.unparse(node)}` steps over elements", node)
        spans = tuple(loop.span for loop in self.loops)
        what = f"nothing proves that the slices of `{ast.unparse(node)}` are within the array"
        self.required += [(form, spans, node, what) for form in (low, high, length - high)]
        return low, high

    def _end(self, given: ast.expr | None, default: Affine, length: Affine, node: ast.expr) -> Affine:
        if given is None:
            return default
        self._check_index(given, node)
        form = self.nest.affine(given, self.loops)
        assert form is not None
        return length + form if not form.terms and form.constant < 0 else form

    def _broadcast(
        self, nodes: Sequence[ast.expr], make: Callable[[list[ast.expr]], ast.expr], node: ast.expr
    ) -> Operand:
        """Operands broadcast: repeated along new leading axes, or along axes of length 1."""
        parts = [self.operand(each) for each in nodes]
        longest = max(parts, key=lambda each: len(each.lengths)).lengths
        lengths = list(longest)
        for part in parts:
            for back in range(1, len(part.lengths) + 1):
                one, other = part.lengths[-back], lengths[-back]
                if other == number(1):
                    lengths[-back] = one
                elif one != number(1):
                    self.same(one, other, node)

        def element(at: Sequence[Affine]) -> ast.expr:
            return make([part.element(own_positions(at, part)) for part in parts])

        whole = all(part.whole for part in parts) and not _divides(node)
        return Operand(tuple(lengths), element, whole)

    def _product(self, left: ast.expr, right: ast.expr, node: ast.expr) -> Operand:
        """``left @ right`` for vectors and matrices: sums along the axis that they share."""
        one, other = self.operand(left), self.operand(right)
        if not 1 <= len(one.lengths) <= 2 or not 1 <= len(other.lengths) <= 2:
            raise NotReadError(
                "not-array-code", f"`{ast.unparse(node)}` is not a product of two matrices", node
            )
        shared = other.lengths[0]
        self.same(one.lengths[-1], shared, node)
        rows, columns = one.lengths[:-1], other.lengths[1:]

        def element(at: Sequence[Affine]) -> ast.expr:
            def term(k: Affine) -> ast.expr:
                row, column = at[: len(rows)], at[len(rows) :]
                return ast.BinOp(one.element([*row, k]), ast.Mult(), other.element([k, *column]))

            return self._summed(term, shared, one.whole and other.whole, node)

        return Operand((*rows, *columns), element, one.whole and other.whole)

    def _outer(self, left: ast.expr, right: ast.expr, node: ast.expr) -> Operand:
        one, other = self.operand(left), self.operand(right)
        if len(one.lengths) != 1 or len(other.lengths) != 1:
            raise NotReadError(
                "not-array-code", f"`{ast.unparse(node)}` is not a product of two vectors", node
            )
        return Operand(
            (*one.lengths, *other.lengths),
            lambda at: ast.BinOp(one.element(at[:1]), ast.Mult(), other.element(at[1:])),
            one.whole and other.whole,
        )

    def _sum(self, summed: ast.expr, node: ast.expr, divided: bool) -> Operand:
        """The sum of a row, or its mean."""
        value = self.operand(summed)
        if len(value.lengths) != 1 or value.whole:
            raise NotReadError(
                "not-array-code", f"`{ast.unparse(node)}` is not a sum of floats in a row", node
            )
        (length,) = value.lengths

        def element(_: Sequence[Affine]) -> ast.expr:
            total = self._summed(lambda k: value.element([k]), length, False, node, "total")
            return ast.BinOp(total, ast.Div(), self._expression(length)) if divided else total

        return Operand((), element, False)

    def _summed(
        self,
        term: Callable[[Affine], ast.expr],
        length: Affine,
        whole: bool,
        node: ast.expr,
        wanted: str = "product",
    ) -> ast.expr:
        """A number that a loop before the statement sums up."""
        total, name = self.name(wanted), self.name("index")
        loop = loop_over(name, number(0), length, self.texts(), node)
        found = header(loop, self.loops, self.nest)
        assert isinstance(found, Loop)
        around, self.loops = (self.loops, self.before, self.taken), (*self.loops, found)
        self.before, self.taken = [], {}
        added = term(symbol(found.symbol))
        loop.body = [*self.before, ast.AugAssign(ast.Name(total, ast.Store()), ast.Add(), added)]
        self.loops, self.before, self.taken = around
        zero = ast.Constant(0 if whole else 0.0)
        self.before += [ast.Assign([ast.Name(total, ast.Store())], zero), loop]
        return ast.Name(total, ast.Load())


def loop_over(name: str, low: Affine, high: Affine, texts: dict[str, str], node: ast.AST) -> ast.For:
    """``for name in range(low, high)``, without a body."""
    call = expression_tree(f"range({low.text(texts)}, {high.text(texts)})")
    loop = ast.For(ast.Name(name, ast.Store()), call, [], [])
    return ast.copy_location(loop, node)


def own_positions(positions: Sequence[Affine], part: Operand) -> Sequence[Affine]:
    """The positions along the axes that an operand has."""
    return positions[len(positions) - len(part.lengths) :]


def _divides(node: ast.expr) -> bool:
    return not isinstance(node, ast.BinOp) or isinstance(node.op, ast.Div | ast.Pow)

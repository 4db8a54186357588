"""Loops over rows and growing slices as nests of scalar loops.

``C[i, :i + 1] += alpha * A[i, k] * A[:i + 1, k]`` stores the elements ``C[i, j]`` for ``j`` up to ``i``: each
statement over slices is a loop over each axis that it stores, with the elements of its operands inside of
it, and a product of matrices is a sum. Of such a nest the dependences are known, and it can be written for
all iterations at once.

A statement over slices reads everything before it stores anything. In a nest whose loops all run in lockstep
so does each statement, so that the two are the same wherever lockstep is.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from nprewrite.facts.affine import Affine, number, symbol
from nprewrite.facts.function import Function
from nprewrite.facts.nest_reader import filled, header
from nprewrite.facts.nests import Loop, Nest, Required
from nprewrite.facts.numpy_table import elementwise
from nprewrite.facts.problems import Problem
from nprewrite.facts.values import Array, Scalar

_PRODUCTS = {"numpy.dot", "numpy.matmul"}
_MOST_EQUALITIES = 8
"""How many lengths of axes may have to be told equal, one after the other."""


class NotReadError(Exception):
    """A statement that is no store of slices; carries the problem."""

    def __init__(self, code: str, message: str, node: ast.expr | ast.stmt, parameter: str | None = None):
        super().__init__(message)
        self.problem = Problem(code, message, node, parameter)


class _EqualError(Exception):
    """Two lengths that have to be the same: ``name`` is the symbol of one, ``form`` what it is then."""

    def __init__(self, name: str, form: Affine):
        super().__init__(name)
        self.name, self.form = name, form


@dataclass(frozen=True)
class _Operand:
    """An expression: the lengths of its axes, its element at given positions, whether it holds integers."""

    lengths: tuple[Affine, ...]
    element: Callable[[Sequence[Affine]], ast.expr]
    whole: bool = False


def read_array_loop(loop: ast.For, outer: tuple[ast.stmt, ...], function: Function) -> Nest | Problem:
    """The nest of a loop over slices; what does not fit is the problem."""
    nest = Nest(function, dict(function.facts.before.get(loop, {})), outer)
    stores = [
        each for each in ast.walk(loop) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    ]
    nest.bound = frozenset(each.id for each in stores)
    for _ in range(_MOST_EQUALITIES):
        reader = _Reader(nest, function)
        try:
            made = reader.loop(loop, ())
        except NotReadError as error:
            return error.problem
        except _EqualError as equal:
            nest = replace(nest, names=dict(nest.names), equal={**nest.equal, equal.name: equal.form})
            continue
        nest.required, nest.made = tuple(reader.required), frozenset(reader.made)
        found = filled(nest, made)
        if isinstance(found, Nest):
            found.root.node = loop
        return found
    return Problem("bounds-unknown", "too many lengths have to be the same", loop)


@dataclass
class _Reader:
    nest: Nest
    function: Function
    required: list[Required] = field(default_factory=list)
    made: list[str] = field(default_factory=list)
    """The names that are no names of the user's."""
    numbers: set[str] = field(default_factory=set)
    """Numbers that the loop has set so far."""
    before: list[ast.stmt] = field(default_factory=list)
    """What has to be computed before the statement that is read."""
    loops: tuple[Loop, ...] = ()

    def loop(self, node: ast.For, outer: tuple[Loop, ...]) -> ast.For:
        """The loop with its statements over slices as loops over elements."""
        found = header(node, outer, self.nest)
        if isinstance(found, Problem):
            raise NotReadError(found.code, found.message, found.node or node, found.parameter)
        body: list[ast.stmt] = []
        for statement in node.body:
            self.loops = (*outer, found)
            body += self.statement(statement)
        made = ast.For(node.target, node.iter, body, [])
        return ast.copy_location(made, node)

    def statement(self, node: ast.stmt) -> list[ast.stmt]:
        """The statements over elements that a statement is."""
        match node:
            case ast.For():
                return [self.loop(node, self.loops)]
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                return []
            case ast.Assign(targets=[ast.Name(id=name)]):
                return self._number(node, name)
            case ast.Assign(targets=targets):
                stored = [each for each in targets if isinstance(each, ast.Subscript)]
                if len(stored) == len(targets):
                    return self._store(node, stored, None)
            case ast.AugAssign(target=ast.Subscript() as target):
                return self._store(node, [target], node.op)
        text = ast.unparse(node).splitlines()[0]
        raise NotReadError("not-array-code", f"`{text}` neither stores slices nor binds a number", node)

    def _number(self, node: ast.Assign, name: str) -> list[ast.stmt]:
        self.before = []
        value = self.operand(node.value)
        if value.lengths:
            raise NotReadError("not-array-code", f"`{name}` is an array of its own in each iteration", node)
        self.numbers.add(name)
        bind = ast.Assign([ast.Name(name, ast.Store())], value.element(()))
        return [_placed(each, node) for each in (*self.before, bind)]

    def _store(
        self,
        node: ast.Assign | ast.AugAssign,
        targets: Sequence[ast.Subscript],
        operator: ast.operator | None,
    ) -> list[ast.stmt]:
        """Loops over the axes of the target, with a store of one element inside."""
        self.before = []
        places = [self._elements(each) for each in targets]
        first, *others = places
        ranges = self._ranges(targets[0])
        names = [self._name("index") for _ in ranges]
        around = self.loops
        axes = []
        for name, (low, high) in zip(names, ranges, strict=True):
            loop = _over(name, low, high, self._texts(), node)
            found = header(loop, self.loops, self.nest)
            assert isinstance(found, Loop)
            self.loops = (*self.loops, found)
            axes.append(loop)
        positions = [
            symbol(loop.symbol) - low
            for loop, (low, _) in zip(self.loops[len(around) :], ranges, strict=True)
        ]
        value = self.operand(node.value)
        for each in (*others, value):
            self._fits(each.lengths, first.lengths, node)
        element = value.element(_last(positions, value))
        if len(places) > 1 and not isinstance(element, ast.Constant | ast.Name):
            name = self._name("value")
            self.before.append(ast.Assign([ast.Name(name, ast.Store())], element))
            element = ast.Name(name, ast.Load())
        stores: list[ast.stmt] = []
        for place in places:
            target = place.element(positions)
            assert isinstance(target, ast.Subscript)
            target = ast.Subscript(target.value, target.slice, ast.Store())
            stores.append(
                ast.Assign([target], element)
                if operator is None
                else ast.AugAssign(target, operator, element)
            )
        body = [*self.before, *stores]
        for loop in reversed(axes):
            loop.body, body = body, [loop]
        return [_placed(each, node) for each in body]

    def _name(self, wanted: str) -> str:
        count = sum(each.startswith(wanted) for each in self.made)
        self.made.append(self.function.names.free(f"{wanted}_{count + 1}" if count else wanted))
        return self.made[-1]

    def _texts(self) -> dict[str, str]:
        return {**self.nest.names, **{loop.symbol: loop.name for loop in self.loops}}

    def _expression(self, form: Affine) -> ast.expr:
        return ast.parse(form.text(self._texts()), mode="eval").body

    def _fits(self, lengths: Sequence[Affine], wanted: Sequence[Affine], node: ast.stmt) -> None:
        """Whether a value has the shape of what it is stored into, or fewer axes."""
        if len(lengths) > len(wanted):
            text = f"`{ast.unparse(node)}` stores more axes than there are"
            raise NotReadError("shape-mismatch", text, node)
        for one, other in zip(reversed(lengths), reversed(wanted), strict=False):
            if one != number(1):
                self._same(one, other, node)

    def _same(self, one: Affine, other: Affine, node: ast.expr | ast.stmt) -> None:
        """Two lengths are the same: proved, or a condition on the lengths of the arrays."""
        gap = one - other
        if gap == number(0):
            return
        if any(name.startswith("%") for name in gap.symbols) or not gap.terms:
            text = f"nothing proves that the slices of `{ast.unparse(node)}` are of one length"
            raise NotReadError("shape-mismatch", text, node)
        numbers = {each.symbol for each in self.nest.before.values() if isinstance(each, Scalar)}
        for name, factor in gap.terms:
            if abs(factor) == 1 and name in self.nest.lengths - numbers:
                raise _EqualError(name, symbol(name) - gap * factor)
        self.required += [(form, (), node, "slices of two lengths") for form in (gap, -gap)]

    def operand(self, node: ast.expr) -> _Operand:
        """An expression as its elements. Raises ``NotReadError``."""
        match node:
            case ast.Constant(value=bool() | int() | float() | complex() as value):
                return _Operand((), lambda _: node, isinstance(value, int))
            case ast.Name():
                return self._named(node)
            case ast.Attribute(attr="T", value=value) if self._is_array(value):
                inner = self.operand(value)
                return replace(
                    inner, lengths=inner.lengths[::-1], element=lambda at: inner.element([*reversed(at)])
                )
            case ast.Attribute():
                return _Operand((), lambda _: node, False)
            case ast.Subscript():
                return self._elements(node)
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
        raise NotReadError("not-array-code", f"`{ast.unparse(node)}` is not followed", node)

    def _is_array(self, node: ast.expr) -> bool:
        base = node.value if isinstance(node, ast.Subscript) else node
        return isinstance(base, ast.Name) and self.nest.array(base.id) is not None

    def _named(self, node: ast.Name) -> _Operand:
        array = self.nest.array(node.id)
        if array is not None and array.rank is None:
            text = f"the number of axes of `{node.id}` is not known"
            raise NotReadError("shape-unknown", text, node)
        if array is not None:
            return self._elements(ast.copy_location(ast.Subscript(node, ast.Slice(), ast.Load()), node))
        variable = any(loop.name == node.id for loop in self.loops)
        if node.id in self.nest.bound and not variable and node.id not in self.numbers:
            text = f"`{node.id}` goes from one iteration to the next"
            raise NotReadError("scalar-carried", text, node)
        value = self.nest.before.get(node.id)
        return _Operand((), lambda _: node, variable or (isinstance(value, Scalar) and value.kind == "int"))

    def _called(self, node: ast.Call) -> _Operand:
        dotted = self.function.dotted(node.func)
        if not node.keywords and dotted in _PRODUCTS and len(node.args) == 2:
            return self._product(node.args[0], node.args[1], node)
        if not node.keywords and dotted == "numpy.outer" and len(node.args) == 2:
            return self._outer(node.args[0], node.args[1], node)
        if not node.keywords and elementwise(dotted) is not None and node.args:
            return self._broadcast(node.args, lambda parts: ast.Call(node.func, [*parts], []), node)
        match node:
            case ast.Call(func=ast.Attribute(value=summed, attr="sum"), args=[], keywords=[]) if (
                dotted is None
            ):
                return self._sum(summed, node)
            case ast.Call(args=[summed], keywords=[]) if dotted == "numpy.sum":
                return self._sum(summed, node)
        text = f"`{ast.unparse(node.func)}` is not known to compute elements from elements"
        raise NotReadError("unknown-call", text, node)

    def _elements(self, node: ast.Subscript) -> _Operand:
        """A part of an array: positions and slices along its axes."""
        if not isinstance(node.value, ast.Name):
            # The length of an axis, or an index of an index, of which the nest knows what it is.
            if self.nest.affine(node, self.loops) is not None:
                return _Operand((), lambda _: node, True)
            raise NotReadError("not-local", f"`{ast.unparse(node)}` is no part of a local array", node)
        array = self.nest.array(node.value.id)
        if array is None:
            value = self.nest.before.get(node.value.id)
            because = getattr(value, "because", "it is no array")
            text = f"the type of `{node.value.id}` is not known: {because}"
            raise NotReadError("dtype-unknown", text, node, getattr(value, "parameter", None))
        items = self._items(node, array)
        axes: list[tuple[Affine, Affine] | None] = []
        axis = 0
        for item in items:
            if _is_new_axis(item):
                axes.append(None)
                continue
            if isinstance(item, ast.Slice):
                axes.append(self._bounds(node.value.id, axis, item, node))
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
                if not isinstance(item, ast.Slice) and not _is_new_axis(item):
                    found.append(item)
                    continue
                bounds, position = next(positions)
                if bounds is not None:
                    found.append(self._expression(bounds[0] + position))
            inner = found[0] if len(found) == 1 else ast.Tuple(found, ast.Load())
            made = ast.Subscript(base, inner, ast.Load())
            self.nest.written[made] = node
            return made

        return _Operand(lengths, element, array.dtype.kind in "iu")

    def _items(self, node: ast.Subscript, array: Array) -> list[ast.expr]:
        """The indices of a part, one for each axis and new axis."""
        items = [*node.slice.elts] if isinstance(node.slice, ast.Tuple) else [node.slice]
        given = sum(not _is_new_axis(each) for each in items)
        text = f"`{ast.unparse(node)}`"
        if array.dtype.kind == "b" or array.under is not None:
            raise NotReadError("dtype-unsupported", f"{text} holds no numbers", node)
        rank = array.rank if array.rank is not None else given
        if given > rank or any(isinstance(each, ast.Constant) and each.value is ... for each in items):
            raise NotReadError("index-not-linear", f"{text} is not made of positions and slices", node)
        return [*items, *(ast.Slice() for _ in range(rank - given))]

    def _check_index(self, item: ast.expr, node: ast.expr) -> None:
        names = {each.id for each in ast.walk(item) if isinstance(each, ast.Name)}
        loops = {loop.name for loop in self.loops}
        known = (self.nest.before.get(each) for each in names - loops)
        numbers = all(isinstance(each, Scalar) and each.kind == "int" for each in known)
        if not numbers or self.nest.affine(item, self.loops) is None:
            text = f"`{ast.unparse(item)}` in `{ast.unparse(node)}` is no sum of loop variables and integers"
            raise NotReadError("index-not-linear", text, node)

    def _ranges(self, target: ast.Subscript) -> list[tuple[Affine, Affine]]:
        """The bounds of the slices of a target."""
        assert isinstance(target.value, ast.Name)
        array = self.nest.array(target.value.id)
        assert array is not None
        items = self._items(target, array)
        if any(_is_new_axis(each) for each in items):
            raise NotReadError("index-not-linear", f"`{ast.unparse(target)}` stores along a new axis", target)
        return [
            self._bounds(target.value.id, axis, item, target)
            for axis, item in enumerate(items)
            if isinstance(item, ast.Slice)
        ]

    def _bounds(self, name: str, axis: int, item: ast.Slice, node: ast.expr) -> tuple[Affine, Affine]:
        """The first position of a slice and the one behind its last, both within the axis by a condition."""
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
    ) -> _Operand:
        """Operands of which the shorter ones are repeated along new axes in front, or along axes of one."""
        parts = [self.operand(each) for each in nodes]
        longest = max(parts, key=lambda each: len(each.lengths)).lengths
        lengths = list(longest)
        for part in parts:
            for back in range(1, len(part.lengths) + 1):
                one, other = part.lengths[-back], lengths[-back]
                if other == number(1):
                    lengths[-back] = one
                elif one != number(1):
                    self._same(one, other, node)

        def element(at: Sequence[Affine]) -> ast.expr:
            return make([part.element(_last(at, part)) for part in parts])

        whole = all(part.whole for part in parts) and not _divides(node)
        return _Operand(tuple(lengths), element, whole)

    def _product(self, left: ast.expr, right: ast.expr, node: ast.expr) -> _Operand:
        """``left @ right`` of vectors and matrices: the sums along the axis that they share."""
        one, other = self.operand(left), self.operand(right)
        if not 1 <= len(one.lengths) <= 2 or not 1 <= len(other.lengths) <= 2:
            raise NotReadError("not-array-code", f"`{ast.unparse(node)}` is no product of two matrices", node)
        shared = other.lengths[0]
        self._same(one.lengths[-1], shared, node)
        rows, columns = one.lengths[:-1], other.lengths[1:]

        def element(at: Sequence[Affine]) -> ast.expr:
            def term(k: Affine) -> ast.expr:
                row, column = at[: len(rows)], at[len(rows) :]
                return ast.BinOp(one.element([*row, k]), ast.Mult(), other.element([k, *column]))

            return self._summed(term, shared, one.whole and other.whole, node)

        return _Operand((*rows, *columns), element, one.whole and other.whole)

    def _outer(self, left: ast.expr, right: ast.expr, node: ast.expr) -> _Operand:
        one, other = self.operand(left), self.operand(right)
        if len(one.lengths) != 1 or len(other.lengths) != 1:
            raise NotReadError("not-array-code", f"`{ast.unparse(node)}` is no product of two vectors", node)
        return _Operand(
            (*one.lengths, *other.lengths),
            lambda at: ast.BinOp(one.element(at[:1]), ast.Mult(), other.element(at[1:])),
            one.whole and other.whole,
        )

    def _sum(self, summed: ast.expr, node: ast.expr) -> _Operand:
        value = self.operand(summed)
        if len(value.lengths) != 1 or value.whole:
            raise NotReadError("not-array-code", f"`{ast.unparse(node)}` is no sum of floats in a row", node)
        return _Operand(
            (), lambda _: self._summed(lambda k: value.element([k]), value.lengths[0], False, node), False
        )

    def _summed(
        self, term: Callable[[Affine], ast.expr], length: Affine, whole: bool, node: ast.expr
    ) -> ast.expr:
        """A number that a loop before the statement sums up."""
        total, name = self._name("product"), self._name("index")
        loop = _over(name, number(0), length, self._texts(), node)
        found = header(loop, self.loops, self.nest)
        assert isinstance(found, Loop)
        around, self.loops = self.loops, (*self.loops, found)
        loop.body = [ast.AugAssign(ast.Name(total, ast.Store()), ast.Add(), term(symbol(found.symbol)))]
        self.loops = around
        zero = ast.Constant(0 if whole else 0.0)
        self.before += [ast.Assign([ast.Name(total, ast.Store())], zero), loop]
        return ast.Name(total, ast.Load())


def _over(name: str, low: Affine, high: Affine, texts: dict[str, str], node: ast.AST) -> ast.For:
    """``for name in range(low, high)``, without a body."""
    call = ast.parse(f"range({low.text(texts)}, {high.text(texts)})", mode="eval").body
    loop = ast.For(ast.Name(name, ast.Store()), call, [], [])
    return ast.copy_location(loop, node)


def _placed(node: ast.stmt, place: ast.AST) -> ast.stmt:
    """A statement that stands where ``place`` does, with all its parts."""
    for each in ast.walk(node):
        if not hasattr(each, "lineno") and isinstance(each, ast.stmt | ast.expr):
            ast.copy_location(each, place)
    return node


def _last(positions: Sequence[Affine], part: _Operand) -> Sequence[Affine]:
    """The positions along the axes that an operand has."""
    return positions[len(positions) - len(part.lengths) :]


def _is_new_axis(item: ast.expr) -> bool:
    return isinstance(item, ast.Constant) and item.value is None


def _divides(node: ast.expr) -> bool:
    return not isinstance(node, ast.BinOp) or isinstance(node.op, ast.Div | ast.Pow)


__all__ = ["NotReadError", "read_array_loop"]

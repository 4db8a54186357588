"""How statements over lanes access arrays: which axes are lanes, and the element of one lane."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from nprewrite.base.syntax import (
    children,
    copied,
    is_new_axis,
    items_of,
    name_nodes,
    names_bound,
    names_in,
    walk,
)
from nprewrite.lowering.arrays import ArrayArgument
from nprewrite.lowering.lane_pass import Access, LaneView, Offset, Pass
from nprewrite.lowering.problems import NotNative
from nprewrite.numpy_api.attributes import is_of_layout

MOST_AXES = 4
_OF_SHAPES = (ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.expr_context)
OPERATORS = (
    ast.Add,
    ast.Sub,
    ast.Mult,
    ast.Div,
    ast.FloorDiv,
    ast.Mod,
    ast.Pow,
    ast.BitAnd,
    ast.BitOr,
    ast.BitXor,
)
"""Operators that compute the same for arrays as for NumPy's scalars."""
_COMPARISONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)


class Reader:
    """Takes expressions of arrays apart into lanes."""

    def __init__(
        self,
        function: ast.FunctionDef,
        arrays: Mapping[str, ArrayArgument],
        resolve: Callable[[ast.expr], str | None],
    ) -> None:
        self.arrays = arrays
        self.resolve = resolve
        self.views: dict[tuple[str, str], LaneView] = {}
        self.rows: dict[str, int] = {}
        """Names that the pass has bound to a value in each lane, with the number of its axes."""
        self.read: set[int] = set()
        """Where such names are read, as the ids of their nodes."""
        nodes = [*walk(function)]
        self._names = names_in(function) | {*arrays}
        self._bound = {*names_bound(function)}
        parts = (each for each in nodes if isinstance(each, ast.Subscript))
        targets = [each.value for each in parts if isinstance(each.ctx, ast.Store)]
        targets += [each.target for each in nodes if isinstance(each, ast.AugAssign)]
        self.stored = {each.id for each in targets if isinstance(each, ast.Name)}
        self.lanes = [self._fresh(f"lane_{number}") for number in range(MOST_AXES)]
        called = [each.func for each in nodes if isinstance(each, ast.Call)]
        ranges = (each for each in called if resolve(each) == "builtins.range")
        self.range = next(ranges, ast.Name("range", ast.Load()))

    def _fresh(self, stem: str) -> str:
        name, number = stem, 0
        while name in self._names:
            name, number = f"{stem}_{number}", number + 1
        self._names.add(name)
        return name

    def array_named(self, node: ast.expr) -> ArrayArgument | None:
        """The array ``x`` of an expression ``x`` or ``x[...]``."""
        base = node.value if isinstance(node, ast.Subscript) else node
        return self.arrays.get(base.id) if isinstance(base, ast.Name) else None

    def array_of(self, node: ast.expr) -> ArrayArgument:
        """The array into which a target stores."""
        known = self.array_named(node)
        if known is None:
            raise NotNative("not-local", f"`{ast.unparse(node)}` is stored into", node)
        return known

    def axes(self, node: ast.expr) -> int:
        """The number of axes along which the lanes of an expression lie; 0 for a scalar."""
        match node:
            case ast.Name():
                known = self.arrays.get(node.id)
                return self._rank(node.id) if known is not None else self.rows.get(node.id, 0)
            case ast.Subscript() if self.array_named(node) is not None:
                return sum(each is None or isinstance(each, ast.Slice) for each in self._items(node))
            case ast.Attribute(attr=name) if is_of_layout(name):
                return 0
            case ast.Call() if self.resolve(node.func) == "builtins.len":
                return 0
        inner = (each for each in children(node) if isinstance(each, ast.expr))
        return max(map(self.axes, inner), default=0)

    def check_scalar(self, node: ast.expr) -> None:
        """Refuse lanes where a number is needed."""
        if self.axes(node):
            raise NotNative("not-lanewise", f"`{ast.unparse(node)}` is a whole array", node)

    def element(self, node: ast.expr, axes: int, one: Pass, *, store: bool = False) -> ast.expr:
        """The expression for one lane of ``axes`` axes; notes its accesses in ``one``."""
        if not self.axes(node):
            return self._number(node, one)
        match node:
            case ast.Name() if node.id in self.arrays:
                whole = ast.Subscript(node, ast.Constant(...), node.ctx)
                return self._accessed(ast.copy_location(whole, node), axes, one, store=store)
            case ast.Name():
                self.read.add(id(node))
                return node
            case ast.Subscript() if self.array_named(node) is not None:
                return self._accessed(node, axes, one, store=store)
            case ast.BinOp(op=op) if isinstance(op, OPERATORS):
                made: ast.expr = ast.BinOp(
                    self.element(node.left, axes, one), op, self.element(node.right, axes, one)
                )
            case ast.UnaryOp(op=ast.USub() | ast.UAdd() | ast.Invert()):
                made = ast.UnaryOp(node.op, self.element(node.operand, axes, one))
            case ast.Compare(ops=[op], comparators=[right]) if isinstance(op, _COMPARISONS):
                made = ast.Compare(self.element(node.left, axes, one), [op], [self.element(right, axes, one)])
            case ast.Call(func=ast.Attribute(value=value, attr="copy"), args=[], keywords=[]):
                return self.element(value, axes, one)
            case ast.Call(keywords=[]) if self._is_elementwise(node):
                made = ast.Call(node.func, [self.element(each, axes, one) for each in node.args], [])
            case _:
                raise NotNative("not-lanewise", f"`{ast.unparse(node)}` is not elementwise", node)
        return ast.copy_location(made, node)

    def _is_elementwise(self, node: ast.Call) -> bool:
        """Whether a function computes the same for arrays, element by element, as for NumPy's scalars."""
        module, _, name = (self.resolve(node.func) or "").rpartition(".")
        known = getattr(np, name, None) if module == "numpy" else None
        conversion = isinstance(known, type) and issubclass(known, np.generic)
        return isinstance(known, np.ufunc) or conversion or (module, name) == ("builtins", "abs")

    def _number(self, node: ast.expr, one: Pass) -> ast.expr:
        """A scalar in the statement; elements of arrays in it are read before any lane is stored."""
        reader = self

        class Before(ast.NodeTransformer):
            def visit_Subscript(self, inner: ast.Subscript) -> ast.expr:
                array = reader.array_named(inner)
                if array is None:
                    return inner
                name = reader._fresh("element")
                one.before.append(ast.copy_location(ast.Assign([ast.Name(name, ast.Store())], inner), inner))
                bases = [each.id for each in name_nodes(inner)]
                for base in bases:
                    if base in reader.arrays:
                        text = ast.unparse(inner)
                        one.accesses.append(Access(base, base, (), "", text, (), store=False))
                return ast.copy_location(ast.Name(name, ast.Load()), inner)

        made: ast.expr = Before().visit(copied(node))
        return made

    def _accessed(self, node: ast.Subscript, axes: int, one: Pass, *, store: bool) -> ast.expr:
        """``y[lane_0, j]`` for ``y[:, j]``."""
        assert isinstance(node.value, ast.Name)
        items = self._items(node)
        along = tuple(k for k, each in enumerate(items) if each is None or isinstance(each, ast.Slice))
        if axes > MOST_AXES or (store and len(along) < axes):
            text = f"`{ast.unparse(node)}` has fewer axes than what is stored, or more than {MOST_AXES}"
            raise NotNative("not-lanewise", text, node)
        slices = ", ".join(
            ":" if each is None or k not in along else ast.unparse(each) for k, each in enumerate(items)
        )
        view = self._view(node, node.value.id, items, slices)
        index: list[ast.expr] = []
        lane = axes - len(along)
        for k, each in enumerate(items):
            if k in along or each is None:
                index.append(ast.Name(self.lanes[lane], ast.Load()))
                lane += 1
            else:
                self.check_scalar(each)
                index.append(self._number(each, one))
        place = ", ".join(":" if each is None else ast.unparse(each) for each in items)
        lanes = f"{along} of {slices}"
        offsets = tuple(None if k in along or each is None else _offset(each) for k, each in enumerate(items))
        lengths = self._lengths(node.value.id, items, along)
        one.accesses.append(Access(node.value.id, view, along, lanes, place, offsets, store, lengths))
        subscript = ast.Tuple(index, ast.Load()) if len(index) > 1 else index[0]
        return ast.copy_location(ast.Subscript(ast.Name(view, ast.Load()), subscript, node.ctx), node)

    def _lengths(
        self, name: str, items: Sequence[ast.expr | None], along: tuple[int, ...]
    ) -> tuple[int, ...] | None:
        """The lengths of slices with literal bounds, if the array's shape is known."""
        shape = self.arrays[name].shape
        if shape is None:
            return None
        try:
            slices = [_slice(items[axis]) for axis in along]
        except ValueError:
            return None
        return tuple(len(range(*each.indices(shape[axis]))) for each, axis in zip(slices, along, strict=True))

    def _rank(self, name: str) -> int:
        rank = self.arrays[name].rank
        if rank is None:
            raise NotNative("dtype-unknown", f"the number of axes of `{name}` is not known")
        return rank

    def _items(self, node: ast.Subscript) -> list[ast.expr | None]:
        """What stands at each axis: an index, a slice, or None for the whole axis."""
        assert isinstance(node.value, ast.Name)
        given = items_of(node)
        dots = [k for k, each in enumerate(given) if isinstance(each, ast.Constant) and each.value is ...]
        missing = self._rank(node.value.id) - len(given) + len(dots)
        if missing < 0 or len(dots) > 1 or any(is_new_axis(each) for each in given):
            raise NotNative("not-lanewise", f"`{ast.unparse(node)}` is not supported", node)
        at = dots[0] if dots else len(given)
        found: list[ast.expr | None] = [*given[:at], *[None] * missing, *given[at + len(dots) :]]
        whole = [
            isinstance(each, ast.Slice) and not (each.lower or each.upper or each.step) for each in found
        ]
        return [None if is_whole else each for each, is_whole in zip(found, whole, strict=True)]

    def _view(self, node: ast.Subscript, array: str, items: list[ast.expr | None], slices: str) -> str:
        """The name of the part of an array that the slices select; the array's own if that is all of it."""
        bounded = [each for each in items if isinstance(each, ast.Slice)]
        if not bounded:
            return array
        if (array, slices) not in self.views:
            for each in bounded:
                self._check_bounds(each, node)
            whole = ast.Slice()
            parts: list[ast.expr] = [each if isinstance(each, ast.Slice) else whole for each in items]
            taken = ast.Subscript(ast.Name(array, ast.Load()), ast.Tuple(parts, ast.Load()), ast.Load())
            name = self._fresh(f"{array}_{len(self.views)}")
            self.views[array, slices] = LaneView(
                name, array, ast.fix_missing_locations(ast.copy_location(taken, node))
            )
        return self.views[array, slices].name

    def _check_bounds(self, node: ast.Slice, whole: ast.Subscript) -> None:
        """Refuse slices that are not the same in every iteration."""
        inner = [each for bound in (node.lower, node.upper, node.step) if bound for each in walk(bound)]
        names = {each.id for each in inner if isinstance(each, ast.Name)}
        if names & self._bound or not all(isinstance(each, _OF_SHAPES) for each in inner):
            text = f"the slice of `{ast.unparse(whole)}` may be another one in each iteration"
            raise NotNative("index-not-literal", text, whole)


def _slice(node: ast.expr | None) -> slice:
    """A slice with literal bounds; raises ``ValueError`` for any other."""
    if not isinstance(node, ast.Slice):
        return slice(None)
    return slice(*(each and ast.literal_eval(each) for each in (node.lower, node.upper, node.step)))


def _offset(node: ast.expr) -> Offset:
    """``j - 1`` as ``j`` and -1."""
    match node:
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=ast.Constant(value=int() as number)):
            text, before = _offset(left)
            return text, before + (number if isinstance(op, ast.Add) else -number)
        case ast.BinOp(left=ast.Constant(value=int() as number), op=ast.Add(), right=right):
            text, before = _offset(right)
            return text, before + number
    return ast.unparse(node), 0

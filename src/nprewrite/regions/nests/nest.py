"""Nests of scalar loops: a loop over indices whose body stores elements and binds numbers, as a tree.

``read_nest`` takes a ``for`` statement and gives the tree, or the first statement that does not fit. Indices
and bounds are linear forms (``types.affine``) where they are linear in loop variables and in integers that
stay the same in the nest.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from nprewrite.analysis.liveness import surely_set
from nprewrite.base.syntax import children, items_of
from nprewrite.program.function import Function
from nprewrite.regions.nests.tree import Access, Branch, Leaf, Loop, Node, Place, Required, Store
from nprewrite.types.affine import Affine, Known, number, symbol
from nprewrite.types.problems import Problem
from nprewrite.types.values import Array, Scalar, Shape, Value

_FLIPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}


@dataclass
class Nest:
    """A nest of loops with what is known before it; ``lengths`` are symbols that are not negative."""

    function: Function
    before: Mapping[str, Value]
    root: Loop = field(init=False)
    names: dict[str, str] = field(default_factory=dict)
    """How the symbols of invariant integers are written."""
    bound: frozenset[str] = frozenset()
    """Names that the nest binds, loop variables among them."""
    stored: frozenset[str] = frozenset()
    """Arrays that the nest stores into."""
    equal: Mapping[str, Affine] = field(default_factory=dict)
    """The assumed lengths of axes, which a condition has to check."""
    lengths: set[str] = field(default_factory=set)
    """The symbols of the axes' lengths that were used."""
    required: tuple[Required, ...] = ()
    """What must hold in addition to all accesses being in range."""
    made: frozenset[str] = frozenset()
    """Names in the nest that do not occur in the function."""
    written: dict[ast.expr, ast.expr] = field(default_factory=dict)
    """What the text has in place of the nest's elements of slices."""

    def with_lengths(self, equal: Mapping[str, Affine]) -> Nest:
        """The nest with these assumed lengths of axes."""
        made = replace(self, names=dict(self.names), equal=equal)
        made.root = self.root
        return made

    def is_set(self, name: str) -> bool:
        """Whether a name has a value when the nest starts, on every path."""
        return surely_set(name, self.root.node, self.function)

    def array(self, name: str) -> Array | None:
        """The array of that name before the nest."""
        value = self.before.get(name)
        return value if isinstance(value, Array) and name not in self.bound else None

    def length(self, name: str, axis: int) -> Affine:
        """The length of an axis of an array."""
        array = self.array(name)
        shape = array.shape if array is not None else None
        length = shape[axis] if isinstance(shape, tuple) and axis < len(shape) else None
        if isinstance(length, int):
            return number(length)
        known = length if isinstance(length, str) else f"{shape or name}[{axis}]"
        self.names.setdefault(known, f"{name}.shape[{axis}]")
        self.lengths.add(known)
        return self.equal.get(known, symbol(known))

    def affine(self, node: ast.expr, loops: Sequence[Loop]) -> Affine | None:
        """The linear form of an index or bound; None if it is not linear."""
        match node:
            case ast.Constant(value=int() as value) if not isinstance(value, bool):
                return number(value)
            case ast.Name(id=name):
                return self._named(name, loops)
            case ast.UnaryOp(op=ast.USub()):
                inner = self.affine(node.operand, loops)
                return -inner if inner is not None else None
            case ast.BinOp(op=ast.Add() | ast.Sub() | ast.Mult()):
                left, right = self.affine(node.left, loops), self.affine(node.right, loops)
                return _combined(node.op, left, right) if left is not None and right is not None else None
            case ast.Subscript(value=ast.Attribute(value=ast.Name(id=name), attr="shape"), slice=axis):
                return self._axis(name, axis)
            case ast.Call(args=[ast.Name(id=name)], keywords=[]):
                is_len = self.function.dotted(node.func) == "builtins.len"
                return self._axis(name, ast.Constant(0)) if is_len else None
        return None

    def _named(self, name: str, loops: Sequence[Loop]) -> Affine | None:
        loop = next((each for each in reversed(loops) if each.name == name), None)
        if loop is not None:
            return symbol(loop.symbol)
        value = self.before.get(name)
        # Nothing that a nest does changes a number of the module either.
        is_known = self.function.is_local(name) or self.function.names.is_variable(name, self.function.node)
        if name in self.bound or isinstance(value, Array) or not is_known:
            return None
        if isinstance(value, Scalar) and value.kind != "int":
            return None
        if isinstance(value, Scalar) and isinstance(value.constant, int):
            return number(value.constant)
        known = value.symbol if isinstance(value, Scalar) and value.symbol else f"`{name}`"
        self.names[known] = name
        return symbol(known)

    def _axis(self, name: str, axis: ast.expr) -> Affine | None:
        array = self.array(name)
        if array is None or not isinstance(axis, ast.Constant):
            return None
        if type(axis.value) is not int or not 0 <= axis.value < (array.rank or axis.value + 1):
            return None
        return self.length(name, axis.value)

    @property
    def known(self) -> Known:
        """What is known of the symbols: lengths of axes are not negative."""
        shapes = self._shapes
        axes = {
            axis for shape in shapes if isinstance(shape, tuple) for axis in shape if isinstance(axis, str)
        }
        stems = {name: name.rpartition("[")[0] for name in self.names}
        lengths = [name for name, stem in stems.items() if stem in shapes or stem in self.before]
        return Known([*axes, *lengths], self.equal.values())

    @cached_property
    def _shapes(self) -> set[Shape | None]:
        """The shapes of all arrays before the nest, which are few even among thousands of arrays."""
        return {value.shape for value in self.before.values() if isinstance(value, Array)}

    def element(self, node: ast.expr) -> tuple[str, list[ast.expr]] | None:
        """The array's name and the indices of ``A[i, j]`` or ``A[i][j]``; None for anything else."""
        indices: list[ast.expr] = []
        while isinstance(node, ast.Subscript):
            indices, node = [*items_of(node), *indices], node.value
        if not indices or not isinstance(node, ast.Name) or self.array(node.id) is None:
            return None
        return node.id, indices

    def accesses(self) -> list[Access]:
        """Every element that the nest reads or stores, in the order of the text."""
        return [access for leaf, place in leaves(self) for access in self._of_leaf(leaf, place)]

    def _of_leaf(self, leaf: Leaf, place: Place) -> Iterator[Access]:
        if isinstance(leaf, Branch):
            yield from self.reads(leaf.node.test, leaf, place)
            return
        yield from self.reads(leaf.value, leaf, place)
        if not isinstance(leaf, Store):
            return
        for each in _slices(leaf.target):
            yield from self.reads(each, leaf, place)
        if leaf.operator is not None:
            yield self._access(leaf.target, leaf, place, write=False)
        yield self._access(leaf.target, leaf, place, write=True)

    def reads(self, node: ast.expr, leaf: Leaf, place: Place) -> Iterator[Access]:
        """The elements that an expression reads."""
        if isinstance(node, ast.Subscript) and self.element(node) is not None:
            yield self._access(node, leaf, place, write=False)
            for each in _slices(node):
                yield from self.reads(each, leaf, place)
            return
        for child in children(node):
            if isinstance(child, ast.expr):
                yield from self.reads(child, leaf, place)

    def _access(self, node: ast.Subscript, leaf: Leaf, place: Place, write: bool) -> Access:
        found = self.element(node)
        assert found is not None
        name, indices = found
        forms = [self.index(name, axis, each, place.loops) for axis, each in enumerate(indices)]
        return Access(node, name, tuple(forms), write, leaf, place)

    def index(self, array: str, axis: int, node: ast.expr, loops: Sequence[Loop]) -> Affine | None:
        """The linear form of an index that counts from the start; ``A[-1]`` is the last element."""
        form = self.affine(node, loops)
        if form is None or form.terms or form.constant >= 0:
            return form
        return self.length(array, axis) + form


def leaves(nest: Nest) -> Iterator[tuple[Leaf, Place]]:
    """The statements and tests of a nest with their places, in the order of the text."""
    yield from _leaves((nest.root,), Place(), nest)


def _leaves(block: Sequence[Node], place: Place, nest: Nest) -> Iterator[tuple[Leaf, Place]]:
    for node in block:
        match node:
            case Loop():
                yield from _leaves(node.body, Place((*place.loops, node), place.conditions), nest)
            case Branch():
                yield node, place
                for arm, holds in ((node.body, True), (node.orelse, False)):
                    forms = conditions(node.node.test, holds, place.loops, nest)
                    yield from _leaves(arm, Place(place.loops, (*place.conditions, *forms)), nest)
            case _:
                yield node, place


def conditions(test: ast.expr, holds: bool, loops: Sequence[Loop], nest: Nest) -> tuple[Affine, ...]:
    """The linear forms that are not negative where ``test`` is true (where false, if not ``holds``)."""
    match test:
        case ast.UnaryOp(op=ast.Not()):
            return conditions(test.operand, not holds, loops, nest)
        case ast.BoolOp(op=ast.And()) if holds:
            return tuple(form for each in test.values for form in conditions(each, True, loops, nest))
        case ast.BoolOp(op=ast.Or()) if not holds:
            return tuple(form for each in test.values for form in conditions(each, False, loops, nest))
        case ast.Compare() if holds or len(test.ops) == 1:
            operands = [nest.affine(each, loops) for each in (test.left, *test.comparators)]
            pairs = zip(operands, test.ops, operands[1:], strict=False)
            return tuple(form for pair in pairs for form in _compared(*pair, holds))
    return ()


def _compared(left: Affine | None, op: ast.cmpop, right: Affine | None, holds: bool) -> list[Affine]:
    if left is None or right is None or type(op) not in _FLIPPED:
        return []
    kind = type(op) if holds else _FLIPPED[type(op)]
    match kind.__name__:
        case "Lt":
            return [right - left - 1]
        case "LtE":
            return [right - left]
        case "Gt":
            return [left - right - 1]
        case "GtE":
            return [left - right]
        case "Eq":
            return [left - right, right - left]
    return []


def unknown_array(base: ast.Name, nest: Nest) -> Problem:
    """Why a name that is subscripted is not followed."""
    value = nest.before.get(base.id)
    because = "it is bound in the loop" if value is None else getattr(value, "because", "it is not an array")
    text = f"the type of `{base.id}` is not known: {because}"
    return Problem("dtype-unknown", text, base, getattr(value, "parameter", None))


def _slices(node: ast.expr) -> list[ast.expr]:
    found: list[ast.expr] = []
    while isinstance(node, ast.Subscript):
        found, node = [node.slice, *found], node.value
    return found


def _combined(op: ast.operator, left: Affine, right: Affine) -> Affine | None:
    if isinstance(op, ast.Mult):
        if left.terms and right.terms:
            return None
        return left * right.constant if left.terms else right * left.constant
    return left + right if isinstance(op, ast.Add) else left - right

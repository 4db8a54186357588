"""Whether a loop computes with rows or small arrays, for which NumPy's calls take longer than their work."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Sequence
from functools import cached_property

from nprewrite.base.syntax import (
    assigned,
    children,
    is_new_axis,
    items_of,
    names_bound,
    names_in,
    root_name,
    walk,
)
from nprewrite.lowering.iterables import elements_of
from nprewrite.numpy_api.attributes import is_of_layout
from nprewrite.numpy_api.creation import creation
from nprewrite.program.function import Function
from nprewrite.regions.native.entry import draws
from nprewrite.source.kept import kept
from nprewrite.types.values import Array, Unknown

_MOST = 1 << 13
"""The size up to which a loop over elements is no slower than a call of compiled array code."""


def computes_with_rows(loop: ast.For | ast.While, function: Function) -> bool:
    """Whether every statement over arrays takes small arrays, or a row or a part that the loop picks."""
    found = _Rows(loop, function)
    return found.is_all and (found.only_small or found.picks_elements)


def computes_with_vectors(loop: ast.For | ast.While, function: Function) -> bool:
    """Whether every statement over arrays takes arrays that are known to be small.

    ``u = u + dt * f(u)`` is over a whole array, which may be long: such steps are compiled as array code.
    """
    found = _Rows(loop, function)
    return found.is_all and found.only_small


class _Arrays:
    """What the arrays of a function are."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._values = function.facts.expressions.values

    def small_names(self) -> set[str]:
        """Names that always hold small arrays; a call has shown the first ones."""
        parameters = self._function.parameter_values
        arrays = {name: each for name, each in parameters.items() if isinstance(each, Array)}
        shown = {k for k, each in arrays.items() if each.shown is not None and math.prod(each.shown) <= _MOST}
        set_by: dict[str, list[ast.expr]] = {}
        for each in walk(self._function.node):
            if isinstance(each, ast.Assign):
                for target, value in assigned(each.targets[0], each.value, apart=False):
                    if isinstance(target, ast.Name):
                        set_by.setdefault(target.id, []).append(value)
        small = {*shown, *set_by} - ({*parameters} - shown)
        while large := {
            name for name in small & {*set_by} if not all(self._from(each, small) for each in set_by[name])
        }:
            small -= large
        return small

    def _from(self, value: ast.expr, small: set[str]) -> bool:
        """Whether an array is computed from small ones, or is a display."""
        known = self._values.get(value)
        if known is None or isinstance(known, Unknown):
            return False
        if not isinstance(known, Array) or known.rank == 0 or self._has_small_shape(value):
            return True
        leaves = [*self._leaves(value)]
        if leaves:
            return all(self._has_small_shape(each) or root_name(each) in small for each in leaves)
        made = creation(self._function.dotted(value.func)) if isinstance(value, ast.Call) else None
        return made is not None and made.rule in ("converted", "unit")

    def _leaves(self, node: ast.expr) -> Iterator[ast.expr]:
        """The names and the parts of arrays that an expression takes."""
        match node:
            case ast.Attribute() if is_of_layout(node.attr):
                return
            case ast.Call(func=ast.Name(id="len")):
                return
            case ast.Name() | ast.Subscript() if self._rank(node) and root_name(node) is not None:
                yield node
            case ast.Subscript() if not isinstance(node.value, ast.Name):
                yield from self._leaves(node.value)
        if isinstance(node, ast.Subscript):
            yield from self._leaves(node.slice)
            return
        for each in children(node):
            if isinstance(each, ast.expr | ast.keyword):
                yield from self._leaves(each.value if isinstance(each, ast.keyword) else each)

    def _rank(self, node: ast.expr | None) -> int:
        value = self._values.get(node) if node is not None else None
        return (value.rank or 0) if isinstance(value, Array) else 0

    def _has_small_shape(self, node: ast.expr) -> bool:
        value = self._values.get(node)
        if not isinstance(value, Array):
            return False
        shape = value.shape if isinstance(value.shape, tuple) else ()
        return self._are_small(shape) or (value.shown is not None and self._are_small(value.shown))

    def _are_small(self, shape: Sequence[object]) -> bool:
        """Whether axes of these lengths, which may be symbols, hold few elements."""
        lengths = [each if isinstance(each, int) else self._shown.get(each) for each in shape]
        known = [each for each in lengths if each is not None]
        return 0 < len(known) == len(lengths) and math.prod(known) <= _MOST

    @cached_property
    def _shown(self) -> dict[object, int]:
        """Lengths that a call has shown, by the symbols that stand for them."""
        parameters = self._function.parameter_values.values()
        shown = [each for each in parameters if isinstance(each, Array) and each.shown is not None]
        return {
            symbol: length
            for each in shown
            for symbol, length in zip(each.shape or (), each.shown or (), strict=False)
        }


class _Rows(_Arrays):
    """What the arrays of a loop are."""

    def __init__(self, loop: ast.For | ast.While, function: Function) -> None:
        super().__init__(function)
        self._loop = loop
        self._set = names_bound(loop)
        taken = dict(self._taken())
        self._rows = {*taken}
        self._small_rows = {name for name, lengths in taken.items() if self._are_small(lengths)}
        self.only_small = True
        """Whether all statements so far are over small arrays."""

    def _taken(self) -> Iterator[tuple[str, Sequence[object]]]:
        """The names that loops give to the rows of arrays, with the lengths of a row's axes."""
        loops = (each for each in walk(self._loop) if isinstance(each, ast.For))
        for found in (elements_of(each, self._function.dotted) for each in loops):
            if found is None:
                continue
            for array, target in zip(found.arrays, found.targets, strict=True):
                value = self._values.get(array)
                if isinstance(target, ast.Name) and isinstance(value, Array) and (value.rank or 0) > 1:
                    yield target.id, (value.shape or (None,))[1:]

    @cached_property
    def is_all(self) -> bool:
        """Whether every statement is over rows."""
        statements = [each for each in walk(self._loop) if isinstance(each, ast.Assign | ast.AugAssign)]
        return all(map(self.is_of_rows, sorted(statements, key=lambda each: each.lineno)))

    def is_of_rows(self, node: ast.Assign | ast.AugAssign) -> bool:
        """Whether a statement is over rows; a name is a row once a statement has made it one."""
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        leaves = [*self._leaves(target), *self._leaves(node.value)]
        known = self._values.get(node.value)
        if isinstance(known, Array) and known.rank is None and known.under is None:
            self.only_small = False
        if (not leaves and not self._rank(node.value)) or _is_copy(node.value):
            return True
        if any(
            self._rank(each) and not self._has_small_shape(each) for each in draws(node.value, self._function)
        ):
            return False
        small = all(self._is_small(each) for each in leaves if each is not target)
        small &= not self._is_spread(node.value, leaves)
        self.only_small &= small
        wide = max(self._width(node.value), self._width(target)) > 1
        takes_rows = self._takes_windows(leaves, target) if wide else any(map(self._is_row, leaves))
        if not small and not takes_rows and (wide or leaves):
            return False
        self._rows |= {*names_bound(target)}
        return True

    def _is_spread(self, node: ast.expr, leaves: Sequence[ast.expr]) -> bool:
        """Whether a part of an expression has more elements than small arrays: ``x[:, None] - x``."""
        widest = max(map(self._width, leaves), default=0)
        parts = (each for each in walk(node) if isinstance(each, ast.BinOp | ast.Call | ast.Compare))
        return any(self._width(each) > widest and not self._has_small_shape(each) for each in parts)

    def _takes_windows(self, leaves: Sequence[ast.expr], target: ast.expr) -> bool:
        """Whether what has several axes are windows, so that the result is as small as they are."""
        several = [each for each in leaves if self._width(each) > 1 and each is not target]
        return bool(several) and all(self._is_row(each) or self._is_small(each) for each in several)

    @property
    def picks_elements(self) -> bool:
        """Whether single elements, parts of growing length or inner loops keep it from being array code."""
        inner = [each for each in walk(self._loop) if each is not self._loop]
        if any(isinstance(each, ast.For | ast.While) for each in inner):
            return True
        subscripts = (each for each in inner if isinstance(each, ast.Subscript) and self._rank(each.value))
        return any(
            not self._rank(each)
            or any(isinstance(part, ast.Slice) and self._picks(part) for part in items_of(each))
            for each in subscripts
            if self._picks(each.slice)
        )

    def _width(self, node: ast.expr) -> int:
        """The number of axes that may be longer than one: a column counts as a vector."""
        value = self._values.get(node)
        shape = value.shape if isinstance(value, Array) and isinstance(value.shape, tuple) else None
        return self._rank(node) if shape is None else sum(each != 1 for each in shape)

    def _picks(self, node: ast.expr) -> bool:
        """Whether an index depends on a name that the loop sets."""
        return not names_in(node).isdisjoint(self._set)

    def _is_row(self, leaf: ast.expr) -> bool:
        """Whether a number of the loop picks the row or bounds the part, or it is as long as such a row."""
        if isinstance(leaf, ast.Name):
            value = self._values.get(leaf)
            shape = value.shape if isinstance(value, Array) and isinstance(value.shape, tuple) else ()
            return leaf.id in self._rows or (len(shape) == 1 and shape[0] in self._lengths)
        if not isinstance(leaf, ast.Subscript):
            return False
        part = self._rank(leaf) <= 1 or self._is_window(leaf)
        return (self._picks(leaf.slice) and part) or self._is_row(leaf.value)

    def _is_window(self, leaf: ast.Subscript) -> bool:
        """Whether the loop bounds a part on all axes but one at most: ``u[i : i + k, j : j + n, :]``."""
        items = items_of(leaf)
        base = self._rank(leaf.value)
        if not base or any(map(is_new_axis, items)):
            return False
        bounded = [
            each
            for each in items
            if not isinstance(each, ast.Slice)
            or (each.lower is not None and each.upper is not None and self._picks(each))
        ]
        return base - len(bounded) <= 1 and not any(map(self._rank, items))

    @cached_property
    def _lengths(self) -> set[object]:
        """The lengths of axes of arrays whose rows are picked by a computed number."""
        found: set[object] = set()
        for each in walk(self._loop):
            if (
                not isinstance(each, ast.Subscript)
                or not isinstance(each.ctx, ast.Load)
                or not self._rank(each)
            ):
                continue
            base = self._values.get(each.value)
            if isinstance(base, Array) and isinstance(base.shape, tuple) and self._picks(each.slice):
                found |= {*base.shape}
        return found

    def _is_small(self, node: ast.expr) -> bool:
        """Whether an array has few elements, by its shape or by what it was computed from."""
        name = root_name(node)
        return self._has_small_shape(node) or name in self._small_rows or name in _small_names(self._function)


@kept
def _small_names(function: Function) -> set[str]:
    """Names of a function that always hold small arrays, found once for all its loops."""
    return _Arrays(function).small_names()


def _is_copy(node: ast.expr) -> bool:
    """Whether a value is only copied: ``old = u.copy()``, ``a, b = b, a``, ``row[:] = 0``."""
    match node:
        case ast.Name() | ast.Constant():
            return True
        case ast.Tuple(elts=parts):
            return all(map(_is_copy, parts))
        case ast.Call(func=ast.Attribute(value=ast.Name(), attr="copy"), args=[]):
            return True
    return False

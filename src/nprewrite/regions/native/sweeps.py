"""Loops that compute rows or columns of arrays from others of the same arrays: sweeps."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from nprewrite.base.syntax import items_of, names_bound, names_in, walk
from nprewrite.lowering.arrays import Entry
from nprewrite.lowering.lanewise_loops import lane_nest
from nprewrite.lowering.lower import lower
from nprewrite.lowering.lowered import Lowered
from nprewrite.lowering.problems import NotNative
from nprewrite.program.function import Function
from nprewrite.regions.native.loops import NativeRegion, region_of, regions
from nprewrite.types.problems import Problem
from nprewrite.types.values import Array, Unknown

_NO_SWEEP = "not-scalar"
_OF_SWEEPS = {"not-lanewise", "aliased-arrays", "scalar-carried", "cast-raises", "index-not-literal"}
_OF_SWEEPS |= {"dtype-unsupported", "unknown-call"}
"""Problems of sweeps alone; the passes over all loops of array code report the others."""


def sweep_regions(function: Function) -> Iterator[tuple[ast.stmt, NativeRegion | Problem]]:
    """The outermost loops that are sweeps, and why similar loops are not."""
    for loop, found in regions(function, sweep_region):
        waits = isinstance(found, Problem) and found.parameter is not None and function.can_defer
        if isinstance(found, NativeRegion) or waits or found.code in _OF_SWEEPS:
            yield loop, found


def sweep_region(loop: ast.For | ast.While, function: Function) -> NativeRegion | Problem:
    """The region of a sweep, or why the loop is not one."""
    if not _looks_back(loop, function):
        return Problem(_NO_SWEEP, "no row is computed from another", loop)
    before = function.facts.before(loop)
    for name in sorted(_stored(loop)):
        value = before.get(name)
        if isinstance(value, Array) and value.rank is None and function.can_defer:
            text = f"the number of axes of `{name}` is only known at a call"
            return Problem("dtype-unknown", text, loop, name)
    return region_of(loop, function, _lowered)


def _lowered(node: ast.FunctionDef, entry: Entry, resolve: Callable[[ast.expr], str | None]) -> Lowered:
    """The sweep as loops over scalars; raises ``NotNative``."""
    nest = lane_nest(node, entry, resolve)
    if not nest.carried:
        raise NotNative(_NO_SWEEP, "no row is computed from another")
    return lower(nest.function, nest.entry(entry), resolve)


def _looks_back(loop: ast.stmt, function: Function) -> bool:
    """Whether a row or column that the loop picks is stored, and others of the same array are read."""
    nodes = [*walk(loop)]
    moving = {*names_bound(loop)}
    parts = [each for each in nodes if isinstance(each, ast.Subscript) and isinstance(each.value, ast.Name)]
    parts = [each for each in parts if not any(names_in(part) & moving for part in _slices(each))]
    stored = [each for each in parts if isinstance(each.ctx, ast.Store) and _is_row(each, moving, function)]
    return any(
        ast.unparse(one.value) == ast.unparse(other.value) and ast.unparse(one) != ast.unparse(other)
        for one in stored
        for other in parts
    )


def _is_row(node: ast.Subscript, moving: set[str], function: Function) -> bool:
    """Whether it is a part of an array along axes without an index, where an index moves with the loop."""
    items = items_of(node)
    indices = [each for each in items if not isinstance(each, ast.Slice)]
    picked = any(names_in(each) & moving for each in indices)
    value = function.facts.value(node)
    # If the rank of the array is unknown, it may as well be an element.
    sliced = len(indices) < len(items) or (isinstance(value, Array) and bool(value.rank))
    return picked and sliced and isinstance(function.facts.value(node.value), Array | Unknown)


def _slices(node: ast.Subscript) -> list[ast.expr]:
    return [each for each in items_of(node) if isinstance(each, ast.Slice)]


def _stored(loop: ast.stmt) -> set[str]:
    """Names of what the loop stores into or reads parts of."""
    parts = (each for each in walk(loop) if isinstance(each, ast.Subscript))
    return {each.value.id for each in parts if isinstance(each.value, ast.Name)}

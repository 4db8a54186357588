"""A nest of scalar loops over indices as statements over whole arrays.

Why: Python runs iterations one by one; NumPy computes a slice at once, and later passes compile it.

    for i in range(1, n - 1):                         v[1:-1] = u[:-2] - 2 * u[1:-1] + u[2:]
        v[i] = u[i - 1] - 2 * u[i] + u[i + 1]    ->

The loops that become slices ("lanes") run in lockstep, statement by statement; the others stay.

Safety: lockstep must not reverse a dependence between two iterations (``regions.nests.dependence``), and
every index is proved to be in range. What the text does not prove (ranges, shared memory, ``np.geterr()``) is
a condition; otherwise the loop as written runs.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from nprewrite.base.syntax import items_of, walk
from nprewrite.emit.array_code.plans import Plan, plan_of
from nprewrite.emit.steps.array_making import making
from nprewrite.passes.level import Level
from nprewrite.passes.moved_loop import has_numba
from nprewrite.passes.planned_loop import Planned, PlannedLoop
from nprewrite.program.function import Function
from nprewrite.regions.array_loops.step_names import unclear_names
from nprewrite.regions.native.loops import NativeRegion, native_region
from nprewrite.regions.nests.reader import read_nest
from nprewrite.types.problems import Problem
from nprewrite.types.values import Array


class VectorizeLoop(PlannedLoop):
    """NPR405."""

    code = "NPR405"
    name = "vectorize-loop"
    summary = "a nest of scalar loops over indices becomes statements over whole arrays"
    level = Level.EXACT
    becomes = "slices"

    def planned(self, loop: ast.For, function: Function) -> Planned | None:
        """Of loops over indices; where one is not a nest of scalar statements, of those inside it."""
        if not _indexes(loop):
            return None
        plan = _plan(loop, function)
        if isinstance(plan, Plan):
            plan = _native_first(plan, loop, function)
        if isinstance(plan, Plan):
            return _with_making(plan, loop, function)
        inner = any(isinstance(each, ast.For) and _indexes(each) for each in _below(loop))
        return None if inner and _is_no_nest(plan, loop, function) else plan


def _is_no_nest(problem: Problem, loop: ast.For, function: Function) -> bool:
    """Whether a loop computes with whole arrays next to its inner loops: ``p_new = 2 * p - p_old + d``.

    Arrays that it only makes or renames (``new = np.zeros_like(u)``) are no reason for slices: Numba runs the
    loops in one pass.
    """
    if problem.code in {"not-a-scalar-nest", "not-a-range"}:
        return True
    bound = (each for each in _below(loop) if isinstance(each, ast.Assign))
    computed = (each.targets[0] for each in bound if isinstance(each.value, ast.BinOp))
    return any(
        isinstance(each, ast.Name) and isinstance(function.facts.value(each), Array) for each in computed
    )


def _indexes(loop: ast.For) -> bool:
    """Whether the loop's variable, or one of an inner loop, is an index by itself or in a sum."""
    names = {
        each.target.id
        for each in walk(loop)
        if isinstance(each, ast.For) and isinstance(each.target, ast.Name)
    }
    subscripts = (each for each in walk(loop) if isinstance(each, ast.Subscript))
    items = (item for each in subscripts for item in items_of(each))
    own = isinstance(loop.target, ast.Name)
    plain = (item for item in items if not isinstance(item, ast.Slice))
    return own and any(
        isinstance(part, ast.Name) and part.id in names for item in plain for part in walk(item)
    )


def _below(loop: ast.For) -> Iterator[ast.AST]:
    return (node for statement in loop.body for node in walk(statement))


def _plan(loop: ast.For, function: Function) -> Planned:
    problem = unclear_names(loop, function)
    nest = problem or read_nest(loop, function)
    return nest if isinstance(nest, Problem) else plan_of(nest)


def _native_first(plan: Plan, loop: ast.For, function: Function) -> Planned:
    """The plan, unless it tests a condition in each round, and Numba can run the loops as one."""
    native = native_region(loop, function) if plan.in_rounds and has_numba() else None
    if not isinstance(native, NativeRegion):
        return plan
    return Problem("native-instead", "Numba runs the whole nest as one loop, which is faster (NPR407)", loop)


def _with_making(plan: Plan, loop: ast.For, function: Function) -> Plan:
    """The plan with the statement before the loop, so that the decorator compiles both as one region."""
    found = making(loop, function) if function.name == function.module.jitted else None
    if found is None:
        return plan
    version = found.without_name(plan.version)
    general = found.without_name(plan.general) if plan.general is not None else None
    if version is None or (plan.general is not None and general is None):
        return plan
    return replace(plan, version=version, general=general, made=found.statement)

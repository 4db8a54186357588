"""A loop over rows and growing slices as statements over whole arrays.

Why: a loop of small products needs a call in each iteration, and reads the same rows repeatedly; the product
of the whole matrices is one call.

    for i in range(m):
        cov[i:, i] = cov[i, i:] = data[:, i] @ data[:, i:] / (n - 1)

becomes

    mask = np.arange(m)[:, None] <= np.arange(m)
    value = data.T @ data / (n - 1)
    cov[...] = np.where(mask, value, cov)
    cov[...] = np.where(mask.T, value.T, cov)

A loop only some of whose statements are sequential is split (``emit.array_code.parts``): whole arrays for the
others, a loop for the rest.

Safety: no iteration may use what another one stores (``regions.nests.dependence``, on the elements of the
slices). Slices that must have the same length are proved to have it or compared. What the text does not prove
is a condition; otherwise the loop as written runs.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from itertools import combinations

from nprewrite.base.syntax import names_in, walk
from nprewrite.emit.array_code.parts import split_plan
from nprewrite.emit.array_code.plans import Plan, loops_of, order_of, plan_of, with_lanes
from nprewrite.emit.array_code.substitutions import solve_plan
from nprewrite.passes.level import Level
from nprewrite.passes.moved_loop import has_numba
from nprewrite.passes.planned_loop import Planned, PlannedLoop
from nprewrite.passes.reasons import declared
from nprewrite.program.function import Function
from nprewrite.regions.array_loops.step_names import unclear_names
from nprewrite.regions.native.loops import NativeRegion, native_region
from nprewrite.regions.native.sweeps import sweep_region
from nprewrite.regions.nests.nest import Nest
from nprewrite.regions.nests.reader import read_nest
from nprewrite.regions.nests.row_loops import read_array_loop
from nprewrite.types.problems import Problem
from nprewrite.types.values import Array

_LOOPS = 8
"""Nests of more loops and axes than this are not tried."""


class LoopDistribute(PlannedLoop):
    """NPR406."""

    code = "NPR406"
    name = "loop-distribute"
    summary = "a loop over rows and growing slices becomes statements over whole arrays"
    level = Level.ROUNDING
    becomes = "whole arrays"

    def planned(self, loop: ast.For, function: Function) -> Planned | None:
        """Of loops that store slices or bind numbers, and of loops that can be split."""
        plan = _plan(loop, function) if _is_over_slices(loop, function) else None
        if not isinstance(plan, Plan):
            plan = _split(loop, function) or _dots(loop, function) or plan
        return declared(plan, self.code, "not-array-code") if isinstance(plan, Problem) else plan


def _plan(loop: ast.For, function: Function) -> Planned:
    """The plan with as many of the loops as possible as whole arrays; slices stay slices."""
    nest = unclear_names(loop, function) or read_array_loop(loop, function)
    if isinstance(nest, Problem):
        return nest
    loops, order = loops_of(nest.root), order_of(nest)
    own = [each for each in loops if each.name not in nest.made]
    if len(loops) > _LOOPS:
        return Problem("lanes-unfit", f"{len(loops)} loops and axes in one nest", loop)
    problems: list[Problem] = []
    for size in range(len(own), 0, -1):
        for chosen in combinations(own, size):
            lanes = [each for each in loops if each in chosen or each.name in nest.made]
            plan = with_lanes(nest, lanes, order)
            if isinstance(plan, Plan):
                return replace(plan, lanes=tuple(each.name for each in chosen))
            problems.append(plan)
    return _in_words(problems[0], nest, function)


def _dots(loop: ast.For, function: Function) -> Plan | None:
    """The plan of a loop that stays, with dot products in place of sums of products."""
    if unclear_names(loop, function) is not None or not _sums_products(loop, function):
        return None
    nest = read_array_loop(loop, function)
    if isinstance(nest, Problem):
        return None
    lanes = [each for each in loops_of(nest.root) if each.name in nest.made]
    plan = with_lanes(nest, lanes, order_of(nest))
    if isinstance(plan, Problem):
        return None
    return replace(plan, lanes=(nest.root.name,), became="a loop of dot products")


def _sums_products(loop: ast.For, function: Function) -> bool:
    """Whether products of rows are only made to be summed: ``(x[k:] * y[k:]).sum()``."""
    calls = [each for each in walk(loop) if isinstance(each, ast.Call)]
    functions = (each.func for each in calls)
    methods = (each.value for each in functions if isinstance(each, ast.Attribute) and each.attr == "sum")
    given = (each.args[0] for each in calls if function.dotted(each.func) == "numpy.sum" and each.args)
    return any(isinstance(each, ast.BinOp) and isinstance(each.op, ast.Mult) for each in (*methods, *given))


def _split(loop: ast.For, function: Function) -> Plan | None:
    """The plan of a loop as a triangular solve or in parts, read as one over scalars or else over slices.

    Where Numba can run all statements of an iteration at once, no split is faster, and a triangular solve
    only for slices.
    """
    if unclear_names(loop, function) is not None:
        return None
    found = (find(loop, function) for find in (native_region, sweep_region) if has_numba())
    native = any(isinstance(each, NativeRegion) for each in found)
    for read in (read_array_loop,) if native else (read_nest, read_array_loop):
        nest = read(loop, function)
        if not isinstance(nest, Nest) or (native and not nest.made):
            continue
        plan = solve_plan(nest) or (None if native else split_plan(nest))
        if isinstance(plan, Plan):
            return None if _is_whole(loop, function) else plan
    return None


def _is_whole(loop: ast.For, function: Function) -> bool:
    """Whether all iterations of the loop, or of some loops of a nest, can run at once without a split."""
    for each in (*function.outer(loop), loop):
        nest = read_nest(each, function) if isinstance(each, ast.For) else None
        plan = plan_of(nest) if isinstance(nest, Nest) else None
        if isinstance(plan, Plan) and (each is not loop or ast.unparse(loop.target) in plan.lanes):
            return True
    return False


def _in_words(problem: Problem, nest: Nest, function: Function) -> Problem:
    """The problem in terms of names that occur in the text."""
    if problem.node is None or not any(name in problem.message for name in nest.made):
        return problem
    text = function.document.segment(problem.node).splitlines()[0]
    return replace(problem, message=f"`{text}` cannot be computed for all iterations at once")


def _is_over_slices(loop: ast.For, function: Function) -> bool:
    """Whether a loop does nothing but store slices that move with its variable, and bind numbers."""
    call = loop.iter
    dotted = function.dotted(call.func) if isinstance(call, ast.Call) else None
    if dotted != "builtins.range" or not isinstance(loop.target, ast.Name) or loop.orelse:
        return False
    nodes = [*walk(loop)]
    if not all(_is_simple(each) for each in nodes if isinstance(each, ast.stmt)):
        return False
    loops = [each for each in nodes if isinstance(each, ast.For)]
    names = {each.target.id for each in loops if isinstance(each.target, ast.Name)}
    parts = [each for each in nodes if isinstance(each, ast.Subscript)]
    return any(_moves(names, each) or _stores_row(names, each, function) for each in parts)


def _is_simple(node: ast.stmt) -> bool:
    if isinstance(node, ast.Assign | ast.AugAssign):
        return all(isinstance(each, ast.Name | ast.Subscript) for each in _targets(node))
    return isinstance(node, ast.For | ast.Pass)


def _targets(node: ast.Assign | ast.AugAssign) -> list[ast.expr]:
    return node.targets if isinstance(node, ast.Assign) else [node.target]


def _moves(names: set[str], part: ast.Subscript) -> bool:
    """Whether a part of an array consists of slices that depend on a loop variable."""
    sliced = any(isinstance(each, ast.Slice) for each in walk(part.slice))
    return sliced and not names.isdisjoint(names_in(part.slice))


def _stores_row(names: set[str], part: ast.Subscript, function: Function) -> bool:
    """Whether a row with a loop variable as its only index is stored: ``out[i]`` of a matrix."""
    array = function.facts.value(part.value) if isinstance(part.ctx, ast.Store) else None
    index = part.slice.id if isinstance(part.slice, ast.Name) else None
    return isinstance(array, Array) and (array.rank or 0) > 1 and index in names

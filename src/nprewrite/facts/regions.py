"""Runs of array statements, outside of extracted loops, that one step could compute."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nprewrite.facts.function import Function, blocks, whole_lines
from nprewrite.facts.kept_views import View, kept_views
from nprewrite.facts.liveness import live_after
from nprewrite.facts.loop_body import LoopBody
from nprewrite.facts.loops import Flow, follow_whole
from nprewrite.facts.operands import LEAST_OPERATIONS, OPERATIONS, computes_whole, is_of_arrays
from nprewrite.facts.problems import Problem
from nprewrite.facts.sharing import escaping_problem, sharing_problem
from nprewrite.facts.step_names import foreign_name
from nprewrite.facts.steps import is_extracted
from nprewrite.facts.values import Array, Unknown

MOST_OPERATIONS = 300
"""More than a few hundred take too long to compile."""


@dataclass(frozen=True)
class Region:
    """Consecutive statements, how values move through them, and the names that are read after them.

    ``results`` are the names that a ``return`` at the end gives its values to; ``statements`` are as written,
    the flow's have an assignment in place of the return.
    """

    statements: tuple[ast.stmt, ...]
    outer: tuple[ast.stmt, ...]
    flow: Flow
    live: tuple[str, ...]
    results: tuple[str, ...]


def regions(function: Function) -> Iterator[Region | Problem]:
    """The regions of a function, in order, and why statements over arrays are in none."""
    # What sees every name would see those of the regions, and NumPy's name has to mean NumPy.
    if function.dynamic_call is None and function.names.unclear_numpy(function.node) is None:
        yield from _in_block(function.node.body, (), function)


def _in_block(
    block: Sequence[ast.stmt], outer: tuple[ast.stmt, ...], function: Function
) -> Iterator[Region | Problem]:
    run: list[ast.stmt] = []
    view = function
    for statement in block:
        if run:
            view.facts.extend(statement)
            if not isinstance(_follow([*run, statement], view), Problem):
                run.append(statement)
                continue
            yield from _trimmed(run, outer, view, function)
            run = []
        view = function.starting_at(statement)
        view.facts.extend(statement)
        problem = _follow([statement], view)
        if not isinstance(problem, Problem):
            run = [statement]
            continue
        if problem.parameter is not None or (_computes(statement, function) and not blocks(statement)):
            yield problem
        if isinstance(statement, _COMPOUND) and not is_extracted(
            statement, function.names, function.module.steps
        ):
            for inner in function.blocks(statement):
                yield from _in_block(inner, (*outer, statement), function)
    yield from _trimmed(run, outer, view, function)


_COMPOUND = ast.If | ast.With | ast.Try | ast.For | ast.While
"""Statements whose blocks may hold regions: the body of a loop that is no step itself runs trip by trip."""


def _follow(
    statements: Sequence[ast.stmt], function: Function, views: tuple[View, ...] = ()
) -> tuple[Flow, tuple[str, ...]] | Problem:
    """How values move through the statements, and the names of the values that the last one returns."""
    last = statements[-1]
    results: tuple[str, ...] = ()
    followed = [*statements]
    if isinstance(last, ast.Return):
        values = _returned(last, function)
        if values is None:
            text = f"`{ast.unparse(last)}` returns no computed arrays"
            return Problem("not-array-code", text, last, _awaited(last, function))
        stems = (
            ["result"] if len(values) == 1 else [f"result_{number}" for number in range(1, len(values) + 1)]
        )
        results = tuple(function.names.free(stem) for stem in stems)
        followed[-1] = _bound(last, values, results)
    flow = follow_whole(LoopBody(function, followed, None, new=results, views=views))
    return flow if isinstance(flow, Problem) else (flow, results)


def _returned(node: ast.Return, function: Function) -> list[ast.expr] | None:
    """The values that are returned, where each is computed from arrays."""
    if node.value is None:
        return None
    values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
    computed = all(is_of_arrays(function.facts.value(each)) for each in values)
    plain = any(isinstance(each, ast.Name) for each in values)
    return [*values] if computed and not plain else None


def _awaited(node: ast.Return, function: Function) -> str | None:
    """The parameter whose type at a call would tell what is returned."""
    values = function.facts.expressions.values
    known = [values.get(each) for each in ast.walk(node) if isinstance(each, ast.expr)]
    return next((each.parameter for each in known if isinstance(each, Unknown) and each.parameter), None)


def _bound(node: ast.Return, values: list[ast.expr], names: tuple[str, ...]) -> ast.stmt:
    """``return e, f`` as ``result_1, result_2 = e, f``."""
    targets: list[ast.expr] = [ast.Name(name, ast.Store()) for name in names]
    if len(values) == 1:
        return ast.copy_location(ast.Assign(targets, values[0]), node)
    pair = ast.Assign([ast.Tuple(targets, ast.Store())], ast.Tuple(values, ast.Load()))
    return ast.copy_location(pair, node)


def _trimmed(
    run: Sequence[ast.stmt], outer: tuple[ast.stmt, ...], view: Function, function: Function
) -> Iterator[Region | Problem]:
    """The longest part of the run whose values may leave it, and what can be made of the rest."""
    skipped = next((number for number, each in enumerate(run) if _computes(each, view)), len(run))
    if skipped:
        yield from _in_block(run[skipped:], outer, function)
        return
    for length in range(len(run), 0, -1):
        region = _region(run[:length], outer, view)
        if region is not None:
            yield region
            yield from _in_block(run[length:], outer, function)
            return


def _region(statements: Sequence[ast.stmt], outer: tuple[ast.stmt, ...], function: Function) -> Region | None:
    operations = sum(_operations(each, function) for each in statements)
    if not LEAST_OPERATIONS <= operations <= MOST_OPERATIONS or not whole_lines(statements, function):
        return None
    if not any(_of_whole_arrays(each, function) for each in statements):
        return None
    views = kept_views(statements, statements[0], outer, function)
    followed = _follow(statements, function, views)
    if isinstance(followed, Problem):
        return None
    flow, results = followed
    names = dict.fromkeys([*flow.rebound, *flow.scalars])
    for name, _ in views:
        names.pop(name, None)
    live = [name for name in names if name in results or _read_later(name, statements[-1], outer, function)]
    problem = sharing_problem(flow, live) or escaping_problem(live, flow, statements[0]) or foreign_name(flow)
    if problem is not None or not (flow.state or live) or not flow.read:
        return None
    return Region(tuple(statements), outer, flow, tuple(live), results)


def _read_later(name: str, last: ast.stmt, outer: tuple[ast.stmt, ...], function: Function) -> bool:
    if function.is_shared(name):
        return True
    return not isinstance(last, ast.Return) and live_after(name, last, outer, function)


def _computes(statement: ast.stmt, function: Function) -> bool:
    return _operations(statement, function) > 0


def _of_whole_arrays(statement: ast.stmt, function: Function) -> bool:
    """Whether a statement computes more than single elements: for those a call is too much, compiling too."""
    values = function.facts.expressions.values
    stored = isinstance(statement, ast.AugAssign) and isinstance(values.get(statement.target), Array)
    methods = [each.value for each in ast.walk(statement) if isinstance(each, ast.Attribute)]
    asked = any(isinstance(values.get(each), Array) for each in methods)
    return stored or asked or computes_whole(statement, function)


def _operations(statement: ast.stmt, function: Function) -> int:
    """How many operations on arrays a statement holds."""
    values = function.facts.expressions.values
    nodes = [each for each in ast.walk(statement) if isinstance(each, OPERATIONS)]
    computed = sum(is_of_arrays(values.get(each)) for each in nodes if isinstance(each, ast.expr))
    stored = isinstance(statement, ast.AugAssign) and isinstance(values.get(statement.target), Array)
    return computed + stored

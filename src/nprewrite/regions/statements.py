"""Runs of array statements, outside extracted loops, that one step can compute."""

from __future__ import annotations

import ast
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate

from nprewrite.analysis.array_steps import gives_several
from nprewrite.analysis.liveness import live_after, surely_set
from nprewrite.analysis.made_arrays import made
from nprewrite.analysis.named_views import kept_views
from nprewrite.analysis.operands import LEAST_OPERATIONS, OPERATIONS, computes_whole, is_of_arrays
from nprewrite.analysis.repeated_cost import is_costly_elementwise
from nprewrite.base.syntax import blocks, parts_of, walk
from nprewrite.numpy_api.elementwise import COMPILED_DTYPES
from nprewrite.program.function import Function
from nprewrite.program.steps import is_extracted
from nprewrite.regions.array_loops.body import LoopBody
from nprewrite.regions.array_loops.loop import Flow, follow_further, follow_whole, known_after
from nprewrite.regions.array_loops.sharing import escaping_problem, sharing_problem
from nprewrite.regions.array_loops.step_names import foreign_name
from nprewrite.types.problems import Problem
from nprewrite.types.values import Array, Unknown

MOST_OPERATIONS = 400
"""More than a few hundred take too long to compile."""


@dataclass(frozen=True)
class Region:
    """Consecutive statements, their data flow, and the names that are read after them.

    ``results`` are the names that a ``return`` at the end gives its values to; ``statements`` are as written,
    the flow's have an assignment in place of the return. ``numbers`` are read after them too, which compute
    them anew.
    """

    statements: tuple[ast.stmt, ...]
    flow: Flow
    live: tuple[str, ...]
    results: tuple[str, ...]
    numbers: tuple[str, ...] = ()


def regions(function: Function) -> Iterator[Region | Problem]:
    """The regions of a function, in order, and why other statements over arrays are in none."""
    # Code that sees all names would see those of the regions, and NumPy's name must mean NumPy.
    if function.dynamic_call is None and function.names.unclear_numpy(function.node) is None:
        yield from _in_block(function.node.body, function)


@dataclass
class _Run:
    """Consecutive statements that can be followed, and the view that knows their types."""

    view: Function
    flow: Flow
    statements: list[ast.stmt] = field(default_factory=list)
    operations: list[int] = field(default_factory=list)
    """The number of operations in each statement."""

    def add(self, statement: ast.stmt) -> Problem | None:
        """Add a statement to the run, or say why it cannot be followed."""
        self.view.facts.extend(statement)
        if self.statements and isinstance(self.statements[-1], ast.Return):
            return Problem("not-array-code", "it is never reached", statement)
        followed = _followed(statement, self.view)
        if isinstance(followed, Problem):
            return followed
        node, results = followed
        self.flow.body = replace(self.flow.body, new=results)
        problem = follow_further(node, self.flow) or _not_compiled(statement, self.flow)
        if problem is None:
            self.statements.append(statement)
            self.operations.append(_operations(statement, self.view))
        return problem


def _not_compiled(statement: ast.stmt, flow: Flow) -> Problem | None:
    """Why a region ends before a statement: it changes an array in whose dtype torch does not compute."""
    for name in flow.changed:
        if flow.dtypes[name].name not in COMPILED_DTYPES:
            return Problem("dtype-unsupported", f"`{name}` has dtype {flow.dtypes[name]}", statement)
    return None


def _in_block(block: Sequence[ast.stmt], function: Function) -> Iterator[Region | Problem]:
    start = 0
    while start < len(block):
        statement = block[start]
        view = function.starting_at(statement)
        run = _Run(view, Flow(LoopBody(view, [], None), whole=True))
        problem = run.add(statement)
        if problem is not None:
            yield from _not_followed(statement, problem, function)
            start += 1
            continue
        end, operations = start + 1, run.operations[0]
        while end < len(block) and operations <= MOST_OPERATIONS and run.add(block[end]) is None:
            operations += run.operations[-1]
            end += 1
        done = yield from _trimmed(run, function)
        if done < len(run.statements):
            # What ended this run may be in the next one: `n = x.shape[0]` where `x` does not change before.
            start += done
        elif operations <= MOST_OPERATIONS:
            start = end
        else:
            while end < len(block) and run.add(block[end]) is None:
                end += 1
            start = end


def _not_followed(statement: ast.stmt, problem: Problem, function: Function) -> Iterator[Region | Problem]:
    """Why a statement is in no region, if that is reported, and the regions inside it."""
    computes = _operations(statement, function) > 0 or _makes(statement, function)
    if problem.parameter is not None or (computes and not blocks(statement)):
        yield problem
    if isinstance(statement, _COMPOUND) and not is_extracted(
        statement, function.names, function.module.steps
    ):
        for inner in function.blocks(statement):
            yield from _in_block(inner, function)


_COMPOUND = ast.If | ast.With | ast.Try | ast.For | ast.While
"""Statements whose blocks may contain regions; loops among them are not steps themselves."""


def _followed(statement: ast.stmt, function: Function) -> tuple[ast.stmt, tuple[str, ...]] | Problem:
    """The statement to follow; for a ``return`` an assignment of its values to names, and these names."""
    if not isinstance(statement, ast.Return):
        return statement, ()
    values = _returned(statement, function)
    if values is None:
        text = f"`{ast.unparse(statement)}` does not return whole arrays that are computed"
        return Problem("not-array-code", text, statement, _awaited(statement, function))
    stems = ["result"] if len(values) == 1 else [f"result_{number}" for number in range(1, len(values) + 1)]
    results = tuple(function.names.free(stem) for stem in stems)
    return _bound(statement, values, results), results


def _returned(node: ast.Return, function: Function) -> list[ast.expr] | None:
    """The returned values, if each is computed from whole arrays: a step computes with all elements."""
    if node.value is None:
        return None
    values = parts_of(node.value)
    known = [function.facts.value(each) for each in values]
    selected = any(isinstance(each, Array) and each.under is not None for each in known)
    plain = any(isinstance(each, ast.Name) for each in values)
    return [*values] if all(map(is_of_arrays, known)) and not selected and not plain else None


def _awaited(node: ast.Return, function: Function) -> str | None:
    """The parameter whose type at a call would tell what is returned."""
    values = function.facts.expressions.values
    known = [values.get(each) for each in walk(node) if isinstance(each, ast.expr)]
    return next((each.parameter for each in known if isinstance(each, Unknown) and each.parameter), None)


def _bound(node: ast.Return, values: list[ast.expr], names: tuple[str, ...]) -> ast.stmt:
    """``return e, f`` as ``result_1, result_2 = e, f``."""
    targets: list[ast.expr] = [ast.Name(name, ast.Store()) for name in names]
    if len(values) == 1:
        return ast.copy_location(ast.Assign(targets, values[0]), node)
    pair = ast.Assign([ast.Tuple(targets, ast.Store())], ast.Tuple(values, ast.Load()))
    return ast.copy_location(pair, node)


def _trimmed(run: _Run, function: Function) -> Generator[Region | Problem, None, int]:
    """The longest part of the run whose values may leave it; how many statements are done with."""
    works = [
        each > 0 or _makes(statement, run.view)
        for each, statement in zip(run.operations, run.statements, strict=True)
    ]
    skipped = works.index(True) if True in works else len(works)
    if skipped:
        return skipped
    sizes = [*accumulate(run.operations)]
    whole = (at for at, each in enumerate(run.statements) if _of_whole_arrays(each, run.view))
    shortest = next(whole, len(sizes)) + 1
    # What is made last, for others, NumPy makes as well.
    lengths = [
        each
        for each in range(len(sizes), shortest - 1, -1)
        if _fits(sizes[each - 1]) and not _makes(run.statements[each - 1], run.view)
    ]
    for length in lengths[:MOST_OPERATIONS]:
        region = _region(run.statements[:length], run.view)
        if region is not None:
            yield region
            return length
    # A view that is read later must not leave a step, but the statements after it may be one.
    views = (at for at, each in enumerate(run.statements, 1) if _is_view(each, run.view))
    return next(views, len(run.statements))


def _is_view(statement: ast.stmt, function: Function) -> bool:
    """Whether a statement gives a part of an array, or the array in another shape, a name."""
    if not isinstance(statement, ast.Assign):
        return False
    value = function.facts.value(statement.value)
    return isinstance(value, Array) and not value.fresh


def _fits(operations: int) -> bool:
    return LEAST_OPERATIONS <= operations <= MOST_OPERATIONS


def _region(statements: Sequence[ast.stmt], function: Function) -> Region | None:
    views = kept_views(statements, statements[0], function)
    followed = _followed(statements[-1], function)
    if isinstance(followed, Problem):
        return None
    last, results = followed
    flow = follow_whole(LoopBody(function, [*statements[:-1], last], None, new=results, views=views))
    if isinstance(flow, Problem):
        return None
    taken = {*flow.read, *flow.looked_at_first} - {*function.module.spelling}
    if not all(surely_set(each, statements[0], function) for each in taken):
        # If it has no value, a statement before the one that reads it may raise or store first.
        return None
    names = dict.fromkeys([*flow.rebound, *flow.scalars])
    for name, _ in views:
        names.pop(name, None)
    live = [name for name in names if name in results or _read_later(name, statements[-1], function)]
    numbers = [name for name in live if known_after(name, flow)]
    live = [name for name in live if name not in numbers]
    problem = sharing_problem(flow, live) or escaping_problem(live, flow, statements[0]) or foreign_name(flow)
    if problem is not None or not (flow.state or live) or not (flow.read or flow.sizes):
        return None
    return Region(tuple(statements), flow, tuple(live), results, tuple(numbers))


def _read_later(name: str, last: ast.stmt, function: Function) -> bool:
    if function.is_shared(name):
        return True
    return not isinstance(last, ast.Return) and live_after(name, last, function)


def _of_whole_arrays(statement: ast.stmt, function: Function) -> bool:
    """Whether a statement computes more than single elements, which are not worth a call or compiling."""
    values = function.facts.expressions.values
    stored = isinstance(statement, ast.AugAssign) and isinstance(values.get(statement.target), Array)
    methods = [each.value for each in walk(statement) if isinstance(each, ast.Attribute)]
    asked = any(isinstance(values.get(each), Array) for each in methods)
    return stored or (not _makes(statement, function) and (asked or computes_whole(statement, function)))


def _makes(statement: ast.stmt, function: Function) -> bool:
    """Whether all that a statement does is to make an array."""
    return isinstance(statement, ast.Assign) and made(statement.value, function) is not None


def _operations(statement: ast.stmt, function: Function) -> int:
    """How many operations on arrays a statement holds; making arrays is none, and a costly one is two.

    By itself, compiled code takes a quarter of NumPy's time for a remainder or a sine.
    """
    values = function.facts.expressions.values
    nodes = [each for each in walk(statement) if isinstance(each, OPERATIONS)]
    computed = sum(
        (is_of_arrays(values.get(each)) or gives_several(each, function)) and made(each, function) is None
        for each in nodes
        if isinstance(each, ast.expr)
    )
    stored = isinstance(statement, ast.AugAssign) and isinstance(values.get(statement.target), Array)
    costly = any(isinstance(each, ast.expr) and is_costly_elementwise(each, function) for each in nodes)
    return computed + stored + costly

"""The array statements of a loop that does other things too: what a step of them reads, changes and returns.

for n in range(trips):
    u = u + dt * f(u)              the step's
    energy[n] = (u**2).sum()       the sum is the step's; what stays sees no array of the step
    if n % 10 == 0:
        frames.append(u.copy())    stays, and sees u
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from nprewrite.analysis.array_steps import function_name
from nprewrite.analysis.liveness import live_after, surely_set
from nprewrite.analysis.named_views import kept_views
from nprewrite.analysis.operands import LEAST_OPERATIONS
from nprewrite.base.syntax import name_nodes, names_in, stored_names, walk
from nprewrite.numpy_api import linear_algebra
from nprewrite.program.function import Function
from nprewrite.regions.array_loops.body import LoopBody, rotation
from nprewrite.regions.array_loops.loop import Flow, follow_whole
from nprewrite.regions.array_loops.number_code import NumberCode
from nprewrite.regions.array_loops.pieces import Group, Loop, Piece, groups, is_most, pieces_of, weight_of
from nprewrite.regions.array_loops.sharing import escaping_problem, sharing_problem
from nprewrite.regions.array_loops.step_names import bound_by_others, foreign_name, unclear_names
from nprewrite.source.names import read_names
from nprewrite.types.expressions import RUNTIME_PRODUCT
from nprewrite.types.problems import Problem, unset_problem
from nprewrite.types.values import Array

_HIDDEN = (
    ast.Yield,
    ast.YieldFrom,
    ast.Await,
    ast.NamedExpr,
    ast.Global,
    ast.Nonlocal,
    ast.Delete,
    ast.Lambda,
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
)
_ITERATORS = frozenset(
    ["builtins.range", "builtins.enumerate", "builtins.zip", "builtins.reversed", "tqdm.tqdm", "tqdm.trange"]
)

_MUCH = 4
"""Statements that are more than one step is worth."""


@dataclass(frozen=True)
class PartOfLoop:
    """A loop taken apart: the statements ``before`` the step's ``arrays`` and ``after`` them, in order.

    ``body`` holds those of the step, ``live`` are the names that they bind and others read. ``code`` knows
    which of the others see no array. ``given`` are arrays that the statements before the step make anew.
    """

    loop: Loop
    before: tuple[ast.stmt, ...]
    arrays: tuple[ast.stmt, ...]
    after: tuple[ast.stmt, ...]
    body: LoopBody
    flow: Flow
    live: tuple[str, ...]
    code: NumberCode
    given: tuple[str, ...] = ()

    @property
    def previous(self) -> dict[str, str]:
        """The names that are, after an iteration, the array that another one was before it."""
        flow = self.flow
        return {
            alias: original
            for alias, original, statement in flow.aliases
            if alias in flow.carried
            and _handed_on(alias, original, statement)
            and all(
                [each for each in self.arrays if name in stored_names(each)] == [statement]
                for name in (alias, original)
            )
            and original not in (*flow.changed, *flow.copied)
        }

    @property
    def others(self) -> tuple[ast.stmt, ...]:
        """The statements outside the step, also those of an ``else``."""
        return (*self.before, *self.after, *self.loop.orelse)

    def name_of(self, statement: ast.stmt) -> str | None:
        """The name that a statement binds to a part of another one; None for a statement as written."""
        return self.body.named.get(statement.value) if isinstance(statement, ast.Assign) else None


def part_of_loop(loop: Loop, function: Function) -> PartOfLoop | Problem | None:
    """The part of a loop that a step computes; None where there is none, or it is not most of the loop."""
    code = NumberCode(loop, function)
    if not _is_plain(loop, code, function) or _is_seen_already(loop, function):
        return None
    pieces = pieces_of(loop, code, function)
    group = max(groups(pieces, code), key=lambda group: weight_of(group.arrays, function), default=None)
    if group is None or not is_most(group, loop, function) or _leaves_much(group, pieces):
        return None
    if not (group.before or group.after) and _is_counted(loop, function):
        return None
    body = _body(group, loop, function)
    flow = follow_whole(body)
    if isinstance(flow, Problem):
        return flow
    if not (flow.state or flow.carried):
        return None
    # What the loop runs over is looked at between the iterations.
    flow.looked_up += sorted(each.id for each in name_nodes(*_head(loop)) if _is_array(each, function))
    part = PartOfLoop(loop, group.before, group.statements, group.after, body, flow, (), code)
    part = replace(part, live=tuple(_live(part, function)))
    if weight_of(group.arrays, function) >= 2 * LEAST_OPERATIONS:
        # With two operations, too little is gained by the one that reads the new array.
        part = replace(part, given=tuple(_given(part, pieces, function)))
    return _problem(part, function) or part


def _leaves_much(group: Group, pieces: Sequence[Piece]) -> bool:
    """Whether a step of its own could compute what the group leaves: regions take both.

    Operations tell little here: moving elements (``np.roll`` along nine directions) takes as long as many.
    """
    left = [each for each in pieces if each not in group.arrays and each.array is each.statement]
    return sum(not each.number for each in left) >= _MUCH


def _is_plain(loop: Loop, code: NumberCode, function: Function) -> bool:
    """Whether a loop can be indented, and nothing that controls its iterations reads an array."""
    if any(isinstance(each, _HIDDEN) for each in walk(loop)):
        return False
    if unclear_names(loop, function) is not None:
        return False
    if isinstance(loop, ast.While):
        return code.is_number(loop.test)
    return _is_iterated(loop.iter, code, function)


def _is_seen_already(loop: Loop, function: Function) -> bool:
    """Whether a loop inside was moved into a function, which is done to what has no such part.

    The operations that were moved no longer count against those of a part.
    """
    calls = (each.func for each in walk(loop) if isinstance(each, ast.Call))
    return any(isinstance(each, ast.Name) and each.id in function.module.taken_out for each in calls)


def _is_counted(loop: Loop, function: Function) -> bool:
    """Whether a loop runs over a range: all of it is one step, or none is."""
    if not isinstance(loop, ast.For) or not isinstance(loop.iter, ast.Call):
        return False
    return function.dotted(loop.iter.func) == "builtins.range"


def _is_iterated(node: ast.expr, code: NumberCode, function: Function) -> bool:
    """Whether iterating over ``node`` has no effects: ``range(n)``, ``times``, ``enumerate(times)``."""
    match node:
        case ast.Name():
            return isinstance(function.facts.value(node), Array) or code.is_number(node)
        case ast.Call(func=called, args=arguments) if function.dotted(called) in _ITERATORS:
            return all(_is_iterated(each, code, function) for each in arguments)
    return code.is_number(node)


def _body(group: Group, loop: Loop, function: Function) -> LoopBody:
    """The group as the body of an iteration."""
    view = function.starting_at(group.arrays[0].statement)
    arrays = group.statements
    for each in arrays:
        view.facts.extend(each)
    rotates = rotation(arrays, view)
    target = [loop.target] if isinstance(loop, ast.For) else []
    changing = {*stored_names(*group.before, *group.after, *target), *bound_by_others(function)}
    named = {
        each.array.value: each.array.targets[0].id
        for each in group.arrays
        if isinstance(each.array, ast.Assign)
        and each.array is not each.statement
        and isinstance(each.array.targets[0], ast.Name)
    }
    return LoopBody(
        view,
        [*arrays[:-1]] if rotates and len(arrays) > 1 else [*arrays],
        None,
        new=tuple(named.values()),
        views=kept_views(arrays, loop, function),
        loop=loop,
        rotates=rotates,
        changing=frozenset(changing),
        named=named,
    )


def _live(part: PartOfLoop, function: Function) -> Iterator[str]:
    """The names that the step binds and others read: statements of the loop, or what follows it."""
    views = {name for name, _ in part.body.views}
    read = {*read_names(*part.others, *_head(part.loop), but=part.body.named), *part.body.new}
    for name in dict.fromkeys([*part.flow.rebound, *part.flow.scalars]):
        known = name in read or function.is_shared(name)
        if name not in views and (known or live_after(name, part.loop, function)):
            yield name


def _given(part: PartOfLoop, pieces: Sequence[Piece], function: Function) -> Iterator[str]:
    """The arrays that the step only reads and that every iteration binds before it, and only there."""
    flow = part.flow
    later = _bound_in([*part.after, *part.loop.orelse, *_head(part.loop)], function)
    # Statements that a step could compute lie between parts of one that it cannot.
    other = [each.statement for each in pieces if each.array is None and each.statement in part.before]
    plain = (each for each in other if isinstance(each, ast.Assign) and len(each.targets) == 1)
    # The threads of NumPy's BLAS and those of the step disturb each other: measured, it took ten times as
    # long.
    plain = (each for each in plain if not _multiplies(each.value, function))
    made = {each.targets[0].id for each in plain if isinstance(each.targets[0], ast.Name)}
    views = {name for view in part.body.views for name in names_in(view[1])}
    kept = {*flow.changed, *flow.rebound, *flow.looked_up, *later, *views}
    yield from (name for name in flow.read if name in made and name not in kept)


def _multiplies(node: ast.expr, function: Function) -> bool:
    """Whether an expression contains a matrix product, or linear algebra."""
    for each in walk(node):
        if isinstance(each, ast.BinOp) and isinstance(each.op, ast.MatMult):
            return True
        if isinstance(each, ast.Call):
            name = function_name(each, function) or (function.dotted(each.func) or "")
            if name in linear_algebra.TABLE or name.startswith("linalg.") or name == RUNTIME_PRODUCT:
                return True
    return False


def _problem(part: PartOfLoop, function: Function) -> Problem | None:
    """Why the loop's other statements, or names of the step, prevent the step from holding its arrays."""
    flow, loop = part.flow, part.loop
    elsewhere = bound_by_others(function)
    bound = {*_bound_in([*part.others, *_head(loop)], function), *elsewhere}
    # This also finds arrays that the step changes through views, which are not just inputs.
    problem = sharing_problem(flow, part.live)
    shared = next((name for name in (*flow.changed, *flow.rebound) if name in elsewhere), None)
    if shared is not None:
        return Problem("bound-elsewhere", f"`{shared}` is assigned by another function too", loop)
    given = {*part.given} - {*flow.changed}
    stale = next((name for name in flow.read if name in bound and name not in given), None)
    if stale is not None:
        return Problem("bound-elsewhere", f"`{stale}` is assigned by another statement of the loop", loop)
    problem = problem or escaping_problem(part.live, flow, loop) or foreign_name(flow) or _shared(part)
    if problem is not None:
        return problem
    passed = [name for name in (*flow.read, *flow.looked_up) if name not in part.given]
    passed += sorted(flow.looked_at_first)
    unset = next((each for each in passed if not surely_set(each, loop, function)), None)
    if unset is not None:
        return unset_problem(unset, loop)
    return None


def _shared(part: PartOfLoop) -> Problem | None:
    """``old = u`` at the end of an iteration, where another statement may change ``u``."""
    seen = names_in(*(each for each in part.others if not part.code.is_blind(each, [*part.body.named])))
    for alias, original, statement in part.flow.aliases:
        if alias in part.flow.carried and original in seen and alias not in part.previous:
            return Problem(
                "aliased-arrays",
                f"`{alias}` and `{original}` are the same array after the iteration",
                statement,
            )
    return None


def _handed_on(alias: str, original: str, statement: ast.stmt) -> bool:
    """Whether ``old, u = u, new``: the name ``u`` stands for another array already."""
    match statement:
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
            pairs = {
                ast.unparse(each): ast.unparse(value) for each, value in zip(targets, values, strict=False)
            }
            return pairs.get(alias) == original and original in pairs
    return False


def _is_array(node: ast.Name, function: Function) -> bool:
    return isinstance(function.facts.value(node), Array)


def _head(loop: Loop) -> list[ast.AST]:
    return [loop.test] if isinstance(loop, ast.While) else [loop.target, loop.iter]


def _bound_in(nodes: Sequence[ast.AST], function: Function) -> set[str]:
    """The names that statements bind; ``u += e`` of an array leaves the name on the same array."""
    changed = [each.target for node in nodes for each in walk(node) if isinstance(each, ast.AugAssign)]
    in_place = {id(each) for each in changed if isinstance(function.facts.value(each), Array)}
    bound = (each for each in name_nodes(*nodes) if not isinstance(each.ctx, ast.Load))
    return {each.id for each in bound if id(each) not in in_place}

"""The array statements of a loop that does other things too: what a step of them reads, changes and gives.

for n in range(trips):
    u = u + dt * f(u)              the step's
    energy[n] = (u**2).sum()       the sum is the step's; what stays sees no array of the step
    if n % 10 == 0:
        frames.append(u.copy())    stays, and sees u
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from nprewrite.facts import numpy_linalg
from nprewrite.facts.expressions import RUNTIME_PRODUCT
from nprewrite.facts.function import Function, whole_lines
from nprewrite.facts.kept_views import kept_views
from nprewrite.facts.lanes import expression_problem
from nprewrite.facts.liveness import live_after, surely_set
from nprewrite.facts.loop_body import LoopBody
from nprewrite.facts.loops import Flow, follow_whole
from nprewrite.facts.number_code import NumberCode
from nprewrite.facts.operands import LEAST_OPERATIONS, OPERATIONS, SOMETIMES, is_of_arrays
from nprewrite.facts.problems import Problem
from nprewrite.facts.rotation import rotation
from nprewrite.facts.sharing import escaping_problem, sharing_problem
from nprewrite.facts.step_names import dynamic_call, foreign_name
from nprewrite.facts.values import Array, Scalar
from nprewrite.facts.whole_steps import function_name

Loop = ast.For | ast.While
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
_JUMPS = (ast.Break, ast.Continue, ast.Return)
_ITERATORS = frozenset(
    ["builtins.range", "builtins.enumerate", "builtins.zip", "builtins.reversed", "tqdm.tqdm", "tqdm.trange"]
)


@dataclass(frozen=True)
class PartOfLoop:
    """A loop taken apart: the statements ``before`` the step's ``arrays`` and ``after`` them, in order.

    ``body`` holds the step's, ``live`` are the names that these bind and others read. ``code`` knows which
    of the others see no array. ``given`` are arrays that the statements before the step make anew.
    """

    loop: Loop
    outer: tuple[ast.stmt, ...]
    before: tuple[ast.stmt, ...]
    arrays: tuple[ast.stmt, ...]
    after: tuple[ast.stmt, ...]
    body: LoopBody
    flow: Flow
    live: tuple[str, ...]
    code: NumberCode
    given: tuple[str, ...] = ()

    @property
    def others(self) -> tuple[ast.stmt, ...]:
        """The statements that are not the step's, those of an ``else`` too."""
        return (*self.before, *self.after, *self.loop.orelse)

    def name_of(self, statement: ast.stmt) -> str | None:
        """The name that a statement gives to a part of another; None for a statement as written."""
        return self.body.named.get(statement.value) if isinstance(statement, ast.Assign) else None


@dataclass(frozen=True)
class _Piece:
    """A ``statement`` of the loop; ``array`` is what a step computes of it, if anything."""

    statement: ast.stmt
    array: ast.stmt | None
    number: bool = False


def part_of_loop(loop: Loop, outer: tuple[ast.stmt, ...], function: Function) -> PartOfLoop | Problem | None:
    """What a step computes of a loop; None where that is nothing, or not most of it."""
    code = NumberCode(loop, function)
    if not _is_plain(loop, code, function):
        return None
    names = _free_names(function)
    pieces = [piece for each in loop.body for piece in _pieces(each, names, code, function)]
    group = max(_groups(pieces, code), key=lambda group: _weight(group.arrays, function), default=None)
    if group is None or not _is_most(group, loop, function):
        return None
    if not (group.before or group.after) and _is_counted(loop, function):
        return None
    body = _body(group, loop, outer, function)
    flow = follow_whole(body)
    if isinstance(flow, Problem):
        return flow
    if not (flow.state or flow.carried):
        return None
    # What the loop runs over is looked at between the iterations.
    flow.looked_up += sorted(each.id for each in _names(_head(loop)) if _is_array(each, function))
    part = PartOfLoop(loop, outer, group.before, group.statements, group.after, body, flow, (), code)
    part = replace(part, live=tuple(_live(part, function)))
    if _weight(group.arrays, function) >= 2 * LEAST_OPERATIONS:
        # Of two operations the one that reads the new array gains too little.
        part = replace(part, given=tuple(_given(part, pieces, function)))
    return _problem(part, function) or part


def _is_plain(loop: Loop, code: NumberCode, function: Function) -> bool:
    """Whether a loop can be indented, and what decides about its iterations sees no array."""
    if any(isinstance(each, _HIDDEN) for each in ast.walk(loop)):
        return False
    if dynamic_call(function) is not None or function.names.unclear_numpy(function.node) is not None:
        return False
    if not whole_lines([loop, *loop.body], function) or "\t" in function.document.segment(loop):
        return False
    if isinstance(loop, ast.While):
        return code.is_number(loop.test)
    return _is_iterated(loop.iter, code, function)


def _is_counted(loop: Loop, function: Function) -> bool:
    """Whether a loop runs over a range: all of it is one step, or none is."""
    if not isinstance(loop, ast.For) or not isinstance(loop.iter, ast.Call):
        return False
    return function.dotted(loop.iter.func) == "builtins.range"


def _is_iterated(node: ast.expr, code: NumberCode, function: Function) -> bool:
    """Whether running over ``node`` does nothing: ``range(n)``, ``times``, ``enumerate(times)``."""
    match node:
        case ast.Name():
            return isinstance(function.facts.value(node), Array) or code.is_number(node)
        case ast.Call(func=called, args=arguments) if function.dotted(called) in _ITERATORS:
            return all(_is_iterated(each, code, function) for each in arguments)
    return code.is_number(node)


def _free_names(function: Function) -> Iterator[str]:
    """Names that stand nowhere in the module."""
    found = (function.names.free(f"value_{number}" if number else "value") for number in itertools.count())
    seen: set[str] = set()
    for name in found:
        if name not in seen:
            seen.add(name)
            yield name


def _pieces(
    statement: ast.stmt, names: Iterator[str], code: NumberCode, function: Function
) -> Iterator[_Piece]:
    """A statement, after the numbers that it records, which a step computes from arrays."""
    view = function.starting_at(statement)
    view.facts.extend(statement)
    flow = follow_whole(LoopBody(view, [statement], None))
    if not isinstance(flow, Problem):
        number = not (flow.read or flow.rebound or flow.changed)
        yield _Piece(statement, statement, number)
        return
    for node in _recorded(statement, code, view):
        bound = ast.Assign([ast.Name(next(names), ast.Store())], node)
        yield _Piece(statement, ast.fix_missing_locations(ast.copy_location(bound, node)))
    yield _Piece(statement, None)


def _recorded(statement: ast.stmt, code: NumberCode, view: Function) -> list[ast.expr]:
    """The numbers computed from arrays in a statement that sees no array beside them."""
    if not isinstance(statement, ast.Assign | ast.Expr):
        return []
    found = [*_numbers_of_arrays(statement.value, view)]
    return found if code.is_blind(statement, found) else []


def _numbers_of_arrays(node: ast.expr, view: Function) -> Iterator[ast.expr]:
    value = view.facts.value(node)
    if isinstance(node, (*SOMETIMES, ast.Name)):
        return
    inside = (each for each in ast.walk(node) if isinstance(each, ast.expr))
    arrays = any(isinstance(view.facts.value(each), Array) for each in inside)
    number = isinstance(value, Scalar) and value.of_array and arrays
    if number and expression_problem(node, view, None, whole=True) is None:
        yield node
        return
    for child in ast.iter_child_nodes(node):
        inner = child.value if isinstance(child, ast.keyword) else child
        if isinstance(inner, ast.expr):
            yield from _numbers_of_arrays(inner, view)


@dataclass(frozen=True)
class _Group:
    """Pieces that follow each other, and the other statements in the order in which they can run."""

    arrays: tuple[_Piece, ...]
    before: tuple[ast.stmt, ...]
    after: tuple[ast.stmt, ...]

    @property
    def statements(self) -> tuple[ast.stmt, ...]:
        """What a step computes of the pieces."""
        return tuple(each.array for each in self.arrays if each.array is not None)


def _groups(pieces: Sequence[_Piece], code: NumberCode) -> Iterator[_Group]:
    """The ways to take one run of array statements out of a loop's pieces, from each first one."""
    for start, piece in enumerate(pieces):
        if piece.array is None or piece.number:
            continue
        taken, waiting = [piece], []
        end = start + 1
        for number, each in enumerate(pieces[start + 1 :], start=start + 1):
            if each.array is None or (each.number and not _is_needed(each, pieces[number + 1 :])):
                waiting.append(each)
            elif all(_may_wait(other.statement, each.array, taken, code) for other in waiting):
                taken.append(each)
                end = number + 1
            else:
                break
        moved = [each for each in pieces[start:end] if all(each is not other for other in taken)]
        before = _statements(pieces[:start])
        after = _statements([*moved, *pieces[end:]])
        if len({*map(id, (*before, *after))}) == len(before) + len(after):
            yield _Group(tuple(taken), before, after)


def _statements(pieces: Sequence[_Piece]) -> tuple[ast.stmt, ...]:
    """The statements of pieces, without those that only stand for a part of one."""
    return tuple(each.statement for each in pieces if each.array in (None, each.statement))


def _is_needed(number: _Piece, later: Sequence[_Piece]) -> bool:
    """Whether array statements that follow read what a statement sets."""
    bound = _set_in([number.statement])
    return any(bound & _named([each.array]) for each in later if each.array is not None and not each.number)


def _may_wait(statement: ast.stmt, array: ast.stmt, taken: Sequence[_Piece], code: NumberCode) -> bool:
    """Whether a statement before ``array`` may run after it, with the parts ``taken`` out of it."""
    parts = [each.array.value for each in taken if isinstance(each.array, ast.Assign)]
    if any(isinstance(each, _JUMPS) for each in ast.walk(statement)) or not code.is_blind(statement, parts):
        return False
    # A store out of range raises, and what follows it would have changed arrays by then.
    in_place = not isinstance(array, ast.Assign) or _stored_into(array)
    if in_place and not isinstance(statement, ast.Expr):
        return False
    read = _read_in([statement], parts)
    return not (_set_in([statement]) & _named([array]) or _set_in([array]) & read)


def _stored_into(statement: ast.Assign) -> bool:
    return any(isinstance(each, ast.Subscript) for target in statement.targets for each in ast.walk(target))


def _weight(pieces: Sequence[_Piece], function: Function) -> int:
    return sum(_operations(each.array, function) for each in pieces if each.array is not None)


def _operations(node: ast.AST, function: Function) -> int:
    """How many operations on arrays a part of the loop holds."""
    values = function.facts.expressions.values
    nodes = [each for each in ast.walk(node) if isinstance(each, OPERATIONS)]
    computed = sum(is_of_arrays(values.get(each)) for each in nodes)
    stored = isinstance(node, ast.AugAssign) and isinstance(values.get(node.target), Array)
    return computed + stored


def _is_most(group: _Group, loop: Loop, function: Function) -> bool:
    """Whether a group holds most of the operations that every iteration makes."""
    weight = _weight(group.arrays, function)
    every = sum(_operations(each, function) for each in loop.body if not isinstance(each, ast.If))
    return weight >= LEAST_OPERATIONS and 3 * weight >= 2 * every


def _body(group: _Group, loop: Loop, outer: tuple[ast.stmt, ...], function: Function) -> LoopBody:
    """The group as the body of an iteration."""
    view = function.starting_at(group.arrays[0].statement)
    arrays = group.statements
    for each in arrays:
        view.facts.extend(each)
    rotates = rotation(arrays, view)
    changing = _set_in([*group.before, *group.after, *([loop.target] if isinstance(loop, ast.For) else [])])
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
        views=kept_views(arrays, loop, outer, function),
        loop=loop,
        rotates=rotates,
        changing=frozenset(changing),
        named=named,
    )


def _live(part: PartOfLoop, function: Function) -> Iterator[str]:
    """The names that the step binds and others read: statements of the loop, or what follows it."""
    views = {name for name, _ in part.body.views}
    read = {*_read_in([*part.others, *_head(part.loop)], part.body.named), *part.body.new}
    for name in dict.fromkeys([*part.flow.rebound, *part.flow.scalars]):
        known = name in read or function.is_shared(name)
        if name not in views and (known or live_after(name, part.loop, part.outer, function)):
            yield name


def _given(part: PartOfLoop, pieces: Sequence[_Piece], function: Function) -> Iterator[str]:
    """The arrays that the step only reads and that every iteration binds before it, and only there."""
    flow = part.flow
    later = _bound_in([*part.after, *part.loop.orelse, *_head(part.loop)], function)
    # What a step could compute itself is between the parts of one that it cannot.
    other = [each.statement for each in pieces if each.array is None and each.statement in part.before]
    plain = (each for each in other if isinstance(each, ast.Assign) and len(each.targets) == 1)
    # The threads of NumPy's BLAS wait for those of the step, which was measured to take ten times as long.
    plain = (each for each in plain if not _multiplies(each.value, function))
    made = {each.targets[0].id for each in plain if isinstance(each.targets[0], ast.Name)}
    views = {name for view in part.body.views for name in _named([view[1]])}
    kept = {*flow.changed, *flow.rebound, *flow.looked_up, *later, *views}
    yield from (name for name in flow.read if name in made and name not in kept)


def _multiplies(node: ast.expr, function: Function) -> bool:
    """Whether an expression holds a product of matrices, or linear algebra."""
    for each in ast.walk(node):
        if isinstance(each, ast.BinOp) and isinstance(each.op, ast.MatMult):
            return True
        if isinstance(each, ast.Call):
            name = function_name(each, function) or (function.dotted(each.func) or "")
            if name in numpy_linalg.TABLE or name.startswith("linalg.") or name == RUNTIME_PRODUCT:
                return True
    return False


def _problem(part: PartOfLoop, function: Function) -> Problem | None:
    """Why the loop's other statements, or names of the step's, keep the step from holding its arrays."""
    flow, loop = part.flow, part.loop
    bound = _bound_in([*part.others, *_head(loop)], function)
    elsewhere = next((name for name in flow.read if name in bound and name not in part.given), None)
    if elsewhere is not None:
        return Problem("bound-elsewhere", f"`{elsewhere}` is bound by another statement of the loop", loop)
    problem = sharing_problem(flow, part.live) or escaping_problem(part.live, flow, loop)
    problem = problem or foreign_name(flow) or _shared(part)
    if problem is not None:
        return problem
    passed = [name for name in (*flow.read, *flow.looked_up) if name not in part.given]
    unset = next((each for each in passed if not surely_set(each, loop, part.outer, function)), None)
    if unset is not None:
        return Problem("dtype-unknown", f"`{unset}` is not set on every path to the loop", loop)
    return None


def _shared(part: PartOfLoop) -> Problem | None:
    """``old = u`` at the end of an iteration, where another statement may change ``u``."""
    seen = _named([each for each in part.others if not part.code.is_blind(each, [*part.body.named])])
    for alias, original, statement in part.flow.aliases:
        # In `old, u = u, new` the name u stands for another array already.
        renamed = original in _set_in([statement])
        if alias in part.flow.carried and original in seen and not renamed:
            return Problem("aliased-arrays", f"`{alias}` is `{original}` after the iteration", statement)
    return None


def _is_array(node: ast.Name, function: Function) -> bool:
    return isinstance(function.facts.value(node), Array)


def _head(loop: Loop) -> list[ast.AST]:
    return [loop.test] if isinstance(loop, ast.While) else [loop.target, loop.iter]


def _names(nodes: Sequence[ast.AST]) -> Iterator[ast.Name]:
    return (each for node in nodes for each in ast.walk(node) if isinstance(each, ast.Name))


def _named(nodes: Sequence[ast.AST]) -> set[str]:
    return {each.id for each in _names(nodes)}


def _set_in(nodes: Sequence[ast.AST]) -> set[str]:
    return {each.id for each in _names(nodes) if not isinstance(each.ctx, ast.Load)}


def _read_in(nodes: Sequence[ast.AST], parts: Collection[ast.expr] = ()) -> set[str]:
    """The names that are read, but for those ``parts``."""
    left_out = {id(each) for part in parts for each in ast.walk(part)}
    changed = {
        each.target.id
        for node in nodes
        for each in ast.walk(node)
        if isinstance(each, ast.AugAssign) and isinstance(each.target, ast.Name)
    }
    read = (each for each in _names(nodes) if isinstance(each.ctx, ast.Load) and id(each) not in left_out)
    return changed | {each.id for each in read}


def _bound_in(nodes: Sequence[ast.AST], function: Function) -> set[str]:
    """The names that statements bind; ``u += e`` of an array leaves the name on the same array."""
    changed = [each.target for node in nodes for each in ast.walk(node) if isinstance(each, ast.AugAssign)]
    in_place = {id(each) for each in changed if isinstance(function.facts.value(each), Array)}
    return {
        each.id for each in _names(nodes) if not isinstance(each.ctx, ast.Load) and id(each) not in in_place
    }

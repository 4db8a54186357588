"""The statements of a loop that compute only numbers, and control it, apart from those over arrays.

    while t < T:                        def trips(t, T, dt):
        u = u + dt * np.sin(t)              while t < T:
        t += dt                                 yield (np.sin(t),)
                                                t += dt

The first kind becomes a generator, which yields the numbers that the arrays of an iteration need and receives
those that they give (``err = np.abs(u - v).max()``); the second becomes a step.
"""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from nprewrite.analysis.liveness import exposure, live_after, surely_set
from nprewrite.analysis.scalar_leaves import is_looked_up, looked_up
from nprewrite.base.syntax import name_nodes, names_bound, parts_of, walk
from nprewrite.lowering.problems import word_of
from nprewrite.numpy_api.elementwise import elementwise
from nprewrite.numpy_api.python import number_of, python_function
from nprewrite.program.function import Function
from nprewrite.regions.array_loops.leading_numbers import LeadingNumbers
from nprewrite.source.kept import kept, names_declared
from nprewrite.types.problems import Problem, unset_problem
from nprewrite.types.values import Array, Scalar, Unknown

_OF_OBJECTS = ast.Is | ast.IsNot | ast.In | ast.NotIn
_SUSPENDED = ast.Yield | ast.YieldFrom | ast.Await
_JUMPS = ast.Break | ast.Continue


@dataclass(frozen=True)
class LoopControl:
    """A loop taken apart: the statements ``before`` and ``after`` those over arrays.

    ``bound`` are the numbers that they set, ``live`` those of them that are read after the loop, ``received``
    the numbers that the arrays give them; ``passed`` are read and have a value when the loop starts.
    ``first`` computes the numbers that the first iteration needs before it has changed an array.
    """

    loop: ast.For | ast.While
    before: tuple[ast.stmt, ...]
    arrays: tuple[ast.stmt, ...]
    after: tuple[ast.stmt, ...]
    bound: tuple[str, ...]
    received: tuple[str, ...]
    live: tuple[str, ...]
    passed: tuple[str, ...]
    looked_up: tuple[str, ...]
    first: tuple[ast.stmt, ...] = ()

    @property
    def varying(self) -> frozenset[str]:
        """The names of numbers that may change from iteration to iteration."""
        return frozenset(self.bound)


def loop_control(
    loop: ast.For | ast.While,
    function: Function,
    leading: LeadingNumbers | None = None,
) -> LoopControl | Problem:
    """Take a loop apart; the problem is the first number or statement that cannot be separated.

    ``leading`` are numbers that each iteration gives to the next one.
    """
    if loop.orelse:
        return Problem("loop-control", "the loop has an `else`", loop)
    suspended = next((each for each in walk(loop) if isinstance(each, _SUSPENDED)), None)
    if suspended is not None:
        return Problem("loop-control", f"`{word_of(suspended)}` in the loop", loop)
    body = loop.body if leading is None else leading.body
    function = function if leading is None else leading.view
    numbers = _Numbers(loop, body, function)
    control = [numbers.are_computed_by(each) for each in body]
    places = [number for number, found in enumerate(control) if not found]
    if not places:
        return Problem("not-array-code", "the loop computes with numbers only", body[0])
    arrays = tuple(body[place] for place in places)
    head: ast.expr = loop.test if isinstance(loop, ast.While) else loop.iter
    cut = numbers.problem_of(head, loop) or _cut(body, places)
    if isinstance(cut, Problem):
        return cut
    before = tuple(each for each, found in zip(body[:cut], control, strict=False) if found)
    after = tuple(each for each, found in zip(body[cut:], control[cut:], strict=True) if found)
    first = () if leading is None else leading.first
    parts: list[ast.AST] = [head, *before, *after]
    bound = _set_in([*before, *after, *([loop.target] if isinstance(loop, ast.For) else [])])
    given = {*_set_in(first)}
    read = [name for name in _values_in([*first, *parts], function) if name not in given]
    # What a `for` loop runs over is computed once, from what was there before.
    again = parts if isinstance(loop, ast.While) else parts[1:]
    received = tuple(name for name in _set_in(arrays) if name in _values_in(again, function))
    problem = _names_problem([*first, *parts], [*bound, *received], loop, function)
    if problem is not None:
        return problem
    passed = [name for name in read if surely_set(name, loop, function) and _enters(name, loop)]
    unset = [name for name in read if name not in {*passed, *bound, *received}]
    if unset:
        return unset_problem(unset[0], loop)
    inner = [each for part in parts for each in walk(part) if isinstance(each, ast.Subscript)]
    return LoopControl(
        loop,
        before,
        arrays,
        after,
        bound=tuple(bound),
        received=(*(() if leading is None else leading.names), *received),
        live=tuple(name for name in bound if live_after(name, loop, function)),
        passed=tuple(passed),
        looked_up=tuple(dict.fromkeys(chain.from_iterable(looked_up(each, function) for each in inner))),
        first=first,
    )


def with_numbers(
    control: LoopControl, nodes: Sequence[ast.expr], function: Function
) -> LoopControl | Problem:
    """The same control with a generator that also computes ``nodes``, which the arrays need."""
    known = {*control.passed, *control.bound, *control.received}
    further = [name for name in _values_in(nodes, function) if name not in known]
    unset = [name for name in further if not surely_set(name, control.loop, function)]
    if unset:
        return unset_problem(unset[0], control.loop)
    problem = _names_problem(nodes, (), control.loop, function)
    return problem or replace(control, passed=(*control.passed, *further))


def array_problem(control: LoopControl, carried: Container[str]) -> Problem | None:
    """Why the generator cannot be given what it reads: ``carried`` are the arrays of the step's state."""
    array = next((each for each in control.received if each in carried), None)
    if array is None:
        return None
    text = f"the loop sets `{array}`, which its numbers need"
    return Problem("scalar-carried", text, control.loop, help=f"`n = len({array})` before the loop")


class _Numbers:
    """Which expressions of a loop are numbers that Python can compute at any time without other effects.

    By induction over the iterations: a name that is set in the loop is a number if it was one before and
    everything that it is set to is computed from numbers.
    """

    def __init__(self, loop: ast.For | ast.While, body: Sequence[ast.stmt], function: Function) -> None:
        self._function = function
        self._before = function.facts.before(loop)
        self._assumed = {*_set_in(body)}
        if isinstance(loop, ast.For):
            self._assumed |= {*_set_in([loop.target])}
        while True:
            wrong = {name for node in body for name in self._not_numbers(node)}
            wrong |= {name for name in self._assumed if not isinstance(self._before.get(name), Scalar | None)}
            if not wrong & self._assumed:
                break
            self._assumed -= wrong

    def are_computed_by(self, node: ast.stmt) -> bool:
        """Whether a statement does nothing but set numbers, in all its branches."""
        match node:
            case ast.Pass() | ast.Expr(value=ast.Constant()) | ast.Break() | ast.Continue():
                return True
            case ast.Assign(targets=targets, value=value):
                return all(map(self._are_names, targets)) and self._is_computed(value)
            case ast.AugAssign(target=ast.Name(id=name), value=value):
                return name in self._assumed and self._is_computed(value)
            case ast.If(test=test, body=body, orelse=orelse):
                return self._is_computed(test) and all(map(self.are_computed_by, [*body, *orelse]))
        return False

    def problem_of(self, head: ast.expr, loop: ast.For | ast.While) -> Problem | None:
        """Why the test of a ``while``, or the iterable of a ``for``, is not computed from numbers."""
        if isinstance(loop, ast.While):
            if self._is_computed(head):
                return None
            text = f"`{ast.unparse(head)}` is not a test of plain numbers"
            return Problem("while-loop", text, loop, self._parameter(head))
        ranged = isinstance(head, ast.Call) and self._function.dotted(head.func) == "builtins.range"
        plain = ranged and isinstance(loop.target, ast.Name) and not getattr(head, "keywords", True)
        if plain and isinstance(head, ast.Call) and all(map(self._is_computed, head.args)):
            return None
        return Problem("not-a-range", f"the loop runs over `{ast.unparse(head)}`", loop)

    def _not_numbers(self, node: ast.stmt) -> Iterator[str]:
        """Names that a statement of the loop may set to something other than a number."""
        for each in walk(node):
            match each:
                case ast.Assign(targets=targets, value=value):
                    pairs = [(target, value) for target in targets]
                    if isinstance(value, ast.Tuple) and isinstance(targets[0], ast.Tuple):
                        pairs = list(zip(targets[0].elts, value.elts, strict=False))
                    for target, given in pairs:
                        if not self._is_given(given):
                            yield from _set_in([target])
                case ast.AugAssign(target=ast.Name(id=name), value=value):
                    if not self._is_given(value):
                        yield name
                case ast.For(target=target) | ast.AnnAssign(target=target):
                    yield from _set_in([target])
                case ast.With() | ast.Try() | ast.Delete() | ast.NamedExpr() | ast.Global() | ast.Import():
                    yield from _set_in([each])

    def _is_given(self, node: ast.expr) -> bool:
        """Whether a value is a number: computed by Python, or one that arrays give."""
        value = self._function.facts.value(node)
        of_array = isinstance(value, Scalar) and value.of_array and value.kind != "complex"
        return of_array or self._is_computed(node)

    def _is_computed(self, node: ast.expr) -> bool:
        match node:
            case ast.Constant(value=value):
                return isinstance(value, int | float | complex)
            case ast.Name(id=name):
                outer = self._before.get(name, self._function.facts.value(node))
                return name in self._assumed or isinstance(outer, Scalar)
            case ast.BinOp(left=left, right=right, op=operator):
                return not isinstance(operator, ast.MatMult) and self._are([left, right])
            case ast.UnaryOp(operand=operand):
                return self._is_computed(operand)
            case ast.BoolOp(values=values):
                return self._are(values)
            case ast.Compare(left=left, comparators=others, ops=operators):
                identity = any(isinstance(each, _OF_OBJECTS) for each in operators)
                return not identity and self._are([left, *others])
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self._are([test, body, orelse])
            case ast.Tuple(elts=elements):
                return self._are(elements)
            case ast.Subscript():
                return is_looked_up(node, self._function) and self._is_computed(node.slice)
            case ast.Attribute(value=value, attr="size" | "ndim"):
                return isinstance(self._function.facts.value(value), Array)
            case ast.Call(args=arguments, keywords=[]):
                return self._is_pure(node, arguments)
        return isinstance(node, ast.Attribute) and self._is_constant(node)

    def _are(self, nodes: Sequence[ast.expr]) -> bool:
        return all(map(self._is_computed, nodes))

    def _is_constant(self, node: ast.Attribute) -> bool:
        """``np.pi``, ``math.inf``."""
        dotted = self._function.dotted(node) or ""
        known = dotted.startswith(("numpy.", "math."))
        return known and isinstance(self._function.facts.value(node), Scalar)

    def _is_pure(self, call: ast.Call, arguments: Sequence[ast.expr]) -> bool:
        """``math.sin(t)``, ``min(dt, T - t)``, ``len(u)``: calls without effects."""
        dotted = self._function.dotted(call.func) or ""
        if dotted == "builtins.len":
            return all(isinstance(self._function.facts.value(each), Array) for each in arguments)
        of_math = number_of(dotted) is not None
        python = python_function(dotted)
        known = of_math or (python is not None and python.numbers) or elementwise(dotted) is not None
        return known and self._are(arguments)

    def _are_names(self, target: ast.expr) -> bool:
        return all(isinstance(each, ast.Name) and each.id in self._assumed for each in parts_of(target))

    def _parameter(self, node: ast.expr) -> str | None:
        """The parameter whose type at a call would tell whether this is a number."""
        known = [self._before.get(each.id, self._function.facts.value(each)) for each in name_nodes(node)]
        return next((each.parameter for each in known if isinstance(each, Unknown) and each.parameter), None)


def _cut(body: Sequence[ast.stmt], places: Sequence[int]) -> int | Problem:
    """The last statement from which on those that set numbers may run after the arrays at ``places``.

    The statements above it run before the arrays.
    """
    arrays = [body[place] for place in places]
    given, of_arrays = {*_set_in(arrays)}, {*places}
    others = [each for number, each in enumerate(body) if number not in of_arrays]
    both = [each for each in others if given & {*_set_in([each])}]
    if both:
        name = min(given & {*_set_in(both)})
        return Problem("scalar-carried", f"`{name}` is set by Python and computed from arrays", both[0])
    between = [body[number] for number in range(places[0], places[-1]) if number not in of_arrays]
    jump = next((each for part in between for each in walk(part) if isinstance(each, _JUMPS)), None)
    if jump is not None:
        word = word_of(jump)
        return Problem("loop-control", f"`{word}` between array statements", jump)
    early, late = _apart(body, places)
    first, lates = min(early, default=len(body)), sorted(late)
    problems = []
    for cut in range(places[-1], places[0] - 1, -1):
        at = bisect_left(lates, cut)
        if first >= cut and at == len(lates):
            return cut
        problems.append(early[first] if first < cut else late[lates[at]])
    return problems[0]


def _apart(
    body: Sequence[ast.stmt], places: Sequence[int]
) -> tuple[Mapping[int, Problem], Mapping[int, Problem]]:
    """Why statements that set numbers cannot run before all of the arrays at ``places``, or after them."""
    early: dict[int, Problem] = {}
    late: dict[int, Problem] = {}
    reading: dict[str, list[int]] = {}
    for place in places:
        for name in _named([body[place]]):
            reading.setdefault(name, []).append(place)
    given, of_arrays = set[str](), {*places}
    for number, node in enumerate(body):
        if number in of_arrays:
            given.update(_set_in([node]))
            continue
        changed = [*_set_in([node])]
        before = min((reading[name][0] for name in changed if name in reading), default=number)
        after = min((each for name in changed for each in reading.get(name, ()) if each > number), default=-1)
        awaited = given & {*_named([node])}
        if before < number:
            early[number] = _crossing(body[before], min({*changed} & {*_named([body[before]])}), node)
        elif awaited:
            text = f"line {node.lineno} reads `{min(awaited)}`, which the same iteration computes from arrays"
            advice = "compute with it in array code, `np.where` in place of `if`"
            early[number] = Problem("scalar-carried", text, node, help=advice)
        if after >= 0:
            late[number] = _crossing(body[after], min({*changed} & {*_named([body[after]])}), node)
    return early, late


def _crossing(array: ast.stmt, name: str, number: ast.stmt) -> Problem:
    """The problem that a statement over arrays needs a number from the other side of the cut."""
    text = f"line {array.lineno} reads `{name}`, which line {number.lineno} sets"
    when = "later in the same iteration" if array.lineno < number.lineno else "from its arrays"
    advice = "set it in one place, at the start or at the end of the iteration"
    return Problem("scalar-carried", f"{text} {when}", number, help=advice)


def _names_problem(
    parts: Sequence[ast.AST], names: Sequence[str], loop: ast.stmt, function: Function
) -> Problem | None:
    """Why the generator, being a function of its own, could not see or set what the loop does."""
    values = {*_values_in(parts, function)}
    hidden = [name for name in _named(parts) if name not in values]
    own = next((name for name in hidden if function.is_local(name)), None)
    if own is not None and not isinstance(function.node, ast.Module):
        return Problem("dynamic-scope", f"`{own}` is imported in the function", loop)
    declared = names_declared(function.node)
    mangled = next((each for each in names if each.startswith("__") and not each.endswith("__")), None)
    outside = next((each for each in names if each in declared or not function.is_local(each)), mangled)
    if outside is None:
        return None
    return Problem("dynamic-scope", f"`{outside}` is not local to the function", loop)


def _enters(name: str, loop: ast.For | ast.While) -> bool:
    """Whether the value that a name has before the loop may be read in it, or kept by it."""
    if isinstance(loop, ast.For) and name in _set_in([loop.target]):
        return False
    head = loop.test if isinstance(loop, ast.While) else loop.iter
    return name in _named([head]) or exposure(name, loop.body) != "set"


def _values_in(nodes: Sequence[ast.AST], function: Function) -> list[str]:
    """The names in nodes that stand for values, not for modules and their functions."""
    code: set[str] = set()
    for each in [inner for node in nodes for inner in walk(node)]:
        match each:
            case ast.Call(func=ast.Name(id=name)):
                code.add(name)
            case ast.Attribute(value=ast.Name(id=name)) if function.dotted(each) is not None:
                code.add(name)
    return [name for name in _named(nodes) if name not in code]


def _named(nodes: Sequence[ast.AST]) -> list[str]:
    """The names in nodes, in order."""
    return list(dict.fromkeys(name for node in nodes for name in _names_of(node)))


def _set_in(nodes: Sequence[ast.AST]) -> list[str]:
    """The names that nodes bind, in order."""
    return list(dict.fromkeys(name for node in nodes for name in _bound_by(node)))


@kept
def _names_of(node: ast.AST) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.id for each in name_nodes(node)))


@kept
def _bound_by(node: ast.AST) -> tuple[str, ...]:
    return names_bound(node)

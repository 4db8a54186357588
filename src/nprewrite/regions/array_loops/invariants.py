"""Expressions of a loop that are the same in each of its iterations, and cost something.

for n in range(steps):
    u = u + dt * np.exp(-k * x) * u        dt * np.exp(-k * x) is
    u[0, :] = np.sin(np.pi * y)            np.sin(np.pi * y) is

If the loop has any iteration, they may be computed before it: the first iteration evaluates each of them in
any case, before anything that others could see if it raised.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from nprewrite.analysis.liveness import exposure, surely_set
from nprewrite.analysis.matrix_products import matrix_product
from nprewrite.analysis.memory import FOREIGN, Memory
from nprewrite.analysis.operands import SOMETIMES
from nprewrite.analysis.raised_errors import evaluated_before, raised_first
from nprewrite.analysis.repeated_cost import (
    believed,
    costly_operations,
    is_pure,
    is_pure_call,
    never_raises,
)
from nprewrite.base.syntax import children, name_nodes, walk
from nprewrite.numpy_api.attributes import is_of_layout
from nprewrite.program.function import Function
from nprewrite.regions.trips import has_iterations
from nprewrite.types.problems import Problem
from nprewrite.types.values import Array, Scalar, Value

Loop = ast.For | ast.While
_JUMPS = (ast.Break, ast.Continue, ast.Return, ast.Raise)
_DISPLAYS = (ast.Tuple, ast.List)
_VARIES = "varies"


@dataclass(frozen=True)
class LoopInvariants:
    """What can be computed before a loop: ``parts`` of its statements, and whole statements ``moved``.

    A part is the same expression at several places. ``condition`` is the text that tells whether the loop has
    an iteration; None where it certainly has one. ``apart`` are the arrays that the loop stores into, each
    with those that must not share its memory; with ``quiet`` nobody may watch for floating-point errors;
    ``types`` are the types that the names in the parts are assumed to have, and must have.
    """

    loop: Loop
    parts: tuple[tuple[ast.expr, ...], ...]
    moved: tuple[ast.Assign, ...]
    condition: str | None
    apart: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    quiet: bool = False
    types: Mapping[str, Array | Scalar] = field(default_factory=dict)

    @property
    def expressions(self) -> list[ast.expr]:
        """Each of the expressions once, in the order of the text."""
        found = [*(nodes[0] for nodes in self.parts), *(each.value for each in self.moved)]
        return sorted(found, key=lambda each: (each.lineno, each.col_offset))


def loop_invariants(function: Function) -> Iterator[LoopInvariants | Problem]:
    """What can be computed before the loops of a function, outer ones first, and why something cannot.

    Of nested loops only the first gives anything.
    """
    loops = [each for each in function.statements() if isinstance(each, Loop)]
    if not loops or function.dynamic_call is not None or function.names.unclear_numpy(function.node):
        return
    memory = Memory(function)
    done: list[Loop] = []
    for loop in loops:
        if any(each in function.outer(loop) for each in done):
            continue
        for found in _Search(loop, function, memory).found():
            if isinstance(found, LoopInvariants):
                done.append(loop)
            yield found


class _Search:
    """The search for what does not change in one loop."""

    def __init__(self, loop: Loop, function: Function, memory: Memory) -> None:
        self._loop, self._function, self._memory = loop, function, memory
        nodes = [*walk(loop)]
        self._around = {child: node for node in nodes for child in children(node)}
        names = [each for each in nodes if isinstance(each, ast.Name)]
        self._bound = [each.id for each in names if not isinstance(each.ctx, ast.Load)]
        self._loads = [each for each in names if isinstance(each.ctx, ast.Load)]
        self._changed = memory.changed_in([loop])
        self._moved: dict[str, ast.Assign] = {}
        self._apart: dict[str, tuple[str, ...]] = {}
        # Whether something is moved before what others see, and before what may raise floating-point errors.
        self._before_effects = self._before_floats = False

    def found(self) -> Iterator[LoopInvariants | Problem]:
        """The expressions and statements that can be moved before the loop, or why one cannot."""
        self._find_movable()
        parts: dict[str, list[ast.expr]] = {}
        problems: list[Problem] = []
        for evaluated, visible in self._certain(self._loop.body):
            if evaluated in self._moved.values():
                continue
            for node in self._largest(evaluated):
                problem = self._problem(node, visible)
                free = [node] if problem is None else [*self._free_parts(node, visible)]
                problems += [problem] if problem is not None and not free else []
                for each in free:
                    parts.setdefault(ast.unparse(each), []).append(each)
        moved = self._needed([nodes[0] for nodes in parts.values()])
        if (parts or moved) and len(moved) < len(self._loop.body):
            condition = self._condition()
            if isinstance(condition, Problem):
                yield condition
                return
            quiet = self._before_effects or self._before_floats or any(map(self._follows_floats, moved))
            places = tuple(map(tuple, parts.values()))
            made = LoopInvariants(self._loop, places, moved, condition, self._apart, quiet)
            types = believed(made.expressions, self._function) if quiet else {}
            yield replace(made, types={name: types[name] for name in types if name not in self._moved})
        yield from problems

    def _certain(self, block: Sequence[ast.stmt], visible: bool = False) -> Iterator[tuple[ast.AST, bool]]:
        """What the first iteration evaluates in any case, and whether others could see what is done before
        it.

        These are statements, and the tests of those that branch.
        """
        for statement in block:
            match statement:
                case ast.Assign() | ast.AugAssign() | ast.AnnAssign() | ast.Expr() | ast.Return():
                    yield statement, visible
                case ast.If(test=test):
                    yield test, visible
                case ast.For(body=body, orelse=[]) if has_iterations(statement, self._function) is None:
                    yield from self._certain(body, visible)
            if any(isinstance(each, _JUMPS) for each in walk(statement)):
                return
            # Inside of `try` the names that are bound are seen too.
            caught = any(isinstance(each, ast.Try) for each in self._function.outer(self._loop))
            visible = visible or caught or self._memory.is_visible(statement)

    def _condition(self) -> str | Problem | None:
        """The text that tells whether the loop has an iteration; None where it certainly has one."""
        loop = self._loop
        found = has_iterations(loop, self._function)
        if isinstance(found, str) and loop.orelse:
            text = "the `else` of the loop runs even without an iteration"
            return Problem("not-a-range", text, loop, help="move it behind the loop")
        return found

    def _find_movable(self) -> None:
        """Find ``w = np.exp(-x)``, bound nowhere else in the loop: the same array in all iterations."""
        known = -1
        while known < len(self._moved):
            known = len(self._moved)
            for evaluated, visible in self._certain(self._loop.body):
                match evaluated:
                    case ast.Assign(targets=[ast.Name(id=name)]) if name not in self._moved and not visible:
                        if self._is_movable(evaluated, name):
                            self._moved[name] = evaluated

    def _is_movable(self, statement: ast.Assign, name: str) -> bool:
        value = self._function.facts.value(statement.value)
        plain = isinstance(value, Scalar) or (isinstance(value, Array) and value.fresh)
        if not plain or self._bound.count(name) != 1 or self._memory.is_foreign([name]):
            return False
        body = self._loop.body
        if statement not in body:
            return False
        test = [ast.Expr(self._loop.test)] if isinstance(self._loop, ast.While) else []
        if exposure(name, [*test, *body[: body.index(statement)]]) != "untouched":
            return False
        if not is_pure(statement.value, self._function) or self._varies(statement.value) is not None:
            return False
        if self._raises_first(statement) is not None:
            return False
        if self._memory.of([name]) & (self._changed.by_stores | self._changed.by_calls):
            return False
        loads = (each for each in self._loads if each.id == name)
        return isinstance(value, Scalar) or all(map(self._is_taken_by_value, loads))

    def _needed(self, parts: Sequence[ast.expr]) -> tuple[ast.Assign, ...]:
        """The movable statements that cost something, and those whose values they or the parts need."""
        needed = [each for each in self._moved.values() if self._is_costly(each.value)]
        waiting = [*parts, *(each.value for each in needed)]
        while waiting:
            for each in name_nodes(waiting.pop()):
                statement = self._moved.get(each.id)
                if statement is not None and statement not in needed:
                    needed.append(statement)
                    waiting.append(statement.value)
        return tuple(sorted(needed, key=lambda each: each.lineno))

    def _largest(self, node: ast.AST) -> Iterator[ast.expr]:
        """The largest costly expressions in a statement whose names are the same in each iteration."""
        if isinstance(node, SOMETIMES):
            return
        if isinstance(node, ast.expr) and self._is_candidate(node):
            yield node
            return
        for child in children(node):
            yield from self._largest(child)

    def _is_candidate(self, node: ast.expr) -> bool:
        value = self._function.facts.value(node)
        if isinstance(node, ast.Name) or not _is_computed(value) or not self._is_costly(node):
            return False
        if not is_pure(node, self._function) or self._varies(node) == _VARIES:
            return False
        return self._is_taken_by_value(node) and not self._is_in_chain(node)

    def _is_costly(self, node: ast.expr) -> bool:
        return any(True for _ in costly_operations(node, self._function))

    def _free_parts(self, node: ast.expr, visible: bool) -> Iterator[ast.expr]:
        """The parts that can be moved of an expression that must stay."""
        for child in children(node):
            for each in self._largest(child):
                if self._problem(each, visible) is None:
                    yield each
                else:
                    yield from self._free_parts(each, visible)

    def _problem(self, node: ast.expr, visible: bool) -> Problem | None:
        """Why an expression must stay; if it need not, notes the conditions for moving it."""
        text = f"`{ast.unparse(node)}`"
        if visible and not never_raises(node, self._function):
            words = (
                "would be computed earlier, where it could raise before statements that have visible effects"
            )
            return Problem("may-raise", f"{text} {words}", node)
        first = self._raises_first(node)
        if first is not None:
            words = f"would be computed before `{ast.unparse(first).splitlines()[0]}`, should both raise"
            return Problem("may-raise", f"{text} {words}", node)
        match self._varies(node):
            case "unknown-call" as code:
                called = ast.unparse(self._changed.calls[0])
                return Problem(code, f"{text} may be changed by `{called}`", node)
            case "aliased-arrays" as code:
                apart = self._asked(node)
                if apart is None:
                    return Problem(code, f"{text} is computed from memory that the loop may change", node)
                for name, others in apart.items():
                    both = {*self._apart.get(name, ()), *others}
                    self._apart[name] = tuple(sorted(both))
        self._before_effects |= visible
        self._before_floats |= self._follows_floats(node)
        return None

    def _follows_floats(self, node: ast.AST) -> bool:
        """Whether floating-point errors of what the first iteration evaluates before a node would come later.

        Where they are raised, the program shows the first of two errors.
        """
        moved = self._moved.values()
        before = (each for each in evaluated_before(node, self._loop, self._around) if each not in moved)
        parts = (part for each in before for part in walk(each))
        return any(isinstance(each, ast.BinOp | ast.AugAssign | ast.Call) for each in parts)

    def _raises_first(self, node: ast.AST) -> ast.AST | None:
        """What the first iteration evaluates before a node and may raise a different error."""
        moved = [each for each in self._moved.values() if self._is_costly(each.value)]
        before = evaluated_before(node, self._loop, self._around)
        return raised_first(node, (each for each in before if each not in moved), self._function)

    def _asked(self, node: ast.expr) -> dict[str, tuple[str, ...]] | None:
        """The arrays that the loop stores into, each with those of an expression that may share its memory.

        None where they have no name before the loop.
        """
        found: dict[str, tuple[str, ...]] = {}
        names = {each.id: each for each in name_nodes(node)}
        for stored in sorted(self._changed.by_stores):
            group = self._memory.of([stored])
            others = [name for name in names if self._memory.of([name]) & group]
            others = [name for name in others if self._function.dotted(names[name]) is None]
            others = [name for name in others if isinstance(self._function.facts.value(names[name]), Array)]
            if others and not self._is_one_array(stored):
                return None
            if others:
                found[stored] = tuple(sorted(others))
        return found

    def _is_one_array(self, name: str) -> bool:
        """Whether a name stands for the same array before the loop and throughout it."""
        before = self._function.facts.at(self._loop).get(name)
        fixed = name not in self._bound or self._only_changed(name)
        return fixed and isinstance(before, Array) and surely_set(name, self._loop, self._function)

    def _only_changed(self, name: str) -> bool:
        """Whether the loop binds a name by ``u += e`` only, which leaves it on its array."""
        targets = [each.target for each in walk(self._loop) if isinstance(each, ast.AugAssign)]
        changed = [each for each in targets if isinstance(each, ast.Name) and each.id == name]
        return len(changed) == self._bound.count(name)

    def _varies(self, node: ast.expr) -> str | None:
        """Why the value of an expression may change: "varies" if it certainly does, else a reason."""
        found: str | None = None
        for each in name_nodes(node):
            if self._function.dotted(each) is not None:
                continue
            if each.id in self._bound and each.id not in self._moved:
                return _VARIES
            why = self._may_change(each)
            if why == _VARIES:
                return why
            found = found or why
        return found

    def _may_change(self, name: ast.Name) -> str | None:
        function, changed = self._function, self._changed
        group = self._memory.of([name.id])
        outside = not function.is_local(name.id) or function.is_shared(name.id)
        if changed.calls and (outside or self._memory.is_rebound_elsewhere(name.id)):
            return "unknown-call"
        if isinstance(function.facts.value(name), Scalar):
            return None
        if name.id in changed.by_stores:
            return _VARIES
        if group & self._memory.of(changed.by_stores):
            return "aliased-arrays" if FOREIGN in group else _VARIES
        return "unknown-call" if group & self._memory.of(changed.by_calls) else None

    def _is_in_chain(self, node: ast.expr) -> bool:
        """Whether it begins a longer product, whose cheapest order may not compute it."""
        around = self._around.get(node)
        if not isinstance(around, ast.expr) or matrix_product(around, self._function) is None:
            return False
        product = matrix_product(node, self._function)
        return product is not None and not all(map(self._is_square, product.factors))

    def _is_square(self, node: ast.expr) -> bool:
        value = self._function.facts.value(node)
        return isinstance(value, Array) and value.rank == 2 and len({*(value.shape or ())}) == 1

    def _is_taken_by_value(self, node: ast.expr) -> bool:
        """Whether the value of an expression is only read: nothing keeps the array, or a view of it."""
        inner: ast.AST = node
        while (around := self._around.get(inner)) is not None:
            found = self._takes_value(around, inner)
            if found is not None:
                return found
            inner = around
        return False

    def _takes_value(self, node: ast.AST, part: ast.AST) -> bool | None:
        """Whether a node only reads its part; None where its value is the part, or a view of it."""
        facts = self._function.facts
        match node:
            case ast.BinOp() | ast.Compare():
                # `rows + [np.exp(x)]` keeps the array.
                return isinstance(facts.value(node), Array | Scalar) or not isinstance(part, _DISPLAYS)
            case ast.UnaryOp() | ast.If() | ast.While():
                return True
            case ast.Subscript(slice=index):
                return True if index is part else None
            case ast.Attribute(attr=attr) if is_of_layout(attr):
                return True
            case ast.Attribute() | ast.keyword() | ast.Tuple() | ast.List() | ast.Slice():
                return None
            case ast.Call() if is_pure_call(node, self._function):
                value = facts.value(node)
                made = isinstance(value, Scalar) or (isinstance(value, Array) and value.fresh)
                return True if made else None
            case ast.Assign(targets=targets):
                parts = [each for each in targets if isinstance(each, ast.Subscript)]
                arrays = all(isinstance(facts.value(each.value), Array) for each in parts)
                return len(parts) == len(targets) and arrays
            case ast.AugAssign(target=target):
                return isinstance(facts.value(target), Array | Scalar)
        return False


def _is_computed(value: Value) -> bool:
    """Whether a value is an array, or a number computed from one."""
    whole = isinstance(value, Array) and value.under is None
    return whole or (isinstance(value, Scalar) and value.of_array)

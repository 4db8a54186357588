"""Forward inference of dtypes and symbolic shapes over one function, without running it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import reduce

from nprewrite.base.syntax import names_bound, stored_names, walk
from nprewrite.types.environment import NOTHING, Environment, Past, is_list
from nprewrite.types.expressions import Expressions, shown_arm
from nprewrite.types.list_changes import changed_lists
from nprewrite.types.region_syntax import region_name, takes_results
from nprewrite.types.values import Array, Items, Scalar, ShapeOf, Unknown, Value, join, kind_of, suggested

_LOOP_PASSES = 4
"""A loop's types settle in two passes; dtype promotion climbs at most a few steps."""

_FOLLOWED_DEPTH = 3
"""Loops nested deeper than this are not iterated until types settle: each level multiplies the passes."""


class Inference:
    """Values of every expression of a function, and the environment before each loop."""

    def __init__(
        self, expressions: Expressions, initial: Mapping[str, Value], every_statement: bool = False
    ) -> None:
        """``initial`` is what is known at the start; ``before`` answers for loops and in them, or for all."""
        self.expressions = expressions
        self._every_statement = every_statement
        self.known: dict[ast.stmt, Past] = {}
        self._initial = Environment(initial)
        self._depth = 0

    def run(self, body: list[ast.stmt]) -> Environment:
        """Infer over ``body``; afterwards ``value`` and ``before`` answer."""
        environment = Environment(self._initial.past())
        self._block(body, environment)
        return environment

    def starting_at(self, statement: ast.stmt) -> Inference:
        """The inference from a statement on, to which numbers taken from arrays before are fixed."""
        return Inference(self.expressions.anew(), self.before(statement).outside())

    def before(self, statement: ast.stmt) -> Past:
        """What is known before a statement."""
        return self.known.get(statement, NOTHING)

    def at(self, statement: ast.stmt) -> Mapping[str, Value]:
        """What is known before a statement, or at the start of this inference if that is inside it."""
        return self.known.get(statement, self._initial)

    def extend(self, statement: ast.stmt) -> None:
        """Infer over a further statement."""
        self._block([statement], self._initial)

    def returned(self, body: list[ast.stmt]) -> Value:
        """What a function with this body returns, where its only return is the last statement."""
        returns = [node for statement in body for node in walk(statement) if isinstance(node, ast.Return)]
        if len(returns) != 1 or returns[0] is not body[-1] or returns[0].value is None:
            return Unknown("the function has several returns, or none")
        return self.value(returns[0].value)

    def value(self, node: ast.expr) -> Value:
        """What is known of an expression at its place."""
        return self.expressions.values.get(node, Unknown("it is never reached"))

    def _block(self, body: list[ast.stmt], environment: Environment) -> None:
        for position, statement in enumerate(body):
            if self._every_statement or self._depth or isinstance(statement, ast.For | ast.While):
                self.known[statement] = environment.past()
            if position and takes_results(statement, body[position - 1]):
                # The names have the types that the statements as written give them.
                continue
            self._statement(statement, environment)
            self._forget_lists(statement, environment)

    def _statement(self, node: ast.stmt, environment: Environment) -> None:
        evaluate = self.expressions.evaluate
        match node:
            case ast.Assign():
                value = evaluate(node.value, environment)
                for target in node.targets:
                    self._bind(target, value, environment)
            case ast.AnnAssign(value=ast.expr() as assigned):
                self._bind(node.target, evaluate(assigned, environment), environment)
            case ast.AugAssign():
                self._augmented(node, environment)
            case ast.Expr() | ast.Return():
                if node.value is not None:
                    evaluate(node.value, environment)
            case ast.For():
                self._for(node, environment)
            case ast.While():
                self._loop(node.body, environment, lambda: evaluate(node.test, environment))
                self._block(node.orelse, environment)
            case ast.If():
                evaluate(node.test, environment)
                arms = [node.body, node.orelse]
                self._branches(arms, environment, shown_arm(node.test, environment))
            case ast.With():
                self._block(node.body, environment)
            case ast.Try():
                handlers = [[*handler.body] for handler in node.handlers]
                self._branches([[*node.body, *node.orelse], *handlers], environment)
                self._block(node.finalbody, environment)
            case ast.Assert():
                evaluate(node.test, environment)
            case _:
                self._forget(node, environment)

    def _forget_lists(self, node: ast.stmt, environment: Environment) -> None:
        """What lists hold is not known after a statement that may change them."""
        if not environment.ever_lists:
            return
        for name in environment.ever_lists.intersection(changed_lists(node, self.expressions.own)):
            if is_list(environment.get(name)):
                environment[name] = Unknown("a list that changes")

    def _branches(
        self, branches: list[list[ast.stmt]], environment: Environment, shown: int | None = None
    ) -> None:
        """``shown`` is the branch that a call takes."""
        ends: list[dict[str, Value]] = []
        start = environment.changes
        for number, branch in enumerate(branches):
            self._block(branch, environment)
            end = environment.undo(start)
            leaves = branch and isinstance(branch[-1], ast.Return | ast.Raise | ast.Continue | ast.Break)
            if not leaves and shown in (None, number):
                ends.append(end)
        for name in {name for end in ends for name in end}:
            merged = reduce(join, [end.get(name, environment.get(name)) for end in ends])
            assert merged is not None
            environment[name] = merged if shown is None else suggested(merged)

    def _for(self, node: ast.For, environment: Environment) -> None:
        element = self.expressions.element(node.iter, environment)
        if region_name(node) is not None:
            self._bind(node.target, element, environment)
            self._block(node.body, environment)
            return
        for call in walk(node.iter):
            if isinstance(call, ast.Call) and self.expressions.is_range(call):
                self._range_proves_integers(call, environment)
        self._loop(node.body, environment, lambda: self._bind(node.target, element, environment))
        self._block(node.orelse, environment)

    def _range_proves_integers(self, call: ast.Call, environment: Environment) -> None:
        """After ``range(k)`` an unknown ``k`` is an integer: anything else has raised."""
        for name in [each.id for each in call.args if isinstance(each, ast.Name)]:
            known = environment.get(name)
            if isinstance(known, Unknown) or (isinstance(known, Scalar) and not known.proven):
                environment[name] = Scalar("int", symbol=f"{name}#range")

    def _loop(self, body: list[ast.stmt], environment: Environment, begin: Callable[[], object]) -> None:
        """Iterate to the types that hold at the start of every iteration, which ``begin`` tests or binds."""
        environment.enter_loop()
        settled = False
        self._depth += 1
        for _ in range(_LOOP_PASSES if self._depth <= _FOLLOWED_DEPTH else 0):
            end = self._iteration(body, environment, begin)
            merged = {name: _merged(name, environment.get(name, value), value) for name, value in end.items()}
            changed = {name: value for name, value in merged.items() if environment.get(name) != value}
            settled = not changed
            if settled:
                break
            for name, value in changed.items():
                environment[name] = value
        if not settled:
            for name in names_bound(*body):
                environment[name] = Unknown("its type changes in the loop")
            self._iteration(body, environment, begin)
        self._depth -= 1

    def _iteration(
        self, body: list[ast.stmt], environment: Environment, begin: Callable[[], object]
    ) -> dict[str, Value]:
        """What one iteration changes; the environment is restored afterwards."""
        start = environment.changes
        begin()
        self._block(body, environment)
        return environment.undo(start)

    def _augmented(self, node: ast.AugAssign, environment: Environment) -> None:
        evaluate = self.expressions.evaluate
        if isinstance(node.target, ast.Subscript):
            evaluate(node.value, environment)
            self.expressions.evaluate_subscript(node.target, environment)
            return
        value = evaluate(node.value, environment)
        if not isinstance(node.target, ast.Name):
            return
        old = evaluate(node.target, environment)
        if isinstance(old, Array):
            self.expressions.binary(type(node.op).__name__, [old, value], node.target)
            self.expressions.changed(node.target.id)
            return
        # What an earlier pass over the loop knew of it no longer holds.
        self.expressions.loops.pop(node.target, None)
        result = self.expressions.binary(type(node.op).__name__, [old, value])
        self._bind(node.target, result, environment)

    def _bind(self, target: ast.expr, value: Value, environment: Environment) -> None:
        match target:
            case ast.Name():
                environment[target.id] = _named(target, value)
                self.expressions.values[target] = environment[target.id]
                self.expressions.changed(target.id)
            case ast.Tuple() | ast.List():
                values = _unpacked(value, len(target.elts))
                parameter = value.parameter if isinstance(value, Unknown) else None
                unknown: Value = Unknown("it is unpacked from an unknown value", parameter)
                known = len(values) == len(target.elts)
                for position, element in enumerate(target.elts):
                    self._bind(element, values[position] if known else unknown, environment)
            case ast.Subscript():
                self.expressions.evaluate_subscript(target, environment)
            case ast.Starred():
                self._bind(target.value, Unknown("it is a starred target"), environment)

    def _forget(self, node: ast.stmt, environment: Environment) -> None:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            environment[node.name] = Unknown("it is a definition")
            return
        for name in stored_names(node):
            environment[name] = Unknown("it is set by a statement that is not analysed")


def _unpacked(value: Value, count: int) -> tuple[Value, ...]:
    """The values that unpacking gives: those of a tuple, the lengths of ``x.shape``, the rows of an array."""
    if isinstance(value, Items):
        return value.values
    if isinstance(value, ShapeOf):
        unknown = tuple(f"{value.shape}[{axis}]" for axis in range(count))
        lengths = value.shape if isinstance(value.shape, tuple) else unknown
        return tuple(
            Scalar("int", constant=axis) if isinstance(axis, int) else Scalar("int", symbol=axis)
            for axis in lengths
        )
    return _parts(value, count)


def _parts(value: Value, count: int) -> tuple[Value, ...]:
    """What ``x, y = points`` binds: the rows or elements of an array, which raises for another number."""
    if not isinstance(value, Array) or value.under is not None or not value.rank:
        return ()
    if value.rank == 1:
        kind = kind_of(value.dtype)
        return (Scalar(kind, value.dtype, of_array=True),) * count if kind is not None else ()
    assert isinstance(value.shape, tuple)
    return (replace(value, shape=value.shape[1:], fresh=False),) * count


def _merged(name: str, before: Value, after: Value) -> Value:
    """What a name is at the start of every iteration; its rank is known where its shape is not."""
    merged = join(before, after)
    if not isinstance(merged, Array) or not isinstance(before, Array) or not isinstance(after, Array):
        return merged
    if merged.shape is not None or before.rank is None or before.rank != after.rank:
        return merged
    return replace(merged, shape=tuple(f"{name}~{axis}" for axis in range(before.rank)))


def _named(target: ast.Name, value: Value) -> Value:
    """A scalar gets a symbol from the place where its name was bound, for symbolic shapes."""
    if isinstance(value, Scalar) and value.symbol is None and value.constant is None:
        return replace(value, symbol=f"{target.id}@{target.lineno}:{target.col_offset}")
    return value

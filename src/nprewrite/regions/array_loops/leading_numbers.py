"""Numbers that an iteration takes from its arrays before it changes them, such as the largest stable step.

    while t < T:
        dt = min(cfl * dx / np.abs(u).max(), T - t)
        u = u - dt / dx * (u - np.roll(u, 1))
        t += dt

The arrays need a number that needs the arrays. What the next iteration takes from them is known as soon as
this one has changed them, so that a step can return it. The loop is followed as if it read

    value = np.abs(u).max()
    while t < T:
        dt = min(cfl * dx / value, T - t)
        u = u - dt / dx * (u - np.roll(u, 1))
        t += dt
        value = np.abs(u).max()

Python computes all other numbers, in their own type: ``min`` gives a float or a NumPy float64 as before.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from itertools import count, islice

import numpy as np

from nprewrite.analysis.liveness import live_after
from nprewrite.analysis.operands import SOMETIMES
from nprewrite.base.syntax import children, name_nodes, names_in, stored_names, walk
from nprewrite.program.function import Function
from nprewrite.types.inference import Inference
from nprewrite.types.values import Array, Scalar, Value

Loop = ast.For | ast.While


@dataclass(frozen=True)
class LeadingNumbers:
    """``taken`` binds the numbers that arrays give, ``arrays`` the arrays that nothing else reads.

    ``body`` holds the other statements of the loop, which read the numbers by name; ``view`` knows their
    types, with each of the numbers as a Python number.
    """

    view: Function
    body: tuple[ast.stmt, ...]
    arrays: tuple[ast.stmt, ...]
    taken: tuple[ast.Assign, ...]
    names: tuple[str, ...]

    @property
    def first(self) -> tuple[ast.stmt, ...]:
        """The statements that compute the numbers of the first iteration."""
        return (*self.arrays, *self.taken)


def leading_numbers(loop: Loop, function: Function) -> LeadingNumbers | None:
    """The numbers at the start of a loop's body; None where the iteration before could not give any."""
    view = _first_trip(loop, function)
    start = list(_start(loop.body, view))
    asked = [node for each in start for node in _asked(each.value, view)]
    arrays = _needed(start, view)
    body = [each for each in loop.body if each not in arrays]
    if not asked or _changing(asked, arrays, loop, view):
        return None
    names = tuple(islice(free_names(function), len(asked)))
    read = {id(node): name for node, name in zip(asked, names, strict=True)}
    written = tuple(_with_names(each, read) if each in start else each for each in body)
    head = loop.test if isinstance(loop, ast.While) else loop.iter
    kept = stored_names(*arrays)
    if kept & names_in(head, *written) or any(live_after(name, loop, function) for name in kept):
        return None
    taken = tuple(_bound(name, node) for node, name in zip(asked, names, strict=True))
    view = _view(loop, [*written, *arrays, *map(_read, asked)], names, function)
    values = [view.facts.value(each) for each in asked]
    if any(not isinstance(each, Scalar) or each.dtype != np.float64 for each in values):
        return None
    return LeadingNumbers(view, written, tuple(arrays), taken, names)


def _start(body: Sequence[ast.stmt], function: Function) -> Iterator[ast.Assign]:
    """The statements that only bind new numbers and new arrays, up to the first other one."""
    for statement in body:
        match statement:
            case ast.Assign(targets=[ast.Name()], value=value):
                known = function.facts.value(value)
                asked = any(True for _ in _asked(value, function))
                if not asked and not (isinstance(known, Scalar) or _is_array(value, function)):
                    return
                yield statement
            case ast.Expr(value=ast.Constant()):
                continue
            case _:
                return


def _is_array(node: ast.expr, function: Function) -> bool:
    """Whether an expression makes a new array."""
    value = function.facts.value(node)
    return isinstance(value, Array) and value.fresh


def _asked(node: ast.expr, function: Function) -> Iterator[ast.expr]:
    """The smallest parts of an expression that compute a number from arrays: ``np.abs(u).max()``."""
    if isinstance(node, SOMETIMES) or _is_array(node, function):
        return
    value = function.facts.value(node)
    operands = [each.value if isinstance(each, ast.keyword) else each for each in children(node)]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        operands.append(node.func.value)
    inner = [each for each in operands if isinstance(each, ast.expr)]
    takes = any(isinstance(function.facts.value(each), Array) for each in inner)
    if takes and isinstance(value, Scalar) and value.of_array:
        yield node
        return
    for each in inner:
        yield from _asked(each, function)


def _needed(start: Sequence[ast.Assign], function: Function) -> list[ast.Assign]:
    """The statements that bind the new arrays from which the numbers are computed."""
    found: list[ast.Assign] = []
    read: set[str] = set()
    for each in reversed(start):
        read |= names_in(*_asked(each.value, function))
        if _is_array(each.value, function) and stored_names(each) & read:
            found.insert(0, each)
            read |= names_in(each.value)
    return found


def _changing(
    asked: Sequence[ast.expr], arrays: Sequence[ast.Assign], loop: Loop, function: Function
) -> bool:
    """Whether the numbers depend on one that the loop sets, which the iteration before does not know."""
    own = stored_names(*arrays)
    inside = stored_names(*loop.body, *([loop.target] if isinstance(loop, ast.For) else []))
    names = name_nodes(*asked, *(each.value for each in arrays))
    named = (each for each in names if each.id in inside - own)
    return not all(isinstance(function.facts.value(each), Array) for each in named)


def free_names(function: Function) -> Iterator[str]:
    """Names that do not occur in the module: ``value``, ``value_1``, ``value_2``."""
    seen: set[str] = set()
    for number in count():
        name = function.names.free(f"value_{number}" if number else "value")
        if name not in seen:
            seen.add(name)
            yield name


def _bound(name: str, node: ast.expr) -> ast.Assign:
    made = ast.Assign([ast.Name(name, ast.Store())], node)
    return ast.fix_missing_locations(ast.copy_location(made, node))


def _with_names(statement: ast.stmt, names: dict[int, str]) -> ast.stmt:
    """A statement with a name in place of each of some expressions."""
    copied = deepcopy(statement)
    made = {
        id(new): ast.copy_location(ast.Name(names[id(old)], ast.Load()), old)
        for old, new in zip(walk(statement), walk(copied), strict=True)
        if id(old) in names
    }

    class Named(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            return made[id(node)] if id(node) in made else self.generic_visit(node)

    Named().visit(copied)
    return copied


def _first_trip(loop: Loop, function: Function) -> Function:
    """The function with the types of the loop's first iteration, before any number has changed."""
    old = function.facts
    counter = stored_names(loop.target) if isinstance(loop, ast.For) else set()
    counted: dict[str, Value] = {name: Scalar("int") for name in counter}
    inference = Inference(old.expressions.anew(), old.before(loop).replaced(counted))
    inference.run(loop.body)
    return _with_facts(inference, function)


def _with_facts(inference: Inference, function: Function) -> Function:
    made = replace(function)
    made.__dict__["facts"] = inference
    return made


def _read(node: ast.expr) -> ast.stmt:
    return ast.copy_location(ast.Expr(node), node)


def _view(loop: Loop, body: list[ast.stmt], names: Sequence[str], function: Function) -> Function:
    """The function with the types of its loop where its body is ``body`` and each of ``names`` is a float."""
    old = function.facts
    known = old.before(loop)
    weak = {name: _as_python(known[name]) for name in stored_names(*body) if name in known}
    given: dict[str, Value] = {name: Scalar("float") for name in names}
    inference = Inference(old.expressions.anew(), known.replaced({**weak, **given}))
    inference.known.update(old.known)
    inference.expressions.values.update(old.expressions.values)
    followed: Loop = (
        ast.While(loop.test, body, [])
        if isinstance(loop, ast.While)
        else ast.For(loop.target, loop.iter, body, [])
    )
    inference.run([ast.copy_location(followed, loop)])
    inference.known[loop] = inference.known[followed]
    return _with_facts(inference, function)


def _as_python(value: Value) -> Value:
    """A NumPy float64 as a Python float: with float64 arrays both are the same."""
    double = isinstance(value, Scalar) and value.kind == "float" and value.dtype == np.float64
    return replace(value, dtype=None) if double and isinstance(value, Scalar) else value

"""The statements that an iteration runs: the loop's own, or those of the only function that it calls.

Names of arrays may change places at their end: ``A, B = B, A``.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from nprewrite.base.syntax import parts_of
from nprewrite.program.function import Block, Function, Module
from nprewrite.regions.array_loops.control import LoopControl
from nprewrite.regions.array_loops.leading_numbers import LeadingNumbers
from nprewrite.types.problems import Problem
from nprewrite.types.values import Array, Callee, Unknown


@dataclass(frozen=True)
class LoopBody:
    """The statements of one iteration and the view that knows their types.

    Usually the loop's own body; when that is one call ``Z, N = step(n, C, Z, N)`` of a function of
    the module, that function's body, with ``passed`` giving the caller's expression for each name.
    """

    view: Function
    statements: Block
    counter: str | None
    passed: dict[str, str] | None = None
    returned: dict[str, str] = field(default_factory=dict)
    calls: dict[str, str] = field(default_factory=dict)
    """The called function's name, by the parameter that it is passed in, if it is."""
    new: tuple[str, ...] = ()
    """Names that the statements as written do not bind."""
    views: tuple[tuple[str, ast.Subscript], ...] = ()
    """Views that were taken before the statements; a step takes them itself."""
    loop: ast.stmt | None = None
    rotates: Mapping[str, str] = field(default_factory=dict)
    """For each name that changes places after the statements, the name whose array it takes."""
    control: LoopControl | None = None
    """What sets the numbers of the loop, where a generator does."""
    changing: frozenset[str] = frozenset()
    """Names that other statements of the loop bind."""
    named: Mapping[ast.expr, str] = field(default_factory=dict)
    """The expressions to which the statements, unlike the text, give a name."""

    @property
    def varying(self) -> frozenset[str]:
        """The names of numbers that may change from iteration to iteration."""
        counter = frozenset() if self.counter is None else frozenset([self.counter])
        return (counter if self.control is None else self.control.varying) | self.changing

    @property
    def spelling(self) -> dict[str, str]:
        """The caller's expression for each name that it spells differently."""
        return {**self.view.module.spelling, **(self.passed or {})}


def called_body(loop: ast.For, function: Function) -> LoopBody | None:
    """The body of the module's function that a loop of one call calls; None for any other loop."""
    match loop:
        case ast.For(
            target=ast.Name(id=target),
            body=[(ast.Assign() | ast.Expr()) as statement],
        ) if isinstance(statement.value, ast.Call) and not statement.value.keywords:
            call = statement.value
        case _:
            return None
    arguments = [each.id for each in call.args if isinstance(each, ast.Name)]
    callee = _callee(call, function)
    if callee is None or len(arguments) != len(call.args):
        return None
    names = [each.arg for each in (*callee.args.posonlyargs, *callee.args.args)]
    if len(names) != len(arguments):
        return None
    body, returned = _split(callee)
    passed = dict(zip(names, arguments, strict=True))
    back = _returned(returned, _targets(statement), passed)
    if back is None:
        return None
    given = {name: function.facts.value(each) for name, each in zip(names, call.args, strict=True)}
    module = Module(function.document, {**function.module.given, callee.name: given}, jitted=callee.name)
    counter = next((name for name, argument in passed.items() if argument == target), None)
    view = Function(module, callee, callee.name, None)
    argument = isinstance(call.func, ast.Name) and function.is_local(call.func.id)
    spelling = function.module.spelling
    passed = {name: spelling.get(each, each) for name, each in passed.items()}
    back = {name: spelling.get(each, each) for name, each in back.items()}
    calls = {ast.unparse(call.func): callee.name} if argument else {}
    return LoopBody(view, body, counter, passed, back, calls)


def awaited_function(loop: ast.For, function: Function) -> str | None:
    """The parameter that a loop of one call calls, if only a call of ``function`` tells what it is."""
    match loop.body:
        case [
            ast.Assign(value=ast.Call(func=ast.Name(id=name) as called))
            | ast.Expr(value=ast.Call(func=ast.Name(id=name) as called))
        ]:
            value = function.facts.value(called)
            # The decorator inlines a call of a function that does not return its arguments.
            inlined = isinstance(value, Callee) and called_body(loop, function) is None
            return name if inlined or (isinstance(value, Unknown) and value.parameter) else None
    return None


def giving(body: LoopBody, leading: LeadingNumbers) -> LoopBody | Problem:
    """The body, followed by the statements that give the next iteration its first numbers."""
    if body.rotates:
        text = "arrays swap places before the next iteration reads its numbers from them"
        return Problem("scalar-carried", text, leading.taken[0])
    named = {each.value: name for each, name in zip(leading.taken, leading.names, strict=True)}
    return replace(body, statements=[*body.statements, *leading.first], new=leading.names, named=named)


def _callee(call: ast.Call, function: Function) -> ast.FunctionDef | None:
    """The plain function of the module that is called, if it takes positional arguments only."""
    dotted, value = function.dotted(call.func) or "", function.facts.value(call.func)
    name = value.name if isinstance(value, Callee) else dotted.removeprefix(".")
    known = isinstance(value, Callee) or dotted.startswith(".")
    callee = function.names.definitions.get(name) if known else None
    if isinstance(value, Callee) and not _stands_before(callee, function):
        return None
    if not isinstance(callee, ast.FunctionDef) or callee.decorator_list or callee is function.node:
        return None
    return None if callee.args.vararg or callee.args.kwarg or callee.args.kwonlyargs else callee


def _stands_before(callee: ast.stmt | None, function: Function) -> bool:
    """Whether the step's decorator, before ``function``, can name a function passed as an argument."""
    if callee is None or isinstance(function.node, ast.Module):
        return False
    return callee.lineno < function.top_level_statement(function.node).lineno


def _split(callee: ast.FunctionDef) -> tuple[Block, list[ast.expr | None]]:
    """The statements before the last ``return``, and what it returns (None for a bare one)."""
    last = callee.body[-1]
    if not isinstance(last, ast.Return):
        return [*callee.body], []
    returned = last.value.elts if isinstance(last.value, ast.Tuple) else [last.value]
    return callee.body[:-1], [*returned]


def _returned(
    returned: Sequence[ast.expr | None], targets: Sequence[ast.expr], passed: dict[str, str]
) -> dict[str, str] | None:
    """The caller's name for each name returned; None unless each is returned to the name it came from."""
    inner = [each.id for each in returned if isinstance(each, ast.Name)]
    outer = [each.id for each in targets if isinstance(each, ast.Name)]
    if not len(inner) == len(returned) == len(targets) == len(outer):
        return None
    back = dict(zip(inner, outer, strict=True))
    return back if all(passed.get(name) == target for name, target in back.items()) else None


def _targets(statement: ast.stmt) -> list[ast.expr]:
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return []
    return parts_of(statement.targets[0])


def rotation(statements: Sequence[ast.stmt], function: Function) -> Mapping[str, str]:
    """For each name the one whose array it takes, if the last of the statements exchanges arrays.

    Empty where it does not. The names must be local, so that nobody else sees what they stand for.
    """
    match statements[-1]:
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
            pairs = list(zip(targets, values, strict=False))
        case _:
            return {}
    names = {
        target.id: value.id
        for target, value in pairs
        if isinstance(target, ast.Name) and isinstance(value, ast.Name)
    }
    exchanged = len(names) == len(targets) == len(values) and names.keys() == set(names.values())
    arrays = all(isinstance(function.facts.value(each), Array) for each in values)
    local = all(function.is_local(name) and not function.is_shared(name) for name in names)
    return names if exchanged and arrays and local else {}

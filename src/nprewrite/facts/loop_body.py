"""The statements that an iteration runs: the loop's own, or those of the one function that it calls."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field

from nprewrite.facts.function import Block, Function, Module


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


def called_body(loop: ast.For, function: Function) -> LoopBody | None:
    """The body of the module's function that a loop of one call calls; None for any other loop."""
    match loop:
        case ast.For(target=ast.Name(id=target), body=[ast.Assign() | ast.Expr() as statement]):
            call = statement.value
        case _:
            return None
    if not isinstance(call, ast.Call) or call.keywords:
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
    return LoopBody(Function(module, callee, callee.name, None), body, counter, passed, back)


def _callee(call: ast.Call, function: Function) -> ast.FunctionDef | None:
    """The plain function of the module that is called, if it takes positional arguments only."""
    dotted = function.dotted(call.func) or ""
    callee = function.names.definitions.get(dotted.removeprefix(".")) if dotted.startswith(".") else None
    if not isinstance(callee, ast.FunctionDef) or callee.decorator_list or callee is function.node:
        return None
    return None if callee.args.vararg or callee.args.kwarg or callee.args.kwonlyargs else callee


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
    """The caller's name for each name returned; None unless each goes back to the name it came from."""
    inner = [each.id for each in returned if isinstance(each, ast.Name)]
    outer = [each.id for each in targets if isinstance(each, ast.Name)]
    if not len(inner) == len(returned) == len(targets) == len(outer):
        return None
    back = dict(zip(inner, outer, strict=True))
    return back if all(passed.get(name) == target for name, target in back.items()) else None


def _targets(statement: ast.stmt) -> list[ast.expr]:
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return []
    target = statement.targets[0]
    return [*target.elts] if isinstance(target, ast.Tuple) else [target]

"""Which function of the same file a call names."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from nprewrite.program.function import Definition, Function
from nprewrite.source.kept import kept, names_stored
from nprewrite.source.names import first_line, lambdas_of, statements_of
from nprewrite.types.values import Callee, Instance


def called_function(call: ast.Call, function: Function) -> ast.FunctionDef | None:
    """The function that a call names: one of the file, or one defined in the function."""
    if isinstance(call.func, ast.Attribute):
        return _method(call.func, function)
    if not isinstance(call.func, ast.Name):
        return None
    name = call.func.id
    passed = function.module.given.get(function.name, {}).get(name)
    if isinstance(passed, Callee) and name not in names_stored(function.node):
        return function.module.function_named(passed.name)
    if function.names.dotted(call.func, function.node) != f".{name}":
        return _lambda(name, call, function)
    own = _inner_functions(function.node).get(name)
    if own:
        return own[0] if len(own) == 1 and isinstance(own[0], ast.FunctionDef) else None
    return function.module.function_named(name)


@kept
def _inner_functions(scope: ast.AST) -> Mapping[str, Sequence[Definition]]:
    found: dict[str, list[Definition]] = {}
    for each in statements_of(scope):
        if isinstance(each, Definition):
            found.setdefault(each.name, []).append(each)
    return found


def _lambda(name: str, call: ast.Call, function: Function) -> ast.FunctionDef | None:
    """The function of a named ``lambda``: one made before the call in the function, or one of the file."""
    if not function.names.is_local(name, function.node):
        captured = function.names.is_captured(name, function.node)
        return function.module.function_named(name) if not captured else None
    if not function.names.is_bound_once(name, function.node) or isinstance(function.node, ast.Module):
        return None
    made = lambdas_of(function.node).get(name)
    return made if made is not None and made.lineno < call.lineno else None


def _method(called: ast.Attribute, function: Function) -> ast.FunctionDef | None:
    """The method of the same file that ``self.f`` is, for an object whose class was seen at the call."""
    base = called.value.id if isinstance(called.value, ast.Name) else ""
    owner = function.module.given.get(function.name, {}).get(base)
    if not isinstance(owner, Instance) or base in names_stored(function.node):
        return None
    line = dict(owner.methods).get(called.attr)
    nodes = (each for each in ast.walk(function.document.tree) if isinstance(each, ast.FunctionDef))
    origins = function.document.origins
    for node in nodes:
        same = node.name == called.attr and line == origins[first_line(node) - 1].line
        if same and node is not function.node:
            return node
    return None

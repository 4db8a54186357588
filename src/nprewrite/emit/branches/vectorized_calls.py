"""Calls of functions made by ``np.vectorize`` or ``np.frompyfunc``, and the functions of numbers in them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nprewrite.base.syntax import children
from nprewrite.emit.branches.if_conversion import ScalarFunction
from nprewrite.program.function import Module
from nprewrite.source.names import ModuleNames, Scope

_MAKERS = frozenset(["numpy.vectorize", "numpy.frompyfunc"])


@dataclass(frozen=True)
class Made:
    """A function that ``maker`` made of ``scalar``, a function of numbers that is defined in ``around``.

    ``scalar`` is None where it is not one that the text shows.
    """

    name: str
    maker: str
    scalar: ScalarFunction | None
    around: tuple[Scope, ...]


@dataclass(frozen=True)
class VectorizedCall:
    """A call of such a function, in a statement of the module's body."""

    call: ast.Call
    statement: ast.stmt
    top: ast.stmt
    made: Made


def vectorized_calls(module: Module) -> Iterator[VectorizedCall]:
    """The calls in the module's functions, in the order of the text."""
    for function in module.functions:
        if function.step is not None or module.jitted not in (None, function.name):
            continue
        tree = module.document.tree
        scopes: tuple[Scope, ...] = (tree,)
        if function.node is not tree:
            scopes = (function.node, *module.names.functions_around(function.node), tree)
        for statement in function.statements():
            for call in _own_calls(statement):
                made = _made(call.func, scopes, module.names)
                if made is not None:
                    top = function.top_level_statement(statement)
                    yield VectorizedCall(call, statement, top, made)


def _own_calls(statement: ast.stmt) -> Iterator[ast.Call]:
    """The calls in a statement's own expressions, without those in blocks and functions inside it."""
    stack: list[ast.AST] = [each for each in children(statement) if isinstance(each, ast.expr)]
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Call):
            yield node
        if not isinstance(node, ast.Lambda):
            stack.extend(children(node))


def _made(node: ast.expr, scopes: Sequence[Scope], names: ModuleNames) -> Made | None:
    """What a called expression is, if ``np.vectorize`` or ``np.frompyfunc`` made it."""
    if isinstance(node, ast.Call):
        return _of_call(node, "", scopes, names)
    if not isinstance(node, ast.Name):
        return None
    found = _binding(node.id, scopes, names)
    if found is None:
        return None
    statement, inner = found
    if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call):
        return _of_call(statement.value, node.id, inner, names)
    if isinstance(statement, ast.FunctionDef) and len(statement.decorator_list) == 1:
        maker = _decorated(statement.decorator_list[0], inner, names)
        return Made(node.id, maker, statement, inner) if maker is not None else None
    return None


def _decorated(decorator: ast.expr, scopes: Sequence[Scope], names: ModuleNames) -> str | None:
    """``@np.vectorize`` or ``@np.vectorize(otypes=...)``."""
    function = decorator.func if isinstance(decorator, ast.Call) else decorator
    keywords = not isinstance(decorator, ast.Call) or not decorator.args
    dotted = _dotted(function, scopes, names)
    return dotted if dotted == "numpy.vectorize" and keywords else None


def _of_call(call: ast.Call, name: str, scopes: Sequence[Scope], names: ModuleNames) -> Made | None:
    """``np.vectorize(g)`` and the like."""
    maker = _dotted(call.func, scopes, names)
    if maker not in _MAKERS or maker is None or not call.args:
        return None
    inner = call.args[0]
    if isinstance(inner, ast.Lambda):
        return Made(name or "lambda", maker, inner, tuple(scopes))
    found = _binding(inner.id, scopes, names) if isinstance(inner, ast.Name) else None
    plain = found is not None and isinstance(found[0], ast.FunctionDef) and not found[0].decorator_list
    if found is None or not plain or not isinstance(found[0], ast.FunctionDef):
        return Made(name or ast.unparse(inner), maker, None, ())
    return Made(name or found[0].name, maker, found[0], found[1])


def _binding(
    name: str, scopes: Sequence[Scope], names: ModuleNames
) -> tuple[ast.stmt, tuple[Scope, ...]] | None:
    """The only statement that binds a name, and the scopes around that statement."""
    owns = [names.is_local(name, each) or isinstance(each, ast.Module) for each in scopes]
    position = owns.index(True)
    scope = scopes[position]
    if len(names.bindings(scope).get(name, ())) != 1:
        return None
    if isinstance(scope, ast.Module) and names.module_binding(name) is None:
        return None
    for node in names.binding_nodes(scope):
        match node:
            case ast.FunctionDef(name=bound) if bound == name:
                return node, tuple(scopes[position:])
            case ast.Assign(targets=[ast.Name(id=bound)]) if bound == name:
                return node, tuple(scopes[position:])
    return None


def _dotted(node: ast.expr, scopes: Sequence[Scope], names: ModuleNames) -> str | None:
    """The dotted name of an expression, where no function around binds its first name to something else."""
    base = node
    while isinstance(base, ast.Attribute):
        base = base.value
    inner = [each for each in scopes[1:] if not isinstance(each, ast.Module)]
    if not isinstance(base, ast.Name) or any(names.is_local(base.id, each) for each in inner):
        return None
    return names.dotted(node, scopes[0])

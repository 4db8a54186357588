"""What passes add to a module: imports, functions, decorators."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import libcst as cst

from nprewrite.base.syntax import walk
from nprewrite.passes.contract import AddedFunction, Change
from nprewrite.program.function import Module
from nprewrite.program.steps import RUNTIME, RUNTIME_ALIAS, StepSpec, step_decorator
from nprewrite.source.document import Document
from nprewrite.source.edits import Above, Beside, NodeEdit, Replace, Wrap
from nprewrite.source.functions import may_get_decorator
from nprewrite.source.names import Scope, find_definition, first_line
from nprewrite.source.nodes import Statement, block, expression, statements


def edits(document: Document, changes: Sequence[Change], on_fallback: str) -> Iterator[NodeEdit]:
    """The edits that add functions, replace the decorators of steps, and import what both need."""
    names = document.names
    added = [change.step for change in changes if isinstance(change.step, AddedFunction)]
    runtime = names.alias_of(RUNTIME)
    first = min((first_line(each.before) for each in added), default=len(document.origins))
    uses = added or any(RUNTIME in change.imports for change in changes)
    if uses and runtime is None:
        runtime = names.free(RUNTIME_ALIAS)
        yield import_edit(document, f"import {RUNTIME} as {runtime}", first)
    if changes and not any(names.numpy_alias(scope) for scope in _scopes(document)):
        yield import_edit(document, f"import numpy as {names.free('np')}", first)
    for each in added:
        spec = replace(each.spec, on_fallback=on_fallback)
        yield Above(each.before, _functions(document, replace(each, spec=spec), runtime or RUNTIME_ALIAS))
    specs = {name: spec for change in changes for name, spec in change.specs.items()}
    yield from _decorator_edits(document, specs)


def _functions(document: Document, added: AddedFunction, runtime: str) -> tuple[Statement, ...]:
    """The generator of the loop's numbers, if there is one, and the function."""
    head = f"{added.spec.render(runtime)}\ndef {added.name}({', '.join(added.parameters)}):\n    pass\n"
    (empty,) = statements(head)
    made = empty.with_changes(body=block(added.body))
    return document.placed((*added.control, made), added.loop)


def _decorator_edits(document: Document, specs: Mapping[str, StepSpec]) -> Iterator[NodeEdit]:
    """Replace the decorators of the steps that have a new spec."""
    for node in document.tree.body:
        decorator = step_decorator(node, document.names, document.tree)
        if decorator is None or not isinstance(node, ast.FunctionDef) or node.name not in specs:
            continue
        text = specs[node.name].render(ast.unparse(decorator.func).rpartition(".")[0])
        yield Replace(decorator, (expression(text.removeprefix("@")),))


def _scopes(document: Document) -> Iterator[Scope]:
    """The scopes of the module and its functions: NumPy may be imported in any of them."""
    yield document.tree
    for node in walk(document.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def decoratable(document: Document, names: Sequence[str]) -> list[ast.FunctionDef]:
    """The functions and methods among ``names`` that can get the decorator."""
    found = [find_definition(document.tree, name) for name in dict.fromkeys(names)]
    plain = [
        node for node in found if isinstance(node, ast.FunctionDef) and may_get_decorator(node, document.tree)
    ]
    return sorted(plain, key=lambda node: node.lineno)


def decorated(module: Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    """The functions that carry ``nprewrite.jit``, by qualified name."""
    for each in module.functions:
        if isinstance(each.node, ast.FunctionDef) and any(map(each.is_jit, each.node.decorator_list)):
            yield each.name, each.node


def decorators(document: Document, names: Sequence[str], arguments: str) -> Iterator[NodeEdit]:
    """The edits that put ``@nprewrite.jit`` with ``arguments`` on functions."""
    module = document.names
    alias = module.alias_of("nprewrite")
    wanted = decoratable(document, names)
    if wanted and alias is None:
        alias = module.fresh("nprewrite")
        renamed = f" as {alias}" if alias != "nprewrite" else ""
        yield import_edit(document, f"import nprewrite{renamed}", wanted[0].lineno)
    made = cst.Decorator(expression(f"{alias}.jit({arguments})" if arguments else f"{alias}.jit"))
    for node in wanted:
        yield Wrap(node, lambda function: function.with_changes(decorators=[*function.decorators, made]))


def import_edit(document: Document, statement: str, before: int) -> NodeEdit:
    """Insert an import after the last import at the top of the module, or after its docstring.

    Where NumPy is imported further down, but above the line ``before``, the new import follows that one: the
    statements in between may set what NumPy reads when it is imported.
    """
    last: ast.stmt | None = None
    for node in document.tree.body:
        docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not isinstance(node, ast.Import | ast.ImportFrom) and not (docstring and last is None):
            break
        last = node
    above = [node for node in document.tree.body if _imports_numpy(node) and node.lineno < before]
    last = max([each for each in (last, *above[:1]) if each], key=lambda node: node.lineno, default=None)
    made = statements(statement)
    if last is None:
        return Above(document.tree.body[0], made)
    if isinstance(last, ast.Expr):
        made = (made[0].with_changes(leading_lines=[cst.EmptyLine(indent=False)]),)
    return Beside(last, after=made)


def _imports_numpy(node: ast.stmt) -> bool:
    if isinstance(node, ast.ImportFrom):
        return not node.level and (node.module or "").split(".")[0] == "numpy"
    return isinstance(node, ast.Import) and any(each.name.split(".")[0] == "numpy" for each in node.names)

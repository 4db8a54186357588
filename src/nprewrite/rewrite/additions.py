"""What passes add to a module: imports, step functions, decorators."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from nprewrite.facts.steps import RUNTIME, RUNTIME_ALIAS, StepSpec, step_decorator
from nprewrite.passes.contract import AddedStep, Change
from nprewrite.source.document import Document, Edit, Origin
from nprewrite.source.names import Scope, find_definition, first_line


def edits(document: Document, changes: Sequence[Change], on_fallback: str) -> list[Edit]:
    """The edits that add the steps, exchange decorators and import what they need."""
    names = document.names
    added = [change.step for change in changes if isinstance(change.step, AddedStep)]
    steps = [replace(step, spec=replace(step.spec, on_fallback=on_fallback)) for step in added]
    found: list[Edit] = []
    runtime = names.alias_of(RUNTIME)
    starts = [_start_line(step.before, document) for step in steps]
    first = min(starts, default=len(document.origins))
    uses = steps or any(RUNTIME in change.imports for change in changes)
    if uses and runtime is None:
        runtime = names.free(RUNTIME_ALIAS)
        found.append(import_edit(document, f"import {RUNTIME} as {runtime}", first))
    if changes and not any(names.numpy_alias(scope) for scope in _scopes(document)):
        found.append(import_edit(document, f"import numpy as {names.free('np')}", first))
    for position in sorted(set(starts)):
        here = [step for step in steps if _start_line(step.before, document) == position]
        found.append(_steps_edit(document, here, position, runtime or RUNTIME_ALIAS))
    specs = {name: spec for change in changes for name, spec in change.specs.items()}
    return [*found, *_decorator_edits(document, specs)]


def _decorator_edits(document: Document, specs: Mapping[str, StepSpec]) -> Iterator[Edit]:
    """Exchange the decorators of the steps that have a new spec."""
    for node in document.tree.body:
        decorator = step_decorator(node, document.names, document.tree)
        if decorator is None or not isinstance(node, ast.FunctionDef) or node.name not in specs:
            continue
        text = specs[node.name].render(ast.unparse(decorator.func).rpartition(".")[0])
        yield Edit(*document.span(decorator), text.removeprefix("@").replace("\n", document.newline))


def _scopes(document: Document) -> Iterator[Scope]:
    """The module and its functions: NumPy may be imported in any of them."""
    yield document.tree
    for node in ast.walk(document.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def decoratable(document: Document, names: Sequence[str]) -> list[ast.FunctionDef]:
    """The functions and methods among ``names`` that can get the decorator: those that carry none."""
    found = [find_definition(document.tree, name) for name in dict.fromkeys(names)]
    plain = [node for node in found if isinstance(node, ast.FunctionDef) and not node.decorator_list]
    return sorted(plain, key=lambda node: node.lineno)


def decorators(document: Document, names: Sequence[str], arguments: str) -> list[Edit]:
    """The edits that put ``@nprewrite.jit`` with ``arguments`` on functions."""
    module = document.names
    alias = module.alias_of("nprewrite")
    wanted = decoratable(document, names)
    found: list[Edit] = []
    if wanted and alias is None:
        alias = module.fresh("nprewrite")
        renamed = f" as {alias}" if alias != "nprewrite" else ""
        found.append(import_edit(document, f"import nprewrite{renamed}", wanted[0].lineno))
    call = f"({arguments})" if arguments else ""
    for node in wanted:
        at = document.line_start(node.lineno)
        found.append(Edit(at, at, f"{document.indentation(node)}@{alias}.jit{call}{document.newline}"))
    return found


def import_edit(document: Document, statement: str, before: int) -> Edit:
    """Insert an import after the last import of the module's head, or after its docstring.

    Where NumPy is imported later, though above the line ``before``, the import follows that one: what stands
    between may set what NumPy reads when it is imported.
    """
    last: ast.stmt | None = None
    for node in document.tree.body:
        docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not isinstance(node, ast.Import | ast.ImportFrom) and not (docstring and last is None):
            break
        last = node
    above = [node for node in document.tree.body if _imports_numpy(node) and node.lineno < before]
    last = max([each for each in (last, *above[:1]) if each], key=lambda node: node.lineno, default=None)
    newline = document.newline
    if last is None:
        first = document.tree.body[0]
        at = document.line_start(_start_line(first, document))
        return Edit(at, at, f"{statement}{newline}")
    end = document.span(last)[1]
    at = document.line_end(last.end_lineno or last.lineno)
    if document.text[end:at].lstrip().startswith(";"):
        return Edit(end, end, f"; {statement}")
    gap = newline if isinstance(last, ast.Expr) else ""
    return Edit(at, at, f"{newline}{gap}{statement}")


def _imports_numpy(node: ast.stmt) -> bool:
    if isinstance(node, ast.ImportFrom):
        return not node.level and (node.module or "").split(".")[0] == "numpy"
    return isinstance(node, ast.Import) and any(each.name.split(".")[0] == "numpy" for each in node.names)


def _start_line(node: ast.stmt, document: Document) -> int:
    """The line of a statement's first decorator or keyword, with the comments directly above it."""
    line = first_line(node)
    while line > 1 and document.line(line - 1).startswith("#"):
        line -= 1
    return line


def _steps_edit(document: Document, steps: Sequence[AddedStep], line: int, runtime: str) -> Edit:
    """The text of steps that go before the statement at ``line``, each line with the loop's as its origin."""
    lines: list[str] = []
    origins: list[Origin] = []
    if line > 1 and document.line(line - 1).strip():
        lines, origins = ["", ""], [document.origins[line - 1]] * 2
    for step in steps:
        decorator = step.spec.render(runtime).split("\n")
        loop_line, loop_column = document.position(step.loop)
        header = Origin(loop_line, 1 - loop_column)
        if step.control:
            lines += [*step.control, "", ""]
            origins += [header] * (len(step.control) + 2)
        lines += [*decorator, f"def {step.name}{step.lines[0]}", *step.lines[1:], "", ""]
        origins += [header] * (len(decorator) + 1)
        for number in step.body_lines[1:]:
            here = document.origins[number - 1] if number else header
            origins.append(Origin(here.line, here.shift + step.shift) if number else header)
        origins += [header, header]
    newline = document.newline
    at = document.line_start(line)
    return Edit(at, at, newline.join(lines) + newline, (*origins, document.origins[line - 1]))

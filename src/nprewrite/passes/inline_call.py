"""The statements of a function of the same file in place of a call.

    u = u + dt * slope(u, k)           slope_value = -k * u * u
                                       u = u + dt * slope_value

Why: a call of a function that is not NumPy's ends a region, and keeps a loop from becoming a step.

Safety: names that the function binds are renamed; its arguments are evaluated once and in order. Only
``@nprewrite.jit`` uses this pass, so that the text that people keep does not grow.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from nprewrite.analysis.inlining import Inlining, bound_names, inlinings, is_settled_attribute
from nprewrite.passes.contract import Change, Refusal, RewritePass
from nprewrite.passes.level import Level
from nprewrite.passes.reasons import reasons, refused
from nprewrite.program.function import Function
from nprewrite.source.document import Document
from nprewrite.source.edits import Beside, NodeEdit, Replace
from nprewrite.source.names import names_in, stored_names
from nprewrite.source.nodes import Statement, expression, statements
from nprewrite.types.parameters import is_literal
from nprewrite.types.problems import Problem


@dataclass(frozen=True)
class InlineCall(RewritePass[Inlining | Problem, Inlining]):
    """NPR605."""

    code = "NPR605"
    name = "inline-call"
    summary = "calls of functions of the same file become their statements (with @nprewrite.jit)"
    level = Level.EXACT
    serves_others = True
    refuses = reasons("NPR605")
    repeats = True
    prepares = True

    def match(self, function: Function) -> Iterator[Inlining | Problem]:
        """One call in each statement; others follow once it is inlined."""
        if function.step is None and function.name == function.module.jitted:
            yield from inlinings(function)

    def node(self, site: Inlining | Problem) -> ast.expr | ast.stmt:
        return site.call if isinstance(site, Inlining) else site.node

    def check(self, site: Inlining | Problem, function: Function) -> Inlining | Refusal:
        """Problems were found together with the site."""
        return site if isinstance(site, Inlining) else refused(site)

    def rewrite(self, site: Inlining | Problem, proof: Inlining, function: Function) -> Change:
        """The arguments, the function's statements, and its result in place of the call."""
        document, statement = function.document, proof.statement
        names, made = _names(proof, function)
        for each in proof.body:
            made += _statements(each, names, document)
        result = _renamed(proof.result, names) if proof.result is not None else ""
        message = f"the statements of `{proof.callee.name}` stand in the place of its call"
        whole = statement.value is proof.call
        if whole and result == (_only_target(statement) or ""):
            # Nothing is returned, or `Z = f(Z)` returns Z itself.
            edit: NodeEdit = Replace(statement, tuple(made) or statements("pass"))
            return Change((edit,), message=message)
        if not whole and not result.isidentifier():
            name = function.names.fresh(f"{proof.callee.name.strip('_')}_value")
            made += document.placed(statements(f"{name} = {result}"), proof.callee.body[-1])
            result = name
        edits = (Beside(statement, before=tuple(made)), Replace(proof.call, (expression(result),)))
        return Change(edits, message=message)


def _only_target(statement: ast.stmt) -> str | None:
    """The name that a statement binds, if it does nothing else with its value."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name
    return None


def _names(proof: Inlining, function: Function) -> tuple[dict[str, str], list[Statement]]:
    """The text that replaces each name of the callee, and the statements that bind its parameters."""
    stem, stored = proof.callee.name.strip("_"), stored_names(*proof.callee.body)
    names: dict[str, str] = {}
    bound: list[Statement] = []
    for name, value in proof.arguments:
        named = isinstance(value, ast.Name) and (
            function.is_local(value.id) or function.dotted(value) is not None
        )
        named = named or is_settled_attribute(value, proof.callee, function)
        if (named or is_literal(value)) and name not in stored:
            names[name] = ast.unparse(value)
            continue
        names[name] = function.names.fresh(f"{stem}_{name}")
        bound += statements(f"{names[name]} = {ast.unparse(value)}")
    for name in sorted(bound_names(proof.callee) - names.keys()):
        names[name] = function.names.fresh(f"{stem}_{name}")
    return names, bound


def _statements(node: ast.stmt, names: Mapping[str, str], document: Document) -> tuple[Statement, ...]:
    """A statement with other names, each part of which keeps its own line."""
    match node:
        case ast.If():
            head = f"if {_renamed(node.test, names)}:"
        case ast.While():
            head = f"while {_renamed(node.test, names)}:"
        case ast.For():
            head = f"for {_renamed(node.target, names)} in {_renamed(node.iter, names)}:"
        case _:
            text = "\n".join(_renamed(each, names) for each in _apart(node))
            return document.placed(statements(text), node)
    body, orelse = (
        [made for each in block for made in _statements(each, names, document)]
        for block in (node.body, node.orelse)
    )
    behind = "else:\n    {orelse}\n" if orelse else ""
    made = statements(f"{{head}}\n    {{body}}\n{behind}", head=head, body=body, orelse=orelse)
    return document.placed(made, node)


def _apart(node: ast.stmt) -> list[ast.stmt]:
    """``h, dx = self.h, self.dx`` as two statements, so that passes can separate arrays from numbers."""
    match node:
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)) if _one_by_one(
            targets, values
        ):
            pairs = zip(targets, values, strict=True)
            return [ast.Assign([target], value, lineno=node.lineno) for target, value in pairs]
    return [node]


def _one_by_one(targets: Sequence[ast.expr], values: Sequence[ast.expr]) -> bool:
    """Whether each name may be bound before the next value is read, unlike in ``a, b = b, a``."""
    if len(targets) != len(values) or not all(isinstance(each, ast.Name) for each in targets):
        return False
    if any(isinstance(each, ast.Starred) for each in values):
        return False
    return not any(stored_names(*targets[:place]) & names_in(each) for place, each in enumerate(values))


def _renamed(node: ast.expr | ast.stmt, names: Mapping[str, str]) -> str:
    class Rename(ast.NodeTransformer):
        def visit_Name(self, name: ast.Name) -> ast.expr:
            text = names.get(name.id)
            if text is None:
                return name
            return ast.Name(text, name.ctx) if text.isidentifier() else ast.parse(text, mode="eval").body

    return ast.unparse(Rename().visit(copy.deepcopy(node)))

"""The statements of a function of the same file in place of a call.

    u = u + dt * slope(u, k)           slope_value = -k * u * u
                                       u = u + dt * slope_value

Where a flag chooses between statements, and is the same at every call, only those that it chooses stand
there, of the function and of its caller.

Why: a call of a function that is not NumPy's ends a region, and keeps a loop from becoming a step, and so
does an ``if``.

Safety: names that the function binds are renamed; its arguments are evaluated once and in order. Only
``@nprewrite.jit`` uses this pass, so that the text that people keep does not grow.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from nprewrite.analysis.constant_names import ConstantBranch, constant_branches
from nprewrite.analysis.inlining import Inlining, bound_names, inlinings
from nprewrite.analysis.operands import stem
from nprewrite.analysis.returned_names import returned_names, returned_pairs
from nprewrite.base.syntax import with_names
from nprewrite.passes.contract import Change
from nprewrite.passes.serving_pass import ServingPass
from nprewrite.program.function import Function
from nprewrite.source.document import Document
from nprewrite.source.edits import Beside, NodeEdit, Replace
from nprewrite.source.nodes import Statement, expression, statements
from nprewrite.types.problems import Problem

Site = Inlining | ConstantBranch | Problem


class InlineCall(ServingPass[Site]):
    """NPR605."""

    code = "NPR605"
    name = "inline-call"
    summary = "calls of functions of the same file become their statements (with @nprewrite.jit)"
    names_attributes = False
    prepares = True

    def found(self, function: Function) -> Iterator[Site]:
        """The branches that are never taken, or else one call in each statement; others follow later."""
        yield from [*constant_branches(function)] or inlinings(function)

    def node(self, site: Site) -> ast.expr | ast.stmt:
        return site.call if isinstance(site, Inlining) else site.node

    def rewrite(self, site: Site, proof: Inlining | ConstantBranch, function: Function) -> Change:
        """The arguments, the function's statements, and its result in place of the call."""
        if isinstance(proof, ConstantBranch):
            return _without_choice(proof, function.document)
        document, statement = function.document, proof.statement
        returned = returned_names(proof, function)
        made: list[Statement] = []
        edits: list[NodeEdit] = []
        for part in proof.before:
            name = function.names.fresh(stem(part))
            made += statements("{name} = {value}", name=name, value=document.expression(part))
            edits.append(Replace(part, (expression(name),)))
        names, bound = _names(proof, returned, function)
        made += bound
        for each in proof.body:
            made += _statements(each, names, document)
        message = f"the statements of `{proof.callee.name}` stand in the place of its call"
        left = _left_to_bind(proof, names)
        if left is not None and (not left or returned):
            made += document.placed(_bindings(left), statement)
            by = document.with_comments_of(statement, made or statements("pass"))
            return Change((Replace(statement, by),), message=message)
        result = _renamed(proof.result, names) if proof.result is not None else ""
        if statement.value is not proof.call and not result.isidentifier():
            name = function.names.fresh(f"{proof.callee.name.strip('_')}_value")
            made += document.placed(statements(f"{name} = {result}"), proof.callee.body[-1])
            result = name
        edits += [Beside(statement, before=tuple(made)), Replace(proof.call, (expression(result),))]
        return Change(tuple(edits), message=message)


def _without_choice(proof: ConstantBranch, document: Document) -> Change:
    """The arm that is always taken."""
    message = f"`{ast.unparse(proof.node.test)}` is the same at every such call"
    if isinstance(proof.taken, ast.expr):
        return Change((Replace(proof.node, (document.expression(proof.taken),)),), message=message)
    assert isinstance(proof.node, ast.If)
    made = document.nodes(proof.taken) or statements("pass")
    by = document.with_comments_of(proof.node, made)
    return Change((Replace(proof.node, by),), message=message)


def _left_to_bind(proof: Inlining, names: Mapping[str, str]) -> list[tuple[str, str]] | None:
    """The names that the statement binds to other values than their own, each with its value.

    None where it does more than that.
    """
    if proof.result is None:
        return []
    pairs = returned_pairs(proof)
    renamed = [(ast.unparse(target), _renamed(value, names)) for target, value in pairs]
    return [pair for pair in renamed if pair[0] != pair[1]] if pairs else None


def _bindings(pairs: Sequence[tuple[str, str]]) -> tuple[Statement, ...]:
    """One statement that binds names to values."""
    if not pairs:
        return ()
    targets, values = zip(*pairs, strict=True)
    return statements(f"{', '.join(targets)} = {', '.join(values)}")


def _names(
    proof: Inlining, returned: Mapping[str, str], function: Function
) -> tuple[dict[str, str], list[Statement]]:
    """The text that replaces each name of the callee, and the statements that bind its parameters."""
    stem = proof.callee.name.strip("_")
    names = {name: ast.unparse(value) for name, value in proof.standing} | dict(returned)
    bound: list[Statement] = []
    for name, value in proof.bound:
        names[name] = returned.get(name) or function.names.fresh(f"{stem}_{name}")
        text = ast.unparse(value)
        bound += statements(f"{names[name]} = {text}") if names[name] != text else ()
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
            return document.placed(statements(_renamed(node, names)), node)
    body, orelse = (
        [made for each in block for made in _statements(each, names, document)]
        for block in (node.body, node.orelse)
    )
    behind = "else:\n    {orelse}\n" if orelse else ""
    made = statements(f"{{head}}\n    {{body}}\n{behind}", head=head, body=body, orelse=orelse)
    return document.placed(made, node)


def _renamed(node: ast.expr | ast.stmt, names: Mapping[str, str]) -> str:
    def made(name: ast.Name) -> ast.expr | None:
        text = names.get(name.id, name.id)
        return ast.Name(text, name.ctx) if text.isidentifier() else ast.parse(text, mode="eval").body

    return ast.unparse(with_names(node, made))

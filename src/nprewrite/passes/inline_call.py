"""The statements of a function of the same file in place of a call.

    u = u + dt * slope(u, k)           slope_value = -k * u * u
                                       u = u + dt * slope_value

A call in the test of an ``if`` is given a statement of its own first, and behind an ``and`` an ``if`` of its
own.

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
from nprewrite.analysis.handed_functions import Variable, variables_without_names
from nprewrite.analysis.inlining import Inlining, bound_names, inlinings, local_name
from nprewrite.analysis.listed_calls import ListedCall, listed_calls
from nprewrite.analysis.operands import stem
from nprewrite.analysis.returned_names import returned_names, returned_pairs
from nprewrite.analysis.tested_calls import TestedCall, tested_calls
from nprewrite.base.syntax import expression_tree, names_bound, with_names
from nprewrite.passes.contract import Change
from nprewrite.passes.serving_pass import ServingPass
from nprewrite.program.function import Function
from nprewrite.source.document import Document
from nprewrite.source.edits import Beside, NodeEdit, Replace
from nprewrite.source.nodes import Statement, expression, statements
from nprewrite.types.problems import Problem
from nprewrite.types.variables import variable_of

Proof = Inlining | ConstantBranch | TestedCall | ListedCall | Variable
Site = Proof | Problem


class InlineCall(ServingPass[Site]):
    """NPR605."""

    code = "NPR605"
    name = "inline-call"
    summary = "calls of functions of the same file become their statements (with @nprewrite.jit)"
    names_attributes = False
    prepares = True

    def found(self, function: Function) -> Iterator[Site]:
        """The branches that are never taken, or else one call in each statement; others follow later."""
        first: list[Site] = [*constant_branches(function)]
        first = first or [*variables_without_names(function)]
        if first:
            yield from first
        else:
            yield from inlinings(function)
            yield from tested_calls(function)
            yield from listed_calls(function)

    def node(self, site: Site) -> ast.expr | ast.stmt:
        if isinstance(site, ListedCall):
            return site.statement
        return site.call if isinstance(site, Inlining | TestedCall | Variable) else site.node

    def rewrite(self, site: Site, proof: Proof, function: Function) -> Change:
        """The arguments, the function's statements, and its result in place of the call."""
        if isinstance(proof, ConstantBranch):
            return _without_choice(proof, function.document)
        if isinstance(proof, TestedCall):
            return _by_itself(proof, function)
        if isinstance(proof, ListedCall):
            return _appended(proof, function)
        if isinstance(proof, Variable):
            return _named(proof, function)
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
        called = proof.call.func.id if isinstance(proof.call.func, ast.Name) else proof.callee.name
        message = f"the statements of `{called}` stand in the place of its call"
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


def _by_itself(proof: TestedCall, function: Function) -> Change:
    """The call in a statement of its own, or in an ``if`` of its own."""
    statement, document = proof.statement, function.document
    message = f"`{ast.unparse(proof.call)}` stands by itself"
    if proof.first is not None:
        return Change((Replace(proof.first, _without_elif(proof.first, document)),), message=message)
    if not proof.behind:
        name = function.names.fresh(stem(proof.call))
        made = statements("{name} = {value}", name=name, value=document.expression(proof.call))
        edits = (
            Beside(statement, before=document.placed(made, statement)),
            Replace(proof.call, (expression(name),)),
        )
        return Change(edits, message=message)
    assert isinstance(statement, ast.If)
    assert isinstance(statement.test, ast.BoolOp)
    values, joins_by_or = statement.test.values, isinstance(statement.test.op, ast.Or)
    parts = [_joined(each, statement.test.op) for each in (values[: proof.behind], values[proof.behind :])]
    if not statement.orelse and not joins_by_or:
        nested = document.placed(_nested(parts, document.nodes(statement.body)), statement)
        return Change((Replace(statement, document.with_comments_of(statement, nested)),), message=message)
    name = function.names.fresh("holds")
    made = statements(f"{name} = {joins_by_or}")
    tests = [f"not ({each})" for each in parts] if joins_by_or else parts
    made += _nested(tests, statements(f"{name} = {not joins_by_or}"))
    before = Beside(statement, before=document.placed(made, statement))
    return Change((before, Replace(statement.test, (expression(name),))), message=message)


def _named(proof: Variable, function: Function) -> Change:
    """A name for a variable of a function that is an argument, at the start of the one that calls it."""
    assert isinstance(function.node, ast.FunctionDef)
    name = function.names.fresh(f"{proof.handed.strip('_')}_{proof.name}")
    made = statements(f"{name} = {proof.reading}")
    first = next(each for each in function.node.body if not _stands_first(each))
    message = f"what `{proof.handed}` sees around it has names here"
    return Change((Beside(first, before=function.document.placed(made, first)),), message=message)


def _stands_first(statement: ast.stmt) -> bool:
    """Whether a statement is a docstring, or such a name, which others may lead on from."""
    match statement:
        case ast.Expr(value=ast.Constant()):
            return True
        case ast.Assign(value=value):
            return variable_of(value) is not None
    return False


def _appended(proof: ListedCall, function: Function) -> Change:
    """A loop that appends in place of a comprehension, whose variables get names of their own."""
    names = {each: function.names.fresh(each) for each in names_bound(proof.over.target)}
    item, target = (_renamed(each, names) for each in (proof.item, proof.over.target))
    body = statements(f"{proof.name}.append({item})")
    tests = [_renamed(each, names) for each in proof.over.ifs]
    loop = f"for {target} in {ast.unparse(proof.over.iter)}:"
    made = statements(f"{proof.name} = []")
    made += statements("{loop}\n    {body}\n", loop=loop, body=_nested(tests, body))
    document = function.document
    by = document.with_comments_of(proof.statement, document.placed(made, proof.statement))
    return Change((Replace(proof.statement, by),), message=f"`{proof.name}` is appended to in a loop")


def _without_elif(statement: ast.If, document: Document) -> tuple[Statement, ...]:
    """An ``if`` whose ``elif`` is another one in its ``else``."""
    body, orelse = document.nodes(statement.body), document.nodes(statement.orelse)
    head = f"if {ast.unparse(statement.test)}:"
    made = statements("{head}\n    {body}\nelse:\n    {orelse}\n", head=head, body=body, orelse=orelse)
    return document.with_comments_of(statement, document.placed(made, statement))


def _joined(values: list[ast.expr], op: ast.boolop) -> str:
    return ast.unparse(ast.BoolOp(op, values) if len(values) > 1 else values[0])


def _nested(tests: Sequence[str], body: Sequence[Statement]) -> tuple[Statement, ...]:
    """Statements that are executed where all tests hold, each of which is made where those before it do."""
    made = tuple(body)
    for each in reversed(tests):
        made = statements("{head}\n    {body}\n", head=f"if {each}:", body=made)
    return made


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
    called = proof.callee.name
    names = {name: ast.unparse(value) for name, value in proof.standing} | dict(returned)
    bound: list[Statement] = []
    for name, value in proof.bound:
        names[name] = returned.get(name) or function.names.fresh(local_name(called, name))
        text = ast.unparse(value)
        bound += statements(f"{names[name]} = {text}") if names[name] != text else ()
    for name in sorted(bound_names(proof.callee) - names.keys()):
        names[name] = function.names.fresh(local_name(called, name))
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
        return ast.Name(text, name.ctx) if text.isidentifier() else expression_tree(text)

    return ast.unparse(with_names(node, made))

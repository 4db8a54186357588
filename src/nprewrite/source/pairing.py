"""Which LibCST node corresponds to an ``ast`` node of the same text.

Both trees are walked side by side, so that no positions need to be computed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import chain

import libcst as cst

Pair = tuple[ast.AST, cst.CSTNode]
Holder = cst.Module | cst.IndentedBlock | cst.SimpleStatementSuite
"""What holds statements."""


def paired_statements(statements: Sequence[ast.stmt], holder: cst.CSTNode) -> Iterator[Pair]:
    """Each statement of a body with its node, also in the blocks inside it."""
    assert isinstance(holder, cst.Module | cst.IndentedBlock | cst.SimpleStatementSuite)
    nodes = list(_statements_of(holder))
    for statement, node in zip(statements, nodes, strict=True):
        yield statement, node
        yield from _inner(statement, node)


def _statements_of(holder: Holder) -> Iterator[cst.CSTNode]:
    for each in holder.body:
        if isinstance(each, cst.SimpleStatementLine):
            yield from each.body
        else:
            yield each


def _inner(statement: ast.stmt, node: cst.CSTNode) -> Iterator[Pair]:
    """The statements inside a compound one."""
    match statement, node:
        case ast.If(), cst.If():
            yield from paired_statements(statement.body, node.body)
            if isinstance(node.orelse, cst.If):
                yield statement.orelse[0], node.orelse
                yield from _inner(statement.orelse[0], node.orelse)
            else:
                yield from _behind(statement.orelse, node.orelse)
        case ((ast.For() | ast.AsyncFor() | ast.While()), (cst.For() | cst.While())):
            yield from paired_statements(statement.body, node.body)
            yield from _behind(statement.orelse, node.orelse)
        case ((ast.Try() | ast.TryStar()), (cst.Try() | cst.TryStar())):
            yield from paired_statements(statement.body, node.body)
            yield from _handled(statement.handlers, node.handlers)
            yield from _behind(statement.orelse, node.orelse)
            yield from _behind(statement.finalbody, node.finalbody)
        case ast.Match(), cst.Match():
            for case, clause in zip(statement.cases, node.cases, strict=True):
                yield from paired_statements(case.body, clause.body)
        case (
            (ast.With() | ast.AsyncWith() | ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef()),
            (cst.With() | cst.FunctionDef() | cst.ClassDef()),
        ):
            yield from paired_statements(statement.body, node.body)


def _handled(
    handlers: Sequence[ast.ExceptHandler], clauses: Sequence[cst.ExceptHandler | cst.ExceptStarHandler]
) -> Iterator[Pair]:
    for handler, clause in zip(handlers, clauses, strict=True):
        yield from paired_statements(handler.body, clause.body)


def _behind(statements: Sequence[ast.stmt], clause: cst.CSTNode | None) -> Iterator[Pair]:
    """The statements of an ``else`` or ``finally``."""
    if isinstance(clause, cst.Else | cst.Finally):
        yield from paired_statements(statements, clause.body)


def paired_expressions(statement: ast.AST, node: cst.CSTNode) -> Iterator[Pair]:
    """Each expression of a statement with its node, without the blocks inside it."""
    match statement, node:
        case ast.Expr(), cst.Expr():
            yield from _expression(statement.value, node.value)
        case ast.Assign(), cst.Assign():
            for target, place in zip(statement.targets, node.targets, strict=True):
                yield from _expression(target, place.target)
            yield from _expression(statement.value, node.value)
        case ast.AugAssign(), cst.AugAssign():
            yield from _expression(statement.target, node.target)
            yield from _expression(statement.value, node.value)
        case ast.AnnAssign(), cst.AnnAssign():
            yield from _expression(statement.target, node.target)
            yield from _expression(statement.annotation, node.annotation.annotation)
            yield from _expression(statement.value, node.value)
        case ast.Return(), cst.Return():
            yield from _expression(statement.value, node.value)
        case ast.Delete(targets=[target]), cst.Del():
            yield from _expression(target, node.target)
        case ast.Delete(), cst.Del(target=cst.Tuple() as targets):
            yield from _elements(statement.targets, targets.elements)
        case ast.Raise(), cst.Raise():
            yield from _expression(statement.exc, node.exc)
            yield from _expression(statement.cause, node.cause.item if node.cause else None)
        case ast.Assert(), cst.Assert():
            yield from _expression(statement.test, node.test)
            yield from _expression(statement.msg, node.msg)
        case ((ast.If() | ast.While()), (cst.If() | cst.While())):
            yield from _expression(statement.test, node.test)
        case ((ast.For() | ast.AsyncFor()), cst.For()):
            yield from _expression(statement.target, node.target)
            yield from _expression(statement.iter, node.iter)
        case ((ast.With() | ast.AsyncWith()), cst.With()):
            for item, written in zip(statement.items, node.items, strict=True):
                yield from _expression(item.context_expr, written.item)
                yield from _expression(item.optional_vars, written.asname.name if written.asname else None)
        case ((ast.FunctionDef() | ast.AsyncFunctionDef()), cst.FunctionDef()):
            for decorator, above in zip(statement.decorator_list, node.decorators, strict=True):
                yield from _expression(decorator, above.decorator)
            yield from _parameters(statement.args, node.params)
            yield from _expression(statement.returns, node.returns.annotation if node.returns else None)
        case ast.ClassDef(), cst.ClassDef():
            for decorator, above in zip(statement.decorator_list, node.decorators, strict=True):
                yield from _expression(decorator, above.decorator)
            yield from _arguments(statement.bases, statement.keywords, (*node.bases, *node.keywords))
        case ast.Match(), cst.Match():
            yield from _expression(statement.subject, node.subject)
        case ((ast.Try() | ast.TryStar()), (cst.Try() | cst.TryStar())):
            clauses: Sequence[cst.ExceptHandler | cst.ExceptStarHandler] = node.handlers
            for handler, clause in zip(statement.handlers, clauses, strict=True):
                yield from _expression(handler.type, clause.type)


def _expression(node: ast.expr | None, written: cst.CSTNode | None) -> Iterator[Pair]:
    if node is None or written is None:
        return
    yield node, written
    match node, written:
        case ast.BinOp(), cst.BinaryOperation():
            yield from _expression(node.left, written.left)
            yield from _expression(node.right, written.right)
        case ast.UnaryOp(), cst.UnaryOperation():
            yield from _expression(node.operand, written.expression)
        case ast.BoolOp(), cst.BooleanOperation():
            for value, each in zip(node.values, _operands(written, len(node.values)), strict=True):
                yield from _expression(value, each)
        case ast.Compare(), cst.Comparison():
            yield from _expression(node.left, written.left)
            for value, target in zip(node.comparators, written.comparisons, strict=True):
                yield from _expression(value, target.comparator)
        case ast.Call(), cst.Call():
            yield from _expression(node.func, written.func)
            yield from _arguments(node.args, node.keywords, written.args)
        case ast.Attribute(), cst.Attribute():
            yield from _expression(node.value, written.value)
        case ast.Subscript(), cst.Subscript():
            yield from _expression(node.value, written.value)
            yield from _indices(node.slice, written.slice)
        case ast.IfExp(), cst.IfExp():
            yield from _expression(node.test, written.test)
            yield from _expression(node.body, written.body)
            yield from _expression(node.orelse, written.orelse)
        case ast.Lambda(), cst.Lambda():
            yield from _parameters(node.args, written.params)
            yield from _expression(node.body, written.body)
        case ((ast.Tuple() | ast.List() | ast.Set()), (cst.Tuple() | cst.List() | cst.Set())):
            yield from _elements(node.elts, written.elements)
        case ast.Dict(), cst.Dict():
            for key, value, element in zip(node.keys, node.values, written.elements, strict=True):
                if isinstance(element, cst.DictElement):
                    yield from _expression(key, element.key)
                yield from _expression(value, element.value)
        case (
            (ast.ListComp() | ast.SetComp() | ast.GeneratorExp()),
            (cst.ListComp() | cst.SetComp() | cst.GeneratorExp()),
        ):
            yield from _expression(node.elt, written.elt)
            yield from _loops(node.generators, written.for_in)
        case ast.DictComp(), cst.DictComp():
            yield from _expression(node.key, written.key)
            yield from _expression(node.value, written.value)
            yield from _loops(node.generators, written.for_in)
        case ast.NamedExpr(), cst.NamedExpr():
            yield from _expression(node.target, written.target)
            yield from _expression(node.value, written.value)
        case ast.Starred(), cst.StarredElement():
            yield from _expression(node.value, written.value)
        case ast.Await(), cst.Await():
            yield from _expression(node.value, written.expression)
        case ast.Yield(), cst.Yield(value=cst.BaseExpression() as value):
            yield from _expression(node.value, value)
        case ast.YieldFrom(), cst.Yield(value=cst.From() as source):
            yield from _expression(node.value, source.item)
        case ast.JoinedStr(), _:
            values = (each.value for each in node.values if isinstance(each, ast.FormattedValue))
            for value, part in zip(values, _formatted(written), strict=False):
                yield from _expression(value, part)


def _operands(node: cst.BooleanOperation, count: int) -> list[cst.BaseExpression]:
    """The operands of ``a and b and c``, which LibCST holds as ``(a and b) and c``."""
    found: list[cst.BaseExpression] = []
    left: cst.BaseExpression = node
    while len(found) < count - 1:
        assert isinstance(left, cst.BooleanOperation)
        found.append(left.right)
        left = left.left
    return [left, *reversed(found)]


def _arguments(
    values: Sequence[ast.expr], keywords: Sequence[ast.keyword], written: Sequence[cst.Arg]
) -> Iterator[Pair]:
    positional, named = iter(values), iter(keywords)
    for each in written:
        if each.keyword is not None or each.star == "**":
            yield from _expression(next(named).value, each.value)
            continue
        value = next(positional)
        if isinstance(value, ast.Starred):
            value = value.value
        yield from _expression(value, each.value)


def _indices(node: ast.expr, written: Sequence[cst.SubscriptElement]) -> Iterator[Pair]:
    alone = len(written) == 1 and isinstance(written[0].comma, cst.MaybeSentinel)
    values = [node] if alone or not isinstance(node, ast.Tuple) else node.elts
    for value, element in zip(values, written, strict=True):
        part = element.slice
        if isinstance(part, cst.Index):
            yield from _expression(value.value if isinstance(value, ast.Starred) else value, part.value)
        elif isinstance(value, ast.Slice) and isinstance(part, cst.Slice):
            yield value, part
            yield from _expression(value.lower, part.lower)
            yield from _expression(value.upper, part.upper)
            yield from _expression(value.step, part.step)


def _elements(nodes: Sequence[ast.expr], written: Sequence[cst.BaseElement]) -> Iterator[Pair]:
    for node, element in zip(nodes, written, strict=True):
        yield from _expression(node, element if isinstance(node, ast.Starred) else element.value)


def _parameters(arguments: ast.arguments, written: cst.Parameters) -> Iterator[Pair]:
    star = [written.star_arg] if isinstance(written.star_arg, cst.Param) else []
    plain = [*written.posonly_params, *written.params, *star, *written.kwonly_params]
    every = [*arguments.posonlyargs, *arguments.args, *([arguments.vararg] if arguments.vararg else [])]
    every += [*arguments.kwonlyargs, *([arguments.kwarg] if arguments.kwarg else [])]
    for each, parameter in zip(
        every, [*plain, *([written.star_kwarg] if written.star_kwarg else [])], strict=True
    ):
        yield each, parameter
        annotation = parameter.annotation.annotation if parameter.annotation else None
        yield from _expression(each.annotation, annotation)
    defaults = [each.default for each in plain if each.default is not None]
    given = [each for each in chain(arguments.defaults, arguments.kw_defaults) if each is not None]
    for value, default in zip(given, defaults, strict=True):
        yield from _expression(value, default)


def _loops(generators: Sequence[ast.comprehension], written: cst.CompFor | None) -> Iterator[Pair]:
    for generator in generators:
        assert written is not None
        yield from _expression(generator.target, written.target)
        yield from _expression(generator.iter, written.iter)
        for test, each in zip(generator.ifs, written.ifs, strict=True):
            yield from _expression(test, each.test)
        written = written.inner_for_in


def _formatted(node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    """The expressions inside a formatted string, or several concatenated ones."""
    if isinstance(node, cst.ConcatenatedString):
        yield from _formatted(node.left)
        yield from _formatted(node.right)
    elif isinstance(node, cst.FormattedString):
        yield from (each.expression for each in node.parts if isinstance(each, cst.FormattedStringExpression))

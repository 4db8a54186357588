"""Which LibCST node corresponds to an ``ast`` node of the same text.

Both trees are walked side by side, so that no positions need to be computed.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import libcst as cst

Pair = tuple[ast.AST, cst.CSTNode]
Parts = Iterator[tuple[ast.AST | None, cst.CSTNode | None]]
"""Nodes inside another with their own; None for what the text leaves out."""


def paired_statements(statements: Sequence[ast.stmt], holder: Any) -> Iterator[Pair]:
    """Each statement of a body with its node, also in the blocks inside it; ``holder`` is LibCST's block."""
    nodes: list[cst.CSTNode] = []
    for each in holder.body:
        nodes += each.body if isinstance(each, cst.SimpleStatementLine) else [each]
    for statement, node in zip(statements, nodes, strict=True):
        yield statement, node
        yield from _inner(statement, node)


def _inner(node: ast.AST, written: Any) -> Iterator[Pair]:
    """The statements inside a compound one, or inside a clause of it."""
    for field in ("body", "handlers", "cases", "orelse", "finalbody"):
        parts = getattr(node, field, None)
        if not parts:
            continue
        found = getattr(written, field)
        if field in ("handlers", "cases"):
            for each, clause in zip(parts, found, strict=True):
                yield from _inner(each, clause)
        elif isinstance(found, cst.If):
            yield parts[0], found
            yield from _inner(parts[0], found)
        else:
            behind = isinstance(found, cst.Else | cst.Finally)
            yield from paired_statements(parts, found.body if behind else found)


def paired_expressions(statement: ast.AST, node: cst.CSTNode) -> Iterator[Pair]:
    """Each expression of a statement with its node, without the blocks inside it."""
    waiting: list[Pair] = [(statement, node)]
    while waiting:
        for part, written in _parts(*waiting.pop()):
            if part is not None and written is not None:
                yield part, written
                if not isinstance(part, ast.Name | ast.Constant):
                    waiting.append((part, written))


_LISTED: Mapping[str, Callable[[Any], Iterable[cst.CSTNode]]] = {
    # The tree of a document has plain assignments for annotated ones.
    "targets": lambda written: (
        [written.target] if isinstance(written, cst.AnnAssign) else [each.target for each in written.targets]
    ),
    "decorator_list": lambda written: (each.decorator for each in written.decorators),
    "comparators": lambda written: (each.comparator for each in written.comparisons),
}
"""Where the expressions are that a field of an ``ast`` node lists."""


def _parts(node: ast.AST, written: Any) -> Parts:
    """The expressions that a node consists of."""
    match node:
        case ast.Delete(targets=[target]):
            yield target, written.target
        case ast.Delete(targets=targets):
            yield from _elements(targets, written.target.elements)
        case ast.With(items=items) | ast.AsyncWith(items=items):
            for item, part in zip(items, written.items, strict=True):
                yield item.context_expr, part.item
                yield item.optional_vars, part.asname and part.asname.name
        case ast.Try(handlers=handlers) | ast.TryStar(handlers=handlers):
            for handler, clause in zip(handlers, written.handlers, strict=True):
                yield handler.type, clause.type
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            yield from _elements(parts, written.elements)
        case ast.BoolOp(values=values):
            yield from zip(values, _operands(written, len(values)), strict=True)
        case ast.Dict():
            for key, value, element in zip(node.keys, node.values, written.elements, strict=True):
                yield key, getattr(element, "key", None)
                yield value, element.value
        case ast.Subscript():
            yield node.value, written.value
            yield from _indices(node.slice, written.slice)
        case ast.Slice():
            yield from ((getattr(node, each), getattr(written, each)) for each in node._fields)
        case ast.JoinedStr():
            inside = (each.value for each in node.values if isinstance(each, ast.FormattedValue))
            yield from zip(inside, _formatted(written), strict=False)
        case ast.Call():
            yield node.func, written.func
            yield from _arguments(node.args, node.keywords, written.args)
        case ast.arg():
            yield node.annotation, written.annotation and written.annotation.annotation
        case _:
            yield from _fields(node, written)


def _fields(node: ast.AST, written: Any) -> Parts:
    """The expressions in fields that LibCST has too."""
    for field, value in ast.iter_fields(node):
        if isinstance(value, ast.expr):
            part = getattr(written, "expression" if isinstance(node, ast.UnaryOp | ast.Await) else field)
            # LibCST has nodes of their own around annotations and what stands behind `from`.
            part = part.annotation if isinstance(part, cst.Annotation) else part
            yield value, part.item if isinstance(part, cst.From) else part
        elif isinstance(value, ast.arguments):
            yield from _parameters(value, written.params)
        elif field in _LISTED:
            yield from zip(value, _LISTED[field](written), strict=True)
        elif field == "generators":
            yield from _loops(value, written.for_in)
    if isinstance(node, ast.ClassDef):
        yield from _arguments(node.bases, node.keywords, (*written.bases, *written.keywords))


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
) -> Parts:
    positional, named = iter(values), iter(keywords)
    for each in written:
        if each.keyword is not None or each.star == "**":
            yield next(named).value, each.value
        else:
            yield _unstarred(next(positional)), each.value


def _unstarred(node: ast.expr) -> ast.expr:
    return node.value if isinstance(node, ast.Starred) else node


def _indices(node: ast.expr, written: Sequence[cst.SubscriptElement]) -> Parts:
    alone = len(written) == 1 and isinstance(written[0].comma, cst.MaybeSentinel)
    values = [node] if alone or not isinstance(node, ast.Tuple) else node.elts
    for value, element in zip(values, written, strict=True):
        part = element.slice
        yield _unstarred(value), part.value if isinstance(part, cst.Index) else part


def _elements(nodes: Sequence[ast.expr], written: Sequence[cst.BaseElement]) -> Parts:
    for node, element in zip(nodes, written, strict=True):
        yield node, element if isinstance(node, ast.Starred) else element.value


def _parameters(arguments: ast.arguments, written: cst.Parameters) -> Parts:
    star = [written.star_arg] if isinstance(written.star_arg, cst.Param) else []
    plain = [*written.posonly_params, *written.params, *star, *written.kwonly_params]
    every = [*arguments.posonlyargs, *arguments.args, arguments.vararg, *arguments.kwonlyargs]
    yield from zip(filter(None, every), plain, strict=True)
    yield arguments.kwarg, written.star_kwarg
    given = filter(None, (*arguments.defaults, *arguments.kw_defaults))
    yield from zip(given, filter(None, (each.default for each in plain)), strict=True)


def _loops(generators: Sequence[ast.comprehension], written: cst.CompFor | None) -> Parts:
    for generator in generators:
        assert written is not None
        yield generator.target, written.target
        yield generator.iter, written.iter
        yield from zip(generator.ifs, (each.test for each in written.ifs), strict=True)
        written = written.inner_for_in


def _formatted(node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    """The expressions inside a formatted string, or several concatenated ones."""
    if isinstance(node, cst.ConcatenatedString):
        yield from _formatted(node.left)
        yield from _formatted(node.right)
    elif isinstance(node, cst.FormattedString):
        yield from (each.expression for each in node.parts if isinstance(each, cst.FormattedStringExpression))

"""New nodes: parsed from templates, parenthesized where their place requires it, broken over lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import cache
from typing import TypeVar

import libcst as cst

NodeT = TypeVar("NodeT", bound=cst.CSTNode)
Statement = cst.SimpleStatementLine | cst.BaseCompoundStatement

Part = str | cst.BaseExpression | Sequence[Statement]
"""What a template is filled with."""

_ALONE = cst.Expr(cst.Name("_"))
_EMPTY = cst.Module(body=[])
WIDTH = 100
"""The width from which calls are written with one argument a line, conditions with one part a line."""

_FREE = (
    cst.Arg,
    cst.Assign,
    cst.AnnAssign,
    cst.AugAssign,
    cst.Return,
    cst.Index,
    cst.Slice,
    cst.Element,
    cst.DictElement,
    cst.Expr,
    cst.For,
    cst.If,
    cst.While,
    cst.WithItem,
    cst.Param,
    cst.Annotation,
    cst.CompFor,
    cst.Decorator,
    cst.FormattedStringExpression,
)
"""Places between delimiters, where an expression needs no parentheses."""

_HOLDS_TUPLES = (cst.Assign, cst.Return, cst.Index, cst.For, cst.Expr)
_LOOSE = (cst.Tuple, cst.NamedExpr, cst.Yield)
"""Expressions that need parentheses almost everywhere."""


def code(node: cst.CSTNode) -> str:
    """The text of a node that is in no module."""
    return _EMPTY.code_for_node(node)


def expression(template: str, **parts: Part) -> cst.BaseExpression:
    """An expression from a template, ``"{np}.where({mask}, {value}, 0)"``.

    A part is text, or a node, which gets the parentheses that its place requires.
    """
    text, nodes = _filled(template, parts)
    made = cst.parse_expression(text)
    found = _Inserting(nodes).inserted(made, _ALONE) if nodes else made
    assert isinstance(found, cst.BaseExpression)
    return found


def call(function: cst.BaseExpression, arguments: Iterable[cst.BaseExpression]) -> cst.Call:
    """A call with arguments by position."""
    args = [cst.Arg(in_place_of(each, _ALONE.value, cst.Arg(each))) for each in arguments]
    return cst.Call(in_place_of(function, _ALONE.value, cst.Call(function)), args)


def with_keyword(made: cst.Call, name: str, value: cst.BaseExpression) -> cst.Call:
    """The call with one more argument, by name."""
    plain = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
    last = cst.Arg(in_place_of(value, _ALONE.value, cst.Arg(value)), keyword=cst.Name(name), equal=plain)
    return made.with_changes(args=[*made.args, last])


def statements(template: str, **parts: Part) -> tuple[Statement, ...]:
    """Statements from a template that is indented by four spaces; they take the indentation of their place.

    A line that consists of a part alone is replaced by the statements of that part.
    """
    text, nodes = _filled(template, parts)
    module = cst.parse_module(text)
    if module.default_indent != "    ":
        module = cst.parse_module(text, cst.PartialParserConfig(default_indent="    "))
    made = _Inserting(nodes).inserted(module, module) if nodes else module
    assert isinstance(made, cst.Module)
    return tuple(made.body)


def parameters(names: Iterable[str]) -> cst.Parameters:
    """Parameters without defaults."""
    return cst.Parameters([cst.Param(cst.Name(each)) for each in names])


def _filled(template: str, parts: Mapping[str, Part]) -> tuple[str, Mapping[str, Part]]:
    """The text with a name in place of each node, and the nodes by these names."""
    names = {name: part if isinstance(part, str) else f"__{name}__" for name, part in parts.items()}
    nodes: dict[str, Part] = {
        f"__{name}__": part for name, part in parts.items() if not isinstance(part, str)
    }
    return template.format(**names) if parts else template, nodes


class _Inserting:
    """Replaces the names in a template by the nodes that they stand for."""

    def __init__(self, parts: Mapping[str, Part]) -> None:
        self._parts = parts

    def inserted(self, node: cst.CSTNode, parent: cst.CSTNode) -> cst.CSTNode:
        if isinstance(node, cst.Name) and node.value in self._parts:
            part = self._parts[node.value]
            assert isinstance(part, cst.BaseExpression)
            return in_place_of(part, node, parent)
        changes: dict[str, object] = {}
        for each in fields(node):
            value = getattr(node, each.name)
            if isinstance(value, cst.CSTNode):
                changes[each.name] = self.inserted(value, node)
            elif isinstance(value, tuple | list):
                changes[each.name] = [new for item in value for new in self._items(item, node)]
        return node.with_changes(**changes)

    def _items(self, item: cst.CSTNode, parent: cst.CSTNode) -> Sequence[cst.CSTNode]:
        match item:
            case cst.SimpleStatementLine(body=[cst.Expr(value=cst.Name(value=name))]):
                part = self._parts.get(name)
                if isinstance(part, Sequence):
                    return [each for each in part if isinstance(each, cst.CSTNode)]
        return [self.inserted(item, parent) if isinstance(item, cst.CSTNode) else item]


def block(lines: Sequence[Statement]) -> cst.IndentedBlock:
    """Statements as the body of another."""
    return cst.IndentedBlock(body=[*lines] or [cst.SimpleStatementLine([cst.Pass()])])


def with_body(old: cst.BaseSuite, lines: Sequence[Statement]) -> cst.IndentedBlock:
    """Statements in place of a body, whose comments after the colon and at its end stay."""
    if not isinstance(old, cst.IndentedBlock):
        return block(lines)
    return old.with_changes(body=[*lines])


def comment_lines(comments: Sequence[str]) -> list[cst.EmptyLine]:
    """Comments as lines of their own."""
    return [cst.EmptyLine(comment=cst.Comment(each)) for each in comments]


def comments_in(node: cst.CSTNode) -> Iterator[str]:
    """The comments inside a node, in order."""
    if isinstance(node, cst.Comment):
        yield node.value
    for each in children(node, blank=True):
        yield from comments_in(each)


_BLANK = ("whitespace", "leading_lines", "lines_after", "header", "footer", "trailing_", "semicolon")


@cache
def fields_of(kind: type[cst.CSTNode], blank: bool = False) -> tuple[str, ...]:
    """The names of a node's parts; those of white space and comments only with ``blank``."""
    names = (each.name for each in fields(kind))
    return tuple(name for name in names if blank or not name.startswith(_BLANK))


@cache
def is_node(kind: type) -> bool:
    """Whether values of a class are nodes: LibCST's classes are abstract, so ``isinstance`` runs Python."""
    return issubclass(kind, cst.CSTNode)


def children(node: cst.CSTNode, *, blank: bool = False) -> Iterator[cst.CSTNode]:
    """The children of a node, in order; white space and comments only with ``blank``."""
    for name in fields_of(type(node), blank):
        value = getattr(node, name)
        if is_node(value.__class__):
            yield value
        elif isinstance(value, (tuple, list)):
            yield from (each for each in value if is_node(each.__class__))


def in_place_of(new: cst.BaseExpression, old: cst.CSTNode, parent: cst.CSTNode) -> cst.BaseExpression:
    """An expression to replace ``old``: in parentheses where it would bind too weakly."""
    free = isinstance(parent, _FREE)
    if isinstance(new, _LOOSE):
        may = isinstance(new, cst.Tuple) and isinstance(parent, _HOLDS_TUPLES)
        return new if may or new.lpar else parenthesized(new)
    if new.lpar:
        is_plain = free and len(new.lpar) == 1 and "\n" not in code(new)
        return new.with_changes(lpar=(), rpar=()) if is_plain else new
    if strength(new) < _ATOM and "\n" in code(new):
        return parenthesized(new)
    if isinstance(new, cst.BaseNumber) and isinstance(parent, cst.Attribute):
        return parenthesized(new)
    binds = strength(new) >= (_ATOM if getattr(old, "lpar", ()) else strength(old))
    return new if free or binds else parenthesized(new)


def parenthesized(node: cst.BaseExpression) -> cst.BaseExpression:
    """The node in one more pair of parentheses."""
    lpar, rpar = [cst.LeftParen(), *node.lpar], [*node.rpar, cst.RightParen()]
    return node.with_changes(lpar=lpar, rpar=rpar)


_ATOM = 16
_BINARY: dict[type[cst.BaseBinaryOp], int] = {
    cst.BitOr: 7,
    cst.BitXor: 8,
    cst.BitAnd: 9,
    cst.LeftShift: 10,
    cst.RightShift: 10,
    cst.Add: 11,
    cst.Subtract: 11,
    cst.Power: 14,
}


def strength(node: cst.CSTNode) -> int:
    """How strongly the parts of an expression are bound, from 0 (a tuple) to 16 (a name, a call)."""
    if isinstance(node, cst.Arg | cst.Element):
        return strength(node.value)
    if getattr(node, "lpar", ()):
        return _ATOM
    match node:
        case cst.Tuple() | cst.NamedExpr() | cst.Yield():
            return 0
        case cst.Lambda():
            return 1
        case cst.IfExp():
            return 2
        case cst.BooleanOperation():
            return 3 if isinstance(node.operator, cst.Or) else 4
        case cst.UnaryOperation():
            return 5 if isinstance(node.operator, cst.Not) else 13
        case cst.Comparison():
            return 6
        case cst.BinaryOperation():
            return _BINARY.get(type(node.operator), 12)
        case cst.Await():
            return 15
    return _ATOM


def listed(values: Sequence[str], others: int) -> str:
    """``a, b`` for a line with ``others`` further columns, or in parentheses with one value a line."""
    line = ", ".join(values)
    if others + len(line) <= WIDTH or len(values) == 1:
        return line
    return "".join(["(\n", *(f"    {each},\n" for each in values), ")"])


def fitted(call: cst.Call, others: int, indent: str) -> cst.Call:
    """A call as one line, or with one argument a line where its line would grow too long.

    ``others`` counts the columns of the line around the call; ``indent`` is that of the document.
    """
    if others + len(code(call)) <= WIDTH or not call.args:
        return call
    inner = cst.ParenthesizedWhitespace(indent=True, last_line=cst.SimpleWhitespace(indent))
    last = cst.ParenthesizedWhitespace(indent=True)
    args = [each.with_changes(comma=cst.Comma(whitespace_after=inner)) for each in call.args[:-1]]
    args.append(call.args[-1].with_changes(comma=cst.Comma(whitespace_after=last)))
    return call.with_changes(whitespace_before_args=inner, args=args)

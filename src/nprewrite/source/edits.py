"""Replacing nodes by others: the nodes around them are copied, all others stay the same objects."""

from __future__ import annotations

import ast
from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator, MutableMapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any, TypeVar

import libcst as cst

from nprewrite.source.nodes import (
    Statement,
    block,
    comment_lines,
    comments_in,
    fields_of,
    in_place_of,
    is_node,
)

Place = ast.expr | ast.stmt | ast.arg
NodeT = TypeVar("NodeT", bound=cst.CSTNode)
Line = tuple[int, int, int, int]
"""Where a statement is in the user's text: its line, its column, how many further lines it takes, and how
many lines of decorators are above it."""


@dataclass(frozen=True)
class Replace:
    """Replace an expression by an expression, or a statement by statements (or none)."""

    node: Place
    by: tuple[cst.CSTNode, ...]
    comments: bool = True
    """Whether the comments above a statement stay, above what replaces or follows it."""


@dataclass(frozen=True)
class Wrap:
    """Replace an expression by one made of it, after the edits inside it."""

    node: Place
    around: Callable[[Any], cst.CSTNode]


@dataclass(frozen=True)
class Beside:
    """Add statements before and after one that stays."""

    node: ast.stmt
    before: tuple[Statement, ...] = ()
    after: tuple[Statement, ...] = ()


@dataclass(frozen=True)
class Above:
    """Add functions above a statement of the module; the comments right above the statement stay with it."""

    node: ast.stmt
    functions: tuple[Statement, ...]


NodeEdit = Replace | Wrap | Beside | Above


def replace_run(statements: Sequence[ast.stmt], by: Sequence[cst.CSTNode]) -> Iterator[Replace]:
    """Replace consecutive statements, with the comments between them."""
    yield Replace(statements[0], tuple(by))
    for each in statements[1:]:
        yield Replace(each, (), comments=False)


_NOWHERE = cst.Expr(cst.Name("_"))
"""The parent of an expression that has no place yet."""
_TWO_LINES = (cst.EmptyLine(indent=False), cst.EmptyLine(indent=False))


class Rebuilding:
    """One round of edits over a tree; ``line_of`` says where a statement of the new tree was."""

    def __init__(
        self, edits: Iterable[tuple[NodeEdit, Sequence[cst.CSTNode]]], lines: MutableMapping[int, Line]
    ) -> None:
        """Each edit comes with its node and the nodes around it, innermost first; keys of ``lines`` are ids.

        Raises ``ValueError`` where two edits replace the same node.
        """
        self._lines = ChainMap[int, Line]({}, lines)
        self._made: list[Any] = []
        self._replaced: dict[int, Replace] = {}
        self._wrapped: dict[int, list[Callable[[Any], cst.CSTNode]]] = {}
        self._beside: dict[int, list[Beside]] = {}
        self._above: dict[int, list[Statement]] = {}
        self._touched: set[int] = set()
        for edit, path in edits:
            self._touched.update(map(id, path))
            self._note(edit, id(path[0]))

    def _note(self, edit: NodeEdit, key: int) -> None:
        match edit:
            case Replace():
                if key in self._replaced:
                    raise ValueError(f"two edits replace the node of line {edit.node.lineno}")
                self._replaced[key] = edit
            case Wrap():
                self._wrapped.setdefault(key, []).append(edit.around)
            case Beside():
                self._beside.setdefault(key, []).append(edit)
            case Above():
                self._above.setdefault(key, []).extend(edit.functions)

    def line_of(self, node: cst.CSTNode) -> Line | None:
        """Where a statement of the old or new tree was in the user's text."""
        return self._lines.get(id(node))

    def lines_made(self) -> Iterator[tuple[cst.CSTNode, Line]]:
        """The statements that were made so far, and where they were in the user's text."""
        return ((each, self._lines[id(each)]) for each in self._made)

    def expression(self, node: cst.CSTNode) -> cst.BaseExpression:
        """What replaces an expression, with parentheses only where it has its own."""
        made = self._part(node, _NOWHERE)
        assert isinstance(made, cst.BaseExpression)
        return in_place_of(made, made, _NOWHERE)

    def statement(self, node: cst.CSTNode, alone: Statement) -> list[Any]:
        """The lines that replace a statement; ``alone`` is the statement as a line of its own."""
        if isinstance(alone, cst.SimpleStatementLine):
            pieces = self._small([node], self.line_of(alone))
            if pieces and all(isinstance(each, cst.BaseSmallStatement) for each in pieces):
                return [replace(alone, body=_ended(pieces))]
            made = self._with_trailing(
                [self._own_line(each, self.line_of(alone)) for each in pieces], alone.trailing_whitespace
            )
        else:
            assert isinstance(node, cst.BaseCompoundStatement)
            made = self._compound(node)
        return [self._below(alone.leading_lines, made[0]), *made[1:]] if made else []

    def rebuilt(self, node: NodeT) -> NodeT:
        """The node after all edits inside it."""
        changes: dict[str, Any] = {}
        for each in fields(node):
            value = getattr(node, each.name)
            if isinstance(value, cst.CSTNode) and id(value) in self._touched:
                changes[each.name] = self._part(value, node)
            elif isinstance(value, tuple | list) and any(id(item) in self._touched for item in value):
                changes[each.name] = self._items(value, node)
        return self._changed(node, **changes) if changes else node

    def copied(self, node: NodeT, line: Line | None) -> NodeT:
        """A copy in which each statement keeps its line, and new statements get ``line``."""
        own = self._lines.get(id(node), line)
        changes: dict[str, Any] = {}
        # White space is never looked up, so that the copy may share it with the original.
        for name in fields_of(type(node)):
            value = getattr(node, name)
            if is_node(value.__class__):
                changes[name] = self.copied(value, own)
            elif isinstance(value, (tuple, list)):
                changes[name] = [
                    self.copied(item, own) if is_node(item.__class__) else item for item in value
                ]
        # What is copied is valid: to have LibCST look at it again takes most of the time.
        made = object.__new__(type(node))
        for name in fields_of(type(node), blank=True):
            object.__setattr__(made, name, changes[name] if name in changes else getattr(node, name))
        return self._noted(made, own)

    def _items(self, values: Sequence[cst.CSTNode], parent: cst.CSTNode) -> list[Any]:
        if isinstance(parent, cst.Module | cst.IndentedBlock):
            return [*self._statements(values)] or [cst.SimpleStatementLine([cst.Pass()])]
        return [self._part(each, parent) if id(each) in self._touched else each for each in values]

    def _part(self, node: cst.CSTNode, parent: cst.CSTNode) -> Any:
        """What replaces a node that is not a statement."""
        if isinstance(node, cst.SimpleStatementSuite):
            return self._suite(node, self.line_of(parent))
        if isinstance(node, cst.If) and isinstance(parent, cst.If):
            return self._elif(node)
        made: Any = self.rebuilt(node)
        if id(node) not in self._replaced and id(node) not in self._wrapped:
            return made
        if id(node) in self._replaced:
            (made,) = self._copies(self._replaced[id(node)].by, None)
        for around in self._wrapped.get(id(node), ()):
            made = self.copied(around(made), None)
        return in_place_of(made, node, parent) if isinstance(made, cst.BaseExpression) else made

    def _statements(self, values: Sequence[cst.CSTNode]) -> Iterator[Any]:
        above: list[cst.EmptyLine] = []
        for number, each in enumerate(values):
            assert isinstance(each, Statement)
            if id(each) not in self._touched:
                yield self._below(above, each)
                above = []
                continue
            above += self._lines_above(each)
            functions = self._functions_above(each)
            if functions:
                blank, above = _apart(above, is_first=number == 0)
                yield from self._functions(functions, blank)
            new = self._line(each) if isinstance(each, cst.SimpleStatementLine) else self._compound(each)
            if new:
                yield self._below(above, new[0])
                yield from new[1:]
                above = []

    def _functions_above(self, node: Statement) -> list[Any]:
        line, small = self.line_of(node), node.body if isinstance(node, cst.SimpleStatementLine) else ()
        found = [each for part in (node, *small) for each in self._above.get(id(part), ())]
        return self._copies(found, line)

    def _functions(self, functions: Sequence[cst.CSTNode], blank: Sequence[cst.EmptyLine]) -> Iterator[Any]:
        first, *others = functions
        yield self._below(blank, first)
        yield from (self._below(_TWO_LINES, each) for each in others)

    def _lines_above(self, node: Statement) -> list[cst.EmptyLine]:
        """The comments and blank lines above a statement; also the one after it, where it is removed."""
        if not isinstance(node, cst.SimpleStatementLine):
            replaced = self._replaced.get(id(node))
            return [*node.leading_lines] if replaced is None or replaced.comments else []
        edits = [self._replaced.get(id(each)) for each in node.body]
        if any(each is not None and not each.comments for each in edits):
            return []
        comment = node.trailing_whitespace.comment
        is_gone = all(each is not None and not each.by for each in edits)
        return [*node.leading_lines, *(comment_lines([comment.value]) if comment and is_gone else [])]

    def _compound(self, node: cst.BaseCompoundStatement) -> list[Any]:
        line = self.line_of(node)
        replaced = self._replaced.get(id(node))
        if replaced is not None:
            return self._with_neighbours(node, self._copies(replaced.by, line), line)
        made: Any = self._changed(self.rebuilt(node), leading_lines=())
        for around in self._wrapped.get(id(node), ()):
            made = self.copied(around(made), line)
        return self._with_neighbours(node, [made], line)

    def _line(self, node: cst.SimpleStatementLine) -> list[Any]:
        pieces = self._small(node.body, self.line_of(node))
        if all(isinstance(each, cst.BaseSmallStatement) for each in pieces):
            return [self._changed(node, body=_ended(pieces), leading_lines=())] if pieces else []
        if len(node.body) == 1 and id(node.body[0]) not in self._replaced:
            # What follows the statement on its line stays there.
            return [
                self._changed(node, body=_ended([each]), leading_lines=())
                if isinstance(each, cst.BaseSmallStatement)
                else each
                for each in pieces
            ]
        lines = [self._own_line(each, self.line_of(node)) for each in pieces]
        return self._with_trailing(lines, node.trailing_whitespace)

    def _elif(self, node: cst.If) -> cst.If | cst.Else:
        """An ``elif``, or an ``else`` with an ``if`` in it where the edits add statements to it."""
        pieces = self._compound(node)
        if len(pieces) == 1 and isinstance(pieces[0], cst.If):
            return pieces[0]
        return cst.Else(block(pieces), leading_lines=node.leading_lines)

    def _suite(self, node: cst.SimpleStatementSuite, line: Line | None) -> cst.BaseSuite:
        """``if x: y = 1`` with edits: a block of its own where it is no longer one line."""
        pieces = self._small(node.body, line)
        if pieces and all(isinstance(each, cst.BaseSmallStatement) for each in pieces):
            return replace(node, body=_ended(pieces))
        lines = [self._own_line(each, line) for each in pieces]
        return replace(block(lines), header=node.trailing_whitespace)

    def _small(self, body: Sequence[cst.CSTNode], line: Line | None) -> list[Any]:
        """Small statements after the edits beside and in place of them; lines where there are several."""
        found: list[Any] = []
        for each in body:
            replaced = self._replaced.get(id(each))
            made = self._copies(replaced.by, line) if replaced is not None else [self.rebuilt(each)]
            found += self._with_neighbours(each, [_small_of(made[0], each)] if len(made) == 1 else made, line)
        return found

    def _with_neighbours(
        self, node: cst.CSTNode, made: Sequence[cst.CSTNode], line: Line | None
    ) -> list[Any]:
        """What replaces a statement, between the statements that edits add beside it."""
        edits = self._beside.get(id(node), ())
        before = [each for edit in edits for each in self._copies(edit.before, line)]
        return [*before, *made, *(each for edit in edits for each in self._copies(edit.after, line))]

    def _own_line(self, piece: Any, line: Line | None) -> Any:
        if not isinstance(piece, cst.BaseSmallStatement):
            return piece
        return self._noted(cst.SimpleStatementLine(_ended([piece])), line)

    def _with_trailing(self, nodes: list[Any], trailing: cst.TrailingWhitespace) -> list[Any]:
        """Put the comment after a line at the end of the last line that replaces it, or above it."""
        standing = {comment for each in nodes for comment in comments_in(each)}
        if trailing.comment is None or trailing.comment.value in standing:
            return nodes
        last = nodes[-1]
        if isinstance(last, cst.SimpleStatementLine):
            return [*nodes[:-1], self._changed(last, trailing_whitespace=trailing)]
        return [*nodes[:-1], self._below(comment_lines([trailing.comment.value]), last)]

    def _below(self, lines: Sequence[cst.EmptyLine], node: NodeT) -> NodeT:
        """A statement with comments and blank lines above it."""
        if not lines or not isinstance(node, Statement):
            return node
        return self._changed(node, leading_lines=[*lines, *node.leading_lines])

    def _copies(self, nodes: Sequence[cst.CSTNode], line: Line | None) -> list[Any]:
        """Copies of nodes, because the same node of the user's may be used in several places."""
        return [self.copied(each, line) for each in nodes]

    def _changed(self, node: NodeT, **changes: Any) -> NodeT:
        """The node with other parts and the same line."""
        return self._noted(replace(node, **changes), self.line_of(node))

    def _noted(self, node: NodeT, line: Line | None) -> NodeT:
        if line is not None and _is_statement(type(node)):
            # The node is kept alive, so that its id stays its own.
            self._made.append(node)
            self._lines[id(node)] = line
        return node


@cache
def _is_statement(kind: type) -> bool:
    return issubclass(kind, Statement)


def _apart(
    lines: Sequence[cst.EmptyLine], *, is_first: bool
) -> tuple[list[cst.EmptyLine], list[cst.EmptyLine]]:
    """The lines above functions that are put above a statement, and those left above the statement."""
    attached = next((n for n, each in enumerate(reversed(lines)) if each.comment is None), len(lines))
    split = len(lines) - attached
    blank = lines[:split] or (() if is_first else _TWO_LINES)
    return [*blank], [*_TWO_LINES, *lines[split:]]


def _small_of(node: cst.CSTNode, old: cst.CSTNode) -> cst.CSTNode:
    """A line that holds one small statement and no comment as that statement, ended as ``old`` was."""
    match node, old:
        case (
            cst.SimpleStatementLine(
                body=[only], leading_lines=[], trailing_whitespace=cst.TrailingWhitespace(comment=None)
            ),
            cst.BaseSmallStatement(),
        ):
            return only.with_changes(semicolon=old.semicolon)
    return node


def _ended(pieces: Sequence[Any]) -> list[Any]:
    """Small statements of one line, separated by semicolons."""
    *others, last = pieces
    spaced = cst.Semicolon(whitespace_after=cst.SimpleWhitespace(" "))
    apart = [
        each.with_changes(semicolon=spaced) if each.semicolon is cst.MaybeSentinel.DEFAULT else each
        for each in others
    ]
    return [*apart, last.with_changes(semicolon=cst.MaybeSentinel.DEFAULT)]

"""A module's text as a LibCST module, together with the ``ast`` tree that the analyses read.

What no edit touches is written as it was, byte for byte.
"""

from __future__ import annotations

import ast
import copy
import re
from bisect import bisect_right
from collections.abc import Callable, Container, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeGuard

from nprewrite.base.syntax import base_name, children, stored_names, text_tree, walk
from nprewrite.source.names import ModuleNames, Stars, first_line

if TYPE_CHECKING:
    import libcst as cst

    from nprewrite.source.edits import Line, NodeEdit, Place
    from nprewrite.source.nodes import Statement
    from nprewrite.source.tree import SourceTree

_LINE_END = re.compile(r"\r\n|\r|\n")


class Origin(NamedTuple):
    """Where a line of the current text comes from: the user's line, and by how much it was indented."""

    line: int
    shift: int = 0


_UNMOVED: list[Origin] = []


def _unmoved(last: int) -> list[Origin]:
    """The origins of lines that stand where they stood, up to a line at least; made once for all texts."""
    _UNMOVED.extend(map(Origin, range(len(_UNMOVED) + 1, last + 1)))
    return _UNMOVED


def _parsed(text: str) -> ast.Module:
    """The tree of a text, without what means nothing in functions.

    That are annotations, ``x: float = 1.0``, and ``global k`` where ``k`` is only read.
    """
    tree = text_tree(text)
    read = _read_globals(tree) if "global " in text else frozenset()
    waiting: list[tuple[ast.AST, bool]] = [(tree, False)]
    while waiting:
        node, within = waiting.pop()
        for block in ("body", "orelse", "finalbody", "handlers", "cases"):
            statements = getattr(node, block, None)
            if not isinstance(statements, list):
                continue
            if within:
                statements[:] = [_plain(each, read) for each in statements]
            waiting += [(each, _is_in_function(each, within)) for each in statements]
    return tree


def _is_in_function(node: ast.AST, within: bool) -> bool:
    """Whether the statements of a node, itself ``within`` a function or not, are those of a function."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return True
    return within and not isinstance(node, ast.ClassDef)


def _read_globals(tree: ast.Module) -> frozenset[ast.AST]:
    """Each ``global k`` in a function of the module, or of a class of it, that only reads ``k``."""
    outer = [
        *tree.body,
        *(each for kind in tree.body if isinstance(kind, ast.ClassDef) for each in kind.body),
    ]
    found = set[ast.AST]()
    for function in (each for each in outer if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)):
        nodes = [each for statement in function.body for each in walk(statement)]
        stored = {
            *stored_names(*function.body),
            *(getattr(each, "asname", None) or getattr(each, "name", None) for each in nodes),
            # What is declared and stored into counts as the function's own.
            *map(base_name, (each for each in nodes if _is_store(each))),
        }
        found.update(each for each in nodes if isinstance(each, ast.Global) and stored.isdisjoint(each.names))
    return frozenset(found)


def _is_store(node: ast.AST) -> TypeGuard[ast.Subscript]:
    return isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load)


def _plain(node: ast.stmt, read: Container[ast.AST]) -> ast.stmt:
    match node:
        case ast.Global() if node in read:
            return ast.copy_location(ast.Pass(), node)
        case ast.AnnAssign(target=ast.Name() as target, value=ast.expr() as value):
            return ast.copy_location(ast.Assign([target], value), node)
    return node


class Document:
    """A module's text, its tree, and for each line the user's line that it stands for."""

    def __init__(
        self, text: str, origins: tuple[Origin, ...] | None = None, stars: Stars | None = None
    ) -> None:
        """Parse ``text``; raises ``SyntaxError`` or ``ValueError`` (NUL bytes) as ``ast.parse`` does."""
        self.text = text
        self._stars = stars or {}
        self.tree = _parsed(text)
        # Shared by documents of the same text with other trees.
        self._source: list[SourceTree] = []
        self._starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
        self._lines = [
            text[start:end] for start, end in zip(self._starts, [*self._starts[1:], len(text)], strict=True)
        ]
        self.origins = origins or tuple(_unmoved(len(self._starts))[: len(self._starts)])

    def with_tree(self, tree: ast.Module) -> Document:
        """The same text with another tree, whose nodes have positions in the text."""
        made = copy.copy(self)
        made.tree = tree
        made.__dict__.pop("names", None)
        return made

    @property
    def source(self) -> SourceTree:
        """The text as a LibCST module. Raises ``SourceProblem``."""
        # LibCST takes a fifth of a second to import, and most files need no edit.
        from nprewrite.source.tree import SourceTree, parsed

        if not self._source:
            module, ending, texts = parsed(self.text)
            self._take(SourceTree(module, text_tree(self.text), ending, texts))
        return self._source[0]

    def _take(self, source: SourceTree) -> None:
        for statement, node in source.statement_lines():
            origin = self.origins[statement.lineno - 1]
            further = max(0, self.origins[_last_line(statement) - 1].line - origin.line)
            above = max(0, origin.line - self.origins[first_line(statement) - 1].line)
            source.placed(node, (origin.line, statement.col_offset - origin.shift, further, above))
        self._source.append(source)

    @property
    def user_lines(self) -> tuple[int, ...]:
        """For each line of the text, the line of the user's text that it stands for."""
        return tuple(each.line for each in self.origins)

    @property
    def indent(self) -> str:
        """One level of the indentation that the text uses."""
        return self.source.module.default_indent

    def node(self, place: Place) -> cst.CSTNode:
        """The node at a place: an expression, or a statement alone, without the comments above it."""
        return self.source.alone(place) if isinstance(place, ast.stmt) else self.source.node(place)

    def nodes(self, statements: Sequence[ast.stmt]) -> tuple[Statement, ...]:
        """Statements that follow each other, with the comments between them."""
        return tuple(
            self.source.alone(each, with_lines_above=number > 0) for number, each in enumerate(statements)
        )

    def with_comments_of(self, statement: ast.stmt, nodes: Sequence[Statement]) -> tuple[Statement, ...]:
        """Statements to replace another, below those comments inside it that they do not contain."""
        from nprewrite.source.nodes import comment_lines, comments_in

        first, *others = nodes
        standing = {each for node in nodes for each in comments_in(node)}
        old = self.source.node(statement)
        # Those above it stay where they are.
        inside = old.with_changes(leading_lines=()) if hasattr(old, "leading_lines") else old
        lost = [each for each in comments_in(inside) if each not in standing]
        above = [*comment_lines(lost), *first.leading_lines]
        return (first.with_changes(leading_lines=above), *others)

    def code(self, node: ast.expr | ast.stmt) -> str:
        """The text of a node for a template, dedented; in parentheses only where it spans several lines."""
        from nprewrite.source.nodes import code

        made, text = self.node(node), self.segment(node)
        return code(made) if "\n" in text or "\r" in text else text

    def expression(self, node: ast.expr) -> cst.BaseExpression:
        """The node of an expression, to be put elsewhere."""
        return self.changed(node, ())

    def changed(self, node: ast.expr, edits: Iterable[NodeEdit]) -> cst.BaseExpression:
        """An expression after the edits inside it; the document stays as it is."""
        return self.source.rebuilding(edits).expression(self.source.node(node))

    def changed_statement(
        self, statement: ast.stmt, edits: Iterable[NodeEdit], *, with_lines_above: bool
    ) -> tuple[Statement, ...]:
        """A statement after the edits inside it, as new statements, with or without the comments above it."""
        alone = self.source.alone(statement, with_lines_above=with_lines_above)
        rebuilding = self.source.rebuilding(edits)
        made = rebuilding.statement(self.source.node(statement), alone)
        for inside, line in rebuilding.lines_made():
            self.source.placed(inside, line)
        return self.placed(made, statement)

    def placed(self, nodes: Iterable[Statement], like: Place) -> tuple[Statement, ...]:
        """New statements that stand for the line of another in reports and tracebacks."""
        origin = self.origins[like.lineno - 1]
        line = origin.line, like.col_offset - origin.shift, 0, 0
        return tuple(self.source.placed(each, line) for each in nodes)

    def replaced(self, edits: Iterable[NodeEdit]) -> Document:
        """The document after edits, with the origins of its lines.

        Raises ``ValueError`` where two edits replace the same node, ``SyntaxError`` where the new text does
        not parse and ``SourceProblem`` where LibCST does not reproduce the text.
        """
        from nprewrite.source.tree import code_of

        rebuilding = self.source.rebuilding(edits)
        module = rebuilding.rebuilt(self.source.module)
        code, texts = code_of(module, self.source.texts)
        made = Document(code + self.source.ending, self.origins, self._stars)
        source = type(self.source)(module, made.tree, self.source.ending, texts)
        last = max(each.line for each in self.origins)
        made.origins = tuple(_origins(source, rebuilding.line_of, len(made._starts), last))
        made._take(source)
        return made

    @cached_property
    def names(self) -> ModuleNames:
        return ModuleNames(self.tree, self._stars)

    def offset(self, line: int, utf8_column: int) -> int:
        """The character offset of an ``ast`` position (its columns count UTF-8 bytes)."""
        text = self._lines[line - 1]
        column = utf8_column if text.isascii() else len(text.encode()[:utf8_column].decode())
        return self._starts[line - 1] + column

    def span(self, node: ast.expr | ast.stmt | ast.arg) -> tuple[int, int]:
        """Start and end offsets of a node; decorators are not part of a definition's span."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self.offset(node.lineno, node.col_offset), self.offset(node.end_lineno, node.end_col_offset)

    def segment(self, node: ast.expr | ast.stmt) -> str:
        """The text of a node, as written."""
        start, end = self.span(node)
        return self.text[start:end]

    def position(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        """Line and column in the user's file, both counted from 1."""
        origin = self.origins[node.lineno - 1]
        return origin.line, max(1, node.col_offset + 1 - origin.shift)

    def lines_between(self, start: int, end: int) -> list[int]:
        """The user's lines of the characters ``start:end``."""
        return [each.line for each in self.origins[self._line_at(start) : self._line_at(end) + 1]]

    def _line_at(self, offset: int) -> int:
        return bisect_right(self._starts, offset) - 1


def _origins(
    source: SourceTree, line_of: Callable[[cst.CSTNode], Line | None], count: int, last: int
) -> list[Origin]:
    """For each line the user's line that it stands for, from the former places of the statements."""
    found: list[Origin | None] = [None] * count
    unmoved = _unmoved(last)
    for statement, node in source.statement_lines():
        place = line_of(node)
        if place is None:
            continue
        line, column, further, above = place
        for number in range(first_line(statement), _last_line(statement) + 1):
            offset = max(-above, min(number - statement.lineno, further))
            shift = statement.col_offset - column
            found[number - 1] = Origin(line + offset, shift) if shift else unmoved[line + offset - 1]
    return _filled(found, last)


def _last_line(statement: ast.stmt) -> int:
    """The last line of a statement, or of the header of a compound one."""
    inside = [each.lineno for each in children(statement) if isinstance(each, ast.stmt)]
    if isinstance(statement, ast.Match):
        inside = [each.pattern.lineno for each in statement.cases]
    if not inside:
        return statement.end_lineno or statement.lineno
    return max(statement.lineno, min(inside) - 1)


def _filled(origins: Sequence[Origin | None], last: int) -> list[Origin]:
    """The origins completed for comments and blank lines, from the lines below them."""
    found: list[Origin] = []
    below = Origin(last + 1)
    for number in range(len(origins) - 1, -1, -1):
        origin = origins[number]
        below = origin or Origin(max(1, below.line - 1), below.shift)
        found.append(below)
    return found[::-1]

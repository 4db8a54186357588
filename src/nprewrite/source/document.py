"""A text with exact spans: nodes are found with ``ast``, edits are spliced into the text itself.

Splicing leaves every byte outside an edit as it was, whatever the line endings, form feeds or
comments; a syntax tree that is printed again would have to model each of them.
"""

from __future__ import annotations

import ast
import copy
import io
import re
import tokenize
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

from nprewrite.source.names import ModuleNames

if TYPE_CHECKING:
    import libcst as cst

    from nprewrite.source.edits import Line, NodeEdit, Place, Rebuilding
    from nprewrite.source.nodes import Statement
    from nprewrite.source.tree import SourceTree

_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True)
class Origin:
    """Where a line of the current text comes from: the user's line, and how far it was moved right."""

    line: int
    shift: int = 0


@dataclass(frozen=True)
class Edit:
    """Replace the characters ``start:end`` by ``text``; equal offsets insert.

    ``origins`` names, for each line of ``text``, the line it stands for; without it every new line
    stands for the line of ``start``.
    """

    start: int
    end: int
    text: str
    origins: tuple[Origin, ...] | None = None


class Document:
    """A module's text, its tree, and for each line the user's line it stands for."""

    def __init__(self, text: str, origins: tuple[Origin, ...] | None = None) -> None:
        """Parse ``text``; raises ``SyntaxError`` or ``ValueError`` (NUL bytes) as ``ast.parse`` does."""
        self.text = text
        self.tree = ast.parse(text)
        self._starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
        self._lines = [
            text[start:end] for start, end in zip(self._starts, [*self._starts[1:], len(text)], strict=True)
        ]
        self.origins = origins or tuple(Origin(number) for number in range(1, len(self._starts) + 1))

    def with_tree(self, tree: ast.Module) -> Document:
        """The same text with another tree, whose nodes stand at positions of the text."""
        made = copy.copy(self)
        made.tree = tree
        made.__dict__.pop("names", None)
        return made

    @cached_property
    def source(self) -> SourceTree:
        """The text as a LibCST module. Raises ``NotLossless``."""
        # LibCST takes a fifth of a second to import; most files are left as they are.
        from nprewrite.source.tree import SourceTree, parsed

        return SourceTree(parsed(self.text), ast.parse(self.text))

    def node(self, place: Place) -> cst.CSTNode:
        """What stands at a place: an expression, or a statement alone, without the comments above it."""
        return self.source.alone(place) if isinstance(place, ast.stmt) else self.source.node(place)

    def nodes(self, statements: Sequence[ast.stmt]) -> tuple[Statement, ...]:
        """Statements that follow each other, with the comments between them."""
        first, *others = statements
        return (
            self.source.alone(first),
            *(self.source.alone(each, with_lines_above=True) for each in others),
        )

    def with_comments_of(self, statement: ast.stmt, nodes: Sequence[Statement]) -> tuple[Statement, ...]:
        """Statements for another, below the comments that stand inside of it and not in them."""
        from nprewrite.source.nodes import comment_lines, comments_in

        first, *others = nodes
        standing = {each for node in nodes for each in comments_in(node)}
        lost = [each for each in comments_in(self.source.node(statement)) if each not in standing]
        above = [*comment_lines(lost), *first.leading_lines]
        return (first.with_changes(leading_lines=above), *others)

    def code(self, node: ast.expr | ast.stmt) -> str:
        """The text of a node for a template, from the first column on; in parentheses only over lines."""
        from nprewrite.source.nodes import code

        made, text = self.node(node), self.segment(node)
        return code(made) if "\n" in text or "\r" in text else text

    def expression(self, node: ast.expr) -> cst.BaseExpression:
        """What stands at an expression's place, to be put elsewhere."""
        return self.changed(node, ())

    def changed(self, node: ast.expr, edits: Iterable[NodeEdit]) -> cst.BaseExpression:
        """An expression with the edits done that lie inside of it; the document stays as it is."""
        return self._rebuilding(edits).expression(self.source.node(node))

    def changed_statements(
        self, statements: Sequence[ast.stmt], edits: Iterable[NodeEdit]
    ) -> tuple[Statement, ...]:
        """Statements that follow each other with the edits done that lie inside of them, as new ones."""
        rebuilding = self._rebuilding(edits)
        found: list[Statement] = []
        for number, each in enumerate(statements):
            alone = self.source.alone(each, with_lines_above=number > 0)
            lines = rebuilding.statement(self.source.node(each), alone)
            found += self.placed(lines, each)
        return tuple(found)

    def placed(self, nodes: Iterable[Statement], like: ast.stmt) -> tuple[Statement, ...]:
        """New statements that stand for the line of another, in reports and tracebacks."""
        found = tuple(nodes)
        self.source.moved += [(each, like) for each in found]
        return found

    def replaced(self, edits: Iterable[NodeEdit]) -> Document:
        """The document after edits, with the origins carried along.

        Raises ``ValueError`` where two edits replace the same node, ``SyntaxError`` where the new text does
        not parse and ``NotLossless``.
        """
        rebuilding = self._rebuilding(edits)
        module = rebuilding.rebuilt(self.source.module)
        made = Document(module.code)
        made.source = type(self.source)(module, made.tree)
        made.origins = tuple(made._origins(rebuilding.line_of))
        return made

    def _rebuilding(self, edits: Iterable[NodeEdit]) -> Rebuilding:
        return self.source.rebuilding(edits, self._lines_of_statements())

    def _lines_of_statements(self) -> dict[int, Line]:
        found: dict[int, Line] = {}
        lines = ((node, statement) for statement, node in self.source.lines())
        for node, statement in chain(lines, self.source.moved):
            origin = self.origins[statement.lineno - 1]
            found[id(node)] = origin.line, statement.col_offset - origin.shift
        return found

    def _origins(self, line_of: Callable[[cst.CSTNode], Line | None]) -> list[Origin]:
        """For each line the user's that it stands for, from where the statements stood."""
        found: list[Origin | None] = [None] * len(self._starts)
        for statement, node in self.source.lines():
            place = line_of(node)
            if place is None:
                continue
            origin = Origin(place[0], statement.col_offset - place[1])
            last = statement.end_lineno or statement.lineno
            for number in range(statement.lineno, last + 1):
                found[number - 1] = Origin(origin.line + number - statement.lineno, origin.shift)
        return _filled(found)

    @cached_property
    def names(self) -> ModuleNames:
        """The names of the module."""
        return ModuleNames(self.tree)

    @property
    def newline(self) -> str:
        """The line ending that the text uses first, or a plain newline."""
        found = _LINE_END.search(self.text)
        return found.group() if found else "\n"

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

    def with_comments(self, node: ast.stmt, text: str) -> str:
        """``text`` for a statement, below the comments that stand inside of the statement now."""
        tokens = tokenize.generate_tokens(io.StringIO(self.segment(node)).readline)
        comments = [token.string for token in tokens if token.type == tokenize.COMMENT]
        separator = self.newline + self.indentation(node)
        return separator.join([*(each for each in comments if each not in text), text])

    def edited(self, start: int, end: int, edits: Iterable[Edit]) -> str:
        """The text from ``start`` to ``end`` after ``edits``.

        Those that do not lie inside of the span are left out, and so is one that overlaps an earlier one.
        """
        pieces: list[str] = []
        position = start
        for edit in sorted(edits, key=_span_of):
            if edit.start >= position and edit.end <= end:
                pieces += [self.text[position : edit.start], edit.text]
                position = edit.end
        return "".join([*pieces, self.text[position:end]])

    def line_start(self, line: int) -> int:
        """The offset of the first character of a line, counted from 1."""
        return self._starts[line - 1]

    def line_end(self, line: int) -> int:
        """The offset behind the last character of a line, before its line ending."""
        return self._starts[line - 1] + len(self._lines[line - 1].rstrip("\r\n"))

    def line(self, number: int) -> str:
        """A line with its ending."""
        return self._lines[number - 1]

    def indentation(self, node: ast.stmt) -> str:
        """The white space before a statement; empty after a semicolon or colon on the same line."""
        return self._before(node) if self.starts_line(node) else ""

    def starts_line(self, node: ast.stmt) -> bool:
        """Whether nothing but white space stands before the statement on its line."""
        return not self._before(node).strip(" \t\f")

    def stands_alone(self, node: ast.stmt) -> bool:
        """Whether no other statement stands on the lines of this one."""
        return self.starts_line(node) and not self.rest_of_line(node)

    def rest_of_line(self, node: ast.stmt) -> str:
        """What stands behind a statement on its last line, without white space and comment."""
        assert node.end_lineno is not None
        rest = self.text[self.span(node)[1] : self.line_end(node.end_lineno)].strip()
        return "" if rest.startswith("#") else rest

    def position(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        """Line and column in the user's file, both counted from 1."""
        origin = self.origins[node.lineno - 1]
        return origin.line, max(1, node.col_offset + 1 - origin.shift)

    def apply(self, edits: Iterable[Edit]) -> Document:
        """The document after all edits, with the origins carried along.

        Raises ``ValueError`` where edits overlap and ``SyntaxError`` when the new text does not parse.
        """
        pieces: list[str] = []
        origins: list[Origin] = []
        position = 0

        def copy(end: int) -> None:
            nonlocal position
            first = self._line_at(position)
            _append(pieces, origins, self.text[position:end], self.origins[first:])
            position = end

        for edit in sorted(edits, key=_span_of):
            if edit.start < position:
                raise ValueError(f"overlapping edits at offset {edit.start}")
            copy(edit.start)
            here = self.origins[self._line_at(edit.start)]
            lines = edit.text.count("\n") + 1
            _append(pieces, origins, edit.text, edit.origins or (here,) * lines)
            position = edit.end
        copy(len(self.text))
        return Document("".join(pieces), tuple(origins))

    def lines_between(self, start: int, end: int) -> list[int]:
        """The user's lines that the characters ``start:end`` stand on."""
        return [each.line for each in self.origins[self._line_at(start) : self._line_at(end) + 1]]

    def _before(self, node: ast.stmt) -> str:
        """What stands before a statement on its line."""
        return self.text[self.line_start(node.lineno) : self.span(node)[0]]

    def _line_at(self, offset: int) -> int:
        return bisect_right(self._starts, offset) - 1


def _span_of(edit: Edit) -> tuple[int, int]:
    return edit.start, edit.end


def _append(pieces: list[str], origins: list[Origin], text: str, lines: tuple[Origin, ...]) -> None:
    """Add ``text``; a line begun by an earlier piece keeps that piece's origin."""
    count = len(_LINE_END.findall(text)) + 1
    fresh = not pieces or not pieces[-1] or pieces[-1].endswith(("\n", "\r"))
    new = [*lines[:count]] + [lines[-1]] * (count - len(lines))
    if origins and fresh and text:
        origins[-1] = new[0]
    origins.extend(new[1:] if origins else new)
    pieces.append(text)


def _filled(origins: Sequence[Origin | None]) -> list[Origin]:
    """The origins with those of comments and blank lines, from what stands below them or else above."""
    found: list[Origin] = []
    below = Origin(1)
    for number in range(len(origins) - 1, -1, -1):
        origin = origins[number]
        below = origin or Origin(max(1, below.line - 1), below.shift)
        found.append(below)
    return found[::-1]

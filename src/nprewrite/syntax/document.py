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
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from nprewrite.syntax.names import ModuleNames

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

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
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

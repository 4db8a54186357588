"""The LibCST module of a text, and where in it each ``ast`` node of the same text is."""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import libcst as cst

from nprewrite.base.syntax import walk
from nprewrite.source.edits import Line, NodeEdit, NodeT, Place, Rebuilding
from nprewrite.source.names import first_line
from nprewrite.source.nodes import Statement, children
from nprewrite.source.pairing import paired_expressions, paired_statements
from nprewrite.source.problems import SourceProblem

Key = tuple[type, int, int, int | None, int | None]


class SourceTree:
    """A LibCST module together with the ``ast`` tree of the same text."""

    def __init__(self, module: cst.Module, tree: ast.Module, ending: str, texts: Mapping[int, str]) -> None:
        self.module = module
        self.ending = ending
        """The end of the text, which LibCST does not keep."""
        self.texts = texts
        """The text of each statement of the module itself, by the identity of its node."""
        self.lines: dict[int, Line] = {}
        """Where the statements of the tree, and those made from them, were in the user's text."""
        self.statements = list(paired_statements(tree.body, module))
        """Each statement with its node, in the order of the text."""
        self._nodes: dict[Key, cst.CSTNode] = {}
        self._parents: dict[int, cst.CSTNode] = {}
        self._starts: list[tuple[int, int]] = []
        self._read: set[int] = set()
        self._held: list[cst.CSTNode] = []
        for statement, node in self.statements:
            assert isinstance(statement, ast.stmt)
            self._nodes[_key(statement)] = node
            self._starts.append((first_line(statement), statement.col_offset))
        self._note_parents(module)

    def node(self, place: Place) -> cst.CSTNode:
        """The node at ``place``. Raises ``KeyError`` where there is none."""
        key = _key(place)
        if key not in self._nodes and not isinstance(place, ast.stmt):
            self._read_expressions(place)
        return self._nodes[key]

    def alone(self, statement: ast.stmt, *, with_lines_above: bool = False) -> Statement:
        """A statement as a line or block of its own, to be put elsewhere."""
        node = self.node(statement)
        made: Any = node
        if isinstance(node, cst.BaseSmallStatement):
            line = self._parents.get(id(node))
            has_line = isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1
            made = (line if has_line and line else cst.SimpleStatementLine([])).with_changes(
                body=[node.with_changes(semicolon=cst.MaybeSentinel.DEFAULT)]
            )
        alone: Statement = made.with_changes(leading_lines=made.leading_lines if with_lines_above else ())
        return self.placed(alone, self.lines.get(id(self._line_of(node))))

    def placed(self, node: NodeT, line: Line | None) -> NodeT:
        """Let a statement stand for a line of the user's; it is kept alive, so that its id is not reused."""
        if line is not None:
            self._held.append(node)
            self.lines[id(node)] = line
        return node

    def _line_of(self, node: cst.CSTNode) -> cst.CSTNode:
        """The line of a simple statement, or the compound statement itself."""
        parent = self._parents.get(id(node))
        return parent if isinstance(parent, cst.SimpleStatementLine) else node

    def path(self, node: cst.CSTNode) -> list[cst.CSTNode]:
        """A node and those around it, up to the module."""
        found = [node]
        while (parent := self._parents.get(id(found[-1]))) is not None:
            found.append(parent)
        return found

    def rebuilding(self, edits: Iterable[NodeEdit]) -> Rebuilding:
        """What applies edits. Raises ``ValueError``."""
        return Rebuilding(((edit, self.path(self.node(edit.node))) for edit in edits), self.lines)

    def statement_lines(self) -> Iterator[tuple[ast.stmt, cst.CSTNode]]:
        """Each line with its first statement, and each compound statement with its node."""
        seen: set[int] = set()
        for statement, node in self.statements:
            assert isinstance(statement, ast.stmt)
            line = self._line_of(node)
            if id(line) not in seen:
                seen.add(id(line))
                yield statement, line

    def _note_parents(self, node: cst.CSTNode) -> None:
        """Note the parent of each statement; parents of expressions are noted when they are asked for."""
        for each in children(node):
            if isinstance(each, _HOLDING):
                self._parents[id(each)] = node
                self._note_parents(each)

    def _note_all(self, node: cst.CSTNode) -> None:
        for each in children(node):
            if not isinstance(each, cst.BaseSuite):
                self._parents[id(each)] = node
                self._note_all(each)

    def _read_expressions(self, place: Place) -> None:
        """Note the expressions of the statement around a place."""
        number = bisect_right(self._starts, (place.lineno, place.col_offset)) - 1
        # A decorator is above the line of its function, a statement after a semicolon on the same line.
        for statement, node in self.statements[max(number, 0) : number + 1]:
            if id(node) in self._read:
                return
            self._read.add(id(node))
            self._note_all(node)
            for each, written in paired_expressions(statement, node):
                assert isinstance(each, ast.expr | ast.arg)
                self._nodes.setdefault(_key(each), written)


_HOLDING = (
    cst.BaseSuite,
    cst.BaseStatement,
    cst.BaseSmallStatement,
    cst.Else,
    cst.Finally,
    cst.ExceptHandler,
    cst.ExceptStarHandler,
    cst.MatchCase,
)


_END = re.compile(r"(?P<last>[ \t\f]*(?:\r\n|\n))?[ \t\f\r\n]*\Z")
"""The rest of the last line of code, and the blank lines after it."""
_LAST_NEWLINE = re.compile(r"(?:\r\n?|\n)\Z")
_FED = re.compile(r"^[ \t]*\f\f*[ \t]+(?=[^\s#])", re.MULTILINE)
"""A form feed before indented code."""
_HANDLERS = (cst.ExceptHandler, cst.ExceptStarHandler)
_BEFORE_COLON = re.compile(r"[\s)]*?([ \t]+):")


@lru_cache(maxsize=4)
def parsed(text: str) -> tuple[cst.Module, str, Mapping[int, str]]:
    """The module of a text that Python parses, and its blank end, part of which LibCST would lose.

    The third is what ``code_of`` says of the statements. The answer is kept, as each run of the passes over a
    text begins with it, and no node changes.

    Raises ``SourceProblem`` for a text that LibCST does not read, or would not write back unchanged.
    """
    # A search would try each blank line of the text.
    found = _END.match(text, len(text.rstrip(" \t\f\r\n")))
    assert found is not None
    body = text[: found.end("last") if found["last"] else found.start()]
    fed = _FED.search(body)
    if fed is not None:
        line = body.count("\n", 0, fed.start()) + 1
        raise SourceProblem("a form feed stands before indented code, which LibCST does not keep", line)
    try:
        module = cst.parse_module(body)
    except cst.ParserSyntaxError as error:
        reason = error.message.removeprefix("tokenizer error: ")
        raise SourceProblem(f"LibCST does not read what Python does: {reason}", error.raw_line) from error
    code, texts = code_of(module, {})
    if code != body:
        module = _with_blanks_of_handlers(module, body)
        code, texts = code_of(module, {})
    if code != body:
        written = zip(body.splitlines(), code.splitlines(), strict=False)
        line = next((number for number, pair in enumerate(written, start=1) if pair[0] != pair[1]), 1)
        raise SourceProblem("LibCST would write this line otherwise than it stands", line)
    return module, text[len(body) :], texts


def code_of(module: cst.Module, known: Mapping[int, str]) -> tuple[str, dict[int, str]]:
    """``module.code``, and the text of each statement of the module itself by the identity of its node.

    ``known`` has the texts of nodes that are still there: writing a long file anew for each change in one of
    its functions would take most of the time.
    """
    texts = {id(each): known.get(id(each)) or module.code_for_node(each) for each in module.body}
    if not module.body:
        return module.code, texts
    above, below = (map(module.code_for_node, lines) for lines in (module.header, module.footer))
    code = "".join([*above, *(texts[id(each)] for each in module.body), *below])
    return code if module.has_trailing_newline else _LAST_NEWLINE.sub("", code), texts


def _with_blanks_of_handlers(module: cst.Module, body: str) -> cst.Module:
    """The module with the blanks of ``except KeyError :``, which LibCST drops where no name follows."""
    handlers = [each for each in walk(ast.parse(body)) if isinstance(each, ast.ExceptHandler)]
    handlers.sort(key=lambda each: (each.lineno, each.col_offset))
    lines = body.splitlines(keepends=True)
    return module.visit(_Handlers(_blank_of(each, lines) for each in handlers))


def _blank_of(handler: ast.ExceptHandler, lines: Sequence[str]) -> str:
    """What stands before the colon of a handler that binds no name."""
    kind = handler.type
    if kind is None or kind.end_lineno is None or handler.name is not None:
        return ""
    first = lines[kind.end_lineno - 1].encode()[kind.end_col_offset :].decode()
    found = _BEFORE_COLON.match("".join([first, *lines[kind.end_lineno :]]))
    return found[1] if found is not None else ""


class _Handlers(cst.CSTTransformer):
    """Sets what stands before the colon of each handler, in the order of the text."""

    def __init__(self, blanks: Iterable[str]) -> None:
        super().__init__()
        self._blanks = iter(blanks)
        self._open: list[str] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        """The blank of a handler comes before those of the handlers inside it."""
        if isinstance(node, _HANDLERS):
            self._open.append(next(self._blanks))
        return True

    def on_leave(self, original_node: Any, updated_node: Any) -> Any:
        """The handler with its blank."""
        blank = self._open.pop() if isinstance(original_node, _HANDLERS) else ""
        space = cst.SimpleWhitespace(blank)
        return updated_node.with_changes(whitespace_before_colon=space) if blank else updated_node


def _key(node: Place) -> Key:
    kind = ast.stmt if isinstance(node, ast.stmt) else ast.arg if isinstance(node, ast.arg) else ast.expr
    return kind, node.lineno, node.col_offset, node.end_lineno, node.end_col_offset

"""The text of a profiled file: its functions and loops, and the calls in it by their place."""

from __future__ import annotations

import ast
import linecache
import os
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import CodeType

from nprewrite.base.errors import OF_SYNTAX, unheard
from nprewrite.base.syntax import children, text_tree
from nprewrite.files.problems import FileProblem
from nprewrite.files.source import decode, read_file

MODULE = "<module>"
LOOPS = ast.For | ast.While | ast.AsyncFor
_REPEATED = LOOPS | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
Span = tuple[int, int, int, int]


@dataclass(frozen=True)
class Loop:
    """A loop, by its first and last line; ``body`` is the first line of what is repeated."""

    line: int
    body: int
    last: int


@dataclass
class Source:
    """A file: its lines, and where its functions, loops and calls stand."""

    path: str
    text: str
    functions: dict[str, range] = field(default_factory=dict)
    """The lines of each function, by qualified name."""
    loops: dict[str, list[Loop]] = field(default_factory=dict)
    """The loops of each function, without those of functions inside it."""
    calls: dict[Span, ast.Call] = field(default_factory=dict)
    modules: dict[str, str] = field(default_factory=dict)
    """The modules that names stand for, and what was imported from one: ``np``, ``sqrt``."""
    imports: set[int] = field(default_factory=set)
    """The lines on which something is imported."""
    variables: set[str] = field(default_factory=set)
    """The names that the module's own statements assign to."""

    @classmethod
    def of(cls, path: str) -> Source:
        """The file at ``path``, or the cell; without anything in it where it cannot be read or parsed."""
        try:
            text = decode(read_file(path)).text if os.path.isfile(path) else "".join(linecache.getlines(path))
            with unheard(*OF_SYNTAX):
                tree = text_tree(text)
        except (FileProblem, SyntaxError):
            return cls(path, "")
        made = cls(path, text)
        made._enter(tree, MODULE, "")
        made.functions[MODULE] = range(1, text.count("\n") + 2)
        return made

    @property
    def name(self) -> str:
        """The name of the file, without its folders; the text of a cell stands in none."""
        return Path(self.path).name if os.path.isfile(self.path) else "the cell"

    def loops_around(self, function: str, line: int) -> list[Loop]:
        """The loops of a function that repeat a line, the outermost first."""
        return [each for each in self.loops.get(function, ()) if each.body <= line <= each.last]

    def _enter(self, node: ast.AST, function: str, prefix: str) -> None:
        for each in children(node):
            if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef):
                name = f"{prefix}{each.name}"
                self.functions[name] = range(each.lineno, (each.end_lineno or each.lineno) + 1)
                self._enter(each, name, f"{name}.<locals>.")
                continue
            if isinstance(each, ast.ClassDef):
                self._enter(each, function, f"{prefix}{each.name}.")
                continue
            self._note(each, function)
            self._enter(each, function, prefix)

    def _note(self, node: ast.AST, function: str) -> None:
        match node:
            case ast.Call():
                span = node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0
                self.calls[span] = node
            case ast.Import(names):
                self.modules |= {each.asname or each.name.partition(".")[0]: each.name for each in names}
                self.imports |= {*range(node.lineno, (node.end_lineno or node.lineno) + 1)}
            case ast.ImportFrom(module, names):
                self.modules |= {each.asname or each.name: f"{module}.{each.name}" for each in names}
                self.imports |= {*range(node.lineno, (node.end_lineno or node.lineno) + 1)}
            case ast.Name(name, ast.Store()) if function == MODULE:
                self.variables.add(name)
        if isinstance(node, _REPEATED):
            first, last = (node.body[0], node.body[-1]) if isinstance(node, LOOPS) else (node, node)
            loop = Loop(node.lineno, first.lineno, last.end_lineno or node.lineno)
            self.loops.setdefault(function, []).append(loop)


@cache
def place_of(code: CodeType, offset: int) -> tuple[int, Span | None]:
    """The line of an instruction, and the place of its expression; a jump belongs to what precedes it."""
    positions = list(code.co_positions())[: offset // 2 + 1]
    known = next((each for each in reversed(positions) if each[0] is not None), None)
    if known is None:
        return code.co_firstlineno, None
    line, last, column, end = known
    assert line is not None
    if known is not positions[-1] or last is None or column is None or end is None:
        return line, None
    return line, (line, column, last, end)

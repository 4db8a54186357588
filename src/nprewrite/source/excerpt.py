"""The part of a module's text that decides what one of its functions is rewritten to.

A module may have hundreds of functions, each rewritten for its own calls: all of them would be read again for
each.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property, lru_cache

from nprewrite.base.syntax import text_tree, walk, words_in
from nprewrite.source.kept import kept
from nprewrite.source.names import first_line

_END = re.compile(r"\r\n|\r|\n")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_NOT_READ = '"""Not read here.'
_GONE = re.compile(rf'{_NOT_READ}[\r\n]*"""')
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_KEPT_MODULES = 8
_KEPT_EXCERPTS = 32


@lru_cache(maxsize=_KEPT_MODULES)
def tree_of(text: str) -> ast.Module:
    """The tree of a text, for those who only read it. Raises what ``ast.parse`` raises."""
    return text_tree(text)


def excerpt(text: str, qualname: str, others: Iterable[str] = ()) -> str:
    """The text without the functions that its function ``qualname`` does not lead to, nor ``others``.

    Lines keep their numbers. What is not a function stays, and so does what may bind a name anew in a
    function. Raises what ``ast.parse`` raises.
    """
    return _excerpt(text, frozenset([qualname.split(".")[0], *others]))


@lru_cache(maxsize=_KEPT_EXCERPTS)
def _excerpt(text: str, wanted: frozenset[str]) -> str:
    tree = tree_of(text)
    reached = _reached(tree, wanted)
    lines, ends = [*lines_in(text)], _ends(text)
    for first, end in _joined((each.lines for each in _parts(tree) if each.may_go(reached)), lines):
        # One token: LibCST has a node for each empty line.
        lines[first:end] = ends[first:end]
        lines[first] = f"{_NOT_READ}{lines[first]}"
        lines[end - 1] = f'{lines[end - 1].rstrip()}"""{_end_of(lines[end - 1])}'
    return "".join(lines)


@lru_cache(maxsize=_KEPT_MODULES)
def lines_in(text: str) -> Sequence[str]:
    """The lines of a text as Python counts them, with their ends."""
    return tuple(_LINE.findall(text))


@lru_cache(maxsize=_KEPT_MODULES)
def _ends(text: str) -> Sequence[str]:
    return tuple(map(_end_of, lines_in(text)))


def restored(rewritten: str, excerpted: str, text: str) -> str:
    """What the excerpt of a text was rewritten to, with all that is in the text."""
    lines = lines_in(text)
    removed = iter([_removed(each, excerpted, lines) for each in _GONE.finditer(excerpted)])
    return _GONE.sub(lambda _: next(removed), rewritten)


def _removed(gone: re.Match[str], excerpted: str, lines: Sequence[str]) -> str:
    """The text of the functions for which a string stands in an excerpt."""
    first = len(_END.findall(excerpted[: gone.start()]))
    removed = lines[first : first + len(_END.findall(gone.group())) + 1]
    return "".join(removed).removesuffix(_end_of(removed[-1]))


def _joined(spans: Iterable[tuple[int, int]], lines: Sequence[str]) -> list[tuple[int, int]]:
    """Spans of lines, joined where all lines between two are blank."""
    found: list[tuple[int, int]] = []
    for first, end in spans:
        if found and not any(map(str.strip, lines[found[-1][1] : first])):
            first = found.pop()[0]
        found.append((first, end))
    return found


@dataclass(frozen=True)
class _Part:
    """A statement of a module's body."""

    node: ast.stmt

    @cached_property
    def bound(self) -> frozenset[str]:
        """The names that it may bind, and those of the definitions in it."""
        return frozenset(name for each in walk(self.node) for name in self._names_bound(each))

    @cached_property
    def mentioned(self) -> frozenset[str]:
        """The names and attributes that occur in it."""
        return frozenset(words_in(self.node))

    @cached_property
    def _binds_a_global(self) -> bool:
        return any(isinstance(each, ast.Global) for each in walk(self.node))

    def may_go(self, reached: Set[str]) -> bool:
        """Whether it is a function that is not reached, and binds none of the module's names."""
        if not isinstance(self.node, ast.FunctionDef | ast.AsyncFunctionDef):
            return False
        return not self._binds_a_global and reached.isdisjoint(self.bound)

    @property
    def lines(self) -> tuple[int, int]:
        """Its first line, counted from 0, and the one after its last."""
        assert self.node.end_lineno is not None
        return first_line(self.node) - 1, self.node.end_lineno

    def _names_bound(self, node: ast.AST) -> Sequence[str]:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                return [name]
            case ast.Name(id=name, ctx=ast.Store()) if not isinstance(self.node, _DEFINITIONS):
                return [name]
        return []


@kept
def _parts(tree: ast.Module) -> Sequence[_Part]:
    return [*map(_Part, tree.body)]


@kept
def _binding(tree: ast.Module) -> Mapping[str, Sequence[_Part]]:
    """For each name the parts that may bind it."""
    found: dict[str, list[_Part]] = {}
    for part in _parts(tree):
        for name in part.bound:
            found.setdefault(name, []).append(part)
    return found


def _reached(tree: ast.Module, names: Iterable[str]) -> set[str]:
    """All names that those parts mention that bind one of ``names``, or a name that such a part mentions."""
    found, pending = set[str](), [*names]
    while pending:
        name = pending.pop()
        if name not in found:
            found.add(name)
            pending += (each for part in _binding(tree).get(name, ()) for each in part.mentioned)
    return found


def _end_of(line: str) -> str:
    return line[len(line.rstrip("\r\n")) :]

"""Comments that keep passes away: ``# nprewrite: off`` to ``on``, ``# nprewrite: ignore[NPR101]`` on a line.

A comment on a line holds for the whole logical line that it stands in; for a loop that is its header.
A region holds for whatever touches one of its lines.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from nprewrite.base.syntax import name_nodes
from nprewrite.engine.outcomes import Options, Outcome, Site
from nprewrite.program.function import Function
from nprewrite.source.document import Document
from nprewrite.source.edits import NodeEdit

CODE = "NPR001"
NAME = "suppression"

_COMMENT = re.compile(r"#\s*nprewrite:\s*(?P<words>[^#]*)")
_IGNORE = re.compile(r"ignore(?:\[(?P<codes>[^\]]*)\])?")
_BETWEEN = {tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT}


@dataclass
class Suppression:
    """One comment: the lines it holds for and the codes, None for all; what is wrong with it, if anything.

    ``used`` are the codes of the passes that it has kept away.
    """

    line: int
    column: int
    words: str
    lines: range = range(0)
    codes: frozenset[str] | None = None
    region: bool = False
    wrong: str | None = None
    used: set[str] = field(default_factory=set)


class Suppressions:
    """The suppressions of one text."""

    def __init__(self, text: str) -> None:
        # Few files have such a comment, and tokenizing is slow.
        self.all = list(_read(text)) if "nprewrite:" in text else []

    def hold_site(self, code: str, node: ast.expr | ast.stmt, function: Function) -> bool:
        """Whether a comment keeps a pass away from a site; that of a step counts at its loops too."""
        if not self.all:
            return False
        document = function.document
        origins = document.origins
        last = node.end_lineno or node.lineno
        here = [document.position(node)[0]]
        if function.step is not None:
            named = name_nodes(document.tree)
            here += [origins[each.lineno - 1].line for each in named if each.id == function.name]
        spanned = [origins[line - 1].line for line in range(node.lineno, last + 1)]
        return self._hold(code, here, [*here, *spanned])

    def hold_edits(self, code: str, edits: Iterable[NodeEdit], document: Document) -> bool:
        """Whether an edit reaches into a region that is off, though its site lies outside."""
        if not self.all:
            return False
        touched = [line for edit in edits for line in document.lines_between(*document.span(edit.node))]
        return self._hold(code, (), touched)

    def _hold(self, code: str, lines: Sequence[int], touched: Iterable[int]) -> bool:
        """Whether a site is left alone: it is reported on ``lines``, and spans ``touched``."""
        spanned = list(touched)
        holding = [
            each
            for each in self.all
            if (each.codes is None or code in each.codes)
            and any(line in each.lines for line in (spanned if each.region else lines))
        ]
        for each in holding:
            each.used.add(code)
        return bool(holding)

    def unused(
        self, options: Options, known: Collection[str], unfinished: Sequence[range] = ()
    ) -> Iterator[Site]:
        """The comments, and the codes in them, that suppress nothing.

        ``known`` are the codes of all passes. Comments for passes that did not run are not judged, nor are
        those on the ``unfinished`` lines of functions that the decorator rewrites at a call.
        """
        for each in self.all:
            waits = options.stop_after is not None or any(each.line in lines for lines in unfinished)
            for message, advice in _idle(each, options, known, judged=not waits):
                yield Site(each.line, each.column, CODE, NAME, Outcome.UNUSED, message, help=advice)


def _idle(
    each: Suppression, options: Options, known: Collection[str], *, judged: bool
) -> Iterator[tuple[str, str]]:
    """What in a comment suppresses nothing, and what to do about it."""
    if each.wrong is not None:
        yield each.wrong, "correct it, or remove it"
        return
    codes = each.codes or frozenset()
    unknown = sorted(codes - frozenset(known))
    if unknown:
        which = f"{', '.join(unknown)} in `{each.words}` is not the code of a pass"
        yield which, "`nprewrite pass` lists the codes"
    if not judged:
        return
    idle = sorted(code for code in codes - each.used if code in known and options.runs(code))
    if (each.codes is None and not each.used) or (idle and codes == set(idle)):
        yield f"`{each.words}` suppresses nothing", "remove it"
    elif idle:
        yield f"{', '.join(idle)} in `{each.words}` suppresses nothing", "remove it"


def _read(text: str) -> Iterator[Suppression]:
    """The comments in order; the last ``off`` holds to the end of the text."""
    opened: Suppression | None = None
    for comment, lines in _comments(text):
        found = _COMMENT.search(comment.string)
        if found is None:
            continue
        words = found["words"].strip()
        line, column = comment.start[0], comment.start[1] + 1
        each = Suppression(line, column, words)
        if words == "off" and opened is None:
            each.region = True
            each.lines = range(line, sys.maxsize)
            opened = each
        elif words == "on" and opened is not None:
            opened.lines = range(opened.line, line + 1)
            opened = None
            continue
        else:
            _single(each, lines)
        yield each


def _single(each: Suppression, lines: range) -> None:
    """Read ``ignore`` and ``ignore[codes]``; say what is wrong with any other words."""
    found = _IGNORE.fullmatch(each.words)
    if each.words in ("on", "off"):
        other = "an `off` before it" if each.words == "on" else "an `on` since the last one"
        each.wrong = f"`{each.words}` suppresses nothing without {other}"
    elif found is None:
        each.wrong = f"`{each.words}` is none of off, on, ignore and ignore[CODE, ...]"
    else:
        each.lines = lines
        codes = found["codes"]
        each.codes = None if codes is None else frozenset(re.findall(r"[^\s,]+", codes))
        if each.codes is not None and not each.codes:
            each.wrong = f"`{each.words}` names no code"
        elif not lines:
            each.wrong = f"`{each.words}` suppresses nothing on a line of its own: put it behind the code"


def _comments(text: str) -> Iterator[tuple[tokenize.TokenInfo, range]]:
    """Each comment with the lines of the logical line around it; none where it stands alone."""
    waiting: list[tokenize.TokenInfo] = []
    first: int | None = None
    for token in tokenize.generate_tokens(io.StringIO(text, newline=None).readline):
        if token.type == tokenize.COMMENT:
            if first is None:
                yield token, range(0)
            else:
                waiting.append(token)
        elif token.type == tokenize.NEWLINE:
            if first is not None:
                yield from ((each, range(first, token.start[0] + 1)) for each in waiting)
            waiting, first = [], None
        elif token.type not in _BETWEEN and first is None:
            first = token.start[0]

"""In IPython and Jupyter: ``%load_ext nprewrite``, ``%%nprewrite`` on a cell, ``%nprewrite on`` for all that
follow, ``%%nprewrite_profile`` to see where the time of a cell goes.

The text of a cell stays as the user wrote it, for tracebacks and ``inspect.getsource``; what runs is the tree
of the rewritten text, with the user's lines.
"""

from __future__ import annotations

import ast
import builtins
import hashlib
import html
import linecache
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from nprewrite.base.columns import in_columns
from nprewrite.base.errors import OF_SYNTAX, reported, unheard, warn
from nprewrite.base.syntax import text_tree, walk
from nprewrite.config import ConfigurationProblem, Configurations
from nprewrite.engine.cells import of_session, rewrite_cell
from nprewrite.engine.outcomes import InternalError, Rewriting, Site
from nprewrite.engine.pipeline import rewrite_around_faults
from nprewrite.loading.apart import Names, apart
from nprewrite.source.problems import SourceProblem

_MARK = "%%nprewrite"
_COMMENT = "# %%nprewrite"
_CELL = "<cell>"
_CELLS = "__nprewrite__"
"""A name in builtins, because cells share one namespace: it holds, by cell, the names added to it."""
_COLUMNS = ("line", "code", "pass", "verdict", "explanation")


@dataclass(frozen=True)
class Table:
    """The sites of a cell, as a table."""

    sites: tuple[Site, ...]

    def rows(self) -> list[tuple[str, ...]]:
        """One row for each site, as text."""
        return [
            (str(site.line), site.code, site.pass_name, site.verdict, site.explanation) for site in self.sites
        ]

    def __repr__(self) -> str:
        if not self.sites:
            return "nprewrite: nothing to rewrite"
        return "\n".join(in_columns([_COLUMNS, *self.rows()]))

    def _repr_html_(self) -> str:
        if not self.sites:
            return f"<p>{self!r}</p>"
        head = "".join(f"<th>{each}</th>" for each in _COLUMNS)
        rows = ("".join(f"<td>{html.escape(cell)}</td>" for cell in row) for row in self.rows())
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _is_cell(file: str) -> bool:
    """Whether code of this file name is that of a cell: its text is kept, and in no file."""
    return file in linecache.cache and not os.path.isfile(file)


class Cells:
    """What the extension does to the cells of one shell."""

    def __init__(self, shell: Any) -> None:
        self.shell = shell
        self.always = False
        self._text = ""

    def unmark(self, lines: list[str]) -> list[str]:
        """The cell with ``%%nprewrite`` as a comment, so that no line moves."""
        first = next((position for position, line in enumerate(lines) if line.strip()), None)
        if first is not None and lines[first].strip() == _MARK:
            return [*lines[:first], f"{_COMMENT}\n", *lines[first + 1 :]]
        return lines

    def note(self, lines: list[str]) -> list[str]:
        """Keep the text of the cell that is about to be parsed."""
        self._text = "".join(lines)
        return lines

    @unheard(*OF_SYNTAX)
    def visit(self, tree: ast.Module) -> ast.Module:
        """The tree of the rewritten cell; IPython calls this with the tree of each cell."""
        marked = self._text.lstrip().startswith(f"{_COMMENT}\n")
        if not marked and not self.always:
            return tree
        rewriting = self._rewritten()
        if rewriting is None:
            return tree
        if marked or rewriting.sites:
            from IPython.display import display

            display(Table(rewriting.sites))  # type: ignore[no-untyped-call]
        return _with_lines_of(rewriting) if rewriting.changed else tree

    def _rewritten(self) -> Rewriting | None:
        """The cell rewritten; None, with a warning, where it runs as written."""
        try:
            options = Configurations().of(os.curdir).choices(None).options()
            around = of_session(self.shell.user_ns)
            done = rewrite_cell(self._text, around, lambda cell: rewrite_around_faults(cell, _CELL, options))
        except (SourceProblem, ConfigurationProblem) as problem:
            warn(f"the cell runs as written: {problem}", _CELL, 1)
            return None
        except InternalError as fault:
            warn(f"the cell runs as written: {reported(fault)}", _CELL, 1)
            return None
        for each in done.faults:
            warn(each, _CELL, 1)
        return done

    def profile(self, line: str, cell: str) -> None:
        """``%%nprewrite_profile``: run the cell as it is written, and show where its time goes."""
        from nprewrite.profiling.profile import profiled
        from nprewrite.profiling.sampling import Sampler
        from nprewrite.profiling.text import text_of

        sampler = Sampler(_is_cell)
        with sampler:
            self.shell.run_cell(cell)
        around = of_session(self.shell.user_ns)
        made = profiled("the cell", "%nprewrite on", sampler.samples, _is_cell, Configurations(), around)
        print(text_of(made))

    def magic(self, line: str) -> None:
        """``%nprewrite on``, ``%nprewrite off``."""
        word = line.strip()
        if word not in ("on", "off"):
            print("%nprewrite on rewrites all cells that follow, %nprewrite off ends it")
            return
        self.always = word == "on"


def _with_lines_of(rewriting: Rewriting) -> ast.Module:
    """The tree of the rewritten text, with the positions of the user's text."""
    tree = _apart(rewriting)
    before, after = rewriting.source.splitlines(), rewriting.text.splitlines()
    for node in walk(tree):
        if isinstance(
            node, ast.expr | ast.stmt | ast.excepthandler | ast.arg | ast.keyword | ast.alias | ast.pattern
        ):
            _move(node, rewriting.origins, before, after)
    return tree


@unheard(*OF_SYNTAX)
def _apart(rewriting: Rewriting) -> ast.Module:
    """The tree with its added names apart from the user's.

    The same cell run again has them in the same place, which frees the earlier ones.
    """
    text = rewriting.text
    file = f"<nprewrite {hashlib.sha256(text.encode()).hexdigest()[:16]}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    cells: dict[str, Names] = vars(builtins).setdefault(_CELLS, {})
    return apart(
        rewriting.source,
        text,
        text_tree(text),
        cells.setdefault(file, Names()),
        lambda: ast.Subscript(ast.Name(_CELLS, ast.Load()), ast.Constant(file), ast.Load()),
        lambda tree: compile(tree, file, "exec", dont_inherit=True),
    )


def _move(node: Any, origins: Sequence[int], before: Sequence[str], after: Sequence[str]) -> None:
    line, last = node.lineno, node.end_lineno
    here, there = origins[line - 1], origins[last - 1]
    same = all(before[origins[each - 1] - 1] == after[each - 1] for each in (line, last))
    node.lineno, node.end_lineno = here, max(here, there)
    if not same or there < here:
        # Columns of another text would be wrong; compile takes -1 for none.
        node.end_lineno, node.col_offset, node.end_col_offset = here, -1, -1


_shells: dict[int, Cells] = {}


def load_ipython_extension(shell: Any) -> None:
    """``%load_ext nprewrite``."""
    if id(shell) in _shells:
        return
    cells = _shells[id(shell)] = Cells(shell)
    shell.input_transformers_cleanup.append(cells.unmark)
    shell.input_transformers_post.append(cells.note)
    shell.ast_transformers.append(cells)
    shell.register_magic_function(cells.magic, "line", "nprewrite")
    shell.register_magic_function(cells.profile, "cell", "nprewrite_profile")


def unload_ipython_extension(shell: Any) -> None:
    """``%unload_ext nprewrite``."""
    cells = _shells.pop(id(shell), None)
    if cells is None:
        return
    shell.input_transformers_cleanup.remove(cells.unmark)
    shell.input_transformers_post.remove(cells.note)
    shell.ast_transformers.remove(cells)
    shell.magics_manager.magics["line"].pop("nprewrite", None)
    shell.magics_manager.magics["cell"].pop("nprewrite_profile", None)

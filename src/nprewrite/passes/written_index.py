"""Slices, and tuples of them, written where their names are used as indices.

    inner = slice(1, -1)
    u[inner, 0] = v[inner, 0]          u[1:-1, 0] = v[1:-1, 0]

Why: array code and steps take slices that the text shows; a name for one could stand for anything.

Safety: one statement binds the name, all that read it are indices below that statement, and the bounds are
numbers or names that do not change in between.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import islice

from nprewrite.analysis.written_indices import WrittenIndex, with_index, written_indices
from nprewrite.passes.contract import Change
from nprewrite.passes.serving_pass import ServingPass
from nprewrite.program.function import Function
from nprewrite.source.edits import NodeEdit, Replace
from nprewrite.source.nodes import expression


class WrittenIndexPass(ServingPass[WrittenIndex]):
    """NPR610."""

    code = "NPR610"
    name = "written-index"
    summary = "names of slices become the slices where they are used (with @nprewrite.jit)"

    def found(self, function: Function) -> Iterator[WrittenIndex]:
        """The first name of an index; others, which may be made of it, follow later."""
        return islice(written_indices(function), 1)

    def node(self, site: WrittenIndex) -> ast.stmt:
        return site.statement

    def rewrite(self, site: WrittenIndex, proof: WrittenIndex, function: Function) -> Change:
        """The index in place of the name, whose statement goes."""
        edits: list[NodeEdit] = [Replace(proof.statement, ())]
        for use in proof.uses:
            made = ast.Subscript(ast.Name("{array}"), with_index(use, proof.name, proof.index))
            array = function.document.expression(use.value)
            edits.append(Replace(use, (expression(ast.unparse(made), array=array),)))
        return Change(tuple(edits), message=f"`{proof.name}` is written out where it is an index")

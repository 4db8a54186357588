"""Masks that pick from several arrays, as the positions that they select.

    inside = (lo < z) & (z < hi)       inside = (lo < z) & (z < hi)
    x_in = x[inside]                   inside_at = npr.positions(inside, x, y)
    y_in = y[inside]                   x_in = x[inside_at]
    x[inside] = 2 * x_in               y_in = y[inside_at]
                                       x[inside_at] = 2 * x_in

Why: with a mask NumPy goes through all elements each time, with positions through those that it selects. The
size of ``x[inside]`` depends on the data, so that no compiled step has it.

Safety: exact. The mask and the arrays' names stay as they are between the statements, and where the lengths
differ ``positions`` gives the mask itself.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import islice

from nprewrite.analysis.mask_uses import MaskUses, mask_uses
from nprewrite.passes.contract import Change, Deferral, RewritePass
from nprewrite.passes.level import Level
from nprewrite.program.function import Function
from nprewrite.program.steps import RUNTIME, RUNTIME_ALIAS
from nprewrite.source.edits import Beside, NodeEdit, Replace
from nprewrite.source.functions import yields
from nprewrite.source.nodes import expression, statements


class MaskPositions(RewritePass[MaskUses, MaskUses]):
    """NPR104."""

    code = "NPR104"
    name = "mask-positions"
    summary = "a mask that picks several times is searched once"
    level = Level.EXACT
    repeats = True
    waits = True
    names_attributes = True

    def match(self, function: Function) -> Iterator[MaskUses]:
        """The first mask; others follow, when their uses are known to be left."""
        if function.name not in function.module.taken_out and function.dynamic_call is None:
            yield from islice(mask_uses(function), 1)

    def node(self, site: MaskUses) -> ast.stmt:
        """The first statement that uses the mask."""
        return site.statement

    def check(self, site: MaskUses, function: Function) -> MaskUses | Deferral:
        """The site itself, where no call can show more: array code takes masks, and no positions."""
        decorated = function.name == function.module.jitted
        if function.can_defer and not decorated and not yields(function.node):
            return Deferral(f"`{site.mask}` selects several times", help=None)
        return site

    def rewrite(self, site: MaskUses, proof: MaskUses, function: Function) -> Change:
        """The positions, looked up above the first use, as the index of all."""
        document, names = function.document, function.names
        runtime = names.alias_of(RUNTIME) or names.free(RUNTIME_ALIAS)
        found = names.fresh(f"{proof.mask}_at")
        arrays = {f"array_{k}": document.expression(each) for k, each in enumerate(proof.arrays)}
        places = ", ".join(f"{{{each}}}" for each in arrays)
        mask = document.expression(proof.uses[0].slice)
        text = f"{found} = {runtime}.positions({{mask}}, {places})"
        edits: list[NodeEdit] = [Beside(proof.statement, before=tuple(statements(text, mask=mask, **arrays)))]
        edits += [Replace(each.slice, (expression(found),)) for each in proof.uses]
        message = f"`{proof.mask}` is searched once for {len(proof.uses)} selections"
        return Change(tuple(edits), message=message, imports=(RUNTIME,))

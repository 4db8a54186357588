"""Several iterations of a lanewise step in one call, and an end when no lane is alive.

Why: a call of a compiled step reads and writes every array once; eight iterations a call do that an eighth
as often. When the mask of the stores only ever shrinks, finished lanes need no more work at all.

The chunk's length belongs to the runtime, which runs full chunks and then single steps for the remainder.

Safety: each element evolves by itself (the step's operations are elementwise and its arrays share one
shape, which a guard checks), so chunks compute what single steps do. ``live`` names a mask that stays False
once it is: it reads nothing but constants of the loop and arrays that are stored under it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from nprewrite.facts.function import Function
from nprewrite.facts.shrinking import live_mask
from nprewrite.facts.steps import StepSpec
from nprewrite.passes.contract import Change, Level, Reason, Refusal, RewritePass
from nprewrite.passes.reasons import reason, reasons
from nprewrite.syntax.document import Edit


@dataclass(frozen=True)
class ChunkLoop(RewritePass[Function, StepSpec]):
    """NPR402."""

    code = "NPR402"
    name = "chunk-loop"
    summary = "several iterations of a lanewise step run in one call"
    level = Level.EXACT
    refuses: tuple[Reason, ...] = reasons("NPR402")  # type: ignore[misc]

    def match(self, function: Function) -> Iterator[Function]:
        """Lanewise steps that run one iteration a call."""
        if function.step is not None and function.step.lanewise and not function.step.chunked:
            yield function

    def node(self, site: Function) -> ast.stmt:
        """The step."""
        assert isinstance(site.node, ast.FunctionDef)
        return site.node

    def check(self, site: Function, function: Function) -> StepSpec | Refusal:
        """The step computes every lane (no selection is left in it); find its live mask."""
        assert function.step is not None
        if function.facts.expressions.masked:
            return Refusal(reason("body-refused"), "a selection by a mask is left in the step")
        return replace(function.step, chunked=True, live=live_mask(function))

    def rewrite(self, site: Function, proof: StepSpec, function: Function) -> Change:
        """The decorator, and the mask as one more result."""
        assert isinstance(function.node, ast.FunctionDef)
        message = "several iterations run in one call"
        edits: tuple[Edit, ...] = ()
        if proof.live is not None:
            message += f", until `{proof.live}` selects nothing"
            last = function.node.body[-1]
            assert isinstance(last, ast.Return)
            assert isinstance(last.value, ast.Tuple)
            results = [ast.unparse(each) for each in last.value.elts]
            edits = (Edit(*function.document.span(last.value), ", ".join([*results, proof.live])),)
        return Change(edits, specs={function.node.name: proof}, message=message)

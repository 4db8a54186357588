"""Several iterations of a lanewise step in one call, which end when no lane is alive.

Why: each call of a compiled step reads and writes every array once; with eight iterations a call that happens
an eighth as often. If the mask of the stores only ever shrinks, finished lanes need no more work at all.

The chunk's length belongs to the runtime, which runs full chunks and then single steps for the remainder.

Safety: each element evolves by itself (the step's operations are elementwise and its arrays share one
shape, which a guard checks), so chunks compute what single steps do. ``live`` names a mask that stays False
once it is: it is computed only from constants of the loop and from arrays that are stored under it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from nprewrite.analysis.shrinking import live_mask
from nprewrite.passes.contract import Change, Refusal, StepPass
from nprewrite.passes.level import Level
from nprewrite.program.function import Function
from nprewrite.program.steps import StepSpec
from nprewrite.source.edits import Replace
from nprewrite.source.nodes import expression


class ChunkLoop(StepPass[StepSpec]):
    """NPR402."""

    code = "NPR402"
    name = "chunk-loop"
    summary = "several iterations of a lanewise step run in one call"
    level = Level.EXACT

    def match(self, function: Function) -> Iterator[Function]:
        """Lanewise steps that run one iteration a call."""
        if function.step is not None and function.step.lanewise and not function.step.chunked:
            yield function

    def check(self, site: Function, function: Function) -> StepSpec | Refusal:
        """The step computes every lane (it has no selections left); find its live mask."""
        if function.facts.expressions.masked:
            return Refusal("body-refused", "the step still selects elements by a mask")
        return replace(function.as_step()[1], chunked=True, live=live_mask(function))

    def rewrite(self, site: Function, proof: StepSpec, function: Function) -> Change:
        """The new decorator, and the mask as one more result."""
        node, _ = function.as_step()
        message = "several iterations run in one call"
        if proof.live is None:
            return Change(specs={node.name: proof}, message=message)
        edit = _with_result(proof.live, node, function)
        message += f", until `{proof.live}` selects nothing"
        return Change((edit,), specs={node.name: proof}, message=message)


def _with_result(name: str, node: ast.FunctionDef, function: Function) -> Replace:
    """The edit that makes the step return ``name`` too, as the last of its results."""
    match node.body[-1]:
        case ast.Return(value=ast.Tuple() as value):
            results = [ast.unparse(each) for each in value.elts]
            return Replace(value, (expression(", ".join([*results, name])),))
    raise TypeError(f"the step `{node.name}` does not end with a tuple of its results")

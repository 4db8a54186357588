"""The step is compiled by torch.compile: one graph, without a break.

Why: Inductor fuses the step's operations into one parallel loop over the lanes.

Scalars that change from call to call reach the compiled step as 0-d arrays, in the dtype to which NumPy
converts them: for Python numbers the step would be compiled for every value, or get symbolic arithmetic.

Safety: rounding (Inductor has its own exp, sin and order of operations, and ignores signed zeros). Without
torch, or with ``NPREWRITE_DISABLE=1``, the step runs in NumPy.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from nprewrite.analysis.compiled_meaning import other_meaning
from nprewrite.passes.contract import Change, Refusal, StepPass
from nprewrite.passes.level import Level
from nprewrite.program.function import Function
from nprewrite.types.values import Array


class CompileStep(StepPass[None]):
    """NPR601."""

    code = "NPR601"
    name = "compile"
    summary = "the step is compiled by torch.compile, as one graph"
    level = Level.ROUNDING

    def match(self, function: Function) -> Iterator[Function]:
        """Steps that are not compiled yet."""
        if function.step is not None and not function.step.compile:
            yield function

    def level_of(self, site: Function, function: Function) -> Level:
        """Exact for integers and booleans; rounding for floating point, whose order of operations changes."""
        values = function.facts.expressions.values.values()
        floats = any(isinstance(value, Array) and value.dtype.kind in "fc" for value in values)
        return Level.ROUNDING if floats else Level.EXACT

    def check(self, site: Function, function: Function) -> Refusal | None:
        """Nothing in the step has a shape that depends on data, and nothing is complex throughout."""
        if function.facts.expressions.masked:
            return Refusal("unsupported-operation", "the step still selects elements by a mask")
        different = other_meaning(function)
        if different is not None:
            text = f"`{ast.unparse(different)}` gives another result when compiled"
            return Refusal("unsupported-operation", text)
        values = function.facts.expressions.values.values()
        whole = [value for value in values if isinstance(value, Array) and value.dtype.kind == "c"]
        pairs = any(box.pair for box in function.as_step()[1].boxes.values())
        if whole and not pairs:
            return Refusal("unsupported-operation", "the step still computes with complex arrays")
        return None

    def rewrite(self, site: Function, proof: None, function: Function) -> Change:
        node, spec = function.as_step()
        compiled = replace(spec, compile=True)
        return Change(specs={node.name: compiled}, message="compiled by torch.compile as one graph")

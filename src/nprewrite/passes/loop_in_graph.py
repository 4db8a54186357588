"""The iterations of a step as one compiled loop, where one iteration is too little work for a call.

Why: a call of compiled code costs some ten microseconds, in which NumPy does a handful of operations on a
thousand elements. The loop over the iterations is compiled with them, so that nothing is called in between.

    @npr.step(..., compile=True)    ->    @npr.step(..., compile=True, looped=True)

Safety: the runtime decides by the sizes of the arrays which of the two ways a loop takes. Each statement
becomes a loop over its lanes (the elements that slices select), with NumPy's results: where it stores into an
array of which it reads other elements, everything is computed before anything is stored.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from nprewrite.passes.contract import Change, Refusal, StepPass
from nprewrite.passes.level import Level
from nprewrite.passes.moved_loop import has_numba
from nprewrite.passes.reasons import declared, refused
from nprewrite.program.function import Function
from nprewrite.regions.array_loops.in_graph import loop_problem


class LoopInGraph(StepPass[None]):
    """NPR404."""

    code = "NPR404"
    name = "loop-in-graph"
    summary = "many small iterations of a step run in one call, as a loop that Numba compiles"
    level = Level.EXACT

    def match(self, function: Function) -> Iterator[Function]:
        """Compiled steps of loops over whole arrays."""
        spec = function.step
        if spec is not None and spec.compile and not (spec.lanewise or spec.once or spec.looped):
            yield function

    def check(self, site: Function, function: Function) -> Refusal | None:
        """Every statement is over lanes, no number is needed between iterations, and Numba is installed."""
        _, spec = function.as_step()
        if spec.received:
            text = f"whether the loop goes on depends on `{spec.received[0]}` of the iteration before"
            return Refusal("scalar-carried", text)
        problem = loop_problem(function)
        if problem is not None:
            return refused(declared(problem, self.code, "not-lanewise"))
        return None if has_numba() else Refusal("native-missing", "Numba is not installed")

    def rewrite(self, site: Function, proof: None, function: Function) -> Change:
        node, spec = function.as_step()
        message = "small iterations run in a loop that is compiled as a whole"
        return Change(specs={node.name: replace(spec, looped=True)}, message=message)

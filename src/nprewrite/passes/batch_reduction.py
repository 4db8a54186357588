"""A loop that reduces the same arrays to numbers in each iteration, as one pass for many iterations.

Why: each iteration reads every array from memory, once for every operation; many iterations together can
read each block of the arrays once.

    for i in range(n):
        res[i] = data[r < edge[i]].mean()

becomes

    for i, mean_i in _f_reduction.over(range(n), lambda i: (edge[i],), (data, r), (res,), (edge,)):
        res[i] = mean_i

Safety: rounding (sums are added in another order). The iterations are independent: the reductions read
nothing that the loop stores into, which a guard checks at run time.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import libcst as cst

from nprewrite.analysis.reduction_effects import LoopReductions
from nprewrite.emit.steps.text import tuple_text
from nprewrite.lowering.reductions import reduction_of
from nprewrite.passes.contract import AddedFunction, Change, Deferral, LoopPass, LoopSite, Refusal
from nprewrite.passes.level import Level
from nprewrite.passes.moved_loop import followed
from nprewrite.program.function import Function
from nprewrite.program.steps import NativeSpec
from nprewrite.regions.array_loops.batched_reductions import loop_reductions
from nprewrite.source.edits import Replace
from nprewrite.source.nodes import call, expression, fitted, listed, statements

_NAMES = {"sum": "total", "count": "count", "nonzero": "count"}


Site = LoopSite[LoopReductions]


class BatchReduction(LoopPass[LoopReductions]):
    """NPR408."""

    code = "NPR408"
    name = "batch-reduction"
    summary = "reductions of the same arrays in many iterations are computed in one pass over the arrays"
    level = Level.ROUNDING
    waits = True

    def match(self, function: Function) -> Iterator[Site]:
        """Loops over ranges that reduce arrays which they do not bind."""
        for statement in function.statements():
            found = loop_reductions(statement, function) if isinstance(statement, ast.For) else None
            if found is not None and isinstance(statement, ast.For):
                yield Site(statement, found)

    def check(self, site: Site, function: Function) -> LoopReductions | Refusal | Deferral:
        """The reductions have been followed already; Numba must be installed."""
        return followed(site.found, function)

    def rewrite(self, site: Site, proof: LoopReductions, function: Function) -> Change:
        """The reductions in a function of their own, and the loop over its results."""
        names, loop = function.names, proof.loop
        results: dict[str, str] = {}
        edits = []
        for node, text in proof.nodes:
            if text not in results:
                found = reduction_of(node, function.dotted)
                assert found is not None
                results[text] = names.fresh(f"{_NAMES.get(found[0], found[0])}_{proof.target}")
            edits.append(Replace(node, (expression(results[text]),)))
        name = names.fresh(f"_{function.name.rpartition('.')[2].strip('_')}_reduction")
        bound = ", ".join(results.values())
        target = f"{proof.target}, {bound if len(results) == 1 else f'({bound})'}"
        edits.append(Replace(loop.target, (expression(target),)))
        edits.append(Replace(loop.iter, (self._header(name, target, proof, function),)))
        edits += [Replace(each, ()) for each in proof.removed]
        parameters = [*proof.scalars.values(), *proof.arrays]
        what = f'"""The reductions of the loop over `{proof.target}` in `{function.name}`."""'
        body = statements(f"{what}\nreturn {listed([*results], len('    return '))}")
        before = function.top_level_statement(loop)
        step = AddedFunction(name, NativeSpec("reduction"), parameters, body, before, loop)
        return Change(tuple(edits), step, message=f"many iterations are computed in one pass by `{name}`")

    def _header(self, name: str, target: str, proof: LoopReductions, function: Function) -> cst.Call:
        """``_f_reduction.over(range(n), lambda i: (lo[i],), (data,), (res,), (lo,))``."""
        document, loop = function.document, proof.loop
        arguments = [f"lambda {proof.target}: {tuple_text([*proof.scalars])}", tuple_text(proof.arrays)]
        arguments += [tuple_text(each) if each else "()" for each in (proof.stored, proof.read)]
        while arguments[-1] == "()":
            arguments.pop()
        made = call(expression(f"{name}.over"), [document.expression(loop.iter), *map(expression, arguments)])
        return fitted(made, loop.col_offset + len(f"for {target} in :"), document.indent)

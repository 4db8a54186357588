"""The array statements of a loop that does other things too, as a step that runs in the loop.

Why: most programs record, print or draw while they compute. Their loops cannot be steps as a whole, but most
of their work can.

    with _heat_step.running(u=u) as run:
        for n in range(trips):
            if not run.advance():
                u[1:-1] += 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])      # as written
            if n % 10 == 0:
                run.store()
                frames.append(u.copy())

Safety: the other statements run where they are, in order. Before one that may see an array of the step, the
user's array is brought up to date, and afterwards the step reads it again.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from nprewrite.analysis.rounding import rounds
from nprewrite.emit.steps.part_text import part_edit
from nprewrite.emit.steps.spec import scalar_parts, step_spec
from nprewrite.emit.steps.text import Leaf, step_body
from nprewrite.passes.contract import AddedFunction, Change, Deferral, LoopSite, Refusal, RewritePass
from nprewrite.passes.level import Level
from nprewrite.passes.reasons import declared, stays
from nprewrite.program.function import Function
from nprewrite.regions.array_loops.part import PartOfLoop, part_of_loop
from nprewrite.types.problems import Problem

Site = LoopSite[PartOfLoop]


class ExtractPart(RewritePass[Site, tuple[Leaf, ...]]):
    """NPR409."""

    code = "NPR409"
    name = "extract-part"
    summary = "the array statements of a loop that does other things too become a step"
    level = Level.EXACT
    extracts = True
    names_attributes = True
    waits = True

    def match(self, function: Function) -> Iterator[Site]:
        """Loops most of whose work a step could do."""
        if function.step is not None:
            return
        for statement in function.statements():
            if isinstance(statement, ast.For | ast.While):
                found = part_of_loop(statement, function)
                if found is not None:
                    yield Site(statement, found)

    def level_of(self, site: Site, function: Function) -> Level:
        """Rounding where contiguous copies give other last bits."""
        if isinstance(site.found, Problem):
            return Level.EXACT
        body = site.found.body
        return Level.ROUNDING if any(rounds(each, body.view) for each in body.statements) else Level.EXACT

    def node(self, site: Site) -> ast.stmt:
        """The loop."""
        return site.loop

    def check(self, site: Site, function: Function) -> tuple[Leaf, ...] | Refusal | Deferral:
        """The loop has been taken apart already; its numbers must fit boxes."""
        found = site.found if isinstance(site.found, Problem) else scalar_parts(site.found.flow)
        if not isinstance(found, Problem):
            return found
        return stays(declared(found, self.code, "not-array-code"), function)

    def rewrite(self, site: Site, proof: tuple[Leaf, ...], function: Function) -> Change:
        """The step, and the loop around it."""
        part = site.found
        assert isinstance(part, PartOfLoop)
        flow = part.flow
        out = tuple(name for name in part.live if name not in flow.carried)
        # What stays within the iterations must not be memory of another array.
        spec = step_spec(flow, proof, out, once=True)
        spec = replace(spec, read_first=(), given=part.given, previous=part.previous)
        stem = "module" if isinstance(function.node, ast.Module) else function.node.name.strip("_")
        name = function.names.fresh(f"_{stem}_step")
        where = "the module" if function.name == "<module>" else f"`{function.name}`"
        what = f"The array statements of an iteration of the loop in {where}."
        body = step_body(part.flow, proof, spec, what)
        edit = part_edit(part, name, spec, proof, function)
        before = function.top_level_statement(site.loop)
        step = AddedFunction(name, spec, spec.signature(), body, before, site.loop)
        return Change((edit,), step, message=f"the array statements of the loop run as `{name}`")

"""What passes share that turn loops into statements over whole arrays, by plans made when they are found."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import ClassVar

from nprewrite.emit.array_code.plans import Plan
from nprewrite.emit.guarded_text import guarded
from nprewrite.passes.contract import Change, Deferral, Refusal, RewritePass
from nprewrite.passes.level import Level
from nprewrite.passes.reasons import refused
from nprewrite.program.function import Function
from nprewrite.types.problems import Problem


@dataclass(frozen=True)
class LoopSite:
    """A loop, and what it can become, or why nothing."""

    loop: ast.For
    plan: Plan | Problem


class PlannedLoop(RewritePass[LoopSite, Plan]):
    """A pass whose sites are loops with plans; ``becomes`` says in the report what a loop becomes."""

    becomes: ClassVar[str]
    waits = True
    names_attributes = True

    def level_of(self, site: LoopSite, function: Function) -> Level:
        """Rounding where sums are taken in another order, or elementary functions of whole arrays."""
        return Level.ROUNDING if isinstance(site.plan, Plan) and site.plan.rounds else Level.EXACT

    def node(self, site: LoopSite) -> ast.stmt:
        return site.loop

    def check(self, site: LoopSite, function: Function) -> Plan | Refusal | Deferral:
        """The plan, or why there is none."""
        plan = site.plan
        if isinstance(plan, Plan):
            return plan
        if plan.parameter is not None and function.can_defer:
            return Deferral.of(plan, function)
        return refused(plan)

    def rewrite(self, site: LoopSite, proof: Plan, function: Function) -> Change:
        """Both versions under a condition, or the whole-array statements alone where there is none."""
        versions = [each for each in (proof.version, proof.general) if each is not None]
        edits = guarded(site.loop, versions, function, proof.made)
        imports = ("nprewrite.runtime",) if proof.version[1] else ()
        names = ", ".join(f"`{each}`" for each in proof.lanes)
        loops = "loop" if len(proof.lanes) == 1 else "loops"
        became = proof.became or self.becomes
        return Change(tuple(edits), message=f"the {loops} over {names} became {became}", imports=imports)

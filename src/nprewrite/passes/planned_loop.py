"""What passes share that turn loops into statements over whole arrays, by plans made when they are found."""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Iterator
from typing import ClassVar

from nprewrite.emit.array_code.plans import Plan
from nprewrite.emit.guarded_text import guarded
from nprewrite.passes.contract import Change, Deferral, LoopPass, LoopSite, Refusal
from nprewrite.passes.level import Level
from nprewrite.passes.reasons import stays
from nprewrite.program.function import Definition, Function
from nprewrite.program.guarded_versions import is_guarded
from nprewrite.types.problems import Problem

Planned = Plan | Problem


Site = LoopSite[Plan]


class PlannedLoop(LoopPass[Plan]):
    """A pass whose sites are loops with plans; ``becomes`` says in the report what a loop becomes."""

    becomes: ClassVar[str]
    waits = True
    names_attributes = True

    def match(self, function: Function) -> Iterator[Site]:
        """The outermost loops of which a user would expect it; those inside a loop that is none."""
        if function.step is not None or not isinstance(function.node, Definition):
            return
        done: set[ast.stmt] = set()
        for statement in function.statements():
            if not isinstance(statement, ast.For) or not done.isdisjoint(function.outer(statement)):
                continue
            if any(is_guarded(each, function.names, function.node) for each in function.outer(statement)):
                continue
            plan = self.planned(statement, function)
            if plan is not None:
                done.add(statement)
                yield LoopSite(statement, plan)

    @abstractmethod
    def planned(self, loop: ast.For, function: Function) -> Planned | None:
        """What a loop can become, or why nothing; None where nobody would expect it of this loop."""

    def level_of(self, site: Site, function: Function) -> Level:
        """Rounding where sums are taken in another order, or elementary functions of whole arrays."""
        return Level.ROUNDING if isinstance(site.found, Plan) and site.found.rounds else Level.EXACT

    def check(self, site: Site, function: Function) -> Plan | Refusal | Deferral:
        """The plan, or why there is none."""
        return site.found if isinstance(site.found, Plan) else stays(site.found, function)

    def rewrite(self, site: Site, proof: Plan, function: Function) -> Change:
        """Both versions under a condition, or the whole-array statements alone where there is none."""
        versions = [each for each in (proof.version, proof.general) if each is not None]
        edits = guarded(site.loop, versions, function, proof.made)
        imports = ("nprewrite.runtime",) if proof.version[1] else ()
        names = ", ".join(f"`{each}`" for each in proof.lanes)
        loops = "loop" if len(proof.lanes) == 1 else "loops"
        became = proof.became or self.becomes
        return Change(tuple(edits), message=f"the {loops} over {names} became {became}", imports=imports)

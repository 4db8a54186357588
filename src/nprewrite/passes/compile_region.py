"""Array statements outside loops as a step that runs once.

Why: torch.compile fuses them. In a function that also prints, reads files or draws random numbers, the array
code is compiled all the same, and the rest stays where it is.

    for once in (region := _f_region.over(range(1), x=x, y=y)):
        d = x - y
        return np.sqrt((d * d).sum(axis=1))
    (result,) = region.results
    return result

Safety: as for a loop, the statements as written run where a guard refuses. Only ``@nprewrite.jit`` uses this
pass, because it measures whether it is faster.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from nprewrite.analysis.inlining import followed_call
from nprewrite.analysis.rounding import rounds
from nprewrite.emit.steps.spec import renewed, scalar_parts, step_spec
from nprewrite.emit.steps.text import Leaf, in_caller, loop_call, step_body, tuple_text, under_loop
from nprewrite.passes.contract import AddedFunction, Change, Deferral, Refusal, RewritePass
from nprewrite.passes.level import Level
from nprewrite.passes.reasons import declared, stays
from nprewrite.program.function import Function
from nprewrite.regions.statements import Region, regions
from nprewrite.source.functions import yields
from nprewrite.source.nodes import expression
from nprewrite.types.problems import Problem


@dataclass(frozen=True)
class Followed:
    """A call in a loop, and the function of the file that the decorator puts in its place."""

    call: ast.Call
    callee: ast.FunctionDef


Site = Region | Problem | Followed


class CompileRegion(RewritePass[Site, tuple[Leaf, ...]]):
    """NPR603."""

    code = "NPR603"
    name = "compile-region"
    summary = "array statements outside of loops become a step that runs once (with @nprewrite.jit)"
    level = Level.EXACT
    extracts = True
    names_attributes = True
    waits = True

    def match(self, function: Function) -> Iterator[Site]:
        """The regions of the decorated function, and the statements over arrays that are in none.

        Without the decorator, a call in a loop of a function that is worth decorating.
        """
        if function.step is None and function.name == function.module.jitted:
            yield from regions(function)
        elif function.step is None and function.module.jitted is None and not yields(function.node):
            found = followed_call(function)
            if found is not None:
                yield Followed(*found)

    def level_of(self, site: Site, function: Function) -> Level:
        """Rounding where contiguous copies give other last bits."""
        if isinstance(site, Followed):
            return Level.EXACT
        statements = site.statements if isinstance(site, Region) else (site.node,)
        return Level.ROUNDING if any(rounds(each, function) for each in statements) else Level.EXACT

    def node(self, site: Site) -> ast.expr | ast.stmt:
        """The first statement, or the one that is not followed, or the call."""
        if isinstance(site, Followed):
            return site.call
        return site.statements[0] if isinstance(site, Region) else site.node

    def check(self, site: Site, function: Function) -> tuple[Leaf, ...] | Refusal | Deferral:
        """The statements have been followed already; their scalars must fit boxes."""
        if isinstance(site, Followed):
            return _waiting(site, function)
        leaves = site if isinstance(site, Problem) else scalar_parts(site.flow)
        if not isinstance(leaves, Problem):
            return leaves
        return stays(declared(leaves, self.code, "not-array-code"), function)

    def rewrite(self, site: Site, proof: tuple[Leaf, ...], function: Function) -> Change:
        """The step, and the statements as the body of its loop of one iteration."""
        assert isinstance(site, Region)
        names, flow = function.names, site.flow
        out = tuple(name for name in site.live if name not in flow.carried)
        spec = step_spec(flow, proof, out, once=True, renewed=renewed(flow))
        stem = function.name.rpartition(".")[2].strip("_")
        name, once, region = names.fresh(f"_{stem}_region"), names.fresh("once"), names.fresh("region")
        first = site.statements[0]
        made = loop_call(name, expression("range(1)"), once, spec, proof, flow.body, first)
        named = expression("({region} := {made})", region=region, made=made)
        bound = [flow.body.spelling.get(each, each) for each in (*spec.carried, *spec.out)]
        after = _after(site, region, bound)
        edits = under_loop(once, named, site.statements, after, function.document)
        body = step_body(flow, proof, spec, f"Lines of `{function.name}`.")
        above = function.top_level_statement(first)
        step = AddedFunction(name, spec, spec.signature(), body, above, first)
        count = len(site.statements)
        message = f"{count} statement{'s' if count > 1 else ''} run as `{name}`"
        return Change(tuple(edits), step, message=message)


def _waiting(site: Followed, function: Function) -> Refusal | Deferral:
    """The function with the loop gets the decorator; for a loop of the module, the function that it calls."""
    name = site.callee.name
    if function.can_defer:
        return Deferral(f"the call of `{name}` is inlined at the first call of the function", help=None)
    if isinstance(function.node, ast.Module) and function.module.function_named(name) is site.callee:
        return Deferral(f"`{name}` is rewritten at its first call", help=None, called=name)
    return Refusal("not-array-code", f"`{name}(...)` is only followed by the decorator")


def _after(site: Region, region: str, bound: list[str]) -> str:
    names = tuple_text(bound)
    if site.results:
        return f"{names} = {region}.results\nreturn {', '.join(site.results)}"
    lines = [f"if {region}.finished:\n    {names} = {region}.results"] if bound else []
    flow, spelling = site.flow, site.flow.body.spelling
    for name in site.numbers:
        value = in_caller(flow.substituted(flow.scalars[name]), spelling)
        lines.append(f"{spelling.get(name, name)} = {value}")
    return "\n".join(lines)

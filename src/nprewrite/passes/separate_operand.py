"""Array code and what cannot be compiled, separated from one statement into two.

    x = x + dt * model.slope(x)        slope_value = model.slope(x)
                                       x = x + dt * slope_value

Why: a region ends at a statement with something that Python must do itself. If that is bound to a name before
the statement, only that stays outside.

Safety: everything that the statement evaluates before the part keeps its order. Only ``@nprewrite.jit`` uses
this pass, because only there have the types of unknown values been seen.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from nprewrite.analysis.operands import Operand, same_views, separable, stem
from nprewrite.analysis.repeated_views import taken_before
from nprewrite.passes.contract import Change
from nprewrite.passes.moved_loop import has_numba
from nprewrite.passes.serving_pass import ServingPass
from nprewrite.program.function import Function
from nprewrite.regions.native.loops import NativeRegion, native_region, regions
from nprewrite.source.edits import Beside, NodeEdit, Replace
from nprewrite.source.nodes import expression, statements


class SeparateOperand(ServingPass[Operand]):
    """NPR604."""

    code = "NPR604"
    name = "separate-operand"
    summary = "a call or attribute in array code is bound to a name before it (with @nprewrite.jit)"

    def found(self, function: Function) -> Iterator[Operand]:
        """One part of each statement; others follow once it is separated."""
        found: set[tuple[ast.AST, str]] = set()
        native = _native_loops(function)
        for statement in function.statements():
            operand = separable(statement, function) if native.isdisjoint(function.outer(statement)) else None
            if operand is None:
                continue
            # A part that occurs twice in a block may have a name once the first one is separated.
            taken = function.around(statement), ast.unparse(operand.node)
            if taken not in found:
                found.add(taken)
                yield operand

    def node(self, site: Operand) -> ast.expr:
        return site.node

    def rewrite(self, site: Operand, proof: Operand, function: Function) -> Change:
        """The parts bound to names, in order, and the names in their places."""
        document, statement = function.document, site.statement
        edits: list[NodeEdit] = []
        for part in (*site.before, site.node):
            taken = taken_before(part, statement, function)
            name = taken or function.names.fresh(stem(part))
            if taken is None:
                bound = statements("{name} = {value}", name=name, value=document.expression(part))
                edits.append(Beside(statement, before=bound))
            places = [part, *(each for each in same_views(part, statement) if each is not part)]
            edits += [Replace(each, (expression(name),)) for each in places]
        message = f"`{ast.unparse(site.node)}` is computed before the statement"
        return Change(tuple(edits), message=message)


def _native_loops(function: Function) -> set[ast.stmt]:
    """The loops that Numba will run as they are."""
    if not has_numba():
        return set()
    return {loop for loop, found in regions(function, native_region) if isinstance(found, NativeRegion)}

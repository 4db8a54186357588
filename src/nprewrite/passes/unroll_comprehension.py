"""A comprehension of few known trips over arrays, as the expressions of its trips.

    sum(np.roll(u, i) for i in (-1, 1))     ->      0 + np.roll(u, -1) + np.roll(u, 1)
    [w * u for w in (0.25, 0.5)]            ->      [0.25 * u, 0.5 * u]

Why: a comprehension is a function of its own, which no compiled step calls.

Safety: the trips are computed in the same order, from the same numbers, and added one by one to what ``sum``
begins with, as it does.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from nprewrite.passes.contract import Change
from nprewrite.passes.serving_pass import ServingPass
from nprewrite.program.function import Function
from nprewrite.regions.comprehensions import WrittenOut, written_out
from nprewrite.source.edits import Replace
from nprewrite.source.nodes import expression
from nprewrite.types.problems import Problem


class UnrollComprehension(ServingPass[WrittenOut | Problem]):
    """NPR609."""

    code = "NPR609"
    name = "unroll-comprehension"
    summary = "a comprehension of a few known trips over arrays becomes its expressions (with @nprewrite.jit)"

    def found(self, function: Function) -> Iterator[WrittenOut | Problem]:
        """The comprehensions of the function's statements, and the sums of some."""
        if function.names.unclear_numpy(function.node) is None:
            for statement in function.statements():
                yield from written_out(statement, function)

    def node(self, site: WrittenOut | Problem) -> ast.expr | ast.stmt:
        return site.node

    def rewrite(self, site: WrittenOut | Problem, proof: WrittenOut, function: Function) -> Change:
        """The expressions in place of the comprehension, or of the sum."""
        text = function.module.as_written(ast.unparse(ast.fix_missing_locations(proof.made)))
        count = len(proof.elements)
        message = f"`{ast.unparse(proof.node)}` became its {count} expressions"
        return Change((Replace(proof.node, (expression(text),)),), message=message)

"""A loop of few known iterations, inside another loop, as the statements of its iterations.

    for i, cx in zip(range(9), cxs):                F_0 = np.roll(F[:, :, 0], 0, axis=1)
        F[:, :, i] = np.roll(F[:, :, i], cx, axis=1)    ...
                                                    F[...] = np.stack([F_0, ..., F_8], axis=2)

Why: a step contains no loops, and no compiler knows which part `F[:, :, i]` is. Parts that are stacked at the
end are computed in one loop over memory; as separate stores, each would be a loop of its own.

Safety: the iterations run in the same order, with the same numbers. An array is stacked only if each
iteration uses its own part alone, and nobody else sees the array.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator

from nprewrite.analysis.fixed_tables import with_numbers
from nprewrite.base.syntax import names_in, text_tree, walk
from nprewrite.passes.contract import Change
from nprewrite.passes.serving_pass import ServingPass
from nprewrite.program.function import Function
from nprewrite.regions.unrolling import Simple, Stack, Unrolling, unrolling
from nprewrite.source.edits import Replace
from nprewrite.source.nodes import Statement, statements
from nprewrite.types.problems import Problem
from nprewrite.types.values import Array


class UnrollLoop(ServingPass[Unrolling | Problem]):
    """NPR608."""

    code = "NPR608"
    name = "unroll-loop"
    summary = "a loop of a few known trips inside of a loop becomes its statements (with @nprewrite.jit)"

    def found(self, function: Function) -> Iterator[Unrolling | Problem]:
        """The innermost such loops, or those around them; further ones follow once these are unrolled."""
        if function.names.unclear_numpy(function.node) is not None:
            return
        loops = [each for each in function.statements() if isinstance(each, ast.For)]
        for loop in loops:
            if not any(isinstance(each, ast.For | ast.While) for node in loop.body for each in walk(node)):
                found = unrolling(loop, function)
                if isinstance(found, Problem):
                    # Its tests may depend on the variable of the loop around it, which may be unrolled too.
                    around = (unrolling(each, function) for each in loops if loop in each.body)
                    found = next((each for each in around if isinstance(each, Unrolling)), found)
                if found is not None:
                    yield found

    def node(self, site: Unrolling | Problem) -> ast.expr | ast.stmt:
        return site.loop if isinstance(site, Unrolling) else site.node

    def rewrite(self, site: Unrolling | Problem, proof: Unrolling, function: Function) -> Change:
        """The statements of all iterations in place of the loop, and those that stack arrays."""
        loop = proof.loop
        parts: dict[str, list[str]] = {each.array: [] for each in proof.stacks}
        made = [each for number in range(len(proof.trips)) for each in _trip(number, proof, parts, function)]
        numpy = function.names.numpy_name(function.node)
        for each in proof.stacks:
            axis = f", axis={each.axis}" if each.axis else ""
            text = f"{each.array}[...] = {numpy}.stack([{', '.join(parts[each.array])}]{axis})"
            made += statements(text)
        return Change(
            (Replace(loop, tuple(made)),),
            message=f"the loop over `{ast.unparse(loop.iter)}` became its statements",
        )


def _trip(
    number: int, proof: Unrolling, parts: dict[str, list[str]], function: Function
) -> Iterator[Statement]:
    """The statements of one iteration."""
    for stack in proof.stacks:
        parts[stack.array].append(function.names.fresh(f"{stack.array}_{number}"))
    begun: set[str] = set()
    for statement, trip in proof.bodies[number]:
        made = copy.deepcopy(statement)
        before: list[ast.stmt] = []
        for stack in proof.stacks:
            name = parts[stack.array][number]
            if stack.array not in names_in(statement):
                continue
            whole = _is_bound_anew(statement, stack, function)
            if stack.array not in begun and not whole:
                before.append(text_tree(f"{name} = {stack.target}.copy()").body[0])
            made = _in_part(made, stack, name, whole=whole, begun=stack.array in begun or not whole)
            begun.add(stack.array)
        for each in (*before, made):
            text = ast.unparse(with_numbers(each, trip, proof.tables, function))
            yield from function.document.placed(statements(function.module.as_written(text)), statement)


def _is_bound_anew(statement: Simple, stack: Stack, function: Function) -> bool:
    """Whether ``F[:, :, i] = e`` gives the part a new array of its own dtype and shape."""
    if not isinstance(statement, ast.Assign) or [ast.unparse(each) for each in statement.targets] != [
        stack.target
    ]:
        return False
    value, part = function.facts.value(statement.value), function.facts.value(statement.targets[0])
    if not isinstance(value, Array) or not isinstance(part, Array) or value.shape is None:
        return False
    return value.fresh and value.under is None and value.dtype == part.dtype and value.shape == part.shape


def _in_part(statement: Simple, stack: Stack, name: str, *, whole: bool, begun: bool) -> Simple:
    """A statement with the part's own name in place of ``F[:, :, i]``; the first still reads the array."""

    class Exchange(ast.NodeTransformer):
        def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
            self.generic_visit(node)
            if ast.unparse(node) != stack.target:
                return node
            stored = isinstance(node.ctx, ast.Store)
            if not stored:
                return ast.Name(name, node.ctx) if begun else node
            if whole or isinstance(statement, ast.AugAssign):
                return ast.Name(name, node.ctx)
            return ast.Subscript(ast.Name(name, ast.Load()), ast.Constant(...), node.ctx)

    made = Exchange().visit(statement)
    assert isinstance(made, Simple)
    return made

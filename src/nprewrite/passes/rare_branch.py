"""What a loop does now and then, behind a loop of the rest, which others then compile.

    for n in range(steps):                  first, left = 0, 1
        u = u + dt * f(u)                   while left:
        if n % 100 == 0:                        left = 0
            plt.plot(x, u)          ->          for n in range(first, steps):
                                                    u = u + dt * f(u)
                                                    if n % 100 == 0:
                                                        first, left = n + 1, 1
                                                        break
                                                if left == 1:
                                                    plt.plot(x, u)

Why: one plot or print of an array keeps the whole loop from running natively.

Safety: the same statements run in the same order, whatever the branch holds: ``break`` and ``continue`` in it
end or go on with the loop around. It is done only where the loop of the rest then runs natively.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from nprewrite.passes.contract import Change
from nprewrite.passes.moved_loop import has_numba
from nprewrite.passes.serving_pass import ServingPass
from nprewrite.program.function import Function
from nprewrite.regions.native.rare_branches import RareBranches, loops_of, rare_branches
from nprewrite.source.document import Document
from nprewrite.source.edits import NodeEdit, Replace
from nprewrite.source.nodes import Statement, statements


class RareBranch(ServingPass[RareBranches]):
    """NPR411."""

    code = "NPR411"
    name = "rare-branch"
    summary = "what a loop does now and then leaves the loop of the rest, which can run compiled"

    def found(self, function: Function) -> Iterator[RareBranches]:
        """The loops whose rest can run natively."""

        def without(site: RareBranches) -> tuple[Document, int]:
            number = loops_of(function.node.body).index(site.loop)
            return function.document.replaced(_edits(site, function)), number + 1

        if has_numba():
            yield from rare_branches(function, without)

    def node(self, site: RareBranches) -> ast.stmt:
        return site.loop

    def rewrite(self, site: RareBranches, proof: RareBranches, function: Function) -> Change:
        """The loop of the rest, and the branches behind it, in a loop around both."""
        tests = ", ".join(f"`{ast.unparse(each.test)}`" for each in proof.branches)
        message = f"what the loop does under {function.module.as_written(tests)} stands behind the rest"
        return Change(tuple(_edits(proof, function)), message=message)


def _copied(statement: ast.stmt, function: Function) -> Sequence[Statement]:
    """A statement with the comments above it."""
    return function.document.changed_statement(statement, (), with_lines_above=True)


def _edits(site: RareBranches, function: Function) -> list[NodeEdit]:
    loop, document = site.loop, function.document
    left = function.names.free("left")
    lines: list[str] = []
    onward = ""
    if isinstance(loop, ast.For):
        assert isinstance(loop.iter, ast.Call)
        given = [document.code(each) for each in loop.iter.args]
        first, stop = function.names.free("first"), function.names.free("stop")
        start = given[0] if len(given) > 1 else "0"
        step = given[2] if len(given) > 2 else "1"
        lines.append(f"{first}, {stop} = {start}, {given[0] if len(given) == 1 else given[1]}")
        steps = f", {step}" if len(given) > 2 else ""
        header = f"for {document.code(loop.target)} in range({first}, {stop}{steps}):"
        onward = f"{first} = {document.code(loop.target)} + {step}\n"
    else:
        header = f"while {document.code(loop.test)}:"
    made = list(statements("\n".join([*lines, f"{left} = 1"])))
    inside: list[Statement] = []
    behind: list[Statement] = []
    for number, each in enumerate(loop.body):
        if each not in site.branches:
            inside += _copied(each, function)
            continue
        assert isinstance(each, ast.If)
        way = site.branches.index(each) + 1
        leaving = statements(f"{onward}{left} = {way}\nbreak\n")
        branch = statements("if {test}:\n    {leaving}\n", test=document.code(each.test), leaving=leaving)
        inside += document.placed(branch, each)
        rest = [line for one in (*each.body, *loop.body[number + 1 :]) for line in _copied(one, function)]
        behind += statements(f"if {left} == {way}:\n    {{rest}}\n", rest=rest)
    template = f"while {left}:\n    {left} = 0\n    {header}\n        {{inside}}\n    {{behind}}\n"
    made += statements(template, inside=inside, behind=behind)
    return [Replace(loop, document.with_comments_of(loop, made))]

"""The text of a loop around a step that computes a part of it.

with _heat_step.running(rate=rate, u=u) as run:
    for n in range(trips):
        if run.advance():
            (total,) = run.results
        else:
            u = u + rate * f(u)         as written
            total = u.sum()
        history.append(total)
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

import libcst as cst

from nprewrite.analysis.liveness import escapes
from nprewrite.base.syntax import names_in, walk
from nprewrite.emit.steps.text import Leaf, in_caller, tuple_text
from nprewrite.program.function import Function
from nprewrite.program.steps import StepSpec
from nprewrite.regions.array_loops.part import PartOfLoop
from nprewrite.source.edits import Beside, NodeEdit, Replace
from nprewrite.source.nodes import Statement, expression, fitted, statements, with_body


def part_edit(
    part: PartOfLoop, name: str, spec: StepSpec, leaves: tuple[Leaf, ...], function: Function
) -> Replace:
    """The loop as written inside ``with {name}.running(...)``, with ``advance`` before the step's part."""
    text = _Text(part, spec, leaves, function)
    loop = function.document.source.alone(part.loop)
    before = [made for each in part.before for made in text.other(each)]
    after = [made for each in part.after for made in text.other(each)]
    orelse = [made for each in part.loop.orelse for made in text.other(each)]
    assert isinstance(loop, cst.For | cst.While)
    changed: dict[str, cst.CSTNode] = {"body": with_body(loop.body, [*before, *text.advance(), *after])}
    if loop.orelse is not None:
        changed["orelse"] = loop.orelse.with_changes(body=with_body(loop.orelse.body, orelse))
    inner = function.document.placed([loop.with_changes(**changed)], part.loop)
    return Replace(
        part.loop,
        statements(
            "with {opened} as {run}:\n    {loop}\n", opened=text.opened(name), run=text.run, loop=inner
        ),
    )


class _Text:
    """What is written around the statements of the loop, and between them."""

    def __init__(
        self, part: PartOfLoop, spec: StepSpec, leaves: tuple[Leaf, ...], function: Function
    ) -> None:
        self.run = function.names.fresh("run")
        self._part, self._spec = part, spec
        self._numbers = {leaf.names[-1]: leaf.text for leaf in leaves}
        self._document = function.document
        self._spelling = part.body.spelling
        self._exposed = _exposed_names(part, spec, function)

    def opened(self, name: str) -> cst.Call:
        """``_step.running(rate=rate, u=u)``, as one line or one argument a line."""
        spec, spelt = self._spec, self._spelling
        arguments = [f"{each}={in_caller(self._numbers[each], spelt)}" for each in spec.constants]
        named = (*spec.sizes, *spec.inputs, *spec.state, *spec.carried, *spec.apart)
        arguments += [f"{each}={spelt.get(each, each)}" for each in named if each not in spec.given]
        made = expression(f"{name}.running({', '.join(arguments)})")
        assert isinstance(made, cst.Call)
        others = self._part.loop.col_offset + len(f"with  as {self.run}:")
        return fitted(made, others, self._document.indent)

    def other(self, statement: ast.stmt) -> tuple[Statement, ...]:
        """A statement that stays, below what brings the arrays that it may see up to date."""
        within = {id(each) for each in walk(statement)}
        named = [each for each in self._part.body.named.items() if id(each[0]) in within]
        inside, above = self._exposures(statement, [node for node, _ in named])
        edits = [*(Replace(node, (expression(name),)) for node, name in named), *inside]
        made = self._document.changed_statement(statement, edits, with_lines_above=True)
        if not above:
            return made
        first = above[0].with_changes(leading_lines=made[0].leading_lines)
        below = made[0].with_changes(leading_lines=())
        return self._document.placed((first, *above[1:], below, *made[1:]), statement)

    def advance(self) -> tuple[Statement, ...]:
        """``if not run.advance():`` and the step's statements as written."""
        numbers = [in_caller(self._numbers[each], self._spelling) for each in self._spec.scalars]
        arguments = [f"lambda: {tuple_text(numbers)}"] if numbers else []
        arguments += [f"{each}={self._spelling.get(each, each)}" for each in self._spec.given]
        bound = (*self._spec.carried, *self._spec.out, *self._spec.rotates)
        call = f"{self.run}.advance({', '.join(arguments)})"
        arrays = [made for each in self._part.arrays for made in self._array(each)]
        if not bound:
            return statements("if not {call}:\n    {arrays}\n", call=call, arrays=arrays)
        names = tuple_text([self._spelling.get(each, each) for each in bound])
        return statements(
            "if {call}:\n    {names} = {run}.results\nelse:\n    {arrays}\n",
            call=call,
            names=names,
            run=self.run,
            arrays=arrays,
        )

    def _array(self, statement: ast.stmt) -> tuple[Statement, ...]:
        name = self._part.name_of(statement)
        if name is None:
            return self._document.changed_statement(statement, (), with_lines_above=True)
        assert isinstance(statement, ast.Assign)
        value = self._document.expression(statement.value)
        return self._document.placed(statements("{name} = {value}", name=name, value=value), statement)

    def _exposures(
        self, statement: ast.stmt, parts: Sequence[ast.expr] = ()
    ) -> tuple[list[NodeEdit], tuple[Statement, ...]]:
        """What must be written above the statements inside one, and above itself, ``parts`` aside."""
        if self._part.code.is_blind(statement, parts) and not self._stores(statement):
            return [], ()
        if isinstance(statement, ast.If) and self._part.code.is_number(statement.test):
            edits: list[NodeEdit] = []
            for each in (*statement.body, *statement.orelse):
                inside, above = self._exposures(each)
                edits += [*inside, Beside(each, before=above)] if above else inside
            return edits, ()
        named = names_in(statement)
        seen = [each for each in self._spec.carried if each in named or each in self._exposed]
        spelt = [self._spelling.get(each, each) for each in seen]
        lines = [f"{each} = {self.run}.own({each})" for each in spelt]
        spec = self._spec
        # Also arrays that the statement does not name may change: inputs, and arrays that it saw before.
        unnamed = {*spec.inputs} - {*spec.given} or spec.previous
        if spec.state or (unnamed and not lines):
            lines.insert(0, f"{self.run}.store()")
        return [], statements("\n".join(lines)) if lines else ()

    def _stores(self, statement: ast.stmt) -> bool:
        """Whether what is recorded goes into an array that the step changes too."""
        stored = (
            each.value.id
            for each in walk(statement)
            if isinstance(each, ast.Subscript) and isinstance(each.value, ast.Name)
            if not isinstance(each.ctx, ast.Load)
        )
        return not {*stored}.isdisjoint(self._spec.state)


def _exposed_names(part: PartOfLoop, spec: StepSpec, function: Function) -> set[str]:
    """The names that other functions see while the loop runs."""
    node = function.node
    if isinstance(node, ast.Module):
        return {*spec.carried}
    return {each for each in spec.carried if function.is_shared(each) or escapes(each, node)}

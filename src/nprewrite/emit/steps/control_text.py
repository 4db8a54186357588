"""The text of the generator that computes the numbers of a loop's iterations.

def _heat_trips(t, T, dt):
    while t < T:
        yield (t,)
        t += dt
    return (t,)
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

import libcst as cst

from nprewrite.emit.steps.text import Leaf, loop_call, tuple_text, under_loop
from nprewrite.program.steps import StepSpec
from nprewrite.regions.array_loops.body import LoopBody
from nprewrite.regions.array_loops.control import LoopControl
from nprewrite.source.edits import NodeEdit
from nprewrite.source.nodes import Statement, expression, statements


def control_function(
    name: str, control: LoopControl, numbers: Sequence[str], where: str
) -> tuple[Statement, ...]:
    """The generator; ``numbers`` are the expressions that the step needs in each iteration."""
    loop = control.loop
    asked = f"yield {tuple_text([*numbers]) if numbers else '()'}"
    if control.received:
        asked = f"{tuple_text([*control.received])} = {asked}"
    head = f"while {ast.unparse(loop.test)}:" if isinstance(loop, ast.While) else _head(loop)
    lines = [
        f"def {name}({', '.join(control.passed)}):",
        f'    """The numbers of each iteration of the loop in {where}."""',
    ]
    known = [*control.received][:1]
    if control.first:
        lines += [f"    {each} = None" for each in known]
    lines += [f"    {head}"]
    if control.first:
        lines += [
            f"        if {known[0]} is None:",
            *(f"            {line}" for line in _texts(control.first)),
        ]
    lines += [f"        {line}" for line in (*_texts(control.before), asked, *_texts(control.after))]
    lines.append(f"    return {tuple_text([*control.live]) if control.live else '()'}")
    return statements("\n".join(lines))


def control_edits(
    body: LoopBody, made: tuple[str, str], names: list[str], spec: StepSpec, leaves: tuple[Leaf, ...]
) -> list[NodeEdit]:
    """Put ``for once in (loop := _step.over(_trips(t, T), ...)):`` over the loop as written, and bind names.

    ``made`` are the names of the step and of its generator, ``names`` those for the step's results.
    """
    assert body.control is not None
    (name, trips), document, control = made, body.view.document, body.control
    once, loop_name = body.view.names.fresh("once"), body.view.names.fresh("loop")
    arguments = ", ".join(body.spelling.get(each, each) for each in control.passed)
    called = expression(f"{trips}({arguments})")
    header: cst.BaseExpression = loop_call(name, called, once, spec, leaves, body, control.loop)
    numbers = [body.spelling.get(each, each) for each in control.live]
    asked = names if {*names} - {*body.new} else []
    bound = [(numbers, f"{loop_name}.numbers"), (asked, f"{loop_name}.results")]
    after = [f"    {tuple_text(targets)} = {value}" for targets, value in bound if targets]
    if after:
        header = expression("({loop} := {header})", loop=loop_name, header=header)
        after = [f"if {loop_name}.finished:", *after]
    return under_loop(once, header, [control.loop], "\n".join(after), document)


def _head(loop: ast.For) -> str:
    return f"for {ast.unparse(loop.target)} in {ast.unparse(loop.iter)}:"


def _texts(statements: Sequence[ast.stmt]) -> list[str]:
    kept = [each for each in statements if not isinstance(each, ast.Expr | ast.Pass)]
    return [line for each in kept for line in ast.unparse(each).split("\n")]

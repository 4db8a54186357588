"""The text of a step function and of the loop that runs through it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import libcst as cst
import numpy as np

from nprewrite.base.syntax import does_nothing, expression_tree, renamed, walk
from nprewrite.emit.steps.corrections import corrections
from nprewrite.program.function import Function
from nprewrite.program.steps import StepSpec
from nprewrite.regions.array_loops.body import LoopBody
from nprewrite.regions.array_loops.loop import Flow
from nprewrite.source.document import Document
from nprewrite.source.edits import Beside, NodeEdit, Replace, replace_run
from nprewrite.source.nodes import Statement, expression, fitted, statements
from nprewrite.types.values import ShapeOf, is_number


@dataclass(frozen=True)
class Leaf:
    """A scalar part of the iteration: its text, the dtype in which it is needed, and its nodes.

    ``constant`` is True for a name that is bound before the loop and not in it, ``typed`` for a NumPy
    scalar, ``exact`` for one that a number of a lower kind cannot stand for. ``names`` receives the name of
    the step's parameter once it is chosen.
    """

    text: str
    dtype: np.dtype[np.generic]
    nodes: tuple[ast.expr, ...]
    constant: bool
    typed: bool
    exact: bool
    names: list[str] = field(default_factory=list)


def loop_call(
    name: str,
    iterable: cst.BaseExpression,
    target: str,
    spec: StepSpec,
    leaves: tuple[Leaf, ...],
    body: LoopBody,
    loop: ast.stmt,
) -> cst.Call:
    """``_step.over(range(k), horizon=horizon, C=C, N=N, Z=Z)``, as one line or one argument a line."""
    passed = body.spelling
    by_name = {leaf.names[-1]: leaf for leaf in leaves}
    arguments: list[str] = []
    per_trip = [by_name[each].text for each in spec.scalars]
    if body.control is None and per_trip and per_trip != [body.counter]:
        values = [in_caller(text, passed) for text in per_trip]
        arguments.append(f"scalars=lambda {target}: {tuple_text(values)}")
    for each in spec.constants:
        arguments.append(f"{each}={in_caller(by_name[each].text, passed)}")
    named = (*spec.sizes, *spec.inputs, *spec.state, *spec.carried)
    arguments += [f"{each}={passed.get(each, each)}" for each in named]
    arguments += [f"{each}={passed.get(each, each)}" for each in spec.apart]
    arguments += [f"{each}={each}" for each in spec.calls]
    made = expression("{name}.over({arguments})", name=name, arguments=", ".join(["_", *arguments]))
    assert isinstance(made, cst.Call)
    first = made.args[0].with_changes(value=expression("{iterable}", iterable=iterable))
    document = body.view.document
    others = loop.col_offset + len(f"for {target} in (loop := ):")
    return fitted(made.with_changes(args=[first, *made.args[1:]]), others, document.indent)


def tuple_text(values: list[str]) -> str:
    """The text of a tuple of these."""
    return f"({', '.join(values)}{',' if len(values) == 1 else ''})"


def in_caller(text: str, passed: dict[str, str]) -> str:
    """A scalar expression of a called function in the caller's names."""
    return ast.unparse(renamed(expression_tree(text), passed)) if passed else text


def results_bound(
    loop: ast.For, name: str, names: list[str], counter: str | None, same: Mapping[str, str]
) -> Beside:
    """The statements after the loop that bind the names it would have bound.

    ``same`` are names that then stand for the array of another.
    """
    lines = [f"    {counter} = {name}.counter"] if counter is not None else []
    lines += [f"    {tuple_text(names)} = {name}.results"] if names else []
    lines += [f"    {each} = {other}" for each, other in same.items()]
    return Beside(loop, after=statements("\n".join([f"if {name}.finished:", *lines])))


def under_loop(
    target: str, iterable: cst.BaseExpression, kept: Sequence[ast.stmt], after: str, document: Document
) -> list[NodeEdit]:
    """Statements as the body of a loop, followed by other statements."""
    loop = statements(
        "for {target} in {iterable}:\n    {body}\n",
        target=target,
        iterable=iterable,
        body=document.nodes(kept),
    )
    return [*replace_run(kept, (*loop, *(statements(after) if after else ())))]


def step_body(flow: Flow, leaves: tuple[Leaf, ...], spec: StepSpec, what: str) -> list[Statement]:
    """The statements of the step; ``what`` is its docstring."""
    body = flow.body
    document = body.view.document
    lines = [f'"""{what}"""', *(f"{name} = {name}.copy()" for name in flow.copied)]
    made = [*statements("\n".join(lines))]
    for name, view in body.views:
        made += document.placed(statements(f"{name} = {ast.unparse(view)}"), body.statements[0])
    made += _statements(flow, leaves)
    results = [*spec.results]
    returned = ", ".join(results) if len(results) > 1 else tuple_text(results)
    return [*made, *statements(f"return {returned}")]


def _statements(flow: Flow, leaves: tuple[Leaf, ...]) -> Iterator[Statement]:
    """The iteration's statements over arrays, with the comments between them."""
    body = flow.body
    edits: list[NodeEdit] = [
        Replace(node, (expression(leaf.names[-1]),)) for leaf in leaves for node in leaf.nodes
    ]
    # The scalar parts become parameters of their own.
    parameters = {id(each) for leaf in leaves for node in leaf.nodes for each in walk(node)}
    nodes = [each for statement in body.statements for each in walk(statement)]
    computed = [each for each in nodes if id(each) not in parameters]
    edits += [*attribute_names(computed, body.view), *_numbers(flow, computed), *corrections(body, computed)]
    is_first = True
    for statement in body.statements:
        if not _binds_scalar(statement, body) and not does_nothing(statement):
            yield from _statement(statement, edits, body, with_lines_above=not is_first)
            is_first = False


def _statement(
    statement: ast.stmt, edits: Sequence[NodeEdit], body: LoopBody, *, with_lines_above: bool
) -> tuple[Statement, ...]:
    document = body.view.document
    if not isinstance(statement, ast.Assign):
        return document.changed_statement(statement, edits, with_lines_above=with_lines_above)
    bound = ast.unparse(statement.targets[0]).strip("()")
    if statement.value in body.named:
        value = document.changed(statement.value, edits)
        return document.placed(statements("{bound} = {value}", bound=bound, value=value), statement)
    written = document.source.node(statement)
    if isinstance(written, cst.Return) and written.value is not None:
        value = document.source.rebuilding(edits).expression(written.value)
        return document.placed(statements("{bound} = {value}", bound=bound, value=value), statement)
    kept = _without_scalars(statement, body)
    if kept is None:
        return document.changed_statement(statement, edits, with_lines_above=with_lines_above)
    names, values = zip(*kept, strict=True)
    parts = {f"value_{number}": document.changed(value, edits) for number, value in enumerate(values)}
    template = f"{', '.join(map(ast.unparse, names))} = {', '.join(f'{{{name}}}' for name in parts)}"
    return document.placed(statements(template, **parts), statement)


def attribute_names(nodes: Iterable[ast.AST], function: Function) -> list[NodeEdit]:
    """The edits that write ``self.u`` as ``self_u``, the name that the function has for it."""
    names = (each for each in nodes if isinstance(each, ast.Name))
    return [Replace(each, (expression(each.id),)) for each in names if each.id in function.module.spelling]


def _numbers(flow: Flow, computed: list[ast.AST]) -> list[NodeEdit]:
    """``n`` in ``np.zeros(n)`` as what it was bound to: the statement that did so stays with the caller."""
    named = [each for each in computed if isinstance(each, ast.Name) and each.id in flow.scalars]
    texts = {each: flow.substituted(each) for each in named if isinstance(each.ctx, ast.Load)}
    return [Replace(each, (expression(f"({text})"),)) for each, text in texts.items()]


def _without_scalars(statement: ast.Assign, body: LoopBody) -> list[tuple[ast.expr, ast.expr]] | None:
    """``x = x * 0.5`` for ``a, x = 2 * h, x * 0.5``, where ``a`` is a number that Python computes."""
    match statement:
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
            pairs = list(zip(targets, values, strict=True))
            kept = [(target, value) for target, value in pairs if not is_number(body.view.facts.value(value))]
            return kept if len(kept) < len(pairs) else None
    return None


def _binds_scalar(statement: ast.stmt, body: LoopBody) -> bool:
    """Whether a statement only binds scalars, which the step gets as parameters."""
    match statement:
        case ast.Assign(targets=[ast.Name(), *_], value=value):
            return is_number(body.view.facts.value(value))
        case ast.Assign(targets=[ast.Tuple()], value=ast.Tuple(elts=values)):
            return all(is_number(body.view.facts.value(value)) for value in values)
        case ast.Assign(targets=[ast.Tuple()], value=ast.Attribute() as shape):
            return isinstance(body.view.facts.value(shape), ShapeOf)
    return False

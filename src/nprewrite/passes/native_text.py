"""The text of a loop that is moved into a function of its own, and of the call in its place."""

from __future__ import annotations

import ast
from dataclasses import replace

import libcst as cst

from nprewrite.passes.contract import AddedFunction, Change
from nprewrite.program.function import Function
from nprewrite.program.steps import NativeSpec
from nprewrite.regions.native.loops import NativeRegion
from nprewrite.regions.native.results import names_read_after
from nprewrite.source.edits import NodeEdit, Replace, replace_run
from nprewrite.source.nodes import Statement, expression, fitted, statements


def moved(region: NativeRegion, function: Function, word: str, spec: NativeSpec) -> Change:
    """The region in a function whose name ends in ``word``, under a decorator, and a call in its place."""
    document, first = function.document, region.statements[0]
    base = "module" if isinstance(function.node, ast.Module) else function.node.name
    name = function.names.fresh(f"_{base.strip('_')}_{word}")
    where = "the module" if function.name == "<module>" else f"`{function.name}`"
    body = [*statements(f'"""The {word} in {where}."""')]
    attributes = _attributes(region, function)
    for each in region.statements:
        body += document.changed_statement(each, attributes, with_lines_above=each is not first)
    given = [*region.results, *(f"{made}({each})" for each, made in region.spent.items())]
    if given:
        returned = statements(f"return {', '.join(given)}")
        read = names_read_after(first, function)
        # A name without a value is missed where it is read first.
        missed = next((each for each in read if each.id in region.results[:1]), first)
        body += document.placed(returned, missed)
    before = function.top_level_statement(first)
    step = AddedFunction(name, replace(spec, spent=tuple(region.spent)), region.inputs, body, before, first)
    edits = tuple(replace_run(region.statements, _call(name, region, function)))
    return Change(edits, step, message=f"the loop runs as `{name}`")


def _call(name: str, region: NativeRegion, function: Function) -> tuple[Statement, ...]:
    """``s, i = _f_loop(a, b, s)``, on one line or one argument a line."""
    inputs = [function.module.spelling.get(each, each) for each in region.inputs]
    bound = ", ".join([*region.results, *region.spent])
    start = "return " if region.returns else f"{bound} = " if bound else ""
    made = expression(f"{name}({', '.join(inputs)})")
    assert isinstance(made, cst.Call)
    made = fitted(made, region.statements[0].col_offset + len(start), function.document.indent)
    return statements("{start}{made}", start=start, made=made)


def _attributes(region: NativeRegion, function: Function) -> list[NodeEdit]:
    """The edits that write ``self.u`` as the name that the function has for it."""
    nodes = (each for statement in region.statements for each in ast.walk(statement))
    named = [each for each in nodes if isinstance(each, ast.Name) and each.id in function.module.spelling]
    return [Replace(each, (expression(each.id),)) for each in named]

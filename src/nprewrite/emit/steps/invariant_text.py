"""The text of a loop whose invariant expressions are computed before it.

    if steps > 0:
        exp_x = dt * np.exp(-k * x)
        for n in range(steps):
            u = u + exp_x * u

The condition is written where the loop may have no iteration, and would compute nothing.
"""

from __future__ import annotations

import ast

import libcst as cst

from nprewrite.analysis.repeated_cost import costly_operations
from nprewrite.base.syntax import expression_tree, name_nodes
from nprewrite.emit.guarded_text import condition
from nprewrite.program.function import Function
from nprewrite.program.steps import RUNTIME, RUNTIME_ALIAS
from nprewrite.regions.array_loops.invariants import LoopInvariants
from nprewrite.source.edits import Beside, NodeEdit, Replace
from nprewrite.source.nodes import Statement, block, expression, statements
from nprewrite.types.values import Array, Scalar

_MOST_NAMES = 2


def invariant_edits(site: LoopInvariants, function: Function) -> list[NodeEdit]:
    """The statements before the loop, and names in place of the expressions."""
    document, loop = function.document, site.loop
    edits: list[NodeEdit] = []
    found: list[tuple[tuple[int, int], tuple[Statement, ...]]] = []
    for nodes in site.parts:
        name = function.names.fresh(_stem(nodes[0], function))
        edits += [Replace(each, (expression(name),)) for each in nodes]
        made = statements("{name} = {value}", name=name, value=document.expression(nodes[0]))
        # A name keeps the line of its expression, because types from a run are found by line.
        found.append(((nodes[0].lineno, nodes[0].col_offset), document.placed(made, nodes[0])))
    for statement in site.moved:
        found.append(((statement.lineno, 0), document.nodes([statement])))
        edits.append(Replace(statement, ()))
    before = [each for _, made in sorted(found, key=lambda item: item[0]) for each in made]
    conditions = _conditions(site, function)
    if not conditions:
        return [Beside(loop, before=tuple(before)), *edits]
    changed = document.changed_statement(loop, edits, with_lines_above=False)
    made_if = cst.If(condition(conditions, loop), block([*before, *changed]))
    if asks_runtime(site):
        made_if = made_if.with_changes(orelse=cst.Else(block(document.nodes([loop]))))
    return [Replace(loop, (made_if,))]


def asks_runtime(site: LoopInvariants) -> bool:
    """Whether the runtime's guards must hold, without which the loop runs as written."""
    return site.quiet or bool(site.apart)


def _conditions(site: LoopInvariants, function: Function) -> list[str]:
    found = [site.condition] if site.condition is not None else []
    if not asks_runtime(site):
        return found
    runtime = function.names.alias_of(RUNTIME) or function.names.free(RUNTIME_ALIAS)
    arrays = [[*map(function.module.as_written, (name, *others))] for name, others in site.apart.items()]
    found = [
        f"({each})" if isinstance(expression_tree(each), ast.BoolOp | ast.IfExp) else each for each in found
    ]
    types = [f"{runtime}.{each}" for each in _types(site, function)]
    return [f"{runtime}.quiet()", *types, *found, *(f"{runtime}.apart({', '.join(each)})" for each in arrays)]


def _types(site: LoopInvariants, function: Function) -> list[str]:
    """The conditions on types, without which errors for other arguments would be raised too early."""
    numpy = function.names.numpy_name(function.node)
    alike: dict[str, list[str]] = {}
    for name, value in site.types.items():
        if isinstance(value, Scalar):
            test = f"are_numbers({value.kind}"
        else:
            test = f"are_arrays({numpy}.{value.dtype.name}, None"
        alike.setdefault(test, []).append(function.module.as_written(name))
    return [f"{test}, {', '.join(names)})" for test, names in alike.items()]


def _stem(node: ast.expr, function: Function) -> str:
    """``exp_x`` for ``dt * np.exp(-x)``, ``product_A_B`` for ``A @ B``: the function and its operands."""
    operation = next(costly_operations(node, function))
    word = "power"
    match operation:
        case ast.Call(func=ast.Attribute(attr=called) | ast.Name(id=called)):
            word = called
        case ast.BinOp(op=ast.MatMult()):
            word = "product"
    names = [*name_nodes(operation)]
    names.sort(key=lambda each: (each.lineno, each.col_offset))
    arrays = dict.fromkeys(each.id for each in names if isinstance(function.facts.value(each), Array))
    return "_".join([word, *[*arrays][:_MOST_NAMES]])

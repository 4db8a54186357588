"""Stores at computed places, and several in one statement, in a form that steps allow.

    A[:, j] -= Q[:, k] * r            column = A[:, j]
                                      column -= Q[:, k] * r

Why: a compiled step cannot use ``j`` as an index, and if it could, each ``j`` would be compiled by itself. So
Python takes the view outside the step, which changes the view's memory.

Safety: a view is the array's own memory; an index out of range raises where the view is taken. Several stores
of views are made one after the other, as by Python.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from nprewrite.analysis.computed_stores import ComputedStore, SeveralStores, rewritable_store
from nprewrite.analysis.operands import same_views
from nprewrite.analysis.repeated_views import first_computing, first_taken, taken_before
from nprewrite.passes.contract import Change
from nprewrite.passes.serving_pass import ServingPass
from nprewrite.program.function import Function
from nprewrite.source.edits import Beside, NodeEdit, Replace
from nprewrite.source.nodes import Statement, expression, statements

Site = ComputedStore | SeveralStores


class SimplifyStore(ServingPass[Site]):
    """NPR606."""

    code = "NPR606"
    name = "simplify-store"
    summary = "a store at a computed place becomes one into a view (with @nprewrite.jit)"
    repeats = False

    def found(self, function: Function) -> Iterator[Site]:
        """The statements with such stores."""
        sites = (rewritable_store(each, function) for each in function.statements())
        yield from (each for each in sites if each is not None)

    def node(self, site: Site) -> ast.stmt:
        return site.statement

    def rewrite(self, site: Site, proof: Site, function: Function) -> Change:
        """A view and a store into it, or one statement for each store."""
        if isinstance(proof, ComputedStore):
            return _into_view(proof, function)
        document = function.document
        lines: list[Statement] = []
        for target, value in zip(proof.targets, proof.values, strict=True):
            parts = document.expression(target), document.expression(value)
            lines += statements("{target} = {value}", target=parts[0], value=parts[1])
        edit = Replace(proof.statement, tuple(lines))
        return Change((edit,), message="the stores are made one after the other")


def _into_view(proof: ComputedStore, function: Function) -> Change:
    document, statement = function.document, proof.statement
    assert isinstance(proof.target.value, ast.Name)
    taken = taken_before(proof.target, statement, function)
    name = taken or function.names.fresh(f"{proof.target.value.id}_view")
    whole = isinstance(statement, ast.Assign) and proof.target in statement.targets
    target = f"{name}[...]" if whole else name
    edits: list[NodeEdit] = [Replace(proof.target, (expression(target),))]
    edits += [Replace(each, (expression(name),)) for each in same_views(proof.target, statement)]
    if taken is None:
        first = first_computing(proof.target, first_taken(proof.target, statement, function), function)
        bound = statements("{name} = {view}", name=name, view=document.expression(proof.target))
        edits.append(Beside(first, before=bound))
    return Change(tuple(edits), message=f"`{ast.unparse(proof.target)}` is stored into through a view")

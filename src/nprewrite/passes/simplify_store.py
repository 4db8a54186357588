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
from dataclasses import dataclass

from nprewrite.analysis.computed_stores import ComputedStore, SeveralStores, rewritable_store
from nprewrite.analysis.operands import same_views
from nprewrite.analysis.repeated_views import first_computing, first_taken, taken_before
from nprewrite.passes.contract import Change, ProvedPass
from nprewrite.passes.level import Level
from nprewrite.program.function import Function
from nprewrite.source.edits import Beside, NodeEdit, Replace
from nprewrite.source.nodes import expression, statements

Site = ComputedStore | SeveralStores


@dataclass(frozen=True)
class SimplifyStore(ProvedPass[Site]):
    """NPR606."""

    code = "NPR606"
    name = "simplify-store"
    summary = "a store at a computed place becomes one into a view (with @nprewrite.jit)"
    level = Level.EXACT
    serves_others = True
    names_attributes = True

    def match(self, function: Function) -> Iterator[Site]:
        """The statements with such stores."""
        if function.step is not None or function.name != function.module.jitted:
            return
        for statement in function.statements():
            site = rewritable_store(statement, function)
            if site is not None:
                yield site

    def node(self, site: Site) -> ast.stmt:
        return site.statement

    def rewrite(self, site: Site, proof: Site, function: Function) -> Change:
        """A view and a store into it, or one statement for each store."""
        if isinstance(proof, ComputedStore):
            return _into_view(proof, function)
        document = function.document
        pairs = zip(proof.targets, proof.values, strict=True)
        made = [
            statements(
                "{target} = {value}", target=document.expression(target), value=document.expression(value)
            )
            for target, value in pairs
        ]
        edit = Replace(proof.statement, tuple(each for line in made for each in line))
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

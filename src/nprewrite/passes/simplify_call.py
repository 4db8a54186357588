"""Calls of NumPy with ``out=``, an open bound, a list of arrays or a type, in a form that steps allow.

    np.log(a, out=c, where=m)    c[...] = np.where(m, np.log(np.where(m, a, 1)), c)
    z = np.log(a, out=np.ones(n))    z = np.ones(n), then the call with out=z
    np.clip(x, 0, None)          np.maximum(x, 0)
    np.array([y, -x])            np.stack([y, -x])
    np.float32(x)                x.astype(np.float32)

Why: torch.compile makes new results; a store into ``c`` can be one of the step's. The forms on the right are
those that it supports.

Safety: exact. The store casts as the call does if the cast is of the same kind, and the result has no more
axes than ``c``. What ``where`` leaves out is computed from ones, so that there are no new warnings. NumPy
itself computes a clip with one bound as a maximum or minimum.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import libcst as cst

from nprewrite.analysis.plain_calls import (
    ListOfArrays,
    OutMade,
    OutStore,
    PlainCall,
    TypeCall,
    list_of_arrays,
    one_sided_clip,
    out_made,
    out_store,
    type_call,
)
from nprewrite.base.syntax import walk
from nprewrite.passes.contract import Change
from nprewrite.passes.serving_pass import ServingPass
from nprewrite.program.function import Function
from nprewrite.source.edits import Replace
from nprewrite.source.nodes import Statement, call, expression, statements
from nprewrite.types.values import Array

Site = OutStore | OutMade | PlainCall | TypeCall | ListOfArrays


class SimplifyCall(ServingPass[Site]):
    """NPR607."""

    code = "NPR607"
    name = "simplify-call"
    summary = "`out=`, open bounds and lists of arrays become stores and plain calls (with @nprewrite.jit)"

    def found(self, function: Function) -> Iterator[Site]:
        """One site in each statement; others follow once it is rewritten."""
        if function.names.unclear_numpy(function.node) is not None:
            return
        for statement in function.statements():
            site = out_made(statement, function) or _site(statement, function)
            if site is not None:
                yield site

    def node(self, site: Site) -> ast.stmt | ast.expr:
        """The statement, or the call in it."""
        return site.statement if isinstance(site, OutStore | OutMade) else site.call

    def rewrite(self, site: Site, proof: Site, function: Function) -> Change:
        """A store, or the call's plain form."""
        if isinstance(proof, OutStore):
            return _stored(proof, function)
        if isinstance(proof, OutMade):
            return _made_first(proof, function)
        if isinstance(proof, PlainCall):
            edit = Replace(proof.call, (_plain(proof, function),))
            return Change((edit,), message=f"`{ast.unparse(proof.call)}` in its plain form")
        if isinstance(proof, TypeCall):
            return _converted(proof, function)
        stack = expression(f"{function.names.numpy_name(function.node)}.stack")
        edit = Replace(proof.call.func, (stack,))
        return Change((edit,), message=f"the arrays of `{ast.unparse(proof.rows)}` are stacked")


def _site(statement: ast.stmt, function: Function) -> Site | None:
    store = out_store(statement, function)
    if store is not None or not isinstance(statement, ast.Assign | ast.AugAssign | ast.Return | ast.Expr):
        return store
    if statement.value is None:
        return None
    calls = [each for each in walk(statement.value) if isinstance(each, ast.Call)]
    for each in calls:
        found = one_sided_clip(each, function) or type_call(each, function) or list_of_arrays(each, function)
        if found is not None:
            return found
    return None


def _converted(proof: TypeCall, function: Function) -> Change:
    document, (operand,) = function.document, proof.call.args
    array, kind = document.expression(operand), document.expression(proof.call.func)
    edit = Replace(proof.call, (expression("{array}.astype({kind})", array=array, kind=kind),))
    return Change((edit,), message=f"`{ast.unparse(proof.call)}` converts an array")


def _made_first(proof: OutMade, function: Function) -> Change:
    document = function.document
    named = Replace(proof.made, (expression(proof.name),))
    lines = statements(
        "{name} = {made}\n{call}",
        name=proof.name,
        made=document.expression(proof.made),
        call=document.changed(proof.statement.value, [named]),
    )
    edit = Replace(proof.statement, document.with_comments_of(proof.statement, lines))
    return Change((edit,), message=f"`{proof.name}` is made before the call that fills it")


def _stored(proof: OutStore, function: Function) -> Change:
    document, statement, where = function.document, proof.statement, proof.plain.where
    out = document.code(proof.out)
    target = f"{out}[...]" if isinstance(proof.out, ast.Name) else out
    lines: list[Statement] = []
    if where is None:
        lines += statements("{target} = {value}", target=target, value=_plain(proof.plain, function))
    else:
        mask = where.id if isinstance(where, ast.Name) else function.names.fresh("mask")
        if not isinstance(where, ast.Name):
            lines += statements("{mask} = {where}", mask=mask, where=document.expression(where))
        lines += statements(
            "{target} = {np}.where({mask}, {value}, {out})",
            target=target,
            np=function.names.numpy_name(function.node),
            mask=mask,
            value=_plain(proof.plain, function, mask),
            out=out,
        )
    if isinstance(statement, ast.Return):
        lines += statements(f"return {out}")
    elif isinstance(statement, ast.Assign) and document.code(statement.targets[0]) != out:
        lines += statements(f"{document.code(statement.targets[0])} = {out}")
    edit = Replace(statement, document.with_comments_of(statement, lines))
    return Change((edit,), message=f"the result is stored into `{out}`")


def _plain(plain: PlainCall, function: Function, mask: str | None = None) -> cst.Call:
    """The call with positional arguments, with ones for elements of its arrays that a mask leaves out."""
    document, numpy = function.document, function.names.numpy_name(function.node)
    renamed = expression(f"{numpy}.{plain.renamed}") if plain.renamed else None
    operands = []
    for each in plain.operands:
        made = document.expression(each)
        masked = mask is not None and isinstance(function.facts.value(each), Array)
        if masked:
            made = expression("{np}.where({mask}, {made}, 1)", np=numpy, mask=mask or "", made=made)
        operands.append(made)
    return call(renamed or document.expression(plain.call.func), operands)

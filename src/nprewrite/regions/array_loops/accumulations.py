"""Several sums into parts of the same array, in a step: ``d[:, :-1] += e``."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from nprewrite.analysis.operands import OPERATIONS
from nprewrite.analysis.rounding import rounds
from nprewrite.analysis.signed_values import signed
from nprewrite.base.syntax import is_everything, names_in, stored_names, walk
from nprewrite.program.function import Function
from nprewrite.types.values import Array


@dataclass(frozen=True)
class Accumulation:
    """``name[...] += value`` or ``-=`` for a part of an array.

    ``first`` is the statement whose value, times ``sign``, is this value; ``term`` is a name for that value,
    if several use it.
    """

    statement: ast.AugAssign
    target: ast.Subscript
    name: str
    first: ast.AugAssign
    sign: int = 1
    term: str = ""


def accumulations(function: Function) -> list[Accumulation]:
    """The accumulations of a step into arrays with two or more; a single one is one select already."""
    node, _ = function.as_step()
    found = [each for statement in node.body if (each := _accumulation(statement, function)) is not None]
    count = Counter(each.name for each in found)
    several = [each for each in found if count[each.name] > 1]
    matched = [_matched(each, several[:number], node, function) for number, each in enumerate(several)]
    uses = Counter(each.first for each in matched)
    own = [each for each in matched if each.statement is each.first and uses[each.first] > 1]
    terms = {each.first: function.names.fresh(f"{each.name}_term") for each in own}
    return [replace(each, term=terms.get(each.first, "")) for each in matched]


def _accumulation(statement: ast.stmt, function: Function) -> Accumulation | None:
    match statement:
        case ast.AugAssign(target=ast.Subscript(value=ast.Name(id=name)) as target, op=ast.Add() | ast.Sub()):
            masked = target in function.facts.expressions.masked
            part = not masked and not is_everything(target.slice)
            array = function.facts.value(target.value)
            # Inductor's code for parts of truth values does not compile; complex arrays are pairs here.
            known = isinstance(array, Array) and array.dtype.kind in "iuf"
            # Not `(d[1:]) += e`, whose parts are not found by their spans.
            document = function.document
            between = document.text[document.span(target)[1] : document.span(statement.value)[0]]
            plain = between.lstrip().startswith(("+=", "-="))
            return Accumulation(statement, target, name, statement) if part and known and plain else None
    return None


def _matched(
    each: Accumulation, earlier: Sequence[Accumulation], node: ast.FunctionDef, function: Function
) -> Accumulation:
    """The accumulation with the first of the same value up to sign, unless what it reads changes between."""
    value = each.statement.value
    if not isinstance(value, OPERATIONS) or not isinstance(function.facts.value(value), Array):
        return each
    sign, text = signed(value, function)
    for other in earlier:
        other_sign, other_text = signed(other.statement.value, function)
        # Minus a difference of equal numbers is a negative zero.
        same = other_text == text and (sign == other_sign or rounds(value, function))
        if same and not _changes_between(other, each, node, function):
            return replace(each, first=other.statement, sign=sign * other_sign)
    return each


def _changes_between(
    first: Accumulation, second: Accumulation, node: ast.FunctionDef, function: Function
) -> bool:
    """Whether a statement from the first to the second changes what the value reads."""
    read = names_in(first.statement.value)
    start, end = node.body.index(first.statement), node.body.index(second.statement)
    between = node.body[start:end]
    stored = {name for each in between for name in _changed(each)}
    memory = _shared_memory(node, function)
    return bool(_with(read, memory) & _with(stored, memory))


def _changed(statement: ast.stmt) -> set[str]:
    """The names that a statement binds, and those whose arrays it stores into."""
    targets = [each for each in walk(statement) if isinstance(each, ast.Subscript | ast.Attribute)]
    stores = [each for each in targets if isinstance(each.ctx, ast.Store)]
    roots = {part.id for each in stores for part in walk(each.value) if isinstance(part, ast.Name)}
    return stored_names(statement) | roots


def _shared_memory(node: ast.FunctionDef, function: Function) -> list[set[str]]:
    """Names that may share memory, because one is bound to a view of another."""
    found: list[set[str]] = []
    for statement in node.body:
        if not isinstance(statement, ast.Assign):
            continue
        names = names_in(statement)
        values = [statement.value, *(getattr(statement.value, "elts", []))]
        known = [function.facts.value(each) for each in values if not isinstance(each, ast.Tuple)]
        if all(isinstance(each, Array) and each.fresh for each in known):
            continue
        joined = [each for each in found if each & names]
        found = [each for each in found if not each & names] + [names.union(*joined)]
    return found


def _with(names: set[str], memory: Sequence[set[str]]) -> set[str]:
    return names.union(*(each for each in memory if each & names))

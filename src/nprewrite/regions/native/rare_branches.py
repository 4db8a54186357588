"""Loops that could run natively, but for what they do now and then: plot, save, or print an array."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from nprewrite.base.syntax import names_bound, walk
from nprewrite.program.function import Function
from nprewrite.regions.native.loops import NativeRegion, array_region, native_region
from nprewrite.source.document import Document

Loop = ast.For | ast.While
_MOST_AFTER = 8
"""The most statements that may follow such a branch: they are written twice."""
_KEPT = frozenset({"append"})
"""Methods whose calls native loops have."""


@dataclass(frozen=True)
class RareBranches:
    """A loop, and the branches among its statements that are to stand behind a loop of the rest."""

    loop: Loop
    branches: tuple[ast.If, ...]


def rare_branches(
    function: Function, without: Callable[[RareBranches], tuple[Document, int]]
) -> Iterator[RareBranches]:
    """The outermost loops that run natively once some branches are left out, as a trial shows.

    ``without`` gives the document in which they are, and the number of the loop of the rest among all loops.
    """
    done: set[ast.stmt] = set()
    for loop in function.statements():
        if not isinstance(loop, Loop) or not done.isdisjoint(function.outer(loop)):
            continue
        for branches in _choices(loop, function):
            found = RareBranches(loop, branches)
            if _runs_natively(*without(found), function):
                done.add(loop)
                yield found
                break


def _choices(loop: Loop, function: Function) -> list[tuple[ast.If, ...]]:
    """The branches that may be left out: those with calls that native loops do not have, or with any."""
    if not _may_be_split(loop, function) or _is_native(loop, function):
        return []
    calling = [each for each in loop.body if isinstance(each, ast.If) and not each.orelse]
    calling = [each for each in calling if [*_calls(each)] and _after(each, loop) <= _MOST_AFTER]
    foreign = [each for each in calling if not _KEPT.issuperset(_calls(each))]
    return [tuple(each) for each in dict.fromkeys((tuple(foreign), tuple(calling))) if each]


def _may_be_split(loop: Loop, function: Function) -> bool:
    if loop.orelse or not function.is_as_written(loop):
        return False
    if isinstance(loop, ast.While):
        # Not the loop around what has been left out.
        return not isinstance(loop.test, ast.Name)
    call = loop.iter
    if not isinstance(call, ast.Call) or function.dotted(call.func) != "builtins.range" or call.keywords:
        return False
    steps = call.args[2:]
    if any(isinstance(each, ast.Starred) for each in call.args) or not all(map(_is_integer, steps)):
        return False
    return isinstance(loop.target, ast.Name) and loop.target.id not in names_bound(*loop.body)


def _is_integer(node: ast.expr) -> bool:
    inner = node.operand if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) else node
    return isinstance(inner, ast.Constant) and type(inner.value) is int and inner.value != 0


def _calls(branch: ast.If) -> Iterator[str]:
    """The names of what is called for its effect in a branch."""
    for each in walk(branch):
        if isinstance(each, ast.Expr) and isinstance(each.value, ast.Call):
            called = each.value.func
            yield called.attr if isinstance(called, ast.Attribute) else ""


def _after(branch: ast.If, loop: Loop) -> int:
    rest = loop.body[loop.body.index(branch) + 1 :]
    return sum(isinstance(each, ast.stmt) for statement in rest for each in walk(statement))


def _is_native(loop: Loop, function: Function) -> bool:
    return any(isinstance(find(loop, function), NativeRegion) for find in (array_region, native_region))


def _runs_natively(document: Document, number: int, function: Function) -> bool:
    """Whether a loop of a changed document can run natively."""
    module = replace(function.module, document=document, spelling={}, results={}).with_attributes
    changed = next((each for each in module.functions if each.name == function.name), None)
    loops = loops_of(changed.node.body) if changed is not None else []
    return changed is not None and number < len(loops) and _is_native(loops[number], changed)


def loops_of(body: Sequence[ast.stmt]) -> list[Loop]:
    """All loops of some statements, in the order of the text."""
    found = [each for statement in body for each in walk(statement) if isinstance(each, Loop)]
    return sorted(found, key=lambda each: (each.lineno, each.col_offset))

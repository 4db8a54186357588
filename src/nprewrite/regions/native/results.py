"""The names and attributes that a loop for Numba sets, and that are read after it."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence

from nprewrite.analysis.liveness import live_after, live_after_error, surely_set
from nprewrite.base.syntax import blocks, name_nodes, names_bound, walk
from nprewrite.lowering.problems import word_of
from nprewrite.program.caught_errors import may_catch
from nprewrite.program.exposed_names import exposed
from nprewrite.program.function import Function
from nprewrite.regions.array_loops.step_names import shows_its_names
from nprewrite.source.kept import names_declared, names_in_scope
from nprewrite.types.problems import Problem

_LAZY = (ast.BoolOp, ast.IfExp, ast.Lambda, ast.comprehension)


def results_of(
    statements: Sequence[ast.stmt], inputs: Sequence[str], function: Function, *, keeps_unset: bool
) -> tuple[str, ...] | Problem:
    """The names that are read after the statements; with ``keeps_unset`` also those that may have no value
    then, or that of before."""
    loop = statements[0]
    if any(isinstance(each, ast.Return) for each in walk(loop)):
        return ()
    surely = exposed(statements).surely_set or frozenset()
    # Whoever imports a module reads what it has.
    seen = surely if isinstance(function.node, ast.Module) else ()
    live = [name for name in names_bound(*statements) if name in seen or _is_live(name, loop, function)]
    for name in live:
        if not keeps_unset and may_stay_unset(name, loop, surely.union(inputs), function):
            text = f"`{name}` may be unset after the loop, where it may be read"
            return Problem("name-unset", text, loop)
    lost = next((each for each in live if live_after_error(each, loop, function)), None)
    if lost is not None:
        word = next(word_of(each) for each in function.outer(loop) if may_catch(each, function.dotted))
        text = f"after an exception that a `{word}` catches, `{lost}` is a value from inside the loop"
        return Problem("loop-control", text, loop)
    # Python raises for the first of them that is read without a value.
    read = [each.id for each in names_read_after(loop, function)]
    return tuple(sorted(live, key=lambda name: read.index(name) if name in read else len(read)))


def problem_of_attributes(
    attributes: Sequence[str], loop: ast.stmt, function: Function, moves: bool
) -> Problem | None:
    """Why a loop may not set attributes of objects; None where it may."""
    for each in attributes:
        spelt = function.module.spelling[each]
        if not moves:
            return Problem("not-local", f"`{spelt}` is set in the loop", loop)
        # The new function is at module level, where a class does not mangle.
        if any(step.startswith("__") and not step.endswith("__") for step in spelt.split(".")):
            return Problem("dynamic-scope", f"`{spelt}` is mangled in a class", loop)
    return None


def may_stay_unset(name: str, loop: ast.stmt, known: Collection[str], function: Function) -> bool:
    """Whether a loop may leave a result as it is, so that nobody knows whether it has a value.

    ``known`` are the names that it reads from before it, or certainly sets.
    """
    if name in known or surely_set(name, loop, function):
        return False
    return not _read_at_once(name, loop, function) or set_elsewhere(name, [loop], function)


def _is_live(name: str, loop: ast.stmt, function: Function) -> bool:
    if not isinstance(function.node, ast.Module):
        return live_after(name, loop, function)
    if shows_its_names(function) or surely_set(name, loop, function):
        return True
    others = {id(each) for part in (loop, *_with_own(name, function)) for each in walk(part)}
    names = names_in_scope(function.node).get(name, ())
    return any(isinstance(each.ctx, ast.Load) and id(each) not in others for each in names)


def _with_own(name: str, function: Function) -> Iterator[ast.AST]:
    """The parts of a scope in which a name is that of an inner function or of a comprehension."""
    for each in walk(function.node):
        match each:
            case ast.FunctionDef() | ast.AsyncFunctionDef() if each is not function.node:
                if function.names.is_local(name, each) and name not in names_declared(each):
                    yield from each.body
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp():
                if name in names_bound(*each.generators):
                    yield from (each.elt, *each.generators[1:], *each.generators[0].ifs)


def _read_at_once(name: str, loop: ast.stmt, function: Function) -> bool:
    """Whether the statement after the loop always reads the name, and raises where it has no value."""
    following = _statement_after(loop, function)
    if not isinstance(following, ast.Return | ast.Assign | ast.Expr | ast.AugAssign):
        return False
    lazy = any(isinstance(each, _LAZY) for each in walk(following))
    return not lazy and any(each.id == name for each in names_read_after(loop, function))


def names_read_after(loop: ast.stmt, function: Function) -> list[ast.Name]:
    """The names in the statement after a loop, in the order of the text."""
    following = _statement_after(loop, function)
    names = name_nodes(following) if following is not None else ()
    return sorted(names, key=lambda each: (each.lineno, each.col_offset))


def _statement_after(loop: ast.stmt, function: Function) -> ast.stmt | None:
    parent = function.around(loop)
    for block in [parent.body] if isinstance(parent, ast.Module) else blocks(parent):
        if loop in block[:-1]:
            return block[block.index(loop) + 1]
    return None


def set_elsewhere(name: str, statements: Sequence[ast.stmt], function: Function) -> bool:
    """Whether something else sets the name in its scope; that value stays where the statements set none."""
    inside = {id(each) for part in (*statements, *_with_own(name, function)) for each in walk(part)}
    names = names_in_scope(function.node).get(name, ())
    return any(isinstance(each.ctx, ast.Store) and id(each) not in inside for each in names)

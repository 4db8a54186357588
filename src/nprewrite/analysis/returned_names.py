"""Results of an inlined function that are computed under the names that its caller gives them.

rho, vx = primitive(mass, momx)        rho = mass / vol
                                       vx = momx / rho

Where a result has a name of its own first, and the caller's name is bound to it afterwards, regions end in
between, and what the name stood for before is kept for as long.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from nprewrite.analysis.inlining import Inlining
from nprewrite.analysis.liveness import escapes, surely_set
from nprewrite.base.syntax import names_in, stored_names
from nprewrite.program.exposed_names import exposed
from nprewrite.program.function import Definition, Function

_CATCHING = (ast.Try, ast.TryStar, ast.With, ast.AsyncWith)


def returned_pairs(site: Inlining) -> Sequence[tuple[ast.expr, ast.expr]]:
    """Each target of the statement with the part of the function's result that it is bound to.

    Empty where the statement does more than to bind names, each once, to such parts.
    """
    if not isinstance(site.statement, ast.Assign) or site.statement.value is not site.call:
        return ()
    match site.statement.targets, site.result:
        case [ast.Name() as target], ast.expr() as result:
            return ((target, result),)
        case [ast.Tuple(elts=targets) | ast.List(elts=targets)], ast.Tuple(elts=results) if len(
            targets
        ) == len(results):
            names = {each.id for each in targets if isinstance(each, ast.Name)}
            starred = any(isinstance(each, ast.Starred) for each in results)
            return (
                tuple(zip(targets, results, strict=True))
                if len(names) == len(targets) and not starred
                else ()
            )
    return ()


def returned_names(site: Inlining, function: Function) -> Mapping[str, str]:
    """The caller's names that local names of the inlined function can have, by the latter."""
    found: dict[str, str] = {}
    # After an exception in the inlined function its caller may run on, with its names as before.
    caught = any(isinstance(each, _CATCHING) for each in function.outer(site.statement))
    if caught or not isinstance(function.node, Definition):
        return found
    for pair in returned_pairs(site):
        match pair:
            case ast.Name(id=target), ast.Name(id=result) if result not in found:
                if _is_free(target, function) and _may_be(target, result, site, function):
                    found[result] = target
    return found


def _is_free(name: str, function: Function) -> bool:
    """Whether only the caller's own statements see the name."""
    assert isinstance(function.node, Definition)
    return function.is_local(name) and not function.is_shared(name) and not escapes(name, function.node)


def _may_be(target: str, result: str, site: Inlining, function: Function) -> bool:
    """Whether the inlined function may compute ``result`` under the caller's name ``target``."""
    passed = dict(site.bound)
    found = exposed(site.body)
    if result not in stored_names(*site.body) | passed.keys() or found.surely_set is None:
        return False
    same = isinstance(value := passed.get(result), ast.Name) and value.id == target
    if same and not surely_set(target, site.statement, function):
        return False
    if result in passed and not same:
        # It is bound when its argument is evaluated, before the arguments that follow.
        others = [value for name, value in (*site.bound, *site.standing) if name != result]
        return target not in names_in(*others)
    if result not in passed and (result not in found.surely_set or result in found.read):
        return False
    readers = {name for name, value in site.standing if target in names_in(value)}
    return not any(_read_after_bound(readers, result, site))


def _read_after_bound(readers: set[str], result: str, site: Inlining) -> Iterator[bool]:
    """Whether parameters that stand for what the caller's name held are read after ``result`` is bound."""
    bound = False
    for statement in site.body:
        simple = isinstance(statement, ast.Assign | ast.AugAssign) and _only_binds(statement, result)
        bound_here = result in stored_names(statement)
        yield (bound or (bound_here and not simple)) and not readers.isdisjoint(names_in(statement))
        bound = bound or bound_here
    yield bound and site.result is not None and not readers.isdisjoint(names_in(site.result))


def _only_binds(statement: ast.Assign | ast.AugAssign, name: str) -> bool:
    """Whether a statement does nothing after it has evaluated its value but to bind the name."""
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    return len(targets) == 1 and isinstance(targets[0], ast.Name) and targets[0].id == name

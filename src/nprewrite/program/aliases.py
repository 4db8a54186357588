"""A function without second names for what it has bound to one already.

star = 0.5 * (left + right)        star = 0.5 * (left + right)
flux = star                        other = star * star
other = star * star                star -= right
flux -= right                      return star, other
return flux, other

A region or step takes an array under one name only.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from nprewrite.base.syntax import names_in, renamed, stored_names, walk, with_body
from nprewrite.program.exposed_names import exposed
from nprewrite.source.names import ALL_SCOPES, parameter_names

_NOT_FOLLOWED = (
    *ALL_SCOPES,
    ast.AsyncFor,
    ast.AsyncWith,
    ast.Delete,
    ast.Global,
    ast.Import,
    ast.ImportFrom,
    ast.Match,
    ast.NamedExpr,
    ast.Nonlocal,
    ast.Try,
    ast.TryStar,
    ast.With,
)
"""What binds or reads names elsewhere than in a statement of its own."""


def without_aliases(function: ast.FunctionDef) -> ast.FunctionDef:
    """The function with one name in place of two after ``a = b``, where nothing could tell them apart.

    A parameter that it does not bind anew stays one: its argument may stand in its place.
    """
    nodes = (each for statement in function.body for each in walk(statement))
    if any(isinstance(each, _NOT_FOLLOWED) for each in nodes):
        return function
    parameters = frozenset(parameter_names(function.args))
    unchanged = parameters - stored_names(*function.body)
    body, position = [*function.body], 0
    while position < len(body):
        before, after = body[:position], body[position + 1 :]
        match body[position]:
            case ast.Assign(targets=[ast.Name(id=alias)], value=ast.Name(id=name)) if (
                alias not in parameters | names_in(*before)
                and name in parameters | (exposed(before).surely_set or frozenset())
                and not (name in unchanged and alias in stored_names(*after))
                and _stay_the_same(alias, name, after)
            ):
                body = [
                    *before,
                    *(renamed(each, {alias: name}) if alias in names_in(each) else each for each in after),
                ]
            case _:
                position += 1
    return with_body(function, body)


def _stay_the_same(alias: str, name: str, after: Sequence[ast.stmt]) -> bool:
    """Whether two names of one object mean the same until one of them is mentioned for the last time.

    ``a -= b`` changes an array under both names, but binds only one of them to another number.
    """
    for number, statement in enumerate(after):
        stored = stored_names(statement) & {alias, name}
        if not stored:
            continue
        others = {alias, name} - stored
        following = after[number + 1 :] if _only_binds(statement) else after[number:]
        return bool(others) and others.isdisjoint(names_in(*following))
    return True


def _only_binds(statement: ast.stmt) -> bool:
    """Whether a statement evaluates its value before it does nothing but bind one name."""
    match statement:
        case ast.Assign(targets=[ast.Name()]) | ast.AugAssign(target=ast.Name()):
            return True
    return False

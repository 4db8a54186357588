"""The text form of statements that a pass has moved into a step of one call.

``for once in (region := STEP.over(range(1), ...)): <as written>``, then, where they bind names,
``if region.finished: <names> = region.results``.
"""

from __future__ import annotations

import ast


def region_name(statement: ast.stmt) -> str | None:
    """The name of the region whose statements, as written, are the body of this loop of one iteration."""
    match statement:
        case ast.For(
            iter=ast.NamedExpr(
                target=ast.Name(id=name),
                value=ast.Call(func=ast.Attribute(attr="over"), args=[ast.Call() as trips, *_]),
            )
        ) if ast.unparse(trips) == "range(1)":
            return name
    return None


def takes_results(statement: ast.stmt, before: ast.stmt) -> bool:
    """Whether a statement binds the results of the region ``before`` it."""
    match statement:
        case ast.If(test=ast.Attribute(value=ast.Name(id=name), attr="finished"), orelse=[]):
            return name == region_name(before)
    return False

"""Names of a loop that stand for the same memory."""

from __future__ import annotations

import ast
from collections.abc import Collection

from nprewrite.facts.loops import Flow
from nprewrite.facts.problems import Problem


def sharing_problem(flow: Flow, live: Collection[str]) -> Problem | None:
    """Why two names of one memory keep the loop from being extracted; ``live`` names are read after it.

    Adds to ``flow.changed`` what is stored into through a view that an iteration makes.
    """
    for alias, original, statement in flow.aliases:
        problem = _alias_problem(alias, original, statement, flow, live)
        if problem is not None:
            return problem
    both = [name for name in flow.changed if name in flow.rebound]
    if both:
        text = f"`{both[0]}` is changed in place and then bound to another array"
        return Problem("aliased-arrays", text, flow.body.statements[0])
    return None


def _alias_problem(
    alias: str, original: str, statement: ast.stmt, flow: Flow, live: Collection[str]
) -> Problem | None:
    if alias in flow.carried:
        return _handed_on(alias, original, statement, flow, live)
    stored = {*flow.changed, *_stored(flow)}
    if alias not in stored and original not in stored:
        return None
    # A view made within an iteration is one in the step too; but a masked store becomes a new array there.
    made_here = alias not in flow.read and original in flow.read
    if not flow.whole or not made_here or {alias, original} & _masked(flow):
        return Problem("aliased-arrays", f"`{alias}` and `{original}` are the same memory", statement)
    if alias in stored and original not in flow.changed:
        flow.changed.append(original)
    return None


def _handed_on(
    alias: str, original: str, statement: ast.stmt, flow: Flow, live: Collection[str]
) -> Problem | None:
    """``u = v`` at the end of an iteration, where the next one reads ``u``."""
    stored = {*flow.changed, *_stored(flow)}
    new = original in flow.rebound and original not in flow.read and original not in live
    new = new and all(original != other for other, _, _ in flow.aliases)
    if new and (original not in stored or (flow.whole and original not in _masked(flow))):
        return None
    if alias not in live and not stored & {alias, original}:
        # After the loop nobody sees that it was the other array itself and no copy of it.
        return None
    return Problem("aliased-arrays", f"`{alias}` is `{original}` after the iteration", statement)


def _stored(flow: Flow) -> set[str]:
    """Every name that is stored into in place, whatever it is bound to."""
    stored = set()
    for statement in flow.body.statements:
        match statement:
            case (
                ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name)), *_])
                | ast.AugAssign(target=ast.Subscript(value=ast.Name(id=name)) | ast.Name(id=name))
            ):
                stored.add(name)
    return stored


def _masked(flow: Flow) -> set[str]:
    """The names that the iteration stores into through masks."""
    masked = flow.body.view.facts.expressions.masked
    inner = [each for statement in flow.body.statements for each in ast.walk(statement)]
    accesses = [each for each in inner if isinstance(each, ast.Subscript) and each in masked]
    stores = [each.value for each in accesses if isinstance(each.ctx, ast.Store)]
    return {each.id for each in stores if isinstance(each, ast.Name)}

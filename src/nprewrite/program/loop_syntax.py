"""Statements that the body of a loop may not contain, whatever they compute: control flow, definitions."""

from __future__ import annotations

import ast

from nprewrite.base.syntax import walk
from nprewrite.lowering.problems import word_of
from nprewrite.source.names import ALL_SCOPES
from nprewrite.types.problems import Problem

_CONTROL = (
    ast.Break,
    ast.Continue,
    ast.Return,
    ast.Raise,
    ast.Try,
    ast.TryStar,
    ast.With,
    ast.Assert,
    ast.Delete,
)
_NESTED = (ast.For, ast.While, ast.AsyncFor)


def syntax_problem(node: ast.stmt, counter: str | None) -> Problem | None:
    """Why a statement in a loop over ``counter`` is not followed; None if its syntax allows it."""
    if isinstance(node, _CONTROL):
        return Problem("loop-control", f"`{word_of(node)}` in the loop", node)
    if isinstance(node, _NESTED):
        return Problem("nested-loop", "the loop contains another loop", node)
    if isinstance(node, ast.If | ast.Match):
        inner = next((each for each in walk(node) if isinstance(each, _CONTROL)), None)
        if inner is not None:
            return Problem("loop-control", f"`{word_of(inner)}` in the loop", inner)
        return Problem("branch-in-body", "the loop branches on a value", node)
    return next(filter(None, (_part_problem(each, node, counter) for each in walk(node))), None)


def control_problem(node: ast.stmt) -> Problem | None:
    """Why a statement leaves a nest of loops early, or hides what it does; branches are checked later."""
    if isinstance(node, _CONTROL):
        return Problem("loop-control", f"`{word_of(node)}` in the loop", node)
    if isinstance(node, (ast.While, ast.AsyncFor, ast.Match)):
        return Problem("loop-control", "a `while`, `match` or `async for` in the loop", node)
    parts = [] if isinstance(node, ast.If) else [*walk(node)]
    branches = (ast.IfExp, ast.BoolOp, ast.Not)
    problems = (_part_problem(each, node, None) for each in parts if not isinstance(each, branches))
    return next((problem for problem in problems if problem is not None), None)


def _part_problem(each: ast.AST, node: ast.stmt, counter: str | None) -> Problem | None:
    """What is wrong with one part of the statement ``node``."""
    match each:
        case ast.Name(id=name) if name.startswith("__") and not name.endswith("__"):
            return Problem("dynamic-scope", f"`{name}` is mangled in a class", node)
        case ast.Name(id=name, ctx=ast.Store()) if name == counter:
            text = f"the loop variable `{name}` is assigned in the loop"
            return Problem("loop-variable-rebound", text, node)
        case ast.Global() | ast.Nonlocal() | ast.NamedExpr():
            return Problem("dynamic-scope", "`global`, `nonlocal` or `:=` in the loop", node)
        case ast.Yield() | ast.YieldFrom() | ast.Await():
            return Problem("loop-control", f"`{word_of(each)}` in the loop", node)
        case ast.IfExp() | ast.BoolOp() | ast.Not():
            return Problem("branch-in-body", "the loop branches on a value", node)
    if isinstance(each, ALL_SCOPES):
        return Problem("closure", "a function, class or comprehension is defined in the loop", node)
    return None

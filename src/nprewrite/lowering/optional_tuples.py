"""Names that hold ``None`` or a tuple of numbers: one name for each number, and a flag.

where = None                     where_0, where_1, where_2 = None, None, False
where = (i, j)                   where_0, where_1, where_2 = i, j, True
if where is not None:            if where_2:
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from nprewrite.base.syntax import bindings, is_none, name_nodes, walk
from nprewrite.lowering.arrays import Entry, NumberArgument
from nprewrite.lowering.numbers import NONE
from nprewrite.lowering.problems import NotNative


class TupleOrNone(ast.Tuple):
    """A tuple whose first part says whether it is one, and not ``None``."""


def optional_tuples(function: ast.FunctionDef, entry: Entry, lengths: Mapping[str, int]) -> set[str]:
    """The names of tuples that may hold ``None``; raises ``NotNative`` where one is bound in other ways."""
    bound = [(target.id, value) for target, value in bindings(walk(function)) if target.id in lengths]
    found = {name for name in lengths if entry.get(name) == NumberArgument(NONE)}
    found |= {name for name, value in bound if is_none(value)}
    named = [(name, value.id) for name, value in bound if isinstance(value, ast.Name)]
    while new := {name for name, other in named if other in found} - found:
        found |= new
    assignments = (each for each in walk(function) if isinstance(each, ast.Assign))
    plain = {target for each in assignments for target, _ in pairs_of(each)}
    for each in name_nodes(function):
        if each.id in found and not isinstance(each.ctx, ast.Load) and each not in plain:
            raise NotNative("unsupported-operation", f"`{each.id}` is None, and a tuple", each)
    return found


def pairs_of(node: ast.Assign) -> list[tuple[ast.expr, ast.expr]]:
    """What an assignment binds, each with its value: ``best, where = 0, None``."""
    (target, *others), value = node.targets, node.value
    if others:
        return []
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        return [*zip(target.elts, value.elts, strict=True)]
    return [(target, value)]


def flag_for(node: ast.Compare, flags: Mapping[str, str]) -> ast.expr | None:
    """``where is None`` by the flag of the name; None for other comparisons."""
    match node:
        case ast.Compare(ast.Name(name), [ast.Is() | ast.IsNot() as op], [ast.Constant(value=None)]) if (
            name in flags
        ):
            flag = ast.Name(flags[name], ast.Load())
            return ast.UnaryOp(ast.Not(), flag) if isinstance(op, ast.Is) else flag
    return None


def first_value(parts: Sequence[str], flag: str, *, given: bool) -> ast.stmt:
    """What a parameter is at first: a tuple that is ``given`` as its numbers, or ``None``."""
    if given:
        return ast.Assign([ast.Name(flag, ast.Store())], ast.Constant(True))
    return bound_names((*parts, flag), [*(ast.Constant(None) for _ in parts), ast.Constant(False)])


def bound_names(names: Sequence[str], values: Sequence[ast.expr]) -> ast.Assign:
    """An assignment of several values."""
    targets: list[ast.expr] = [ast.Name(each, ast.Store()) for each in names]
    return ast.Assign([ast.Tuple(targets, ast.Store())], ast.Tuple([*values], ast.Load()))


def as_number(name: str) -> ast.expr:
    """A name that is read as a number: where it holds ``None`` the loop as written runs, and raises."""
    return ast.BoolOp(ast.Or(), [ast.Name(name, ast.Load()), ast.Name(name, ast.Load())])

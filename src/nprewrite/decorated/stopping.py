"""A function, or a script, with loops that ask between two iterations whether they stop."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Sequence
from typing import cast

from nprewrite.base.syntax import expression_tree, text_tree, walk
from nprewrite.decorated.blocks import parts_of
from nprewrite.decorated.rest import Rest


def stopping(node: ast.FunctionDef, cut: Sequence[Rest], name: str, probe: str) -> ast.FunctionDef:
    """The function with loops that may stop, each followed by a call of what takes over the rest.

    ``name`` stands for an object with ``trips(number, iterable)``, ``numbered(number, enumerate, x)``,
    ``stays(number)``, ``left``, ``rest()``, ``values()``, ``ended(x)`` and ``probe()``, whose result is a
    local variable called ``probe``.
    """
    made = copy.deepcopy(node)
    probing = _statement(f"{probe} = {name}.probe()", node.body[0])
    body = [probing]
    for statement in made.body:
        body.append(statement)
        if _watched(statement, cut, name) is not None:
            body.append(_statement(f"if {name}.left is not None: return {_rest(name)}", statement))
        for block in [*_inner_blocks(statement)]:
            block[:] = _stopping_block(block, cut, name)
    made.body, made.decorator_list = body, []
    return made


def _inner_blocks(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The blocks of a statement in which a loop may stop."""
    for block, _ in parts_of(node):
        yield block
        for each in block:
            yield from _inner_blocks(each)


def stopping_script(tree: ast.Module, cut: Sequence[Rest], name: str) -> ast.Module:
    """The script with loops that may stop; what follows one only runs where it does not."""
    made = copy.deepcopy(tree)
    last = made.body[-1]
    if isinstance(last, ast.If) and any(each.loop.lineno > last.lineno for each in cut):
        last.body = _stopping_block(last.body, cut, name)
    else:
        made.body = _stopping_block(made.body, cut, name)
    return made


def _stopping_block(body: list[ast.stmt], cut: Sequence[Rest], name: str) -> list[ast.stmt]:
    for number, statement in enumerate(body):
        rest = _watched(statement, cut, name)
        if rest is not None:
            leaving = _statement(f"if {name}.left is not None:\n    {_taken(rest, name)}", statement)
            assert isinstance(leaving, ast.If)
            leaving.orelse = _stopping_block(body[number + 1 :], cut, name)
            return [*body[: number + 1], leaving]
    return body


def _taken(rest: Rest, name: str) -> str:
    """The statements that run a rest and bind what it gives."""
    bound = f"{', '.join(rest.results)}, = " if rest.results else ""
    dropped = (f"{each} = None; del {each}" for each in rest.dropped)
    return "; ".join([f"{bound}{_rest(name)}", *dropped])


def _rest(name: str) -> str:
    """The call of the rest, for whose frame the next one is to be of the user's file."""
    return f"{name}.ended({name}.rest()(*{name}.values()))"


def _watched(statement: ast.stmt, cut: Sequence[Rest], name: str) -> Rest | None:
    """Have a loop ask whether it goes on, if it is one that may stop, which has a rest."""
    number = next((k for k, each in enumerate(cut) if each.loop.lineno == statement.lineno), None)
    if number is None or not isinstance(statement, ast.For | ast.While):
        return None
    if isinstance(statement, ast.For) and cut[number].numbered:
        assert isinstance(statement.iter, ast.Call)
        statement.iter = _like(f"{name}.numbered({number}, enumerate, x)", statement.iter.args[0])
    elif isinstance(statement, ast.For):
        statement.iter = _like(f"{name}.trips({number}, x)", statement.iter)
    else:
        statement.test = _like(f"{name}.stays({number}) and x", statement.test)
    return cut[number]


def _statement(text: str, like: ast.stmt) -> ast.stmt:
    return cast("ast.stmt", _at(text_tree(text).body[0], like))


def _like(text: str, inner: ast.expr) -> ast.expr:
    """An expression at the place of the one that stands for ``x`` in it."""
    made = _at(expression_tree(text), inner)
    if isinstance(made, ast.Call):
        made.args[-1] = inner
    elif isinstance(made, ast.BoolOp):
        made.values[-1] = inner
    return cast("ast.expr", made)


def _at(node: ast.AST, like: ast.expr | ast.stmt) -> ast.AST:
    for each in walk(node):
        if isinstance(each, ast.expr | ast.stmt):
            ast.copy_location(each, like)
    return node

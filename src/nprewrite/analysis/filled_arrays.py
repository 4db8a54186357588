"""Whether all elements of an array of undefined ones, ``np.empty(n)``, are set before one of them is read."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from nprewrite.base.syntax import blocks, is_ellipsis, name_nodes, parts_of
from nprewrite.program.function import Function
from nprewrite.types.array_functions import literal
from nprewrite.types.values import Array

_FURTHEST = 4
"""How far from an end of an axis the positions are told apart."""
_MOST_AXES = 3

Index = tuple[Any, ...]


def is_filled_first(call: ast.Call, function: Function) -> bool:
    """Whether the statements behind ``z = np.empty(...)`` store into all of ``z`` before it is read."""
    value = function.facts.value(call)
    found = _assigned(call, function)
    if found is None or not isinstance(value, Array):
        return False
    name, following = found
    stored: list[Index] = []
    for statement in following:
        names = [each for each in name_nodes(statement) if each.id == name]
        if not names:
            continue
        index = _stored(statement, name)
        if index is None or len(names) > 1:
            return False
        stored.append(index)
        if _covers(stored, value.rank):
            return True
    return False


def _assigned(call: ast.Call, function: Function) -> tuple[str, Sequence[ast.stmt]] | None:
    """The name that an array is bound to, and the statements that follow in the block."""
    parents: list[ast.AST] = [function.node, *function.statements()]
    for block in (block for each in parents for block in blocks(each)):
        for position, statement in enumerate(block):
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if value is call:
                    return name, block[position + 1 :]
    return None


def _stored(statement: ast.stmt, name: str) -> Index | None:
    """The literal index of ``name[...] = e``."""
    match statement:
        case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=stored), slice=index)]) if stored == name:
            items = parts_of(index)
            known = [found for each in items if (found := _item(each)) is not None]
            return tuple(known) if len(known) == len(items) else None
    return None


def _item(node: ast.expr) -> Any:
    """A number, a slice or an ellipsis; None where it is not written out, or too far from the ends."""
    if is_ellipsis(node):
        return Ellipsis
    if not isinstance(node, ast.Slice):
        return _position(node)
    bounds = [node.lower, node.upper, node.step]
    known = [None if each is None else _position(each) for each in bounds]
    written_out = all((each is None) == (value is None) for each, value in zip(bounds, known, strict=True))
    return slice(*known) if written_out and known[2] in (None, 1) else None


def _position(node: ast.expr) -> int | None:
    number = literal(node)
    return number if isinstance(number, int) and abs(number) <= _FURTHEST else None


def _covers(stored: Sequence[Index], axes: int | None) -> bool:
    """Whether stores set all elements of an array, however long its axes are, and many where that is unknown.

    Beyond the furthest positions from both ends the elements of an axis are stored alike: short arrays tell.
    """
    if stored[-1] == (Ellipsis,):
        return True
    if axes is None or axes > _MOST_AXES:
        return False
    lengths = itertools.product(range(2 * _FURTHEST + 3), repeat=axes)
    return all(_sets_all(np.zeros(each, bool), stored) for each in lengths)


def _sets_all(elements: np.ndarray[tuple[int, ...], np.dtype[np.bool_]], stored: Sequence[Index]) -> bool:
    for index in stored:
        try:
            elements[index] = True
        except IndexError:
            # The program raises there too.
            return True
    return bool(elements.all())

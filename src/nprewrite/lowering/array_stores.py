"""Stores of arrays in lowered code: into names, and into parts of other arrays.

NumPy evaluates what is stored before it stores, so what reads arrays is first computed into its own memory.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from nprewrite.lowering import operators
from nprewrite.lowering.array_walk import ArrayWalk
from nprewrite.lowering.arrays import ArrayValue
from nprewrite.lowering.elements import (
    ONE,
    Elements,
    check_equal,
    elements_of,
    in_memory,
    materialised,
    store,
)
from nprewrite.lowering.problems import NotNative
from nprewrite.lowering.values import Code, Value, stored


def named(code: Code, value: Elements) -> Elements:
    """The array under a name of its own, which is not affected when other names are bound later."""
    held = in_memory(code, value)
    return elements_of(code, replace(held, text=code.temporary(held.text)))


def bound(code: Code, name: str, value: Elements, given: ArrayValue | None) -> ArrayValue:
    """``name = array``; ``given`` is the array that the name stands for at first, if it is a parameter.

    Numba gives a variable one type, so a name becomes one variable for each kind of array.
    """
    held = in_memory(code, value)
    element, rank = held.array.element, value.rank
    alike = given is not None and (given.array.element, given.array.rank) == (element, rank)
    text = f"p_{name}" if alike else f"v_{name}_{element.kept}_{rank}"
    if held.text != text:
        code.line(f"{text} = {held.text}")
    return replace(held, text=text)


def stored_part(walk: ArrayWalk, target: Elements, value: Value | Elements, node: ast.expr) -> frozenset[str]:
    """``x[i, :] = value``; returns the parameters into whose memory it stores."""
    held = memory_of(target, node)
    if not isinstance(value, Elements):
        walk.account(target.lengths, 0.0)
        element = held.array.element
        number = Value({element: walk.code.temporary(stored(walk.code, value, element.dtype))})
        store(walk.code, target, element.dtype, everywhere(number))
        return held.roots
    walk.account(target.lengths, 0.0)
    solid = elements_of(walk.code, materialised(walk.code, value))
    store(walk.code, target, held.array.element.dtype, spread(walk.code, solid, target, node))
    return held.roots


def augmented(
    walk: ArrayWalk, target: Elements, value: Value | Elements, node: ast.AugAssign
) -> frozenset[str]:
    """``x += value`` in the memory of ``x``; returns the parameters into whose memory it stores."""
    held = memory_of(target, node.target)
    code, element = walk.code, held.array.element
    if isinstance(node.op, ast.MatMult):
        raise NotNative("unsupported-operation", f"`{ast.unparse(node)}` is not supported", node)
    walk.account(target.lengths, 0.0)
    if isinstance(value, Elements):
        solid = elements_of(code, materialised(code, value))
        other = spread(code, solid, target, node)
    else:
        other = everywhere(value)

    def at(indices: Sequence[str]) -> Value:
        made = operators.binary(code, node.op, target.at(indices), other(indices), node)
        if made.only is None or not np.can_cast(made.only.dtype, element.dtype, "same_kind"):
            text = f"`{ast.unparse(node)}` does not fit into {element.dtype}"
            raise NotNative("unsupported-operation", text, node)
        return made

    store(code, target, element.dtype, at)
    return held.roots


def memory_of(target: Elements, node: ast.expr) -> ArrayValue:
    if target.kept is None:
        raise NotNative("not-scalar", f"`{ast.unparse(node)}` is stored into", node)
    return target.kept


def everywhere(number: Value) -> Callable[[Sequence[str]], Value]:
    """The same number at all indices."""
    return lambda _: number


def spread(code: Code, value: Elements, target: Elements, node: ast.AST) -> Callable[[Sequence[str]], Value]:
    """The elements of ``value`` at the indices of ``target``."""
    skipped = target.rank - value.rank
    if skipped < 0:
        raise NotNative("not-scalar", f"`{ast.unparse(node)}` stores an array of more axes", node)
    once = [each.form == ONE for each in value.lengths]
    for one, own, whole in zip(once, value.lengths, target.lengths[skipped:], strict=True):
        if not one:
            check_equal(code, whole, own)

    def at(indices: Sequence[str]) -> Value:
        own = indices[skipped:]
        return value.at(["0" if first else each for first, each in zip(once, own, strict=True)])

    return at

"""Sums of products as matrix products."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from nprewrite.emit.array_code.scene import Scene, Vec
from nprewrite.emit.array_code.values import Values
from nprewrite.types.loop_numbers import Type


def product(
    node: ast.expr,
    kind: Type,
    home: Sequence[str],
    lane: str,
    scene: Scene,
    named: Callable[[ast.expr], ast.expr],
) -> Vec | None:
    """The sum of a product as ``left @ right``, with factors that do not vary outside it.

    For a sum of products it is the sum of their sums. ``named`` binds an expression to a name before the
    statement.
    """
    if kind.kind not in {"int", "float", "complex"}:
        return None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        parts = [product(each, kind, home, lane, scene, named) for each in (node.left, node.right)]
        target = Values(replace(scene, lanes=frozenset(home)), tuple(home))
        first, second = parts
        return target.binary(node.op, first, second, node) if first and second else None
    factors = list(_factors(node))
    along = [Values(scene, scene.order).value(each) for each in factors]
    inner = [at for at, each in enumerate(along) if lane in each.lanes]
    scale = [at for at in range(len(factors)) if at not in inner]
    groups = _groups([along[at].lanes - {lane} for at in inner])
    if len(inner) < 2 or groups is None or any(each.type.kind == "bool" for each in along):
        return None
    one, other = ([inner[at] for at in group] for group in groups)
    lanes = [frozenset[str]().union(*(along[at].lanes for at in group)) - {lane} for group in (one, other)]
    outputs = [each for each in home if each in lanes[0] | lanes[1]]
    if outputs and outputs[0] in lanes[1]:
        one, other, lanes = other, one, lanes[::-1]
    left = _multiplied([factors[at] for at in one], scene, (*_ordered(lanes[0], home), lane))
    right = _multiplied([factors[at] for at in other], scene, (lane, *_ordered(lanes[1], home)))
    turned = _multiplied([factors[at] for at in one], scene, (lane, *_ordered(lanes[0], home)))
    alike = len(lanes[0]) == 1 and ast.unparse(turned.node) == ast.unparse(right.node)
    total: ast.expr = ast.BinOp(left.node, ast.MatMult(), right.node)
    if alike and not right.bare:
        # One name for both factors: it is computed once, and BLAS computes only half of a symmetric product.
        both = named(right.node)
        total = ast.BinOp(ast.Attribute(both, "T", ast.Load()), ast.MatMult(), both)
    natural = np.result_type(left.type.natural, right.type.natural)
    if natural != kind.natural and (kind.kind == "int" or not scale):
        return None
    target = Values(replace(scene, lanes=frozenset(home)), tuple(home))
    total = target.aligned(total, outputs)
    result = Vec(total, frozenset(outputs), Type(kind.kind, natural))
    for at in reversed(scale):
        factor = target.value(factors[at])
        result = target.binary(ast.Mult(), factor, result, node)
    return result


def _multiplied(factors: Sequence[ast.expr], scene: Scene, order: tuple[str, ...]) -> Vec:
    """The product of some factors, with exactly the axes ``order``."""
    values = Values(scene, order)
    result = values.value(factors[0])
    for each in factors[1:]:
        result = values.binary(ast.Mult(), result, values.value(each), each)
    return result


def _groups(lanes: Sequence[frozenset[str]]) -> tuple[list[int], list[int]] | None:
    """Two groups of factors with no lane in common, each with at most one lane; None if there are none."""
    distinct = sorted({name for each in lanes for name in each})
    if any(len(each) > 1 for each in lanes) or len(distinct) > 2 or len(lanes) < 2:
        return None
    if not distinct:
        return [0], list(range(1, len(lanes)))
    first = [at for at, each in enumerate(lanes) if distinct[0] in each]
    rest = [at for at in range(len(lanes)) if at not in first]
    if len(distinct) == 1 and not rest:
        return None
    if len(distinct) == 2:
        second = [at for at in rest if lanes[at]]
        return [at for at in range(len(lanes)) if at not in second], second
    return first, rest


def _factors(node: ast.expr) -> Sequence[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        return [*_factors(node.left), *_factors(node.right)]
    return [node]


def _ordered(lanes: frozenset[str], home: Sequence[str]) -> tuple[str, ...]:
    return tuple(each for each in home if each in lanes)

"""How large the Python integers of an expression may get: int64 and float64 are exact below 2**53 only."""

from __future__ import annotations

import ast

LARGEST = 2**53
"""Integers up to this are the same as Python's, int64 and float64."""

COUNTED = 2**45
"""More than any loop over whole arrays counts to in years."""


def bounded(op: ast.operator, left: int | None, right: int | None, exponent: object = None) -> int | None:
    """The largest absolute value of ``left op right``, given those of the operands."""
    if left is None or right is None:
        return None
    match op:
        case ast.Add() | ast.Sub():
            return left + right
        case ast.Mult():
            return left * right
        case ast.FloorDiv():
            return left + 1
        case ast.Mod():
            return right
        case ast.Pow() if isinstance(exponent, int) and 0 <= exponent <= 4:
            return int(max(left, 1) ** exponent)
    return None


def magnitude(node: ast.AST, limit: int) -> int | None:
    """The largest absolute value of an integer expression whose names are at most ``limit``, at any node."""
    match node:
        case ast.Constant(value=int() as value):
            return abs(int(value))
        case ast.Name():
            return limit
        case ast.UnaryOp():
            return magnitude(node.operand, limit)
        case ast.BinOp():
            left, right = magnitude(node.left, limit), magnitude(node.right, limit)
            if left is None or right is None:
                return None
            return max(left, right, _combined(node, left, right))
    return None


def _combined(node: ast.BinOp, left: int, right: int) -> int:
    match node.op:
        case ast.Add() | ast.Sub():
            return left + right
        case ast.Mult():
            return left * right
        case ast.Pow() if isinstance(node.right, ast.Constant) and node.right.value in range(5):
            return int(max(left, 1) ** right)
        case ast.FloorDiv() | ast.Mod() | ast.Div():
            return left + right
    return LARGEST + 1


def limit_for(node: ast.AST) -> int | None:
    """The largest power of two that keeps ``node`` exact if its names do not exceed it; None if none does."""
    powers = [2**bits for bits in range(44, 15, -1)]
    sizes = ((power, magnitude(node, power)) for power in powers)
    return next((power for power, size in sizes if size is not None and size <= LARGEST), None)

"""Small pieces of syntax for whole-array statements."""

from __future__ import annotations

import ast
from collections.abc import Sequence

import numpy as np

from nprewrite.base.syntax import expression_tree


def call(function: str, arguments: Sequence[ast.expr], **keywords: ast.expr) -> ast.Call:
    """``function(*arguments, **keywords)``."""
    named = [ast.keyword(name, value) for name, value in keywords.items()]
    return ast.Call(expression_tree(function), list(arguments), named)


def cast(node: ast.expr, dtype: np.dtype[np.generic], numpy: str) -> ast.expr:
    """``node.astype(np.float32)``."""
    function = ast.Attribute(node, "astype", ast.Load())
    return ast.Call(function, [expression_tree(f"{numpy}.{dtype.name}")], [])


def name_at(text: str, place: ast.AST) -> ast.Name:
    """A name as an expression at the position of ``place``."""
    return ast.copy_location(ast.Name(text, ast.Load()), place)


def read(node: ast.Subscript) -> ast.Subscript:
    """A stored element as an expression that reads it."""
    return ast.copy_location(ast.Subscript(node.value, node.slice, ast.Load()), node)


def subscript(base: ast.expr, items: Sequence[ast.expr]) -> ast.expr:
    """``base[items]``; the array itself where every item is ``:``."""
    if all(isinstance(each, ast.Slice) and _is_everything(each) for each in items):
        return base
    inner = items[0] if len(items) == 1 else ast.Tuple(list(items), ast.Load())
    return ast.Subscript(base, inner, ast.Load())


def transposed(view: ast.expr, axes: Sequence[int]) -> ast.expr:
    """The array with its axes in another order."""
    if list(axes) == [1, 0]:
        return ast.Attribute(view, "T", ast.Load())
    function = ast.Attribute(view, "transpose", ast.Load())
    return ast.Call(function, [ast.Constant(axis) for axis in axes], [])


def _is_everything(node: ast.Slice) -> bool:
    return node.lower is None and node.upper is None and node.step is None

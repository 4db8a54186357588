"""Flattened arrays as copies, ``x.flatten()`` for ``np.ravel(x)``, where nothing tells a copy from a view."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from nprewrite.base.syntax import base_name, items_of, names_bound, names_in, twin, walk
from nprewrite.numpy_api.methods import only_reads

Resolve = Callable[[ast.expr], str | None]


def with_flat_copies(function: ast.FunctionDef, resolve: Resolve) -> ast.FunctionDef:
    """The function with copies for flattened arrays that are only read, as what they are made of is."""
    nodes = [*walk(function)]
    if not any(_flattened(each, resolve) is not None for each in nodes):
        return function
    changed = {*_changed(nodes)}
    copies = _Copies(resolve, changed.union(_given_away(nodes)), changed)
    made: ast.FunctionDef = copies.visit(twin(function))
    return ast.fix_missing_locations(made)


def only_read(function: ast.FunctionDef) -> frozenset[str]:
    """The names of vectors in a function that nothing stores into, or keeps under another name.

    A vector may be returned as a whole.
    """
    nodes = [*walk(function)]
    changed, returned = {*_changed(nodes)}, {*_returned(nodes)}
    given_away = _given_away(each for each in nodes if each not in returned)
    return frozenset(names_bound(*nodes)).difference(changed, given_away, _viewed(nodes, changed))


def _returned(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """What returns vectors by their names: ``return y``, and the tuples of ``return (t, y), x``."""
    for each in nodes:
        match each:
            case ast.Return(value=ast.expr() as value) if _is_whole(value):
                yield from (each, *_tuples(value))


def _is_whole(node: ast.expr) -> bool:
    several = node.elts if isinstance(node, ast.Tuple) else []
    return all(map(_is_whole, several)) and (isinstance(node, ast.Name) or not _is_part(node))


def _tuples(node: ast.expr) -> Iterator[ast.Tuple]:
    if isinstance(node, ast.Tuple):
        yield node
        yield from chain.from_iterable(map(_tuples, node.elts))


def _viewed(nodes: Iterable[ast.AST], changed: set[str]) -> Iterable[str]:
    """The names that occur in calls whose result is stored into: ``z = np.asarray(y)`` may be ``y``."""
    for each in nodes:
        match each:
            case ast.Assign(targets=targets, value=ast.Call() as call) if changed & {*names_in(*targets)}:
                yield from names_in(call)


def _flattened(node: ast.AST, resolve: Resolve) -> ast.expr | None:
    """The array that an expression flattens: ``np.ravel(x)``, ``x.ravel()``, ``x.reshape(-1)``."""
    match node:
        case ast.Call(func=called, args=[given], keywords=[]) if resolve(called) == "numpy.ravel":
            return given
        case ast.Call(func=ast.Attribute(value=given, attr="ravel"), args=[], keywords=[]):
            return given
        case ast.Call(
            func=ast.Attribute(value=given, attr="reshape"),
            args=[ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=1))],
            keywords=[],
        ):
            return given
    return None


def _changed(nodes: Iterable[ast.AST]) -> Iterable[str]:
    """The names of arrays that are stored into."""
    for each in nodes:
        match each:
            case ast.Subscript(ctx=ast.Store() | ast.Del()):
                yield base_name(each) or ""
            case ast.AugAssign(target=target):
                yield base_name(target) or ""
            case ast.Call(func=ast.Attribute(value=held, attr=name)) if not only_reads(name):
                yield base_name(held) or ""
            case ast.keyword(arg="out", value=held):
                yield base_name(held) or ""


def _given_away(nodes: Iterable[ast.AST]) -> Iterable[str]:
    """The names of vectors that may get another name, or outlive the function, as they are or in part."""
    for each in nodes:
        match each:
            case (
                ast.Return(value=ast.expr() as value) | ast.NamedExpr(value=value) | ast.Starred(value=value)
            ):
                held = [value]
            case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Dict(values=parts):
                held = parts
            case ast.IfExp(body=first, orelse=other):
                held = [first, other]
            case ast.Assign(targets=[target, *_], value=value) if not isinstance(target, ast.Subscript):
                held = [value]
            case _:
                held = []
        yield from (base_name(part) or "" for part in held if _is_part(part))


def _is_part(node: ast.expr) -> bool:
    """Whether an expression may be a vector that has a name, or a part of one, and no number."""
    if isinstance(node, ast.Subscript):
        return any(isinstance(each, ast.Slice) for each in items_of(node))
    return isinstance(node, ast.Name)


class _Copies(ast.NodeTransformer):
    def __init__(self, resolve: Resolve, unsure: set[str], changed: set[str]) -> None:
        self._resolve = resolve
        self._unsure = unsure
        self._changed = changed

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        """``w = np.ravel(x[i : i + 3, j : j + 3])``, where ``w`` is only read; all of ``x`` may be a view."""
        given, (target, *others) = _flattened(node.value, self._resolve), node.targets
        if given is None or (isinstance(target, ast.Subscript) and not others):
            return self._visited(node)
        alone = isinstance(target, ast.Name) and not others and target.id not in self._unsure
        return self._visited(node) if alone and not isinstance(given, ast.Name) else node

    def visit_Return(self, node: ast.Return) -> ast.stmt:
        """What is returned may be a view."""
        kept = node.value is not None and _flattened(node.value, self._resolve) is not None
        return node if kept else self._visited(node)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """A copy."""
        self.generic_visit(node)
        given = _flattened(node, self._resolve)
        if given is None or base_name(given) is None or base_name(given) in self._changed:
            return node
        return ast.copy_location(ast.Call(ast.Attribute(given, "flatten", ast.Load()), [], []), node)

    def _visited(self, node: ast.stmt) -> ast.stmt:
        return self.generic_visit(node)  # type: ignore[return-value]

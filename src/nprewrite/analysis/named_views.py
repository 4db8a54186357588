"""Views that a function takes once and keeps: ``u = U[1:-1, 1:-1]`` before a loop that uses both.

A step that got both as arguments would change one without the change showing in the other. Where neither name
is bound again, the step takes the view itself.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from nprewrite.analysis.array_steps import has_literal_index, is_reversed
from nprewrite.analysis.liveness import surely_set
from nprewrite.base import syntax
from nprewrite.program.function import Definition, Function
from nprewrite.source.kept import kept, names_in_scope, names_mentioned
from nprewrite.source.names import parameter_names
from nprewrite.types.values import Array

View = tuple[str, ast.Subscript]


def kept_views(statements: Sequence[ast.stmt], at: ast.stmt, function: Function) -> tuple[View, ...]:
    """The views, by name, that statements use together with their arrays or with other views of them.

    ``at`` is the first of the statements, or the loop whose body they are.
    """
    if not isinstance(function.node, Definition):
        return ()
    names = frozenset[str]().union(*map(names_mentioned, statements))
    found = [
        (name, view)
        for name, view in _views(function.node)
        if name in names and _times_bound(name, function) == 1 and _stays(view, function)
    ]
    found = [each for each in found if surely_set(each[0], at, function)]
    bases = [_base(view) for _, view in found]
    return tuple(each for each in found if _base(each[1]) in names or bases.count(_base(each[1])) > 1)


@kept
def _views(node: Definition) -> Sequence[View]:
    """The names that are bound to a part of a named array, with the views in the order of the walk."""
    return [*_all_views(node)]


def _all_views(node: Definition) -> Iterator[View]:
    for each in syntax.walk(node):
        match each:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Subscript() as view):
                yield name, view
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                for target, value in zip(targets, values, strict=False):
                    if isinstance(target, ast.Name) and isinstance(value, ast.Subscript):
                        yield target.id, value


def _stays(view: ast.Subscript, function: Function) -> bool:
    """Whether a view of literal slices is a view of the same array wherever the function uses it."""
    value, base = function.facts.value(view), _base(view)
    plain = isinstance(value, Array) and value.under is None and has_literal_index(view)
    # For a negative step torch makes a copy, not a view.
    plain = plain and not any(is_reversed(each) for each in syntax.walk(view) if isinstance(each, ast.Slice))
    if not plain or not function.is_local(base) or function.is_shared(base):
        return False
    assert isinstance(function.node, Definition)
    return _times_bound(base, function) + (base in parameter_names(function.node.args)) == 1


def _base(view: ast.Subscript) -> str:
    return view.value.id if isinstance(view.value, ast.Name) else ""


def _times_bound(name: str, function: Function) -> int:
    """How often a name is bound; ``u += e`` of an array leaves the name on the same array."""
    places = names_in_scope(function.node).get(name, ())
    bound = [each for each in places if not isinstance(each.ctx, ast.Load)]
    changed = _changed(function.node)
    arrays = (each for each in bound if each in changed and isinstance(function.facts.value(each), Array))
    return len(bound) - sum(1 for _ in arrays)


@kept
def _changed(scope: ast.AST) -> frozenset[ast.expr]:
    """The targets of ``u += e``."""
    return frozenset(each.target for each in syntax.walk(scope) if isinstance(each, ast.AugAssign))

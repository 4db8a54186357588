"""The lists that a statement may change: by a method, a store, a call, or under a further name."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from nprewrite.base.syntax import walk

_DISPLAYS = (ast.Name, ast.Tuple, ast.List, ast.Set, ast.Dict)


def changed_lists(node: ast.stmt, is_own: Callable[[ast.Call], bool]) -> Iterator[str]:
    """Names of what a statement may change; ``is_own`` says of which calls that is known of nobody else."""
    for each in walk(node):
        match each:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name))):
                yield name
            case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store() | ast.Del()):
                yield name
            case ast.AugAssign(target=ast.Name(id=name)):
                yield name
            case ast.Assign(targets=targets, value=value) if isinstance(value, _DISPLAYS):
                yield from _names(value)
                yield from (name for target in targets for name in _names(target) if _names(value))
        if isinstance(each, ast.Call) and is_own(each):
            yield from (part.id for part in each.args if isinstance(part, ast.Name))
            yield from (part.value.id for part in each.keywords if isinstance(part.value, ast.Name))


def _names(node: ast.expr) -> list[str]:
    return [each.id for each in walk(node) if isinstance(each, ast.Name)]

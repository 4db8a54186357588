"""Types that expressions had while the program ran, where its text does not tell them.

They are suggestions: the next call may have another array. They serve where a guard checks each call, in
regions and loops that become steps.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping

from nprewrite.base.syntax import children
from nprewrite.numpy_api.python import python_function
from nprewrite.source.document import Document
from nprewrite.source.names import ALL_SCOPES
from nprewrite.types.values import Array, Unknown, Value

Place = tuple[int, str]
"""A line of the text as it was given, and an expression in it."""
Observed = Mapping[Place, Value]


def place_of(node: ast.expr, document: Document) -> Place:
    """The place of an expression, in terms that stay the same while passes move lines."""
    return document.origins[node.lineno - 1].line, ast.unparse(node)


def of_module(name: str) -> Place:
    """The place of a variable of the module, wherever a function reads it."""
    return 0, f"global {name}"


def read_elsewhere(name: str, observed: Observed) -> Array | None:
    """What ``u`` in ``u *= k`` is, where no run shows it: the one kind of array that it is elsewhere."""
    found = [value for (_, text), value in observed.items() if text == name]
    arrays = [value for value in found if isinstance(value, Array)]
    one_kind = len({(each.dtype, each.rank) for each in arrays}) == 1
    return arrays[0] if one_kind and len(arrays) == len(found) else None


def unknown_expressions(
    body: list[ast.stmt],
    values: Mapping[ast.expr, Value],
    dotted: Callable[[ast.expr], str | None],
) -> Iterator[ast.expr]:
    """The names, calls, attributes and elements in some statements of which nothing is known.

    ``dotted`` gives the full name of a function or a module.
    """
    for node in _evaluated(body):
        looked_at = isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.Call)
        if not looked_at or not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            continue
        called = dotted(node.func) or "" if isinstance(node, ast.Call) else ""
        python = python_function(called)
        other = called.startswith("builtins.") and (python is None or not python.numbers)
        value = values.get(node)
        if isinstance(value, Unknown) and not value.is_of_python and dotted(node) is None and not other:
            yield node


def _evaluated(body: list[ast.stmt]) -> Iterator[ast.expr]:
    """Every expression that the statements themselves evaluate, except the functions that they call."""
    stack: list[ast.AST] = [*body]
    while stack:
        node = stack.pop()
        if isinstance(node, ALL_SCOPES):
            continue
        if isinstance(node, ast.expr):
            yield node
        skipped = {id(getattr(node, name, None)) for name in ("annotation", "returns")}
        if isinstance(node, ast.Call):
            skipped.add(id(node.func))
            if isinstance(node.func, ast.Attribute):
                stack.append(node.func.value)
        stack.extend(each for each in children(node) if id(each) not in skipped)

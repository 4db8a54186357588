"""What the passes knew of a function's values, and for which expressions they knew nothing.

Only the text and what is given of the arguments are read; none of the user's code runs.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nprewrite.explaining.words import described, is_suggested
from nprewrite.program.function import Function
from nprewrite.source.names import first_line
from nprewrite.types.values import Array, Unknown, Value

_OF_LIBRARY = re.compile(r"`([\w.]+)\.\w+\(\.\.\.\)`")
"""A function of a library, of which nothing is known."""


@dataclass(frozen=True)
class KnownName:
    """A name of the function and what it is from ``line`` on.

    ``suggested`` means that an annotation, a default or a call suggests it, and a guard checks each call.
    """

    name: str
    line: int
    type: str
    suggested: bool


@dataclass(frozen=True)
class NotKnown:
    """Something that is not known, why, and the first expression that it keeps unknown.

    ``others`` counts further expressions that are unknown for the same reason; ``parameter`` is the one whose
    type would help.
    """

    line: int
    column: int
    expression: str
    because: str
    parameter: str | None
    others: int


@dataclass(frozen=True)
class FunctionFacts:
    """What was known and unknown in one function, whose first and last line are ``lines``.

    ``same_shape`` holds the groups of arrays that are known to have the same shape.
    """

    name: str
    lines: tuple[int, int]
    known: tuple[KnownName, ...]
    same_shape: tuple[tuple[str, ...], ...]
    unknown: tuple[NotKnown, ...]


def facts_of(function: Function) -> FunctionFacts:
    """The facts of a function in the text that is being explained."""
    values = [
        (node, value)
        for node, value in function.facts.expressions.values.items()
        if isinstance(node, ast.Name)
    ]
    values.sort(key=lambda pair: (pair[0].lineno, pair[0].col_offset))
    return FunctionFacts(
        function.name,
        lines_of(function),
        tuple(_known(values)),
        tuple(_same_shape(values)),
        tuple(sorted(_unknown(function), key=lambda each: (each.line, each.column))),
    )


def lines_of(function: Function) -> tuple[int, int]:
    """The first and the last line of a function, its decorators included; of a module all lines."""
    node = function.node
    if isinstance(node, ast.Module):
        return 1, len(function.document.origins)
    return first_line(node), node.end_lineno or node.lineno


def _known(values: Sequence[tuple[ast.Name, Value]]) -> Iterator[KnownName]:
    """The names with their types, once for each type that a name takes."""
    seen: dict[str, str] = {}
    for node, value in values:
        if isinstance(value, Unknown):
            continue
        word = described(value)
        if seen.get(node.id) != word:
            seen[node.id] = word
            yield KnownName(node.id, node.lineno, word, is_suggested(value))


def _same_shape(values: Sequence[tuple[ast.Name, Value]]) -> Iterator[tuple[str, ...]]:
    """The groups of two and more arrays that always have the same shape."""
    shapes: dict[str, set[object]] = {}
    for node, value in values:
        if isinstance(value, Array):
            shapes.setdefault(node.id, set()).add(value.shape)
    groups: dict[object, list[str]] = {}
    for name, found in shapes.items():
        shape = next(iter(found))
        if len(found) == 1 and shape is not None:
            groups.setdefault(shape, []).append(name)
    yield from (tuple(names) for names in groups.values() if len(names) > 1)


def _unknown(function: Function) -> Iterator[NotKnown]:
    """One entry for each reason, at the first expression that it keeps unknown."""
    found: dict[str, list[tuple[ast.expr, Unknown]]] = {}
    libraries: dict[str, set[str]] = {}
    for node in function.unknown_expressions():
        value = function.facts.value(node)
        if isinstance(value, Unknown):
            kind = _OF_LIBRARY.sub(r"the functions of `\1`", value.because)
            found.setdefault(kind, []).append((node, value))
            libraries.setdefault(kind, set()).add(value.because)
    for kind, places in found.items():
        # The innermost expression at the first place is the one on which the others depend.
        node, value = min(places, key=lambda pair: (pair[0].lineno, len(ast.unparse(pair[0]))))
        line, column = function.document.position(node)
        because = kind if len(libraries[kind]) > 1 else value.because
        yield NotKnown(line, column, ast.unparse(node), because, value.parameter, len(places) - 1)

"""The statements of a nest of scalar loops, as a tree; ``regions.nests.nest`` says what is known of one."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from nprewrite.types.affine import Affine, Span


@dataclass(eq=False)
class Loop:
    """``for name in range(...)``: the values of ``symbol`` are ``low, low + stride, ...`` below ``high``.

    ``descending`` is set for ``range(..., -1)``, whose values are taken from the last to the first.
    """

    node: ast.For
    name: str
    symbol: str
    low: Affine
    high: Affine
    stride: int
    descending: bool
    body: tuple[Node, ...] = ()

    @property
    def span(self) -> Span:
        """The bounds of the loop's variable."""
        return Span(self.symbol, (self.low,), (self.high,), self.stride)


@dataclass(frozen=True, eq=False)
class Branch:
    """``if test: body else: orelse``; ``position`` numbers the statements in the order of the text."""

    node: ast.If
    position: int
    body: tuple[Node, ...]
    orelse: tuple[Node, ...]


@dataclass(frozen=True, eq=False)
class Store:
    """``target = value`` or ``target op= value`` for one element of an array."""

    node: ast.Assign | ast.AugAssign
    position: int
    target: ast.Subscript
    operator: ast.operator | None
    value: ast.expr


@dataclass(frozen=True, eq=False)
class Bind:
    """``name = value`` or ``name op= value`` for a number."""

    node: ast.Assign | ast.AugAssign
    position: int
    name: str
    operator: ast.operator | None
    value: ast.expr


Node = Loop | Branch | Store | Bind
Leaf = Branch | Store | Bind


@dataclass(frozen=True)
class Place:
    """Where a part of the nest stands: the loops around it and what their branches say (each form >= 0)."""

    loops: tuple[Loop, ...] = ()
    conditions: tuple[Affine, ...] = ()

    @property
    def spans(self) -> tuple[Span, ...]:
        """The bounds of the loop variables, with those of the branches."""
        spans = {loop.symbol: loop.span for loop in self.loops}
        for form in self.conditions:
            inner = [loop.symbol for loop in self.loops if abs(form.coefficient(loop.symbol)) == 1]
            if inner:
                spans[inner[-1]] = _narrowed(spans[inner[-1]], form)
        return tuple(spans.values())


@dataclass(frozen=True)
class Access:
    """An element read or stored: its index for each axis, None where that is not a linear form."""

    node: ast.Subscript
    array: str
    index: tuple[Affine | None, ...]
    write: bool
    leaf: Leaf
    place: Place

    def conflicts(self, other: Access) -> bool:
        """Whether both are to one array, and one of them stores."""
        return self.array == other.array and (self.write or other.write)


Required = tuple[Affine, tuple[Span, ...], ast.expr | ast.stmt, str]
"""A form that must not be negative for any values of the loop variables, the node that needs it, and why."""


def nodes(block: Sequence[Node]) -> Sequence[Node]:
    """All statements of a block, including those inside others."""
    found: list[Node] = []
    for node in block:
        found.append(node)
        if isinstance(node, Loop):
            found += nodes(node.body)
        if isinstance(node, Branch):
            found += [*nodes(node.body), *nodes(node.orelse)]
    return found


def expressions(node: Node) -> Sequence[ast.expr]:
    """The expressions of a statement, without those of the statements inside it."""
    match node:
        case Branch():
            return [node.node.test]
        case Store():
            return [node.target, node.value]
        case Bind():
            return [node.value]
    return []


def _narrowed(span: Span, form: Affine) -> Span:
    """The bounds narrowed to ``form >= 0``, in which the variable has the coefficient 1 or -1."""
    rest = form.replaced(span.name, Affine())
    if form.coefficient(span.name) == 1:
        return Span(span.name, (*span.lows, -rest), span.highs, span.stride)
    return Span(span.name, span.lows, (*span.highs, rest + 1), span.stride)

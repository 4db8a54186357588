"""What is known at the place of an expression in a nest, and of its value in all lanes."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace

from nprewrite.emit.array_code.guards import Guards
from nprewrite.regions.nests.nest import Nest
from nprewrite.regions.nests.tree import Loop
from nprewrite.types.affine import Affine, Span
from nprewrite.types.loop_numbers import Type


@dataclass(frozen=True)
class Vec:
    """A value in all lanes: its expression, the lanes along which it varies, the type of one element.

    ``bare`` is set for a view of an array. ``bound`` is the largest absolute value of a Python integer that
    varies along lanes, None where it is not known.
    """

    node: ast.expr
    lanes: frozenset[str]
    type: Type
    bare: bool = False
    bound: int | None = None


@dataclass
class Temporary:
    """A number of the loop as an array over the lanes ``home``, with their bounds there.

    ``full`` means that all these lanes are axes of the array.
    """

    name: str
    home: tuple[Span, ...]
    lanes: frozenset[str]
    type: Type
    full: bool = False
    bound: int | None = None


@dataclass
class Scene:
    """The place of a statement: its loops with their bounds, the lanes, the temporaries so far.

    ``triangles`` are masks of the lanes that the loops run through, where their bounds depend on other lanes:
    values are computed in the whole rectangle, and stored where the masks hold. ``mask`` is that of the
    branches around it, ``indent`` the indentation of its text.
    """

    nest: Nest
    guards: Guards
    numpy: str
    loops: tuple[Loop, ...] = ()
    spans: tuple[Span, ...] = ()
    lanes: frozenset[str] = frozenset()
    temporaries: dict[str, Temporary] = field(default_factory=dict)
    triangles: tuple[Vec, ...] = ()
    mask: Vec | None = None
    indent: str = ""

    def span(self, name: str) -> Span:
        """The bounds of a loop variable here."""
        return next(span for span in self.spans if span.name == name)

    @property
    def inside(self) -> Scene:
        """The place in a block below a line that is written here."""
        return replace(self, indent=f"{self.indent}    ")

    @property
    def order(self) -> tuple[str, ...]:
        """The lanes here, outermost first."""
        return tuple(span.name for span in self.spans if span.name in self.lanes)

    def require(self, form: Affine, node: ast.expr | ast.stmt, what: str) -> None:
        """Require a linear form not to be negative wherever the loops that stay have got to."""
        outer = [each for each in self.spans if each.name not in self.lanes]
        self.guards.require(form, outer, node, what)

    @property
    def texts(self) -> dict[str, str]:
        """How symbols are written here, loop variables among them."""
        return {**self.nest.names, **{loop.symbol: loop.name for loop in self.loops}}

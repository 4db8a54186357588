"""Loop-carried dependence: which elements one iteration reads or stores that another one stores.

For each pair of accesses to one array and each direction vector (``-``, ``0`` or ``+`` for each common loop:
does the second access happen at a smaller, the same or a larger value of its variable?) the difference of the
indices is bounded; where it cannot be 0 the vector is infeasible (M. Wolfe, *High Performance Compilers for
Parallel Computing*, 1996, chapters 5 and 7). An index that is not linear may be any element.

``carried`` gives a dependence that prevents executing loops in lockstep, all their iterations at once and
statement by statement: its two accesses would then happen in the other order.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from types import MappingProxyType

from nprewrite.regions.nests.nest import Nest
from nprewrite.regions.nests.tree import Access, Loop
from nprewrite.types.affine import Affine, Known, Span, divides, number, symbol

Direction = tuple[int, ...]
"""For each common loop, outermost first: the sign of the second access's iteration minus the first's."""


@dataclass(frozen=True)
class Dependence:
    """Two accesses to the same element, the first of which happens before the second.

    ``distance`` is the number of iterations between them in the outermost loop in which they differ, where it
    is the same for all elements; ``loop`` is that loop.
    """

    first: Access
    second: Access
    direction: Direction
    loop: Loop
    distance: int | None

    def sentence(
        self, line: int, other_line: int, written: Mapping[ast.expr, ast.expr] = MappingProxyType({})
    ) -> str:
        """The evidence in a user's words; the lines are those of the second access and the first.

        ``written`` gives what the text has in place of an access.
        """
        node: ast.expr = self.second.node
        seen, before = ast.unparse(written.get(node, node)), self.loop.name
        verb = "writes" if self.second.write else "reads"
        did = "wrote" if self.first.write else "read"
        where = "on the same line" if line == other_line else f"on line {other_line}"
        if self.distance is None:
            done = "written" if self.first.write else "read"
            which = f"another iteration over `{before}` may have {done} {where}"
            return f"line {line} {verb} `{seen}`, which {which}"
        sign = "+" if self.loop.descending else "-"
        return f"line {line} {verb} `{seen}`, which iteration {before} {sign} {self.distance} {did} {where}"


def dependences(nest: Nest) -> Iterator[Dependence]:
    """Every dependence between two iterations, one for each pair of accesses and each direction."""
    accesses = nest.accesses()
    for number_, one in enumerate(accesses):
        for other in accesses[number_:]:
            if one.conflicts(other):
                yield from _between(one, other, nest)


def carried(found: Iterable[Dependence], lanes: Collection[Loop]) -> Dependence | None:
    """The first dependence that executing the loops of ``lanes`` in lockstep would reverse."""
    return next((each for each in found if _turned(each, lanes)), None)


def _turned(each: Dependence, lanes: Collection[Loop]) -> bool:
    loops = common_loops(each.first, each.second)
    signs = [_order(loop, sign) for loop, sign in zip(loops, each.direction, strict=True)]
    outside = [sign for loop, sign in zip(loops, signs, strict=True) if loop not in lanes]
    first = next((sign for sign in outside if sign), 0)
    if first:
        return first < 0
    if each.first.leaf is each.second.leaf:
        # A statement reads all its elements before it stores any.
        return each.first.write
    return each.first.leaf.position > each.second.leaf.position


def _between(one: Access, other: Access, nest: Nest) -> Iterator[Dependence]:
    loops = common_loops(one, other)
    for direction in product((0, 1, -1), repeat=len(loops)):
        leading = [_order(loop, sign) for loop, sign in zip(loops, direction, strict=True)]
        first = next((sign for sign in leading if sign), 0)
        # The mirror image of a pair of one access with itself is the same dependence.
        if not first or (one is other and first < 0) or not feasible(one, other, direction, nest):
            continue
        loop = next(loop for loop, sign in zip(loops, direction, strict=True) if sign)
        distance = _distance(one, other, direction, loop)
        if first > 0:
            yield Dependence(one, other, direction, loop, distance)
        else:
            turned = tuple(-sign for sign in direction)
            yield Dependence(other, one, turned, loop, distance)


def common_loops(one: Access, other: Access) -> tuple[Loop, ...]:
    """The loops around both accesses, outermost first."""
    pairs = zip(one.place.loops, other.place.loops, strict=False)
    found = []
    for left, right in pairs:
        if left is not right:
            break
        found.append(left)
    return tuple(found)


def feasible(one: Access, other: Access, direction: Direction, nest: Nest) -> bool:
    """Whether the accesses may be to the same element in iterations that differ as in ``direction``."""
    loops = common_loops(one, other)
    renaming = _Renaming(loops, direction)
    spans = renaming.spans(one.place.spans, other.place.spans)
    own = (*one.place.spans, *other.place.spans)
    runs = [high - 1 - low for span in own for low in span.lows for high in span.highs]
    closed = [form for form in runs if not any(name.startswith("%") for name in form.symbols)]
    known = Known(nest.known.lengths, closed)
    gaps = [
        mine - renaming.second(theirs)
        for mine, theirs in zip(one.index, other.index, strict=False)
        if mine is not None and theirs is not None
    ]
    # All gaps must be 0 at once, so that their sums and differences are 0 too.
    pairs = [each for left, right in combinations(gaps, 2) for each in (left + right, left - right)]
    for gap in (*gaps, *pairs):
        multiples = {span.name: span.stride for span in spans if span.name.startswith("+")}
        if not divides(gap, multiples) and gap.symbols <= {span.name for span in spans}:
            return False
        if any(known.always_nonnegative(each - 1, spans) for each in (gap, -gap)):
            return False
    return True


@dataclass(frozen=True)
class _Renaming:
    """The loop variables of the second access in terms of those of the first and of distances ``+i``."""

    loops: Sequence[Loop]
    direction: Direction

    def second(self, form: Affine) -> Affine:
        """A form of the second access."""
        common = {loop.symbol for loop in self.loops}
        for name in sorted(form.symbols - common):
            # A loop around the second access only; the first may be in another loop of the same name.
            form = form.replaced(name, symbol(f"'{name}")) if name.startswith("%") else form
        for loop, sign in zip(self.loops, self.direction, strict=True):
            if sign:
                here = symbol(loop.symbol) + symbol(f"+{loop.symbol}") * sign
                form = form.replaced(loop.symbol, here)
        return form

    def spans(self, one: Sequence[Span], other: Sequence[Span]) -> list[Span]:
        """The bounds of all variables, first those by which others are bounded."""
        found: list[Span] = []
        common = {loop.symbol: sign for loop, sign in zip(self.loops, self.direction, strict=True)}
        theirs = {span.name: span for span in other}
        for span in one:
            sign = common.get(span.name)
            again = theirs.get(span.name)
            if sign is None or again is None:
                found.append(span)
                continue
            lows = tuple(self.second(each) for each in again.lows)
            highs = tuple(self.second(each) for each in again.highs)
            if not sign:
                found.append(Span(span.name, _unique(span.lows, lows), _unique(span.highs, highs)))
                continue
            found.append(span)
            here = symbol(span.name)
            # For a later iteration here + distance < high, for an earlier one here - distance >= low.
            ends = [high - here for high in highs] if sign > 0 else [here - low + 1 for low in lows]
            found.append(Span(f"+{span.name}", (number(span.stride),), tuple(ends), span.stride))
        for span in other:
            if span.name not in common:
                lows = tuple(self.second(each) for each in span.lows)
                highs = tuple(self.second(each) for each in span.highs)
                found.append(replace(span, name=f"'{span.name}", lows=lows, highs=highs))
        return found


def _unique(first: tuple[Affine, ...], second: tuple[Affine, ...]) -> tuple[Affine, ...]:
    return tuple(dict.fromkeys((*first, *second)))


def _order(loop: Loop, sign: int) -> int:
    return -sign if loop.descending else sign


def _distance(one: Access, other: Access, direction: Direction, loop: Loop) -> int | None:
    """How many iterations of ``loop`` lie between the accesses, if one axis determines it."""
    renaming = _Renaming(common_loops(one, other), direction)
    for mine, theirs in zip(one.index, other.index, strict=False):
        if mine is None or theirs is None:
            continue
        gap = mine - renaming.second(theirs)
        factor = gap.coefficient(f"+{loop.symbol}")
        if gap.symbols == {f"+{loop.symbol}"} and gap.constant % factor == 0:
            return abs(gap.constant // factor)
    return None

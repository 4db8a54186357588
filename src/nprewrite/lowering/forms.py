"""Integers as affine forms over bounded symbols: what an index can be, relative to its loops."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce

Bound = int | float
"""An integer, or an infinity where nothing is known."""


@dataclass(frozen=True)
class Form:
    """``constant`` plus coefficients times symbols, newest symbol last."""

    constant: int = 0
    terms: tuple[tuple[int, int], ...] = ()

    def plus(self, other: Form, factor: int = 1) -> Form:
        """``self + factor * other``."""
        terms = dict(self.terms)
        for symbol, coefficient in other.terms:
            terms[symbol] = terms.get(symbol, 0) + factor * coefficient
        kept = tuple(sorted(each for each in terms.items() if each[1]))
        return Form(self.constant + factor * other.constant, kept)

    def minus(self, other: Form) -> Form:
        """``self - other``."""
        return self.plus(other, -1)

    def times(self, factor: int) -> Form:
        """``factor * self``."""
        return Form().plus(self, factor)


Facts = list[Form]
"""Forms that are not negative."""


class Symbols:
    """Symbols with their bounds, which are forms over older symbols, and what conditions say about them."""

    def __init__(self) -> None:
        self._bounds: list[tuple[Form | None, Form | None]] = []
        self.facts: list[Form] = []
        """Forms that are not negative at the current point of the walk."""

    def new(self, low: Form | None, high: Form | None) -> Form:
        """A new symbol between two forms; None for no bound."""
        self._bounds.append((low, high))
        return Form(0, ((len(self._bounds) - 1, 1),))

    def between(self, low: Bound, high: Bound) -> Form:
        """A new symbol between two numbers, or the number itself."""
        if low == high and isinstance(low, int):
            return Form(low)
        return self.new(*(Form(int(each)) if math.isfinite(each) else None for each in (low, high)))

    def upper(self, form: Form) -> Bound:
        """The greatest value that ``form`` can have."""
        known = -self._least(form.times(-1))
        return min([known, *(-self._least(form.times(-1).minus(fact)) for fact in self.facts)])

    def lower(self, form: Form) -> Bound:
        """The least value that ``form`` can have: eliminate the newest symbol by its bound, and so on."""
        # A fact is not negative, so the form without it is a lower bound of the form.
        return max([self._least(form), *(self._least(form.minus(fact)) for fact in self.facts)])

    def _least(self, form: Form) -> Bound:
        while form.terms:
            symbol, coefficient = form.terms[-1]
            low, high = self._bounds[symbol]
            bound = low if coefficient > 0 else high
            if bound is None:
                return -math.inf
            form = Form(form.constant, form.terms[:-1]).plus(bound, coefficient)
        return form.constant

    def one_of(self, forms: Iterable[Form | None]) -> Form | None:
        """A form for a value that is one of these; None if nothing is known of one."""
        return reduce(lambda one, other: self.joined(one, other) if one and other else None, forms)

    def joined(self, left: Form, right: Form) -> Form:
        """A form for a value that is one of the two."""
        if left == right:
            return left
        difference = right.minus(left)
        if self.lower(difference) >= 0:
            return self.new(left, right)
        if self.upper(difference) <= 0:
            return self.new(right, left)
        low = min(self.lower(left), self.lower(right))
        return self.between(low, max(self.upper(left), self.upper(right)))


def products(left: tuple[Bound, Bound], right: tuple[Bound, Bound]) -> tuple[Bound, Bound]:
    """The bounds of a product from those of its factors."""
    corners = [0 if 0 in (a, b) else a * b for a in left for b in right]
    return min(corners), max(corners)


def quotients(left: tuple[Bound, Bound], divisors: Sequence[int]) -> tuple[Bound, Bound]:
    """The bounds of a floor division by a number of one sign, from its two extreme divisors."""
    corners = [a // b if math.isfinite(a) else math.copysign(math.inf, a * b) for a in left for b in divisors]
    return min(corners), max(corners)


def facts_of(operator: ast.cmpop, left: Form | None, right: Form | None) -> tuple[Facts, Facts]:
    """What a comparison of integers says: forms that are not negative if it holds, and if it fails."""
    if left is None or right is None:
        return [], []
    less, greater = right.minus(left), left.minus(right)
    strictly = Form(-1)
    match operator:
        case ast.Lt():
            return [less.plus(strictly)], [greater]
        case ast.LtE():
            return [less], [greater.plus(strictly)]
        case ast.Gt():
            return [greater.plus(strictly)], [less]
        case ast.GtE():
            return [greater], [less.plus(strictly)]
        case ast.Eq():
            return [less, greater], []
        case ast.NotEq():
            return [], [less, greater]
    return [], []

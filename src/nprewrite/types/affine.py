"""Integer linear forms over symbols, and what follows from the bounds of the symbols.

``n - 1 - i`` is the form with coefficients 1 (``n``) and -1 (``i``) and the constant -1. Loop variables are
eliminated by their bounds, innermost first (Fourier-Motzkin, one variable at a time, as in M. Wolfe, *High
Performance Compilers for Parallel Computing*, 1996, chapter 7); what is left is compared as integers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import product
from math import gcd


@dataclass(frozen=True)
class Affine:
    """``sum(coefficient * symbol) + constant``; terms are sorted by symbol, without zeros."""

    terms: tuple[tuple[str, int], ...] = ()
    constant: int = 0

    def __add__(self, other: Affine | int) -> Affine:
        """The sum of two forms, or of a form and a number."""
        if isinstance(other, int):
            return Affine(self.terms, self.constant + other)
        found = dict(self.terms)
        for name, factor in other.terms:
            found[name] = found.get(name, 0) + factor
        return Affine(_sorted(found), self.constant + other.constant)

    def __neg__(self) -> Affine:
        """The form times -1."""
        return self * -1

    def __sub__(self, other: Affine | int) -> Affine:
        """The difference of two forms, or of a form and a number."""
        return self + (-other)

    def __mul__(self, factor: int) -> Affine:
        """The form times a number."""
        return Affine(_sorted({name: each * factor for name, each in self.terms}), self.constant * factor)

    def coefficient(self, name: str) -> int:
        """The coefficient of a symbol, 0 where it does not occur."""
        return dict(self.terms).get(name, 0)

    @property
    def symbols(self) -> frozenset[str]:
        """The symbols that occur."""
        return frozenset(name for name, _ in self.terms)

    def replaced(self, name: str, form: Affine) -> Affine:
        """The form with ``form`` substituted for a symbol."""
        factor = self.coefficient(name)
        rest = Affine(tuple(each for each in self.terms if each[0] != name), self.constant)
        return rest + form * factor if factor else self

    def text(self, names: Mapping[str, str]) -> str:
        """The form as Python; ``names`` says how the symbols are written."""
        ordered = sorted(self.terms, key=lambda term: (term[1] < 0, term[0]))
        pieces = [_piece(factor, names[name]) for name, factor in ordered]
        if self.constant or not pieces:
            pieces.append(str(self.constant))
        first, *rest = pieces
        return first + "".join(f" - {each[1:]}" if each.startswith("-") else f" + {each}" for each in rest)


def symbol(name: str) -> Affine:
    """The form that is one symbol."""
    return Affine(((name, 1),))


def number(value: int) -> Affine:
    """The form that is a number."""
    return Affine((), value)


@dataclass(frozen=True)
class Span:
    """The values of a loop variable: at least every ``low``, below every ``high``, in steps of ``stride``."""

    name: str
    lows: tuple[Affine, ...]
    highs: tuple[Affine, ...]
    stride: int = 1


class Known:
    """Forms that are known not to be negative, and what follows from them."""

    def __init__(self, lengths: Iterable[str] = (), forms: Iterable[Affine] = ()) -> None:
        """``lengths`` are symbols of lengths of axes; ``forms`` are further forms that are not negative."""
        self.lengths = frozenset(lengths)
        self.forms = tuple(forms)

    def nonnegative(self, form: Affine) -> bool:
        """Whether ``form >= 0`` follows, from the lengths and at most two of the forms."""
        if self._plain(form):
            return True
        rests = [form - each for each in self.forms]
        return any(self._plain(each) for each in rests) or any(
            self._plain(rest - each) for rest in rests for each in self.forms
        )

    def _plain(self, form: Affine) -> bool:
        signs = (factor > 0 and name in self.lengths for name, factor in form.terms)
        return form.constant >= 0 and all(signs)

    def always_nonnegative(self, form: Affine, spans: Sequence[Span]) -> bool:
        """Whether ``form >= 0`` for all values of the loop variables of ``spans`` (outermost first)."""
        return any(self.nonnegative(each) for each in minima(form, spans))


def minima(form: Affine, spans: Sequence[Span]) -> Iterator[Affine]:
    """Lower bounds of ``form`` in symbols other than loop variables, one for each choice of bounds."""
    choices = [[(low, high - 1) for low in span.lows for high in span.highs] for span in reversed(spans)]
    for chosen in product(*choices):
        low = form
        for span, (first, last) in zip(reversed(spans), chosen, strict=True):
            low = low.replaced(span.name, first if low.coefficient(span.name) > 0 else last)
        yield low


def divides(form: Affine, multiples: Mapping[str, int]) -> bool:
    """Whether divisibility allows ``form`` to be 0; ``multiples`` gives what symbols are multiples of."""
    common = reduce(gcd, (abs(factor) * multiples.get(name, 1) for name, factor in form.terms), 0)
    return form.constant % common == 0 if common else form.constant == 0


def _sorted(terms: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted((name, factor) for name, factor in terms.items() if factor))


def _piece(factor: int, name: str) -> str:
    if factor in (1, -1):
        return name if factor == 1 else f"-{name}"
    return f"{factor} * {name}"

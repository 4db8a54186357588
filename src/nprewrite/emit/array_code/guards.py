"""What must hold when a nest starts, as Python conditions; otherwise the nest as written runs."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from nprewrite.regions.nests.nest import Nest
from nprewrite.types.affine import Affine, Span, minima, symbol
from nprewrite.types.problems import ProblemError


class NotVectorizedError(ProblemError):
    """A nest that stays as it is; carries the problem."""


@dataclass
class Guards:
    """Conditions that are not proved, each once; ``forms`` are linear forms that must not be negative."""

    nest: Nest
    forms: list[Affine] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    arrays: dict[str, str] = field(default_factory=dict)
    """Dtype and number of axes of arrays for which these are only suggested."""
    rounds: bool = False
    """Whether sums are taken in another order, or an integer 0 becomes a float 0, which has a sign."""
    computes: bool = False
    """Whether NumPy computes anything, and so could report a floating-point error."""

    def require(self, form: Affine, spans: Sequence[Span], node: ast.expr | ast.stmt, what: str) -> None:
        """Require ``form >= 0`` for all values of the loop variables, by proof or by a condition."""
        known = self.nest.known
        if known.always_nonnegative(form, spans):
            return
        lows = list(minima(form, spans))
        if any(known.nonnegative(low - each) for low in lows for each in self.forms):
            return
        closed = [low for low in lows if not any(name.startswith("%") for name in low.symbols)]
        if not closed:
            raise NotVectorizedError("index-out-of-range", what, node)
        low = closed[-1]
        if not low.terms:
            raise NotVectorizedError("index-out-of-range", what, node)
        self.forms = [each for each in self.forms if not known.nonnegative(each - low)]
        self.forms.append(low)

    def equalities(self) -> dict[str, Affine]:
        """The lengths of axes that must be at least as long as an integer, assuming that they are just as
        long.

        Where a loop leaves out the edge, ``n - 1`` elements would do, but the axis usually has ``n``.
        """
        known = self.nest.known.lengths
        found: dict[str, Affine] = {}
        for form in self.forms:
            lengths = [name for name, factor in form.terms if factor == 1 and name in known]
            others = [name for name, factor in form.terms if factor == -1 and name not in known]
            if len(form.terms) == 2 and lengths and others:
                found.setdefault(lengths[0], symbol(others[0]) + max(-form.constant, 0))
        return found

    def ask(self, text: str) -> None:
        """Add a condition that is not a linear form."""
        if text not in self.texts:
            self.texts.append(text)

    def conditions(self) -> list[str]:
        """All conditions as Python text."""
        others = [each for each in self.texts if not _of_types(each)]
        return [*(comparison(form, self.nest.names) for form in self.forms), *others]

    def texts_of_types(self) -> list[str]:
        """The conditions on types, on which the others rely."""
        kinds = dict.fromkeys(self.arrays.values())
        alike = {kind: [name for name, each in self.arrays.items() if each == kind] for kind in kinds}
        arrays = [f"npr.are_arrays({kind}, {', '.join(names)})" for kind, names in alike.items()]
        return [*arrays, *(each for each in self.texts if _of_types(each))]


def _of_types(text: str) -> bool:
    return text.startswith("type(")


def comparison(form: Affine, names: Mapping[str, str]) -> str:
    """``form >= 0`` without minus signs: ``n <= x.shape[0]``."""
    left = Affine(tuple((name, -factor) for name, factor in form.terms if factor < 0))
    right = Affine(tuple(each for each in form.terms if each[1] > 0))
    if not left.terms:
        # The number stays on its own side: added to a NumPy integer it could overflow.
        return f"{right.text(names)} >= {-form.constant}"
    if form.constant < 0:
        left = left + -form.constant
    else:
        right = right + form.constant
    return f"{left.text(names)} <= {right.text(names)}"

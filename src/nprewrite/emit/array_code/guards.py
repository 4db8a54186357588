"""What must hold when a nest starts, as Python conditions; otherwise the nest as written runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from nprewrite.base.syntax import stored_names
from nprewrite.program.function import Definition, Function
from nprewrite.regions.nests.nest import Nest
from nprewrite.source.names import parameter_names
from nprewrite.types.affine import Affine, Span, minima, symbol
from nprewrite.types.problems import ProblemError
from nprewrite.types.values import Array


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

    def conditions(self) -> tuple[str, ...]:
        """All that the text does not prove; ``npr.quiet()`` first, by which guarded versions are recognized.

        Those on types come next, on which the others rely.
        """
        nest, names = self.nest, self.nest.names
        kinds = dict.fromkeys(self.arrays.values())
        alike = {kind: [name for name, each in self.arrays.items() if each == kind] for kind in kinds}
        arrays = [f"npr.are_arrays({kind}, {', '.join(alike[kind])})" for kind in kinds]
        types = [each for each in self.texts if each.startswith("type(")]
        equal = [f"{form.text(names)} == {names[name]}" for name, form in nest.equal.items() if name in names]
        forms = [comparison(form, names) for form in self.forms]
        others = [each for each in self.texts if each not in types]
        found = [*arrays, *types, *equal, *_apart(nest), *forms, *others]
        return ("npr.quiet()", *found) if found or self.computes else ()


def _apart(nest: Nest) -> Iterator[str]:
    """That arrays which are stored into share no memory with others, unless that is certain."""
    arrays = dict.fromkeys(access.array for access in nest.accesses())
    for name in arrays:
        if name in nest.stored:
            others = [each for each in arrays if each != name and not _are_apart(name, each, nest)]
            if others or not _is_new(nest.array(name)):
                yield f"npr.apart({', '.join([name, *others])})"


def _are_apart(name: str, other: str, nest: Nest) -> bool:
    """Whether two arrays cannot share memory: both made here, or one made here and one passed in."""
    one, two = nest.array(name), nest.array(other)
    return _is_new(one) and (_is_new(two) or _is_only_passed(other, nest.function))


def _is_new(array: Array | None) -> bool:
    return array is not None and array.fresh


def _is_only_passed(name: str, function: Function) -> bool:
    if not isinstance(function.node, Definition) or name in stored_names(function.node):
        return False
    return name in parameter_names(function.node.args)


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

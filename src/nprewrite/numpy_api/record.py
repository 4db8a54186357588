"""What is known about a NumPy function of arrays: one line of the tables, and the tables together.

A result of a function of whole arrays depends on other elements than those at its own place. The dtype, the
number of dimensions and the shape of the result are NumPy's own answer, see ``probing``; a line says what
NumPy cannot be asked: whether the result may be a view, and what becomes of the function in a compiled step.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

FLOATS, NUMBERS, ANY = "f", "fi", "fib"
"""Kinds of dtypes for which torch computes a function as NumPy does."""

NOT_IN_TORCH = "torch has no such function"

Reduced = Literal["total", "factors", "average", "variance", "deviation", "some", "every"]
Picked = Literal["greatest", "least", "greatest place", "least place"]
_Algebra = Literal["product", "pairs", "crossed", "traced", "norm", "middle", "inverse", "solution"]
_Determinant = Literal["determinant", "sign and logarithm"]
_Moved = Literal["rolled", "turned", "differences", "joined", "running", "sorted", "repeated", "interpolated"]
_Found = Literal["found", "positions", "trues", "insertion"]
Native = (
    Literal["", "copied", "in a row", "nearest", "chosen"]
    | Reduced
    | Picked
    | _Algebra
    | _Determinant
    | _Moved
    | _Found
)


@dataclass(frozen=True)
class ArrayFunction:
    """One function (``np.sum``) or method (``x.sum``) of arrays.

    - ``positions``: the parameters after the arrays, in order.
    - ``arrays``: how many arrays come first; 0 for one sequence of arrays.
    - ``kinds``: the kinds of dtypes for which torch.compile gives NumPy's dtype and values; empty for a
      function that stays in NumPy, for which ``because`` says why.
    - ``options``: the parameters that a step may hold, as literal numbers or words; ``mode=edge`` is one that
      it may hold with that word only.
    - ``corrected``: a step computes it by nprewrite's function of that name. One without ``positions`` takes
      numbers after its array, and may give several new arrays.
    - ``view``: the result "always" or "maybe" shares the memory of the array; empty where it has new memory.
    - ``by_data``: the shape depends on the elements.
    - ``keeps_shape``: the result has the shape of the array.
    - ``rounds``: the last bits depend on the order of operations.
    - ``error``: what an error of rounding in it is measured against: the sum of the absolute values of what
      it adds up (a "sum"; a "mean", which is a float for integers too; "products" along the last axis of its
      first array), the result itself, "growing" with the number of factors, the condition number of a
      "spread", or, "normwise", the largest element of the result. Empty where it rounds once, or not at all.
    - ``changes_shape``: it gives another shape than its array has: it joins, repeats, turns, or takes pairs.
    - ``masked``: the text that computes it from the elements of ``x`` under a mask ``m``; ``masked_in_step``:
      the same in a step, where an empty selection cannot raise.
    - ``native``: how a lowered loop computes it for arrays; empty where it does not.
    - ``batched``: the kind of reduction as which it is computed for many rows; empty where it is not.
    - ``device``: why a device does not compute it; empty where it does. ``device_refuses``: the dtypes, by
      kind or by kind and size, for which it computes something else; ``device_floats``: it takes no integers,
      and has to be given float64 in their place.
    - ``in_float64``: NumPy computes it of integers and bools in float64, torch does not.
    - ``finds``: it gives positions of elements.
    - ``lists``: it gives a list of arrays, where others give a tuple.
    - ``most_axes``: the number of axes of its arrays up to which torch computes it as NumPy does, if any.
    """

    positions: str = ""
    kinds: str = ""
    options: str = ""
    arrays: int = 1
    because: str = "torch.compile does not trace it"
    corrected: bool = False
    view: Literal["", "maybe", "always"] = ""
    by_data: bool = False
    keeps_shape: bool = False
    rounds: bool = False
    error: Literal["", "sum", "mean", "products", "growing", "spread", "normwise"] = ""
    changes_shape: bool = False
    masked: str = ""
    masked_in_step: str = ""
    native: Native = ""
    batched: Literal["", "sum", "mean", "nonzero", "min", "max", "argmin", "argmax"] = ""
    device: str = ""
    device_refuses: str = ""
    device_floats: bool = False
    in_float64: bool = False
    lists: bool = False
    finds: bool = False
    most_axes: int | None = None

    @property
    def compiled(self) -> bool:
        """Whether torch.compile computes it for arrays of some dtype."""
        return bool(self.kinds)

    def has_too_many(self, axes: int | None) -> bool:
        """Whether torch may compute something else for an array of so many axes, None if nobody knows."""
        return self.most_axes is not None and (axes is None or axes > self.most_axes)

    @property
    def takes_numbers(self) -> bool:
        """Whether a step is given the arguments after the array, numbers of any value."""
        return self.corrected and not self.positions

    @property
    def picks(self) -> bool:
        """Whether it gives the greatest or the least element, or its place."""
        return self.native in get_args(Picked)

    @property
    def accumulates(self) -> bool:
        """Whether it takes the dtype in which it accumulates, by position too."""
        return bool(self.error) and "dtype" in self.positions.split()

    @property
    def widens(self) -> bool:
        """Whether it accumulates narrower integers in 64 bits."""
        return self.accumulates and self.error in ("sum", "growing")

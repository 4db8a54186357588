"""What is known of a NumPy function of arrays: one line of the tables, and the tables together.

A function of whole arrays takes other elements than those at a place. The dtype, the number of dimensions and
the shape of what it gives are NumPy's own answer, see ``probing``; a line says what NumPy cannot be asked:
whether the result may be a view, and what becomes of the function when a step is compiled.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

FLOATS, NUMBERS, ANY = "f", "fi", "fib"
"""Kinds of dtypes that torch computes a function of as NumPy does."""


@dataclass(frozen=True)
class Known:
    """One function (``np.sum``) or method (``x.sum``) of arrays.

    - ``positions``: the parameters behind the arrays, in order.
    - ``arrays``: how many arrays come first; 0 for one sequence of arrays.
    - ``kinds``: the kinds of dtypes for which torch.compile gives NumPy's dtype and values; empty for a
      function that stays in NumPy, ``because`` says why.
    - ``options``: the parameters that a step may hold, literal numbers or words.
    - ``view``: the result is "always" the memory of the array, "maybe" so, or, where empty, new memory.
    - ``by_data``: the shape depends on the elements.
    - ``keeps_shape``: the result has the shape of the array.
    - ``rounds``: the last bits depend on the order of operations.
    """

    positions: str = ""
    kinds: str = ""
    options: str = ""
    arrays: int = 1
    because: str = "torch.compile does not trace it"
    view: Literal["", "maybe", "always"] = ""
    by_data: bool = False
    keeps_shape: bool = False
    rounds: bool = False

    @property
    def compiled(self) -> bool:
        """Whether torch.compile computes it for arrays of some dtype."""
        return bool(self.kinds)

"""What a random program has bound so far, and how its arrays are made."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

FLOATS = ("float64", "float32")
INTEGERS = ("int64", "int32", "uint8", "int16")
COMPLEX = ("complex128", "complex64")

Leaf = Callable[["Variable"], str]


@dataclass(frozen=True)
class Variable:
    """A name of the program; ``dtype`` is NumPy's, or ``float``, ``int``, ``complex`` for Python's numbers.

    ``shape`` is ``grid`` for arrays of the program's shape, ``row`` for one of its last axis, ``number``
    for scalars.
    """

    name: str
    dtype: str
    shape: str = "grid"
    parameter: bool = False

    @property
    def kind(self) -> str:
        """``f``, ``i``, ``c`` or ``b``, for NumPy's and Python's numbers alike."""
        return {"f": "f", "i": "i", "u": "i", "c": "c", "b": "b"}[self.dtype[0]]


@dataclass
class Scope:
    """The names at one point of the program; statements choose from them and add to them."""

    rng: random.Random
    rank: int
    variables: list[Variable] = field(default_factory=list)
    masks: list[str] = field(default_factory=list)
    """Names of boolean arrays of the grid's shape."""
    numbers: list[Variable] = field(default_factory=list)
    """Scalars that expressions may use, the counter left out."""
    counter: str | None = None
    returned: list[str] = field(default_factory=list)
    """Names that the loop binds, which may be unbound after no trips."""

    functions: list[str] = field(default_factory=list)
    """The lines of the module's own functions."""

    def arrays(self, kinds: str, dtype: str | None = None) -> list[Variable]:
        """The arrays of the grid's shape with these kinds of dtype, and this dtype."""
        return [
            each
            for each in self.variables
            if each.shape == "grid" and each.kind in kinds and dtype in (None, each.dtype)
        ]

    def fresh(self, *wanted: str) -> str:
        """A name that is free: one of those wanted, else the first with a number behind it."""
        taken = {each.name for each in self.variables + self.numbers} | {*self.masks, self.counter}
        taken |= set(self.returned)
        free = [each for each in wanted if each not in taken]
        if free:
            return self.rng.choice(free)
        return next(name for k in range(1, 1000) if (name := f"{wanted[0]}{k}") not in taken)

    def chance(self, share: float) -> bool:
        """True for this share of the calls."""
        return self.rng.random() < share


def whole(variable: Variable) -> str:
    """The leaf of an expression over whole arrays."""
    return variable.name


def under(mask: str) -> Leaf:
    """The leaves of an expression over the elements that a mask selects."""
    return lambda variable: variable.name if variable.shape == "number" else f"{variable.name}[{mask}]"

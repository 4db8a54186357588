"""What a step takes and returns: names, dtypes, and complex arrays held as two real ones."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypedDict, Unpack

import numpy as np

DType = np.dtype[Any]
BOOL: DType = np.dtype(bool)
_COMPLEX: dict[DType, DType] = {
    np.dtype("float32"): np.dtype("complex64"),
    np.dtype("float64"): np.dtype("complex128"),
}


@dataclass(frozen=True)
class Pair:
    """A complex value that the step sees as two real ones of dtype ``real``."""

    real: str


def pair(real: str) -> Pair:
    """Declare a complex array that the step sees as two real arrays.

    ``pair("float32")`` stands for complex64, ``pair("float64")`` for complex128; the step's
    parameters are ``NAME_re`` and ``NAME_im``. Raises ``TypeError`` for any other dtype.
    """
    if np.dtype(real) not in _COMPLEX:
        raise TypeError(f"pair({real!r}): the parts of a complex array are float32 or float64")
    return Pair(real)


@dataclass(frozen=True)
class Number:
    """A number that is a NumPy scalar in the user's program, or that none of a lower kind may stand for."""

    kind: str | Pair
    typed: bool = False
    exact: bool = False


def scalar(kind: str | Pair) -> Number:
    """Declare a number that is a NumPy scalar of this dtype, which promotes arrays as an array does."""
    return Number(kind, typed=True)


def exact(kind: str | Pair) -> Number:
    """Declare a float that no integer may stand for, or a complex number that no real one may.

    Next to arrays of a lower kind, which it widens, the result's dtype depends on that.
    """
    return Number(kind, exact=True)


Declared = Mapping[str, "str | Pair | Number"]


@dataclass(frozen=True)
class Slot:
    """One named value: its ``dtype`` in the user's program, and its ``parts`` as the step sees it.

    ``typed`` numbers are NumPy scalars in the user's program, others Python numbers; no number of a lower
    kind stands for ``exact`` ones.
    """

    name: str
    dtype: DType
    parts: tuple[DType, ...]
    typed: bool = False
    exact: bool = False

    @property
    def is_pair(self) -> bool:
        """Whether the step sees two real values."""
        return len(self.parts) == 2


def _slot(name: str, declared: str | Pair | Number) -> Slot:
    if isinstance(declared, Number):
        return replace(_slot(name, declared.kind), typed=declared.typed, exact=declared.exact)
    if isinstance(declared, Pair):
        real: DType = np.dtype(declared.real)
        return Slot(name, _COMPLEX[real], (real, real))
    dtype: DType = np.dtype(declared)
    if dtype.kind not in "biufc":
        raise TypeError(f"{name}: dtype {declared!r} is not boolean or numeric")
    return Slot(name, dtype, (dtype,))


def parts(slots: tuple[Slot, ...]) -> list[DType]:
    """The dtypes of the step's parameters or results for ``slots``, in order."""
    return [part for slot in slots for part in slot.parts]


class Declaration(TypedDict, total=False):
    """What ``npr.step`` is told about a step; it says what each means."""

    counter: str
    scalars: Declared
    constants: Declared
    sizes: tuple[str, ...]
    bounds: Mapping[str, tuple[float, float]]
    inputs: Declared
    state: Declared
    carried: Declared
    out: Declared
    received: tuple[str, ...]
    given: tuple[str, ...]
    calls: Mapping[str, Callable[..., Any]]
    apart: tuple[str, ...]
    read_first: tuple[str, ...]
    aligned: tuple[str, ...]
    ranks: Mapping[str, int]
    rotates: Mapping[str, str]
    previous: Mapping[str, str]
    lanewise: bool
    chunked: bool
    once: bool
    grows: bool
    picks: bool
    looped: bool
    live: str


@dataclass(frozen=True)
class Signature:
    """The declarations of one step, checked."""

    scalars: tuple[Slot, ...]
    constants: tuple[Slot, ...]
    bounds: tuple[tuple[str, float, float], ...]
    inputs: tuple[Slot, ...]
    state: tuple[Slot, ...]
    carried: tuple[Slot, ...]
    out: tuple[Slot, ...]
    calls: tuple[tuple[str, Callable[..., Any]], ...]
    ranks: tuple[tuple[str, int], ...]
    rotates: tuple[tuple[str, str], ...]
    previous: tuple[tuple[str, str], ...]
    counter: str | None = None
    sizes: tuple[str, ...] = ()
    received: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()
    read_first: tuple[str, ...] = ()
    aligned: tuple[str, ...] = ()
    lanewise: bool = False
    chunked: bool = False
    once: bool = False
    grows: bool = False
    picks: bool = False
    looped: bool = False
    live: str | None = None

    @property
    def arrays(self) -> tuple[Slot, ...]:
        """The arrays that ``Step.over`` takes."""
        return self.inputs + self.state + self.carried

    @property
    def written(self) -> tuple[Slot, ...]:
        """The arrays that an iteration reads and replaces."""
        return self.state + self.carried

    @property
    def mask(self) -> tuple[Slot, ...]:
        """The live mask as a result of the step, where there is one."""
        return () if self.live is None else (Slot(self.live, BOOL, (BOOL,)),)

    @functools.cached_property
    def arguments(self) -> frozenset[str]:
        """The names that ``Step.over`` takes by keyword."""
        names = {slot.name for slot in self.constants + self.arrays}.union(self.sizes) - {*self.given}
        return frozenset(names | {name for name, _ in self.calls} | {*self.apart})

    @functools.cached_property
    def separate(self) -> tuple[tuple[str, str], ...]:
        """Each state with each array that may not share its memory."""
        names = dict.fromkeys([*(slot.name for slot in self.arrays), *self.apart])
        others = [name for name in names if name not in self.read_first]
        return tuple((slot.name, name) for slot in self.state for name in others if name != slot.name)

    @functools.cached_property
    def counts(self) -> bool:
        """Whether an iteration is given no scalar but the loop variable."""
        return [slot.name for slot in self.scalars] in ([], [self.counter])

    @property
    def dtypes(self) -> set[DType]:
        """Every dtype that the step computes with."""
        return set(parts(self.scalars + self.constants + self.arrays + self.out))


_SLOTS = ("scalars", "constants", "inputs", "state", "carried", "out")
_PAIRS = ("calls", "ranks", "rotates", "previous")


def signature(**declared: Unpack[Declaration]) -> Signature:
    """Check the declarations of ``npr.step``; raise ``TypeError`` or ``ValueError`` where they disagree."""
    given: dict[str, Any] = {**declared}
    bounds = tuple((name, low, high) for name, (low, high) in (given.get("bounds") or {}).items())
    pairs = {name: tuple((given.get(name) or {}).items()) for name in _SLOTS + _PAIRS}
    slots = {name: tuple([_slot(*each) for each in pairs[name]]) for name in _SLOTS}
    made = Signature(**{**given, **pairs, **slots, "bounds": bounds})
    wrong = [slot.name for slot in made.arrays + made.out if slot.typed or slot.exact]
    if wrong:
        raise TypeError(f"{wrong[0]}: scalar(...) and exact(...) declare numbers, and this is an array")
    if not made.written and not made.once:
        raise ValueError("a step needs at least one array in state or carried")
    if made.once and made.lanewise:
        raise ValueError("once is of statements over whole arrays, not of a loop's lanes")
    if made.chunked and not made.lanewise:
        raise ValueError("chunked needs lanewise=True: a chunk takes each lane through several iterations")
    if made.looped and (made.lanewise or made.once or made.received):
        raise ValueError("looped is of loops over whole arrays: neither lanewise nor once, nothing received")
    if made.sizes and (made.lanewise or made.looped):
        raise ValueError("sizes are of steps over whole arrays, and of none that Numba loops over")
    if made.live is not None and not made.lanewise:
        raise ValueError("live needs lanewise=True: only lanes that evolve by themselves may be dropped")
    unknown = {*made.aligned, *(name for name, _ in made.ranks)} - {slot.name for slot in made.arrays}
    if unknown:
        raise ValueError(f"aligned, ranks: {', '.join(sorted(unknown))} is not an array of the step")
    if {*made.given} - {slot.name for slot in made.inputs} or (made.given and not made.once):
        raise ValueError(f"given: {', '.join(made.given)} should be inputs of a step of some statements")
    ungiven = {*made.received} - {slot.name for slot in made.out}
    if ungiven:
        raise ValueError(f"received: {', '.join(sorted(ungiven))} is not an out value of the step")
    if made.received and (made.lanewise or made.once):
        raise ValueError("received needs a loop over whole arrays, whose iterations run one by one")
    real = {slot.name for slot in made.constants if slot.dtype.kind in "iuf"}
    for name, _, _ in made.bounds:
        if name not in real:
            raise ValueError(f"bounds: {name!r} is not a real constant of the step")
    return made

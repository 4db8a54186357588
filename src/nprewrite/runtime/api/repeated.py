"""Steps of statements that run on arrays like those of an earlier call.

What the guards decide from types, shapes and layouts holds for all arrays that have the same. To ask them
again takes longer than to compute some ten thousand elements.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from nprewrite.base import forks
from nprewrite.base.environment import disabled
from nprewrite.base.signal_handlers import interrupts
from nprewrite.runtime.api import guards
from nprewrite.runtime.api.backend import STEP_ERRORS, Array
from nprewrite.runtime.api.boxes import ScalarBoxes, Scalars, box_constants, expected_kinds
from nprewrite.runtime.api.buffers import completely, fresh, own, readable_in_place
from nprewrite.runtime.api.numbers import SCALAR_ERRORS
from nprewrite.runtime.api.refusal import Refused
from nprewrite.runtime.api.spec import Signature, Slot
from nprewrite.runtime.choosing.choice import Choice
from nprewrite.runtime.device import devices

if TYPE_CHECKING:
    from nprewrite.runtime.torch.package import Package

MOST = 1 << 18
"""Elements of all arrays together from which on the guards take no time that matters."""
KINDS = 8
"""Kinds of calls of one step that are remembered."""

_ONCE = range(1)
_FITS = 3e38
"""Floats of smaller magnitude are finite in float32 too."""
_OWNS_DATA = 4
"""The flag of an array by which a view differs from another array, which matters to no guard."""


class Ran:
    """The loop of a step that has run once; see ``Loop``."""

    __slots__ = ("_found",)
    finished = True
    counter = 0
    numbers: tuple[Any, ...] = ()

    def __init__(self, found: tuple[Any, ...]) -> None:
        self._found = found

    def __iter__(self) -> Iterator[int]:
        return iter(())

    @property
    def results(self) -> tuple[Any, ...]:
        """What the step has computed, once: functions hold the loop until they return."""
        found, self._found = self._found, ()
        return found


def likeness(signature: Signature, arguments: Mapping[str, Any]) -> tuple[Any, ...]:
    """What the guards depend on, except the values of constants and what memory is shared."""
    sizes = signature.sizes
    return tuple(
        [
            (each.dtype, each.shape, each.flags.num | _OWNS_DATA, each.strides)
            if type(each) is np.ndarray
            else (each if name in sizes else type(each))
            for name, each in arguments.items()
        ]
    )


def is_repeatable(signature: Signature, arguments: Mapping[str, Any]) -> bool:
    """Whether calls of a step like this one may be run without a new look at all that decides."""
    slots = signature.scalars + signature.constants + signature.arrays + signature.out
    is_plain = signature.once and not (signature.rotates or signature.given or signature.received)
    if not is_plain or any(slot.is_pair for slot in slots):
        return False
    return sum([each.size for each in arguments.values() if type(each) is np.ndarray]) < MOST


class Repeated:
    """How calls of a step run that are like one which has run compiled."""

    def __init__(
        self,
        signature: Signature,
        call: Package,
        arguments: Mapping[str, Any],
        constants: list[Array],
        choice: Choice | None,
    ) -> None:
        self._signature = signature
        self._call = call
        self._choice = choice
        # The kinds of floats that each scalar may be; empty where one of them needs a look at each call.
        floats = [_floats_for(slot) for slot in signature.scalars]
        self._floats = floats if all(floats) else []
        # Memory of the last call for its state, which no user sees: fresh memory costs page faults.
        self._spare: list[list[Array]] = []
        self._constants = [(slot.name, arguments[slot.name]) for slot in signature.constants]
        self._boxes = constants
        slots = signature.inputs + signature.written
        self._read = [(slot.name, readable_in_place(slot, arguments[slot.name])) for slot in slots]
        laid_out = [arguments[slot.name].flags.c_contiguous for slot in signature.carried]
        self._is_laid_out = [*zip([slot.name for slot in signature.carried], laid_out, strict=True)]

    def takes_turn(self) -> bool:
        """Whether its turn is known without a look at the times."""
        return self._choice is None or self._choice.passes("rewritten")

    def results(self, arguments: dict[str, Any], scalars: Scalars | None) -> tuple[Any, ...] | None:
        """The results of a call like the first; None where it has to be looked at anew.

        Until the end it leaves everything as it was.
        """
        if disabled() or forks.is_fork_of_torch():
            return None
        if devices.current() is not None or devices.asked_for() is not None:
            return None
        try:
            boxes = self._checked(arguments)
            if self._signature.scalars:
                boxes = self._boxed(scalars) + boxes
            arrays = self._arrays(arguments)
            states, carried = self._states(arguments), _empty(self._signature.carried, arguments)
            _, _, found = self._call(*boxes, *arrays, *states, *carried)
        except Refused:
            return None
        except STEP_ERRORS as error:
            if interrupts(error):
                raise
            return None
        out: tuple[Any, ...] = ()
        if found:
            taken = [*arrays, *states, *carried]
            pairs = zip(found, self._signature.out, strict=True)
            out = tuple([own(array, slot.dtype, taken) for array, slot in pairs])
        return (*self._stored(arguments, states, carried), *out)

    def _stored(self, arguments: Mapping[str, Any], states: list[Array], carried: list[Array]) -> list[Array]:
        """Store the state in the user's arrays; return what the step binds anew."""
        bound = [
            target if is_laid_out else fresh(np.empty_like(arguments[name]), [target])
            for (name, is_laid_out), target in zip(self._is_laid_out, carried, strict=True)
        ]
        if states:
            completely(lambda: self._store(arguments, states))
            self._spare.append(states)
        return bound

    def _store(self, arguments: Mapping[str, Any], states: list[Array]) -> None:
        for slot, state in zip(self._signature.state, states, strict=True):
            arguments[slot.name][...] = state

    def _boxed(self, scalars: Scalars | None) -> list[Array]:
        """Boxes for the scalars of a call; raises ``Refused`` where they do not fit."""
        values = self._plain(scalars) if scalars is not None and self._floats else None
        if values is None:
            return ScalarBoxes(self._signature, _ONCE, scalars).fill(0, 1)
        pairs = zip(values, self._signature.scalars, strict=True)
        return [np.array((value,), slot.dtype) for value, slot in pairs]

    def _plain(self, scalars: Scalars) -> Sequence[float] | None:
        """The scalars of a call, if they are floats that fit; None where they need a look."""
        try:
            values = scalars(0)
        except SCALAR_ERRORS as error:
            if interrupts(error):
                raise
            return None
        pairs = zip(values, self._floats, strict=True)
        fits = [type(value) in kinds and -_FITS < value < _FITS for value, kinds in pairs]
        return values if all(fits) else None

    def _checked(self, arguments: dict[str, Any]) -> list[Array]:
        """The constants of a call; raises ``Refused`` where a guard does."""
        signature = self._signature
        guards.check_errstate()
        guards.check_warnings()
        if signature.calls:
            guards.check_calls(signature, arguments)
        if signature.state:
            guards.check_sharing(signature, arguments)
        for name, value in self._constants:
            if arguments[name] is not value:
                boxes = box_constants(signature, arguments)
                guards.check_bounds(signature, arguments)
                return boxes
        return self._boxes

    def _arrays(self, arguments: Mapping[str, Any]) -> list[Array]:
        return [
            arguments[name] if in_place else np.array(arguments[name], order="C")
            for name, in_place in self._read
        ]

    def _states(self, arguments: Mapping[str, Any]) -> list[Array]:
        """Memory for the state, which another thread may be using."""
        try:
            return self._spare.pop()
        except IndexError:
            return _empty(self._signature.state, arguments)


def _empty(slots: Sequence[Slot], arguments: Mapping[str, Any]) -> list[Array]:
    """Memory in C order for arrays like those of the call."""
    return [np.empty(arguments[slot.name].shape, slot.dtype) for slot in slots]


def _floats_for(slot: Slot) -> frozenset[type]:
    """The kinds of floats that a scalar may be without a further look."""
    return frozenset(expected_kinds(slot)) & {float, np.float64} if slot.dtype.char in "fd" else frozenset()

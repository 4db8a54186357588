"""The arrays of a loop that a step runs in, iteration by iteration, while the user's own code looks on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from nprewrite.runtime.api import guards
from nprewrite.runtime.api.backend import STEP_ERRORS, Array, Kernel
from nprewrite.runtime.api.boxes import ScalarBoxes
from nprewrite.runtime.api.buffers import Workspace, load, readable_in_place, split
from nprewrite.runtime.api.numbers import SCALAR_ERRORS, refused_by_scalars
from nprewrite.runtime.api.refusal import Refused, refused_by_step
from nprewrite.runtime.api.spec import Signature, Slot
from nprewrite.runtime.api.whole_arrays import WholeLoop

Numbers = Callable[[], Sequence[Any]]


class HeldLoop(WholeLoop):
    """A loop over whole arrays that can be looked at between two iterations.

    Names that an iteration rebinds stand for the loop's own buffers until ``own`` is asked for them. These
    are written again two iterations later, but never after the loop.
    """

    def __init__(
        self,
        signature: Signature,
        arguments: Mapping[str, Any],
        constants: Sequence[Array],
        kernel: Kernel,
    ) -> None:
        super().__init__(signature, {**arguments}, Workspace(), lends=kernel.only_reads)
        self._kernel = kernel
        self._constants = constants
        # The numbers of iteration 0 are those of the next one. A method of the loop in their place would make
        # a cycle, which keeps the arrays alive.
        self._rows: list[Sequence[Any]] = [()]
        self._boxes = ScalarBoxes(signature, range(1), self._rows.__getitem__)
        self._calls = 0
        # The user's array that says what a name stands for now; a name that is private has none.
        self._visible: dict[str, Array] = {slot.name: arguments[slot.name] for slot in signature.written}
        self._handed_on: dict[str, Array] = {}
        self._private: dict[str, Array] = {}
        self._seen = False
        self.results_now: tuple[Any, ...] = ()

    def advance(self, numbers: Numbers, given: Mapping[str, Any]) -> None:
        """Compute the next iteration and its ``results_now``.

        ``numbers`` gives the scalars, ``given`` the inputs that are other arrays than before. Raises
        ``Refused``, leaving everything as it was.
        """
        if given:
            self._take(given)
        if self._seen:
            self._read_again()
        try:
            self._rows[0] = numbers()
        except SCALAR_ERRORS as error:
            raise refused_by_scalars(error, "a number of the loop") from error
        boxes = self._boxes.fill(0, 1)
        try:
            self._iterate(self._kernel, self._calls, 1, boxes, self._constants, new=False)
        except STEP_ERRORS as error:
            raise refused_by_step(error) from error
        self._calls += 1
        before, self._visible, self._private = self._visible, {}, {}
        self._handed_on = {
            name: before[source] for name, source in self._signature.previous if source in before
        }
        self.results_now = self.results()

    def store(self) -> None:
        """Write the state to the user's arrays, which the next iteration reads."""
        self._seen = True
        states = [slot.name for slot in self._signature.state]
        if all(name in self._visible for name in states):
            return
        super().store()
        standing = self._standing() if self._rotation else self._arguments
        self._visible |= {name: standing[name] for name in states}

    def own(self, array: Any) -> Any:
        """A copy of an array that the loop still computes in; any other array itself.

        The next iteration reads what the result holds then.
        """
        # Set even if the array is the user's already: pairs are kept separately from it.
        self._seen = True
        name = next((name for name, each in self._private.items() if each is array), None)
        if name is None:
            return array
        copy: Array = array.copy()
        self._visible[name] = copy
        del self._private[name]
        return copy

    def _carried(self, slot: Slot, buffers: Sequence[Array]) -> Array:
        if slot.name in self._handed_on:
            # The user may have kept it and may still change it.
            made = self._visible[slot.name] = self._handed_on[slot.name]
            return made
        if slot.is_pair or not self._arguments[slot.name].flags.c_contiguous:
            made = self._visible[slot.name] = super()._carried(slot, buffers)
            return made
        view = self._private[slot.name] = buffers[0].view(slot.dtype)
        return view

    def _take(self, given: Mapping[str, Any]) -> None:
        """Read other arrays of the same kind, which may not share memory with what the loop changes."""
        guards.check_given(self._signature, self._arguments, given)
        self._arguments = {**self._arguments, **given}
        named = split(self._signature.inputs, self._inputs)
        now = [self._load_input(s) if s.name in given else named[s.name] for s in self._signature.inputs]
        self._inputs = [buffer for buffers in now for buffer in buffers]

    def _read_again(self) -> None:
        """Take what the user's arrays hold now."""
        guards.check_errstate()
        guards.check_warnings()
        self._seen = False
        self._inputs = [buffer for slot in self._signature.inputs for buffer in self._load_input(slot)]
        now = split(self._signature.written, self._sources)
        for slot in self._signature.written:
            array = self._visible.get(slot.name)
            if array is not None:
                now[slot.name] = self._taken(slot, array)
        self._sources = [buffer for slot in self._signature.written for buffer in now[slot.name]]

    def _taken(self, slot: Slot, array: Array) -> Sequence[Array]:
        like = self._arguments[slot.name]
        if array.shape != like.shape or array.dtype != like.dtype:
            raise Refused(
                f"shape of {slot.name}",
                f"{slot.name!r} has changed to shape {array.shape} and dtype {array.dtype}",
            )
        if self._kernel.only_reads and readable_in_place(slot, array):
            return [array]
        buffers = self._workspace.shaped("read", slot, array)
        load(buffers, array)
        return buffers

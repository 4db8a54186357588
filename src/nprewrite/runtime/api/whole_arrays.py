"""Running a step on whole arrays of any shape, one iteration a call.

Each iteration reads one set of buffers and writes another, because a stencil must not overwrite what it still
reads. The first iteration reads the user's own arrays where the kernel leaves them as they are, and the last
one writes straight into the arrays that the loop returns: each copy costs as much as a simple iteration.
Nothing of the user's arrays is written before ``store``.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nprewrite.runtime.api.backend import Array, Kernel
from nprewrite.runtime.api.boxes import ScalarBoxes
from nprewrite.runtime.api.buffers import Workspace, fresh, load, own, readable_in_place, split, store_state
from nprewrite.runtime.api.numbers import Conversation
from nprewrite.runtime.api.refusal import Refused
from nprewrite.runtime.api.spec import Signature, Slot


def rotation(signature: Signature) -> list[int]:
    """For each part that an iteration writes, the part whose buffer it takes after the iteration."""
    parts = [(slot.name, number) for slot in signature.written for number in range(len(slot.parts))]
    taken = dict(signature.rotates)
    return [parts.index((taken.get(name, name), number)) for name, number in parts]


def _period(rotation: Sequence[int]) -> int:
    """After how many iterations every name has its first buffer again."""
    count, now = 1, rotation
    while sorted(now) != [*now]:
        count, now = count + 1, [now[position] for position in rotation]
    return count


class WholeLoop:
    """One loop of a step over arrays of any shapes."""

    def __init__(
        self, signature: Signature, arguments: Mapping[str, Any], workspace: Workspace, *, lends: bool
    ) -> None:
        """``lends`` says that the kernel may read the user's arrays: it changes nothing that it reads."""
        self._signature = signature
        self._arguments = arguments
        self._workspace = workspace
        self._inputs = [buffer for slot in signature.inputs for buffer in self._load_input(slot)]
        loaded = self._load_input if lends else self._load
        self._sources = self._first = [buffer for slot in signature.written for buffer in loaded(slot)]
        self._read = self._first
        self._new: dict[str, Array] = {}
        self._out: Sequence[Any] = ()
        self._rotation = rotation(signature) if signature.rotates else []
        self._period = _period(self._rotation)
        self._owners = [slot.name for slot in signature.written for _ in slot.parts] if self._rotation else []

    def run(self, kernel: Kernel, chunk: int, scalars: ScalarBoxes, constants: Sequence[Array]) -> None:
        """Run all iterations, at most ``chunk`` in a call; raises as ``LaneLoop.run`` does."""
        if scalars.conversation is not None:
            self._run_while(kernel, scalars, scalars.conversation, constants)
            return
        for call, first in enumerate(range(0, scalars.trips, chunk)):
            size = min(chunk, scalars.trips - first)
            last = first + size == scalars.trips
            self._iterate(kernel, call, size, scalars.fill(first, size), constants, new=last)

    def _run_while(
        self, kernel: Kernel, scalars: ScalarBoxes, conversation: Conversation, constants: Sequence[Array]
    ) -> None:
        """Run iterations for as long as the numbers that they give say so."""
        for number in itertools.count():
            self._iterate(kernel, number, 1, scalars.fill(0, 1), constants, new=False)
            if not conversation.goes_on(self._received()):
                return

    def _iterate(
        self,
        kernel: Kernel,
        call: int,
        size: int,
        boxes: Sequence[Array],
        constants: Sequence[Array],
        *,
        new: bool,
    ) -> None:
        """Run ``size`` iterations in a call."""
        targets = self._targets("this" if call % 2 else "next", new=new)
        self._out = kernel.run(size, boxes, constants, self._inputs, self._sources, targets)
        sources, owners = targets, self._owners
        if self._rotation:
            sources = [targets[position] for position in self._rotation]
            for _ in range(size % self._period):
                owners = [owners[position] for position in self._rotation]
        # In one statement, so that an exception from a signal handler finds the state of one iteration.
        self._read, self._sources, self._owners = self._sources, sources, owners

    def _received(self) -> tuple[Any, ...]:
        """The numbers of the last iteration that decide about the next."""
        named = split(self._signature.out, self._out)
        dtypes = {slot.name: slot.dtype for slot in self._signature.out}
        received = self._signature.received
        arrays = [named[name][0].view(dtypes[name]) for name in received]
        for name, array in zip(received, arrays, strict=True):
            if array.ndim:
                raise Refused(f"shape of {name}", f"{name!r} has shape {array.shape}, expected a number")
        return tuple([array[()] for array in arrays])

    def _targets(self, role: str, *, new: bool) -> list[Array]:
        """What an iteration writes to: buffers, or with ``new`` the arrays to be returned, if possible."""
        carried = self._signature.carried if new and not self._rotation else ()
        targets: list[Array] = []
        for slot in self._signature.written:
            array = self._arguments[slot.name]
            if slot in carried and not slot.is_pair and array.flags.c_contiguous:
                self._new[slot.name] = np.empty_like(array)
                targets.append(self._new[slot.name])
            else:
                targets += self._workspace.shaped(role, slot, array)
        return targets

    def results(self) -> tuple[Any, ...]:
        """New values for what the loop carries and leaves behind."""
        named = split(self._signature.out, self._out)
        # This memory cannot be given away: it is the user's, or the loop's next run uses it again.
        taken = [*self._inputs, *self._first, *self._read, *self._sources]
        out = tuple([_result(slot, named[slot.name], taken) for slot in self._signature.out])
        buffers = split(self._signature.written, self._sources)
        carried = tuple(self._carried(slot, buffers[slot.name]) for slot in self._signature.carried)
        return carried + out + self._rotated()

    def _carried(self, slot: Slot, buffers: Sequence[Array]) -> Array:
        if slot.name in self._new:
            return self._new[slot.name]
        return fresh(np.empty_like(self._arguments[slot.name]), buffers)

    def store(self) -> None:
        """Write the state to the user's arrays, after ``results``."""
        if not self._signature.state:
            return
        buffers = split(self._signature.written, self._sources)
        arrays = {**self._arguments, **self._standing()} if self._rotation else self._arguments
        store_state(self._signature, arrays, buffers)

    def stop(self) -> None:
        """Write the state after the last iteration that has ended."""
        self.store()

    def _standing(self) -> dict[str, Any]:
        """The user's array that each name stands for now."""
        first = split(self._signature.written, self._owners)
        return {name: self._arguments[owners[0]] for name, owners in first.items()}

    def _rotated(self) -> tuple[Any, ...]:
        if not self._rotation:
            return ()
        standing = self._standing()
        return tuple(standing[name] for name, _ in self._signature.rotates)

    def _load_input(self, slot: Slot) -> Sequence[Array]:
        array = self._arguments[slot.name]
        if readable_in_place(slot, array):
            return [array]
        return self._load(slot)

    def _load(self, slot: Slot) -> Sequence[Array]:
        array = self._arguments[slot.name]
        buffers = self._workspace.shaped("this", slot, array)
        load(buffers, array)
        return buffers


def _result(slot: Slot, buffers: Sequence[Array], taken: list[Array]) -> Any:
    if slot.is_pair:
        return fresh(np.empty(buffers[0].shape, slot.dtype), buffers)[()]
    return own(buffers[0], slot.dtype, taken)
